//! Directional derivatives against differences: in Continuous-Time Mode of Model Exchange, and in Initialization Mode of
//! Co-Simulation, where outputs follow inputs at once.

use std::collections::HashMap;

use anyhow::Result;
use fmu_builder::ModelDescription;
use fmu_builder::description::{Causality, ModelStructure, Unknown, Variable};

use super::probe::Run;
use crate::load::{Failure, Instance, Interface, Loaded};
use crate::simulate::summary::short;
use crate::validate::finding::Finding;
use crate::validate::reading::experiment;

/// Number of variables above which not each one is tried.
pub const MAX_KNOWNS: usize = 24;
/// The largest change of a variable, as a fraction of its value or nominal value.
const CHANGE: f64 = 1e-5;
/// Relative error of a derivative, and of the values that the differences are of.
const TOLERANCE: f64 = 1e-3;
const NOISE: f64 = 1e-9;
/// Difference of directional and adjoint derivatives relative to both, or to the largest derivative of the same variable.
const ADJOINT: f64 = 1e-9;
const ADJOINT_ROUNDING: f64 = 1e-12;
/// Part of a nominal value below which values are rounding.
const ROUNDING: f64 = 1e-2;

/// Unknown and known variables whose derivatives are checked.
pub struct Jacobian<'a> {
    pub unknowns: Vec<&'a Variable>,
    /// For each unknown the value references of the variables that it is declared to depend on, unless these are all.
    pub declared: Vec<Option<Vec<u32>>>,
    pub knowns: Vec<&'a Variable>,
    /// Number of states in Model Exchange, which are the first known variables; their derivatives are the first
    /// unknowns.
    states: usize,
}

/// Returns a Jacobian, with the instance in a state in which derivatives exist; nothing if the FMU ends the run.
pub fn reached<'a>(loaded: &'a Loaded, instance: &Instance) -> Result<Option<Jacobian<'a>>> {
    Ok(match loaded.interface() {
        Interface::CoSimulation => {
            let experiment = experiment(loaded.model());
            instance.setup_experiment(experiment.tolerance, (experiment.start, experiment.stop))?;
            instance.enter_initialization_mode()?;
            Some(Jacobian::at_initialisation(loaded.model()))
        }
        Interface::ModelExchange => Run::begin(loaded, instance)?.map(|_| Jacobian::of_states(loaded.model())),
    })
}

/// Checks that adjoint derivatives are directional ones, transposed.
pub fn check_adjoint(loaded: &Loaded) -> Result<Option<Finding>> {
    let instance = Instance::new(loaded)?;
    let Some(jacobian) = reached(loaded, &instance)? else { return Ok(None) };
    if !loaded.flag("providesDirectionalDerivatives") || jacobian.unknowns.is_empty() || jacobian.knowns.is_empty() {
        return Ok(None);
    }
    let (unknowns, knowns) = (references(&jacobian.unknowns), references(&jacobian.knowns));
    let some = knowns.len().div_ceil(MAX_KNOWNS);
    for (row, unknown) in jacobian.unknowns.iter().enumerate().step_by(unknowns.len().div_ceil(MAX_KNOWNS)) {
        let adjoint = instance.adjoint_derivative(&[unknowns[row]], &knowns, &[1.0])?;
        let largest = adjoint.iter().map(|derivative| derivative.abs()).fold(0.0, f64::max);
        for column in (0..knowns.len()).step_by(some) {
            let directional = instance.directional_derivative(&[unknowns[row]], &[knowns[column]], &[1.0])?[0];
            let size = directional.abs().max(adjoint[column].abs());
            let tolerated = (ADJOINT * size).max(ADJOINT_ROUNDING * largest);
            let difference = (directional - adjoint[column]).abs();
            if difference.is_nan() || difference > tolerated {
                return Ok(Some(Finding::error(format!(
                    "the derivative of `{}` with respect to `{}` is {}, but {} as an adjoint one",
                    unknown.name,
                    jacobian.knowns[column].name,
                    short(directional),
                    short(adjoint[column])
                ))));
            }
        }
    }
    Ok(None)
}

