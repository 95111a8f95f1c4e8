//! fmi2DoStep and the functions that ask for the status of steps.

use fmu_tests::api::{CO_SIMULATION, Status};

use crate::fixture::{Instance, State, fmu};

const LAST_SUCCESSFUL_TIME: i32 = 2;

/// Makes a sample with an experiment, at its first communication point.
fn sample(start: f64, stop: Option<f64>) -> Instance {
    let instance = fmu("sample").instance(CO_SIMULATION);
    assert_eq!(instance.setup_experiment(None, start, stop), Status::Ok);
    assert_eq!(instance.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.exit_initialization_mode(), Status::Ok);
    instance
}

fn time(instance: &Instance) -> f64 {
    let (status, time) = instance.get_real_status(LAST_SUCCESSFUL_TIME);
    assert_eq!(status, Status::Ok);
    time
}

fn step(instance: &Instance, point: f64, h: f64) {
    assert_eq!(instance.do_step(point, h), Status::Ok, "{:?}", instance.messages());
}

fn refused(instance: &Instance, point: f64, h: f64, reason: &str) {
    let before = instance.real_bits();
    assert_eq!(instance.do_step(point, h), Status::Error, "{point:?} {h:?}");
    let message = instance.last_message().text;
    assert!(message.starts_with("fmi2DoStep: ") && message.contains(reason), "{message}");
    assert_eq!(instance.real_bits(), before);
    assert!(instance.is_in_error());
}

#[test]
fn d1_the_step_must_be_positive_and_finite() {
    for h in [0.0, -0.0, -1e-3, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        refused(&sample(0.0, None), 0.0, h, "communicationStepSize is ");
    }
    step(&sample(0.0, None), 0.0, f64::MIN_POSITIVE);
}

#[test]
fn d2_s4_the_first_step_begins_at_the_start_time() {
    for start in [0.0, 1.0, -3.5, 1e6, -1e-9] {
        let instance = sample(start, None);
        step(&instance, start, 0.01);
        assert_eq!(time(&instance), start + 0.01);
        refused(&sample(start, None), start + 0.02, 0.01, "currentCommunicationPoint is ");
    }
    refused(&sample(0.0, None), f64::NAN, 0.01, "currentCommunicationPoint is NaN");
}

#[test]
fn d3_the_clock_of_the_importer_counts_within_a_tolerance() {
    let h = 0.1;
    type Clock = fn(f64) -> f64;
    let cases: [(Clock, bool); 11] = [
        (|t| t, true),
        (f64::next_up, true),
        (f64::next_down, true),
        (|t| t + 1e-9, true),
        (|t| t - 1e-9, true),
        (|t| t + 0.9e-7, true),
        (|t| t + 1.1e-7, false),
        (|t| t - 1.1e-7, false),
        (|t| t + 0.1, false),
        (|t| t - 0.1, false),
        (|_| 0.0, false),
    ];
    for (clock, good) in cases {
        let instance = sample(0.0, None);
        step(&instance, 0.0, h);
        step(&instance, 0.1, h);
        let point = clock(0.1 + 0.1);
        if good {
            step(&instance, point, h);
            assert_eq!(time(&instance), point + h);
        } else {
            refused(&instance, point, h, "the last step ended at 0.2 s: steps must follow one another");
        }
    }
}

#[test]
fn d3_steps_that_overlap_by_a_thousandth_are_refused() {
    let instance = sample(0.0, None);
    step(&instance, 0.0, 1.001e-3);
    refused(&instance, 1e-3, 1.001e-3, "currentCommunicationPoint is 0.001 s, but the last step ended at 0.001001 s");
}

#[test]
fn d3_rounding_of_a_large_time_is_rounding() {
    let instance = sample(1e6, None);
    step(&instance, 1e6, 1e-7);
    step(&instance, (1e6_f64 + 1e-7).next_up(), 1e-7);
}

#[test]
fn d3_tiny_steps_are_not_mistaken_for_rounding() {
    let instance = sample(0.0, None);
    step(&instance, 0.0, 1e-10);
    refused(&instance, 2e-10, 1e-10, "currentCommunicationPoint");
}

#[test]
fn d3_counts_agree_with_an_accumulated_clock_and_with_i_h() {
    let h = 1e-3;
    let accumulated = sample(0.0, Some(20.0));
    let mut t = 0.0;
    for _ in 0..20_000 {
        step(&accumulated, t, h);
        t += h;
    }
    assert_ne!(t, 20.0, "rounding adds up");
    let multiplied = sample(0.0, Some(20.0));
    for i in 0..20_000 {
        step(&multiplied, f64::from(i) * h, h);
    }
    assert!((time(&multiplied) - 20.0).abs() < 1e-9);
    // Between two steps both clocks differ by rounding, hence also the counts may, by one.
    assert!((accumulated.value("count") - 79.0).abs() <= 1.0);
    assert!((multiplied.value("count") - 79.0).abs() <= 1.0);
}

#[test]
fn d3_d4_the_size_of_the_step_may_vary() {
    let instance = sample(0.0, None);
    let mut t = 0.0;
    for h in [0.1, 0.016666666666666677, 1e-12, 3.0, 1e-6, 0.1] {
        step(&instance, t, h);
        t += h;
        assert_eq!(time(&instance), t);
    }
}

