//! Given motions of which an importer connects only a part.

use fmu_runtime::Trial;

use crate::fixture::{INTERFACES, train};

/// Runs steps of 0.1 s, each with inputs by `set`; returns the warnings.
fn warnings(text: &str, name: &str, set: impl Fn(&mut Trial, f64)) -> Vec<Vec<String>> {
    let run = |interface| {
        let mut train = train(interface, &format!("{text}\nshaft Inertia J=2 flange_a={name}.flange"));
        for i in 0..10 {
            set(&mut train, 0.1 * f64::from(i));
            train.step(0.1);
        }
        train.warnings()
    };
    INTERFACES.map(run).into()
}

#[test]
fn a_position_without_its_velocity_is_reported_once() {
    for (text, input) in [
        ("drive Position", "drive.phi"),
        ("drive Flange_a coupling=motion_in", "drive.phi"),
        ("drive Position phi=input.angle", "angle"),
    ] {
        let name = "drive";
        for found in warnings(text, name, |train, t| train.set(input, t * t)) {
            let begin = "drive: the given position has changed from 0.0 to 0.01";
            let end = "but the given velocity and acceleration are 0: the FMU does not compute them from each other, and without \
                       them loads and motions are wrong: connect w (or v) = the derivative of the position, and a = that of the \
                       velocity; where one input of the FMU gives the motion alone, give its derivatives by \
                       fmi2SetRealInputDerivatives, which only Co-Simulation of FMI 2.0 has (time = ";
            assert!(found.len() == 1 && found[0].starts_with(begin) && found[0].contains(end), "{found:?}");
        }
        if input != "drive.phi" {
            continue;
        }
        let complete = |train: &mut Trial, t: f64| {
            train.set("drive.phi", t * t);
            train.set("drive.w", 2.0 * t);
            train.set("drive.a", 2.0);
        };
        assert!(warnings(text, name, complete).iter().all(Vec::is_empty));
        let steady = |train: &mut Trial, t: f64| {
            train.set("drive.phi", t);
            train.set("drive.w", 1.0);
        };
        assert!(warnings(text, name, steady).iter().all(Vec::is_empty));
    }
}

#[test]
fn a_velocity_without_its_acceleration_is_reported_once() {
    // The steps of a solver in Model Exchange are shorter: there these are jumps.
    let [found, _] = warnings("drive Speed", "drive", |train, t| train.set("drive.w", t)).try_into().expect("two");
    let begin = "drive: the given velocity has changed in 3 steps in a row, at last from 0.2";
    assert!(found.len() == 1 && found[0].starts_with(begin), "{found:?}");
    // The velocity may jump.
    let jump = |train: &mut Trial, t: f64| train.set("drive.w", if t < 0.45 { 1.0 } else { 3.0 });
    assert!(warnings("drive Speed", "drive", jump).iter().all(Vec::is_empty));
}

#[test]
fn a_velocity_at_springs_needs_no_acceleration() {
    for springs in [
        "servo SpringDamper flange_a=drive.flange c=1e4 d=10",
        "servo Spring flange_a=drive.flange c=1e4\nd Damper flange_a=drive.flange flange_b=servo.flange_b d=10",
    ] {
        let text = format!("drive Speed\n{springs}\nload Inertia flange_a=servo.flange_b");
        for interface in INTERFACES {
            let mut train = train(interface, &text);
            for i in 0..10 {
                train.set("drive.w", 0.1 * f64::from(i));
                train.step(0.1);
            }
            assert!(train.warnings().is_empty(), "{:?}", train.warnings());
        }
    }
}
