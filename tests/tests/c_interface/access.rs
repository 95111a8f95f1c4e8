//! Setting of variables by state, and the accepted values.

use fmu_builder::description::VariableType;
use fmu_runtime::reference;
use fmu_tests::api::{Api, CO_SIMULATION, COUNTED, MODEL_EXCHANGE, Setup, Standard, Status};

use crate::fixture::{INTERFACES, Instance, State, fmu, states};

/// Which variables may be set in each state (FMI 2.0, sections 3.2.1 and 4.2.1): inputs may be set before initialisation as well. OpenModelica sets fixed
/// parameters after it, which is tolerated before the first step.
const TABLE: &str = "
                            inst init step event continuous
    fixed parameter           +    +    +     +      -
    tunable parameter         +    +    +     +      -
    discrete input            +    +    +     +      -
    continuous input          +    +    +     +      +
    state with start          +    +    -     -      +
    state without start       -    -    -     -      +
    computed                  -    -    -     -      -";

/// Variables of each row, with a value different from the current one.
const VARIABLES: [(&str, f64, &str); 26] = [
    ("m", 3.0, "fixed parameter"),
    ("v_start", 0.125, "fixed parameter"),
    ("axis[2]", 0.5, "fixed parameter"),
    ("shape[3,1]", 0.5, "fixed parameter"),
    ("lookup[2,2]", 2.5, "fixed parameter"),
    ("steps", 10.0, "fixed parameter"),
    ("axes[3]", 7.0, "fixed parameter"),
    ("label", 0.0, "fixed parameter"),
    ("k", 9.0, "tunable parameter"),
    ("trouble", 3.0, "tunable parameter"),
    ("u", 1.5, "continuous input"),
    ("level", 1.5, "discrete input"),
    ("gain", -2.0, "discrete input"),
    ("hold", 1.0, "discrete input"),
    ("x", 0.25, "state with start"),
    ("v", 0.25, "state without start"),
    ("a", 0.25, "computed"),
    ("omega", 0.25, "computed"),
    ("energy", 0.25, "computed"),
    ("looked_up", 0.25, "computed"),
    ("sensor.r[1]", 0.25, "computed"),
    ("sensor.f[3]", 0.25, "computed"),
    ("count", 5.0, "computed"),
    ("held", 1.0, "computed"),
    ("period", 0.5, "fixed parameter"),
    ("d", 0.5, "fixed parameter"),
];

fn column(state: State) -> Option<usize> {
    match state {
        State::Instantiated => Some(0),
        State::Initialization => Some(1),
        State::StepComplete => Some(2),
        State::Event => Some(3),
        State::Continuous => Some(4),
        State::Terminated | State::Error => None,
    }
}

fn may_be_set(row: &str, state: State) -> bool {
    let line = TABLE.lines().find(|line| line.trim_start().starts_with(row)).unwrap();
    let cells: Vec<_> = line.split_whitespace().skip(row.split(' ').count()).collect();
    column(state).is_some_and(|column| cells[column] == "+")
}

fn is_string(name: &str) -> bool {
    matches!(fmu("sample").variable(name).kind, VariableType::String { .. })
}

fn set_another(instance: &Instance, name: &str, value: f64) -> Status {
    if is_string(name) {
        instance.set_string(&[instance.fmu.vr(name)], &[Some(b"another")])
    } else {
        instance.try_set(name, value)
    }
}

fn set_same(instance: &Instance, name: &str) -> Status {
    let vr = [instance.fmu.vr(name)];
    match is_string(name) {
        true => instance.set_string(&vr, &[Some(instance.get_string(&vr).1[0].as_ref().unwrap().as_bytes())]),
        false => instance.try_set(name, instance.value(name)),
    }
}

fn text_of(instance: &Instance, name: &str) -> String {
    match is_string(name) {
        true => instance.get_string(&[instance.fmu.vr(name)]).1[0].clone().unwrap(),
        false => instance.value(name).to_string(),
    }
}

