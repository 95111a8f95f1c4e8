//! Start values of a bushing: how its second frame moves relative to the first one.

use fmu_runtime::Trial;
use fmu_runtime::lifecycle::Interface;

use super::derivatives::by_parameters_of;
use super::refused::message;
use crate::fixture::{INTERFACES, train};

const POS: [f64; 3] = [0.01, -0.03, 0.02];
const VEL: [f64; 3] = [0.3, 0.1, -0.2];
const ANG: [f64; 3] = [0.4, -0.7, 0.5];
const ANG_VEL: [f64; 3] = [1.1, -0.6, 0.9];

/// Returns the lines of a body without joints on a bushing at an arm that turns with this speed.
fn mounted(kind: &str, w: f64) -> String {
    let starts = [("InitPos", POS), ("InitVel", VEL), ("InitAng", ANG), ("InitAngVel", ANG_VEL)];
    let starts: String =
        starts.iter().flat_map(|(name, all)| (0..3).map(move |i| format!(" {name}[{}]={:?}", i + 1, all[i]))).collect();
    format!(
        "world World
         arm Revolute frame_a=world.frame_b n[1]=0.2 n[2]=0.1 phi_start=0.3 w_start={w:?}
         shelf FixedRotation frame_a=arm.frame_b r[1]=0.5 n[1]=0.3 n[2]=1 angle=35
         base Body frame_a=shelf.frame_b m=4 I_33=0.2
         top Body m=2 I_11=0.03 I_22=0.04 I_33=0.05 r_0_start[2]=1
         mount Bushing frame_a=shelf.frame_b frame_b=top.frame_a sensor_T=true sensor_Tv=true sensor_R=true sensor_Rw=true \
             MechTranTree=enforce MechRotTree=enforce AngVelType={kind}{starts} \
             TS[1]=100 TS[2]=90 TS[3]=80 TD[1]=1 TD[2]=1 TD[3]=1 RS[1]=1 RS[2]=1 RS[3]=1 RD[1]=0.1 RD[2]=0.1 RD[3]=0.1"
    )
}

/// Makes a system with angles in another sequence.
fn turned(interface: Interface, text: &str) -> Trial {
    let mut train = train(interface, text);
    for (i, axis) in [3, 1, 2].into_iter().enumerate() {
        train.set(&format!("mount.RotSeq[{}]", i + 1), axis);
    }
    train
}

fn vector(train: &mut Trial, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|i| train.real(&format!("{name}[{i}]")))
}

fn assert_close(found: [f64; 3], expected: [f64; 3], tolerance: f64) {
    let is_close = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < tolerance);
    assert!(is_close, "{found:?} {expected:?}");
}

#[test]
fn what_is_enforced_at_a_bushing_holds() {
    for interface in INTERFACES {
        for kind in ["Euler", "Inboard"] {
            let mut train = turned(interface, &mounted(kind, 2.0));
            assert_close(vector(&mut train, "mount.r_out"), POS, 1e-12);
            assert_close(vector(&mut train, "mount.v_out"), VEL, 1e-12);
            assert_close(vector(&mut train, "mount.th_out"), ANG, 1e-12);
            if kind == "Inboard" {
                assert_close(vector(&mut train, "mount.w_out"), ANG_VEL, 1e-12);
                continue;
            }
            let h = 1e-6;
            train.step(h);
            let there = vector(&mut train, "mount.th_out");
            assert_close([0, 1, 2].map(|i| (there[i] - ANG[i]) / h), ANG_VEL, 1e-3);
        }
    }
}

/// On a base that stands still, the angular velocity seen from it is that of the body.
#[test]
fn an_outboard_angular_velocity_is_that_of_the_body() {
    let text = mounted("Outboard", 0.0)
        .replace("arm Revolute", "arm FixedRotation")
        .replace("phi_start=0.3 w_start=0.0", "angle=20");
    let mut train = turned(Interface::CoSimulation, &text);
    assert_close(vector(&mut train, "top.w_a"), ANG_VEL, 1e-12);
    assert_close(vector(&mut train, "mount.th_out"), ANG, 1e-12);
}

/// Returns the lines of two bushings along x, of which the walls are 1 m apart.
fn between(one: &str, other: &str) -> String {
    format!(
        "world World gravityType=NoGravity
         slide Prismatic frame_a=world.frame_b s_start=0.7 v_start=2
         body Body frame_a=slide.frame_b
         wall FixedTranslation frame_a=world.frame_b r[1]=1
         left Bushing frame_a=world.frame_b frame_b=body.frame_a {one}
         right Bushing frame_a=wall.frame_b frame_b=body.frame_a {other}"
    )
}

