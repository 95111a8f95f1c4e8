//! Runs of the experiments with parameters, their weighted deviations from the measurements, and the derivatives of these.

use std::cell::RefCell;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::Arc;
use std::thread::{self, available_parallelism};

use anyhow::{Context as _, Result, bail};

use super::differentiation::Differentiation;
use super::experiment::{Experiment, Output};
use super::harmonic::respond;
use super::parameter::Parameter;
use crate::simulate::run::{Beginning, Ran};
use crate::simulate::sensitivities::Direction;
use crate::simulate::trajectory::number;
use crate::values::value::Value;
use crate::{Instance, Simulation};

/// Change for central differences, of the quantities that are searched for.
const CHANGE: f64 = 1e-4;

/// Change for differences to one side, of runs that may have larger errors.
const ROUGH_CHANGE: f64 = 1e-3;

/// Difference of derivatives from differences of runs, relative to these, above which they are not taken for the same.
const SAME: f64 = 1e-3;

/// Change of the quantities, relative to these or to 1, up to which derivatives are taken for the same.
const NEAR: f64 = 1e-4;

/// Largest part of the change of the runs between two points that the derivatives of the first may leave unexplained, to be
/// corrected for the second.
const MAX_UNEXPLAINED: f64 = 0.5;

/// Relative tolerance of runs on the way to the parameters, which that of the file may only raise.
const ROUGH_TOLERANCE: f64 = 1e-6;

/// Relative tolerance of runs that are differentiated: derivatives lead the search, but do not decide where it ends.
const DIFFERENTIATED_TOLERANCE: f64 = 1e-5;

/// Part of the size of an output below which its errors of measurement are not estimated.
const MIN_DEVIATION: f64 = 1e-9;

/// The experiments with an instance for each, which one run after another uses.
pub struct Runs {
    pub experiments: Vec<Experiment>,
    pub parameters: Vec<Parameter>,
    /// For each experiment and output, the factor by which deviations count.
    pub weights: Vec<Vec<f64>>,
    /// How runs are differentiated.
    pub differentiation: RefCell<Differentiation>,
    instances: Vec<RefCell<Option<Instance>>>,
    /// True if runs may have larger errors, as long as they only lead to where the search ends.
    is_rough: bool,
    computed: Last<Computed>,
    linear: Last<Linear>,
}

/// Values of the outputs of each experiment at the times or frequencies of its rows.
pub type Computed = Vec<Vec<Vec<f64>>>;

/// The values of the runs at a point, and their derivatives by each parameter.
struct Linear {
    values: Rc<Computed>,
    derivatives: Vec<Computed>,
}

/// The last result, with the quantities that it belongs to.
struct Last<T>(RefCell<Option<(Vec<f64>, Rc<T>)>>);

impl<T> Last<T> {
    /// Returns the result for quantities that differ from these by less than a part, computed if it is not the last one.
    fn near(&self, inner: &[f64], part: f64, compute: impl FnOnce() -> Result<T>) -> Result<Rc<T>> {
        let is_near = |(at, inner): (&f64, &f64)| (at - inner).abs() <= part * inner.abs().max(1.0);
        if let Some((_, known)) = self.0.borrow().as_ref().filter(|(at, _)| at.iter().zip(inner).all(is_near)) {
            return Ok(known.clone());
        }
        let computed = Rc::new(compute()?);
        self.0.replace(Some((inner.to_vec(), computed.clone())));
        Ok(computed)
    }
}

impl Runs {
    pub fn new(experiments: Vec<Experiment>, parameters: Vec<Parameter>, differentiation: Differentiation) -> Self {
        let weights = experiments.iter().map(|experiment| {
            let weight = |output: &Output| 1.0 / output.deviation.unwrap_or_else(|| output.size());
            experiment.outputs.iter().map(weight).collect()
        });
        let weights = weights.collect();
        let instances = experiments.iter().map(|_| Default::default()).collect();
        let differentiation = RefCell::new(differentiation);
        let (computed, linear) = (Last(RefCell::default()), Last(RefCell::default()));
        let is_rough = false;
        Self { experiments, parameters, weights, differentiation, instances, is_rough, computed, linear }
    }

    /// Says whether runs may have larger errors.
    pub fn set_rough(&mut self, is_rough: bool) {
        self.is_rough = is_rough;
        self.computed.0.take();
        self.forget();
    }

