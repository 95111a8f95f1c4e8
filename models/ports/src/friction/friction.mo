public
  extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT(useHeatPort = {useHeatPort});
  Modelica.Blocks.Interfaces.RealInput f_normalized "Normal force divided by fn_max, from 0 to 1"
    annotation (Placement(transformation(origin = {0, 110}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
  constant Integer Unknown = 3 "Before the start";
  constant Integer Free = 2 "Not pressed together";
  constant Integer Forward = 1 "Sliding with w_rel > 0";
  constant Integer Stuck = 0 "Not sliding";
  constant Integer Backward = -1 "Sliding with w_rel < 0";
  Integer mode(min = Backward, max = Unknown, start = Unknown, fixed = true)
    "-1 Backward, 0 Stuck, 1 Forward, 2 Free, 3 Unknown";
  Boolean locked(start = false) "Whether the two sides are stuck";
  Boolean free "Whether they are not pressed together";
  Boolean startForward(start = false, fixed = true) "Whether they broke away and will slide forward";
  Boolean startBackward(start = false, fixed = true) "Whether they broke away and will slide backward";
  Real sa(unit = "1")
    "Curve parameter: tau in N.m while stuck, otherwise a_rel in rad/s2 and the largest torque while stuck";
  Modelica.Units.SI.Torque tau0 "Sliding torque at w_rel = 0";
  Modelica.Units.SI.Torque tau0_max "Largest torque while stuck";
protected
  Integer branch(start = Stuck, fixed = true) "Branch of the law, named as the modes";
  Real law[7] "ca, cb, ta, tb, tau0, tau0_max, and the normal force times geometry";
equation
  // With the last branch of the iteration of an event the equations are linear.
  law = Internal.law(fmu, ready, pre(branch), {w_rel, f_normalized}, 7);
  a_rel = law[1]*sa + law[2];
  tau = law[3]*sa + law[4];
  tau0 = law[5];
  tau0_max = law[6];
  free = law[7] <= 0;
  lossPower = tau*w_rel;

  // As Modelica.Mechanics.Rotational.Interfaces.PartialFriction; sa is a torque where the last branch is Stuck.
  startForward = pre(mode) == Stuck and (pre(branch) == Stuck and sa > tau0_max or pre(startForward) and sa > tau0)
    or pre(mode) == Backward and w_rel > w_small or initial() and w_rel > 0;
  startBackward = pre(mode) == Stuck and (pre(branch) == Stuck and sa < -tau0_max or pre(startBackward) and sa < -tau0)
    or pre(mode) == Forward and w_rel < -w_small or initial() and w_rel < 0;
  locked = not free and not (pre(mode) == Forward or startForward or pre(mode) == Backward or startBackward);
  branch = if free then Free elseif locked then Stuck elseif startForward then Forward
    elseif startBackward then Backward elseif pre(mode) == Forward then Forward else Backward;
  mode = if free then Free elseif (pre(mode) == Forward or pre(mode) == Free or startForward) and w_rel > 0 then Forward
    elseif (pre(mode) == Backward or pre(mode) == Free or startBackward) and w_rel < 0 then Backward else Stuck;
