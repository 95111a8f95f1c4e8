within;
package Try "Each model of MechanicalFMUs in a system, beside the library's own component in the same one"
  import Modelica.Mechanics.MultiBody;
  import Modelica.Mechanics.Rotational;
  import Modelica.Mechanics.Translational;

  partial model Compared "Two results that should be equal"
    parameter Real range = 1 "Size of the results";
    Real native "Of the library's component";
    Real ours "Of the FMU";
    Real error = abs(native - ours)/range "The difference, relative to the range";
  end Compared;

  partial model Ended "Outputs at the end that should be those of the FMU in Co-Simulation"
    parameter Real expected[:] "Of the FMU";
    Real found[size(expected, 1)] "Of the model";
    Real error = max({abs(found[i] - expected[i])/(1 + abs(expected[i])) for i in 1:size(expected, 1)});
  end Ended;

  model Coupling "Springs and dampers between two frames, which the library does not have in one component"
    extends MultiBody.Interfaces.PartialTwoFrames;
    parameter Real TS[3] "N/m";
    parameter Real TD[3] "N.s/m";
    parameter Real RS[3] "N.m/rad";
    parameter Real RD[3] "N.m.s/rad";
    Real factor "Of all loads";
    Real r[3] = MultiBody.Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
  protected
    MultiBody.Frames.Orientation R_rel = MultiBody.Frames.relativeRotation(frame_a.R, frame_b.R);
    Real theta[3] = MultiBody.Frames.axesRotationsAngles(R_rel, {1, 2, 3});
    Real w[3] = MultiBody.Frames.angularVelocity1(R_rel);
    Real v[3] = der(r);
    Real f[3] = {-factor*(TS[i]*r[i] + TD[i]*v[i]) for i in 1:3};
    Real m[3] = {-factor*(RS[i]*theta[i] + RD[i]*w[i]) for i in 1:3};
  equation
    frame_a.f = f;
    frame_a.t = m + cross(r, f);
    frame_b.f = -MultiBody.Frames.resolve2(R_rel, f);
    frame_b.t = -MultiBody.Frames.resolve2(R_rel, m);
  end Coupling;

  model Rubber "A spring and a damper in series along each axis, beside a Coupling"
    extends MultiBody.Interfaces.PartialTwoFrames;
    parameter Real S[3] "N/m";
    parameter Real tau[3] "s";
    Real r[3] = MultiBody.Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
    Real q[3] "Between spring and damper";
  protected
    MultiBody.Frames.Orientation R_rel = MultiBody.Frames.relativeRotation(frame_a.R, frame_b.R);
    Real f[3] = {-S[i]*(r[i] - q[i]) for i in 1:3};
  initial equation
    q = r;
  equation
    der(q) = {(r[i] - q[i])/tau[i] for i in 1:3};
    frame_a.f = f;
    frame_a.t = cross(r, f);
    frame_b.f = -MultiBody.Frames.resolve2(R_rel, f);
    frame_b.t = zeros(3);
  end Rubber;

  model Hung "A body that hangs in a coupling"
    MultiBody.Interfaces.Frame_a frame_a;
    MultiBody.Interfaces.Frame_b frame_b;
    MultiBody.Parts.Fixed ground;
    MultiBody.Parts.Body body(m = 12, r_CM = {0.1, 0.02, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1,
      r_0(each fixed = true), v_0(each fixed = true), angles_fixed = true, w_0_fixed = true);
  equation
    connect(ground.frame_b, frame_a);
    connect(frame_b, body.frame_a);
  end Hung;

  model Bushing
    extends Compared(range = 1e-3);
    inner MultiBody.World world;
    Hung a, b;
    Coupling coupling(TS = {2e5, 3e5, 1e5}, TD = {400, 500, 300}, RS = {900, 800, 700}, RD = {6, 7, 8});
    MechanicalFMUs.Bushing bushing(TS = {2e5, 3e5, 1e5}, TD = {400, 500, 300}, RS = {900, 800, 700}, RD = {6, 7, 8});
  equation
    connect(a.frame_a, coupling.frame_a);
    connect(coupling.frame_b, a.frame_b);
    connect(b.frame_a, bushing.frame_a);
    connect(bushing.frame_b, b.frame_b);
    coupling.factor = 1;
    native = a.body.r_0[2];
    ours = b.body.r_0[2];
  end Bushing;

  model TwoBushings "Of one FMU"
    extends Compared(range = 1e-3);
    inner MultiBody.World world;
    MultiBody.Parts.Fixed left, right(r = {0.6, 0, 0});
    MultiBody.Parts.FixedTranslation arm_a(r = {0.6, 0, 0}), arm_b(r = {0.6, 0, 0});
    MultiBody.Parts.Body body_a(m = 12, r_CM = {0.2, 0.02, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1,
      r_0(each fixed = true), v_0(each fixed = true), angles_fixed = true, w_0_fixed = true);
    MultiBody.Parts.Body body_b(m = 12, r_CM = {0.2, 0.02, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1,
      r_0(each fixed = true), v_0(each fixed = true), angles_fixed = true, w_0_fixed = true);
    Coupling coupling_left(TS = {2e5, 3e5, 1e5}, TD = {400, 500, 300}, RS = {900, 800, 700}, RD = {6, 7, 8});
    Coupling coupling_right(TS = {1e5, 2e5, 3e5}, TD = {400, 500, 300}, RS = {500, 600, 700}, RD = {6, 7, 8});
    MechanicalFMUs.Bushing bushing_left(TS = {2e5, 3e5, 1e5}, TD = {400, 500, 300}, RS = {900, 800, 700}, RD = {6, 7, 8});
    MechanicalFMUs.Bushing bushing_right(TS = {1e5, 2e5, 3e5}, TD = {400, 500, 300}, RS = {500, 600, 700}, RD = {6, 7, 8});
  equation
    connect(left.frame_b, coupling_left.frame_a);
    connect(coupling_left.frame_b, body_a.frame_a);
    connect(body_a.frame_a, arm_a.frame_a);
    connect(arm_a.frame_b, coupling_right.frame_b);
    connect(right.frame_b, coupling_right.frame_a);
    connect(left.frame_b, bushing_left.frame_a);
    connect(bushing_left.frame_b, body_b.frame_a);
    connect(body_b.frame_a, arm_b.frame_a);
    connect(arm_b.frame_b, bushing_right.frame_b);
    connect(right.frame_b, bushing_right.frame_a);
    coupling_left.factor = 1;
    coupling_right.factor = 1;
    native = body_a.r_0[2];
    ours = body_b.r_0[2];
  end TwoBushings;

  model SideBushing "Another configuration of the bushing, with a sensor"
    extends Compared(range = 1e-3);
    inner MultiBody.World world;
    Hung a, b;
    Coupling coupling(TS = {5e4, 6e4, 7e4}, TD = {200, 200, 300}, RS = {900, 800, 700}, RD = {6, 7, 8});
    MechanicalFMUs.SideBushing bushing(TS = {5e4, 6e4, 7e4}, TD = {200, 200, 300}, RS = {900, 800, 700}, RD = {6, 7, 8});
  equation
    connect(a.frame_a, coupling.frame_a);
    connect(coupling.frame_b, a.frame_b);
    connect(b.frame_a, bushing.frame_a);
    connect(bushing.frame_b, b.frame_b);
    coupling.factor = 1;
    native = coupling.r[2];
    ours = bushing.r_out[2];
  end SideBushing;

  model RubberBushing "With states of its own"
    extends Compared(range = 1e-3);
    inner MultiBody.World world;
    Hung a, b;
    Coupling coupling(TS = {2e5, 3e5, 1e5}, TD = {40, 50, 30}, RS = {900, 800, 700}, RD = {6, 7, 8});
    Rubber rubber(S = {4e4, 6e4, 2e4}, tau = {0.1, 0.05, 0.02});
    MechanicalFMUs.RubberBushing bushing(TS = {2e5, 3e5, 1e5}, TD = {40, 50, 30}, RS = {900, 800, 700}, RD = {6, 7, 8},
      TS_maxwell_1 = {4e4, 6e4, 2e4}, Ttau_maxwell_1 = {0.1, 0.05, 0.02});
  equation
    connect(a.frame_a, coupling.frame_a);
    connect(coupling.frame_b, a.frame_b);
    connect(a.frame_a, rubber.frame_a);
    connect(rubber.frame_b, a.frame_b);
    connect(b.frame_a, bushing.frame_a);
    connect(bushing.frame_b, b.frame_b);
    coupling.factor = 1;
    native = a.body.r_0[2];
    ours = b.body.r_0[2];
  end RubberBushing;

  model Gripper "Releases at 0.5 s and grips again at 0.65 s"
    extends Compared(range = 0.1);
    inner MultiBody.World world;
    Hung a, b;
    Coupling coupling(TS = {2e4, 2e4, 2e4}, TD = {600, 600, 600}, RS = {500, 500, 500}, RD = {6, 6, 6});
    MechanicalFMUs.Gripper gripper(T = 0.05, cT = 2e4, dT = 600, useMoment = true, cR = 500, dR = 6);
  equation
    connect(a.frame_a, coupling.frame_a);
    connect(coupling.frame_b, a.frame_b);
    connect(b.frame_a, gripper.frame_a);
    connect(gripper.frame_b, b.frame_b);
    gripper.active = time < 0.5 or time > 0.65;
    coupling.factor = if time < 0.5 then 1 elseif time < 0.55 then 1 - (time - 0.5)/0.05 elseif time < 0.65 then 0
      elseif time < 0.7 then (time - 0.65)/0.05 else 1;
    native = a.body.r_0[2];
    ours = b.body.r_0[2];
  end Gripper;

  model Clutch "Sticks and slips; opens for a while"
    extends Compared(range = 2);
    Rotational.Components.Inertia a1(J = 1, phi(fixed = true), w(start = 2, fixed = true));
    Rotational.Components.Inertia a2(J = 2, phi(fixed = true), w(fixed = true));
    Rotational.Components.Inertia b1(J = 1, phi(fixed = true), w(start = 2, fixed = true));
    Rotational.Components.Inertia b2(J = 2, phi(fixed = true), w(fixed = true));
    Rotational.Sources.Torque drive_a, drive_b;
    Rotational.Components.Clutch clutch_a(mu_pos = [0, 0.5], peak = 1.2, fn_max = 10);
    MechanicalFMUs.Clutch clutch_b(mue_pos = [0, 0.5], peak = 1.2, fn_max = 10, useHeatPort = true);
    Modelica.Thermal.HeatTransfer.Sources.FixedTemperature surroundings(T = 293.15);
  equation
    connect(drive_a.flange, a1.flange_a);
    connect(a1.flange_b, clutch_a.flange_a);
    connect(clutch_a.flange_b, a2.flange_a);
    connect(drive_b.flange, b1.flange_a);
    connect(b1.flange_b, clutch_b.flange_a);
    connect(clutch_b.flange_b, b2.flange_a);
    connect(clutch_b.heatPort, surroundings.port);
    drive_a.tau = 9*sin(2*time);
    drive_b.tau = 9*sin(2*time);
    clutch_a.f_normalized = if time > 5.3 and time < 6.1 then 0 else 1;
    clutch_b.f_normalized = if time > 5.3 and time < 6.1 then 0 else 1;
    native = a1.w;
    ours = b1.w;
  end Clutch;

  model Brake "Between a shaft and a housing that can turn"
    extends Compared(range = 2);
    Rotational.Components.Inertia a1(J = 1, phi(fixed = true), w(start = 2, fixed = true));
    Rotational.Components.Inertia a2(J = 2, phi(fixed = true), w(fixed = true));
    Rotational.Components.Inertia b1(J = 1, phi(fixed = true), w(start = 2, fixed = true));
    Rotational.Components.Inertia b2(J = 2, phi(fixed = true), w(fixed = true));
    Rotational.Sources.Torque drive_a, drive_b;
    Rotational.Components.Brake brake_a(useSupport = true, mu_pos = [0, 0.5], peak = 1.1, fn_max = 10);
    MechanicalFMUs.Brake brake_b(useSupport = true, mue_pos = [0, 0.5], peak = 1.1, fn_max = 10);
  equation
    connect(drive_a.flange, a1.flange_a);
    connect(a1.flange_b, brake_a.flange_a);
    connect(brake_a.support, a2.flange_a);
    connect(drive_b.flange, b1.flange_a);
    connect(b1.flange_b, brake_b.flange_a);
    connect(brake_b.support, b2.flange_a);
    drive_a.tau = 9*sin(2*time);
    drive_b.tau = 9*sin(2*time);
    brake_a.f_normalized = 1;
    brake_b.f_normalized = 1;
    native = a1.w;
    ours = b1.w;
  end Brake;

  model GearShift "A system in one FMU, examples/gear-shift.toml"
    extends Compared(range = 10);
    Rotational.Components.Inertia engine(J = 1, phi(fixed = true), w(fixed = true));
    Rotational.Components.Inertia load(J = 10, phi(fixed = true), w(fixed = true));
    Rotational.Components.IdealPlanetary gear(ratio = 1.5);
    Rotational.Components.Clutch clutch(mu_pos = [0, 0.5], cgeo = 2, fn_max = 100);
    Rotational.Components.Brake brake(mu_pos = [0, 0.5], cgeo = 2, fn_max = 100);
    Rotational.Sources.QuadraticSpeedDependentTorque fan(tau_nominal = -20, w_nominal = 10.471975511966);
    Rotational.Sources.Torque torque;
    MechanicalFMUs.GearShift shifted;
  equation
    connect(torque.flange, engine.flange_a);
    connect(engine.flange_b, gear.sun);
    connect(gear.sun, clutch.flange_a);
    connect(clutch.flange_b, gear.ring);
    connect(gear.ring, brake.flange_a);
    connect(gear.carrier, load.flange_a);
    connect(load.flange_b, fan.flange);
    torque.tau = if time < 0.5 then 0 else 20;
    clutch.f_normalized = max(0, min(1, 10*(time - 2)));
    brake.f_normalized = 1 - clutch.f_normalized;
    shifted.torque_tau = torque.tau;
    shifted.clutch_f_normalized = clutch.f_normalized;
    shifted.brake_f_normalized = brake.f_normalized;
    native = engine.w;
    ours = shifted.engine_w;
  end GearShift;

  model DriveUnit "A system with a flange, examples/drive-unit.toml, and an inertia that it moves"
    extends Compared(range = 10);
    Rotational.Components.Inertia engine(J = 0.18, phi(fixed = true), w(fixed = true, start = 150));
    Rotational.Components.Clutch clutch(mu_pos = [0, 0.32; 50, 0.3; 200, 0.27], cgeo = 0.24, fn_max = 3000);
    Rotational.Components.IdealGear gear(ratio = 8);
    Rotational.Components.Inertia output_a(J = 0.4, phi(fixed = true), w(fixed = true));
    Rotational.Sources.Torque torque;
    Rotational.Components.Inertia wheel_a(J = 0.6), wheel_b(J = 0.6);
    Rotational.Components.SpringDamper road_a(c = 4, d = 3), road_b(c = 4, d = 3);
    Rotational.Components.Fixed ground;
    MechanicalFMUs.DriveUnit drive;
  equation
    connect(torque.flange, engine.flange_a);
    connect(engine.flange_b, clutch.flange_a);
    connect(clutch.flange_b, gear.flange_a);
    connect(gear.flange_b, output_a.flange_a);
    connect(output_a.flange_b, wheel_a.flange_a);
    connect(wheel_a.flange_b, road_a.flange_a);
    connect(road_a.flange_b, ground.flange);
    connect(drive.shaft, wheel_b.flange_a);
    connect(wheel_b.flange_b, road_b.flange_a);
    connect(road_b.flange_b, ground.flange);
    torque.tau = 50*sin(2*time) - 15;
    clutch.f_normalized = if time < 0.2 then 0 else 0.12*(1 + 0.2*sin(3*time));
    drive.torque_tau = torque.tau;
    drive.clutch_f_normalized = clutch.f_normalized;
    native = wheel_a.w;
    ours = wheel_b.w;
  end DriveUnit;

  model DoublePendulum "examples/double-pendulum.toml, with constant inputs"
    extends Ended(
      expected = {-0.466718645, -4.15358341, -9.99768406, 0.415358341, -199.663249, 156.652439, 0, 0, 0, 0.415358341, 248.796243, -50.0582563, -0, -0, -0, -0.415358341, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4.15358341, 0, 0, -9.99768406, 0.446524783, -0.22497915, 0, 0.545166762, 3.66014086, -19.8213071, 7.10542736e-15, -127.858771, -36.6832164, 0, 0, 0, 7.10542736e-15, 128.346943, -34.9368842, -0, -0, -0, -7.10542736e-15, 0.446524783, -0.22497915, 0, -0.934469665, -1.85467793, 0, -9.95282996, -0.582816006, 0, 0, 0, -0.493442547, 0, 0, -29.8189911, 0.944987045, -0.18579531, 0, -0.466718645, -4.15358341, -9.99768406, -0.415358341, 1.72522552},
      found = {part.upper_joint_phi, part.upper_joint_w, part.upper_joint_a, part.upper_joint_tau, part.upper_joint_frame_a_f[1], part.upper_joint_frame_a_f[2], part.upper_joint_frame_a_f[3], part.upper_joint_frame_a_t[1], part.upper_joint_frame_a_t[2], part.upper_joint_frame_a_t[3], part.upper_joint_frame_b_f[1], part.upper_joint_frame_b_f[2], part.upper_joint_frame_b_f[3], part.upper_joint_frame_b_t[1], part.upper_joint_frame_b_t[2], part.upper_joint_frame_b_t[3], part.upper_r_0[1], part.upper_r_0[2], part.upper_r_0[3], part.upper_v_0[1], part.upper_v_0[2], part.upper_v_0[3], part.upper_a_0[1], part.upper_a_0[2], part.upper_a_0[3], part.upper_w_a[1], part.upper_w_a[2], part.upper_w_a[3], part.upper_z_a[1], part.upper_z_a[2], part.upper_z_a[3], part.upper_frame_b_r_0[1], part.upper_frame_b_r_0[2], part.upper_frame_b_r_0[3], part.lower_joint_phi, part.lower_joint_w, part.lower_joint_a, part.lower_joint_tau, part.lower_joint_frame_a_f[1], part.lower_joint_frame_a_f[2], part.lower_joint_frame_a_f[3], part.lower_joint_frame_a_t[1], part.lower_joint_frame_a_t[2], part.lower_joint_frame_a_t[3], part.lower_joint_frame_b_f[1], part.lower_joint_frame_b_f[2], part.lower_joint_frame_b_f[3], part.lower_joint_frame_b_t[1], part.lower_joint_frame_b_t[2], part.lower_joint_frame_b_t[3], part.lower_r_0[1], part.lower_r_0[2], part.lower_r_0[3], part.lower_v_0[1], part.lower_v_0[2], part.lower_v_0[3], part.lower_a_0[1], part.lower_a_0[2], part.lower_a_0[3], part.lower_w_a[1], part.lower_w_a[2], part.lower_w_a[3], part.lower_z_a[1], part.lower_z_a[2], part.lower_z_a[3], part.lower_frame_b_r_0[1], part.lower_frame_b_r_0[2], part.lower_frame_b_r_0[3], part.damper_phi_rel, part.damper_w_rel, part.damper_a_rel, part.damper_tau, part.damper_lossPower});
    inner MultiBody.World world;
    MechanicalFMUs.DoublePendulum part;
  end DoublePendulum;

  model Gyroscope "examples/gyroscope.toml, with constant inputs"
    extends Ended(
      expected = {0.477362313, -0.0596973494, 200.310444},
      found = {part.precession_phi, part.nutation_phi, part.spin_w});
    inner MultiBody.World world;
    MechanicalFMUs.Gyroscope part;
  end Gyroscope;

  model SliderCrank "examples/slider-crank.toml, with constant inputs"
    extends Ended(
      expected = {8.32046388, 51.8304374, 0.1724631, -2.04764225, 146.015886},
      found = {part.bearing_phi, part.bearing_w, part.rod_s, part.rod_axis_v, part.rod_f_rod});
    inner MultiBody.World world;
    MechanicalFMUs.SliderCrank part;
  equation
    part.motor_tau = 5;
    part.load_f = -100;
  end SliderCrank;

  model FourBar "examples/four-bar.toml, with constant inputs"
    extends Ended(
      expected = {1.2, 0.362845852, 1.82246427, 1.20271442, 0.0679960076, 0.357052895},
      found = {part.motor_phi, part.motor_tau, part.rods_angle, part.rods_axis_w, part.coupler_frame_b_r_0_1, part.coupler_frame_b_r_0_2});
    inner MultiBody.World world;
    MechanicalFMUs.FourBar part;
  equation
    part.motor_w = 6;
    part.motor_a = 0;
  end FourBar;

  model Bricard "examples/bricard.toml"
    extends Ended(
      expected = {0.0394069967, 0.396422914, 0.999223645, -1.03864989, 0.960603202},
      found = {part.joint1_phi, part.joint1_w, part.rod3_frame_b_r_0[1], part.rod3_frame_b_r_0[2], part.rod3_frame_b_r_0[3]});
    inner MultiBody.World world;
    MechanicalFMUs.Bricard part;
  end Bricard;

  model RobotArm "examples/robot-arm.toml, with constant inputs"
    extends Ended(
      expected = {0, 0, 0.5, -1.31881163e-18, 107.576813, 0.889824306, 1.23148298, 0},
      found = {part.column_phi, part.column_w, part.shoulder_phi, part.shoulder_w, part.shoulder_tau, part.arm_frame_b_r_0[1], part.arm_frame_b_r_0[2], part.arm_frame_b_r_0[3]});
    inner MultiBody.World world;
    MechanicalFMUs.RobotArm part;
  equation
    part.turn_tau = 0;
    part.motor_tau = 0;
    part.brake_f_normalized = 1;
  end RobotArm;

  model BenchArm "examples/bench-arm.toml, with constant inputs"
    extends Ended(
      expected = {0, -0.000307461588, 0, 0.270999241, 0.0409073332, 0, 3.9955305e-10},
      found = {part.rail_s, part.turret_phi, part.shoulder_phi, part.elbow_phi, part.tilt_phi, part.wrist_phi, part.left_finger_s});
    inner MultiBody.World world(n = {0, 0, -1});
    MechanicalFMUs.Bench_arm part;
  equation
    part.rail_motor_f = 0;
    part.turret_motor_tau = 0;
    part.shoulder_motor_tau = 0;
    part.elbow_motor_tau = 0;
    part.tilt_motor_tau = 0;
    part.wrist_motor_tau = 0;
    part.left_finger_motor_f = 0;
  end BenchArm;

  model SixAxisArm "examples/six-axis-arm.toml, with constant inputs"
    extends Ended(
      expected = {0, -0.524009786, -1.04746478, 0, -0.785455138, 0, 1.00620141, 0.812940985, 0},
      found = {part.axis1_joint_phi, part.axis2_joint_phi, part.axis3_joint_phi, part.axis4_joint_phi, part.axis5_joint_phi, part.axis6_joint_phi, part.axis6_link_frame_b_r_0[1], part.axis6_link_frame_b_r_0[2], part.axis6_link_frame_b_r_0[3]});
    inner MultiBody.World world;
    MechanicalFMUs.SixAxisArm part;
  equation
    part.axis1_drive_w = 0;
    part.axis1_drive_a = 0;
    part.axis2_drive_w = 0;
    part.axis2_drive_a = 0;
    part.axis3_drive_w = 0;
    part.axis3_drive_a = 0;
    part.axis4_drive_w = 0;
    part.axis4_drive_a = 0;
    part.axis5_drive_w = 0;
    part.axis5_drive_a = 0;
    part.axis6_drive_w = 0;
    part.axis6_drive_a = 0;
  end SixAxisArm;

  model EngineMount "examples/engine-mount.toml, with constant inputs"
    extends Ended(
      expected = {-0.00171932756, 0.000544584089, 9.58983508e-06, 371.406892, 316.945609},
      found = {part.bounce_s, part.roll_phi, part.roll_w, part.front_left_frame_a_f_2, part.front_right_frame_a_f_2});
    inner MultiBody.World world;
    MechanicalFMUs.EngineMount part;
  equation
    part.push_torque[1] = 0;
    part.push_torque[2] = 0;
    part.push_torque[3] = 0;
  end EngineMount;

  model WattLinkage "examples/watt-linkage.toml, with constant inputs"
    extends Ended(
      expected = {-0.340863191, -0.000862789841, -0.131236192},
      found = {part.left_phi, part.middle_frame_b_r_0_1, part.middle_frame_b_r_0_2});
    inner MultiBody.World world;
    MechanicalFMUs.WattLinkage part;
  end WattLinkage;

  model QuarterCar "examples/quarter-car.toml, with constant inputs"
    extends Ended(
      expected = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
      found = {part.road_f, part.tyre_s_rel, part.tyre_v_rel, part.tyre_f, part.tyre_f_c, part.tyre_f_d, part.tyre_lossPower, part.wheel_s, part.wheel_v, part.wheel_a, part.suspension_s_rel, part.suspension_v_rel, part.suspension_f, part.suspension_f_c, part.suspension_f_d, part.suspension_lossPower, part.body_s, part.body_v, part.body_a});
    inner MultiBody.World world;
    MechanicalFMUs.QuarterCar part;
  equation
    part.road_s = 0;
    part.road_v = 0;
    part.road_a = 0;
  end QuarterCar;

  model EngineV6 "examples/engine-v6.toml, with constant inputs"
    extends Ended(
      expected = {253.38752, 1815.17834, 168411.368, 2812.73595, 368532.95},
      found = {part.bearing_w, part.cylinder1_joint_f_rod, part.cylinder1_gas_press, part.cylinder4_joint_f_rod, part.cylinder4_gas_press});
    inner MultiBody.World world;
    MechanicalFMUs.EngineV6 part;
  end EngineV6;

  model Hoist "examples/hoist.toml, with constant inputs"
    extends Ended(
      expected = {6.1693932e-18, 1.21215556e-16, -2.96059473e-13, 6.1693932e-18, 0, 0, -31.1983802, -0, 6.1693932e-18, 2.5705805e-19, -0.0118643876, -0.409976281, 1.10509364, -748.761124, -711.863258, -36.8978653, 15.1272496, -0.0118643876, -0.409976281, 1.10509364},
      found = {part.motor_phi, part.motor_w, part.motor_a, part.brake_phi_rel, part.brake_w_rel, part.brake_a_rel, part.brake_tau, part.brake_lossPower, part.gear_phi_a, part.gear_phi_b, part.shaft_phi_rel, part.shaft_w_rel, part.shaft_a_rel, part.shaft_tau, part.shaft_tau_c, part.shaft_tau_d, part.shaft_lossPower, part.drum_phi, part.drum_w, part.drum_a});
    inner MultiBody.World world;
    MechanicalFMUs.Hoist part;
  equation
    part.torque_tau = 0;
    part.brake_f_normalized = 1;
    part.weight_tau = -735.5;
  end Hoist;

  model Launch "examples/launch.toml, with constant inputs"
    extends Ended(
      expected = {43.3333333, 283.333333, 666.666667, -43.3333333, -283.333333, -666.666667, -0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0, -0, 0, -0},
      found = {part.engine_phi, part.engine_w, part.engine_a, part.clutch_phi_rel, part.clutch_w_rel, part.clutch_a_rel, part.clutch_tau, part.clutch_lossPower, part.input_phi, part.input_w, part.input_a, part.gear_phi_a, part.gear_phi_b, part.shaft_phi_rel, part.shaft_w_rel, part.shaft_a_rel, part.shaft_tau, part.shaft_tau_c, part.shaft_tau_d, part.shaft_lossPower, part.wheels_phi, part.wheels_w, part.wheels_a, part.brake_phi_rel, part.brake_w_rel, part.brake_a_rel, part.brake_tau, part.brake_lossPower, part.drag_w, part.drag_tau});
    inner MultiBody.World world;
    MechanicalFMUs.Launch part;
  equation
    part.torque_tau = 120;
    part.clutch_f_normalized = 0;
    part.brake_f_normalized = 0;
  end Launch;

  model CoupledClutches "examples/coupled-clutches.toml, with its sources inside"
    extends Ended(
      expected = {7.4861191, 3.24705827, 4.10713742, 2.46318717, 2.71046444, 2.46318717, 1.17374388, 2.46318717, 0, 0, -0.309016994, 1},
      found = {part.J1_phi, part.J1_w, part.J2_phi, part.J2_w, part.J3_phi, part.J3_w, part.J4_phi, part.J4_w, part.clutch1_tau, part.clutch2_w_rel, part.sin2_y, part.step2_y});
    inner MultiBody.World world;
    MechanicalFMUs.CoupledClutches part;
  end CoupledClutches;

  model PickAndPlace "examples/pick-and-place.toml, with constant inputs"
    extends Ended(
      expected = {0.0999999838, 0.359561201, 0.503, 0.29998023, 0.002, 0, 1, 0, -87.7597109},
      found = {part.column_phi, part.lift_s, part.box_frame_b_r_0[1], part.box_frame_b_r_0[2], part.box_frame_b_r_0[3], part.hand_onoff, part.tray_onoff, part.shelf_onoff, part.lift_servo_f});
    inner MultiBody.World world;
    MechanicalFMUs.PickAndPlace part;
  equation
    part.turn_w = 0.5;
    part.turn_a = 0;
    part.rise_v = 0;
    part.rise_a = 0;
    part.tray_active = true;
    part.hand_active = false;
    part.shelf_active = false;
  end PickAndPlace;

  model Satellite "examples/satellite.toml, with constant inputs"
    extends Ended(
      expected = {6999999.84, 1509.20999, 1.22405415e-21, 0.00394682576, 0.00940332692, -2.96906383e-06, 2.96906383e-06},
      found = {part.hull_r_0[1], part.hull_r_0[2], part.hull_r_0[3], part.hull_w_a[1], part.hull_w_a[2], part.hull_w_a[3], part.bearing_w});
    inner MultiBody.World world;
    MechanicalFMUs.Satellite part;
  equation
    part.motor_tau = 0;
  end Satellite;

  model StewartPlatform "examples/stewart-platform.toml, with constant inputs"
    extends Ended(
      expected = {2.57324385e-06, 0.999987168, -5.94768832e-21, -5.70586098e-05, 114.11722, 114.11722, 114.11563, 114.114715, 114.114715, 114.11563},
      found = {part.platform_r_0[1], part.platform_r_0[2], part.platform_r_0[3], part.leg1_s, part.leg1_f, part.leg2_f, part.leg3_f, part.leg4_f, part.leg5_f, part.leg6_f});
    inner MultiBody.World world;
    MechanicalFMUs.StewartPlatform part;
  equation
    part.drive1_v = 0;
    part.drive1_a = 0;
    part.drive2_v = 0;
    part.drive2_a = 0;
    part.drive3_v = 0;
    part.drive3_a = 0;
    part.drive4_v = 0;
    part.drive4_a = 0;
    part.drive5_v = 0;
    part.drive5_a = 0;
    part.drive6_v = 0;
    part.drive6_a = 0;
  end StewartPlatform;

  model Excavator "examples/excavator.toml, with constant inputs"
    extends Ended(
      expected = {-0.00522026707, 52202.6707, 0.000879745225, -8797.45225, -4.04324086e-05, 404.324086},
      found = {part.boom_cylinder_s, part.boom_cylinder_f, part.arm_cylinder_s, part.arm_cylinder_f, part.bucket_cylinder_s, part.bucket_cylinder_f});
    inner MultiBody.World world;
    MechanicalFMUs.Excavator part;
  equation
    part.boom_flow_v = 0;
    part.boom_flow_a = 0;
    part.arm_flow_v = 0;
    part.arm_flow_a = 0;
    part.bucket_flow_v = 0;
    part.bucket_flow_a = 0;
  end Excavator;

  model DoubleWishbone "examples/double-wishbone.toml, with constant inputs"
    extends Ended(
      expected = {8.2399437e-05, 0.316124869, 0.820018141, 0.000493671252, -0.0794797918, 1273.05478, -1228.63389, 0.532088913, -7074.66522, -4775.02386},
      found = {part.upright_r_0[1], part.upright_r_0[2], part.upright_r_0[3], part.upright_Q_2, part.lower_front_frame_a_f[1], part.lower_front_frame_a_f[2], part.lower_front_frame_a_f[3], part.strut_s, part.strut_f, part.tyre_f});
    inner MultiBody.World world;
    MechanicalFMUs.DoubleWishbone part;
  equation
    part.rack_v = 0;
    part.rack_a = 0;
    part.road_v = 0;
    part.road_a = 0;
  end DoubleWishbone;

  model Loop "A crank, the ground and two bodies, which a joint assembly connects"
    parameter Modelica.Units.SI.Position ground_r[3] = {0.8, 0, 0};
    MultiBody.Interfaces.Frame_b frame_a "Pin of the crank";
    MultiBody.Interfaces.Frame_b frame_b "Ground";
    MultiBody.Interfaces.Frame_a frame_i "frame_ia or frame_im of the assembly";
    MultiBody.Interfaces.Frame_a frame_ib;
    MultiBody.Parts.Fixed origin;
    MultiBody.Parts.Fixed ground(r = ground_r);
    MultiBody.Joints.Revolute crank(n = {0, 0, 1}, phi(start = 0.3, fixed = true), w(start = 5, fixed = true),
      stateSelect = StateSelect.always);
    MultiBody.Parts.FixedTranslation arm(r = {0.2, 0, 0});
    MultiBody.Parts.Body wheel(m = 5, r_CM = {0, 0, 0}, I_33 = 0.2);
    MultiBody.Parts.Body body_i(m = 1, r_CM = {0.1, 0.05, 0}, I_33 = 0.01);
    MultiBody.Parts.Body body_ib(m = 1, r_CM = {0.05, 0.1, 0}, I_33 = 0.01);
  equation
    connect(origin.frame_b, crank.frame_a);
    connect(crank.frame_b, wheel.frame_a);
    connect(crank.frame_b, arm.frame_a);
    connect(arm.frame_b, frame_a);
    connect(ground.frame_b, frame_b);
    connect(frame_i, body_i.frame_a);
    connect(frame_ib, body_ib.frame_a);
  end Loop;

  partial model Loops "Two of them"
    extends Compared(range = 5, native = a.crank.w, ours = b.crank.w);
    inner MultiBody.World world;
    parameter Modelica.Units.SI.Position ground_r[3] = {0.8, 0, 0};
    Loop a(ground_r = ground_r);
    Loop b(ground_r = ground_r);
  end Loops;

  model JointUSR
    extends Loops;
    MultiBody.Joints.Assemblies.JointUSR joint_a(n1_a = {0, 0, 1}, n_b = {0, 0, 1}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.4, 0});
    MechanicalFMUs.JointUSR joint_b(n1_a = {0, 0, 1}, n_b = {0, 0, 1}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.4, 0});
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_ia, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_ia, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end JointUSR;

  model JointSSR
    extends Loops;
    MultiBody.Joints.Assemblies.JointSSR joint_a(rod1Length = 0.7, rod1Mass = 0.5, n_b = {0, 0, 1}, rRod2_ib = {0, 0.4, 0});
    MechanicalFMUs.JointSSR joint_b(rod1Length = 0.7, rod1Mass = 0.5, n_b = {0, 0, 1}, rRod2_ib = {0, 0.4, 0});
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_im, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_im, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end JointSSR;

  model JointRRR
    extends Loops;
    MultiBody.Joints.Assemblies.JointRRR joint_a(n_a = {0, 0, 1}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.4, 0});
    MechanicalFMUs.JointRRR joint_b(n_a = {0, 0, 1}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.4, 0});
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_ia, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_ia, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end JointRRR;

  model JointUSP
    extends Loops(ground_r = {0, 0, 0});
    MultiBody.Joints.Assemblies.JointUSP joint_a(n1_a = {0, 0, 1}, n_b = {1, 0, 0}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9);
    MechanicalFMUs.JointUSP joint_b(n1_a = {0, 0, 1}, n_b = {1, 0, 0}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9);
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_ia, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_ia, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end JointUSP;

  model JointSSP "With the library's rod force, in which the rod's mass is missing"
    extends Loops(ground_r = {0, 0, 0});
    MultiBody.Joints.Assemblies.JointSSP joint_a(rod1Length = 0.7, rod1Mass = 0.5, n_b = {1, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9);
    MechanicalFMUs.JointSSP joint_b(rod1Length = 0.7, rod1Mass = 0.5, n_b = {1, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9, mslRodForce = true);
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_im, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_im, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end JointSSP;

  model JointRRP
    extends Loops(ground_r = {0, 0, 0});
    MultiBody.Joints.Assemblies.JointRRP joint_a(n_a = {0, 0, 1}, n_b = {1, 0, 0}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9);
    MechanicalFMUs.JointRRP joint_b(n_a = {0, 0, 1}, n_b = {1, 0, 0}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9);
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_ia, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_ia, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end JointRRP;

  model FewerFrames "JointRRP without the inner frame to which nothing is connected"
    extends Loops(ground_r = {0, 0, 0});
    MultiBody.Joints.Assemblies.JointRRP joint_a(n_a = {0, 0, 1}, n_b = {1, 0, 0}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9);
    MechanicalFMUs.JointRRP joint_b(n_a = {0, 0, 1}, n_b = {1, 0, 0}, rRod1_ia = {0.7, 0, 0}, rRod2_ib = {0, 0.05, 0}, s_guess = 0.9, use_frame_im = false);
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_ia, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_ia, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
  end FewerFrames;

  model JointUPS
    extends Loops;
    MultiBody.Joints.Assemblies.JointUPS joint_a(n1_a = {0, 0, 1}, nAxis_ia = {1, 0, 0});
    MechanicalFMUs.JointUPS joint_b(n1_a = {0, 0, 1}, nAxis_ia = {1, 0, 0});
    Translational.Components.SpringDamper spring_a(c = 200, d = 5, s_rel0 = 0.6);
    Translational.Components.SpringDamper spring_b(c = 200, d = 5, s_rel0 = 0.6);
  equation
    connect(a.frame_a, joint_a.frame_a);
    connect(a.frame_b, joint_a.frame_b);
    connect(joint_a.frame_ia, a.frame_i);
    connect(joint_a.frame_ib, a.frame_ib);
    connect(joint_a.bearing, spring_a.flange_a);
    connect(spring_a.flange_b, joint_a.axis);
    connect(b.frame_a, joint_b.frame_a);
    connect(b.frame_b, joint_b.frame_b);
    connect(joint_b.frame_ia, b.frame_i);
    connect(joint_b.frame_ib, b.frame_ib);
    connect(joint_b.bearing, spring_b.flange_a);
    connect(spring_b.flange_b, joint_b.axis);
  end JointUPS;
end Try;
