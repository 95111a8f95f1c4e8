//! Loops at their dead centres, where both configurations meet.

use std::f64::consts::{PI, TAU};

use fmu_runtime::Trial;
use proptest::prelude::*;

use super::refused::message;
use crate::fixture::{INTERFACES, train};

/// A crank, and a mass that moves as far as the rod takes it. At 90 deg a rod of the crank's length is perpendicular to the
/// slide, and could turn about the bearing from there on.
const CRANK: &str = "world World gravityType=NoGravity
    bearing Revolute frame_a=world.frame_b w_start=3
    crank BodyShape frame_a=bearing.frame_b r[1]=0.1 r_CM[1]=0.05 m=0.4 I_33=0.004
    piston Body frame_a=rod.frame_ib m=0.5\n";

const EQUAL_ROD: &str =
    "rod JointRRP frame_a=crank.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.1 rRod2_ib[1]=0 s_guess=0.2";

/// A parallelogram: rocker and crank are as long as each other, and so are coupler and ground. At 0 and 180 deg all are in line.
const PARALLELOGRAM: &str = "world World gravityType=NoGravity
    bearing Revolute frame_a=world.frame_b phi_start=1 w_start=3
    crank BodyShape frame_a=bearing.frame_b r[1]=0.2 m=1 I_33=0.01
    ground FixedTranslation frame_a=world.frame_b r[1]=0.5
    rocker Body frame_a=rods.frame_ib r_CM[1]=0.1 m=2 I_33=0.02
    coupler Body frame_a=rods.frame_im m=0.7\n";

const EQUAL_RODS: &str =
    "rods JointRRR frame_a=crank.frame_b frame_b=ground.frame_b rRod1_ia[1]=0.5 rRod2_ib[1]=0.2 phi_guess=57";

/// Returns the energy of the crank by the square of its angular velocity, where the piston moves with this slope.
fn inertia(slope: f64) -> f64 {
    0.5 * (0.004 + 0.4 * 0.05 * 0.05 + 0.5 * slope * slope)
}

/// Returns the difference of an angle to another one, without full turns.
fn difference(one: f64, other: f64) -> f64 {
    (one - other + PI).rem_euclid(TAU) - PI
}

/// Turns a crank and checks that the piston follows at `0.2 cos(phi)`.
fn check_crank(train: &mut Trial, h: f64, accuracy: f64) {
    while train.real("bearing.phi") < 8.0 {
        train.step(h);
        let (phi, w) = (train.real("bearing.phi"), train.real("bearing.w"));
        let expected = 3.0 * (inertia(0.0) / inertia(0.2 * phi.sin())).sqrt();
        assert!((w - expected).abs() < accuracy, "{h}: {w} at {phi}, not {expected}");
        let [d, expected] = [train.real("rod.distance"), 0.2 * phi.cos()];
        // Within 2e-4 rad of a dead centre outputs are kept.
        assert!((d - expected).abs() < 1e-9 || phi.cos().abs() < 4e-4, "{h}: {d} at {phi}, not {expected}");
    }
}

#[test]
fn a_crank_takes_a_rod_of_its_length_through_the_dead_centre() {
    for interface in INTERFACES {
        for h in [1e-3, 1e-2, 0.1, 0.3] {
            for tolerance in [1e-4, 1e-6, 1e-10] {
                let mut train = train(interface, &(CRANK.to_owned() + EQUAL_ROD));
                train.set_tolerance(tolerance);
                check_crank(&mut train, h, 50.0 * tolerance + 1e-6);
            }
        }
    }
}

