//! Directional derivatives against differences and against the declared dependencies.

use std::collections::BTreeSet;

use fmu_runtime::description::{Causality, Description, Kind, Unknown, Variability, Variable};
use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use fmu_tests::finished::{Fmu, Instance};

use crate::points::{Random, for_each_structure, is_real, set_randomly};

/// Unknowns and knowns by value reference, with the unknowns' declared knowns.
struct System {
    unknowns: Vec<u32>,
    knowns: Vec<u32>,
    /// None: all.
    declared: Vec<Option<BTreeSet<u32>>>,
    /// The greatest change of a known that is admissible.
    reach: Vec<f64>,
}

impl System {
    fn new(description: &Description, unknowns: &[Unknown], is_known: impl Fn(usize, &Variable) -> bool) -> Self {
        let variables = &description.variables;
        let reference = |index: usize| variables[index].value_reference;
        let real = || unknowns.iter().filter(|unknown| is_real(&variables[unknown.index]));
        let knowns: Vec<usize> = (0..variables.len())
            .filter(|index| is_real(&variables[*index]) && is_known(*index, &variables[*index]))
            .collect();
        let of_reals = |indices: &Vec<usize>| -> BTreeSet<u32> {
            indices.iter().filter(|index| knowns.contains(index)).map(|index| reference(*index)).collect()
        };
        let reach = |index: &usize| {
            let name = &variables[*index].name;
            if name.contains(".R.T[") || name.contains(".Q[") { 1e-4 } else { 1e-3 }
        };
        Self {
            unknowns: real().map(|unknown| reference(unknown.index)).collect(),
            declared: real().map(|unknown| unknown.dependencies.as_ref().map(of_reals)).collect(),
            reach: knowns.iter().map(reach).collect(),
            knowns: knowns.iter().map(|index| reference(*index)).collect(),
        }
    }

    /// The unknowns, if there is a solution here.
    fn get(&self, instance: &Instance<'_>) -> Option<Vec<f64>> {
        let (status, values) = instance.slave.get_real(&self.unknowns);
        (status == Status::Ok).then_some(values)
    }

    /// Derivatives by one known from four values, exact up to the fourth order, with the change of the
    /// known; no number where both sides differ, as at the border between two modes.
    fn differences(&self, instance: &Instance<'_>, column: usize) -> Option<(Vec<f64>, f64)> {
        let known = [self.knowns[column]];
        let at = instance.slave.get_real(&known).1[0];
        let h = self.reach[column] * at.abs().max(0.1);
        let mut state = instance.save();
        let moved = |by: f64| {
            assert_eq!(instance.slave.set_state(state), Status::Ok);
            (instance.slave.set_real(&known, &[at + by]) == Status::Ok).then(|| self.get(instance))?
        };
        let values = [-h, -h / 2.0, 0.0, h / 2.0, h].map(moved);
        assert_eq!(instance.slave.set_state(state), Status::Ok);
        instance.slave.free_state(&mut state);
        let [Some(a), Some(b), Some(c), Some(d), Some(e)] = values else { return None };
        let slope = |row: usize| {
            let (left, right) = ((c[row] - a[row]) / h, (e[row] - c[row]) / h);
            let (wide, narrow) = ((e[row] - a[row]) / (2.0 * h), (d[row] - b[row]) / h);
            let same = |a: f64, b: f64, part: f64| (a - b).abs() <= part * (a.abs() + b.abs());
            if same(left, right, 1e-2) && same(wide, narrow, 1e-4) { (4.0 * narrow - wide) / 3.0 } else { f64::NAN }
        };
        Some(((0..c.len()).map(slope).collect(), h))
    }