#[test]
fn rule_3_2_p1_what_may_be_set_when() {
    for (kind, state) in INTERFACES.into_iter().flat_map(|kind| states(kind).iter().map(move |state| (kind, *state))) {
        for (name, value, row) in VARIABLES {
            let what = format!("{name} in {state:?} of fmi2Type {kind}");
            let instance = fmu("sample").instance_in(kind, state);
            let before = text_of(&instance, name);
            let status = set_another(&instance, name, value);
            if may_be_set(row, state) {
                assert_eq!(status, Status::Ok, "{what}: {:?}", instance.messages());
                let wanted = if is_string(name) { "another".to_owned() } else { value.to_string() };
                assert_eq!(text_of(&instance, name), wanted, "{what}");
            } else {
                assert_eq!(status, Status::Error, "{what}");
                let message = instance.last_message().text;
                assert!(instance.is_in_error(), "{what}");
                assert_eq!(text_of(&instance, name), before, "{what}");
                let reason = match row {
                    _ if message.contains("not allowed in state") => continue,
                    "state with start" | "state without start" => "it is a state",
                    "computed" => "it is computed by the FMU",
                    row => row,
                };
                let named = message.contains(&format!("\"{name}\" cannot be set to "));
                assert!(named && message.contains(reason), "{what}: {message}");
            }
        }
    }
}

#[test]
fn rule_3_2_an_equal_value_may_be_set_always() {
    let setting = [State::Instantiated, State::Initialization, State::StepComplete, State::Event, State::Continuous];
    for (kind, state) in INTERFACES.into_iter().flat_map(|kind| states(kind).iter().map(move |state| (kind, *state))) {
        for (name, ..) in VARIABLES.into_iter().filter(|_| setting.contains(&state)) {
            let is_real = fmu("sample").variable(name).is_real();
            let instance = fmu("sample").instance_in(kind, state);
            let expected = if state == State::Continuous && !is_real { Status::Error } else { Status::Ok };
            assert_eq!(set_same(&instance, name), expected, "{name} in {state:?}: {:?}", instance.messages());
        }
    }
}

#[test]
fn rule_3_3_everything_may_be_read_in_every_state() {
    for (kind, state) in INTERFACES.into_iter().flat_map(|kind| states(kind).iter().map(move |state| (kind, *state))) {
        for component in ["bushing", "sample"] {
            let instance = fmu(component).instance_in(kind, state);
            for variable in &fmu(component).description.variables {
                match variable.kind {
                    VariableType::String { .. } => {
                        assert_eq!(instance.get_string(&[variable.value_reference]).0, Status::Ok);
                    }
                    _ => assert!(instance.value(&variable.name).is_finite(), "{} in {state:?}", variable.name),
                }
            }
        }
    }
}

#[test]
fn rule_3_3_p3_start_values_are_there_before_the_initialisation() {
    for kind in INTERFACES {
        let instance = fmu("sample").instance(kind);
        for (name, start) in [("m", 2.0), ("x", 0.5), ("u", 0.0), ("gain", 1.0), ("trouble", 1.0), ("lookup[2,2]", 3.0)]
        {
            assert_eq!(instance.value(name), start, "{name}");
        }
    }
}