/// Crank and rod of equal length, whose velocities are those of one energy: the time of the passage is an integral.
///
/// The passage itself is exact to 1e-8 s, as tight integration shows. Until then, the motion in Co-Simulation differs by some
/// times the tolerance, with any step; so does the time.
#[test]
fn the_dead_centre_of_a_crank_has_one_time() {
    // By Simpson's rule, from (J + m (0.2 sin(phi))^2) w^2 = J w_start^2, with J = 0.001 kg.m2 and m = 1 kg.
    let pace = |phi: f64| (1.0 + 40.0 * phi.sin().powi(2)).sqrt() / 3.0;
    let (count, end) = (2000, 0.5 * PI);
    let weight = |i: u32| if i == 0 || i == count { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let width = end / f64::from(count);
    let expected: f64 = (0..=count).map(|i| weight(i) * pace(width * f64::from(i)) * width / 3.0).sum();
    let text = "world World
        bearing Revolute frame_a=world.frame_b w_start=3
        crank BodyShape frame_a=bearing.frame_b r[1]=0.1
        rod JointRRP frame_a=crank.frame_b frame_b=world.frame_b n_b[1]=1 rRod1_ia[1]=0.1 rRod2_ib[1]=0 s_guess=0.2
        piston Body frame_a=rod.frame_ib m=1";
    for interface in INTERFACES {
        for h in [1e-3, 1e-2, 1e-1] {
            for tolerance in [1e-4, 1e-6, 1e-10] {
                let mut train = train(interface, text);
                train.set_tolerance(tolerance);
                (0..(3.0 / h) as u32).for_each(|_| train.step(h));
                let warnings = train.warnings();
                let [warning] = &warnings[..] else { panic!("{interface:?} {h} {tolerance}: {warnings:?}") };
                let (said, time) = warning.split_once(", at ").expect("a time");
                assert!(said.contains("\"rod\" has passed its dead centre"), "{warning}");
                let time: f64 = time.split_once(" s").expect("in seconds").0.parse().expect("a time");
                let bound = 1e-8 + if interface == INTERFACES[0] { 3.0 * tolerance.min(1e-7) } else { 0.0 };
                assert!((time - expected).abs() < bound, "{interface:?} {h} {tolerance}: {time} instead of {expected}");
            }
        }
    }
}

#[test]
fn assemblies_in_space_pass_as_those_in_a_plane() {
    let axis = "n_b[1]=1 n_b[3]=0";
    for rod in [
        "JointUSP n_b[1]=1 rRod1_ia[1]=0.1 rRod2_ib[1]=0 s_guess=0.2".to_owned(),
        format!("JointSSP {axis} rod1Length=0.1 rRod2_ib[1]=0 s_guess=0.2"),
    ] {
        let text = format!("{CRANK}rod {rod} frame_a=crank.frame_b frame_b=world.frame_b");
        for interface in INTERFACES {
            check_crank(&mut train(interface, &text), 0.02, 1e-4);
        }
    }
    for rods in [
        "JointUSR rRod1_ia[1]=0.5 rRod2_ib[1]=0.2 phi_guess=57",
        "JointSSR rod1Length=0.5 rRod2_ib[1]=0.2 phi_guess=57",
    ] {
        let text = format!("{PARALLELOGRAM}rods {rods} frame_a=crank.frame_b frame_b=ground.frame_b");
        for interface in INTERFACES {
            check_parallelogram(&mut train(interface, &text), 0.02, 1e-5);
        }
    }
}

fn check_parallelogram(train: &mut Trial, h: f64, accuracy: f64) {
    while train.real("bearing.phi") < 8.0 {
        train.step(h);
        let (phi, w) = (train.real("bearing.phi"), train.real("bearing.w"));
        assert!((w - 3.0).abs() < accuracy, "{h}: {w} at {phi}");
        let error = difference(train.real("rods.angle"), phi);
        assert!(error.abs() < accuracy || phi.sin().abs() < 4e-4, "{h}: {error} at {phi}");
    }
}

#[test]
fn a_parallelogram_stays_one() {
    for interface in INTERFACES {
        for (h, tolerance) in [(1e-3, 1e-8), (0.01, 1e-4), (0.01, 1e-8), (0.1, 1e-6), (0.3, 1e-4), (0.3, 1e-10)] {
            let mut train = train(interface, &(PARALLELOGRAM.to_owned() + EQUAL_RODS));
            train.set_tolerance(tolerance);
            check_parallelogram(&mut train, h, 5.0 * tolerance + 5e-7);
        }
    }
}

/// Four rods of equal length fold where the crank's end meets the rocker's bearing: as the crank goes on, so does the
/// rocker, which otherwise would turn back by half a turn at once.
#[test]
fn a_rhombus_stays_one_where_its_rods_fold() {
    let equal = PARALLELOGRAM.replace("r[1]=0.5", "r[1]=0.2");
    for rods in ["JointRRR rRod1_ia[1]=0.2", "JointUSR rRod1_ia[1]=0.2", "JointSSR rod1Length=0.2"] {
        let text =
            format!("{equal}rods {rods} rRod2_ib[1]=0.2 phi_guess=57 frame_a=crank.frame_b frame_b=ground.frame_b");
        for interface in INTERFACES {
            for h in [1e-3, 0.02, 0.3] {
                check_parallelogram(&mut train(interface, &text), h, 1e-5);
            }
        }
    }
}

/// The piston of a longer rod stays on its side, even if it turns back within a millionth of the way.
#[test]
fn a_loop_that_misses_its_dead_centre_stays_in_its_configuration() {
    for excess in [1e-2, 1e-3, 1e-5] {
        let length = 0.1 + 0.1 * excess;
        let text = CRANK.to_owned() + &EQUAL_ROD.replace("rRod1_ia[1]=0.1", &format!("rRod1_ia[1]={length}"));
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            train.set_tolerance(1e-9);
            while train.real("bearing.phi") < 8.0 {
                train.step(0.01);
                let (phi, w) = (train.real("bearing.phi"), train.real("bearing.w"));
                let root = (length * length - (0.1 * phi.sin()).powi(2)).sqrt();
                let slope = -0.1 * phi.sin() - 0.01 * phi.sin() * phi.cos() / root;
                let expected = 3.0 * (inertia(0.0) / inertia(slope)).sqrt();
                assert!((w - expected).abs() < 1e-5, "{excess}: {w} at {phi}, not {expected}");
                assert!((train.real("rod.distance") - 0.1 * phi.cos() - root).abs() < 1e-9);
            }
        }
    }
}

