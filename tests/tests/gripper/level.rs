//! A Real input in place of `active`: located inside a step, an event indicator in Model Exchange.

use fmu_importer::validate;
use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::fixture::{Data, Gripper, Motion, Row, assert_same, data, expected, motions};
use crate::schedule::Schedule;

const PIECES: usize = 12;

fn fmu(settings: &[&str]) -> Fmu {
    Fmu::new("gripper", &[&["useActiveLevel=true"], settings].concat())
}

/// Levels at the ends of the pieces, linear between them.
fn levels() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(prop_oneof![-1.0..0.45, 0.55..2.0], PIECES + 1)
}

/// When the level is above 0.5.
fn schedule(levels: &[f64], h: f64, ramp: f64) -> Schedule {
    let crosses = |piece: &usize| (levels[*piece] > 0.5) != (levels[piece + 1] > 0.5);
    let time = |piece: usize| {
        let part = (0.5 - levels[piece]) / (levels[piece + 1] - levels[piece]);
        (piece as f64 + part) * h
    };
    Schedule { ramp, active: levels[0] > 0.5, changes: (0..PIECES).filter(crosses).map(time).collect() }
}

/// Runs a motion in Co-Simulation, each piece in equal steps; returns a row for each end of a piece.
fn run(fmu: &Fmu, data: &Data, motion: &Motion, levels: &[f64], ramp: f64, steps: usize) -> Vec<Row> {
    let gripper = Gripper::new(fmu.instance());
    let instance = &gripper.instance;
    data.set(instance);
    assert_eq!(instance.set("T", &[ramp]), Status::Ok);
    assert_eq!(instance.set("activeLevel", &levels[..1]), Status::Ok);
    gripper.set(&motion.points[0]);
    instance.initialise();
    let step = motion.h / steps as f64;
    let rows = (0..PIECES).map(|piece| {
        let slope = (levels[piece + 1] - levels[piece]) / motion.h;
        for i in 0..steps {
            let after = i as f64 * step;
            gripper.set(&motion.after(piece, after));
            gripper.set_rates(&motion.rates(piece));
            instance.set("activeLevel", &[levels[piece] + slope * after]);
            assert_eq!(instance.set_rates("activeLevel", &[slope]), Status::Ok);
            instance.step(piece as f64 * motion.h + after, step);
        }
        gripper.row()
    });
    rows.collect()
}

#[test]
fn a_level_switches_inside_steps_of_any_length() {
    let fmu = fmu(&["orientation=cardan"]);
    let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
    let case = |(motion, data, levels, ramp): (Motion, Data, Vec<f64>, f64)| {
        let ramp = ramp * motion.h;
        let expected = expected(&data, &motion, &schedule(&levels, motion.h, ramp));
        for steps in [1, 17] {
            assert_same(&data, &run(&fmu, &data, &motion, &levels, ramp, steps), &expected);
        }
        Ok(())
    };
    runner.run(&(motions(PIECES), data(), levels(), 0.1..4.0_f64), case).unwrap();
}

/// A parabola up to 1 and back inside one step of 1 s, and frame_b at 1 mm/s: held from 0.146 s to 0.854 s.
fn parabola(instance: &Instance<'_>, ramp: f64, length: f64) -> [f64; 3] {
    assert_eq!(instance.set("T", &[ramp]), Status::Ok);
    assert_eq!(instance.set("useInPlace", &[1.0]), Status::Ok);
    instance.initialise();
    let references = [instance.references("activeLevel")[0], instance.references("activeLevel")[0]];
    assert_eq!(instance.fmi.set_real_input_derivatives(&references, &[1, 2], &[4.0, -8.0]), Status::Ok);
    assert_eq!(instance.set_rates("frame_b.r_0", &[1e-3, 0.0, 0.0]), Status::Ok);
    instance.step(0.0, length);
    [instance.get("state")[0], instance.get("onoff")[0], instance.get("frame_b.f")[0]]
}

#[test]
fn a_level_may_rise_and_fall_inside_a_step() {
    let fmu = fmu(&[]);
    let begin = (1.0 - 0.5_f64.sqrt()) / 2.0;
    for (ramp, length, state, onoff) in [
        (0.1, 0.1, 3.0, 0.0),
        (0.1, 0.2, 4.0, (0.2 - begin) / 0.1),
        (0.1, 0.8, 1.0, 1.0),
        (0.1, 0.9, 2.0, 1.0 - (0.9 - (1.0 - begin)) / 0.1),
        (0.1, 1.0, 3.0, 0.0),
        // The level is below 0.5 again where the ramp ends.
        (0.75, 0.95, 2.0, 1.0 - (0.95 - (begin + 0.75)) / 0.75),
        (0.0, 0.8, 1.0, 1.0),
        (0.0, 1.0, 3.0, 0.0),
    ] {
        let [found_state, found_onoff, f] = parabola(&fmu.instance(), ramp, length);
        assert_eq!(found_state, state, "{ramp} {length}");
        assert!((found_onoff - onoff).abs() < 1e-13, "{ramp} {length}: {found_onoff}, not {onoff}");
        // Gripped in place where the level rose.
        let expected = onoff * 1e6 * 1e-3 * (length - begin);
        assert!((f - expected).abs() < 1e-9, "{ramp} {length}: {f}, not {expected}");
    }
}

#[test]
fn the_event_indicator_is_never_zero_and_the_state_changes_at_events_only() {
    let fmu = fmu(&[]);
    assert_eq!(fmu.description.event_indicators, 1);
    assert_eq!(Fmu::new("gripper", &[]).description.event_indicators, 0);
    let instance = fmu.model_exchange();
    instance.initialise();
    instance.settle();
    assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
    let indicator = |level: f64| {
        assert_eq!(instance.set("activeLevel", &[level]), Status::Ok);
        let (status, indicators) = instance.fmi.get_event_indicators(1);
        assert_eq!((status, instance.get("state")), (Status::Ok, vec![3.0]));
        indicators[0]
    };
    let levels = [0.0, 0.5 - f64::EPSILON / 4.0, 0.5, 0.5 + f64::EPSILON / 2.0, 1.0];
    let found = levels.map(indicator);
    assert_eq!(found.map(|z| z > 0.0), [false, false, false, true, true], "{found:?}");
    // Some importers look at the sign of the product of two values.
    assert!(found.iter().all(|z| (z * found[2]) != 0.0), "{found:?}");
    assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
    instance.settle();
    assert_eq!(instance.get("state"), [4.0]);
}

/// A solver locates the events from the indicator, the step from polynomials.
#[test]
fn both_interfaces_agree() {
    for settings in [&[][..], &["useInPlace=true", "useMoment=true", "T=0.03", "orientation=cardan"]] {
        let mut findings = Vec::new();
        validate::file(&fmu(settings).file, |finding| findings.push(finding.to_string()));
        assert_eq!(findings, [""; 0]);
    }
}