#[test]
fn v9_parameters_and_integers_outside_their_bounds_are_discarded() {
    let cases = [
        ("m", 0.0, "at least 0.001"),
        ("k", -1e-300, "from 0.0 to 1000000.0"),
        ("k", 1_000_000.000_000_1, "from 0.0 to 1000000.0"),
        ("steps", 0.0, "from 1 to 1000"),
        ("steps", 1001.0, "from 1 to 1000"),
        ("trouble", 0.0, "from 1 to 4"),
        ("trouble", 5.0, "from 1 to 4"),
        ("trouble", f64::from(i32::MIN), "from 1 to 4"),
        ("gain", 101.0, "from -100 to 100"),
    ];
    for kind in INTERFACES {
        for (name, value, bounds) in cases {
            let instance = fmu("sample").instance(kind);
            assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
            let before = instance.value(name);
            assert_eq!(instance.try_set(name, value), Status::Discard, "{name} = {value}");
            let message = instance.last_message();
            assert_eq!((message.status, message.category.as_deref()), (Status::Discard, Some("logStatusDiscard")));
            let (subject, rest) = message.text.split_once(" cannot be ").unwrap();
            let (given, needed) = rest.split_once(", it must be ").unwrap();
            assert!(subject.ends_with(&format!("\"{name}\"")), "{}", message.text);
            assert_eq!((given.parse(), needed), (Ok(value), bounds));
            assert_eq!(instance.value(name), before);
            assert_eq!(instance.enter_initialization_mode(), Status::Ok, "a discarded call leaves the state");
        }
        for (name, value) in [("m", 0.001), ("k", 0.0), ("k", 1e6), ("steps", 1.0), ("steps", 1000.0), ("trouble", 4.0)]
        {
            fmu("sample").instance(kind).set(&[(name, value)]);
        }
    }
}

#[test]
fn rule_6_1_a_string_that_is_not_utf8_is_taken_with_a_warning() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
    let label = [fmu("sample").vr("label")];
    assert_eq!(instance.set_string(&label, &[Some(b"h\xe4rter")]), Status::Ok);
    assert_eq!(instance.last_message().text, "fmi2SetString: a string is not UTF-8; invalid bytes were replaced");
    assert_eq!(instance.get_string(&label).1, [Some("h\u{fffd}rter".to_owned())]);
}

#[test]
fn a8_real_values_must_be_finite() {
    for kind in INTERFACES {
        for (name, value) in ["m", "k", "u", "level", "x", "lookup[1,1]"]
            .into_iter()
            .flat_map(|name| [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|value| (name, value)))
        {
            let instance = fmu("sample").instance_in(kind, State::Initialization);
            let before = instance.value(name);
            assert_eq!(instance.try_set(name, value), Status::Error, "{name} = {value}");
            let message = instance.last_message().text;
            assert_eq!(message, format!("fmi2SetReal: \"{name}\" cannot be {value}; a finite number is needed"));
            assert_eq!(instance.value(name), before);
        }
    }
}

#[test]
fn p13_a_fixed_parameter_after_the_initialisation() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    assert_eq!(instance.do_step(0.0, 0.1), Status::Ok);
    let before = instance.real_bits();
    instance.set(&[("m", 2.0), ("steps", 20.0), ("period", 0.25)]);
    assert_eq!(instance.real_bits(), before);
    assert_eq!(instance.try_set("m", 2.0_f64.next_up()), Status::Error);
    assert_eq!(
        instance.last_message().text,
        "fmi2SetReal: \"m\" cannot be set to 2.0000000000000004 in state \"step complete\": \
         it is a fixed parameter, which may be set before the first step only"
    );
}

#[test]
fn p13_a_fixed_parameter_before_the_first_step_repeats_the_initialisation() {
    for kind in INTERFACES {
        let state = if kind == CO_SIMULATION { State::StepComplete } else { State::Event };
        let instance = fmu("sample").instance_in(kind, state);
        assert_eq!(instance.set_debug_logging(true, &[]), Status::Ok);
        instance.set(&[("m", 4.0), ("v_start", 0.125), ("steps", 10.0)]);
        let late = instance.messages();
        assert_eq!(late.len(), 1, "{late:?}");
        let (text, category) = (&late[0].text, late[0].category.as_deref());
        assert_eq!(
            text,
            "fmi2SetReal: \"m\" is set after the initialisation, which is repeated, since no step has been made yet"
        );
        assert_eq!((late[0].status, category), (Status::Ok, Some("logStatusWarning")));
        let expected = fmu("sample").instance(kind);
        expected.set(&[("m", 4.0), ("v_start", 0.125), ("steps", 10.0)]);
        expected.advance_to(state);
        assert_eq!(instance.real_bits(), expected.real_bits());
        assert_eq!(instance.value("v"), 0.125);
    }
}