#[test]
fn guesses_are_approached_in_the_sense_of_least_squares() {
    let left = "InitPos[1]=0.1 InitVel[1]=1";
    let right = "InitPos[1]=-0.6 InitVel[1]=4";
    for (kinds, expected) in
        [(["guess", "guess"], [0.25, 2.5]), (["enforce", "guess"], [0.1, 1.0]), (["guess", "enforce"], [0.4, 4.0])]
    {
        let text = between(&format!("MechTranTree={} {left}", kinds[0]), &format!("MechTranTree={} {right}", kinds[1]));
        let mut train = train(Interface::ModelExchange, &text);
        let found = ["slide.s", "slide.v"].map(|name| train.real(name));
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12), "{found:?}");
    }
    let mut ignored = train(Interface::ModelExchange, &between("", ""));
    assert_eq!(["slide.s", "slide.v"].map(|name| ignored.real(name)), [0.7, 2.0]);
    let text = between(&format!("MechTranTree=enforce {left}"), &format!("MechTranTree=enforce {right}"));
    let message = message(|| {
        train(Interface::ModelExchange, &text).real("slide.s");
    });
    let expected = "enforced start values contradict each other or what is given: left.InitPos[1] = 0.1 (nearest: 0.25";
    assert!(message.contains(expected), "{message}");
}

/// The position of a pendulum's end is given, which its angle follows if it can be there.
#[test]
fn positions_follow_through_joints_and_loops() {
    let pendulum = |x: f64, y: f64| {
        let text = format!(
            "world World
             joint Revolute frame_a=world.frame_b phi_start=0.2
             rod BodyShape frame_a=joint.frame_b r[1]=1
             mount Bushing frame_a=world.frame_b frame_b=rod.frame_b MechTranTree=enforce InitPos[1]={x:?} InitPos[2]={y:?}"
        );
        train(Interface::CoSimulation, &text)
    };
    assert!((pendulum(0.5_f64.cos(), 0.5_f64.sin()).real("joint.phi") - 0.5).abs() < 1e-9);
    let message = message(|| {
        pendulum(1.2, 0.0).real("joint.phi");
    });
    assert!(message.contains("mount.InitPos[1] = 1.2 (nearest: 1.0)"), "{message}");
    // The position of a slider-crank's piston is given, and the crank follows.
    let text = "world World gravityType=NoGravity
        crank Revolute frame_a=world.frame_b phi_start=1
        web BodyShape frame_a=crank.frame_b r[1]=0.1
        rod JointRRP frame_a=web.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.4 rRod2_ib[1]=0 s_guess=0.5
        piston Body frame_a=rod.frame_im
        mount Bushing frame_a=world.frame_b frame_b=piston.frame_a MechTranTree=guess InitPos[1]=0.45 InitVel[1]=0.3";
    let mut train = train(Interface::CoSimulation, text);
    let (phi, w) = (train.real("crank.phi"), train.real("crank.w"));
    let at = |phi: f64| 0.1 * phi.cos() + (0.16 - 0.01 * phi.sin().powi(2)).sqrt();
    assert!((at(phi) - 0.45).abs() < 1e-9, "{phi}");
    let slope = (at(phi + 1e-6) - at(phi - 1e-6)) / 2e-6;
    assert!((slope * w - 0.3).abs() < 1e-8, "{w}");
}

/// Where the body must rest, too, a guess is where the search begins, and an enforced position is refused.
#[test]
fn a_start_at_rest_takes_guesses_only() {
    let text = |kind: &str| {
        format!(
            "world World g=10
             slide Prismatic frame_a=world.frame_b n[1]=0 n[2]=1 steady=true
             body Body frame_a=slide.frame_b m=3
             mount Bushing frame_a=world.frame_b frame_b=body.frame_a TS[2]=1000 MechTranTree={kind} InitPos[2]=0.05"
        )
    };
    let mut guessed = train(Interface::CoSimulation, &text("guess"));
    assert!((guessed.real("slide.s") + 0.03).abs() < 1e-9, "{}", guessed.real("slide.s"));
    let message = message(|| {
        train(Interface::CoSimulation, &text("enforce")).real("slide.s");
    });
    assert!(message.contains("mount.InitPos[2] = 0.05 (nearest: -0.0"), "{message}");
}

