//! Directional derivatives compared with finite differences, and with the dependencies of the model description.

use std::collections::{BTreeMap, BTreeSet};

use fmu_builder::description::{Causality, Unknown};
use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use proptest::prelude::*;

use crate::fixture::{INTERFACES, Instance, State, fmu};

/// Entries of the Jacobian, `[unknown][known]`.
type Jacobian = Vec<Vec<f64>>;

/// Returns the Real variables at these positions.
fn references(instance: &Instance, unknowns: &[Unknown]) -> Vec<u32> {
    let variables = unknowns.iter().map(|unknown| &instance.fmu.description.variables[unknown.index]);
    variables.filter(|variable| variable.is_real()).map(|variable| variable.value_reference).collect()
}

fn with_causality(instance: &Instance, causality: Causality) -> Vec<u32> {
    let variables = instance.fmu.description.variables.iter();
    variables.filter(|v| v.is_real() && v.causality == causality).map(|v| v.value_reference).collect()
}

fn jacobian(instance: &Instance, unknowns: &[u32], knowns: &[u32]) -> Jacobian {
    let before = instance.real_bits();
    let column = |known: &u32| {
        let (status, values) = instance.directional_derivative(unknowns, &[*known], &[1.0]);
        assert_eq!(status, Status::Ok, "{:?}", instance.messages());
        values
    };
    let columns: Vec<_> = knowns.iter().map(column).collect();
    assert_eq!(instance.real_bits(), before, "the state of the instance has changed");
    (0..unknowns.len()).map(|row| columns.iter().map(|column| column[row]).collect()).collect()
}

fn values(instance: &Instance, vr: &[u32]) -> Vec<f64> {
    let (status, values) = instance.get_real(vr);
    assert_eq!(status, Status::Ok, "{:?}", instance.messages());
    values
}

/// Compares the Jacobian with central differences, row by row relative to the largest entry.
fn compare_with_differences(instance: &Instance, unknowns: &[u32], knowns: &[u32]) {
    let exact = jacobian(instance, unknowns, knowns);
    for (column, &known) in knowns.iter().enumerate() {
        let at = values(instance, &[known])[0];
        let h = 1e-6 * at.abs().max(1.0);
        let moved = |value: f64| {
            assert_eq!(instance.set_real(&[known], &[value]), Status::Ok, "{:?}", instance.messages());
            values(instance, unknowns)
        };
        let (above, below) = (moved(at + h), moved(at - h));
        moved(at);
        for row in 0..unknowns.len() {
            let difference = (above[row] - below[row]) / ((at + h) - (at - h));
            let largest = exact[row].iter().fold(1.0_f64, |largest, entry| largest.max(entry.abs()));
            let error = (exact[row][column] - difference).abs();
            let rounding = 1e-15 * above[row].abs() / h;
            assert!(
                error <= 1e-7 * largest + rounding,
                "d {} / d {known}: {} instead of {difference}",
                unknowns[row],
                exact[row][column]
            );
        }
    }
}

/// Checks that one call is a linear combination of columns.
fn compare_with_combination(instance: &Instance, unknowns: &[u32], knowns: &[u32]) {
    let seeds: Vec<f64> = (0..knowns.len()).map(|i| (i as f64 + 1.0).sin()).collect();
    let (status, combined) = instance.directional_derivative(unknowns, knowns, &seeds);
    assert_eq!(status, Status::Ok);
    for (row, combined) in jacobian(instance, unknowns, knowns).iter().zip(combined) {
        let products = || row.iter().zip(&seeds).map(|(entry, seed)| entry * seed);
        let scale: f64 = products().map(f64::abs).sum::<f64>().max(1.0);
        assert!((products().sum::<f64>() - combined).abs() <= 1e-12 * scale);
    }
    assert_eq!(instance.directional_derivative(unknowns, &[], &[]), (Status::Ok, vec![0.0; unknowns.len()]));
}

fn sample_at(kind: i32, point: [f64; 6], state: State) -> Instance {
    let [m, k, d, u, x, v] = point;
    let instance = fmu("sample").instance(kind);
    instance.set(&[("m", m), ("k", k), ("d", d), ("u", u), ("x", x), ("v_start", v), ("gain", 3.0)]);
    instance.set(&[
        ("axis[2]", 0.3),
        ("axis[3]", -0.7),
        ("shape[1,2]", 0.4),
        ("shape[3,1]", -0.2),
        ("shape[2,3]", 0.9),
    ]);
    instance.advance_to(state);
    instance
}

