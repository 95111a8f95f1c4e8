//! The choice between the two configurations, which is kept.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use fmu_tests::api::Status;
use fmu_tests::finished::Fmu;

use crate::drive::{ASSEMBLIES, Assembly};

#[test]
fn a_run_without_any_input_set_starts_and_stays_where_it_is() {
    for (component, ..) in ASSEMBLIES {
        let fmu = Fmu::new(component, &["checkTotalPower=true"]);
        let instance = fmu.instance();
        instance.initialise();
        let before = instance.bits();
        for i in 0..10 {
            instance.step(f64::from(i) * 0.1, 0.1);
        }
        assert_eq!(instance.bits(), before, "{component}");
        assert_eq!(instance.get("totalPower"), [0.0]);
        assert!(instance.fmi.messages().iter().all(|message| message.category.as_deref() != Some("logStatusWarning")));
    }
}

/// The coordinate at the start with these parameters.
fn first(fmu: &Fmu, coordinate: &str, parameters: &[(&str, f64)]) -> f64 {
    let instance = fmu.instance();
    parameters.iter().for_each(|(name, value)| assert_eq!(instance.set(name, &[*value]), Status::Ok));
    instance.initialise();
    instance.get(coordinate)[0]
}

#[test]
fn the_guess_selects_the_nearer_angle() {
    for component in ["joint-usr", "joint-rrr"] {
        let fmu = Fmu::new(component, &[]);
        let phi = |offset: f64, guess: f64| first(&fmu, "phi", &[("phi_offset", offset), ("phi_guess", guess)]);
        assert!(phi(0.0, 0.0).abs() < 1e-15);
        assert!((phi(0.0, 46.0) - FRAC_PI_2).abs() < 1e-15);
        assert!(phi(0.0, 44.0).abs() < 1e-15);
        assert!((phi(0.0, 45.0) - FRAC_PI_2).abs() < 1e-15, "in the middle, the positive one");
        // phi counts from the offset, and so does its guess.
        assert!((phi(30.0, 14.0) + PI / 6.0).abs() < 1e-15);
        assert!((phi(30.0, 16.0) - PI / 3.0).abs() < 1e-15);
        // Full turns are not subtracted from the difference.
        assert!((phi(0.0, 350.0) - FRAC_PI_2).abs() < 1e-15);
    }
}

#[test]
fn the_guess_selects_the_nearer_displacement() {
    for component in ["joint-usp", "joint-rrp"] {
        let fmu = Fmu::new(component, &[]);
        let s = |offset: f64, guess: f64| first(&fmu, "s", &[("s_offset", offset), ("s_guess", guess)]);
        assert!(s(0.0, 0.0).abs() < 1e-15);
        assert!((s(0.0, 1.0) - 1.6).abs() < 1e-15);
        assert!((s(0.0, 0.8) - 1.6).abs() < 1e-15, "in the middle, the positive one");
        assert!((s(0.5, 0.2) + 0.5).abs() < 1e-15);
    }
}

/// Moves frame_b on a circle of 0.15 m radius and returns the coordinate at each of 1000 steps.
fn around(fmu: &Fmu, coordinate: &str, guess: f64) -> Vec<f64> {
    let (radius, steps) = (0.15, 1000);
    let assembly = Assembly::new(fmu.instance());
    assembly.set(&format!("{coordinate}_guess"), &[guess]);
    assembly.instance.initialise();
    let start = assembly.get("frame_b.r_0");
    let h = TAU / f64::from(steps);
    let step = |i: i32| {
        let angle = h * f64::from(i);
        assembly.set(
            "frame_b.r_0",
            &[
                start[0] + radius * angle.sin(),
                start[1] + radius * (angle.cos() - 1.0),
                start[2] + radius * angle.sin(),
            ],
        );
        assembly.instance.step(f64::from(i) * 1e-3, 1e-3);
        assembly.number(coordinate)
    };
    (0..=steps).map(step).collect()
}

