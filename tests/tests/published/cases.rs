//! Published trajectories of systems, which the Modelica Association made from examples of its library: the parts of
//! each model, in a line for each, and its inputs.

use std::f64::consts::PI;

/// A system with its published trajectory.
pub struct Case {
    /// Name of the file, without its ending.
    pub file: &'static str,
    /// Lines with a part each, or the name of a file in `examples/msl`.
    pub text: String,
    pub inputs: Vec<Signal>,
    /// Times at which inputs jump or have kinks.
    pub breaks: &'static [f64],
    /// Names of the columns, of which the first is the time.
    pub columns: &'static [&'static str],
    /// Rows of the trajectory between the ends of communication steps, for a run in long ones.
    pub every: usize,
    /// Allowed deviation in Co-Simulation, by the range.
    pub tolerance: f64,
}

/// An input with its derivatives.
pub struct Signal {
    pub name: &'static str,
    /// Derivative of an order, or the value.
    pub at: fn(f64, i32) -> f64,
}

/// Returns all cases.
pub fn cases() -> Vec<Case> {
    let mut cases = vec![simple_gear_shift(), test_friction(), first(), first_grounded(), oscillator()];
    cases.extend([simple_gear_shift_with_sources(), test_friction_with_sources(), first_with_sources()]);
    cases.extend(examples());
    cases.extend(mechanisms());
    cases.extend([loop_with_joint_usp(), loop_with_joint_ssr(), point_gravity()]);
    cases
}