pub fn check(loaded: &Loaded) -> Result<Option<Finding>> {
    let instance = Instance::new(loaded)?;
    let Some(jacobian) = reached(loaded, &instance)? else { return Ok(None) };
    if jacobian.unknowns.is_empty() || jacobian.knowns.is_empty() {
        return Ok(None);
    }
    let some = jacobian.knowns.len().div_ceil(MAX_KNOWNS);
    let columns: Vec<usize> = (0..jacobian.knowns.len()).step_by(some).collect();
    let unknowns = references(&jacobian.unknowns);
    let derivatives = columns
        .iter()
        .map(|column| instance.directional_derivative(&unknowns, &[jacobian.knowns[*column].value_reference], &[1.0]));
    let derivatives: Vec<Vec<f64>> = derivatives.collect::<Result<_, _>>()?;
    for (column, derivatives) in columns.into_iter().zip(derivatives) {
        // An FMU may refuse the changed values.
        let Ok(differences) = jacobian.differences(&instance, column) else { return Ok(None) };
        for (unknown, (derivative, difference)) in jacobian.unknowns.iter().zip(derivatives.iter().zip(&differences)) {
            if !difference.admits(*derivative) {
                return Ok(Some(Finding::error(format!(
                    "the derivative of `{}` with respect to `{}` is {}, but a difference gives {}",
                    unknown.name,
                    jacobian.knowns[column].name,
                    short(*derivative),
                    short(difference.central)
                ))));
            }
        }
        // Where both agree.
        if let Some(row) = jacobian.undeclared(column, &derivatives, &differences) {
            return Ok(Some(Finding::error(format!(
                "the derivative of `{0}` with respect to `{1}` is {2}, but the ModelStructure does not list `{1}` among \
                 the dependencies of `{0}`",
                jacobian.unknowns[row].name,
                jacobian.knowns[column].name,
                short(derivatives[row]),
            ))));
        }
    }
    Ok(None)
}

impl<'a> Jacobian<'a> {
    fn at_initialisation(model: &'a ModelDescription) -> Self {
        let unknowns = model.model_structure.initial_unknowns.iter().map(|unknown| &model.variables[unknown.index]);
        let outputs = unknowns.filter(|variable| variable.causality == Causality::Output && variable.is_continuous());
        let lists = [&model.model_structure.initial_unknowns[..]];
        Self::new(model, lists, outputs.collect(), inputs(model).collect(), 0)
    }

    fn new<const N: usize>(
        model: &ModelDescription,
        lists: [&[Unknown]; N],
        unknowns: Vec<&'a Variable>,
        knowns: Vec<&'a Variable>,
        states: usize,
    ) -> Self {
        let listed: HashMap<usize, &Unknown> =
            lists.into_iter().flatten().map(|unknown| (unknown.index, unknown)).collect();
        let positions = model.variables.iter().enumerate().filter(|(_, variable)| variable.is_real());
        let positions: HashMap<&str, usize> = positions.map(|(index, variable)| (&*variable.name, index)).collect();
        let declared = |variable: &&Variable| {
            let known = listed.get(positions.get(&*variable.name)?)?.dependencies.as_ref()?;
            let known = known.iter().filter_map(|index| model.variables.get(*index)).filter(|known| known.is_real());
            Some(known.map(|known| known.value_reference).collect())
        };
        Self { declared: unknowns.iter().map(declared).collect(), unknowns, knowns, states }
    }

    /// Returns an unknown that changes with a known, and is not declared to depend on it.
    pub fn undeclared(&self, column: usize, derivatives: &[f64], differences: &[Difference]) -> Option<usize> {
        let known = self.knowns[column];
        let is_declared = |row: usize| {
            let declared = self.declared[row].as_ref();
            declared.is_none_or(|declared| declared.contains(&known.value_reference))
                || self.unknowns[row].value_reference == known.value_reference
        };
        let is_undeclared =
            |row: &usize| derivatives[*row] != 0.0 && !differences[*row].admits(0.0) && !is_declared(*row);
        (0..derivatives.len()).find(is_undeclared)
    }

    fn of_states(model: &'a ModelDescription) -> Self {
        let derivatives = model.model_structure.derivatives.iter().map(|unknown| &model.variables[unknown.index]);
        let state = |variable: &&Variable| variable.derivative_of().and_then(|state| model.variables.get(state));
        let states: Vec<_> = derivatives.clone().filter_map(|variable| state(&variable)).collect();
        let outputs = model.variables.iter().filter(|it| it.causality == Causality::Output && it.is_continuous());
        let count = states.len();
        let ModelStructure { outputs: of_outputs, derivatives: of_derivatives, .. } = &model.model_structure;
        let knowns = states.into_iter().chain(inputs(model)).collect();
        Self::new(model, [of_outputs, of_derivatives], derivatives.chain(outputs).collect(), knowns, count)
    }

