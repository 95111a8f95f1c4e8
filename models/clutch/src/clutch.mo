public
  extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates(phi_nominal = {phi_nominal});
