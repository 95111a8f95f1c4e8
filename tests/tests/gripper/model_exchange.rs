//! Model Exchange: ramp ends are time events.

use fmu_tests::api::{EventInfo, Status};
use fmu_tests::finished::{Fmu, Instance};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::fixture::{Data, Gripper, Motion, Row, assert_same, data, expected, motions, with_cardan_angles};
use crate::ramps::schedules;
use crate::schedule::Schedule;

/// Event mode until nothing changes any more; the time of the next event.
fn event(instance: &Instance<'_>) -> Option<f64> {
    for _ in 0..5 {
        let (status, info) = instance.fmi.new_discrete_states();
        assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
        let EventInfo { new_discrete_states_needed, next_event_time_defined, next_event_time, .. } = info;
        if new_discrete_states_needed == 0 {
            assert_eq!(instance.fmi.enter_continuous_time_mode(), Status::Ok);
            return (next_event_time_defined != 0).then_some(next_event_time);
        }
    }
    panic!("the events do not settle");
}

/// Runs a motion; returns a row for each end of a piece, before the events there.
fn run(gripper: &Gripper<'_>, data: &Data, motion: &Motion, schedule: &Schedule) -> Vec<Row> {
    let instance = &gripper.instance;
    gripper.prepare(data, motion, schedule);
    instance.initialise();
    let go = |time: f64| {
        assert_eq!(instance.fmi.set_time(time), Status::Ok);
        gripper.set(&motion.at(time));
        assert_eq!(instance.fmi.completed_integrator_step().0, Status::Ok);
    };
    let mut next = event(instance);
    let row = |piece: usize| {
        let (begin, end) = (piece as f64 * motion.h, (piece + 1) as f64 * motion.h);
        if schedule.active_at(begin) != schedule.active_at(begin - motion.h / 2.0) {
            assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
            gripper.set_active(schedule.active_at(begin));
            next = event(instance);
        }
        while let Some(time) = next.filter(|time| *time < end) {
            assert!(time >= begin, "{time} has passed at {begin}");
            go(time);
            assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
            next = event(instance);
        }
        go(end);
        gripper.row()
    };
    (0..motion.points.len() - 1).map(row).collect()
}

#[test]
fn time_events_give_the_closed_form() {
    let fmu = with_cardan_angles();
    let cases = motions(12).prop_flat_map(|motion| {
        let schedules = schedules(motion.h);
        (data(), Just(motion), schedules)
    });
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    let case = |(data, motion, schedule): (Data, Motion, Schedule)| {
        let found = run(&Gripper::new(fmu.model_exchange()), &data, &motion, &schedule);
        assert_same(&data, &found, &expected(&data, &motion, &schedule));
        Ok(())
    };
    runner.run(&cases, case).unwrap();
}

fn started(fmu: &Fmu, assignments: &[(&str, f64)], time: f64) -> (f64, Option<f64>) {
    let instance = fmu.model_exchange();
    for (name, value) in assignments {
        assert_eq!(instance.set(name, &[*value]), Status::Ok);
    }
    instance.initialise_at(time);
    assert_eq!(event(&instance), None);
    assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
    instance.set("active", &[1.0]);
    assert_eq!(instance.get("state"), [3.0], "the state changes in fmi2NewDiscreteStates only");
    let next = event(&instance);
    (instance.get("state")[0], next)
}

#[test]
fn the_next_event_is_the_end_of_the_ramp() {
    let fmu = Fmu::new("gripper", &[]);
    assert_eq!(started(&fmu, &[], 0.0), (4.0, Some(0.1)));
    assert_eq!(started(&fmu, &[], 7.0), (4.0, Some(7.1)));
    assert_eq!(started(&fmu, &[("T", 1e-12)], 0.0), (1.0, None));
}

#[test]
fn a_ramp_below_the_resolution_of_the_time_is_over_at_once() {
    let fmu = Fmu::new("gripper", &[]);
    assert_eq!(started(&fmu, &[("T", 1e-11)], 1e6), (1.0, None));
}

/// If the signal changes at the end of a ramp, the new value counts, as in Co-Simulation.
#[test]
fn a_signal_that_changes_where_a_ramp_ends_starts_no_ramp_back() {
    let fmu = Fmu::new("gripper", &[]);
    let instance = fmu.model_exchange();
    instance.initialise();
    event(&instance);
    let mut next = None;
    for (time, active) in [(0.0, 1.0), (0.05, 0.0), (0.1, 1.0)] {
        assert_eq!(instance.fmi.set_time(time), Status::Ok);
        assert_eq!(instance.fmi.enter_event_mode(), Status::Ok);
        instance.set("active", &[active]);
        next = event(&instance);
    }
    assert_eq!((instance.get("state")[0], next), (1.0, None));
}
