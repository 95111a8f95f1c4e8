//! Bushings between frames of a mechanism.

use bushing::Bushing;
use fmu_runtime::Trial;
use fmu_runtime::configuration::Configuration;
use fmu_runtime::lifecycle::Interface;
use fmu_runtime::model::Layout;

use super::derivatives::{by_inputs, by_parameters};
use super::energy::{drift, of_body};
use crate::fixture::{INTERFACES, free, train};

/// Returns a body of 10 kg on four bushings at its corners, with the component's default stiffness.
fn carrier() -> String {
    let mut text = free("carrier", "")
        + "world World
        body Body m=10 I_11=0.2 I_22=0.3 I_33=0.25 frame_a=carrier_about_z.frame_b
        road WorldForce frame_b=contact.frame_b
        contact FixedTranslation r[2]=-0.3 frame_a=body.frame_a\n";
    for (i, [x, z]) in [[0.2, 0.15], [-0.2, 0.15], [-0.2, -0.15], [0.2, -0.15]].into_iter().enumerate() {
        text += &format!(
            "wall{i} MultiBody.Fixed r[1]={x:?} r[3]={z:?}
             eye{i} FixedTranslation r[1]={x:?} r[3]={z:?} frame_a=body.frame_a
             mount{i} Bushing frame_a=wall{i}.frame_b frame_b=eye{i}.frame_b\n"
        );
    }
    text
}

/// The road pushes with 1 kHz, as far as a communication step sees it.
#[test]
fn a_wheel_carrier_is_stable_at_any_communication_step() {
    let mut rests = Vec::new();
    for h in [1e-4, 1e-3, 1e-2, 1e-1] {
        let mut train = train(Interface::CoSimulation, &carrier());
        let steps = (0.05_f64 / h).ceil() as usize;
        let mut largest = 0.0_f64;
        for k in 0..steps {
            let omega = 2.0 * std::f64::consts::PI * 1000.0;
            let t = k as f64 * h;
            let at = |order: i32| {
                2000.0 * omega.powi(order) * (omega * t + f64::from(order) * std::f64::consts::FRAC_PI_2).sin()
            };
            train.set("road.force[2]", at(0));
            if h < 2e-4 {
                train.set_derivatives("road.force[2]", &[1, 2, 3, 4].map(at));
            }
            train.step(h);
            largest = largest.max(train.real("body.r_0[2]").abs());
        }
        assert!(largest < 1e-3, "{h}: {largest}");
        train.set("road.force[2]", 1000.0);
        train.step(0.3);
        rests.push(train.real("body.r_0[2]"));
    }
    // Four springs bear what is not weight.
    let expected = (1000.0 - 10.0 * 9.80665) / (4.0 * 4.5e6);
    for rest in rests {
        assert!((rest - expected).abs() < 1e-6 * expected.abs().max(1e-3), "{rest} {expected}");
    }
}

#[test]
fn a_body_on_a_bushing_swings_as_a_spring_and_mass() {
    for interface in INTERFACES {
        let text = "world World gravityType=NoGravity
            slide Prismatic frame_a=world.frame_b s_start=1e-3
            body Body m=2 frame_a=slide.frame_b
            mount Bushing TD[1]=0 frame_a=world.frame_b frame_b=body.frame_a";
        let mut train = train(interface, text);
        train.set_tolerance(1e-9);
        let omega = (4.5e6_f64 / 2.0).sqrt();
        train.step(0.01);
        let expected = 1e-3 * (omega * 0.01).cos();
        assert!((train.real("slide.s") - expected).abs() < 1e-7, "{} {expected}", train.real("slide.s"));
        let f = train.real("mount.frame_a.f[1]");
        assert!((f + 4.5e6 * train.real("slide.s")).abs() < 1e-6);
    }
}

#[test]
fn a_body_on_a_bushing_keeps_its_energy() {
    let text = free("one", "s_start=0.3;s_start=-0.2;v_start=1;w_start=1;phi_start=0.3;w_start=-2")
        + "world World g=9.81
        body Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25
        arm FixedTranslation frame_a=world.frame_b r[1]=0.1
        mount Bushing momentLaw=gimbal sensor_T=true sensor_R=true frame_a=arm.frame_b frame_b=body.frame_a \
            TS[1]=100 TS[2]=80 TS[3]=60 RS[1]=10 RS[2]=12 RS[3]=8 TD[1]=0 TD[2]=0 TD[3]=0 RD[1]=0 RD[2]=0 RD[3]=0 r0[2]=0.1";
    let energy = |train: &mut Trial| {
        let body = of_body(train, "body", [2.0, 0.1, 0.2, 0.25], [9.81, 0.0]);
        let mut spring = |i: usize, [c, k]: [f64; 2], rest: f64| {
            let x = train.real(&format!("mount.r_out[{i}]")) - rest;
            let theta = train.real(&format!("mount.th_out[{i}]"));
            0.5 * (c * x * x + k * theta * theta)
        };
        let stored = spring(1, [100.0, 10.0], 0.0) + spring(2, [80.0, 12.0], 0.1) + spring(3, [60.0, 8.0], 0.0);
        [body + stored, body - 2.0 * 9.81 * train.real("body.r_0[2]")]
    };
    let drift = drift(&text, 1e-11, energy);
    assert!(drift < 1e-9, "{drift:e}");
}