    /// Returns the derivatives of all unknowns with respect to a known, by differences.
    pub fn differences(&self, instance: &Instance, column: usize) -> Result<Vec<Difference>, Failure> {
        let known = self.knowns[column];
        let reference = [known.value_reference];
        let states = instance.continuous_states().ok().filter(|_| column < self.states);
        let value = match &states {
            Some(states) => states[column],
            None => instance.get_reals(&reference)?[0],
        };
        let change = CHANGE * value.abs().max(nominal_of(known));
        let set = |value: f64| match &states {
            Some(states) => {
                let mut states = states.clone();
                states[column] = value;
                instance.set_continuous_states(&states)
            }
            None => instance.set_reals(&reference, &[value]),
        };
        let at = |part: f64| {
            set(value + part * change)?;
            self.values(instance)
        };
        let (far, near, middle) = ([at(-1.0)?, at(1.0)?], [at(-0.5)?, at(0.5)?], at(0.0)?);
        set(value)?;
        let one = |row: usize| {
            let values = [far[0][row], near[0][row], middle[row], near[1][row], far[1][row]];
            Difference::new(values, change, nominal_of(self.unknowns[row]))
        };
        Ok((0..middle.len()).map(one).collect())
    }

    fn values(&self, instance: &Instance) -> Result<Vec<f64>, Failure> {
        let mut values = if self.states > 0 { instance.derivatives()? } else { Vec::new() };
        values.extend(instance.get_reals(&references(&self.unknowns[values.len()..]))?);
        Ok(values)
    }
}

/// Derivatives by differences to both sides.
pub struct Difference {
    pub central: f64,
    /// The smallest and the largest one: there may be a kink.
    between: (f64, f64),
    error: f64,
}

impl Difference {
    /// Computes the derivatives from values at -1, -1/2, 0, 1/2 and 1 of a change, of a variable of this nominal value.
    fn new(values: [f64; 5], change: f64, nominal: f64) -> Self {
        let slope = |from: usize, to: usize| (values[to] - values[from]) / ((to - from) as f64 * 0.5 * change);
        let (wide, central) = (slope(0, 4), slope(1, 3));
        let all = [wide, central, slope(1, 2), slope(2, 3)];
        let between =
            (all.into_iter().fold(f64::INFINITY, f64::min), all.into_iter().fold(f64::NEG_INFINITY, f64::max));
        let largest = values.iter().fold(ROUNDING * nominal, |largest: f64, value| largest.max(value.abs()));
        Self { central, between, error: 2.0 * (wide - central).abs() + NOISE * largest / change }
    }

    fn admits(&self, derivative: f64) -> bool {
        let (least, most) = self.between;
        let tolerated = self.error + TOLERANCE * derivative.abs().max(least.abs()).max(most.abs());
        (least - tolerated..=most + tolerated).contains(&derivative) || !self.central.is_finite()
    }
}

fn inputs(model: &ModelDescription) -> impl Iterator<Item = &Variable> {
    model.variables.iter().filter(|variable| variable.causality == Causality::Input && variable.is_continuous())
}

fn nominal_of(variable: &Variable) -> f64 {
    variable.attributes.nominal.unwrap_or(1.0).abs()
}

pub fn references(variables: &[&Variable]) -> Vec<u32> {
    variables.iter().map(|variable| variable.value_reference).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(function: impl Fn(f64) -> f64, derivative: f64) -> bool {
        let change = 1e-5;
        Difference::new([-1.0, -0.5, 0.0, 0.5, 1.0].map(|part| function(part * change)), change, 1.0).admits(derivative)
    }

    #[test]
    fn derivatives_of_curves_kinks_and_large_values_are_told_from_wrong_ones() {
        let curve = |x: f64| (3.0 * x).sin() + 1e6;
        assert!(admits(curve, 3.0) && admits(f64::abs, 0.0) && admits(f64::abs, 1.0) && admits(|x| x.max(0.0), 0.0));
        assert!(!admits(|x| (3.0 * x).sin(), -3.0) && !admits(f64::abs, 1.1) && !admits(|x| 3.0 * x, 3.1));
        assert!(!admits(|x| 3.0 * x, f64::NAN) && admits(|_| 0.0, 1e-12) && !admits(|_| 0.0, 1e-5));
    }
}
