//! Every function in every state that can be reached, for both interfaces.

use fmu_tests::api::{self, Api, BESIDE, CO_SIMULATION, MODEL_EXCHANGE, STATUS_FUNCTIONS, Setup, Status};

use crate::fixture::{INTERFACES, Instance, State, fmu, states};
use crate::legal_calls::{Table, allows_beside};
use fmu_runtime::Standard;
use fmu_runtime::lifecycle::{self, Call, CallLegality, Interface};

fn column(state: State) -> &'static str {
    match state {
        State::Instantiated => "inst",
        State::Initialization => "init",
        State::StepComplete => "sC",
        State::Event => "event",
        State::Continuous => "cont",
        State::Terminated => "term",
        State::Error => "err",
    }
}

fn column_of(state: lifecycle::State) -> &'static str {
    match state {
        lifecycle::State::Instantiated => "inst",
        lifecycle::State::Initialization => "init",
        lifecycle::State::StepComplete => "sC",
        lifecycle::State::Event => "event",
        lifecycle::State::ContinuousTime => "cont",
        lifecycle::State::Terminated | lifecycle::State::Abandoned => "term",
        lifecycle::State::Error => "err",
        lifecycle::State::Configuration => "conf",
        lifecycle::State::Reconfiguration => "reconf",
        lifecycle::State::IntermediateUpdate => "upd",
    }
}

/// Calls a function with arguments that are valid wherever the call is legal.
fn call(instance: &Instance, function: &str) -> Status {
    let vr = |name: &str| [instance.fmu.vr(name)];
    let mut state = instance.snapshot();
    let bytes = || {
        let mut bytes = vec![0; instance.serialized_size(state).1];
        (instance.serialize(state, &mut bytes), bytes)
    };
    match function {
        "SetDebugLogging" => instance.set_debug_logging(true, &[]),
        "Reset" => instance.reset(),
        "SetupExperiment" => instance.setup_experiment(None, 0.0, None),
        "EnterInitializationMode" => instance.enter_initialization_mode(),
        "ExitInitializationMode" => instance.exit_initialization_mode(),
        "Terminate" => instance.terminate(),
        "GetReal" => instance.get_real(&vr("x")).0,
        "GetInteger" => instance.get_integer(&vr("count")).0,
        "GetBoolean" => instance.get_boolean(&vr("held")).0,
        "GetString" => instance.get_string(&vr("label")).0,
        "SetReal" => instance.set_real(&vr("u"), &[1.0]),
        "SetInteger" => instance.set_integer(&vr("gain"), &[2]),
        "SetBoolean" => instance.set_boolean(&vr("hold"), &[1]),
        // A fixed parameter keeps its value: there is no String that could change later.
        "SetString" => instance.set_string(&vr("label"), &[Some(b"sample")]),
        "GetFMUstate" => instance.get_state(&mut state),
        "SetFMUstate" => instance.set_state(state),
        "FreeFMUstate" => instance.free_state(&mut state),
        "SerializedFMUstateSize" => instance.serialized_size(state).0,
        "SerializeFMUstate" => bytes().0,
        "DeSerializeFMUstate" => instance.deserialize(&bytes().1, &mut state),
        "GetDirectionalDerivative" => instance.directional_derivative(&vr("a"), &vr("u"), &[1.0]).0,
        "SetRealInputDerivatives" => instance.set_real_input_derivatives(&vr("u"), &[1], &[1.0]),
        "GetRealOutputDerivatives" => instance.get_real_output_derivatives(&vr("x"), &[1]).0,
        "DoStep" => instance.do_step(0.0, 0.1),
        "CancelStep" => instance.cancel_step(),
        "GetStatus" => instance.get_status(0).0,
        "GetRealStatus" => instance.get_real_status(2).0,
        "GetIntegerStatus" => instance.get_integer_status(0).0,
        "GetBooleanStatus" => instance.get_boolean_status(3).0,
        "GetStringStatus" => instance.get_string_status(1).0,
        "EnterEventMode" => instance.enter_event_mode(),
        "NewDiscreteStates" => instance.new_discrete_states().0,
        "EnterContinuousTimeMode" => instance.enter_continuous_time_mode(),
        "CompletedIntegratorStep" => instance.completed_integrator_step().0,
        "SetTime" => instance.set_time(0.0),
        "SetContinuousStates" => instance.set_continuous_states(&[0.1, 0.2]),
        "GetDerivatives" => instance.get_derivatives(2).0,
        "GetEventIndicators" => instance.get_event_indicators(1).0,
        "GetContinuousStates" => instance.get_continuous_states(2).0,
        "GetNominalsOfContinuousStates" => instance.get_nominals(2).0,
        _ => panic!("how is {function} called?"),
    }
}