/// Coefficients from the default tables are the constant ones, and curves through the same points too.
#[test]
fn tables_and_curves_act_as_the_constants_that_they_contain() {
    let text = |options: &str| {
        free("one", "s_start=1e-3;;s_start=-1e-3;w_start=1;phi_start=0.01;")
            + "world World\nbody Body frame_a=one_about_z.frame_b m=2 I_11=0.1 I_22=0.2 I_33=0.25\n"
            + &format!("mount Bushing frame_a=world.frame_b frame_b=body.frame_a {options}")
    };
    let motion = |options: &str| {
        let mut train = train(Interface::CoSimulation, &text(options));
        train.set_tolerance(1e-9);
        train.step(0.01);
        ["one_x.s", "one_y.s", "one_about_x.phi", "one_about_y.w"].map(|name| train.real(name))
    };
    let constant = motion("");
    let tables = "nonlinear_TS=true nonlinear_TD=true nonlinear_RS=true nonlinear_RD=true";
    for options in [tables, "law_TS=curve law_RS=curve", "nonlinear_TS=true DCM_TS=input"] {
        let varying = motion(options);
        let close = constant.iter().zip(&varying).all(|(one, other)| (one - other).abs() < 1e-8);
        assert!(close, "{options}: {constant:?} {varying:?}");
    }
}

const MOUNTED: &str = "world World g=9.81
    post Revolute frame_a=world.frame_b n[1]=1 n[2]=0 n[3]=1 phi_start=0.1 w_start=1.2
    arm BodyShape frame_a=post.frame_b r[1]=0.6 r_CM[1]=0.3 m=2 I_11=0.1 I_22=0.2 I_33=0.2
    hinge Revolute frame_a=arm.frame_b n[1]=0 n[2]=1 n[3]=0.3 w_start=-1
    hand Body frame_a=hinge.frame_b r_CM[3]=0.3 m=1 I_11=0.1 I_22=0.1 I_33=0.1
    wall MultiBody.Fixed r[1]=0.5 r[2]=0.1
    mount Bushing nonlinear_TS=true DCM_TS=input sensor_R=true frame_a=wall.frame_b frame_b=hand.frame_a \
        K_in[1]=400 K_in[2]=300 K_in[3]=200 TD[1]=20 TD[2]=10 TD[3]=30 RS[1]=20 RS[2]=30 RS[3]=10 RD[1]=1 RD[2]=2 RD[3]=3
    motor WorldForceAndTorque frame_b=hand.frame_a";

#[test]
fn derivatives_are_those_of_differences() {
    let outputs =
        ["post.a", "hinge.a", "mount.frame_a.f[2]", "mount.frame_b.t[1]", "mount.th_out[2]", "mount.lossPower"];
    let mut model = train(Interface::ModelExchange, MOUNTED);
    model.step(0.1);
    by_inputs(&mut model, &["motor.force[1]", "motor.torque[2]", "mount.K_in[1]", "mount.K_in[2]"], &outputs);
    let parameters = [
        "post.phi_start", "hinge.w_start", "mount.TD[1]", "mount.RS[2]", "mount.r0[1]", "mount.theta0[2]", "wall.r[1]",
    ];
    by_parameters(MOUNTED, &parameters, &outputs);
}

/// At rest the springs bear the weight.
#[test]
fn a_mounted_body_starts_at_rest() {
    let mut train = train(Interface::CoSimulation, &(carrier() + "steady true"));
    let expected = -10.0 * 9.80665 / (4.0 * 4.5e6);
    assert!((train.real("body.r_0[2]") - expected).abs() < 1e-12, "{}", train.real("body.r_0[2]"));
    train.step(0.1);
    assert!((train.real("body.r_0[2]") - expected).abs() < 1e-9);
}

const ONE: &str = "world World
    slide Prismatic frame_a=world.frame_b
    body Body frame_a=slide.frame_b
    mount Bushing frame_a=world.frame_b frame_b=body.frame_a ";

