//! Errors and panics inside a component.

use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Status};

use crate::fixture::{INTERFACES, Instance, State, fmu};
use crate::panics::assert_tells_where;

const PANIC: f64 = 2.0;
const INVALID: f64 = 3.0;
const SINGULAR: f64 = 4.0;

type Call = (&'static str, fn(&Instance) -> Status);

fn vr(name: &str) -> [u32; 1] {
    [fmu("sample").vr(name)]
}

/// Calls that evaluate the equations, for an instance whose values are not fresh.
const CO_SIMULATION_CALLS: [Call; 5] = [
    ("fmi2GetReal", |instance| instance.get_real(&vr("x")).0),
    ("fmi2GetInteger", |instance| instance.get_integer(&vr("count")).0),
    ("fmi2GetDirectionalDerivative", |instance| instance.directional_derivative(&vr("a"), &vr("u"), &[1.0]).0),
    ("fmi2GetRealOutputDerivatives", |instance| instance.get_real_output_derivatives(&vr("x"), &[1]).0),
    ("fmi2DoStep", |instance| instance.do_step(0.0, 0.1)),
];

const MODEL_EXCHANGE_CALLS: [Call; 7] = [
    ("fmi2GetReal", |instance| instance.get_real(&vr("x")).0),
    ("fmi2GetContinuousStates", |instance| instance.get_continuous_states(2).0),
    ("fmi2GetDerivatives", |instance| instance.get_derivatives(2).0),
    ("fmi2GetEventIndicators", |instance| instance.get_event_indicators(1).0),
    ("fmi2GetBoolean", |instance| instance.get_boolean(&vr("held")).0),
    ("fmi2GetDirectionalDerivative", |instance| instance.directional_derivative(&vr("a"), &vr("u"), &[1.0]).0),
    ("fmi2CompletedIntegratorStep", |instance| instance.completed_integrator_step().0),
];

/// Makes an instance at time 1 whose next evaluation fails.
fn troubled(kind: i32, trouble: f64) -> Instance {
    let instance = fmu("sample").instance(kind);
    instance.set(&[("since", 0.5), ("trouble", trouble)]);
    if kind == MODEL_EXCHANGE {
        instance.advance_to(State::Continuous);
        assert_eq!(instance.set_time(1.0), Status::Ok);
    } else {
        instance.set(&[("trouble", 1.0), ("since", 0.0)]);
        instance.advance_to(State::StepComplete);
        instance.set(&[("trouble", trouble)]);
    }
    instance
}

fn calls(kind: i32) -> &'static [Call] {
    if kind == CO_SIMULATION { &CO_SIMULATION_CALLS } else { &MODEL_EXCHANGE_CALLS }
}

/// Checks that the instance is in the state "error", can be read, and can start again.
fn recovers(instance: &Instance) {
    assert!(instance.is_in_error());
    instance.real_bits();
    assert_eq!(instance.reset(), Status::Ok);
    instance.advance_to(if instance.kind == CO_SIMULATION { State::StepComplete } else { State::Event });
    assert_eq!(instance.value("x"), 0.5);
}

#[test]
fn a6_a_panic_is_an_error_with_a_message() {
    for kind in INTERFACES {
        for (name, call) in calls(kind) {
            let instance = troubled(kind, PANIC);
            assert_eq!(call(&instance), Status::Error, "{name}");
            let message = instance.last_message();
            assert_tells_where(&message.text, name);
            assert_eq!(message.category.as_deref(), Some("logStatusError"));
            recovers(&instance);
        }
    }
}

/// Values read after the end of initialisation are initialised, or reported to have no solution.
#[test]
fn rule_2_1_rule_2_2_after_an_initialisation_that_was_given_up_getters_initialise() {
    for kind in INTERFACES {
        let instance = fmu("sample").instance(kind);
        assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
        instance.set(&[("since", 0.0), ("trouble", SINGULAR)]);
        assert_eq!(instance.enter_initialization_mode(), Status::Ok);
        for _ in 0..2 {
            assert_eq!(instance.terminate(), Status::Ok);
        }
        let expected = if kind == CO_SIMULATION { Status::Error } else { Status::Discard };
        assert_eq!(instance.get_real(&vr("x")).0, expected);
        let reason = instance.last_message().text;
        assert!(reason.starts_with("fmi2GetReal: trouble is singular"), "{reason}");
    }
}

#[test]
fn a6_a_state_from_before_the_panic_can_be_restored() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    instance.set(&[("since", 0.15), ("trouble", PANIC)]);
    instance.advance_to(State::StepComplete);
    assert_eq!(instance.do_step(0.0, 0.1), Status::Ok);
    let state = instance.snapshot();
    for _ in 0..3 {
        assert_eq!(instance.do_step(0.1, 0.1), Status::Error);
        assert_eq!(instance.set_state(state), Status::Ok);
        instance.set(&[("trouble", 1.0)]);
        assert_eq!(instance.do_step(0.1, 0.1), Status::Ok);
        assert_eq!(instance.set_state(state), Status::Ok);
    }
}

#[test]
fn rule_2_6_invalid_values_are_errors() {
    for kind in INTERFACES {
        for (name, call) in calls(kind) {
            let instance = troubled(kind, INVALID);
            assert_eq!(call(&instance), Status::Error, "{name}");
            let message = instance.last_message().text;
            assert!(
                message.starts_with(&format!("{name}: trouble is invalid, but must be none (time = ")),
                "{message}"
            );
            recovers(&instance);
        }
    }
}

#[test]
fn rule_1_4_without_a_solution_calls_are_discarded_where_that_is_allowed() {
    let discard = ["fmi2GetReal", "fmi2GetContinuousStates", "fmi2GetDerivatives", "fmi2GetEventIndicators"];
    for (name, call) in &MODEL_EXCHANGE_CALLS {
        let instance = troubled(MODEL_EXCHANGE, SINGULAR);
        assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
        let status = call(&instance);
        let message = instance.last_message();
        assert!(message.text.contains("trouble is singular, but must be none"), "{}", message.text);
        if discard.contains(name) {
            assert_eq!((status, message.category.as_deref()), (Status::Discard, Some("logStatusDiscard")), "{name}");
            assert_eq!(instance.set_time(0.25), Status::Ok);
            assert_eq!(call(&instance), Status::Ok, "{name} after a shorter step");
        } else {
            assert_eq!((status, message.category.as_deref()), (Status::Error, Some("logStatusError")), "{name}");
            recovers(&instance);
        }
    }
}

#[test]
fn d7_without_a_solution_a_step_is_an_error() {
    for (name, call) in &CO_SIMULATION_CALLS {
        let instance = troubled(CO_SIMULATION, SINGULAR);
        assert_eq!(call(&instance), Status::Error, "{name}");
        assert!(instance.last_message().text.contains("trouble is singular"));
        recovers(&instance);
    }
}

#[test]
fn p8_warnings_are_logged_while_the_call_succeeds() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    assert_eq!(instance.set_debug_logging(true, &["logStatusWarning"]), Status::Ok);
    for i in 0..100 {
        assert_eq!(instance.do_step(f64::from(i) * 0.01, 0.01), Status::Ok);
    }
    let messages = instance.messages();
    assert!(!messages.is_empty());
    for message in messages {
        assert_eq!((message.status, message.category.as_deref()), (Status::Ok, Some("logStatusWarning")));
        assert!(message.text.starts_with("position is negative at the third count (time = "), "{}", message.text);
    }
}
