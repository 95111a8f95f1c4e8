within MechanicalFMUs;
model CA "Coulomb friction between two shafts, with sticking and sliding located exactly"
  replaceable model FMU = .CA_me_FMU
    "Block that the tool made of the FMU"
    annotation (choicesAllMatching = true);
  parameter Real J_a(unit = "kg.m2", min = 1e-12) = 1.0 "Inertia at flange_a"
    annotation (Dialog(group = "Parameters"));
  parameter Real phi_a_start(unit = "rad") = 0.0 "Initial angle of flange_a"
    annotation (Dialog(group = "Parameters"));
  parameter Real w_a_start(unit = "rad/s") = 0.0 "Initial angular velocity of flange_a"
    annotation (Dialog(group = "Parameters"));
  parameter Real J_b(unit = "kg.m2", min = 1e-12) = 1.0 "Inertia at flange_b"
    annotation (Dialog(group = "Parameters"));
  parameter Real phi_b_start(unit = "rad") = 0.0 "Initial angle of flange_b"
    annotation (Dialog(group = "Parameters"));
  parameter Real w_b_start(unit = "rad/s") = 0.0 "Initial angular velocity of flange_b"
    annotation (Dialog(group = "Parameters"));
  parameter Real peak(unit = "1", min = 1.0) = 1.0 "Static friction as a multiple of sliding friction at w_rel = 0"
    annotation (Dialog(group = "Parameters"));
  parameter Real cgeo(unit = "1", min = 0.0) = 1.0 "Geometry constant N (r_o + r_i) / 2: torque by friction coefficient and normal force"
    annotation (Dialog(group = "Parameters"));
  parameter Real fn_max(unit = "N", min = 0.0) = 1.0 "Normal force at f_normalized = 1"
    annotation (Dialog(group = "Parameters"));
  parameter Real w_small(unit = "rad/s", min = 0.0) = 10000000000.0 "Largest overshoot of w_rel through 0 that counts as an arrival at 0 (Model Exchange)"
    annotation (Dialog(group = "Parameters"));
  parameter Real K_locked(unit = "1/s", min = 0.0) = 0.0 "Rate at which a rest of w_rel decays while stuck (Model Exchange)"
    annotation (Dialog(group = "Parameters"));
  parameter Real mue_pos[1, 2](each min = 0.0) = {{0.0, 0.5}} "Relative velocity in rad/s, from 0 on, and coefficient of sliding friction"
    annotation (Dialog(tab = "Tables"));
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a "Left flange"
    annotation (Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b "Right flange"
    annotation (Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Modelica.Blocks.Interfaces.RealInput f_normalized(unit = "1") "Normal force by fn_max, from 0 to 1"
    annotation (Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Modelica.Blocks.Interfaces.RealOutput phi_rel(unit = "rad") "Relative angle: flange_b.phi - flange_a.phi of a clutch, flange_a.phi - support.phi of a brake"
    annotation (Placement(transformation(extent = {{100, -50}, {120, -30}})));
  Modelica.Blocks.Interfaces.RealOutput w_rel(unit = "rad/s") "Relative angular velocity"
    annotation (Placement(transformation(extent = {{100, -57}, {120, -37}})));
  Modelica.Blocks.Interfaces.RealOutput a_rel(unit = "rad/s2") "Relative angular acceleration"
    annotation (Placement(transformation(extent = {{100, -63}, {120, -43}})));
  Modelica.Blocks.Interfaces.RealOutput tau(unit = "N.m") "Friction torque, positive while w_rel is"
    annotation (Placement(transformation(extent = {{100, -70}, {120, -50}})));
  Modelica.Blocks.Interfaces.RealOutput lossPower(unit = "W") "Power turned into heat"
    annotation (Placement(transformation(extent = {{100, -77}, {120, -57}})));
  Modelica.Blocks.Interfaces.IntegerOutput mode "-1 Backward, 0 Stuck, 1 Forward, 2 Free"
    annotation (Placement(transformation(extent = {{100, -83}, {120, -63}})));
  Modelica.Blocks.Interfaces.BooleanOutput locked "Whether the two sides are stuck"
    annotation (Placement(transformation(extent = {{100, -90}, {120, -70}})));
  FMU fmu(
    J_a = J_a,
    phi_a_start = phi_a_start,
    w_a_start = w_a_start,
    J_b = J_b,
    phi_b_start = phi_b_start,
    w_b_start = w_b_start,
    peak(fixed = true) = peak,
    cgeo(fixed = true) = cgeo,
    fn_max(fixed = true) = fn_max,
    w_small = w_small,
    K_locked = K_locked,
    mue_pos_1_1_ = mue_pos[1, 1],
    mue_pos_1_2_ = mue_pos[1, 2])
    annotation (Placement(transformation(extent = {{-40, -40}, {40, 40}})));
equation
  flange_a.phi = Modelica.Blocks.Interfaces.Adaptors.Functions.state2({fmu.flange_a_phi, fmu.flange_a_w, fmu.flange_a_a}, time);
  fmu.flange_a_tau = flange_a.tau;
  flange_b.phi = Modelica.Blocks.Interfaces.Adaptors.Functions.state2({fmu.flange_b_phi, fmu.flange_b_w, fmu.flange_b_a}, time);
  fmu.flange_b_tau = flange_b.tau;
  fmu.f_normalized = f_normalized;
  phi_rel = fmu.phi_rel;
  w_rel = fmu.w_rel;
  a_rel = fmu.a_rel;
  tau = fmu.tau;
  lossPower = fmu.lossPower;
  mode = fmu.mode;
  locked = fmu.locked;
  annotation (
    Icon(graphics = {Bitmap(extent = {{-100, -100}, {100, 100}}, fileName = "modelica://MechanicalFMUs/Resources/Images/CA.png"), Text(extent = {{-150, 160}, {150, 120}}, textColor = {0, 0, 255}, textString = "%name")}),
    Documentation(info = "<html>\n<article>\n<p>Two shafts with friction discs on them that a normal force presses together.</p>\n<pre><code class=\"language-text\">phi_rel = flange_b.phi - flange_a.phi,   w_rel = phi_rel',   a_rel = w_rel'\nfn = fn_max f_normalized                            normal force                              [N]\ntau:                                                friction torque                           [N.m]\n   2 Free      tau = 0                              while cgeo fn &lt;= 0\n   1 Forward   tau = cgeo fn mue(w_rel)\n  -1 Backward  tau = -cgeo fn mue(-w_rel)\n   0 Stuck     a_rel = -K_locked w_rel, w_rel = 0   while |tau| &lt;= peak cgeo fn mue(0)\ntorque_in: J_a flange_a.a = flange_a.tau + tau,     J_b flange_b.a = flange_b.tau - tau\nmotion_in: flange_a.tau = -tau,                     flange_b.tau = tau\nboth motion_in, Stuck: tau = c_stuck (phi_rel - anchor) + d_stuck w_rel\nlossPower = tau w_rel;   both motion_in: d_stuck w_rel^2 while Stuck, 0 where tau w_rel &lt; 0    [W]\n</code></pre>\n<p>mue: linear between the rows of mue_pos and beyond them, but not below 0; with extrapolation = hold\nconstant beyond them. Inside a step a given motion is phi + w s + a s^2 / 2.\nSource: Modelica.Mechanics.Rotational.Components.Clutch; MapleSim help, Rotational Clutch.</p>\n</article>\n<p>The model holds the block CA_me_FMU that OpenModelica makes of CA.fmu: import the FMU first (File, Import, FMU, with both kinds of connector pins).</p>\n</html>"));
end CA;
