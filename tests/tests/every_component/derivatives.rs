//! Directional derivatives compared with finite differences and with the declared dependencies.

use std::collections::{BTreeMap, BTreeSet};

use fmu_builder::description::{Causality, Description, Unknown, Variability, Variable};
use fmu_tests::api::{CO_SIMULATION, MODEL_EXCHANGE, Status};
use fmu_tests::finished::{Fmu, Instance};

use crate::points::{Random, for_each_structure, move_inputs, remembers_inputs, set_randomly};

/// Unknowns and knowns by value reference, with the unknowns' declared knowns.
struct System {
    unknowns: Vec<u32>,
    knowns: Vec<u32>,
    /// True for each known that is a parameter.
    parameters: Vec<bool>,
    /// Declared knowns of each unknown; `None` means all.
    declared: Vec<Option<BTreeSet<u32>>>,
    /// The largest valid change of a known.
    reach: Vec<f64>,
    /// True if it is the system of initialisation.
    initial: bool,
}

impl System {
    fn new(description: &Description, unknowns: &[Unknown], is_known: impl Fn(usize, &Variable) -> bool) -> Self {
        let variables = &description.variables;
        let reference = |index: usize| variables[index].value_reference;
        let real = || unknowns.iter().filter(|unknown| variables[unknown.index].is_real());
        let knowns: Vec<usize> = (0..variables.len())
            .filter(|index| variables[*index].is_real() && is_known(*index, &variables[*index]))
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
            parameters: knowns.iter().map(|index| variables[*index].causality == Causality::Parameter).collect(),
            initial: false,
        }
    }

    /// Returns the unknowns, if there is a solution here.
    fn get(&self, instance: &Instance<'_>) -> Option<Vec<f64>> {
        let (status, values) = instance.fmi.get_real(&self.unknowns);
        (status == Status::Ok).then_some(values)
    }

    /// Returns the unknowns with one known changed by `DISTANCES` of the returned change, if there is a solution
    /// everywhere.
    fn moved(&self, instance: &Instance<'_>, column: usize) -> Option<([Vec<f64>; 7], f64)> {
        let at = instance.fmi.get_real(&[self.knowns[column]]).1[0];
        let h = self.reach[column] * at.abs().max(0.1);
        let values = self.at(instance, column, DISTANCES.map(|distance| at + distance * h));
        let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g)] = values else { return None };
        Some(([a, b, c, d, e, f, g], h))
    }

    /// Returns the unknowns with these values of one known, where there is a solution.
    fn at<const N: usize>(&self, instance: &Instance<'_>, column: usize, values: [f64; N]) -> [Option<Vec<f64>>; N] {
        let mut state = instance.save();
        let unknowns = values.map(|value| {
            assert_eq!(instance.fmi.set_state(state), Status::Ok);
            let status = instance.fmi.set_real(&[self.knowns[column]], &[value]);
            (status == Status::Ok).then(|| self.get(instance))?
        });
        assert_eq!(instance.fmi.set_state(state), Status::Ok);
        instance.fmi.free_state(&mut state);
        unknowns
    }

    /// Adds the dependencies on parameters whose other values select another solution.
    fn choices(&self, instance: &Instance<'_>, jacobian: &[Vec<f64>], name: &Names<'_>, found: &mut [BTreeSet<u32>]) {
        let here = self.get(instance).expect("a solution");
        let largest = self.largest(jacobian);
        for column in (0..self.knowns.len()).filter(|column| self.parameters[*column]) {
            let known = self.knowns[column];
            let at = instance.fmi.get_real(&[known]).1[0];
            let others = self.at(instance, column, [-180.0, -90.0, -2.0, 2.0, 90.0, 180.0].map(|by| at + by));
            for other in others.into_iter().flatten() {
                for row in (0..self.unknowns.len()).filter(|row| self.unknowns[*row] != known) {
                    if (other[row] - here[row]).abs()
                        > 1e-9 * (largest[row].max(1.0) + here[row].abs() + other[row].abs())
                    {
                        assert!(
                            self.declares(row, column),
                            "{} undeclared: {}",
                            self.pair(row, column, name),
                            here[row]
                        );
                        found[row].insert(known);
                    }
                }
            }
        }
    }

    fn jacobian(&self, instance: &Instance<'_>) -> Vec<Vec<f64>> {
        let column = |known: &u32| {
            let (status, values) = instance.fmi.directional_derivative(&self.unknowns, &[*known], &[1.0]);
            assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
            values
        };
        self.knowns.iter().map(column).collect()
    }

    /// Returns the largest derivative of each unknown.
    fn largest(&self, jacobian: &[Vec<f64>]) -> Vec<f64> {
        let largest = |row: usize| jacobian.iter().map(|column| column[row].abs()).fold(0.0, f64::max);
        (0..self.unknowns.len()).map(largest).collect()
    }

    /// Checks arbitrary knowns and unknowns, some of them twice, in any order and direction.
    fn check_selections(&self, instance: &Instance<'_>, jacobian: &[Vec<f64>], random: &mut Random) {
        for _ in 0..5 {
            let mut chosen = |all: usize| -> Vec<usize> {
                let count = random.between(0.0, 9.0) as usize;
                (0..count).map(|_| random.between(0.0, all as f64) as usize).collect()
            };
            let (rows, columns) = (chosen(self.unknowns.len()), chosen(self.knowns.len()));
            let seeds: Vec<f64> = columns.iter().map(|_| random.between(-2.0, 2.0)).collect();
            let [unknowns, knowns] = [(&rows, &self.unknowns), (&columns, &self.knowns)]
                .map(|(chosen, all)| chosen.iter().map(|index| all[*index]).collect::<Vec<u32>>());
            let (status, found) = instance.fmi.directional_derivative(&unknowns, &knowns, &seeds);
            assert_eq!(status, Status::Ok, "{:?}", instance.fmi.messages());
            for (row, found) in rows.iter().zip(found) {
                let terms: Vec<f64> = columns.iter().zip(&seeds).map(|(k, seed)| jacobian[*k][*row] * seed).collect();
                let size = terms.iter().map(|term| term.abs()).sum::<f64>();
                assert!((found - terms.iter().sum::<f64>()).abs() <= 1e-11 * size + 1e-14, "{terms:?} {found}");
            }
        }
    }

    /// Compares derivatives with dependencies; returns the dependencies here. Rounding errors are not dependencies.
    fn dependencies(&self, instance: &Instance<'_>, jacobian: &[Vec<f64>], name: &Names<'_>) -> Vec<BTreeSet<u32>> {
        let (_, at) = instance.fmi.get_real(&self.knowns);
        let effect = |row: usize, column: usize| jacobian[column][row].abs() * at[column].abs().max(1.0);
        let rows = |column| (0..self.unknowns.len()).map(move |row| (row, column));
        let others = |pair: &(usize, usize)| self.knowns[pair.1] != self.unknowns[pair.0];
        let pairs = (0..self.knowns.len()).flat_map(rows).filter(others);
        let nothing = NEGLIGIBLE * pairs.map(|(row, column)| effect(row, column)).fold(0.0, f64::max);
        let mut found = vec![BTreeSet::new(); self.unknowns.len()];
        for (row, found) in found.iter_mut().enumerate() {
            // A state is a known of its own.
            if let Some(column) = self.knowns.iter().position(|known| *known == self.unknowns[row] && !self.initial) {
                assert!(jacobian[column][row] == 1.0 && self.declares(row, column), "{}", self.pair(row, column, name));
                found.insert(self.knowns[column]);
            }
            let others = || (0..self.knowns.len()).filter(|column| self.knowns[*column] != self.unknowns[row]);
            let largest = others().map(|column| effect(row, column)).fold(0.0, f64::max);
            for column in others().filter(|column| effect(row, *column) > nothing.max(ROUNDING * largest)) {
                found.insert(self.knowns[column]);
                assert!(
                    self.declares(row, column),
                    "{} undeclared: {}",
                    self.pair(row, column, name),
                    effect(row, column)
                );
            }
        }
        found
    }

    /// Compares derivatives and dependencies with the effect of changing a known; adds to the numbers of
    /// comparisons, and of those where the function is smooth.
    fn compare(&self, instance: &Instance<'_>, jacobian: &[Vec<f64>], name: &Names<'_>, counts: &mut [usize; 2]) {
        let largest = self.largest(jacobian);
        for (column, exact) in jacobian.iter().enumerate() {
            let moved = self.moved(instance, column);
            for row in (0..self.unknowns.len()).filter(|row| self.unknowns[*row] != self.knowns[column]) {
                let Some((values, h)) = &moved else { continue };
                counts[0] += 1;
                let [a, b, c, d, e, f, g] = values.each_ref().map(|values| values[row]);
                let size = [a, b, c, d, e, f, g, 1e-1 * largest[row]].into_iter().map(f64::abs).fold(0.0, f64::max);
                let rounding = 2e-13 * size / h + 1e-9;
                let change = [a, b, c, e, f, g].into_iter().map(|value| (value - d).abs()).fold(0.0, f64::max) / h;
                assert!(
                    change <= 1e-7 * largest[row] + 10.0 * rounding || self.declares(row, column),
                    "{} undeclared, but {d} becomes {a} and {g}",
                    self.pair(row, column, name)
                );
                let same = |a: f64, b: f64, part: f64| (a - b).abs() <= part * (a.abs() + b.abs()) + rounding;
                let [wide, half, quarter] = [(g - a) / (2.0 * h), (f - b) / h, (e - c) / (0.5 * h)];
                // At the border between two modes both sides differ.
                if !(same((d - a) / h, (g - d) / h, 1e-2) && same(wide, half, 1e-4)) {
                    continue;
                }
                counts[1] += 1;
                // Romberg's scheme is used: stiff rubber bends within h.
                let (exact, difference) = (exact[row], (64.0 * quarter - 20.0 * half + wide) / 45.0);
                assert!(
                    (exact - difference).abs() <= 1e-7 * exact.abs() + rounding,
                    "{} = {exact}, but differences give {difference}",
                    self.pair(row, column, name)
                );
            }
        }
    }

    fn declares(&self, row: usize, column: usize) -> bool {
        self.declared[row].as_ref().is_none_or(|declared| declared.contains(&self.knowns[column]))
    }

    fn pair(&self, row: usize, column: usize, name: &Names<'_>) -> String {
        format!("d {} / d {}", name[&self.unknowns[row]], name[&self.knowns[column]])
    }
}

