public
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Inboard frame"
    annotation (Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Outboard frame"
    annotation (Placement(transformation(extent = {{84, -16}, {116, 16}})));
  Modelica.Blocks.Interfaces.BooleanInput active "Whether the gripper is to hold"
    annotation (Placement(transformation(origin = {0, 120}, extent = {{-20, -20}, {20, 20}}, rotation = 270)));
  Modelica.Blocks.Interfaces.IntegerOutput state(start = Unknown, fixed = true) "1 ON, 2 ON2OFF, 3 OFF, 4 OFF2ON"
    annotation (Placement(transformation(extent = {{100, -50}, {120, -30}})));
  Modelica.Blocks.Interfaces.RealOutput onoff(unit = "1") "Factor of the loads"
    annotation (Placement(transformation(extent = {{100, -70}, {120, -50}})));
  Modelica.Blocks.Interfaces.RealOutput lossPower(unit = "W") "Power that the dampers turn into heat"
    annotation (Placement(transformation(extent = {{100, -90}, {120, -70}})));
  constant Integer Unknown = 0 "Before the start";
  constant Integer ON = 1 "Holds";
  constant Integer ON2OFF = 2 "On the ramp from ON to OFF";
  constant Integer OFF = 3 "Does not hold";
  constant Integer OFF2ON = 4 "On the ramp from OFF to ON";
protected
  Real v_a[3](each unit = "m/s") = der(frame_a.r_0) "Velocity of frame_a";
  Real v_b[3](each unit = "m/s") = der(frame_b.r_0) "Velocity of frame_b";
  Real motion[36] "Motion of both frames";
  Real law[20] "Loads (12), onoff, lossPower, and r0 and theta0 if they were captured now";
  Integer settled(start = Unknown, fixed = true) "State at an event, before active is looked at";
  discrete Real t0(start = 0, fixed = true, unit = "s") "Start time of the current ramp";
  discrete Real rampEnd(start = Modelica.Constants.inf, fixed = true, unit = "s") "End of the present ramp";
  discrete Real now[20] "The law at an event";
  discrete Real r0[3](each start = 0, each fixed = true, each unit = "m") "Undeformed position, resolved in frame_a";
  discrete Real theta0[3](each start = 0, each fixed = true, each unit = "rad") "Undeformed angles";
equation
  motion = cat(1, frame_a.r_0, frame_a.R.T[1, :], frame_a.R.T[2, :], frame_a.R.T[3, :], v_a, frame_a.R.w,
    frame_b.r_0, frame_b.R.T[1, :], frame_b.R.T[2, :], frame_b.R.T[3, :], v_b, frame_b.R.w);
  law = Internal.law(fmu, ready, state, cat(1, motion, {time, t0}, r0, theta0), 20);
  frame_a.f = law[1:3];
  frame_a.t = law[4:6];
  frame_b.f = law[7:9];
  frame_b.t = law[10:12];
  onoff = law[13];
  lossPower = law[14];

  // On a ramp active has no effect; it is looked at when the ramp ends.
  when {initial(), change(active), time >= pre(rampEnd)} then
    now = Internal.law(fmu, ready, OFF, cat(1, motion, zeros(8)), 20);
    settled = if pre(state) == OFF2ON and time >= pre(rampEnd) then ON
      elseif pre(state) == ON2OFF and time >= pre(rampEnd) then OFF else pre(state);
    state = if settled == Unknown then (if active then ON else OFF)
      elseif settled == ON and not active then (if T > 1e-12 then ON2OFF else OFF)
      elseif settled == OFF and active then (if T > 1e-12 then OFF2ON else ON) else settled;
    t0 = if state == settled then pre(t0) else time;
    rampEnd = if state == ON2OFF or state == OFF2ON then t0 + T else Modelica.Constants.inf;
    r0 = if settled == Unknown or settled == OFF and state <> OFF then now[15:17] else pre(r0);
    theta0 = if settled == Unknown or settled == OFF and state <> OFF then now[18:20] else pre(theta0);
  end when;