/// Where the arm cannot move, the start values determine the body.
#[test]
fn the_start_has_derivatives() {
    let parameters = ["mount.InitPos[1]", "mount.InitVel[2]", "mount.InitAng[2]", "mount.InitAngVel[3]", "shelf.angle"];
    let outputs = ["top.r_0[2]", "top.v_0[1]", "top.w_a[2]", "top.Q[3]", "top.a_0[2]"];
    let text =
        format!("{}\ndrive Speed flange=arm.axis w=2", mounted("Euler", 2.0).replace(" phi_start=0.3 w_start=2.0", ""));
    by_parameters_of(|| turned(Interface::ModelExchange, &text), &parameters, &outputs);
}

/// Coordinates that nothing determines move least: a carriage and a pendulum on it, of whose end the position is given.
#[test]
fn of_all_positions_the_nearest_is_taken() {
    let text = "world World
        slide Prismatic frame_a=world.frame_b
        carriage Body frame_a=slide.frame_b
        joint Revolute frame_a=slide.frame_b
        rod BodyShape frame_a=joint.frame_b r[1]=1
        mount Bushing frame_a=world.frame_b frame_b=rod.frame_b MechTranTree=guess InitPos[1]=1.2 InitPos[2]=0.5";
    let mut train = train(Interface::CoSimulation, text);
    // With a guess of three components for two coordinates there is one solution only.
    let (s, phi) = (train.real("slide.s"), train.real("joint.phi"));
    assert!((s + phi.cos() - 1.2).abs() < 1e-9 && (phi.sin() - 0.5).abs() < 1e-9, "{s} {phi}");
    // Two joints turn about one point; their sum is given, and both bear half.
    let text = "world World
        one Revolute frame_a=world.frame_b
        disc Body frame_a=one.frame_b
        two Revolute frame_a=one.frame_b phi_start=0.2
        rod BodyShape frame_a=two.frame_b r[1]=1
        mount Bushing frame_a=world.frame_b frame_b=rod.frame_b MechTranTree=enforce InitPos[1]=0.6 InitPos[2]=0.8";
    let mut train = crate::fixture::train(Interface::CoSimulation, text);
    let sum = 0.8_f64.atan2(0.6);
    let (one, two) = (train.real("one.phi"), train.real("two.phi"));
    assert!((one - 0.5 * (sum - 0.2)).abs() < 1e-9 && (two - 0.5 * (sum + 0.2)).abs() < 1e-9, "{one} {two}");
}

/// Orientations, not angles: beyond 90 degrees of the second angle, in sequences with an axis twice, by half a turn.
#[test]
fn orientations_of_any_angles_are_reached() {
    let sequences = [[1, 2, 3], [3, 1, 3], [2, 3, 2], [3, 2, 1]];
    let half = std::f64::consts::PI;
    for angles in [
        [0.0, 2.0, 0.0],
        [0.0, 1.6, 0.0],
        [0.5, -2.5, 1.0],
        [0.0, half, 0.0],
        [half, 0.0, 0.0],
        [3.0, 0.1, -3.0],
        [0.2, 0.0, 0.1],
    ] {
        for (axes, kind) in sequences.iter().flat_map(|axes| [(axes, "guess"), (axes, "enforce")]) {
            let mut train = train(
                Interface::CoSimulation,
                &format!(
                    "world World
                     body Body m=10 I_11=1 I_22=1 I_33=1
                     mount Bushing MechTranTree=enforce MechRotTree={kind} AngVelType=Euler frame_a=world.frame_b frame_b=body.frame_a \
                         InitAngVel[1]=0.3 InitAngVel[2]=-0.2 InitAngVel[3]=0.4"
                ),
            );
            for i in 0..3 {
                train.set(&format!("mount.RotSeq[{}]", i + 1), axes[i]);
                train.set(&format!("mount.InitAng[{}]", i + 1), angles[i]);
            }
            let sequence = mechanics::euler::Sequence::new(*axes).unwrap();
            let theta = nalgebra::Vector3::from(angles);
            let expected = sequence.rotation(&theta);
            let q = nalgebra::Vector4::from([1, 2, 3, 4].map(|i| train.real(&format!("body.Q[{i}]"))));
            let found = mechanics::rotation::from_any_quaternion(&q).unwrap();
            assert!((found - expected).amax() < 1e-9, "{axes:?} {angles:?} {kind}: {found} {expected}");
            let rates = sequence.jacobian(&theta) * nalgebra::Vector3::new(0.3, -0.2, 0.4);
            let w = expected.transpose() * nalgebra::Vector3::from(vector(&mut train, "body.w_a"));
            assert!((w - rates).amax() < 1e-8, "{axes:?} {angles:?}: {w} {rates}");
        }
    }
}

