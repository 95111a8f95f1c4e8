//! The exported functions, and NULL arguments.

use std::collections::BTreeSet;

use fmu_tests::api::{Api, BESIDE, CO_SIMULATION, OTHERS, STATUS_FUNCTIONS, Standard, Status, fmi3};
use object::{Object, ObjectSymbol};

use crate::fixture::{INTERFACES, State, fmu, library};

#[test]
fn a1_a2_b4_exactly_the_functions_of_both_standards_and_our_own_are_exported() {
    for name in ["bushing", "sample"] {
        let bytes = fs_err::read(library(name)).unwrap();
        let file = object::File::parse(bytes.as_slice()).unwrap();
        let strip = |name: &str| name.strip_prefix('_').unwrap_or(name).to_owned();
        let exported: BTreeSet<String> = if file.format() == object::BinaryFormat::Elf {
            let symbols = file.dynamic_symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
            symbols.map(|symbol| symbol.name().unwrap().to_owned()).collect()
        } else {
            let exports = file.exports().unwrap();
            exports.iter().map(|export| strip(std::str::from_utf8(export.name()).unwrap())).collect()
        };
        let of_fmi_2 = OTHERS.iter().chain(STATUS_FUNCTIONS);
        let of_fmi_3 = fmi3::OTHERS.iter().chain(fmi3::STATUS_FUNCTIONS);
        let mut expected: BTreeSet<String> = of_fmi_2.chain(of_fmi_3).map(|&name| name.to_owned()).collect();
        assert_eq!(expected.len(), 44 + 75);
        expected.extend(BESIDE.iter().chain(fmi3::BESIDE).chain(&["mechanics_declare"]).map(|&name| name.to_owned()));
        assert_eq!(exported, expected, "{name}");
    }
}

#[test]
fn a1_version_and_types_platform() {
    for name in ["bushing", "sample"] {
        assert_eq!(fmu(name).api.version(), c"2.0");
        assert_eq!(Api::load_as(library(name), Standard::Fmi3).unwrap().version(), c"3.0");
        assert_eq!(fmu(name).api.types_platform(), c"default");
    }
}

#[test]
fn a5_null_component_is_an_error_of_each_function() {
    for standard in [Standard::Fmi2, Standard::Fmi3] {
        let api = Api::load_as(&fmu("sample").binary, standard).unwrap();
        for function in standard.status_functions() {
            for count in [0, 1] {
                assert_eq!(api.call_with_nulls(function, None, count), Status::Error, "{function}");
            }
        }
        api.free_null();
    }
}

/// The functions with arrays and their counts.
const WITH_ARRAYS: [&str; 18] = [
    "fmi2SetDebugLogging", "fmi2GetReal", "fmi2GetInteger", "fmi2GetBoolean", "fmi2GetString", "fmi2SetReal",
    "fmi2SetInteger", "fmi2SetBoolean", "fmi2SetString", "fmi2GetDirectionalDerivative", "mechanics_linear",
    "fmi2SetRealInputDerivatives", "fmi2GetRealOutputDerivatives", "fmi2SetContinuousStates", "fmi2GetDerivatives",
    "fmi2GetEventIndicators", "fmi2GetContinuousStates", "fmi2GetNominalsOfContinuousStates",
];

fn has_arrays_in(kind: i32, function: &str) -> bool {
    let [co_simulation, _] = INTERFACES;
    match function {
        "fmi2SetRealInputDerivatives" | "fmi2GetRealOutputDerivatives" => kind == co_simulation,
        "fmi2SetContinuousStates"
        | "fmi2GetDerivatives"
        | "fmi2GetEventIndicators"
        | "fmi2GetContinuousStates"
        | "fmi2GetNominalsOfContinuousStates" => kind != co_simulation,
        _ => WITH_ARRAYS.contains(&function),
    }
}

#[test]
fn a7_no_elements_need_no_arrays() {
    // The bushing has neither states nor event indicators.
    for kind in INTERFACES {
        let state = if kind == INTERFACES[0] { State::StepComplete } else { State::Continuous };
        let integers: &[&str] = &["fmi2SetInteger", "fmi2SetBoolean", "fmi2SetString"];
        for function in WITH_ARRAYS.into_iter().filter(|function| has_arrays_in(kind, function)) {
            let state = if integers.contains(&function) { State::Initialization } else { state };
            let instance = fmu("bushing").instance_in(kind, state);
            let status = fmu("bushing").api.call_with_nulls(function, Some(&instance), 0);
            assert_eq!(status, Status::Ok, "{function}: {:?}", instance.messages());
        }
    }
}

#[test]
fn a7_elements_need_arrays() {
    for kind in INTERFACES {
        for function in WITH_ARRAYS.into_iter().filter(|function| has_arrays_in(kind, function)) {
            let instance = fmu("sample").instance_in(kind, State::Initialization);
            let status = fmu("sample").api.call_with_nulls(function, Some(&instance), 2);
            assert_eq!(status, Status::Error, "{function}");
            assert!(instance.is_in_error(), "{function}");
        }
    }
}