/// Names of the Reals by value reference.
type Names<'a> = BTreeMap<u32, &'a str>;

/// The points of the finite differences; exact up to the sixth order.
const DISTANCES: [f64; 7] = [-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0];
/// The fraction of the largest effect on a value below which an effect is rounding, and that of the largest
/// effect on any value.
const ROUNDING: f64 = 1e-10;
const NEGLIGIBLE: f64 = 1e-13;
const POINTS: usize = 4;
const MAX_POINTS: usize = 600;

/// Checks a system at random points, then looks for points until each declared dependency was seen.
/// `prepare` brings a new instance with random values to the state to be checked.
fn check(fmu: &Fmu, kinds: [i32; 2], system: &System, prepare: impl Fn(&Instance<'_>) -> Status) {
    let description = &fmu.description;
    let reals = description.variables.iter().filter(|variable| variable.is_real());
    let names: Names<'_> = reals.map(|variable| (variable.value_reference, variable.name.as_str())).collect();
    let mut random = Random::new();
    let mut missing: Vec<BTreeSet<u32>> = system.declared.iter().map(|set| set.clone().unwrap_or_default()).collect();
    // The parameters of JointRRP are consistent at planar points only, which random points are not: see
    // `joints/dependencies.rs`.
    if description.component == "JointRRP" {
        missing.clear();
    }
    let (mut points, mut counts) = (0, [0, 0]);
    for attempt in 0..MAX_POINTS {
        if points >= POINTS && missing.iter().all(BTreeSet::is_empty) {
            break;
        }
        // Where parameters must be consistent, most of them must not change; and some modes need start values.
        random.keep = [0.3, 0.6, 0.9][attempt % 3];
        let instance = fmu.instantiate(kinds[points % 2]).unwrap();
        let admissible = set_randomly(&instance, &mut random, description);
        if admissible.is_none() || prepare(&instance) != Status::Ok {
            continue;
        }
        if remembers_inputs(fmu) {
            random.keep = 0.0;
            if move_inputs(&instance, &mut random, description).is_none() {
                continue;
            }
        }
        points += 1;
        let jacobian = system.jacobian(&instance);
        if points <= POINTS {
            system.check_selections(&instance, &jacobian, &mut random);
            system.compare(&instance, &jacobian, &names, &mut counts);
        }
        let mut found = system.dependencies(&instance, &jacobian, &names);
        if system.initial {
            system.choices(&instance, &jacobian, &names, &mut found);
        }
        missing.iter_mut().zip(&found).for_each(|(missing, found)| missing.retain(|known| !found.contains(known)));
        assert_eq!(instance.fmi.terminate(), Status::Ok);
        assert_eq!(system.jacobian(&instance), jacobian);
    }
    assert!(points >= POINTS, "{points} admissible points only");
    assert!(counts[0] > 0 && counts[1] as f64 >= 0.9 * counts[0] as f64, "{counts:?}");
    for (unknown, missing) in system.unknowns.iter().zip(missing) {
        let missing: Vec<_> = missing.iter().map(|reference| names[reference]).collect();
        assert!(missing.is_empty(), "{} never depends on {missing:?}, as it is declared to", names[unknown]);
    }
}

#[test]
fn rule_7_2_ms4_ms6_derivatives_after_a_step_are_exact_and_follow_the_dependencies() {
    for_each_structure(|fmu| {
        let outputs = &fmu.description.model_structure.outputs;
        let system = System::new(&fmu.description, outputs, |_, variable| variable.causality == Causality::Input);
        check(fmu, [CO_SIMULATION; 2], &system, |instance| {
            let fmi = &instance.fmi;
            let calls = [
                fmi.setup_experiment(None, 0.0, None),
                fmi.enter_initialization_mode(),
                fmi.exit_initialization_mode(),
                fmi.do_step(0.0, 1e-3),
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
                    initial == fmu_builder::description::Initial::Exact && variable.causality != Causality::Parameter
                })
        };
        let system = System { initial: true, ..System::new(&fmu.description, unknowns, is_known) };
        check(fmu, [CO_SIMULATION, MODEL_EXCHANGE], &system, |instance| {
            assert_eq!(instance.fmi.setup_experiment(None, 0.0, None), Status::Ok);
            assert_eq!(instance.fmi.enter_initialization_mode(), Status::Ok);
            instance.fmi.get_real(&system.unknowns).0
        });
    });
}

/// Returns the system of Model Exchange: outputs and derivatives by states, and optionally by continuous inputs.
fn with_states(description: &Description, inputs: bool) -> System {
    let (variables, structure) = (&description.variables, &description.model_structure);
    let state = |unknown: &Unknown| variables[unknown.index].derivative_of();
    let states: Vec<usize> = structure.derivatives.iter().filter_map(state).collect();
    assert_eq!(states.len(), structure.derivatives.len());
    let unknowns: Vec<Unknown> = structure.outputs.iter().chain(&structure.derivatives).cloned().collect();
    System::new(description, &unknowns, |index, variable| {
        let moves = variable.variability == Variability::Continuous;
        states.contains(&index) || (inputs && variable.causality == Causality::Input && moves)
    })
}

/// Some dependencies exist in Co-Simulation only: those of a side opposite to a motion that jumps.
#[test]
fn rule_7_2_ms4_ms6_derivatives_in_event_and_continuous_time_mode_are_exact_and_follow_the_dependencies() {
    for_each_structure(|fmu| {
        let system = with_states(&fmu.description, true);
        for continuous in [false, true] {
            check(fmu, [MODEL_EXCHANGE, CO_SIMULATION], &system, |instance| {
                if instance.try_initialise().is_err() {
                    return Status::Error;
                }
                if instance.kind() == MODEL_EXCHANGE {
                    instance.settle();
                    if continuous {
                        return instance.fmi.enter_continuous_time_mode();
                    }
                }
                Status::Ok
            });
        }
    });
}

/// In Co-Simulation states cannot be set, so that differences by them are taken in Model Exchange only.
#[test]
fn rule_7_2_both_interfaces_give_the_same_derivatives_by_states() {
    for_each_structure(|fmu| {
        let system = with_states(&fmu.description, false);
        let mut random = Random::new();
        random.keep = 0.8;
        let mut points = 0;
        while points < 6 {
            let same = random.clone();
            let at_start = |kind: i32, random: &mut Random| {
                let instance = fmu.instantiate(kind).unwrap();
                set_randomly(&instance, random, &fmu.description)?;
                instance.try_initialise().ok()?;
                if kind == MODEL_EXCHANGE {
                    instance.settle();
                }
                Some([vec![system.get(&instance)?], system.jacobian(&instance)].concat())
            };
            let Some(stepped) = at_start(CO_SIMULATION, &mut random) else { continue };
            let exchanged = at_start(MODEL_EXCHANGE, &mut same.clone()).unwrap();
            for (a, b) in stepped.iter().flatten().zip(exchanged.iter().flatten()) {
                assert!((a - b).abs() <= 1e-9 * a.abs().max(1.0), "{a} {b}");
            }
            points += 1;
        }
    });
}