fn sample_points() -> impl Strategy<Value = [f64; 6]> {
    (1.0..10.0, 0.1..100.0, 0.1..5.0, -10.0..10.0, 0.1..2.0, -3.0..3.0)
        .prop_map(|(m, k, d, u, x, v)| [m, k, d, u, x, v])
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn rule_7_2_sample_during_the_initialisation(point in sample_points()) {
        let instance = sample_at(CO_SIMULATION, point, State::Initialization);
        let unknowns = references(&instance, &instance.fmu.description.model_structure.initial_unknowns);
        let mut knowns = with_causality(&instance, Causality::Parameter);
        knowns.retain(|known| *known < instance.fmu.vr("lookup[1,1]"));
        knowns.extend(with_causality(&instance, Causality::Input));
        knowns.push(instance.fmu.vr("x"));
        compare_with_differences(&instance, &unknowns, &knowns);
        compare_with_combination(&instance, &unknowns, &knowns);
    }

    #[test]
    fn rule_7_2_sample_in_continuous_time_mode(point in sample_points()) {
        let instance = sample_at(MODEL_EXCHANGE, point, State::Continuous);
        let mut unknowns = with_causality(&instance, Causality::Output);
        unknowns.extend(references(&instance, &instance.fmu.description.model_structure.derivatives));
        // A state moves its own output; the differences see both, the equations only the known.
        unknowns.retain(|unknown| *unknown != instance.fmu.vr("x"));
        let knowns = ["u", "x", "v"].map(|name| instance.fmu.vr(name));
        compare_with_differences(&instance, &unknowns, &knowns);
        compare_with_combination(&instance, &unknowns, &knowns);
    }

    #[test]
    fn rule_7_2_sample_at_communication_points(point in sample_points()) {
        let instance = sample_at(CO_SIMULATION, point, State::StepComplete);
        prop_assert_eq!(instance.do_step(0.0, 0.01), Status::Ok);
        let unknowns = with_causality(&instance, Causality::Output);
        compare_with_differences(&instance, &unknowns, &["u", "level"].map(|name| instance.fmu.vr(name)));
        compare_with_combination(&instance, &unknowns, &["u", "level", "x", "v"].map(|name| instance.fmu.vr(name)));
    }
}

#[test]
fn rule_7_2_elements_of_tables_are_refused_where_a_component_does_not_differentiate_by_them() {
    let instance = sample_at(CO_SIMULATION, [2.0, 8.0, 0.4, 1.0, 0.5, 0.0], State::Initialization);
    let (unknown, known) = (instance.fmu.vr("looked_up"), instance.fmu.vr("lookup[2,1]"));
    let (status, _) = instance.fmi.directional_derivative(&[unknown], &[known], &[1.0]);
    assert_eq!(status, Status::Error);
    let text = instance.fmi.messages().pop().unwrap().text;
    assert!(
        text.contains("elements of \"lookup\" cannot be knowns: derivatives with respect to them are not provided"),
        "{text}"
    );
}

/// Checks that those dependencies, and only those, are listed whose derivative is not zero at one of the points; a state
/// lists itself (MS-7).
fn check_dependencies(instances: &[Instance], list: &[Unknown], knowns: &[u32]) {
    let unknowns = references(&instances[0], list);
    let declared = declared_pairs(&instances[0], list);
    let found = dependent_pairs(instances, &unknowns, knowns);
    let variables = instances[0].fmu.description.variables.iter().filter(|variable| variable.is_real());
    let names: BTreeMap<u32, &str> =
        variables.map(|variable| (variable.value_reference, variable.name.as_str())).collect();
    let named = |(unknown, known): &(u32, u32)| format!("{} of {}", names[unknown], names[known]);
    let missing: Vec<_> = found.difference(&declared).map(named).collect();
    let superfluous: Vec<_> = declared.difference(&found).map(named).collect();
    assert!(missing.is_empty() && superfluous.is_empty(), "missing: {missing:?}, superfluous: {superfluous:?}");
}

fn dependent_pairs(instances: &[Instance], unknowns: &[u32], knowns: &[u32]) -> BTreeSet<(u32, u32)> {
    let mut pairs = BTreeSet::new();
    for instance in instances {
        for (unknown, row) in unknowns.iter().zip(jacobian(instance, unknowns, knowns)) {
            let nonzero = knowns.iter().zip(row).filter(|(_, entry)| *entry != 0.0);
            pairs.extend(nonzero.map(|(known, _)| (*unknown, *known)));
        }
    }
    pairs
}

