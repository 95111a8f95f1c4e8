//! A panic in any function of a component ends its instance, and nothing else.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Status};

use crate::fixture::{Instance, State, fmu};

const TROUBLE_PANIC: f64 = 2.0;

/// A call that ends in a panic of a function of the component.
struct Case {
    kind: i32,
    /// The function, by its position among the items of `place`.
    place: f64,
    since: f64,
    /// State of the instance before the call.
    state: State,
    name: &'static str,
    call: fn(&Instance) -> Status,
}

const fn case(kind: i32, place: f64, state: State, name: &'static str, call: fn(&Instance) -> Status) -> Case {
    let since = if place == PREPARE { sample::BEFORE_ALL } else { 0.0 };
    Case { kind, place, since, state, name, call }
}

const EVALUATE: f64 = 1.0;
const PREPARE: f64 = 2.0;
const INITIALISE: f64 = 3.0;
const INDICATORS: f64 = 4.0;
const EVENT: f64 = 5.0;
const COMPLETED_STEP: f64 = 6.0;

fn vr(name: &str) -> [u32; 1] {
    [fmu("sample").vr(name)]
}

/// Returns each function of a component, with each call that reaches it first.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let exit: fn(&Instance) -> Status = |instance| instance.exit_initialization_mode();
    let derivative: fn(&Instance) -> Status = |instance| instance.directional_derivative(&vr("a"), &vr("u"), &[1.0]).0;
    for kind in [CO_SIMULATION, MODEL_EXCHANGE] {
        for place in [EVALUATE, PREPARE, INITIALISE] {
            cases.push(case(kind, place, State::Initialization, "fmi2ExitInitializationMode", exit));
            cases.push(case(kind, place, State::Initialization, "fmi2GetReal", |instance| {
                instance.get_real(&vr("a")).0
            }));
            cases.push(case(kind, place, State::Initialization, "fmi2GetDirectionalDerivative", derivative));
        }
        cases.push(case(kind, COMPLETED_STEP, State::Initialization, "fmi2ExitInitializationMode", exit));
    }
    let step: fn(&Instance) -> Status = |instance| instance.do_step(0.0, 0.1);
    for place in [EVALUATE, INDICATORS, EVENT, COMPLETED_STEP] {
        cases.push(case(CO_SIMULATION, place, State::StepComplete, "fmi2DoStep", step));
    }
    cases.push(case(MODEL_EXCHANGE, EVENT, State::Event, "fmi2NewDiscreteStates", |instance| {
        instance.new_discrete_states().0
    }));
    cases.push(case(MODEL_EXCHANGE, INDICATORS, State::Continuous, "fmi2GetEventIndicators", |instance| {
        instance.get_event_indicators(1).0
    }));
    cases.push(case(MODEL_EXCHANGE, COMPLETED_STEP, State::Continuous, "fmi2CompletedIntegratorStep", |instance| {
        instance.completed_integrator_step().0
    }));
    cases.push(case(MODEL_EXCHANGE, EVALUATE, State::Continuous, "fmi2GetDerivatives", |instance| {
        assert_eq!(instance.set_time(0.1), Status::Ok);
        instance.get_derivatives(2).0
    }));
    cases
}

impl Case {
    /// Makes an instance before the call, in which the failure is enabled as late as possible.
    fn instance(&self) -> Instance {
        let instance = fmu("sample").instance(self.kind);
        instance.set(&[("since", self.since), ("place", self.place)]);
        instance.advance_to(match self.state {
            State::Continuous => State::Event,
            state => state,
        });
        instance.set(&[("trouble", TROUBLE_PANIC)]);
        if self.state == State::Continuous {
            assert_eq!(instance.enter_continuous_time_mode(), Status::Ok);
        }
        instance
    }
}

/// Returns the bits after some steps of an instance in its initial state.
fn run(instance: &Instance) -> Vec<u64> {
    assert_eq!(instance.setup_experiment(None, 0.0, None), Status::Ok);
    assert_eq!(instance.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.exit_initialization_mode(), Status::Ok, "{:?}", instance.messages());
    if instance.kind == CO_SIMULATION {
        (0..10).for_each(|i| assert_eq!(instance.do_step(f64::from(i) * 0.1, 0.1), Status::Ok));
    } else {
        assert_eq!(instance.new_discrete_states().0, Status::Ok);
        assert_eq!(instance.enter_continuous_time_mode(), Status::Ok);
        assert_eq!(instance.set_time(0.1), Status::Ok);
        assert_eq!(instance.completed_integrator_step().0, Status::Ok);
    }
    instance.real_bits()
}

/// Asserts that a message tells file and line of the panic, which is always the same.
pub fn assert_tells_where(message: &str, call: &str) {
    let source = include_str!("../../components/sample/lib.rs");
    let line = 1 + source.lines().position(|line| line.contains("panic!(\"trouble is panic")).unwrap();
    let place = format!("tests/components/sample/lib.rs:{line}");
    let expected = format!("{call}: internal error, please report it: trouble is panic, 100 %% certain ({place})");
    assert_eq!(message, expected);
}

#[test]
fn a6_a_panic_anywhere_ends_the_instance_only() {
    for case in cases() {
        let Case { kind, place, name, call, .. } = case;
        let fresh = run(&fmu("sample").instance(kind));
        let healthy = fmu("sample").instance(CO_SIMULATION);
        let instance = case.instance();
        assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
        assert_eq!(call(&instance), Status::Error, "{name}, {place}");
        let messages: Vec<_> = instance.messages().into_iter().map(|message| message.text).collect();
        assert_eq!(messages.len(), 1, "the warning of a step that came to no end is none: {messages:?}");
        assert_tells_where(&messages[0], name);
        assert!(instance.is_in_error(), "{name}, {place}");
        assert_eq!(instance.do_step(0.0, 0.1), Status::Error);
        instance.real_bits();
        assert_eq!(run(&healthy), run(&fmu("sample").instance(CO_SIMULATION)), "{name}, {place}");
        assert_eq!(healthy.messages(), []);
        assert_eq!(instance.reset(), Status::Ok);
        instance.messages();
        assert_eq!(run(&instance), fresh, "{name}, {place}");
        assert_eq!(instance.messages().into_iter().find(|message| message.text.contains("not complete")), None);
        assert_eq!(instance.fmi.free(), []);
        assert_eq!(case.instance().fmi.free(), []);
    }
}

#[test]
fn a6_panics_on_other_threads_change_nothing() {
    static DONE: AtomicBool = AtomicBool::new(false);
    let panicking = || {
        loop {
            for case in cases() {
                let instance = case.instance();
                assert_eq!((case.call)(&instance), Status::Error);
            }
            if DONE.load(Ordering::Relaxed) {
                return;
            }
        }
    };
    let threads: Vec<_> = (0..2).map(|_| thread::spawn(panicking)).collect();
    let expected = run(&fmu("sample").instance(CO_SIMULATION));
    let same = (0..50).all(|_| run(&fmu("sample").instance(CO_SIMULATION)) == expected);
    DONE.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert!(same);
}

#[test]
fn a6_a_panic_prints_nothing() {
    let mut tests = Command::new(std::env::current_exe().unwrap());
    tests.args(["--exact", "panics::a6_a_panic_anywhere_ends_the_instance_only", "--nocapture"]);
    let output = tests.output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("1 passed"));
    // Cargo's output while it builds the library does not count.
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("panic") && !said.contains("certain"), "{said}");
}