/// Returns the examples that are files.
fn examples() -> [Case; 12] {
    let case = |file, example: &str, columns, every| Case {
        file,
        text: format!("{example}.toml"),
        inputs: Vec::new(),
        breaks: &[],
        columns,
        every,
        tolerance: TOLERANCE,
    };
    const TOLERANCE: f64 = 5e-4;
    let backlash = ["elastoBacklash.phi_rel", "elastoBacklash.w_rel", "springDamper.phi_rel", "springDamper.w_rel"];
    let free_wheel = ["inertiaIn.phi", "inertiaIn.w", "oneWayClutch.phi_rel", "oneWayClutch.w_rel"];
    let first = ["damper.phi_rel", "damper.w_rel", "inertia3.phi", "inertia3.w"];
    let gaps = ["elastoGap1.v_rel", "elastoGap2.s_rel", "springDamper1.v_rel", "springDamper2.s_rel"];
    let masses = ["mass.s", "mass.v", "stop1.s", "stop1.v", "stop2.s", "stop2.v"];
    let spool = [
        "friction.v_rel", "innerContactA.s_rel", "innerContactB.s_rel", "outerContactA.v_rel", "outerContactB.s_rel",
        "outerContactB.v_rel",
    ];
    let columns = |names: &[&'static str]| -> &'static [&'static str] { [&["time"], names].concat().leak() };
    [
        case("msl/Rotational.Backlash", "rotational-backlash", columns(&backlash), 5),
        case(
            "msl/Rotational.EddyCurrentBrake",
            "rotational-eddy-current-brake",
            columns(&["inertia.phi", "heatCapacitor.T", "eddyCurrentTorque.lossPower"]),
            5,
        ),
        case("msl/Rotational.RollingWheel", "rotational-rolling-wheel", columns(&["inertia.phi", "inertia.w"]), 10),
        case("msl/Rotational.OneWayClutch", "rotational-one-way-clutch", columns(&free_wheel), 10),
        case("msl/Translational.ElastoGap", "translational-elasto-gap", columns(&gaps), 10),
        case(
            "msl/Rotational.LossyGearDemo1",
            "rotational-lossy-gear-demo1",
            columns(&["Inertia2.phi", "Inertia2.w"]),
            20,
        ),
        case("msl/Translational.Friction", "translational-friction", columns(&masses), 10),
        case("msl/Translational.PreLoad", "translational-pre-load", columns(&spool), 1),
        case("systems/First", "rotational-first", columns(&first), 10),
        case("systems/FirstGrounded", "rotational-first-grounded", columns(&first), 10),
        Case { text: "rotational-simple-gear-shift.toml".to_owned(), inputs: Vec::new(), ..simple_gear_shift() },
        Case { text: "translational-oscillator.toml".to_owned(), inputs: Vec::new(), ..oscillator() },
    ]
}

fn sine(amplitude: f64, f: f64, t: f64, order: i32) -> f64 {
    let omega = 2.0 * PI * f;
    amplitude * omega.powi(order) * (omega * t + f64::from(order) * PI / 2.0).sin()
}

fn simple_gear_shift() -> Case {
    fn ramp(t: f64, order: i32) -> f64 {
        match order {
            0 => (10.0 * (t - 2.0)).clamp(0.0, 1.0),
            1 if (2.0 - 1e-9..2.1 - 1e-9).contains(&t) => 10.0,
            _ => 0.0,
        }
    }
    Case {
        file: "SimpleGearShift/SimpleGearShift",
        text: "engine Inertia flange_a=torque.flange
               load Inertia J=10 flange_a=gear.carrier stateSelect=prefer
               gear IdealPlanetary ratio=1.5 sun=engine.flange_b
               clutch Clutch flange_a=gear.sun flange_b=gear.ring cgeo=2 fn_max=100
               brake Brake flange_a=gear.ring cgeo=2 fn_max=100
               torque Torque
               fan QuadraticSpeedDependentTorque flange=load.flange_b tau_nominal=-20 w_nominal=10.471975511966"
            .to_owned(),
        inputs: vec![
            Signal { name: "torque.tau", at: |t, order| if order == 0 && t >= 0.5 { 20.0 } else { 0.0 } },
            Signal { name: "clutch.f_normalized", at: ramp },
            Signal {
                name: "brake.f_normalized",
                at: |t, order| if order == 0 { 1.0 - ramp(t, 0) } else { -ramp(t, order) },
            },
        ],
        breaks: &[0.5, 2.0, 2.1],
        columns: &["time", "engine.phi", "engine.w", "load.phi", "load.w", "clutch.w_rel", "brake.mode", "clutch.mode"],
        every: 20,
        tolerance: 2e-6,
    }
}

/// A case with its inputs given by sources inside, in place of those from outside.
fn with_sources(case: Case, connections: &[(&str, &str)], sources: &str) -> Case {
    let line = |line: &str| {
        let part = line.split_whitespace().next().unwrap_or_default();
        let own = connections.iter().filter(|(input, _)| input.split_once('.').is_some_and(|(own, _)| own == part));
        let own = own.map(|(input, signal)| format!(" {}={signal}", &input[part.len() + 1..]));
        format!("{line}{}\n", own.collect::<String>())
    };
    assert!(case.inputs.iter().all(|input| connections.iter().any(|(name, _)| *name == input.name)));
    Case { text: case.text.lines().map(line).collect::<String>() + sources, inputs: Vec::new(), ..case }
}

fn simple_gear_shift_with_sources() -> Case {
    with_sources(
        simple_gear_shift(),
        &[("torque.tau", "step.y"), ("clutch.f_normalized", "shift.y"), ("brake.f_normalized", "opens.y")],
        "step Step height=20 startTime=0.5
         shift Ramp duration=0.1 startTime=2
         one Constant k=1
         opens Feedback u1=one.y u2=shift.y",
    )
}

fn test_friction_with_sources() -> Case {
    let connections = [
        ("torque1.tau", "sine.y"),
        ("torque2.tau", "sine.y"),
        ("brake.f_normalized", "step.y"),
        ("clutch.f_normalized", "step.y"),
    ];
    with_sources(test_friction(), &connections, "sine Sine amplitude=10 f=1\nstep Step height=100 startTime=0.5")
}

fn first_with_sources() -> Case {
    with_sources(first(), &[("torque.tau", "sine.y")], "sine Sine amplitude=10 f=5")
}

fn test_friction() -> Case {
    fn torque(t: f64, order: i32) -> f64 {
        sine(10.0, 1.0, t, order)
    }
    fn force(t: f64, order: i32) -> f64 {
        if order == 0 && t >= 0.5 { 100.0 } else { 0.0 }
    }
    Case {
        file: "TestFriction/TestFriction",
        text: "inertia1 Inertia flange_a=torque1.flange
               brake Brake flange_a=inertia1.flange_b
               torque1 Torque
               inertia2 Inertia flange_a=torque2.flange
               clutch Clutch flange_a=inertia2.flange_b
               inertia3 Inertia flange_a=clutch.flange_b
               torque2 Torque"
            .to_owned(),
        inputs: vec![
            Signal { name: "torque1.tau", at: torque },
            Signal { name: "torque2.tau", at: torque },
            Signal { name: "brake.f_normalized", at: force },
            Signal { name: "clutch.f_normalized", at: force },
        ],
        breaks: &[0.5],
        columns: &[
            "time", "inertia1.phi", "inertia1.w", "inertia2.phi", "inertia2.w", "clutch.phi_rel", "clutch.w_rel",
            "brake.mode", "clutch.mode",
        ],
        every: 100,
        tolerance: 2e-5,
    }
}

/// Returns the case with the housings of gear and torque connected, and standing still.
fn first() -> Case {
    train_after_torque(
        "systems/First",
        "torque Torque useSupport=true support=fixed.flange
         idealGear IdealGear ratio=10 useSupport=true support=fixed.flange\n",
    )
}

fn first_grounded() -> Case {
    train_after_torque("systems/FirstGrounded", "torque Torque\nidealGear IdealGear ratio=10\n")
}

fn train_after_torque(file: &'static str, gear: &str) -> Case {
    let rest = "inertia1 Inertia J=0.1 flange_a=torque.flange flange_b=idealGear.flange_a
                inertia2 Inertia J=2 flange_a=idealGear.flange_b stateSelect=prefer
                spring Spring c=1e4 flange_a=inertia2.flange_b
                inertia3 Inertia J=2 flange_a=spring.flange_b
                damper Damper d=10 flange_a=inertia2.flange_b flange_b=fixed.flange
                fixed Fixed";
    Case {
        file,
        text: format!("{gear}{rest}"),
        inputs: vec![Signal { name: "torque.tau", at: |t, order| sine(10.0, 5.0, t, order) }],
        breaks: &[],
        columns: &["time", "damper.phi_rel", "damper.w_rel", "inertia3.phi", "inertia3.w"],
        every: 10,
        tolerance: 5e-4,
    }
}

/// Returns the case of two masses driven at the frequency of their springs, one with a damper.
fn oscillator() -> Case {
    fn force(t: f64, order: i32) -> f64 {
        sine(1.0, 15.9155, t, order)
    }
    Case {
        file: "systems/Oscillator",
        text: "mass1 Mass L=1 s_start=-0.5
               spring1 Translational.Spring s_rel0=1 c=1e4 flange_a=mass1.flange_b flange_b=fixed1.flange
               fixed1 Translational.Fixed s0=1
               force1 Force flange=mass1.flange_a
               mass2 Mass L=1 s_start=-0.5
               spring2 Translational.Spring s_rel0=1 c=1e4 flange_a=mass2.flange_b flange_b=fixed2.flange
               damper1 Translational.Damper d=10 flange_a=mass2.flange_b flange_b=spring2.flange_b
               fixed2 Translational.Fixed s0=1
               force2 Force flange=mass2.flange_a"
            .to_owned(),
        inputs: vec![Signal { name: "force1.f", at: force }, Signal { name: "force2.f", at: force }],
        breaks: &[],
        columns: &["time", "mass1.s", "mass1.v", "damper1.s_rel", "damper1.v_rel"],
        every: 10,
        tolerance: 5e-4,
    }
}

/// Returns the case of a mechanism that moves on its own.
fn mechanism(file: &'static str, columns: &'static [&'static str], text: String) -> Case {
    Case { file, text, inputs: Vec::new(), breaks: &[], columns, every: 20, tolerance: 5e-4 }
}

fn loop_with_joint_usp() -> Case {
    let text = "world World
        revolute Revolute frame_a=world.frame_b n[1]=1 n[3]=0 w_start=5.235987755982989
        far FixedTranslation frame_a=world.frame_b r[1]=1.2
        rods JointUSP frame_a=body1.frame_b frame_b=far.frame_b n1_a[3]=-1 n_b[1]=-1 rRod1_ia[1]=1 rRod1_ia[2]=-0.3 \
            rRod1_ia[3]=0.1 rRod2_ib[1]=0 rRod2_ib[2]=0.2
        damper Translational.Damper flange_a=rods.bearing flange_b=rods.axis d=50\n"
        .to_owned()
        + &steel_rod("body1", "revolute.frame_b", [0.0, 0.5, 0.1])
        + &steel_rod("rod1", "rods.frame_ia", [1.0, -0.3, 0.1])
        + &steel_rod("rod2", "rods.frame_ib", [0.0, 0.2, 0.0]);
    let case = mechanism("FourbarVariants/JointUSP/JointUSP", &["time", "revolute.phi", "revolute.w"], text);
    Case { every: 20, ..case }
}

fn loop_with_joint_ssr() -> Case {
    let length = (1.0_f64 + 0.3 * 0.3 + 0.1 * 0.1).sqrt();
    let text = format!(
        "world World
         near FixedTranslation frame_a=world.frame_b r[1]=1
         j2 Prismatic frame_a=near.frame_b v_start=-0.2
         rods JointSSR frame_a=b1.frame_b frame_b=world.frame_b n_b[1]=1 n_b[3]=0 rRod2_ib[1]=0 rRod2_ib[2]=0.5 \
            rRod2_ib[3]=0.1 rod1Length={length:?} rod1Mass=0.1
         b2 Body frame_a=rods.frame_ib r_CM[2]=0.25 r_CM[3]=0.05 m=0.1
         b3 Body frame_a=rods.frame_im m=0.1
         damper Damper flange_a=rods.bearing flange_b=rods.axis d=0.5\n"
    ) + &steel_rod("b1", "j2.frame_b", [0.0, 0.2, 0.0]);
    let case = mechanism("FourbarVariants/JointSSR/JointSSR", &["time", "j2.s", "j2.v"], text);
    Case { every: 20, ..case }
}

/// Returns a cylinder of steel with a diameter of 0.05 m along a vector, as a body with two frames.
fn steel_rod(name: &str, frame_a: &str, r: [f64; 3]) -> String {
    let length = r.iter().map(|r| r * r).sum::<f64>().sqrt();
    let m = 7700.0 * PI * 0.025 * 0.025 * length;
    let (along, across) = (m * 0.025 * 0.025 / 2.0, m * (length * length + 3.0 * 0.025 * 0.025) / 12.0);
    let moment = |i: usize, k: usize| {
        let part = r[i] / length * (r[k] / length);
        part * along + (if i == k { 1.0 - part } else { -part }) * across
    };
    let mut text = format!("{name} BodyShape frame_a={frame_a} m={m:?}");
    for (i, r) in r.iter().enumerate() {
        text += &format!(" r[{0}]={r:?} r_CM[{0}]={1:?} I_{0}{0}={2:?}", i + 1, r / 2.0, moment(i, i));
    }
    text + &format!(" I_21={:?} I_31={:?} I_32={:?}\n", moment(1, 0), moment(2, 0), moment(2, 1))
}

/// Returns the case of two bodies on ellipses.
/// The data deviate from Kepler's ellipses themselves: those of body1 by 6e-4 of the range, those of body2, whose energy is not
/// constant either, by 3.3e-2. So only body1 is compared; orbits against closed forms are in `space/free.rs`.
fn point_gravity() -> Case {
    let columns = &["time", "body1.v_0[1]", "body1.v_0[2]"];
    Case { tolerance: 1e-3, ..mechanism("systems/PointGravity", columns, "multibody-point-gravity.toml".to_owned()) }
}

/// Returns the mechanisms that are files. The association's own comparison of the engine failed; its angle is compared.
fn mechanisms() -> Vec<Case> {
    let case = |file, columns: &[&'static str], example: &str| {
        mechanism(file, [&["time"], columns].concat().leak(), format!("multibody-{example}.toml"))
    };
    let arms = ["revolute1.phi", "revolute1.w", "revolute2.phi", "revolute2.w"];
    let turns = ["revolute.phi", "revolute.w", "rotor1D.phi", "rotor1D.w"];
    vec![
        case("systems/Pendulum", &["rev.phi", "rev.w"], "pendulum"),
        case("systems/DoublePendulum", &arms, "double-pendulum"),
        case(
            "systems/PendulumWithSpringDamper",
            &["prismatic.s", "prismatic.v", "revolute.phi", "revolute.w"],
            "pendulum-with-spring-damper",
        ),
        case("systems/Engine1b_analytic", &["inertia.phi", "inertia.w"], "engine1b-analytic"),
        case("systems/SpringMassSystem", &["p1.s", "p1.v", "p2.s", "p2.v"], "spring-mass-system"),
        case(
            "systems/SpringDamperSystem",
            &["body1.v_0[1]", "body1.v_0[2]", "body1.w_a[3]", "p2.s", "p2.v"],
            "spring-damper-system",
        ),
        case("systems/ForceAndTorque", &arms, "force-and-torque"),
        case("systems/FreeBody", &["body.v_0[1]", "body.v_0[2]", "body.v_0[3]"], "free-body"),
        case("msl/MultiBody.LineForceWithTwoMasses", &arms, "line-force-with-two-masses"),
        case("msl/MultiBody.ActuatedDrive", &turns, "actuated-drive"),
        case("msl/MultiBody.GyroscopicEffects", &turns, "gyroscopic-effects"),
        case("msl/MultiBody.Engine1a", &["inertia.phi", "inertia.w"], "engine1a"),
        case("msl/MultiBody.Fourbar2", &["j1.phi", "j1.w"], "fourbar-analytic"),
        case("msl/MultiBody.Fourbar2", &["j1.phi", "j1.w"], "fourbar2"),
        case(
            "msl/MultiBody.RevoluteConstraint",
            &["bodyOfConstraint.body.w_a[2]", "bodyOfJoint.body.w_a[2]", "joint.phi"],
            "revolute-constraint",
        ),
        case(
            "msl/MultiBody.SphericalConstraint",
            &["bodyOfConstraint.body.w_a[2]", "bodyOfConstraint.body.w_a[3]"],
            "spherical-constraint",
        ),
    ]
}
