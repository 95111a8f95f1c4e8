//! Computed variables that no equation assigns, found by evaluating twice with different old values.
//!
//! An evaluation overwrites the values of the one before. A variable that is forgotten, or assigned in some branches only,
//! keeps what was there, so results depend on the calls before. Such a component is refused when an FMU is built.

use std::fmt::Write;

use fmu_exchange::{Base, InitialValue, RowKind};

use crate::component::component_model::ComponentModel;
use crate::component::layout::Layout;
use crate::component::names::{ScalarVariable, scalars, write_name};
use crate::component::random_point::{Random, Region, random_point};
use crate::rows::scalar::Dual64;
use crate::rows::values::Values;

/// Numbers of points at which the equations are evaluated: for components, and for systems of many variables.
const POINTS: usize = 12;
const MIN_POINTS: usize = 2;
/// Reals that are evaluated at all points together, where fewer points are enough.
const WORK: usize = 200_000;
/// A difference below this fraction of that of the old values is rounding, as where a search begins at an old value.
const ROUNDING: f64 = 1e-6;
/// Largest number of variables that a message names.
const MAX_NAMED: usize = 5;
/// Time at the points in s.
const TIME: f64 = 0.5;
const SEED: u64 = 0x2545_F491_4F6C_DD1D;

/// Fails if there are variables that no equation assigns; the message names them.
pub fn check(model: &dyn ComponentModel, layout: &Layout) -> Result<(), String> {
    let mut search = Search::new(model, layout);
    let mut random = Random(SEED);
    let effort = layout.start.before_tables.max(1);
    for attempt in 0..(WORK / effort).clamp(MIN_POINTS, POINTS) {
        let values = match attempt {
            0 => layout.start.clone(),
            _ => random_point(layout, &mut random, Region { is_inside: attempt % 2 == 0, ..Region::default() }),
        };
        search.visit(&values, &mut random);
    }
    search.verdict()
}

/// A variable that the equations compute.
struct Computed {
    base: Base,
    slot: usize,
    name: String,
    kind: RowKind,
    state: Option<String>,
    /// True if the initialisation reads its start value.
    has_start: bool,
    old: [f64; 2],
    /// Numbers of evaluations, of those that left the old value, and of those whose result depended on old values.
    evaluations: usize,
    kept: usize,
    affected: usize,
}

struct Search<'a> {
    model: &'a dyn ComponentModel,
    layout: &'a Layout,
    /// True if dual numbers are initialised. Calculated parameters keep what the initialisation has set; parts of systems
    /// are initialised otherwise.
    initial: bool,
    variables: Vec<Computed>,
    /// Numbers for each indicator: the evaluations, and those that left the old value.
    indicators: Vec<[usize; 2]>,
}