#[test]
fn a7_results_need_a_place() {
    let pointers = [
        ("fmi2GetFMUstate", 0),
        ("fmi2SetFMUstate", 0),
        ("fmi2SerializedFMUstateSize", 0),
        ("fmi2SerializeFMUstate", 0),
        ("fmi2DeSerializeFMUstate", 0),
        ("fmi2NewDiscreteStates", 1),
        ("fmi2CompletedIntegratorStep", 2),
    ];
    for (function, state) in pointers {
        let state = [State::StepComplete, State::Event, State::Continuous][state];
        let kind = INTERFACES[usize::from(state != State::StepComplete)];
        let instance = fmu("sample").instance_in(kind, state);
        let status = fmu("sample").api.call_with_nulls(function, Some(&instance), 0);
        assert_eq!(status, Status::Error, "{function}");
        let message = instance.last_message();
        assert!(message.text.contains(function), "{function}: {}", message.text);
    }
}

#[test]
fn a8_unknown_value_references_and_wrong_types_are_errors() {
    let fmu = fmu("sample");
    let count = |real: bool| fmu.description.variables.iter().filter(|variable| variable.is_real() == real).count();
    // The count is beyond all integers, hence only of a Real.
    let real_only = 2 * count(false) as u32;
    assert!((real_only as usize) < count(true));
    for kind in INTERFACES {
        for unknown in [real_only, 1_000_000, u32::MAX] {
            let check = |call: &str, what: &str, function: &dyn Fn(&fmu_tests::api::CInstance) -> Status| {
                let instance = fmu.instance_in(kind, State::Initialization);
                assert_eq!(function(&instance), Status::Error, "{call}");
                let expected = format!("{call}: no {what} variable has the value reference {unknown}");
                assert_eq!(instance.last_message().text, expected);
                assert!(instance.is_in_error());
            };
            if unknown != real_only {
                check("fmi2GetReal", "Real", &|fmi| fmi.get_real(&[0, unknown]).0);
                check("fmi2SetReal", "Real", &|fmi| fmi.set_real(&[0, unknown], &[1.0, 1.0]));
            }
            let integer = "Integer or Enumeration";
            check("fmi2GetInteger", integer, &|fmi| fmi.get_integer(&[unknown]).0);
            check("fmi2SetInteger", integer, &|fmi| fmi.set_integer(&[unknown], &[1]));
            check("fmi2GetBoolean", "Boolean", &|fmi| fmi.get_boolean(&[unknown]).0);
            check("fmi2SetBoolean", "Boolean", &|fmi| fmi.set_boolean(&[unknown], &[1]));
            check("fmi2GetString", "String", &|fmi| fmi.get_string(&[unknown]).0);
            check("fmi2SetString", "String", &|fmi| fmi.set_string(&[unknown], &[Some(b"x")]));
        }
    }
}

#[test]
fn a9_a_set_call_that_fails_changes_nothing() {
    let fmu = fmu("sample");
    for (bad, value, status) in [("k", 2e6, Status::Discard), ("x", f64::NAN, Status::Error), ("a", 1.0, Status::Error)]
    {
        let instance = fmu.instance_in(INTERFACES[0], State::Initialization);
        let before = instance.real_bits();
        let vr = [fmu.vr("u"), fmu.vr("m"), fmu.vr(bad), fmu.vr("d")];
        assert_eq!(instance.set_real(&vr, &[7.0, 7.0, value, 7.0]), status);
        let [u, m, d] = ["u", "m", "d"].map(|name| instance.value(name));
        assert_eq!((u, m, d), (0.0, 2.0, 0.4));
        assert_eq!(instance.real_bits(), before);
    }
    let instance = fmu.instance_in(INTERFACES[0], State::Initialization);
    let vr = [fmu.vr("steps"), fmu.vr("gain"), fmu.vr("count")];
    assert_eq!(instance.set_integer(&vr, &[5, 5, 5]), Status::Error);
    assert_eq!(instance.get_integer(&vr).1, [20, 1, 0]);
    let instance = fmu.instance_in(INTERFACES[0], State::Initialization);
    let vr = [fmu.vr("hold"), fmu.vr("held")];
    assert_eq!(instance.set_boolean(&vr, &[1, 1]), Status::Error);
    assert_eq!(instance.get_boolean(&vr).1, [0, 0]);
    let instance = fmu.instance_in(INTERFACES[0], State::Initialization);
    let vr = [fmu.vr("label"), fmu.vr("label")];
    assert_eq!(instance.set_string(&vr, &[Some(b"new"), None]), Status::Error);
    assert_eq!(instance.get_string(&vr[..1]).1, [Some("sample".to_owned())]);
}

#[test]
fn a9_the_last_value_of_a_variable_given_twice_wins() {
    let instance = fmu("sample").instance_in(INTERFACES[0], State::StepComplete);
    let u = fmu("sample").vr("u");
    assert_eq!(instance.set_real(&[u, u], &[1.0, 2.0]), Status::Ok);
    assert_eq!(instance.value("u"), 2.0);
}

#[test]
fn no_array_is_larger_than_memory() {
    for count in [usize::MAX / 16 + 1, usize::MAX] {
        let instance = fmu("sample").instance_in(CO_SIMULATION, State::Initialization);
        assert_eq!(instance.get_reals_counted(count).0, Status::Error);
        let message = instance.last_message().text;
        assert!(message.ends_with(&format!("an array of {count} elements is too large")), "{message}");
        let instance = fmu("sample").instance_in(CO_SIMULATION, State::Initialization);
        assert_eq!(instance.set_reals_counted(count), Status::Error);
    }
}