/// Returns the message with which all runs of a system end, and checks that they end at the same time.
fn end(text: &str, part: &str, accuracy: f64) -> String {
    let mut messages = Vec::new();
    for interface in INTERFACES {
        for (h, tolerance) in [(1e-3, 1e-6), (0.01, 1e-4), (0.1, 1e-10), (0.3, 1e-4), (0.3, 1e-8)] {
            let message = message(|| {
                let mut train = train(interface, text);
                train.set_tolerance(tolerance);
                (0..5000).for_each(|_| train.step(h));
            });
            let (reason, time) = message.rsplit_once(", at ").expect("a time");
            assert!(reason.starts_with(&format!("\"{part}\": ")), "{message}");
            let time: f64 = time.split_once(" s").expect("in seconds").0.parse().expect("a time");
            messages.push((reason.to_owned(), time));
        }
    }
    let times: Vec<_> = messages.iter().map(|(_, time)| *time).collect();
    assert!(times.iter().all(|time| (time - times[0]).abs() < accuracy), "{times:?}");
    messages.swap_remove(0).0
}

/// A piston without mass does not hold a crank whose rod is too short.
#[test]
fn a_loop_ends_where_it_cannot_be_closed_beyond() {
    let text = CRANK.replace("piston Body frame_a=rod.frame_ib m=0.5\n", "")
        + &EQUAL_ROD.replace("rRod1_ia[1]=0.1", "rRod1_ia[1]=0.09");
    let reason = end(&text, "rod", 1e-6);
    assert!(reason.contains("dead centre, where both configurations meet: rod 1 is 0.09 m long"), "{reason}");
}

#[test]
fn a_telescope_ends_where_its_ends_meet() {
    let text = "world World gravityType=NoGravity
        slide Prismatic frame_a=world.frame_b s_start=-1 v_start=3
        body Body frame_a=slide.frame_b m=1
        leg JointUPS frame_a=world.frame_b frame_b=slide.frame_b";
    let reason = end(text, "leg", 1e-9);
    assert!(reason.contains("the origins of frame_a and frame_b are "), "{reason}");
    // Beside the other end it is regular, at any distance.
    for interface in INTERFACES {
        for aside in [1e-3, 0.1_f64] {
            let text = text.replace("frame_b=slide.frame_b", "frame_b=arm.frame_b")
                + &format!("\narm FixedTranslation frame_a=slide.frame_b r[1]=0 r[2]={aside}");
            let mut train = train(interface, &text);
            train.step(0.5);
            assert!((train.real("leg.axisLength") - aside.hypot(0.5)).abs() < 1e-9);
        }
    }
}

/// Returns the lines of a rocker that its crank swings: where rocker and crank are in line, the rocker turns back.
fn four_bar([crank, coupler, rocker]: [f64; 3], phi: f64) -> String {
    format!(
        "world World gravityType=NoGravity
        one Revolute frame_a=world.frame_b phi_start={phi} w_start=1
        arm BodyShape frame_a=one.frame_b r[1]={rocker} m=0.1 I_33=0.02
        ground FixedTranslation frame_a=world.frame_b r[1]=1
        rods JointRRR frame_a=arm.frame_b frame_b=ground.frame_b rRod1_ia[1]={coupler} rRod2_ib[1]={crank} phi_guess=60
        wheel Body frame_a=rods.frame_ib m=0.1 I_33=0.05"
    )
}

fn energy(train: &mut Trial) -> f64 {
    let [one, other] = ["one.w", "rods.axis.w"].map(|name| train.real(name));
    0.5 * (0.02 * one * one + 0.05 * other * other)
}

