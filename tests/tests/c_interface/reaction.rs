//! A logger that calls functions of instances.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Setup, Status, react, react_no_more};

use crate::fixture::{INTERFACES, Instance, State, fmu};

/// Lets the logger react while something is done; returns how often it did.
fn reacting(reaction: impl Fn() + 'static, run: impl FnOnce()) -> usize {
    let count = Rc::new(Cell::new(0));
    let (counted, inside) = (count.clone(), Cell::new(false));
    react(move |_| {
        counted.set(counted.get() + 1);
        // Its own calls may be logged, too.
        if !inside.replace(true) {
            reaction();
            inside.set(false);
        }
    });
    run();
    react_no_more();
    count.get()
}

fn stepped(count: u32) -> Vec<u64> {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    (0..count).for_each(|i| assert_eq!(instance.do_step(f64::from(i) * 0.1, 0.1), Status::Ok));
    instance.real_bits()
}

#[test]
fn the_logger_may_call_functions_of_the_same_instance() {
    for kind in INTERFACES {
        let vr = fmu("sample").vr("x");
        let instance = Rc::new(fmu("sample").instance_in(kind, State::Initialization));
        let (inner, value) = (instance.clone(), Rc::new(Cell::new(f64::NAN)));
        let seen = value.clone();
        // The values are those after the call that failed.
        let count = reacting(
            move || seen.set(inner.get_real(&[vr]).1[0]),
            || {
                assert_eq!(instance.call_that_fails(), Status::Error);
            },
        );
        assert_eq!((count, value.get()), (1, 0.5));
        // It may end the run itself, as if after the call.
        let inner = instance.clone();
        let count = reacting(
            move || assert_eq!(inner.reset(), Status::Ok),
            || {
                assert_eq!(instance.call_that_fails(), Status::Error);
            },
        );
        assert_eq!(count, 1);
        instance.advance_to(State::Initialization);
        assert_eq!(instance.exit_initialization_mode(), Status::Ok);
    }
}

#[test]
fn the_logger_may_free_the_instance() {
    for kind in INTERFACES {
        let instance = fmu("sample").instance_in(kind, State::Initialization);
        assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
        // The message has many lines, but the instance is freed after the first.
        assert_eq!(instance.fmi.free_while_logging(&"unknown ".repeat(1000)).len(), 1);
    }
}

/// The component warns in each of the steps that follow.
fn before_warnings() -> Rc<Instance> {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
    for i in 0.. {
        assert_eq!(instance.do_step(f64::from(i) * 0.01, 0.01), Status::Ok);
        if !instance.messages().is_empty() {
            return Rc::new(instance);
        }
    }
    unreachable!()
}

fn time(instance: &Instance) -> f64 {
    let (status, time) = instance.get_real_status(2);
    assert_eq!(status, Status::Ok);
    time
}

#[test]
fn a_step_within_the_warning_of_a_step_comes_after_it() {
    let (instance, other) = (before_warnings(), before_warnings());
    let begin = time(&instance);
    let inner = instance.clone();
    let inside = move || assert_eq!(inner.do_step(time(&inner), 0.01), Status::Ok);
    let count = reacting(inside, || assert_eq!(instance.do_step(begin, 0.01), Status::Ok));
    assert_eq!(count, 2, "the warning of the inner step as well");
    for i in 0..2 {
        assert_eq!(other.do_step(begin + 0.01 * f64::from(i), 0.01), Status::Ok);
    }
    assert_eq!(instance.real_bits(), other.real_bits());
}

#[test]
fn the_logger_may_call_functions_of_another_instance() {
    let other = Rc::new(fmu("sample").instance_in(CO_SIMULATION, State::StepComplete));
    let troubled = fmu("sample").instance_in(MODEL_EXCHANGE, State::Continuous);
    let (inner, steps) = (other.clone(), Cell::new(0));
    let step = move || {
        assert_eq!(inner.do_step(f64::from(steps.get()) * 0.1, 0.1), Status::Ok);
        steps.set(steps.get() + 1);
    };
    let count = reacting(step, || {
        for _ in 0..7 {
            assert_eq!(troubled.call_that_fails(), Status::Error);
        }
    });
    assert_eq!(count, 7);
    assert_eq!(other.real_bits(), stepped(7));
}

#[test]
fn a_logger_that_waits_holds_up_its_own_instance_only() {
    let (waiting, wait) = channel();
    let (go_on, going_on) = channel::<()>();
    let blocked = thread::spawn(move || {
        let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
        let block = move || {
            waiting.send(()).unwrap();
            going_on.recv_timeout(Duration::from_secs(60)).unwrap();
        };
        reacting(block, || assert_eq!(instance.call_that_fails(), Status::Error));
        assert!(instance.is_in_error());
    });
    wait.recv().unwrap();
    // Meanwhile other instances are made, run, fail, log and end.
    let expected = stepped(5);
    let failing = fmu("sample").instance(MODEL_EXCHANGE);
    assert_eq!(failing.call_that_fails(), Status::Error);
    assert_eq!(failing.messages().len(), 1);
    drop(failing);
    go_on.send(()).unwrap();
    blocked.join().unwrap();
    assert_eq!(stepped(5), expected);
}

#[test]
fn rule_1_5_6_without_a_logger_all_goes_on() {
    for kind in INTERFACES {
        let setup = Setup { logger: false, logging_on: true, ..fmu("sample").setup(kind) };
        let fmi = fmu("sample").api.instantiate(setup).ok().unwrap();
        let instance = Instance { fmi, fmu: fmu("sample"), kind };
        assert_eq!(instance.set_debug_logging(true, &["logStatusError", "unknown"]), Status::Ok);
        assert_eq!(instance.call_that_fails(), Status::Error);
        assert_eq!(instance.reset(), Status::Ok);
        instance.set(&[("since", 0.0), ("trouble", 2.0)]);
        assert_eq!(instance.setup_experiment(Some(-1.0), 0.0, None), Status::Ok);
        assert_eq!(instance.enter_initialization_mode(), Status::Ok);
        assert_eq!(instance.exit_initialization_mode(), Status::Error, "a panic");
        assert_eq!(instance.messages(), []);
        assert_eq!(instance.reset(), Status::Ok);
        instance.advance_to(State::Initialization);
        assert_eq!(instance.exit_initialization_mode(), Status::Ok);
    }
}
