//! What depends on what, found by evaluating the equations in dual numbers at random points.
//!
//! An unknown depends on a known if its derivative is not zero at one of the points; of knowns that
//! are not Real, everything is taken to depend. Points where the equations have no solution are
//! passed over. Where none is left, or where tables would make the lists long, no dependencies are
//! written, which in FMI means all.

use crate::catalogue::{Base, Catalogue};
use crate::description::{Causality, Initial, Kind, ModelStructure, Unknown, Variable};
use crate::layout::{Layout, Rule};
use crate::machine::Machine;
use crate::scalar::Dual64;
use crate::values::Values;

const POINTS: usize = 12;
const ATTEMPTS: usize = 400;

/// The lists of `ModelStructure`.
pub fn model_structure(machine: &dyn Machine, layout: &Layout, catalogue: &Catalogue) -> ModelStructure {
    let variables: Vec<_> = catalogue.variables.iter().map(|(_, variable)| variable).collect();
    let probe = |initial| Probe::new(machine, layout, catalogue, initial);
    let (running, starting) = (probe(false), probe(true));

    let real = |slot: usize| {
        catalogue.variables.iter().position(|(base, variable)| *base == Base::Real && variable.value_reference as usize == slot)
    };
    let outputs = positions(&variables, |variable| variable.causality == Causality::Output);
    let derivatives: Vec<_> = layout.states.iter().filter_map(|state| real(state.derivative)).collect();
    let states: Vec<_> = layout.states.iter().filter_map(|state| real(state.state)).collect();
    let wanted = |index: usize| {
        let variable = variables[index];
        let listed = matches!(variable.causality, Causality::Output | Causality::CalculatedParameter);
        variable.initial != Some(Initial::Exact) && (listed || derivatives.contains(&index) || states.contains(&index))
    };
    let initial: Vec<_> = (0..variables.len()).filter(|index| wanted(*index)).collect();

    let unknowns = |indices: &[usize], probe: &Probe| {
        indices.iter().map(|&index| Unknown { index, dependencies: probe.dependencies(&variables, index) }).collect()
    };
    ModelStructure {
        outputs: unknowns(&outputs, &running),
        derivatives: unknowns(&derivatives, &running),
        initial_unknowns: unknowns(&initial, &starting),
    }
}

fn positions(variables: &[&Variable], which: impl Fn(&Variable) -> bool) -> Vec<usize> {
    variables.iter().enumerate().filter(|(_, variable)| which(variable)).map(|(index, _)| index).collect()
}

/// Which Reals depend on which knowns.
struct Probe {
    /// Positions of the Real knowns, each with the Reals that depend on it; none if unknown.
    reals: Option<Vec<(usize, Vec<bool>)>>,
    /// Positions of the other knowns.
    others: Vec<usize>,
}

impl Probe {
    fn new(machine: &dyn Machine, layout: &Layout, catalogue: &Catalogue, initial: bool) -> Self {
        let needed = if initial { Rule::SET_INITIALIZATION } else { Rule::INPUT | Rule::STATE };
        let of = |base: Base, variable: &Variable| {
            let rules = match base {
                Base::Real => &layout.reals,
                Base::Integer => &layout.integers,
                Base::Boolean => &layout.booleans,
                Base::String => &layout.strings,
            };
            rules[variable.value_reference as usize].has(needed)
        };
        let knowns = catalogue.variables.iter().enumerate().filter(|(_, (base, variable))| of(*base, variable));
        let (real, others): (Vec<_>, Vec<_>) = knowns.partition(|(_, (base, _))| *base == Base::Real);
        let slots: Vec<_> = real.iter().map(|(index, (_, variable))| (*index, variable.value_reference as usize)).collect();
        let too_many = initial && !layout.tables.is_empty();
        let reals = if too_many { None } else { probe(machine, layout, &slots, initial) };
        Self { reals, others: others.into_iter().map(|(index, _)| index).collect() }
    }

    fn dependencies(&self, variables: &[&Variable], index: usize) -> Option<Vec<usize>> {
        let Kind::Real { .. } = variables[index].kind else { return None };
        let slot = variables[index].value_reference as usize;
        let reals = self.reals.as_ref()?;
        let depends = |known: usize| {
            self.others.contains(&known) || reals.iter().any(|(real, dependents)| *real == known && dependents[slot])
        };
        Some((0..variables.len()).filter(|known| depends(*known)).collect())
    }
}

fn probe(machine: &dyn Machine, layout: &Layout, knowns: &[(usize, usize)], initial: bool) -> Option<Vec<(usize, Vec<bool>)>> {
    let mut found: Vec<_> = knowns.iter().map(|(index, _)| (*index, vec![false; layout.reals.len()])).collect();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut points = 0;
    for _ in 0..ATTEMPTS {
        if points == POINTS {
            break;
        }
        let values = random_point(machine, layout, &mut random);
        let Ok(data) = machine.prepare(&values, &layout.tables, None) else { continue };
        let point: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
        let time = Dual64::from_re(random.between(0.0, 1.0));
        let derivatives: Result<Vec<_>, _> = knowns.iter().map(|(_, slot)| {
            let mut duals = point.clone();
            duals[*slot].eps = 1.0;
            machine.differentiate(&mut duals, &values, &data, time, initial).map(|()| duals)
        }).collect();
        let Ok(derivatives) = derivatives else { continue };
        points += 1;
        for ((_, dependents), duals) in found.iter_mut().zip(derivatives) {
            for (depends, dual) in dependents.iter_mut().zip(duals) {
                *depends |= dual.eps != 0.0;
            }
        }
    }
    (points > 0).then_some(found)
}

/// Start values, randomly moved within their bounds.
fn random_point(machine: &dyn Machine, layout: &Layout, random: &mut Random) -> Values {
    let mut values = layout.start.clone();
    let fixed = layout.tables.first().map_or(values.reals.len(), |table| table.offset);
    for (value, (min, max)) in values.reals[..fixed].iter_mut().zip(&layout.real_bounds) {
        let reach = 0.5 * value.abs().max(1.0);
        *value = (*value + random.between(-reach, reach)).clamp(*min, *max);
    }
    for (value, (min, max)) in values.integers.iter_mut().zip(&layout.integer_bounds) {
        if i64::from(*max) - i64::from(*min) < 100 {
            *value = random.between(f64::from(*min), f64::from(*max) + 1.0).floor() as i32;
        }
    }
    for value in &mut values.booleans {
        *value = random.between(0.0, 1.0) < 0.5;
    }
    machine.regularise(&mut values);
    values
}

/// Marsaglia's xorshift: the points must be the same in every build.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