    /// Compares derivatives with dependencies, and with differences where wanted; returns what depends
    /// on what here. What rounding makes of zero is no dependency.
    fn check(&self, instance: &Instance<'_>, description: &Description, differences: bool) -> Vec<BTreeSet<u32>> {
        let name = |reference: u32| {
            let wanted = |variable: &&Variable| is_real(variable) && variable.value_reference == reference;
            &description.variables.iter().find(wanted).unwrap().name
        };
        let column = |known: u32| {
            let (status, values) = instance.slave.directional_derivative(&self.unknowns, &[known], &[1.0]);
            assert_eq!(status, Status::Ok, "{:?}", instance.slave.messages());
            values
        };
        let jacobian: Vec<Vec<f64>> = self.knowns.iter().map(|known| column(*known)).collect();
        let (_, at) = instance.slave.get_real(&self.knowns);
        let effect = |row: usize, column: usize| jacobian[column][row].abs() * at[column].abs().max(1.0);
        let rows = |column| (0..self.unknowns.len()).map(move |row| (row, column));
        let others = |pair: &(usize, usize)| self.knowns[pair.1] != self.unknowns[pair.0];
        let pairs = (0..self.knowns.len()).flat_map(rows).filter(others);
        let nothing = NOTHING * pairs.map(|(row, column)| effect(row, column)).fold(0.0, f64::max);
        let outputs = self.get(instance).unwrap();
        let mut found = vec![BTreeSet::new(); self.unknowns.len()];
        for (row, found) in found.iter_mut().enumerate() {
            let unknown = self.unknowns[row];
            let others = || (0..self.knowns.len()).filter(|column| self.knowns[*column] != unknown);
            let largest = others().map(|column| effect(row, column)).fold(0.0, f64::max);
            for column in others().filter(|column| effect(row, *column) > nothing.max(ROUNDING * largest)) {
                let known = self.knowns[column];
                found.insert(known);
                assert!(
                    self.declared[row].as_ref().is_none_or(|declared| declared.contains(&known)),
                    "{} depends on {} without a declared dependency: {} of {largest}",
                    name(unknown),
                    name(known),
                    effect(row, column),
                );
            }
        }
        let largest = |row: usize| jacobian.iter().map(|column| column[row].abs()).fold(0.0, f64::max);
        let largest: Vec<_> = (0..self.unknowns.len()).map(largest).collect();
        for (column, known) in self.knowns.iter().enumerate().filter(|_| differences) {
            let Some((differences, h)) = self.differences(instance, column) else { continue };
            for (row, difference) in differences.iter().enumerate() {
                let (exact, largest) = (jacobian[column][row], largest[row]);
                let rounding = 1e-14 * outputs[row].abs().max(1e-3 * largest) / h + 1e-9;
                assert!(
                    difference.is_nan()
                        || self.unknowns[row] == *known
                        || (exact - difference).abs() <= 1e-7 * largest + rounding,
                    "d {} / d {} = {exact}, but differences give {difference}",
                    name(self.unknowns[row]),
                    name(*known)
                );
            }
        }
        found
    }
}

/// The share of the largest effect on a value below which an effect is rounding, and that of the largest
/// effect on any value.
const ROUNDING: f64 = 1e-10;
const NOTHING: f64 = 1e-13;
const POINTS: usize = 4;
const MOST_POINTS: usize = 600;