    /// Forgets the derivatives, so that none of them lead a search from another start.
    pub fn forget(&self) {
        self.linear.0.take();
    }

    /// Returns the relative tolerance of runs, unless that of the file is larger.
    fn tolerance(&self) -> f64 {
        if self.is_rough && self.is_known() { ROUGH_TOLERANCE } else { 0.0 }
    }

    /// Returns the number of measured values and of parameters that are known beforehand.
    pub fn count(&self) -> usize {
        let priors = self.parameters.iter().filter(|parameter| parameter.prior.is_some()).count();
        self.experiments.iter().map(Experiment::count).sum::<usize>() + priors
    }

    /// Runs all experiments.
    pub fn compute(&self, inner: &[f64]) -> Result<Rc<Computed>> {
        self.computed.near(inner, 0.0, || self.run(inner))
    }

    fn run(&self, inner: &[f64]) -> Result<Computed> {
        let (starts, tolerance) = (self.starts(inner), self.tolerance());
        let runs = self.experiments.iter().zip(&self.instances);
        runs.map(|(experiment, slot)| match &experiment.input {
            Some(input) => respond(experiment, input, &starts),
            None => Ok(run(experiment, &experiment.simulation, tolerance, slot, &starts, &[])?.0),
        })
        .collect()
    }

    /// Returns the variables that get values, with these.
    fn starts(&self, inner: &[f64]) -> Vec<(usize, Value)> {
        self.parameters.iter().zip(inner).flat_map(|(parameter, inner)| parameter.assignments(*inner)).collect()
    }

    /// Returns the weighted deviations, computed minus measured values; behind them those of the parameters from what is
    /// known beforehand.
    pub fn deviations(&self, computed: &Computed, inner: &[f64]) -> Vec<f64> {
        let mut all = self.weighted(computed, |measured, computed| computed - measured);
        for (parameter, inner) in self.parameters.iter().zip(inner) {
            all.extend(parameter.prior.map(|[mean, deviation]| (parameter.value(*inner) - mean) / deviation));
        }
        all
    }