/// Integrates a body of 1 kg with an element between it and the wall by Runge and Kutta's method; returns position, velocity and
/// inner point after 0.2 s.
fn with_element(start: [f64; 2], rate: impl Fn(f64, f64) -> f64) -> [f64; 3] {
    let rates = |[x, v, q]: [f64; 3]| [v, -400.0 * x - 900.0 * (x - q), rate(x - q, v)];
    let moved = |x: [f64; 3], k: [f64; 3], h: f64| [0, 1, 2].map(|i| x[i] + h * k[i]);
    let (h, mut x) = (1e-5, [start[0], start[1], start[0]]);
    for _ in 0..20_000 {
        let k1 = rates(x);
        let k2 = rates(moved(x, k1, h / 2.0));
        let k3 = rates(moved(x, k2, h / 2.0));
        let k4 = rates(moved(x, k3, h));
        x = [0, 1, 2].map(|i| x[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    x
}

/// Elements parallel to the springs begin without load, and their inner points are states.
#[test]
fn a_maxwell_element_and_friction_resist_as_integrated() {
    let base = ONE
        .replace("slide Prismatic", "slide Prismatic s_start=0.01 v_start=0.3")
        .replace("body Body", "body Body m=1")
        + "TS[1]=400 TD[1]=0 ";
    let maxwell = "maxwell_T=1 TS_maxwell_1[1]=900 Ttau_maxwell_1[1]=0.05";
    let friction = "friction_T=true TS_friction[1]=900 TF_friction[1]=4.5";
    let by_maxwell = with_element([0.01, 0.3], |gap, _| gap / 0.05);
    let by_friction = with_element([0.01, 0.3], |gap, v| v.abs() * 900.0 * gap / 4.5);
    for interface in INTERFACES {
        for (element, inner, expected) in
            [(maxwell, "mount.s_maxwell_1[1]", by_maxwell), (friction, "mount.s_friction[1]", by_friction)]
        {
            let mut train = train(interface, &(base.clone() + element));
            train.set_tolerance(1e-10);
            assert!(
                (train.real("mount.frame_b.f[1]") - 400.0 * 0.01).abs() < 1e-9,
                "{}",
                train.real("mount.frame_b.f[1]")
            );
            (0..20).for_each(|_| train.step(0.01));
            let found = ["slide.s", "slide.v", inner].map(|name| train.real(name));
            let close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
            assert!(close, "{interface:?} {element}: {found:?} {expected:?}");
        }
    }
}

/// At rest elements parallel to the springs bear nothing.
#[test]
fn a_body_with_maxwell_elements_starts_at_rest_on_the_springs() {
    let text = carrier().replace("Bushing", "Bushing maxwell_T=2 friction_R=true") + "steady true";
    let mut train = train(Interface::CoSimulation, &text);
    let expected = -10.0 * 9.80665 / (4.0 * 4.5e6);
    assert!((train.real("body.r_0[2]") - expected).abs() < 1e-9, "{}", train.real("body.r_0[2]"));
    train.step(0.1);
    assert!((train.real("body.r_0[2]") - expected).abs() < 1e-9);
}

#[test]
fn derivatives_with_elements_are_those_of_differences() {
    let text = MOUNTED.replace(
        "sensor_R=true",
        "sensor_R=true maxwell_T=1 maxwell_R=1 friction_T=true TS_maxwell_1[2]=300 TF_friction[1]=20 TS_friction[1]=500",
    );
    let outputs =
        ["post.a", "hinge.a", "mount.frame_a.f[2]", "mount.frame_b.t[1]", "mount.lossPower", "mount.v_maxwell_1[2]"];
    let mut model = train(Interface::ModelExchange, &text);
    model.step(0.1);
    by_inputs(&mut model, &["motor.force[1]", "mount.K_in[2]"], &outputs);
    by_parameters(&text, &["mount.TS_maxwell_1[1]", "mount.Ttau_maxwell_1[2]", "post.phi_start"], &outputs);
}

#[test]
#[should_panic = "unknown structure option \"orientation\""]
fn the_orientation_of_frames_is_that_of_the_mechanism() {
    train(Interface::CoSimulation, &(ONE.to_owned() + "orientation=quaternion"));
}

/// theta0 with a second angle beyond 90 degrees, or below 0 where an axis is there twice: no moment where frame_b is turned by
/// it, as component and as part, and a small one nearby.
#[test]
fn the_undeformed_pose_has_no_moment() {
    let poses = [
        ([1, 2, 3], [0.0, 2.0, 0.0]),
        ([3, 2, 1], [0.4, -2.5, 1.0]),
        ([3, 1, 3], [0.3, -0.5, 0.2]),
        ([1, 2, 3], [0.4, 0.7, 1.0]),
    ];
    for ((axes, theta0), law) in poses.into_iter().flat_map(|pose| [(pose, "literal"), (pose, "gimbal")]) {
        let sequence = mechanics::euler::Sequence::new(axes).unwrap();
        let near = nalgebra::Vector3::from(theta0) + nalgebra::Vector3::new(1e-4, -2e-4, 1e-4);
        for (angles, largest) in [(nalgebra::Vector3::from(theta0), 1e-6), (near, 5.0)] {
            let rotation = sequence.rotation(&angles);
            let mut component = Trial::new::<Bushing<f64>>(&[("momentLaw", law)]);
            let part = format!(
                "world World gravityType=NoGravity
                 body Body m=10 I_11=1 I_22=1 I_33=1
                 mount Bushing momentLaw={law} MechRotTree=enforce frame_a=world.frame_b frame_b=body.frame_a"
            );
            let mut part = train(Interface::CoSimulation, &part);
            for i in 0..3 {
                component.set(&format!("RotSeq[{}]", i + 1), axes[i]);
                component.set(&format!("theta0[{}]", i + 1), theta0[i]);
                part.set(&format!("mount.RotSeq[{}]", i + 1), axes[i]);
                part.set(&format!("mount.theta0[{}]", i + 1), theta0[i]);
                part.set(&format!("mount.InitAng[{}]", i + 1), angles[i]);
                for j in 0..3 {
                    component.set(&format!("frame_b.R.T[{},{}]", i + 1, j + 1), rotation[(i, j)]);
                }
            }
            let moments =
                [component.real("frame_b.t[1]"), component.real("frame_b.t[2]"), component.real("frame_b.t[3]")];
            let of_part = [1, 2, 3].map(|i| part.real(&format!("mount.frame_b.t[{i}]")));
            for moments in [moments, of_part] {
                let is_right = moments.iter().all(|moment| moment.abs() < largest);
                assert!(is_right, "{axes:?} {theta0:?} {law}: {moments:?} instead of at most {largest} N.m");
            }
            assert!(component.warnings().is_empty() && part.warnings().is_empty());
        }
    }
}

/// A bushing or gripper that turns past the singularity of its angles is reported: there the moments jump.
#[test]
fn passing_the_singularity_is_reported() {
    for (kind, name) in [("Bushing", "mount"), ("Gripper", "mount")] {
        for interface in INTERFACES {
            let text = format!(
                "world World gravityType=NoGravity
                 joint Revolute n[2]=1 n[3]=0 frame_a=world.frame_b
                 body Body I_22=1 frame_a=joint.frame_b
                 drive Speed w=1 phi_start=1.4 flange=joint.axis
                 mount {kind} frame_a=world.frame_b frame_b=body.frame_a"
            );
            let mut train = train(interface, &text);
            if kind == "Gripper" {
                train.set("mount.active", true);
                train.set("mount.useMoment", true);
            }
            (0..8).for_each(|_| train.step(0.05));
            let warnings = train.warnings();
            let expected = format!(
                "{name}: the Euler angles in the sequence [1, 2, 3] have passed their singularity (theta_2 = 1.5"
            );
            assert!(warnings.len() == 1 && warnings[0].starts_with(&expected), "{warnings:?}");
            assert!(warnings[0].contains("theta_1 jumps from "), "{warnings:?}");
        }
    }
}

/// A gripper that is open, or has no moments, turns past the singularity without any jump.
#[test]
fn an_open_gripper_passes_the_singularity_silently() {
    for interface in INTERFACES {
        for settings in [["mount.useMoment"].as_slice(), &["mount.active"], &[]] {
            let mut train = train(
                interface,
                "world World gravityType=NoGravity
                 joint Revolute n[2]=1 n[3]=0 frame_a=world.frame_b
                 body Body I_22=1 frame_a=joint.frame_b
                 drive Speed w=1 phi_start=1.4 flange=joint.axis
                 mount Gripper frame_a=world.frame_b frame_b=body.frame_a",
            );
            settings.iter().for_each(|name| train.set(name, true));
            (0..8).for_each(|_| train.step(0.05));
            assert_eq!(train.warnings(), [""; 0], "{settings:?}");
        }
    }
}

#[test]
fn a_singular_undeformed_pose_is_reported() {
    let mut model = systems::system(Vec::new());
    for (option, value) in [
        ("world.type", "World"),
        ("body.type", "Body"),
        ("mount.type", "Bushing"),
        ("mount.frame_a", "world.frame_b"),
        ("mount.frame_b", "body.frame_a"),
    ] {
        model.set_structure(option, value).unwrap();
    }
    let text = format!("start mount.theta0[2] {:016x} pi/2\n", std::f64::consts::FRAC_PI_2.to_bits());
    let configuration = Configuration::parse(&text).unwrap();
    let layout = Layout::new(&|visitor| model.declare(visitor), &configuration).unwrap();
    let warnings = model.validate_configuration(&layout.start);
    let expected =
        "theta0[2] = 1.5707963267948966 rad is where the Euler angles in the sequence [1, 2, 3] are singular";
    assert!(warnings.as_ref().is_ok_and(|all| all[0].contains(expected)), "{warnings:?}");
}
