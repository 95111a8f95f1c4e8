//! Ramps: located inside a step, independent of the communication points.

use std::cell::Cell;

use fmu_tests::api::Status;
use fmu_tests::finished::{Fmu, Instance};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::fixture::{Data, Gripper, Motion, assert_same, data, expected, motions, with_cardan_angles};
use crate::schedule::Schedule;

const PIECES: usize = 12;

/// Returns schedules that change at some ends of the pieces, with ramps from a fraction of a piece to several.
pub fn schedules(h: f64) -> impl Strategy<Value = Schedule> {
    let changes = prop::collection::vec(prop::bool::weighted(0.4), PIECES);
    (0.1..4.0, any::<bool>(), changes).prop_map(move |(ramp, active, changes)| Schedule {
        ramp: ramp * h,
        active,
        changes: (0..PIECES).filter(|piece| changes[*piece]).map(|piece| piece as f64 * h).collect(),
    })
}

#[test]
fn steps_of_any_length_give_the_closed_form() {
    let fmu = with_cardan_angles();
    let cases = motions(PIECES).prop_flat_map(|motion| {
        let schedules = schedules(motion.h);
        (data(), Just(motion), schedules)
    });
    let mut runner = TestRunner::new(Config { cases: 20, failure_persistence: None, ..Config::default() });
    let chained = Cell::new(0);
    let run = |(data, motion, schedule): (Data, Motion, Schedule)| {
        let gripper = || Gripper::new(fmu.instance());
        let coarse = gripper().run(&data, &motion, &schedule, 1);
        assert_same(&data, &coarse, &expected(&data, &motion, &schedule));
        assert_same(&data, &coarse, &gripper().run(&data, &motion, &schedule, 1000));
        let pairs = schedule.ramps().windows(2).filter(|pair| pair[0].end == pair[1].begin).count();
        chained.set(chained.get() + pairs);
        Ok(())
    };
    runner.run(&cases, run).unwrap();
    assert!(chained.get() > 10, "only {} ramps begin where another ends", chained.get());
}

/// Makes a default gripper with a ramp of 0.1 s.
fn gripper(fmu: &Fmu, active: bool) -> Instance<'_> {
    let instance = fmu.instance();
    assert_eq!(instance.set("active", &[f64::from(active)]), Status::Ok);
    instance.initialise();
    instance
}

/// Returns `state` and `onoff` after a step with a value of `active`.
fn after(instance: &Instance<'_>, active: bool, point: f64, h: f64) -> (f64, f64) {
    assert_eq!(instance.set("active", &[f64::from(active)]), Status::Ok);
    instance.step(point, h);
    (instance.get("state")[0], instance.get("onoff")[0])
}

#[test]
fn a_ramp_that_ends_at_a_communication_point_has_ended_there() {
    let fmu = Fmu::new("gripper", &[]);
    let gripper = gripper(&fmu, false);
    assert_eq!(after(&gripper, false, 0.0, 0.05), (3.0, 0.0));
    let (state, onoff) = after(&gripper, true, 0.05, 0.05);
    assert!(state == 4.0 && (onoff - 0.5).abs() < 1e-15, "{state} {onoff}");
    // The sum 0.05 + 0.1 is more than 0.15 by rounding.
    assert_eq!(after(&gripper, true, 0.1, 0.05), (1.0, 1.0));
}

#[test]
fn the_signal_has_no_effect_inside_a_ramp_and_counts_at_its_end() {
    let fmu = Fmu::new("gripper", &[]);
    let gripper = gripper(&fmu, false);
    after(&gripper, true, 0.0, 0.03);
    let (state, onoff) = after(&gripper, false, 0.03, 0.04);
    assert!(state == 4.0 && (onoff - 0.7).abs() < 1e-15, "{state} {onoff}");
    let (state, onoff) = after(&gripper, false, 0.07, 0.05);
    assert!(state == 2.0 && (onoff - 0.8).abs() < 1e-15, "the ramp back began at 0.1: {state} {onoff}");
    assert_eq!(after(&gripper, false, 0.12, 1.0), (3.0, 0.0));
}

#[test]
fn several_ramps_fit_into_a_step() {
    let fmu = Fmu::new("gripper", &[]);
    let gripper = gripper(&fmu, true);
    after(&gripper, false, 0.0, 0.05);
    let (state, onoff) = after(&gripper, true, 0.05, 0.12);
    assert!(state == 4.0 && (onoff - 0.7).abs() < 1e-14, "{state} {onoff}");
    assert_eq!(after(&gripper, true, 0.17, 10.0), (1.0, 1.0));
}

/// The value from the end of the ramp on counts, not the one before.
#[test]
fn a_signal_that_changes_where_a_ramp_ends_starts_no_ramp_back() {
    let fmu = Fmu::new("gripper", &[]);
    let gripper = gripper(&fmu, false);
    after(&gripper, true, 0.0, 0.05);
    assert_eq!(after(&gripper, false, 0.05, 0.05), (1.0, 1.0));
    assert_eq!(after(&gripper, true, 0.1, 0.05), (1.0, 1.0));
    let (state, onoff) = after(&gripper, false, 0.15, 0.05);
    assert!(state == 2.0 && (onoff - 0.5).abs() < 1e-14, "{state} {onoff}");
}

#[test]
fn up_to_a_picosecond_there_is_no_ramp() {
    let fmu = Fmu::new("gripper", &[]);
    for (ramp, expected) in [(0.0, (1.0, 1.0)), (1e-12, (1.0, 1.0)), (2e-12, (4.0, 0.5))] {
        let instance = fmu.instance();
        assert_eq!(instance.set("T", &[ramp]), Status::Ok);
        instance.initialise();
        assert_eq!(after(&instance, true, 0.0, 1e-12), expected, "T = {ramp}");
    }
    let instance = fmu.instance();
    assert_eq!(instance.set("T", &[0.0]), Status::Ok);
    instance.initialise();
    assert_eq!(after(&instance, true, 0.0, 0.1), (1.0, 1.0));
    assert_eq!(after(&instance, false, 0.1, 0.1), (3.0, 0.0));
}

#[test]
fn the_signal_at_the_start_decides_the_state() {
    let fmu = Fmu::new("gripper", &[]);
    for (active, state, onoff) in [(false, 3.0, 0.0), (true, 1.0, 1.0)] {
        let gripper = gripper(&fmu, active);
        assert_eq!((gripper.get("state")[0], gripper.get("onoff")[0]), (state, onoff));
        assert_eq!(after(&gripper, active, 0.0, 0.1), (state, onoff));
    }
}

#[test]
fn setting_the_signal_shows_nothing_before_the_next_step() {
    let fmu = Fmu::new("gripper", &[]);
    let gripper = gripper(&fmu, true);
    gripper.set("frame_b.r_0", &[1e-3, 0.0, 0.0]);
    let outputs = || ["state", "onoff", "frame_a.f", "frame_b.f"].map(|name| gripper.get(name));
    let before = outputs();
    assert_eq!(before[2], [-1e3, 0.0, 0.0]);
    gripper.set("active", &[0.0]);
    assert_eq!(outputs(), before);
    gripper.set("frame_b.r_0", &[2e-3, 0.0, 0.0]);
    assert_eq!(gripper.get("frame_a.f"), [-2e3, 0.0, 0.0], "other inputs have their effect");
    gripper.step(0.0, 0.025);
    assert_eq!(outputs()[..2], [vec![2.0], vec![0.75]]);
    assert_eq!(gripper.get("frame_a.f"), [-1.5e3, 0.0, 0.0]);
}