#[test]
fn d5_no_step_goes_beyond_the_stop_time() {
    let instance = sample(0.0, Some(1.0));
    let mut t = 0.0;
    for _ in 0..10 {
        step(&instance, t, 0.1);
        t += 0.1;
    }
    refused(&instance, t, 0.1, "after stopTime 1.0 s");
    refused(&sample(0.0, Some(1.0)), 0.0, 1.1, "after stopTime");
    refused(&sample(0.0, Some(0.25)), 0.0, 0.5, "after stopTime");
}

#[test]
fn d5_p5_rounding_at_the_stop_time_is_no_overshoot() {
    for h in [1.0_f64.next_up(), 1.0 + 1e-9, 1.000_5] {
        step(&sample(0.0, Some(1.0)), 0.0, h);
    }
    refused(&sample(0.0, Some(1.0)), 0.0, 1.002, "after stopTime");
    step(&sample(-3.0, Some(-1.0)), -3.0, 2.0 + 1e-12);
    step(&sample(0.0, None), 0.0, 1e3);
}

#[test]
fn d9_getters_see_new_inputs_at_once_with_the_memory_frozen() {
    let instance = sample(0.0, None);
    for i in 0..4 {
        step(&instance, 0.25 * f64::from(i), 0.25);
    }
    let [x, v, count] = ["x", "v", "count"].map(|name| instance.value(name));
    for u in [0.0, 4.0, -4.0] {
        instance.set(&[("u", u), ("gain", 3.0)]);
        assert_eq!(instance.value("a"), (3.0 * u - 8.0 * x - 0.4 * v) / 2.0);
        assert_eq!(["x", "v", "count"].map(|name| instance.value(name)), [x, v, count]);
    }
}

#[test]
fn d9_reading_does_not_influence_the_simulation() {
    let (read, unread) = (sample(0.0, None), sample(0.0, None));
    for i in 0..20 {
        for u in [3.0, -7.0] {
            read.set(&[("u", u)]);
            read.value("a");
        }
        for instance in [&read, &unread] {
            instance.set(&[("u", f64::from(i).sin())]);
            step(instance, 0.1 * f64::from(i), 0.1);
        }
    }
    assert_eq!(read.real_bits(), unread.real_bits());
}

#[test]
fn d6_f7_older_states_work_whatever_the_importer_said() {
    let (hinted, plain) = (sample(0.0, None), sample(0.0, None));
    for instance in [&hinted, &plain] {
        step(instance, 0.0, 0.5);
    }
    let states = [&hinted, &plain].map(Instance::snapshot);
    let mut results = Vec::new();
    for _ in 0..3 {
        step(&hinted, 0.5, 0.25);
        step(&hinted, 0.75, 0.25);
        assert_eq!(plain.do_step_and_maybe_return(0.5, 0.25), Status::Ok);
        assert_eq!(plain.do_step_and_maybe_return(0.75, 0.25), Status::Ok);
        results.extend([hinted.real_bits(), plain.real_bits()]);
        assert_eq!(hinted.set_state(states[0]), Status::Ok);
        assert_eq!(plain.set_state(states[1]), Status::Ok);
    }
    assert!(results.iter().all(|bits| *bits == results[0]));
}

#[test]
fn d10_after_a_restored_state_the_step_begins_at_its_time() {
    let instance = sample(0.0, None);
    step(&instance, 0.0, 0.5);
    let state = instance.snapshot();
    step(&instance, 0.5, 0.5);
    assert_eq!(instance.set_state(state), Status::Ok);
    assert_eq!(time(&instance), 0.5);
    step(&instance, 0.5, 0.25);
    assert_eq!(instance.set_state(state), Status::Ok);
    refused(&instance, 1.0, 0.5, "the last step ended at 0.5 s");
}

#[test]
fn d11_inputs_keep_their_values() {
    let instance = sample(0.0, None);
    instance.set(&[("u", 2.0), ("gain", 2.0), ("hold", 1.0), ("level", 5.0)]);
    for i in 0..10 {
        step(&instance, f64::from(i) * 0.5, 0.5);
        let values = ["u", "gain", "hold", "level", "count"].map(|name| instance.value(name));
        assert_eq!(values, [2.0, 2.0, 1.0, 5.0, 0.0]);
    }
}

#[test]
fn rule_2_5_status_functions() {
    for state in [State::StepComplete, State::Terminated] {
        let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
        step(&instance, 0.0, 0.5);
        if state == State::Terminated {
            assert_eq!(instance.terminate(), Status::Ok);
        }
        for kind in [-1, 0, 1, 2, 3, 4] {
            let real = if kind == 2 { Status::Ok } else { Status::Discard };
            let boolean = if kind == 3 { Status::Ok } else { Status::Discard };
            assert_eq!(instance.get_status(kind), (Status::Discard, i32::MIN));
            assert_eq!(instance.get_integer_status(kind), (Status::Discard, i32::MIN));
            assert_eq!(instance.get_string_status(kind).0, Status::Discard);
            assert!(instance.get_string_status(kind).1.is_null());
            let (status, time) = instance.get_real_status(kind);
            assert_eq!((status, time.is_nan()), (real, kind != 2));
            assert!(kind != 2 || time == 0.5);
            assert_eq!(instance.get_boolean_status(kind), (boolean, if kind == 3 { 0 } else { i32::MIN }));
        }
        if state == State::StepComplete {
            step(&instance, 0.5, 0.5);
        }
    }
}

#[test]
fn s3_stop_time_may_be_infinite() {
    step(&sample(0.0, Some(f64::INFINITY)), 0.0, 1e3);
}