/// The angle of the rocker does not tell where the crank goes on. Its mass matrix is infinite there, so the time is less exact.
#[test]
fn a_loop_ends_where_its_joints_turn_back() {
    let reason = end(&four_bar([0.3, 0.9, 0.8], 1.0), "rods", 1e-3);
    assert!(reason.contains("dead centre, where both configurations meet"), "{reason}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Energy and angle jump where a loop changes its configuration, or keeps it where it should not.
    #[test]
    fn no_loop_changes_its_configuration_silently(
        lengths in [0.3..1.6_f64, 0.3..1.6, 0.3..1.6],
        phi in -3.0..3.0_f64,
        interface in prop::sample::select(&INTERFACES[..]),
        h in prop::sample::select(&[0.01, 0.1, 0.3][..]),
    ) {
        let run = std::panic::catch_unwind(|| {
            let mut train = train(interface, &four_bar(lengths, phi));
            train.set_tolerance(1e-8);
            let begin = energy(&mut train);
            for _ in 0..(10.0 / h) as usize {
                train.step(h);
                let now = energy(&mut train);
                assert!((now - begin).abs() < 1e-3 * begin, "energy: {now} {begin}");
            }
        });
        if let Err(reason) = run {
            let message = reason.downcast_ref::<String>().expect("a message");
            prop_assert!(message.starts_with("\"rods\": "), "{}", message);
        }
    }
}

/// Returns the lines of a crank whose angle is given: a sine of this amplitude, offset and phase.
fn given(amplitude: f64, offset: f64, phase: f64) -> String {
    format!(
        "{}{}
        motion Position exact=yes phi_ref=swing.y flange=bearing.axis
        swing Sine amplitude={amplitude} f=0.3 offset={offset} phase={phase}",
        CRANK.replace(" w_start=3", ""),
        // In the first position the piston is on the side of the crank's end.
        EQUAL_ROD
            .replace("s_guess=0.2", &format!("s_guess={}", 0.2 * (offset + amplitude * phase.sin()).cos().signum())),
    )
}

/// Moves a crank as given for 4 s and checks that the piston follows at `0.2 cos(phi)`.
fn check_given(text: &str) {
    for interface in INTERFACES {
        for (h, tolerance) in [(1e-3, 1e-6), (0.01, 1e-4), (0.1, 1e-6)] {
            let mut train = train(interface, text);
            train.set_tolerance(tolerance);
            for _ in 0..(4.0 / h) as usize {
                train.step(h);
                let phi = train.real("bearing.phi");
                let [d, expected] = [train.real("rod.distance"), 0.2 * phi.cos()];
                // Within 2e-4 rad of a dead centre outputs are kept.
                let accuracy = if phi.cos().abs() < 4e-4 { 1e-4 } else { 1e-9 };
                assert!((d - expected).abs() < accuracy, "{interface:?} {h}: {d} at {phi}, not {expected}: {text}");
            }
        }
    }
}

/// A crank goes beyond a dead centre by a way in rad and comes back, in each period again.
#[test]
fn a_given_motion_may_turn_back_right_behind_a_dead_centre() {
    for way in [1e-4, 1.9e-4, 2.5e-4, 4e-4, 6e-4, 1e-3, 1e-2] {
        check_given(&given(0.5, 0.5 * PI + way - 0.5, 0.0));
    }
}

#[test]
fn a_given_motion_may_go_to_and_fro_through_a_dead_centre() {
    for amplitude in [1e-3, 0.05, 0.25] {
        check_given(&given(amplitude, 0.5 * PI, 1.0));
    }
}

/// Where the motion turns back in a dead centre, rounding decides whether it has passed.
#[test]
fn a_given_motion_that_turns_back_in_a_dead_centre_ends() {
    let reason = end(&given(0.5, 0.5 * PI + 1e-5 - 0.5, 0.0), "rod", 1e-3);
    assert!(reason.contains("dead centre, where both configurations meet"), "{reason}");
}

/// From there the piston may move with the crank's end or stand still, at the same velocity of the crank.
#[test]
fn a_start_in_a_dead_centre_is_refused() {
    for w in [0.0, 3.0] {
        for interface in INTERFACES {
            let text = CRANK.replace("w_start=3", &format!("w_start={w} phi_start={}", 0.5 * PI)) + EQUAL_ROD;
            let message = message(|| {
                train(interface, &text).real("rod.distance");
            });
            assert!(
                message.contains("\"rod\": dead centre, where both configurations meet: rod 1 is 0.1 m"),
                "{message}"
            );
        }
    }
}