/// Returns true if a call that is legal in a state succeeds.
fn is_in(instance: &Instance, state: State) -> bool {
    let ok = |function: &str| call(instance, function) == Status::Ok;
    match state {
        State::Instantiated => ok("EnterInitializationMode"),
        State::Initialization => ok("ExitInitializationMode"),
        State::StepComplete => ok("DoStep"),
        State::Event => ok("NewDiscreteStates"),
        State::Continuous => ok("CompletedIntegratorStep"),
        State::Terminated => ok("Terminate") && call(instance, "SetReal") == Status::Error,
        State::Error => instance.is_in_error(),
    }
}

/// Returns the status of a legal call.
fn good_status(function: &str) -> Status {
    match function {
        // These queries exist for asynchronous steps only.
        "GetStatus" | "GetIntegerStatus" | "GetStringStatus" => Status::Discard,
        _ => Status::Ok,
    }
}

#[test]
fn rule_2_1_rule_2_2_rule_2_6_every_function_in_every_state() {
    let mut cells = 0;
    for kind in INTERFACES {
        let table = Table::of(kind == CO_SIMULATION);
        for (function, state) in
            STATUS_FUNCTIONS.iter().flat_map(|name| states(kind).iter().map(move |state| (name, *state)))
        {
            let function = function.strip_prefix("fmi2").unwrap();
            let what = format!("{function} in {state:?} of fmi2Type {kind}");
            let allowed = table.allows(function, column(state));
            let instance = fmu("sample").instance_in(kind, state);
            let before = instance.snapshot();
            let status = call(&instance, function);
            cells += 1;
            if allowed == Some(true) {
                assert_eq!(status, good_status(function), "{what}: {:?}", instance.messages());
                assert!(instance.messages().iter().all(|message| message.status != Status::Error), "{what}");
                continue;
            }
            assert_eq!(status, Status::Error, "{what}");
            let message = instance.last_message();
            assert_eq!(
                (message.status, message.category.as_deref()),
                (Status::Error, Some("logStatusError")),
                "{what}"
            );
            let reason = match (function, allowed) {
                ("CancelStep", _) => "no step is ever pending",
                (_, None) => "does not exist for",
                _ => "not allowed in state",
            };
            let expected = message.text.starts_with(&format!("fmi2{function}: ")) && message.text.contains(reason);
            assert!(expected, "{what}: {}", message.text);
            assert!(instance.is_in_error(), "{what}");
            assert_eq!(instance.set_state(before), Status::Ok, "{what}");
            assert!(is_in(&instance, state), "{what}: after fmi2SetFMUstate");
            assert_eq!(instance.call_that_fails(), Status::Error, "{what}");
            assert!(instance.is_in_error(), "{what}");
            assert_eq!(instance.reset(), Status::Ok, "{what}");
            assert!(is_in(&instance, State::Instantiated), "{what}: after fmi2Reset");
        }
    }
    assert_eq!(cells, 40 * (5 + 6));
}

/// The runtime's table is compared in both standards.
#[test]
fn t16_the_table_of_each_standard_is_the_one_of_its_states() {
    let mut cells = 0;
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        for interface in [Interface::CoSimulation, Interface::ModelExchange] {
            let is_co_simulation = interface == Interface::CoSimulation;
            let (table, prefix) = match standard {
                Standard::Fmi2 => (Table::of(is_co_simulation), "fmi2"),
                Standard::Fmi3 => (Table::of_fmi_3(is_co_simulation), "fmi3"),
            };
            for call in Call::ALL.iter().filter(|call| call.standard() == standard) {
                let name = call.name();
                let exists = !(is_co_simulation && name.ends_with("_sensitivity"));
                // No saved state is one inside a step.
                let inside = is_co_simulation.then_some(&lifecycle::State::IntermediateUpdate);
                for state in lifecycle::states(standard, interface).iter().chain(inside) {
                    let column = column_of(*state);
                    let allowed = match name.strip_prefix(prefix) {
                        Some(function) => table.allows(function, column).unwrap_or(false),
                        None => exists && allows_beside(name, column),
                    };
                    let is_allowed = call.verdict(interface, *state) != CallLegality::Refused;
                    assert_eq!(is_allowed, allowed, "{name} in {state:?} of {interface:?}");
                    cells += 1;
                }
            }
        }
    }
    assert_eq!(cells, (40 + 3) * (7 + 7) + (70 + 1) * (10 + 9));
}

