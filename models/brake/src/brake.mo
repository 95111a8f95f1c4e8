public
  extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryTwoFlangesAndSupport2(useSupport = {useSupport});
  Modelica.Units.SI.Angle phi_rel "Relative angle flange_a.phi - support.phi";
  Modelica.Units.SI.AngularVelocity w_rel "Relative angular velocity";
  Modelica.Units.SI.AngularAcceleration a_rel "Relative angular acceleration";
  Modelica.Units.SI.Torque tau "Friction torque, positive while w_rel is";
equation
  phi_rel = flange_a.phi - phi_support;
  w_rel = der(phi_rel);
  a_rel = der(w_rel);
  flange_b.phi = flange_a.phi;
  flange_a.tau + flange_b.tau = tau;