/// Checks a system at random points, then looks for points until each declared dependency was seen.
/// `prepare` brings a fresh instance with random values to where it is to be checked.
fn check(fmu: &Fmu, kind: i32, system: &System, prepare: impl Fn(&Instance<'_>) -> Status) {
    let description = &fmu.description;
    let mut random = Random::new();
    let mut missing: Vec<BTreeSet<u32>> = system.declared.iter().map(|set| set.clone().unwrap_or_default()).collect();
    let mut points = 0;
    for attempt in 0..MOST_POINTS {
        if points >= POINTS && missing.iter().all(BTreeSet::is_empty) {
            return;
        }
        // Where parameters must fit together, most of them have to stay; and some modes need start values.
        random.keep = [0.3, 0.6, 0.9][attempt % 3];
        let instance = fmu.instantiate(kind).unwrap();
        let admissible = set_randomly(&instance, &mut random, description);
        if admissible.is_none() || prepare(&instance) != Status::Ok {
            continue;
        }
        points += 1;
        let found = system.check(&instance, description, points <= POINTS);
        missing.iter_mut().zip(&found).for_each(|(missing, found)| missing.retain(|known| !found.contains(known)));
    }
    assert!(points >= POINTS, "{points} admissible points only");
    if 2 * points < MOST_POINTS {
        // Where parameters must fit together, as in JointRRP, few of them vary, and random points show little.
        println!("{points} admissible points show too little");
        return;
    }
    for (unknown, missing) in system.unknowns.iter().zip(missing) {
        let name = |reference: &u32| {
            let mut variables = description.variables.iter();
            &variables.find(|v| is_real(v) && v.value_reference == *reference).unwrap().name
        };
        let missing: Vec<_> = missing.iter().map(name).collect();
        assert!(missing.is_empty(), "{} never depends on {missing:?}, as it is declared to", name(unknown));
    }
}

#[test]
fn rule_7_2_ms4_derivatives_after_a_step_are_exact_and_follow_the_dependencies() {
    for_each_structure(|fmu| {
        let outputs = &fmu.description.model_structure.outputs;
        let system = System::new(&fmu.description, outputs, |_, variable| variable.causality == Causality::Input);
        check(fmu, CO_SIMULATION, &system, |instance| {
            let slave = &instance.slave;
            let calls = [
                slave.setup_experiment(None, 0.0, None),
                slave.enter_initialization_mode(),
                slave.exit_initialization_mode(),
                slave.do_step(0.0, 1e-3),
            ];
            calls.into_iter().max_by_key(|status| *status as i32).unwrap()
        });
    });
}

#[test]
fn rule_7_2_ms4_derivatives_during_the_initialisation_are_exact_and_follow_the_dependencies() {
    for_each_structure(|fmu| {
        let unknowns = &fmu.description.model_structure.initial_unknowns;
        let is_known = |_: usize, variable: &Variable| {
            matches!(variable.causality, Causality::Input | Causality::Parameter)
                || variable.initial.is_some_and(|initial| {
                    initial == fmu_runtime::description::Initial::Exact && variable.causality != Causality::Parameter
                })
        };
        let system = System::new(&fmu.description, unknowns, is_known);
        check(fmu, CO_SIMULATION, &system, |instance| {
            assert_eq!(instance.slave.setup_experiment(None, 0.0, None), Status::Ok);
            assert_eq!(instance.slave.enter_initialization_mode(), Status::Ok);
            instance.slave.get_real(&system.unknowns).0
        });
    });
}

#[test]
fn rule_7_2_ms4_derivatives_in_event_and_continuous_time_mode_are_exact_and_follow_the_dependencies() {
    for_each_structure(|fmu| {
        let (variables, structure) = (&fmu.description.variables, &fmu.description.model_structure);
        let state = |unknown: &Unknown| match variables[unknown.index].kind {
            Kind::Real { derivative, .. } => derivative,
            _ => None,
        };
        let states: Vec<usize> = structure.derivatives.iter().filter_map(state).collect();
        assert_eq!(states.len(), structure.derivatives.len());
        let unknowns: Vec<Unknown> = structure.outputs.iter().chain(&structure.derivatives).cloned().collect();
        let system = System::new(&fmu.description, &unknowns, |index, variable| {
            let moves = variable.variability == Variability::Continuous;
            states.contains(&index) || (variable.causality == Causality::Input && moves)
        });
        for continuous in [false, true] {
            check(fmu, MODEL_EXCHANGE, &system, |instance| {
                let slave = &instance.slave;
                let mut calls = vec![
                    slave.setup_experiment(None, 0.0, None),
                    slave.enter_initialization_mode(),
                    slave.exit_initialization_mode(),
                ];
                while slave.new_discrete_states().1.new_discrete_states_needed == 1 {}
                if continuous {
                    calls.push(slave.enter_continuous_time_mode());
                }
                calls.into_iter().max_by_key(|status| *status as i32).unwrap()
            });
        }
    });
}
