public
  type InitialConditions = enumeration(
    Ignore "None",
    Guess "Start values, with which the initialisation begins",
    Enforce "Initial equations");
  type AngularVelocityType = enumeration(
    Euler "Derivatives of the Euler angles",
    Inboard "Angular velocity, resolved in frame_a",
    Outboard "Angular velocity, resolved in frame_b");
  parameter InitialConditions MechTranTree = InitialConditions.Ignore "Use of InitPos and InitVel"
    annotation (Evaluate = true, Dialog(tab = "Initialization", group = "Translation"));
  parameter Modelica.Units.SI.Position InitPos[3] = {0, 0, 0} "Initial position of frame_b relative to frame_a, resolved in frame_a"
    annotation (Dialog(tab = "Initialization", group = "Translation", enable = MechTranTree <> InitialConditions.Ignore));
  parameter Modelica.Units.SI.Velocity InitVel[3] = {0, 0, 0} "Initial derivative of this position"
    annotation (Dialog(tab = "Initialization", group = "Translation", enable = MechTranTree <> InitialConditions.Ignore));
  parameter InitialConditions MechRotTree = InitialConditions.Ignore "Use of InitAng and InitAngVel"
    annotation (Evaluate = true, Dialog(tab = "Initialization", group = "Rotation"));
  parameter Modelica.Units.SI.Angle InitAng[3](each displayUnit = "deg") = {0, 0, 0} "Initial Euler angles in the sequence RotSeq"
    annotation (Dialog(tab = "Initialization", group = "Rotation", enable = MechRotTree <> InitialConditions.Ignore));
  parameter Modelica.Units.SI.AngularVelocity InitAngVel[3] = {0, 0, 0} "Initial angular velocity, defined by AngVelType"
    annotation (Dialog(tab = "Initialization", group = "Rotation", enable = MechRotTree <> InitialConditions.Ignore));
  parameter AngularVelocityType AngVelType = AngularVelocityType.Euler "What InitAngVel is"
    annotation (Dialog(tab = "Initialization", group = "Rotation", enable = MechRotTree <> InitialConditions.Ignore));
  Modelica.Units.SI.Position r_rel[3](start = InitPos) "Position of frame_b relative to frame_a, resolved in frame_a";
  Modelica.Units.SI.Velocity v_rel[3](start = InitVel) "Its derivative";
  Modelica.Units.SI.AngularVelocity w_rel[3](start = wInit) "Angular velocity of frame_b relative to frame_a, resolved in frame_b";
protected
  parameter Modelica.Mechanics.MultiBody.Frames.Orientation RInit =
    Modelica.Mechanics.MultiBody.Frames.axesRotations(RotSeq, InitAng, InitAngVel) "Initial relative rotation";
  parameter Modelica.Units.SI.AngularVelocity wInit[3] = if AngVelType == AngularVelocityType.Euler then RInit.w
    elseif AngVelType == AngularVelocityType.Inboard then RInit.T*InitAngVel else InitAngVel "Initial w_rel";
  Real T_rel[3, 3](start = RInit.T) = frame_b.R.T*transpose(frame_a.R.T) "Relative rotation";
  Real T_error[3, 3] = T_rel*transpose(RInit.T) "Relative rotation from the initial one";
initial equation
  if MechTranTree == InitialConditions.Enforce then
    r_rel = InitPos;
    v_rel = InitVel;
  end if;
  if MechRotTree == InitialConditions.Enforce then
    // Zero for the unit matrix only.
    {atan2(T_error[2, 3], T_error[2, 2]), atan2(T_error[3, 1], T_error[3, 3]), atan2(T_error[1, 2], T_error[1, 1])} = zeros(3);
    w_rel = wInit;
  end if;
equation
  r_rel = frame_a.R.T*(frame_b.r_0 - frame_a.r_0);
  v_rel = frame_a.R.T*(frame_b_v_0 - frame_a_v_0) - cross(frame_a.R.w, r_rel);
  w_rel = frame_b.R.w - T_rel*frame_a.R.w;