    /// Returns what follows from measured and computed values, weighted, for the cells that are not empty.
    fn weighted(&self, computed: &Computed, value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.count());
        for ((experiment, computed), weights) in self.experiments.iter().zip(computed).zip(&self.weights) {
            for ((output, computed), weight) in experiment.outputs.iter().zip(computed).zip(weights) {
                let known = output.measured.iter().zip(computed).filter(|(measured, _)| !measured.is_nan());
                all.extend(known.map(|(measured, computed)| weight * value(*measured, *computed)));
            }
        }
        all
    }

    /// Returns the weights of outputs whose errors of measurement follow from the deviations that are left; others keep
    /// theirs.
    pub fn estimated_weights(&self, computed: &Computed) -> Vec<Vec<f64>> {
        let count: usize = self.experiments.iter().map(Experiment::count).sum();
        let free = 1.0 - self.parameters.len() as f64 / count as f64;
        let of_experiment = |((experiment, computed), weights): ((&Experiment, &Vec<Vec<f64>>), &Vec<f64>)| {
            let outputs = experiment.outputs.iter().zip(computed).zip(weights);
            let weight = |((output, computed), weight): ((&Output, &Vec<f64>), &f64)| {
                if output.deviation.is_some() {
                    return *weight;
                }
                let known = output.measured.iter().zip(computed).filter(|(measured, _)| !measured.is_nan());
                let squares: f64 = known.map(|(measured, computed)| (computed - measured).powi(2)).sum();
                let variance = squares / (output.count() as f64 * free);
                1.0 / variance.sqrt().max(MIN_DEVIATION * output.size())
            };
            outputs.map(weight).collect()
        };
        self.experiments.iter().zip(computed).zip(&self.weights).map(of_experiment).collect()
    }

    /// Returns the derivatives of the deviations by each parameter.
    pub fn jacobian(&self, inner: &[f64]) -> Result<Vec<Vec<f64>>> {
        let linear = self.linear.near(inner, NEAR, || self.linearize(inner))?;
        let column = |(number, along): (usize, &Computed)| {
            let mut column = self.weighted(along, |_, along| along);
            for (other, parameter) in self.parameters.iter().enumerate() {
                let slope = if other == number { parameter.slope(inner[number]) } else { 0.0 };
                column.extend(parameter.prior.map(|[_, deviation]| slope / deviation));
            }
            column
        };
        Ok(linear.derivatives.iter().enumerate().map(column).collect())
    }

    fn linearize(&self, inner: &[f64]) -> Result<Linear> {
        let values = self.compute(inner)?;
        let derivatives = match self.corrected(inner, &values) {
            Some(corrected) => corrected,
            None => self.derive(inner)?,
        };
        Ok(Linear { values, derivatives })
    }

    /// Returns the derivatives of the last point, corrected by the change of the runs since then (Broyden's update), if runs
    /// may have errors and these derivatives explain enough of the change: runs are cheap beside their derivatives.
    fn corrected(&self, inner: &[f64], values: &Computed) -> Option<Vec<Computed>> {
        let last = self.linear.0.borrow();
        let (at, linear) = last.as_ref().filter(|_| self.is_rough)?;
        let size = |values: &Computed| norm(self.weighted(values, |_, value| value).into_iter());
        let steps: Vec<f64> = inner.iter().zip(at).map(|(inner, at)| inner - at).collect();
        let mut rest = values.clone();
        add(&mut rest, &linear.values, -1.0);
        let change = size(&rest);
        linear.derivatives.iter().zip(&steps).for_each(|(along, step)| add(&mut rest, along, -step));
        // A number that is not finite explains nothing.
        let is_explained = size(&rest) <= MAX_UNEXPLAINED * change;
        if !is_explained {
            return None;
        }
        let scaled: Vec<f64> = steps.iter().zip(at).map(|(step, at)| step / at.abs().max(1.0).powi(2)).collect();
        let length: f64 = steps.iter().zip(&scaled).map(|(step, scaled)| step * scaled).sum();
        let mut derivatives = linear.derivatives.clone();
        derivatives.iter_mut().zip(&scaled).for_each(|(along, scaled)| add(along, &rest, scaled / length));
        Some(derivatives)
    }

    /// Returns the derivatives of all runs by each parameter.
    fn derive(&self, inner: &[f64]) -> Result<Vec<Computed>> {
        // These are cheaper, and lead as well.
        if self.is_rough
            && self.is_known()
            && let Ok(found) = self.rough_differences(inner)
        {
            return Ok(found);
        }
        if let Some(found) = self.exact(inner)? {
            return Ok(found);
        }
        let derivative = |column: usize| {
            let (difference, by) = self.difference(inner, &self.change(inner, column))?;
            let value = |value: Vec<f64>| value.into_iter().map(|value| value / by[column]).collect();
            Ok(difference.into_iter().map(|outputs| outputs.into_iter().map(value).collect()).collect())
        };
        (0..inner.len()).map(derivative).collect()
    }

    /// Returns the exact derivatives, from runs that are differentiated, if there are such; they are compared with differences
    /// once.
    fn exact(&self, inner: &[f64]) -> Result<Option<Vec<Computed>>> {
        let (simulations, is_compared) = match &*self.differentiation.borrow() {
            Differentiation::Exact { simulations, is_compared } => (simulations.clone(), *is_compared),
            Differentiation::Differences(_) => return Ok(None),
        };
        let found = match self.differentiated(&simulations, inner, is_compared) {
            Ok(found) => found,
            Err(error) => {
                self.differentiation.replace(Differentiation::refused(&error));
                return Ok(None);
            }
        };
        if !is_compared {
            let differing = self.differing(&found, inner)?;
            self.differentiation.replace(match differing {
                Some(column) => Differentiation::differing(&self.parameters[column].name),
                None => Differentiation::Exact { simulations, is_compared: true },
            });
            if differing.is_some() {
                return Ok(None);
            }
        }
        Ok(Some(found))
    }

    /// Returns true if the FMU is known to be one of this project, with derivatives that are those of its runs.
    fn is_known(&self) -> bool {
        matches!(&*self.differentiation.borrow(), Differentiation::Exact { is_compared: true, .. })
    }

    /// Returns the differences of runs with changes to one side, divided by these.
    fn rough_differences(&self, inner: &[f64]) -> Result<Vec<Computed>> {
        let base = self.compute(inner)?;
        let moved = |(column, parameter): (usize, &Parameter)| {
            let [low, high] = parameter.inner_bounds();
            let change = ROUGH_CHANGE * inner[column].abs().max(1.0);
            let [up, down] = [1.0, -1.0].map(|side| (inner[column] + side * change).clamp(low, high) - inner[column]);
            let by = if up >= -down { up } else { down };
            let mut moved = inner.to_vec();
            moved[column] += by;
            (self.starts(&moved), by)
        };
        let moved: Vec<_> = self.parameters.iter().enumerate().map(moved).collect();
        let tolerance = self.tolerance();
        let runs = self.of_experiments(true, |_, experiment| {
            let slot = RefCell::new(None);
            let one = |(starts, _): &(Vec<(usize, Value)>, f64)| {
                Ok(run(experiment, &experiment.simulation, tolerance, &slot, starts, &[])?.0)
            };
            moved.iter().map(one).collect::<Result<Vec<_>>>()
        })?;
        let derivative = |column: usize| {
            let mut difference: Computed = runs.iter().map(|of_experiment| of_experiment[column].clone()).collect();
            add(&mut difference, &base, -1.0);
            difference.iter_mut().flatten().flatten().for_each(|value| *value /= moved[column].1);
            difference
        };
        Ok((0..moved.len()).map(derivative).collect())
    }

    /// Computes something for each experiment, by its number, several at a time if the FMU can do that.
    fn of_experiments<R: Send>(
        &self,
        is_parallel: bool,
        one: impl Fn(usize, &Experiment) -> Result<R> + Sync,
    ) -> Result<Vec<R>> {
        let threads = if is_parallel { available_parallelism().map_or(1, NonZero::get) } else { 1 };
        let tasks: Vec<_> = self.experiments.iter().enumerate().collect();
        let share = |tasks: &[(usize, &Experiment)]| -> Result<Vec<R>> {
            tasks.iter().map(|(number, experiment)| one(*number, experiment)).collect()
        };
        let mut shares = tasks.chunks(tasks.len().div_ceil(threads));
        let own = shares.next_back().unwrap_or_default();
        let found = thread::scope(|scope| {
            let others: Vec<_> = shares.map(|tasks| scope.spawn(|| share(tasks))).collect();
            let own = share(own);
            let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            others.chain([own]).collect::<Result<Vec<_>>>()
        });
        Ok(found?.into_iter().flatten().collect())
    }

    /// Differentiates runs, several at a time if the FMU is known to be one of this project.
    fn differentiated(&self, simulations: &[Arc<Simulation>], inner: &[f64], is_known: bool) -> Result<Vec<Computed>> {
        let direction = |(parameter, inner): (&Parameter, &f64)| -> Direction {
            parameter.positions.iter().map(|position| (*position, parameter.slope(*inner))).collect()
        };
        let directions: Vec<Direction> = self.parameters.iter().zip(inner).map(direction).collect();
        let (starts, tolerance) = (self.starts(inner), DIFFERENTIATED_TOLERANCE);
        let found = self.of_experiments(is_known, |number, experiment| {
            run(experiment, &simulations[number], tolerance, &RefCell::new(None), &starts, &directions)
        })?;
        let mut derivatives = vec![Computed::new(); inner.len()];
        for (experiment, (_, rows)) in self.experiments.iter().zip(found) {
            for (direction, derivatives) in derivatives.iter_mut().enumerate() {
                let of_output = |at: usize| rows.iter().map(|row| row[direction][at]).collect();
                derivatives.push((0..experiment.outputs.len()).map(of_output).collect());
            }
        }
        Ok(derivatives)
    }

    /// Returns the first parameter by which derivatives are not the same as differences of runs.
    fn differing(&self, derivatives: &[Computed], inner: &[f64]) -> Result<Option<usize>> {
        let columns: Vec<Vec<f64>> = derivatives.iter().map(|along| self.weighted(along, |_, along| along)).collect();
        let alone = |column: usize| self.change(inner, column);
        let effects: Vec<f64> =
            columns.iter().enumerate().map(|(at, column)| alone(at)[at] * norm(column.iter().copied())).collect();
        let least = effects.iter().copied().fold(f64::INFINITY, f64::min);
        // Two runs are enough where all parameters change at once, each with the same effect.
        let all: Vec<f64> = effects.iter().enumerate().map(|(at, effect)| alone(at)[at] * least / effect).collect();
        if least > 0.0 && self.is_same(&columns, inner, &all).unwrap_or_default() {
            return Ok(None);
        }
        for column in 0..inner.len() {
            if !self.is_same(&columns, inner, &alone(column))? {
                return Ok(Some(column));
            }
        }
        Ok(None)
    }

    /// Returns true if derivatives, by columns, are the same as the difference for these changes, for each parameter that changes.
    fn is_same(&self, columns: &[Vec<f64>], inner: &[f64], changes: &[f64]) -> Result<bool> {
        let (difference, by) = self.difference(inner, changes)?;
        let difference = self.weighted(&difference, |_, difference| difference);
        let expected = |row: usize| columns.iter().zip(&by).map(|(column, by)| column[row] * by).sum::<f64>();
        let apart = norm(difference.iter().enumerate().map(|(row, found)| found - expected(row)));
        let effects = columns.iter().zip(&by).filter(|(_, by)| **by != 0.0);
        let least =
            effects.map(|(column, by)| norm(column.iter().map(|value| value * by))).fold(f64::INFINITY, f64::min);
        Ok(apart <= SAME * least)
    }

    /// Returns the change of one parameter for a difference, among those of all.
    fn change(&self, inner: &[f64], column: usize) -> Vec<f64> {
        let mut changes = vec![0.0; inner.len()];
        changes[column] = CHANGE * inner[column].abs().max(1.0);
        changes
    }

    /// Returns the difference of the runs with changes to both sides, as far as the bounds are, and that of the parameters.
    fn difference(&self, inner: &[f64], changes: &[f64]) -> Result<(Computed, Vec<f64>)> {
        let moved = |side: f64| -> Vec<f64> {
            let moved = self.parameters.iter().zip(inner).zip(changes).map(|((parameter, inner), change)| {
                let [low, high] = parameter.inner_bounds();
                (inner + side * change).clamp(low, high)
            });
            moved.collect()
        };
        let run = |moved: &[f64]| {
            self.run(moved).with_context(|| {
                let column = changes.iter().position(|change| *change != 0.0).unwrap_or_default();
                let parameter = &self.parameters[column];
                format!("`{}` cannot be {} for a difference", parameter.name, number(parameter.value(moved[column])))
            })
        };
        let (above, below) = (moved(1.0), moved(-1.0));
        let (mut more, less) = (run(&above)?, run(&below)?);
        let values = more.iter_mut().flatten().flatten().zip(less.iter().flatten().flatten());
        values.for_each(|(more, less)| *more -= less);
        Ok((more, above.iter().zip(below).map(|(above, below)| above - below).collect()))
    }
}