#[test]
fn functions_beside_fmi_in_every_state() {
    for kind in INTERFACES {
        for (function, state) in BESIDE.iter().flat_map(|name| states(kind).iter().map(move |state| (*name, *state))) {
            let what = format!("{function} in {state:?} of fmi2Type {kind}");
            let instance = fmu("sample").instance_in(kind, state);
            let vr = |name: &str| [instance.fmu.vr(name)];
            let (status, reason) = match function {
                "mechanics_linear" => (instance.linear(&vr("a"), &vr("u")).0, ""),
                "mechanics_sensitivity" => (instance.sensitivity(&vr("a"), &vr("m"), &[1.0], 1).0, ""),
                _ => (instance.law(0, &[1.0], 1).0, "this component has no law"),
            };
            let is_allowed = allows_beside(function, column(state));
            if is_allowed && reason.is_empty() {
                assert_eq!(status, Status::Ok, "{what}: {:?}", instance.messages());
                continue;
            }
            assert_eq!(status, Status::Error, "{what}");
            let reason = match (is_allowed, function, kind) {
                (true, ..) => reason,
                (false, "mechanics_sensitivity", CO_SIMULATION) => "does not exist for Co-Simulation",
                (false, ..) => "not allowed in state",
            };
            let text = instance.last_message().text;
            assert!(text.starts_with(&format!("{function}: ")) && text.contains(reason), "{what}: {text}");
            assert!(instance.is_in_error(), "{what}");
            assert_eq!(instance.reset(), Status::Ok, "{what}");
            assert!(is_in(&instance, State::Instantiated), "{what}: after fmi2Reset");
        }
    }
}

#[test]
fn functions_beside_fmi_refuse_wrong_arguments() {
    for kind in INTERFACES {
        let refused = |reason: &str, call: &dyn Fn(&Instance) -> Status| {
            let instance = fmu("sample").instance_in(kind, State::Initialization);
            assert_eq!(call(&instance), Status::Error, "{reason}");
            let text = instance.last_message().text;
            assert!(text.starts_with("mechanics_linear: ") && text.contains(reason), "{text}");
            assert!(instance.is_in_error());
        };
        let vr = |name: &str| [fmu("sample").vr(name)];
        refused("cannot be an unknown", &|it| it.linear(&vr("u"), &vr("u")).0);
        refused("cannot be a known", &|it| it.linear(&vr("a"), &vr("a")).0);
        refused("cannot be a known", &|it| it.linear(&vr("a"), &vr("gain")).0);
        refused("4294967295", &|it| it.linear(&[u32::MAX], &vr("u")).0);
        refused("4294967295", &|it| it.linear(&vr("a"), &[u32::MAX]).0);
    }
}

/// In both standards a wrong call of the function for derivatives of runs writes no results.
#[test]
fn sensitivities_of_wrong_variables_or_counts_never_touch_memory() {
    let sample = fmu("sample");
    let vr = |name: &str| sample.vr(name);
    let derive = |standard: api::Standard, unknown: u32, known: u32, seed: f64, indicators: usize| {
        let setup = Setup { logging_on: true, ..sample.setup(MODEL_EXCHANGE) };
        let api = Api::load_as(&sample.binary, standard).unwrap();
        let instance = api.instantiate(setup).unwrap_or_else(|messages| panic!("{messages:?}"));
        assert_eq!(instance.enter_initialization_mode(), Status::Ok);
        assert_eq!(instance.exit_initialization_mode(), Status::Ok);
        instance.messages();
        let (status, values) = instance.sensitivity(&[unknown], &[known], &[seed], indicators);
        (status, values.concat(), instance.messages().pop().map(|message| message.text).unwrap_or_default())
    };
    let wrong = [
        (vr("u"), vr("m"), 1.0, 1, "\"u\" has no place in a sensitivity: it is not a computed Real or a state"),
        (vr("a"), vr("a"), 1.0, 1, "\"a\" has no place in a sensitivity: it is not a Real parameter, input or state"),
        (vr("a"), vr("m"), f64::NAN, 1, "the direction of \"m\" cannot be NaN; a finite number is needed"),
        (vr("a"), vr("m"), 1.0, 0, "0 event indicators are requested, but there are 1"),
        (vr("a"), vr("m"), 1.0, 3, "3 event indicators are requested, but there are 1"),
        (u32::MAX, vr("m"), 1.0, 1, "4294967295"),
        (vr("a"), u32::MAX, 1.0, 1, "4294967295"),
    ];
    let functions =
        [(api::Standard::Fmi2, "mechanics_sensitivity: "), (api::Standard::Fmi3, "mechanics3_sensitivity: ")];
    for (standard, function) in functions {
        let (status, values, _) = derive(standard, vr("a"), vr("m"), 1.0, 1);
        assert!(status == Status::Ok && values.iter().all(|value| value.is_finite()), "{values:?}");
        for (unknown, known, seed, indicators, reason) in wrong {
            let (status, values, text) = derive(standard, unknown, known, seed, indicators);
            assert_eq!(status, Status::Error, "{reason}");
            assert!(values.iter().all(|value| value.is_nan()), "{reason}: {values:?}");
            assert!(text.starts_with(function) && text.contains(reason), "{text}");
        }
    }
}