/// The initialisation that a parameter set late repeats must not undo what the importer sets next.
#[test]
fn p13_states_set_after_late_parameters_stay() {
    for modes in [true, false] {
        for time in [0.0, 0.125] {
            let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Event);
            instance.set(&[("m", 4.0), ("v_start", 0.125)]);
            if modes {
                assert_eq!(instance.enter_continuous_time_mode(), Status::Ok);
            }
            assert_eq!(instance.set_time(time), Status::Ok);
            assert_eq!(instance.set_continuous_states(&[0.25, -2.0]), Status::Ok);
            let derivatives = instance.get_derivatives(2).1;
            assert_eq!(derivatives, [-2.0, (-8.0 * 0.25 - 0.4 * -2.0) / 4.0], "{modes} {time}");
            assert_eq!(instance.get_continuous_states(2).1, [0.25, -2.0], "{modes} {time}");
        }
    }
}

#[test]
fn p13_parameters_set_late_are_part_of_the_state() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    instance.set(&[("v_start", 0.125)]);
    let state = instance.snapshot();
    assert_eq!(instance.do_step(0.0, 0.1), Status::Ok);
    let after = instance.real_bits();
    assert_eq!(instance.set_state(state), Status::Ok);
    assert_eq!(instance.value("v"), 0.125);
    assert_eq!(instance.do_step(0.0, 0.1), Status::Ok);
    assert_eq!(instance.real_bits(), after);
}

#[test]
fn v11_tunable_parameters_take_effect_between_steps() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    instance.set(&[("k", 32.0)]);
    assert_eq!(instance.value("omega"), 4.0);
    assert_eq!(instance.value("a"), -8.0);
    let instance = fmu("sample").instance_in(MODEL_EXCHANGE, State::Event);
    instance.set(&[("k", 32.0)]);
    assert_eq!(instance.get_derivatives(2).1, [0.0, -8.0]);
}

#[test]
fn s6_getters_in_initialization_mode_follow_the_setters() {
    for kind in INTERFACES {
        let instance = fmu("sample").instance_in(kind, State::Initialization);
        for (m, v) in [(1.0, 2.0), (4.0, -1.0), (2.0, 0.0)] {
            instance.set(&[("m", m), ("v_start", v)]);
            assert_eq!(instance.value("v"), v);
            assert_eq!(instance.value("omega"), (8.0 / m).sqrt());
            assert_eq!(instance.value("a"), (-8.0 * 0.5 - 0.4 * v) / m);
        }
    }
}

#[test]
fn rule_3_2_booleans_are_true_for_any_number_but_zero() {
    let instance = fmu("sample").instance_in(CO_SIMULATION, State::StepComplete);
    for (given, read) in [(1, 1.0), (0, 0.0), (-1, 1.0), (i32::MIN, 1.0), (256, 1.0)] {
        assert_eq!(instance.set_boolean(&[instance.fmu.vr("hold")], &[given]), Status::Ok);
        assert_eq!((instance.value("hold"), instance.value("held")), (read, read));
    }
}

#[test]
fn p15_strings_live_until_strings_are_got_again() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    let vr = [instance.fmu.vr("label")];
    let (status, read) = instance.get_string_read_after(&vr, || {
        assert_eq!(instance.set_string(&vr, &[Some(b"another, and longer than before")]), Status::Ok);
        instance.advance_to(State::StepComplete);
        assert_eq!(instance.do_step(0.0, 0.1), Status::Ok);
        assert_eq!(instance.reset(), Status::Ok);
    });
    assert_eq!((status, read), (Status::Ok, vec![Some("sample".to_owned())]));
}