#[test]
fn a_regular_motion_never_leaves_its_configuration() {
    let cases = [
        ("joint-usr", "phi", [0.0, 90.0]),
        ("joint-ssr", "phi", [0.0, -90.0]),
        ("joint-rrr", "phi", [0.0, 90.0]),
        ("joint-usp", "s", [0.0, 2.0]),
        ("joint-ssp", "s", [-2.0, 2.0]),
        ("joint-rrp", "s", [0.0, 2.0]),
    ];
    for (component, coordinate, guesses) in cases {
        let fmu = Fmu::new(component, &[]);
        let paths = guesses.map(|guess| around(&fmu, coordinate, guess));
        let apart = paths[0].iter().zip(&paths[1]).map(|(one, other)| (one - other).abs()).fold(f64::MAX, f64::min);
        assert!(apart > 0.1, "{component}: both configurations come near each other");
        for path in paths {
            stays(component, &path);
        }
    }
}

fn stays(component: &str, path: &[f64]) {
    let far = path.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    assert!(far < 5e-3, "{component} jumps by {far}");
    assert!((path[1000] - path[0]).abs() < 1e-12, "{component}: another configuration after a turn");
    let spread = path.iter().fold(0.0_f64, |spread, x| spread.max((x - path[0]).abs()));
    assert!(spread > 0.05, "{component} hardly moves");
}

/// frame_a circles around frame_b: the angle makes full turns.
fn turns(settings: &[&str]) -> Vec<f64> {
    let fmu = Fmu::new("joint-usr", settings);
    let assembly = Assembly::new(fmu.instance());
    assembly.set("frame_a.r_0", &[1.0, 0.0, 0.0]);
    assembly.set("frame_b.r_0", &[0.0, 0.0, 0.0]);
    assembly.instance.initialise();
    let step = |i: i32| {
        let angle = TAU / 100.0 * f64::from(i);
        assembly.set("frame_a.r_0", &[angle.cos(), angle.sin(), 0.0]);
        assembly.instance.step(f64::from(i) * 1e-3, 1e-3);
        assembly.number("phi")
    };
    (0..=250).map(step).collect()
}

#[test]
fn the_angle_jumps_at_a_half_turn_unless_turns_are_counted() {
    let jumping = turns(&[]);
    assert!(jumping.iter().all(|phi| *phi > -PI && *phi <= PI));
    let largest = |path: &[f64]| path.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    assert!(largest(&jumping) > 6.0);
    let counted = turns(&["unwrapAngle=true"]);
    assert!(largest(&counted) < 0.07);
    assert!((counted[250] - counted[0] - 2.5 * TAU).abs() < 1e-9);
    for (jumping, counted) in jumping.iter().zip(&counted) {
        let turns = (counted - jumping) / TAU;
        assert!((turns - turns.round()).abs() < 1e-12);
    }
}

#[test]
fn a_saved_state_brings_back_configuration_and_turns() {
    let fmu = Fmu::new("joint-usr", &["unwrapAngle=true", "phi_guess=90"]);
    let assembly = Assembly::new(fmu.instance());
    assembly.instance.initialise();
    assembly.instance.step(0.0, 0.1);
    let state = assembly.instance.save();
    let before = assembly.instance.bits();
    // Somewhere else, from another start.
    let other = Assembly::new(fmu.instance());
    other.set("frame_b.r_0", &[0.5, 0.5, 0.0]);
    other.instance.initialise();
    let bytes = assembly.instance.serialise(state);
    let restored = other.instance.deserialise(&bytes);
    assert_eq!(other.instance.fmi.set_state(restored), Status::Ok);
    assert_eq!(other.instance.bits(), before);
    assembly.set("frame_b.r_0", &[1.1, 1.0, 0.1]);
    other.set("frame_b.r_0", &[1.1, 1.0, 0.1]);
    assembly.instance.step(0.1, 0.1);
    other.instance.step(0.1, 0.1);
    assert_eq!(other.instance.bits(), assembly.instance.bits());
}