/// Returns the pairs that the model description lists, Reals only.
fn declared_pairs(instance: &Instance, unknowns: &[Unknown]) -> BTreeSet<(u32, u32)> {
    let variables = &instance.fmu.description.variables;
    let mut pairs = BTreeSet::new();
    for unknown in unknowns.iter().filter(|unknown| variables[unknown.index].is_real()) {
        let dependencies = unknown.dependencies.as_ref().expect("a list");
        let real = dependencies.iter().map(|index| &variables[*index]).filter(|variable| variable.is_real());
        pairs.extend(real.map(|known| (variables[unknown.index].value_reference, known.value_reference)));
    }
    pairs
}

#[test]
fn ms4_ms6_dependencies_of_the_sample_are_exact() {
    let point = |i: i32| std::array::from_fn(|j| f64::from(i * 6 + j as i32).sin().abs() + 0.2);
    let instances: Vec<_> = (0..6).map(|i| sample_at(MODEL_EXCHANGE, point(i), State::Continuous)).collect();
    let structure = &instances[0].fmu.description.model_structure;
    let knowns = ["u", "x", "v"].map(|name| instances[0].fmu.vr(name));
    for list in [&structure.outputs, &structure.derivatives] {
        check_dependencies(&instances, list, &knowns);
    }
}

#[test]
fn rule_7_2_only_reals_that_are_unknowns_and_knowns_are_accepted() {
    let vr = |name: &str| fmu("sample").vr(name);
    let cases = [
        (vr("u"), vr("u"), "cannot be an unknown"),
        (vr("m"), vr("u"), "cannot be an unknown"),
        (u32::MAX, vr("u"), "cannot be an unknown"),
        (vr("a"), vr("a"), "cannot be a known"),
        (vr("a"), vr("m"), "cannot be a known"),
        (vr("a"), u32::MAX, "cannot be a known"),
    ];
    for kind in INTERFACES {
        let state = if kind == CO_SIMULATION { State::StepComplete } else { State::Continuous };
        for (unknown, known, reason) in cases {
            let instance = fmu("sample").instance_in(kind, state);
            assert_eq!(instance.directional_derivative(&[unknown], &[known], &[1.0]).0, Status::Error);
            let message = instance.last_message().text;
            assert!(message.contains(reason), "{message}");
        }
        let instance = fmu("sample").instance_in(kind, state);
        assert_eq!(instance.directional_derivative(&[vr("a")], &[vr("u")], &[f64::NAN]).0, Status::Error);
        assert!(instance.last_message().text.contains("\"u\" cannot be NaN; a finite number is needed"));
    }
}

/// The description of FMI 2.0 does not list the time; the Modelica package needs derivatives by it.
#[test]
fn rule_7_2_time_is_a_known_after_the_initialisation() {
    const TIME: u32 = 3_000_000_000;
    let instance = sample_at(MODEL_EXCHANGE, [2.0, 30.0, 1.5, 0.7, 0.3, -0.4], State::Continuous);
    let unknowns: Vec<u32> = ["a", "x"].map(|name| instance.fmu.vr(name)).into();
    let u = instance.fmu.vr("u");
    let (status, by_time) = instance.directional_derivative(&unknowns, &[TIME], &[2.0]);
    assert_eq!(status, Status::Ok);
    let (_, by_u) = instance.directional_derivative(&unknowns, &[u], &[3.0]);
    let (status, both) = instance.directional_derivative(&unknowns, &[u, TIME], &[3.0, 2.0]);
    assert_eq!(status, Status::Ok);
    for (i, both) in both.into_iter().enumerate() {
        assert!((both - by_time[i] - by_u[i]).abs() < 1e-12 * (1.0 + both.abs()));
    }
    assert_eq!(instance.directional_derivative(&unknowns, &[TIME], &[f64::INFINITY]).0, Status::Error);
    assert!(instance.last_message().text.contains("the direction of \"time\" cannot be "));
    let instance = sample_at(MODEL_EXCHANGE, [2.0, 30.0, 1.5, 0.7, 0.3, -0.4], State::Continuous);
    assert_eq!(instance.linear(&unknowns, &[TIME]).0, Status::Error);
    let text = instance.last_message().text;
    assert!(text.contains("cannot be a known"), "{text}");
    let instance = sample_at(MODEL_EXCHANGE, [2.0, 30.0, 1.5, 0.7, 0.3, -0.4], State::Initialization);
    assert_eq!(instance.directional_derivative(&unknowns, &[TIME], &[1.0]).0, Status::Error);
    assert!(instance.last_message().text.contains("cannot be a known in state \"initialization mode\""));
}