#[test]
fn rule_6_1_strings_are_copied_both_ways() {
    let instance = fmu("sample").instance(CO_SIMULATION);
    let vr = [instance.fmu.vr("label")];
    for text in ["x", "100 % #1", "ä 日本 🔩", &"long".repeat(10_000)] {
        assert_eq!(instance.set_string(&vr, &[Some(text.as_bytes())]), Status::Ok);
        assert_eq!(instance.get_string(&vr).1, [Some(text.to_owned())]);
    }
    assert_eq!(instance.set_string(&vr, &[Some(b"\xff\xfe")]), Status::Ok);
    assert_eq!(instance.get_string(&vr).1, [Some("\u{fffd}\u{fffd}".to_owned())]);
    assert_eq!(instance.set_string(&vr, &[Some(b"")]), Status::Ok);
    assert_eq!(instance.setup_experiment(None, 0.0, None), Status::Ok);
    assert_eq!(instance.enter_initialization_mode(), Status::Ok);
    assert_eq!(instance.exit_initialization_mode(), Status::Error);
    assert!(instance.last_message().text.contains("label is empty, but must have at least one letter"));
}

#[test]
fn t4_wrong_counts_never_touch_memory() {
    let sample = fmu("sample");
    let api = Api::load_as(&sample.binary, Standard::Fmi3).unwrap();
    for kind in INTERFACES {
        let setup = Setup { logging_on: true, ..sample.setup(kind) };
        let instance = api.instantiate(setup).unwrap_or_else(|messages| panic!("{messages:?}"));
        let (axis, axes) = (sample.vr("axis[1]"), sample.vr("axes[1]"));
        let all = sample.description.variables.iter();
        let of_type = |is: fn(&VariableType) -> bool| all.clone().find(|it| is(&it.kind)).unwrap().value_reference;
        let truth = of_type(|kind| matches!(kind, VariableType::Boolean { .. }));
        let text = of_type(|kind| matches!(kind, VariableType::String { .. }));
        for function in COUNTED {
            let (reference, count) = match *function {
                "fmi3GetInt32" | "fmi3SetInt32" => (axes, 3),
                "fmi3GetInt64" | "fmi3SetInt64" => (sample.vr("trouble"), 1),
                "fmi3GetBoolean" | "fmi3SetBoolean" => (truth, 1),
                "fmi3GetString" | "fmi3SetString" => (text, 1),
                "fmi3GetUInt64" | "fmi3SetUInt64" => (reference::ROWS, 1),
                // These take no variable; the sample has two states.
                name if name.contains("Continuous") || name == "fmi3GetEventIndicators" => (axis, 1),
                _ => (axis, 3),
            };
            for wrong in [7, 1 << 40, isize::MAX as usize / 8, usize::MAX].into_iter().chain((count > 1).then_some(2)) {
                assert_eq!(instance.reset(), Status::Ok);
                assert_eq!(instance.enter_initialization_mode(), Status::Ok);
                assert_eq!(instance.exit_initialization_mode(), Status::Ok);
                instance.get_real(&[sample.vr("m")]);
                instance.messages();
                let (status, untouched) = instance.with_count(function, reference, wrong);
                assert_eq!((status, untouched), (Status::Error, true), "{function} of {wrong} values");
                // Others may not be called now, or not in this interface.
                let types = ["Float64", "Int32", "Int64", "Boolean", "String"];
                if kind == CO_SIMULATION && types.iter().any(|name| function.ends_with(name)) {
                    let said = instance.messages().pop().unwrap_or_else(|| panic!("{function} says nothing")).text;
                    assert!(said.contains(&format!("{wrong} ")), "{function}: {said}");
                }
            }
        }
    }
}

#[test]
fn a_key_of_a_row_names_another_quantity_than_that_of_its_unit() {
    let quantity = |name: &str| fmu("sample").variable(name).attributes.quantity.as_deref();
    assert_eq!((quantity("energy"), quantity("sensor.r[2]")), (Some("Energy"), Some("Length")));
    assert_eq!(quantity("omega"), Some("AngularFrequency"));
    assert_eq!((quantity("sensor.f[2]"), quantity("level")), (None, None));
}