#[test]
fn a4_the_tables_have_all_functions() {
    let [co_simulation, model_exchange] = INTERFACES.map(|kind| Table::of(kind == CO_SIMULATION).functions());
    assert_eq!((co_simulation.len(), model_exchange.len()), (30, 31));
    for function in STATUS_FUNCTIONS {
        let function = function.strip_prefix("fmi2").unwrap();
        assert!(co_simulation.contains(&function) || model_exchange.contains(&function), "{function}");
    }
}

#[test]
fn s1_setup_experiment_may_be_missing_and_the_last_one_wins() {
    for kind in INTERFACES {
        let instance = fmu("sample").instance(kind);
        assert_eq!(instance.enter_initialization_mode(), Status::Ok);
        assert_eq!(instance.exit_initialization_mode(), Status::Ok);
    }
    let instance = fmu("sample").instance(CO_SIMULATION);
    assert_eq!(instance.setup_experiment(None, 5.0, None), Status::Ok);
    assert_eq!(instance.setup_experiment(None, 3.0, None), Status::Ok);
    assert_eq!(instance.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.exit_initialization_mode(), Status::Ok);
    assert_eq!(instance.do_step(3.0, 0.1), Status::Ok);
}

#[test]
fn s2_a_wrong_tolerance_is_logged_and_ignored() {
    for tolerance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let setup = fmu_tests::api::Setup { logging_on: true, ..fmu("sample").setup(CO_SIMULATION) };
        let fmi = fmu("sample").api.instantiate(setup).ok().unwrap();
        assert_eq!(fmi.setup_experiment(Some(tolerance), 0.0, None), Status::Ok);
        let messages = fmi.messages();
        assert_eq!(messages.len(), 1);
        assert_eq!(messages[0].category.as_deref(), Some("logStatusWarning"));
    }
}

#[test]
fn s3_a_wrong_start_or_stop_time_is_an_error() {
    let wrong = [(f64::NAN, None), (f64::INFINITY, None), (0.0, Some(-1.0)), (1.0, Some(f64::NAN))];
    for (start, stop) in wrong {
        let instance = fmu("sample").instance(MODEL_EXCHANGE);
        assert_eq!(instance.setup_experiment(None, start, stop), Status::Error);
        assert!(instance.last_message().text.contains("Time is "));
    }
}

#[test]
fn s8_p4_reset_is_like_a_new_instance() {
    let run = |instance: &Instance| {
        instance.advance_to(State::StepComplete);
        instance.set(&[("u", 3.0)]);
        for i in 0..50 {
            assert_eq!(instance.do_step(f64::from(i) * 0.02, 0.02), Status::Ok);
        }
        (instance.real_bits(), instance.value("count"))
    };
    let expected = run(&fmu("sample").instance(CO_SIMULATION));
    for state in states(CO_SIMULATION) {
        let instance = fmu("sample").instance(CO_SIMULATION);
        instance.set(&[("m", 3.0), ("k", 5.0), ("x", 2.0), ("trouble", 2.0), ("steps", 7.0)]);
        assert_eq!(instance.set_string(&[instance.fmu.vr("label")], &[Some(b"changed")]), Status::Ok);
        instance.advance_to(*state);
        if *state == State::StepComplete {
            assert_eq!(instance.set_real_input_derivatives(&[instance.fmu.vr("u")], &[1], &[9.0]), Status::Ok);
            assert_eq!(instance.do_step(0.0, 0.3), Status::Ok);
            assert_eq!(instance.set_real_input_derivatives(&[instance.fmu.vr("u")], &[1], &[9.0]), Status::Ok);
        }
        assert_eq!(instance.reset(), Status::Ok);
        assert_eq!(instance.get_string(&[instance.fmu.vr("label")]).1, [Some("sample".to_owned())]);
        assert_eq!(run(&instance), expected, "{state:?}");
    }
}