/// A joint lets the body turn about one axis: it comes as close as it can, over more than a quarter of a turn.
#[test]
fn a_guessed_orientation_turns_a_joint() {
    let text = "world World gravityType=NoGravity
        joint Revolute n[2]=1 n[3]=0 frame_a=world.frame_b
        body Body m=10 I_22=1 frame_a=joint.frame_b
        mount Bushing MechRotTree=KIND InitAng[2]=2.0 frame_a=world.frame_b frame_b=body.frame_a";
    for kind in ["guess", "enforce"] {
        let mut train = train(Interface::ModelExchange, &text.replace("KIND", kind));
        assert!((train.real("joint.phi") - 2.0).abs() < 1e-9, "{}", train.real("joint.phi"));
    }
    let message = message(|| {
        train(Interface::ModelExchange, &text.replace("KIND", "enforce").replace("InitAng[2]", "InitAng[1]"))
            .real("joint.phi");
    });
    assert!(message.contains("mount.InitAng[1] = 2.0 (nearest: 0.0)"), "{message}");
}

/// The tip of a double pendulum starts at a place and at rest, whatever the angles are.
#[test]
fn the_tip_of_a_double_pendulum_starts_where_it_is_wanted() {
    let text = "world World
        one Revolute frame_a=world.frame_b phi_start=0.8
        upper BodyBox r[1]=0.5 frame_a=one.frame_b
        two Revolute frame_a=upper.frame_b phi_start=-0.6 w_start=2
        lower BodyBox r[1]=0.5 frame_a=two.frame_b
        tip FreeMotionScalarInit use_r=true use_v=true frame_a=world.frame_b frame_b=lower.frame_b r_rel_a_1.initial=enforce \
            r_rel_a_1=0.7 r_rel_a_2.initial=enforce r_rel_a_2=0.3 v_rel_a_1.initial=enforce v_rel_a_2.initial=enforce v_rel_a_2=0.4";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        let [one, two] = ["one.phi", "two.phi"].map(|name| train.real(name));
        let [x, y] = [0.5 * (one.cos() + (one + two).cos()), 0.5 * (one.sin() + (one + two).sin())];
        assert!((x - 0.7).abs() < 1e-9 && (y - 0.3).abs() < 1e-9, "{x} {y}");
        for (name, expected) in [("r_rel_a_1", 0.7), ("r_rel_a_2", 0.3), ("v_rel_a_1", 0.0), ("v_rel_a_2", 0.4)] {
            let found = train.real(&format!("tip.{name}"));
            assert!((found - expected).abs() < 1e-9, "{name}: {found}");
        }
        // The elbow is on the side of the start values.
        assert!(two < 0.0 && train.real("two.w") != 2.0);
    }
}

/// Single angles and rates of angles of a free body; the others move least.
#[test]
fn single_angles_start_where_they_are_wanted() {
    let text = "world World gravityType=NoGravity
        body Body I_11=1 I_22=2 I_33=3 angles_start[1]=0.1 angles_start[2]=0.2 angles_start[3]=-0.3
        starts FreeMotionScalarInit use_angle=true use_angle_d=true use_w=true frame_a=world.frame_b frame_b=body.frame_a \
            angle_1.initial=enforce angle_1=0.4 angle_2.initial=enforce angle_2=-0.5 angle_d_3.initial=enforce angle_d_3=2 \
            w_rel_b_1.initial=enforce w_rel_b_1=0.3";
    for interface in INTERFACES {
        let mut train = train(interface, text);
        train.set_tolerance(1e-10);
        for (name, expected) in [("angle_1", 0.4), ("angle_2", -0.5), ("angle_d_3", 2.0), ("w_rel_b_1", 0.3)] {
            let found = train.real(&format!("starts.{name}"));
            assert!((found - expected).abs() < 1e-9, "{name}: {found}");
        }
        let before = train.real("starts.angle_3");
        let h = 1e-5;
        train.step(h);
        let rate = (train.real("starts.angle_3") - before) / h;
        assert!((rate - 2.0).abs() < 1e-3, "{rate}");
    }
}

#[test]
fn start_values_of_a_tip_out_of_reach_are_refused() {
    let message = message(|| {
        let text = "world World
            one Revolute frame_a=world.frame_b
            upper BodyShape r[1]=0.5 r_CM[1]=0.2 frame_a=one.frame_b
            tip FreeMotionScalarInit use_r=true frame_a=world.frame_b frame_b=upper.frame_b r_rel_a_1.initial=enforce r_rel_a_1=0.7";
        train(Interface::CoSimulation, text).real("one.phi");
    });
    assert!(message.contains("tip.r_rel_a_1 = 0.7"), "{message}");
}