impl<'a> Search<'a> {
    fn new(model: &'a dyn ComponentModel, layout: &'a Layout) -> Self {
        let mut variables = Vec::new();
        let mut derivatives = vec![None; layout.reals.len()];
        for state in &layout.states {
            derivatives[state.state] = Some(state.derivative);
        }
        // Names of the states, by the slots of their derivatives.
        let mut states = vec![None; layout.reals.len()];
        let moves_itself = model.integrates_states() && !model.is_integrated();
        let mut visit = |scalar: ScalarVariable<'_>| {
            let attributes = scalar.attributes;
            let is_computed = matches!(attributes.kind, RowKind::output | RowKind::local | RowKind::calculated);
            if !attributes.exists || !is_computed || scalar.base == Base::String {
                return;
            }
            let mut name = String::new();
            let _ = write_name(&mut name, attributes, scalar.index);
            let slot = scalar.base.slot(scalar.reference);
            if attributes.is_state() {
                if let Some(derivative) = derivatives[slot] {
                    states[derivative] = Some(name);
                }
                return;
            }
            // Those are set at events, or by a component that makes its own steps.
            let is_kept = attributes.row.discrete || scalar.base != Base::Real && model.has_events();
            if is_kept || moves_itself && attributes.row.has_start {
                return;
            }
            variables.push(Computed {
                base: scalar.base,
                slot,
                name,
                kind: attributes.kind,
                state: None,
                has_start: attributes.row.initial.is_some_and(|initial| initial != InitialValue::ignore),
                old: [0.0; 2],
                evaluations: 0,
                kept: 0,
                affected: 0,
            });
        };
        scalars(&|visitor| model.declare(visitor), &mut visit);
        for variable in variables.iter_mut().filter(|variable| variable.base == Base::Real) {
            variable.state = states[variable.slot].take();
        }
        let initial = model.influences().offsets.len() <= 1;
        Self { model, layout, initial, variables, indicators: vec![[0; 2]; model.indicator_count()] }
    }

    /// Evaluates at a point, if there is a solution.
    fn visit(&mut self, values: &Values, random: &mut Random) {
        let Ok(data) = self.model.prepare(values, self.layout, None, &[]) else { return };
        for variable in &mut self.variables {
            variable.old = match variable.base {
                Base::Real => [random.between(0.5, 1.5), random.between(-1.5, -0.5)],
                // An enumeration's items are consecutive numbers.
                Base::Integer => {
                    let (min, max) = self.layout.integer_bounds[variable.slot];
                    let present = values.integers[variable.slot];
                    [present, if present < max { present + 1 } else { min }].map(f64::from)
                }
                _ => [0.0, 1.0],
            };
        }
        let initial = self.initial;
        let evaluated = |variable: &Computed| variable.kind != RowKind::calculated;
        let differentiated = |variable: &Computed| if initial { !variable.has_start } else { evaluated(variable) };
        let with_old = |which: usize, variables: &[Computed], judged: &dyn Fn(&Computed) -> bool| {
            let mut values = values.clone();
            let judged = variables.iter().filter(|variable| judged(variable));
            judged.for_each(|variable| set(&mut values, variable, variable.old[which]));
            values
        };
        let results = [0, 1].map(|which| {
            let mut values = with_old(which, &self.variables, &evaluated);
            self.model.evaluate(&mut values, &data, TIME).ok()?;
            let mut indicators = vec![[2.0, -2.0][which]; self.indicators.len()];
            self.model.indicators(&values, &data, TIME, &mut indicators);
            Some((values, indicators))
        });
        if let [Some((first, some)), Some((second, others))] = results {
            self.compare(evaluated, |variable| [value(&first, variable), value(&second, variable)]);
            for (count, pair) in self.indicators.iter_mut().zip(some.into_iter().zip(others)) {
                count[0] += 1;
                count[1] += usize::from(pair == (2.0, -2.0));
            }
        }
        // Derivatives of computed values are computed, too, and initialisation computes parameters.
        let results = [0, 1].map(|which| {
            let mut values = with_old(which, &self.variables, &differentiated);
            let mut reals: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
            let is_seeded = |variable: &&Computed| variable.base == Base::Real && differentiated(variable);
            for variable in self.variables.iter().filter(is_seeded) {
                reals[variable.slot].eps = variable.old[which];
            }
            let time = Dual64::from_re(TIME);
            self.model.differentiate(&mut reals, &mut values, &data, time, initial).ok()?;
            Some((reals, values))
        });
        if let [Some((first, some)), Some((second, others))] = results {
            self.compare(differentiated, |variable| match variable.base {
                Base::Real => [&first, &second].map(|reals| reals[variable.slot].re),
                _ => [value(&some, variable), value(&others, variable)],
            });
            let is_real = |variable: &Computed| variable.base == Base::Real && differentiated(variable);
            self.compare(is_real, |variable| [&first, &second].map(|reals| reals[variable.slot].eps));
        }
    }

    /// Counts which results are old values, or depend on them.
    fn compare(&mut self, judged: impl Fn(&Computed) -> bool, results: impl Fn(&Computed) -> [f64; 2]) {
        for variable in self.variables.iter_mut().filter(|variable| judged(variable)) {
            let results = results(variable);
            // Outputs may be given the opposite sign after an evaluation.
            let is_kept = results.map(f64::abs) == variable.old.map(f64::abs);
            let change = (results[0] - results[1]).abs();
            variable.evaluations += 1;
            variable.kept += usize::from(is_kept);
            variable.affected += usize::from(change > ROUNDING * (variable.old[0] - variable.old[1]).abs());
        }
    }

    fn verdict(&self) -> Result<(), String> {
        let never = self.named(
            |variable| variable.kept == variable.evaluations && variable.kept > 0,
            |variable| {
                let of = variable.state.as_ref().map(|state| format!(", the derivative of \"{state}\","));
                let function = if variable.kind == RowKind::calculated { "initialise" } else { "evaluate" };
                format!("\"{}\"{} is never assigned: set it in `{function}`", variable.name, of.unwrap_or_default())
            },
        );
        let seldom = self.named(|variable| variable.kept > 0 && variable.kept == variable.affected, |variable| {
            format!(
                "\"{}\" is not always assigned, and keeps the value of an earlier call: set it in each branch of `evaluate`",
                variable.name
            )
        });
        let affected = self.named(|variable| variable.affected > 0, |variable| {
            format!(
                "\"{}\" depends on values of an earlier call: `evaluate` must not read what it computes before it has set it",
                variable.name
            )
        });
        let indicators: Vec<_> = (1..)
            .zip(&self.indicators)
            .filter(|(_, [_, kept])| *kept > 0)
            .map(|(number, [evaluations, kept])| {
                let often = if kept == evaluations { "never" } else { "not always" };
                format!("event indicator {number} of {} is {often} set: `indicators` sets each", self.indicators.len())
            })
            .collect();
        // A variable that is not assigned affects others.
        let found = [never, seldom, indicators, affected].into_iter().find(|found| !found.is_empty());
        let Some(found) = found else { return Ok(()) };
        let mut text = found[..found.len().min(MAX_NAMED)].join("\n");
        if found.len() > MAX_NAMED {
            let _ = write!(text, "\nand {} more", found.len() - MAX_NAMED);
        }
        Err(text)
    }

    fn named(&self, found: impl Fn(&Computed) -> bool, text: impl Fn(&Computed) -> String) -> Vec<String> {
        self.variables.iter().filter(|variable| found(variable)).map(text).collect()
    }
}

fn value(values: &Values, variable: &Computed) -> f64 {
    match variable.base {
        Base::Real => values.reals[variable.slot],
        Base::Integer => f64::from(values.integers[variable.slot]),
        _ => f64::from(values.booleans[variable.slot]),
    }
}

fn set(values: &mut Values, variable: &Computed, value: f64) {
    match variable.base {
        Base::Real => values.reals[variable.slot] = value,
        Base::Integer => values.integers[variable.slot] = value as i32,
        _ => values.booleans[variable.slot] = value != 0.0,
    }
}
