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

  function deviation "Largest difference from a row of expected outputs, relative to their largest values"
    input Real expected[:, :] "A row for each multiple of an interval";
    input Real found[:];
    input Real multiple;
    output Real error;
  protected
    Integer row;
  algorithm
    row := integer(multiple + 0.5);
    error := max({abs(found[i] - expected[row, i])/(1 + max(abs(expected[:, i]))) for i in 1:size(found, 1)});
  end deviation;

  partial model Followed "Outputs over time that should be those of the FMU in Co-Simulation"
    parameter Real interval "In s";
    parameter Real expected[:, :] "Of the FMU, a row for each multiple of the interval";
    Real found[size(expected, 2)] "Of the model";
    discrete Real error(start = -1, fixed = true) "The largest one so far";
  equation
    when sample(interval, interval) then
      error = max(pre(error), deviation(expected, found, time/interval));
    end when;
  end Followed;

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
    extends Followed(interval = 0.02,
      expected = {{-0.005026281803, -0.5025358062, -25.11143055, 0.05025358062, -4.078216208, 39.285852, 0, 0, 0, 0.05025358062, 4.275625625, -39.26485758, 0, 0, 0, -0.05025358062, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -0.5025358062, 0, 0, -25.11143055, 0.4999936841, -0.00251313032, 0, 0.006675732087, 0.6673339252, 33.32572678, 0, -2.717396579, -9.642487651, 0, 0, 0, 0, 2.781706215, 9.624132314, 0, 0, 0, 0, 0.4999936841, -0.00251313032, 0, -0.001262937971, -0.2512647292, 0, -0.1893778207, -12.554922, 0, 0, 0, 0.164798119, 0, 0, 8.214296225, 0.999993004, -0.001688405552, 0, -0.005026281803, -0.5025358062, -25.11143055, -0.05025358062, 0.02525422365},
        {-0.02009553495, -1.004127246, -25.03053457, 0.1004127246, -16.26292652, 39.77989684, 0, 0, 0, 0.1004127246, 17.0589874, -39.44507473, 0, 0, 0, -0.1004127246, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1.004127246, 0, 0, -25.03053457, 0.4998990458, -0.01004709122, 0, 0.02667635002, 1.331914974, 33.07436643, 0, -10.83412188, -9.716848548, 0, 0, 0, 0, 11.08944649, 9.424410813, 0, 0, 0, 0, 0.4998990458, -0.01004709122, 0, -0.01008855804, -0.5019622523, 0, -0.7555180385, -12.50261015, 0, 0, 0, 0.3277877277, 0, 0, 8.043831863, 0.999888219, -0.006756707438, 0, -0.02009553495, -1.004127246, -25.03053457, -0.1004127246, 0.1008271527},
        {-0.04517099628, -1.50254813, -24.76591849, 0.150254813, -36.2589481, 41.47218893, 0, 0, 0, 0.150254813, 38.09466576, -39.79258992, 0, 0, 0, -0.150254813, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1.50254813, 0, 0, -24.76591849, 0.499489982, -0.02257781828, 0, 0.05988642002, 1.986222476, 32.20198378, 0, -24.13434369, -10.17502806, 0, 0, 0, 0, 24.70006097, 8.712332052, 0, 0, 0, 0, 0.499489982, -0.02257781828, 0, -0.03392425864, -0.7505077386, 0, -1.686834407, -12.31935535, 0, 0, 0, 0.4836743458, 0, 0, 7.436065294, 0.9994358471, -0.01522037195, 0, -0.04517099628, -1.50254813, -24.76591849, -0.150254813, 0.2257650884},
        {-0.080140153, -1.992228291, -24.12058481, 0.1992228291, -63.05409269, 45.67607832, 0, 0, 0, 0.1992228291, 66.50829129, -40.48172334, 0, 0, 0, -0.1992228291, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1.992228291, 0, 0, -24.12058481, 0.4983952481, -0.04002719897, 0, 0.1059343092, 2.611393299, 30.03767773, 0, -41.87479059, -11.42438301, 0, 0, 0, 0, 42.84802099, 6.932655419, 0, 0, 0, 0, 0.4983952481, -0.04002719897, 0, -0.0797433182, -0.9929171136, 0, -2.943597012, -11.86271795, 0, 0, 0, 0.6191650081, 0, 0, 5.917092926, 0.9982289227, -0.02713155096, 0, -0.080140153, -1.992228291, -24.12058481, -0.1992228291, 0.3968973565},
        {-0.1247379776, -2.463469795, -22.893438, 0.2463469795, -94.35689749, 53.83084941, 0, 0, 0, 0.2463469795, 100.3211245, -41.67320998, 0, 0, 0, -0.2463469795, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2.463469795, 0, 0, -22.893438, 0.4961151504, -0.06220737553, 0, 0.163930285, 3.174367518, 25.8795189, 0, -62.38266243, -13.86513752, 0, 0, 0, 0, 63.80907845, 3.498587945, 0, 0, 0, 0, 0.4961151504, -0.06220737553, 0, -0.1532459906, -1.222164688, 0, -4.434906487, -10.98026457, 0, 0, 0, 0.7108977237, 0, 0, 2.986080906, 0.9957311903, -0.04261623816, 0, -0.1247379776, -2.463469795, -22.893438, -0.2463469795, 0.6068683429},
        {-0.1784701553, -2.903384836, -20.98612025, 0.2903384836, -126.4844326, 66.91374587, 0, 0, 0, 0.2903384836, 136.3542197, -43.39686432, 0, 0, 0, -0.2903384836, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -2.903384836, 0, 0, -20.98612025, 0.4920582144, -0.08876211821, 0, 0.2321975435, 3.630544144, 19.33922452, 0, -83.01638075, -17.64750035, 0, 0, 0, 0, 84.8494582, -1.929555738, 0, 0, 0, 0, 0.4920582144, -0.08876211821, 0, -0.257710588, -1.428634358, 0, -6.010647818, -9.578159842, 0, 0, 0, 0.7271593079, 0, 0, -1.64689573, 0.9913367299, -0.06191134649, 0, -0.1784701553, -2.903384836, -20.98612025, -0.2903384836, 0.8429643507},
        {-0.2405769627, -3.298971651, -18.49350526, 0.3298971651, -155.2343413, 84.88778041, 0, 0, 0, 0.3298971651, 170.9893142, -45.45646719, 0, 0, 0, -0.3298971651, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3.298971651, 0, 0, -18.49350526, 0.4856003338, -0.1191315063, 0, 0.3081278467, 3.933479422, 10.65174577, 0, -100.8942289, -22.46929598, 0, 0, 0, 0, 102.9567951, -9.18765635, 0, 0, 0, 0, 0.4856003338, -0.1191315063, 0, -0.3930114621, -1.601981735, 0, -7.488051469, -7.683918654, 0, 0, 0, 0.6345077711, 0, 0, -7.841759486, 0.9844599871, -0.0853817454, 0, -0.2405769627, -3.298971651, -18.49350526, -0.3298971651, 1.088321396},
        {-0.3100703277, -3.640957109, -15.67599606, 0.3640957109, -177.4514729, 106.7055401, 0, 0, 0, 0.3640957109, 201.5477803, -47.47198926, 0, 0, 0, -0.3640957109, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3.640957109, 0, 0, -15.67599606, 0.4761560567, -0.1525628056, 0, 0.3882743081, 4.047722648, 0.6355698346, 0, -114.1410452, -27.64910779, 0, 0, 0, 0, 116.1125401, -17.62184466, 0, 0, 0, 0, 0.4761560567, -0.1525628056, 0, -0.5554746315, -1.73366378, 0, -8.703769403, -5.441761161, 0, 0, 0, 0.4067655392, 0, 0, -15.04042623, 0.9746278702, -0.1135006603, 0, -0.3100703277, -3.640957109, -15.67599606, -0.3640957109, 1.325656867},
        {-0.3858325277, -3.925680382, -12.80335135, 0.3925680382, -192.0463203, 130.9687841, 0, 0, 0, 0.3925680382, 227.2156811, -49.06776728, 0, 0, 0, -0.3925680382, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3.925680382, 0, 0, -12.80335135, 0.4632427241, -0.1881652959, 0, 0.4686635471, 3.95657217, -9.741936208, 0, -122.6657647, -32.49667898, 0, 0, 0, 0, 124.117619, -26.41478035, 0, 0, 0, 0, 0.4632427241, -0.1881652959, 0, -0.7386768109, -1.818542874, 0, -9.54816448, -3.03125029, 0, 0, 0, 0.03089178803, 0, 0, -22.54528756, 0.9615284601, -0.1467971285, 0, -0.3858325277, -3.925680382, -12.80335135, -0.3925680382, 1.541096646},
        {-0.4667186445, -4.153583412, -9.997684056, 0.4153583412, -199.6632491, 156.6524387, 0, 0, 0, 0.4153583412, 248.796243, -50.05825634, 0, 0, 0, -0.4153583412, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4.153583412, 0, 0, -9.997684056, 0.4465247833, -0.22497915, 0, 0.5451667623, 3.660140865, -19.82130709, 0, -127.8587707, -36.68321641, 0, 0, 0, 0, 128.3469429, -34.93688423, 0, 0, 0, 0, 0.4465247833, -0.22497915, 0, -0.9344696653, -1.854677933, 0, -9.952829956, -0.5828160058, 0, 0, 0, -0.4934425471, 0, 0, -29.81899114, 0.9449870453, -0.1857953102, 0, -0.4667186445, -4.153583412, -9.997684056, -0.4153583412, 1.725225516}},
      found = {part.upper_joint_phi, part.upper_joint_w, part.upper_joint_a, part.upper_joint_tau, part.upper_joint_frame_a_f[1], part.upper_joint_frame_a_f[2], part.upper_joint_frame_a_f[3], part.upper_joint_frame_a_t[1], part.upper_joint_frame_a_t[2], part.upper_joint_frame_a_t[3], part.upper_joint_frame_b_f[1], part.upper_joint_frame_b_f[2], part.upper_joint_frame_b_f[3], part.upper_joint_frame_b_t[1], part.upper_joint_frame_b_t[2], part.upper_joint_frame_b_t[3], part.upper_r_0[1], part.upper_r_0[2], part.upper_r_0[3], part.upper_v_0[1], part.upper_v_0[2], part.upper_v_0[3], part.upper_a_0[1], part.upper_a_0[2], part.upper_a_0[3], part.upper_w_a[1], part.upper_w_a[2], part.upper_w_a[3], part.upper_z_a[1], part.upper_z_a[2], part.upper_z_a[3], part.upper_frame_b_r_0[1], part.upper_frame_b_r_0[2], part.upper_frame_b_r_0[3], part.lower_joint_phi, part.lower_joint_w, part.lower_joint_a, part.lower_joint_tau, part.lower_joint_frame_a_f[1], part.lower_joint_frame_a_f[2], part.lower_joint_frame_a_f[3], part.lower_joint_frame_a_t[1], part.lower_joint_frame_a_t[2], part.lower_joint_frame_a_t[3], part.lower_joint_frame_b_f[1], part.lower_joint_frame_b_f[2], part.lower_joint_frame_b_f[3], part.lower_joint_frame_b_t[1], part.lower_joint_frame_b_t[2], part.lower_joint_frame_b_t[3], part.lower_r_0[1], part.lower_r_0[2], part.lower_r_0[3], part.lower_v_0[1], part.lower_v_0[2], part.lower_v_0[3], part.lower_a_0[1], part.lower_a_0[2], part.lower_a_0[3], part.lower_w_a[1], part.lower_w_a[2], part.lower_w_a[3], part.lower_z_a[1], part.lower_z_a[2], part.lower_z_a[3], part.lower_frame_b_r_0[1], part.lower_frame_b_r_0[2], part.lower_frame_b_r_0[3], part.damper_phi_rel, part.damper_w_rel, part.damper_a_rel, part.damper_tau, part.damper_lossPower});
    inner MultiBody.World world;
    MechanicalFMUs.DoublePendulum part;
  end DoublePendulum;

  model Gyroscope "examples/gyroscope.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0.0007468402742, 0.2926638874, 199.9678087},
        {0.005870411603, 0.2712395529, 199.8838538},
        {0.01926302293, 0.2374181607, 199.7809294},
        {0.04399348941, 0.1938391715, 199.6996766},
        {0.08216024979, 0.1438849118, 199.674963},
        {0.1348723787, 0.09146792786, 199.7254822},
        {0.2022493206, 0.04081208283, 199.8480318},
        {0.2833655986, -0.003806675634, 200.0166344},
        {0.3761526429, -0.0384005899, 200.1874144},
        {0.4773623131, -0.05969734938, 200.3104442}},
      found = {part.precession_phi, part.nutation_phi, part.spin_w});
    inner MultiBody.World world;
    MechanicalFMUs.Gyroscope part;
  end Gyroscope;

  model SliderCrank "examples/slider-crank.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0.6201417455, 32.14926258, 0.2385676966, -1.126273878, 69.98957349},
        {1.292130492, 35.22077586, 0.2078906299, -1.813051865, 94.45123158},
        {2.034579597, 39.07949376, 0.1725698364, -1.547055885, 125.5378664},
        {2.852048602, 42.45781744, 0.151571148, -0.4605245193, 139.924761},
        {3.721437691, 44.15219976, 0.1562875621, 0.9541712557, 144.2260316},
        {4.606054594, 44.11849773, 0.1884151598, 2.133378901, 122.6453465},
        {5.487779504, 44.30706693, 0.2317863933, 1.863474199, 59.79608465},
        {6.388467571, 45.87397158, 0.2496541134, -0.3009869136, 21.44350915},
        {7.324978171, 47.96781421, 0.2205199605, -2.338099851, 69.70878771},
        {8.320463878, 51.83043743, 0.1724631001, -2.047642255, 146.015886}},
      found = {part.bearing_phi, part.bearing_w, part.rod_s, part.rod_axis_v, part.rod_f_rod});
    inner MultiBody.World world;
    MechanicalFMUs.SliderCrank part;
  equation
    part.motor_tau = 5;
    part.load_f = -100;
  end SliderCrank;

  model FourBar "examples/four-bar.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0.12, 0.7195337224, 1.858442579, -1.739910895, 0.0495414286, 0.2730286638},
        {0.24, 0.6563613462, 1.826690711, -1.42780447, 0.05833689536, 0.2866767106},
        {0.36, 0.6284344204, 1.801574912, -1.079071787, 0.06573070686, 0.2995168054},
        {0.48, 0.6236391386, 1.783659029, -0.7106331517, 0.07148884549, 0.3113736823},
        {0.6, 0.6258360243, 1.773172578, -0.3386625323, 0.07545240749, 0.3221235353},
        {0.72, 0.6198450062, 1.770043466, 0.02305883037, 0.07754269107, 0.3316816146},
        {0.84, 0.5945490085, 1.773955368, 0.3639573301, 0.07775653014, 0.3399897805},
        {0.96, 0.5438412617, 1.784413736, 0.6767494763, 0.07615540201, 0.3470067499},
        {1.08, 0.4660720269, 1.800808182, 0.9570426382, 0.07285187136, 0.3527019833},
        {1.2, 0.3628458519, 1.822464274, 1.202714415, 0.06799600756, 0.3570528951}},
      found = {part.motor_phi, part.motor_tau, part.rods_angle, part.rods_axis_w, part.coupler_frame_b_r_0_1, part.coupler_frame_b_r_0_2});
    inner MultiBody.World world;
    MechanicalFMUs.FourBar part;
  equation
    part.motor_w = 6;
    part.motor_a = 0;
  end FourBar;

  model Bricard "examples/bricard.toml"
    extends Followed(interval = 0.02,
      expected = {{0.0003916423165, 0.0391667856, 0.9999999233, -1.000391566, 0.9996083577},
        {0.001566875361, 0.0783641491, 0.9999987725, -1.001565649, 0.9984331253},
        {0.003526613632, 0.1176222903, 0.9999937815, -1.00352041, 0.9964733937},
        {0.006272368732, 0.1569706583, 0.9999803288, -1.006252779, 0.9937276724},
        {0.009806230711, 0.1964375897, 0.9999519193, -1.00975846, 0.9901939265},
        {0.01413084233, 0.2360499626, 0.9999001613, -1.014031925, 0.9858696279},
        {0.01924936659, 0.2758328719, 0.9998147367, -1.019066414, 0.9807518222},
        {0.02516544804, 0.3158093286, 0.9996833668, -1.024853933, 0.9748372081},
        {0.03188316833, 0.3559999887, 0.9994917748, -1.03138525, 0.9681222331},
        {0.03940699665, 0.3964229144, 0.9992236448, -1.038649891, 0.9606032018}},
      found = {part.joint1_phi, part.joint1_w, part.rod3_frame_b_r_0[1], part.rod3_frame_b_r_0[2], part.rod3_frame_b_r_0[3]});
    inner MultiBody.World world;
    MechanicalFMUs.Bricard part;
  end Bricard;

  model Tricycle "examples/tricycle.toml"
    extends Followed(interval = 0.15,
      expected = {{0.003554881809, 7.195620083e-07, 0.0004911370151, 0.2099251865, 0.1618699517, -4.830209742, 29.62003607, 1.546588104},
        {0.01428355928, 1.974336217e-05, 0.003222938634, 0.3116393514, 0.3350552802, -7.285096042, 29.59904084, 1.968352036},
        {0.03228951989, 0.0001286307428, 0.009011556733, 0.358885738, 0.5144480174, -8.548188344, 29.59099928, 2.266007828},
        {0.05765377795, 0.0004700582952, 0.01800348062, 0.3808351453, 0.6957796775, -9.118038611, 29.5892679, 2.635602729},
        {0.09042478051, 0.001258133168, 0.03014093494, 0.3910339844, 0.8773266936, -9.28085335, 29.58957944, 3.138495347},
        {0.1306219334, 0.00277513532, 0.04533460186, 0.3957737292, 1.058622094, -9.200384852, 29.59026007, 3.78574205},
        {0.1782396727, 0.0053688032, 0.06351330408, 0.397976839, 1.239635348, -8.967214448, 29.59082372, 4.574087029},
        {0.2332484653, 0.009450592164, 0.08463010401, 0.3990010615, 1.420441545, -8.629837298, 29.59119909, 5.498369945},
        {0.2955926269, 0.01549440895, 0.108656745, 0.3994773052, 1.60111666, -8.213580067, 29.5914257, 6.554686168},
        {0.3651856689, 0.0240352988, 0.1355771016, 0.3996987886, 1.781714798, -7.731432523, 29.5915551, 7.740618729}},
      found = {part.plane_s_x, part.plane_s_y, part.plane_phi, part.steering_phi, part.front_w, part.grip_front_f_lat, part.grip_front_f_long, part.grip_left_f_lat});
    inner MultiBody.World world(n = {0, 0, -1});
    MechanicalFMUs.Tricycle part;
  end Tricycle;

  model RobotArm "examples/robot-arm.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0},
        {0, 0, 0.5, 0, 107.5768129, 0.8898243057, 1.231482985, 0}},
      found = {part.column_phi, part.column_w, part.shoulder_phi, part.shoulder_w, part.shoulder_tau, part.arm_frame_b_r_0[1], part.arm_frame_b_r_0[2], part.arm_frame_b_r_0[3]});
    inner MultiBody.World world;
    MechanicalFMUs.RobotArm part;
  equation
    part.turn_tau = 0;
    part.motor_tau = 0;
    part.brake_f_normalized = 1;
  end RobotArm;

  model BenchArm "examples/bench-arm.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0, -7.772634049e-06, 0, 0.2006852024, 0.001191853037, 0, 0},
        {0, -2.79343655e-05, 0, 0.2028171916, 0.003513251771, 0, 2.741351598e-12},
        {0, -5.57312599e-05, 0, 0.2063878616, 0.006431193359, 0, 1.129064491e-11},
        {0, -8.786567913e-05, 0, 0.211364837, 0.009864468684, 0, 2.897850856e-11},
        {0, -0.0001223727882, 0, 0.2177302601, 0.0137951072, 0, 5.785919451e-11},
        {0, -0.0001581700897, 0, 0.22548449, 0.01821793294, 0, 9.914406691e-11},
        {0, -0.0001947177886, 0, 0.234645569, 0.02313358775, 0, 1.535353539e-10},
        {0, -0.0002317956556, 0, 0.2452483858, 0.02854717705, 0, 2.214857296e-10},
        {0, -0.0002693613585, 0, 0.2573440113, 0.03446765942, 0, 3.033647336e-10},
        {0, -0.0003074615875, 0, 0.2709992413, 0.04090733316, 0, 3.995530498e-10}},
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
    extends Followed(interval = 0.02,
      expected = {{0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0},
        {0, -0.5240097856, -1.047464777, 0, -0.7854551379, 0, 1.006201411, 0.8129409847, 0}},
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
    extends Followed(interval = 0.02,
      expected = {{-0.001706390847, 0.0005382300563, 0.03275979296, 373.6405223, 309.9895828},
        {-0.001730897745, 0.0007814318008, -0.008763389271, 384.5754549, 309.0612988},
        {-0.001731674031, 0.0004950948962, -0.01108962791, 368.7938777, 322.6112781},
        {-0.001703887963, 0.0004695303428, 0.006248085132, 364.5177878, 315.69033},
        {-0.001701948826, 0.0005862873442, 0.002603446423, 370.6347922, 311.2250274},
        {-0.001725065932, 0.0005668123963, -0.002873407732, 373.4736708, 317.6544564},
        {-0.001727433808, 0.0005326440011, -1.769036133e-05, 371.7308586, 318.4717681},
        {-0.001710488384, 0.0005488597233, 0.0008526736935, 369.2501502, 314.1083786},
        {-0.00170770046, 0.000551476388, -0.0004505404654, 369.287959, 314.2754851},
        {-0.001719327555, 0.0005445840892, 9.589846994e-06, 371.4068918, 316.9456086}},
      found = {part.bounce_s, part.roll_phi, part.roll_w, part.front_left_frame_a_f_2, part.front_right_frame_a_f_2});
    inner MultiBody.World world;
    MechanicalFMUs.EngineMount part;
  equation
    part.push_torque[1] = 0;
    part.push_torque[2] = 0;
    part.push_torque[3] = 0;
  end EngineMount;

  model WattLinkage "examples/watt-linkage.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0.3346627633, 0.0009674306981, 0.1340989113},
        {0.2891694535, 0.0004416838528, 0.1155266098},
        {0.2163496221, 9.833439199e-05, 0.08631129674},
        {0.1230151248, 5.676316128e-06, 0.04912790693},
        {0.01876437934, 4.653007146e-10, 0.007505336072},
        {-0.08668916058, -9.78848965e-07, -0.03462098234},
        {-0.1847523812, -4.267001927e-05, -0.07325219082},
        {-0.266776682, -0.0002622106312, -0.1044803942},
        {-0.3223191118, -0.0006588751005, -0.1246987002},
        {-0.3408631914, -0.0008627898412, -0.1312361923}},
      found = {part.left_phi, part.middle_frame_b_r_0_1, part.middle_frame_b_r_0_2});
    inner MultiBody.World world;
    MechanicalFMUs.WattLinkage part;
  end WattLinkage;

  model QuarterCar "examples/quarter-car.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{1261.799527, -0.007581726585, 0.893642622, -1261.799527, -1440.528051, 178.7285244, 159.7194272, 0.01241827342, 0.893642622, -5.838869326, -0.01199495281, -0.8369701623, -1495.3543, -239.8990562, -1255.455243, 1050.778579, 0.0004233206038, 0.0566724597, 4.272440856},
        {-1014.097865, 0.005070720117, 0.2533052156, 1014.097865, 963.4368223, 50.66104311, 12.83270645, 0.02507072012, 0.2533052156, -41.57666533, -0.0227549114, -0.1292470133, -648.9687479, -455.0982279, -193.87052, 25.05718567, 0.00231580872, 0.1240582023, 1.854196423},
        {-609.3356157, 0.003516038288, -0.2935582952, 609.3356157, 668.0472747, -58.71165904, 17.23529454, 0.02351603829, -0.2935582952, -8.602534916, -0.0185632056, 0.4243322206, 265.234219, -371.2641119, 636.4983309, 270.0867502, 0.004952832693, 0.1307739254, -0.7578120544},
        {398.2667849, -0.001917853658, -0.1693729499, -398.2667849, -364.392195, -33.87458997, 5.73743923, 0.01808214634, -0.1693729499, 15.21655595, -0.01069357118, 0.2828445844, 210.395453, -213.8714236, 424.2668766, 120.0015884, 0.007388575163, 0.1134716346, -0.6011298658},
        {437.855185, -0.002403080075, 0.09365014576, -437.855185, -456.5852142, 18.73002915, 1.75406996, 0.01759691993, 0.09365014576, 7.642114918, -0.007987035672, 0.01838008342, -132.1705883, -159.7407134, 27.57012513, 0.5067411999, 0.009609884253, 0.1120302292, 0.3776302523},
        {-31.70231422, 5.051682182e-05, 0.1105205904, 31.70231422, 9.598196146, 22.10411808, 2.44296018, 0.02005051682, 0.1105205904, -4.424616976, -0.008104042073, 0.01119898442, -145.2823648, -162.0808415, 16.79847663, 0.1881258782, 0.01194647475, 0.1217195748, 0.4150924709},
        {-225.3101948, 0.001182528146, 0.003149234948, 225.3101948, 224.6803478, 0.6298469895, 0.001983536151, 0.02118252815, 0.003149234948, -4.45367313, -0.006753587926, 0.1214900187, 47.16326957, -135.0717585, 182.2350281, 22.13973698, 0.01442894022, 0.1246392537, -0.1347521988},
        {-126.659214, 0.0007021373151, -0.0337343794, 126.659214, 133.4060899, -6.74687588, 0.2276016707, 0.02070213732, -0.0337343794, 0.6151656689, -0.003834521942, 0.1519708531, 151.2658407, -76.69043883, 227.9562796, 34.64271027, 0.01686761537, 0.1182364736, -0.4321881164},
        {-61.61504279, 0.0003239353312, 0.0003366493672, 61.61504279, 61.54771292, 0.06732987345, 2.266655929e-05, 0.02032393533, 0.0003366493672, 1.96889032, -0.001178869104, 0.1092986918, 140.3706556, -23.57738208, 163.9480377, 17.91930603, 0.01914506623, 0.1096353411, -0.4010590159},
        {-123.2169772, 0.0006238207034, 0.02345521785, 123.2169772, 118.5259336, 4.691043571, 0.1100294489, 0.0206238207, 0.02345521785, 0.1875961627, 0.0006376255922, 0.07864554125, 130.7208237, 12.75251184, 117.9683119, 9.277681738, 0.0212614463, 0.1021007591, -0.3734880678}},
      found = {part.road_f, part.tyre_s_rel, part.tyre_v_rel, part.tyre_f, part.tyre_f_c, part.tyre_f_d, part.tyre_lossPower, part.wheel_s, part.wheel_v, part.wheel_a, part.suspension_s_rel, part.suspension_v_rel, part.suspension_f, part.suspension_f_c, part.suspension_f_d, part.suspension_lossPower, part.body_s, part.body_v, part.body_a});
    inner MultiBody.World world;
    MechanicalFMUs.QuarterCar part;
  equation
    part.road_s = 0.02;
    part.road_v = 0;
    part.road_a = 0;
  end QuarterCar;

  model EngineV6 "examples/engine-v6.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{134.8508623, 2511.091066, 446032.2389, 4688.776608, 917545.8065},
        {163.8689076, 1961.413425, 439534.7443, 1317.548459, 191719.7292},
        {188.6635344, 2192.187957, 329980.9155, 4226.883714, 783151.7133},
        {206.688513, 27549.01439, 5664413.749, 2746.310049, 666279.1427},
        {221.3069453, 1812.162817, 275887.1178, 1632.075542, 176301.5718},
        {232.300795, 2166.085708, 269083.9767, 4205.685115, 716679.0415},
        {239.5613894, 4778.490101, 946014.2463, 28568.38503, 5946930.721},
        {245.9147969, 13744.74916, 3029350.496, 1290.571611, 305277.0982},
        {250.4607901, 1733.215713, 304271.9035, 1560.469584, 125432.5253},
        {253.3875192, 1815.178369, 168411.3734, 2812.735994, 368532.9581}},
      found = {part.bearing_w, part.cylinder1_joint_f_rod, part.cylinder1_gas_press, part.cylinder4_joint_f_rod, part.cylinder4_gas_press});
    inner MultiBody.World world;
    MechanicalFMUs.EngineV6 part;
  end EngineV6;

  model Hoist "examples/hoist.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0, 0, 0, 0, 0, 0, -27.6472302, 0, 0, 0, -0.009866102316, -0.7951931771, -5.99720626, -663.5335249, -591.9661389, -71.56738594, 56.90989701, -0.009866102316, -0.7951931771, -5.99720626},
        {0, 0, 0, 0, 0, 0, -56.14436056, 0, 0, 0, -0.02210825871, -0.2329903426, 50.99705444, -1347.464653, -1326.495522, -20.96913084, 4.885604979, -0.02210825871, -0.2329903426, 50.99705444},
        {0, 0, 0, 0, 0, 0, -40.69778309, 0, 0, 0, -0.0172033582, 0.6161633086, 20.10389952, -976.7467943, -1032.201492, 55.45469778, 34.16915006, -0.0172033582, 0.6161633086, 20.10389952},
        {0, 0, 0, 0, 0, 0, -11.64425294, 0, 0, 0, -0.005229308458, 0.3810715208, -38.00316078, -279.4620706, -313.7585075, 34.29643687, 13.06939536, -0.005229308458, 0.3810715208, -38.00316078},
        {0, 0, 0, 0, 0, 0, -16.42660701, 0, 0, 0, -0.00594261782, -0.4186833219, -28.43845265, -394.2385682, -356.5570692, -37.68149897, 15.77661516, -0.00594261782, -0.4186833219, -28.43845265},
        {0, 0, 0, 0, 0, 0, -42.83443433, 0, 0, 0, -0.01645777646, -0.4506648484, 24.37720199, -1028.026424, -987.4665875, -40.55983635, 18.2788925, -0.01645777646, -0.4506648484, 24.37720199},
        {0, 0, 0, 0, 0, 0, -46.45567566, 0, 0, 0, -0.01892475024, 0.2283199873, 31.61968464, -1114.936216, -1135.485015, 20.54879886, 4.691701494, -0.01892475024, 0.2283199873, 31.61968464},
        {0, 0, 0, 0, 0, 0, -24.78726602, 0, 0, 0, -0.01059708874, 0.4547882247, -11.71713463, -594.8943845, -635.8253247, 40.93094022, 18.61490964, -0.01059708874, 0.4547882247, -11.71713463},
        {0, 0, 0, 0, 0, 0, -15.32162499, 0, 0, 0, -0.006033753089, -0.06326460405, -30.64841669, -367.7189997, -362.0251853, -5.693814365, 0.3602169114, -0.006033753089, -0.06326460405, -30.64841669},
        {0, 0, 0, 0, 0, 0, -31.19838015, 0, 0, 0, -0.01186438764, -0.4099762814, 1.10509364, -748.7611237, -711.8632584, -36.89786533, 15.12724962, -0.01186438764, -0.4099762814, 1.10509364}},
      found = {part.motor_phi, part.motor_w, part.motor_a, part.brake_phi_rel, part.brake_w_rel, part.brake_a_rel, part.brake_tau, part.brake_lossPower, part.gear_phi_a, part.gear_phi_b, part.shaft_phi_rel, part.shaft_w_rel, part.shaft_a_rel, part.shaft_tau, part.shaft_tau_c, part.shaft_tau_d, part.shaft_lossPower, part.drum_phi, part.drum_w, part.drum_a});
    inner MultiBody.World world;
    MechanicalFMUs.Hoist part;
  equation
    part.torque_tau = 0;
    part.brake_f_normalized = 1;
    part.weight_tau = -735.5;
  end Hoist;

  model Launch "examples/launch.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{3.019144719, 151.8385803, 84.70340149, -2.263117491, -95.09183705, -434.2094913, -104.7533877, 9961.192077, 0.7560272282, 56.74674328, -349.5060898, 0.7560272282, 0.09450340353, -0.09415842537, -7.034033662, 50.78308676, -893.9480762, -753.267403, -140.6806732, 989.5525913, 0.0003449781558, 0.05930924762, 7.094825537, 0.0003449781558, 0.05930924762, 7.094825537, 0, 0, 0.05930924762, -5.862644756e-05},
        {6.073878111, 153.7158177, 107.8755916, -4.622877561, -153.0223123, -3955.24974, -100.5823935, 15391.35043, 1.45100055, 0.6935054162, -3847.374149, 1.45100055, 0.1813750688, -0.1779666928, 0.174726525, 492.1934978, -1420.239012, -1423.733542, 3.4945305, 0.6105871709, 0.003408375976, 0.261414702, 11.27172915, 0.003408375976, 0.261414702, 11.27172915, 0, 0, 0.261414702, -0.001138960774},
        {9.171513819, 156.1079896, 125.343964, -8.269973941, -196.6932434, 331.4054347, -97.43808647, 19165.41326, 0.9015398789, -40.58525384, 456.7493987, 0.9015398789, 0.1126924849, -0.1020831745, 5.512030399, -51.48715438, -706.424788, -816.665396, 110.240608, 607.6495823, 0.01060931037, 0.4388736691, 5.606520459, 0.01060931037, 0.4388736691, 5.606520459, 0, 0, 0.4388736691, -0.003210168291},
        {12.31795613, 158.4740785, 107.6064157, -11.85186293, -152.3493727, 2986.031354, -100.6308452, 15331.04613, 0.4660932051, 6.124705833, 3093.637769, 0.4660932051, 0.05826165064, -0.03810636612, -0.260689462, -384.2439238, -310.0647182, -304.850929, -5.21378924, 1.359179912, 0.02015528452, 0.5048987671, 2.460797377, 0.02015528452, 0.5048987671, 2.460797377, 0, 0, 0.5048987671, -0.004248712751},
        {15.50766711, 160.4541015, 95.1813883, -14.4685871, -121.2868041, -435.2758349, -102.8673501, 12476.45214, 1.039080011, 39.16729742, -340.0944466, 1.039080011, 0.1298850014, -0.09891118675, -4.303220915, 49.47488565, -877.3539123, -791.289494, -86.0644183, 370.3542049, 0.03097381464, 0.592691263, 6.963079822, 0.03097381464, 0.592691263, 6.963079822, 0, 0, 0.592691263, -0.005854715554},
        {18.73648789, 162.4804853, 110.2095335, -17.20121334, -158.8571672, -2433.770173, -100.162284, 15911.49669, 1.535274544, 3.623318181, -2323.560639, 1.535274544, 0.191909318, -0.1474188287, 0.3141327669, 299.7550654, -1173.067974, -1179.350629, 6.282655337, 1.973587904, 0.04449048934, 0.7670475395, 9.30998546, 0.04449048934, 0.7670475395, 9.30998546, 0, 0, 0.7670475395, -0.009806032131},
        {22.00919096, 164.8250105, 120.4308061, -20.72919301, -184.4103485, 292.3630024, -98.32245491, 18131.67818, 1.279997953, -19.58533797, 412.7938085, 1.279997953, 0.1599997441, -0.09849225512, 3.370270553, -45.8808256, -720.5326299, -787.938041, 67.40541105, 227.174472, 0.06150748897, 0.922103307, 5.718400466, 0.06150748897, 0.922103307, 5.718400466, 0, 0, 0.922103307, -0.01417124181},
        {25.32925905, 167.1426893, 109.2733583, -24.1900565, -156.516729, 1791.692421, -100.3307955, 15703.44793, 1.139202553, 10.62596028, 1900.96578, 1.139202553, 0.1424003192, -0.06151494349, -0.3186145715, -233.6645728, -498.4918394, -492.1195479, -6.372291431, 2.030304904, 0.08088537568, 1.009630464, 3.956149604, 0.08088537568, 1.009630464, 3.956149604, 0, 0, 1.009630464, -0.0169892279},
        {28.69321379, 169.2290332, 102.3970224, -27.07258297, -139.3258894, -379.9817315, -101.568536, 14151.12661, 1.620630816, 29.90314379, -277.584709, 1.620630816, 0.202578852, -0.1005597116, -2.624207407, 41.49920902, -856.9618412, -804.477693, -52.48414813, 137.7292903, 0.1020191404, 1.113685566, 6.801120393, 0.1020191404, 1.113685566, 6.801120393, 0, 0, 1.113685566, -0.02067159235},
        {32.09875562, 171.3592469, 112.1695778, -30.06478397, -163.7572777, -1503.462949, -99.809476, 16344.52808, 2.033971648, 7.60196919, -1391.293372, 2.033971648, 0.254246456, -0.1284348191, 0.3197902727, 182.0152894, -1021.082747, -1027.478553, 6.395805453, 2.04531637, 0.1258116369, 1.270036421, 8.103617971, 0.1258116369, 1.270036421, 8.103617971, 0, 0, 1.270036421, -0.02688320853}},
      found = {part.engine_phi, part.engine_w, part.engine_a, part.clutch_phi_rel, part.clutch_w_rel, part.clutch_a_rel, part.clutch_tau, part.clutch_lossPower, part.input_phi, part.input_w, part.input_a, part.gear_phi_a, part.gear_phi_b, part.shaft_phi_rel, part.shaft_w_rel, part.shaft_a_rel, part.shaft_tau, part.shaft_tau_c, part.shaft_tau_d, part.shaft_lossPower, part.wheels_phi, part.wheels_w, part.wheels_a, part.brake_phi_rel, part.brake_w_rel, part.brake_a_rel, part.brake_tau, part.brake_lossPower, part.drag_w, part.drag_tau});
    inner MultiBody.World world;
    MechanicalFMUs.Launch part;
  equation
    part.torque_tau = 120;
    part.clutch_f_normalized = 0.5;
    part.brake_f_normalized = 0;
  end Launch;

  model CoupledClutches "examples/coupled-clutches.toml, with its sources inside"
    extends Followed(interval = 0.15,
      expected = {{1.445711306, 8.827176763, 0.1121672951, 1.491133123, 0, 0, 0, 0, -9.822872507, -1.491133123, 0.9822872507, 0},
        {2.650797368, 7.707177661, 0.4446955981, 2.929442112, 0, 0, 0, 0, -9.297764859, -2.929442112, 0.9297764859, 0},
        {3.647302402, 6.054335733, 0.973304928, 3.763974153, 0.0125, 0.5, 0, 0, -8.443279255, -3.263974153, 0.8443279255, 0},
        {4.474659715, 4.552547216, 1.516326217, 3.447452784, 0.2, 2, 0, 0, -7.289686274, -1.447452784, 0.7289686274, 0},
        {5.138484148, 3.880357201, 2.003526682, 3.218976343, 0.6068537022, 3.218976343, 0, 0, -5.877852523, 0, 0.5877852523, 0},
        {5.661861278, 3.556500567, 2.5106453, 3.540059603, 1.11397232, 3.540059603, 0, 0, -4.257792916, 0, 0.4257792916, 0},
        {6.141347884, 3.178755646, 2.983459179, 2.81977712, 1.586786199, 2.81977712, 0.1125, 1.5, -2.486898872, 0, 0.2486898872, 1},
        {6.607232836, 2.626141296, 3.368268516, 2.457952901, 1.971595535, 2.457952901, 0.4348749768, 2.457952901, -0.6279051953, 0, 0.06279051953, 1},
        {7.05693896, 2.928748386, 3.737659341, 2.463187167, 2.340986361, 2.463187167, 0.8042658026, 2.463187167, 0, 0, -0.1253332336, 1},
        {7.486119099, 3.247058272, 4.107137416, 2.463187167, 2.710464436, 2.463187167, 1.173743878, 2.463187167, 0, 0, -0.3090169944, 1}},
      found = {part.J1_phi, part.J1_w, part.J2_phi, part.J2_w, part.J3_phi, part.J3_w, part.J4_phi, part.J4_w, part.clutch1_tau, part.clutch2_w_rel, part.sin2_y, part.step2_y});
    inner MultiBody.World world;
    MechanicalFMUs.CoupledClutches part;
  end CoupledClutches;

  model PickAndPlace "examples/pick-and-place.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{0.009561872668, 0.3595612014, 0.503, 0.299980373, 0.002, 0, 1, 0, -87.75971085},
        {0.01985891484, 0.3595612014, 0.503, 0.2999802305, 0.002, 0, 1, 0, -87.75971085},
        {0.02995459739, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.03998538899, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.04999529803, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.05999848686, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.06999951306, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.0799998433, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.08999994957, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085},
        {0.09999998377, 0.3595612014, 0.503, 0.2999802298, 0.002, 0, 1, 0, -87.75971085}},
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
    extends Followed(interval = 0.02,
      expected = {{6999999.998, 150.921, 0, 0.003946826457, 0.009403327115, -2.969064023e-07, 2.969064023e-07},
        {6999999.993, 301.8419999, 0, 0.003946826436, 0.009403327109, -5.938128034e-07, 5.938128034e-07},
        {6999999.985, 452.7629997, 0, 0.003946826401, 0.009403327099, -8.907192022e-07, 8.907192022e-07},
        {6999999.974, 603.6839993, 0, 0.003946826352, 0.009403327086, -1.187625597e-06, 1.187625597e-06},
        {6999999.959, 754.6049985, 0, 0.003946826289, 0.009403327068, -1.484531988e-06, 1.484531988e-06},
        {6999999.941, 905.5259975, 0, 0.003946826212, 0.009403327047, -1.781438373e-06, 1.781438373e-06},
        {6999999.92, 1056.446996, 0, 0.003946826121, 0.009403327021, -2.07834475e-06, 2.07834475e-06},
        {6999999.896, 1207.367994, 0, 0.003946826016, 0.009403326992, -2.37525112e-06, 2.37525112e-06},
        {6999999.868, 1358.288991, 0, 0.003946825897, 0.009403326959, -2.67215748e-06, 2.67215748e-06},
        {6999999.837, 1509.209988, 0, 0.003946825765, 0.009403326922, -2.969063829e-06, 2.969063829e-06}},
      found = {part.hull_r_0[1], part.hull_r_0[2], part.hull_r_0[3], part.hull_w_a[1], part.hull_w_a[2], part.hull_w_a[3], part.bearing_w});
    inner MultiBody.World world;
    MechanicalFMUs.Satellite part;
  equation
    part.motor_tau = 0;
  end Satellite;

  model StewartPlatform "examples/stewart-platform.toml, with constant inputs"
    extends Followed(interval = 0.02,
      expected = {{2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243847e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243846e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296},
        {2.573243847e-06, 0.9999871682, 0, -5.705860981e-05, 114.1172196, 114.1172196, 114.1156296, 114.1147155, 114.1147155, 114.1156296}},
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
    extends Followed(interval = 0.02,
      expected = {{-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857},
        {-0.005220267072, 52202.67072, 0.0008797452255, -8797.452255, -4.043240857e-05, 404.3240857}},
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
    extends Followed(interval = 0.02,
      expected = {{8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979192, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979187, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979182, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979184, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979184, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979187, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979195, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979193, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.0794797919, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863},
        {8.239943704e-05, 0.3161248694, 0.8200181405, 0.0004936712525, -0.07947979188, 1273.054784, -1228.633889, 0.532088913, -7074.665219, -4775.023863}},
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