/// Adds a multiple of values to others.
fn add(values: &mut Computed, others: &Computed, factor: f64) {
    let pairs = values.iter_mut().flatten().flatten().zip(others.iter().flatten().flatten());
    pairs.for_each(|(value, other)| *value += factor * other);
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum::<f64>().sqrt()
}

/// The values of each output, and for each row the derivatives of the outputs along each direction.
type Differentiated = (Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>);

/// Runs an experiment within a tolerance, or that of its file if this is larger, and differentiates the run along directions.
fn run(
    experiment: &Experiment,
    simulation: &Simulation,
    tolerance: f64,
    slot: &RefCell<Option<Instance>>,
    starts: &[(usize, Value)],
    directions: &[Direction],
) -> Result<Differentiated> {
    let simulation = &simulation.with_tolerance(|own| own.max(tolerance));
    let instance = match slot.borrow_mut().take() {
        Some(instance) if instance.terminate().is_ok() && instance.reset().is_ok() => instance,
        _ => simulation.instance()?,
    };
    // The start may be the time of the first row.
    let first = usize::from(experiment.places[0] <= simulation.start);
    let points = experiment.places[first..].to_vec();
    let beginning = if directions.is_empty() { Beginning::Start } else { Beginning::Along(directions) };
    let ran = simulation.run_over(&instance, beginning, starts, points, &mut |_| ());
    let Ran { trajectory, sensitivities, ended } = ran.with_context(|| experiment.name.clone())?;
    if ended {
        let end = trajectory.time.last().copied().unwrap_or(simulation.start);
        bail!("{}: the FMU ended the simulation at {} s, before the end of the data", experiment.name, number(end));
    }
    slot.replace(Some(instance));
    let values = trajectory.columns.into_iter().map(|column| column[1 - first..].to_vec()).collect();
    Ok((values, sensitivities.into_iter().skip(1 - first).collect()))
}
