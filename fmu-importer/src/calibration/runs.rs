//! Runs of the experiments with parameters, their weighted deviations from the measurements, and the derivatives of these.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;

use super::broyden::Linear;
use super::computed::{Computed, add, norm, scale};
use super::differences;
use super::differentiation::Differentiation;
use super::experiment::{Experiment, Output};
use super::harmonic::respond;
use super::parameter::Parameter;
use super::recent::Recent;
use crate::simulate::run::{Beginning, Ran};
use crate::simulate::sensitivities::Direction;
use crate::simulate::trajectory::number;
use crate::values::value::Value;
use crate::{Instance, Simulation};

/// Difference of derivatives from differences of runs, relative to these, above which they are not taken for the same.
const SAME: f64 = 1e-3;

/// Change of the quantities, relative to these or to 1, up to which derivatives are taken for the same.
const NEAR: f64 = 1e-4;

/// Largest part of the change of the runs between two points that derivatives of the first may leave unexplained, to be corrected
/// for the second: where they lead, and where the search ends.
const MAX_UNEXPLAINED: [f64; 2] = [0.6, 0.01];

/// Relative tolerance of runs on the way to the parameters, and of those that are differentiated, which that of the file may
/// only raise: derivatives lead the search, but do not decide where it ends.
const ROUGH_TOLERANCE: f64 = 1e-5;

/// Largest part of a change of a parameter whose effect on the runs, relative to their values, may be their errors.
const MAX_NOISE: f64 = 0.01;

/// Number of points whose runs are kept: a search comes back to one of the last.
const KEPT: usize = 4;

/// Relative difference of weights below which another search would change nothing.
const SAME_WEIGHTS: f64 = 0.02;

/// Part of the size of an output below which its errors of measurement are not estimated.
const MIN_DEVIATION: f64 = 1e-9;

/// The experiments with their runs.
pub struct Runs {
    pub experiments: Vec<Experiment>,
    pub parameters: Vec<Parameter>,
    /// For each experiment and output, the factor by which deviations count.
    pub weights: Vec<Vec<f64>>,
    /// How runs are differentiated.
    pub differentiation: RefCell<Differentiation>,
    /// True if the FMU is one of this project: its runs follow their tolerance, and its instances have nothing in common.
    is_own: bool,
    /// True if runs may have larger errors, as long as they only lead to where the search ends.
    is_rough: bool,
    /// Instances that have made a run, for others.
    instances: Mutex<Vec<Instance>>,
    computed: Recent<Computed, KEPT>,
    linear: Recent<Linear, 1>,
}

impl Runs {
    pub fn new(experiments: Vec<Experiment>, parameters: Vec<Parameter>, differentiation: Differentiation) -> Self {
        let weights = experiments.iter().map(|experiment| {
            let weight = |output: &Output| 1.0 / output.deviation.unwrap_or_else(|| output.size());
            experiment.outputs.iter().map(weight).collect()
        });
        let weights = weights.collect();
        let is_own = matches!(differentiation, Differentiation::Exact { .. });
        Self {
            experiments,
            parameters,
            weights,
            differentiation: RefCell::new(differentiation),
            is_own,
            is_rough: false,
            instances: Mutex::default(),
            computed: Recent::default(),
            linear: Recent::default(),
        }
    }

    /// Says whether runs may have larger errors. Those that have smaller ones stay known.
    pub fn set_rough(&mut self, is_rough: bool) {
        self.is_rough = is_rough;
        if !is_rough {
            self.computed.clear();
        }
        self.forget();
    }

    /// Forgets the derivatives, so that none of them lead a search from another start.
    pub fn forget(&self) {
        self.linear.clear();
    }

    /// Returns true if runs may have larger errors, and are known to follow their tolerance.
    fn is_leading(&self) -> bool {
        self.is_rough && self.is_own
    }

    /// Returns the relative tolerance of runs, unless that of the file is larger.
    fn tolerance(&self) -> f64 {
        if self.is_leading() { ROUGH_TOLERANCE } else { 0.0 }
    }

    /// Returns the number of measured values and of parameters that are known beforehand.
    pub fn count(&self) -> usize {
        let priors = self.parameters.iter().filter(|parameter| parameter.prior.is_some()).count();
        self.experiments.iter().map(Experiment::count).sum::<usize>() + priors
    }

    /// Runs all experiments.
    pub fn compute(&self, inner: &[f64]) -> Result<Rc<Computed>> {
        let run = || self.run_at(&[inner.to_vec()], self.tolerance()).remove(0);
        self.computed.near(inner, 0.0, run)
    }

    /// Runs all experiments at several points.
    fn run_at(&self, points: &[Vec<f64>], tolerance: f64) -> Vec<Result<Computed>> {
        let starts: Vec<_> = points.iter().map(|inner| self.starts(inner)).collect();
        let (experiments, instances) = (&self.experiments, &self.instances);
        let count = experiments.len();
        let one = |task: usize| {
            let (experiment, starts) = (&experiments[task % count], &starts[task / count]);
            match &experiment.input {
                Some(input) => respond(experiment, input, starts),
                None => Ok(run(experiment, &experiment.simulation, tolerance, instances, starts, &[])?.0),
            }
        };
        let mut runs = self.results(points.len() * count, one).into_iter();
        points.iter().map(|_| runs.by_ref().take(count).collect::<Vec<_>>().into_iter().collect()).collect()
    }

    /// Returns the results of tasks by their numbers, at the same time if the FMU can do that.
    fn results<R: Send>(&self, count: usize, task: impl Fn(usize) -> R + Send + Sync) -> Vec<R> {
        if self.is_own { (0..count).into_par_iter().map(task).collect() } else { (0..count).map(task).collect() }
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

    /// Sets the weights of outputs to those whose errors of measurement follow from the deviations that runs leave, where the
    /// file does not give them; returns true if it makes no difference.
    pub fn estimate_weights(&mut self, computed: &Computed) -> bool {
        let count: usize = self.experiments.iter().map(Experiment::count).sum();
        let free = 1.0 - self.parameters.len() as f64 / count as f64;
        let mut ratios = Vec::new();
        for ((experiment, computed), weights) in self.experiments.iter().zip(computed).zip(&mut self.weights) {
            for ((output, computed), weight) in experiment.outputs.iter().zip(computed).zip(weights) {
                let before = *weight;
                if output.deviation.is_none() {
                    let known = output.measured.iter().zip(computed).filter(|(measured, _)| !measured.is_nan());
                    let squares: f64 = known.map(|(measured, computed)| (computed - measured).powi(2)).sum();
                    let variance = squares / (output.count() as f64 * free);
                    *weight = 1.0 / variance.sqrt().max(MIN_DEVIATION * output.size());
                }
                ratios.push(*weight / before);
            }
        }
        ratios.iter().all(|ratio| (ratio / ratios[0] - 1.0).abs() < SAME_WEIGHTS)
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
        let [leading, last] = MAX_UNEXPLAINED;
        let unexplained = if self.is_rough { leading } else { last };
        // Runs are cheap beside their derivatives.
        let corrected = self.linear.last().and_then(|(at, linear)| {
            linear.corrected((at.as_slice(), inner), &values, unexplained, |values| self.size(values))
        });
        let derivatives = match corrected {
            Some(corrected) => corrected,
            None => self.derive(inner)?,
        };
        Ok(Linear { values, derivatives })
    }

    /// Returns the derivatives of all runs by each parameter.
    fn derive(&self, inner: &[f64]) -> Result<Vec<Computed>> {
        // These are cheaper, and lead as well.
        if self.is_leading()
            && let Ok(found) = self.rough_differences(inner)
        {
            return Ok(found);
        }
        if let Some(found) = self.exact(inner)? {
            return Ok(found);
        }
        let base = self.compute(inner)?;
        let derivative = |column: usize| {
            let (mut difference, by) = self.difference(inner, &differences::change(inner, column))?;
            self.divide(&mut difference, by[column], &base);
            Ok(difference)
        };
        (0..inner.len()).map(derivative).collect()
    }

    /// Divides a difference of runs by the change of a parameter, or makes it zero if it is noise.
    fn divide(&self, difference: &mut Computed, change: f64, base: &Computed) {
        let factor = if self.is_noise(difference, change, base) { 0.0 } else { 1.0 / change };
        scale(difference, factor);
    }

    /// Returns true if a difference of runs is not larger than their errors, as it is where they do not depend on the parameter
    /// that has changed.
    fn is_noise(&self, difference: &Computed, change: f64, base: &Computed) -> bool {
        self.size(difference) <= self.noise().min(MAX_NOISE * change.abs()) * self.size(base)
    }

    /// Returns the relative errors that runs may have.
    fn noise(&self) -> f64 {
        let of_file = self.experiments.iter().filter_map(|experiment| experiment.simulation.tolerance);
        of_file.fold(self.tolerance(), f64::max)
    }

    fn size(&self, values: &Computed) -> f64 {
        norm(self.weighted(values, |_, value| value))
    }

    /// Returns the exact derivatives, from runs that are differentiated, if there are such; they are compared with differences
    /// once.
    fn exact(&self, inner: &[f64]) -> Result<Option<Vec<Computed>>> {
        let (simulations, is_compared) = match &*self.differentiation.borrow() {
            Differentiation::Exact { simulations, is_compared } => (simulations.clone(), *is_compared),
            Differentiation::Differences(_) => return Ok(None),
        };
        let found = match self.differentiated(&simulations, inner) {
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

    /// Returns the derivatives by differences of rough runs, to the side where there is room within the bounds.
    fn rough_differences(&self, inner: &[f64]) -> Result<Vec<Computed>> {
        let base = self.compute(inner)?;
        let run = |points: &[Vec<f64>]| self.run_at(points, self.tolerance()).into_iter().collect();
        let divide = |difference: &mut Computed, change: f64| self.divide(difference, change, &base);
        differences::to_one_side(inner, &self.bounds(), &base, run, divide)
    }

    /// Returns the bounds of the quantities that are searched for.
    fn bounds(&self) -> Vec<[f64; 2]> {
        self.parameters.iter().map(Parameter::inner_bounds).collect()
    }

    /// Differentiates runs, several at a time.
    fn differentiated(&self, simulations: &[Arc<Simulation>], inner: &[f64]) -> Result<Vec<Computed>> {
        let direction = |(parameter, inner): (&Parameter, &f64)| -> Direction {
            parameter.positions.iter().map(|position| (*position, parameter.slope(*inner))).collect()
        };
        let directions: Vec<Direction> = self.parameters.iter().zip(inner).map(direction).collect();
        let (starts, experiments) = (self.starts(inner), &self.experiments);
        let one = |number: usize| {
            let (experiment, simulation) = (&experiments[number], &simulations[number]);
            run(experiment, simulation, ROUGH_TOLERANCE, &Mutex::default(), &starts, &directions)
        };
        let found: Result<Vec<_>> = self.results(experiments.len(), one).into_iter().collect();
        let mut derivatives = vec![Computed::new(); inner.len()];
        for (experiment, (_, rows)) in self.experiments.iter().zip(found?) {
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
        let alone = |column: usize| differences::change(inner, column);
        let effects: Vec<f64> =
            columns.iter().enumerate().map(|(at, column)| alone(at)[at] * norm(column.iter().copied())).collect();
        let least = effects.iter().copied().filter(|effect| *effect > 0.0).fold(f64::INFINITY, f64::min);
        // Two runs are enough where all parameters with an effect change at once, each with the same one.
        let part = |at: usize| if effects[at] > 0.0 { alone(at)[at] * least / effects[at] } else { 0.0 };
        let all: Vec<f64> = (0..inner.len()).map(part).collect();
        let are_same = least.is_finite() && self.is_same(&columns, inner, &all).unwrap_or_default();
        let base = self.compute(inner)?;
        for column in (0..inner.len()).filter(|column| !are_same || effects[*column] == 0.0) {
            let is_same = if effects[column] > 0.0 {
                self.is_same(&columns, inner, &alone(column))?
            } else {
                let (difference, by) = self.difference(inner, &alone(column))?;
                self.is_noise(&difference, by[column], &base)
            };
            if !is_same {
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

    /// Returns the difference of the runs with changes to both sides, as far as the bounds are, and that of the parameters.
    fn difference(&self, inner: &[f64], changes: &[f64]) -> Result<(Computed, Vec<f64>)> {
        let points = [1.0, -1.0].map(|side| differences::moved(inner, changes, side, &self.bounds()));
        let told = |(moved, run): (&Vec<f64>, Result<Computed>)| {
            run.with_context(|| {
                let column = changes.iter().position(|change| *change != 0.0).unwrap_or_default();
                let parameter = &self.parameters[column];
                format!("`{}` cannot be {} for a difference", parameter.name, number(parameter.value(moved[column])))
            })
        };
        let mut runs = points.iter().zip(self.run_at(&points, 0.0)).map(told).collect::<Result<Vec<_>>>()?;
        let (mut difference, less) = (runs.remove(0), runs.remove(0));
        add(&mut difference, &less, -1.0);
        let [above, below] = &points;
        Ok((difference, above.iter().zip(below).map(|(above, below)| above - below).collect()))
    }
}

/// The values of each output, and for each row the derivatives of the outputs along each direction.
type Differentiated = (Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>);

/// Runs an experiment within a tolerance, or that of its file if this is larger, and differentiates the run along directions.
fn run(
    experiment: &Experiment,
    simulation: &Simulation,
    tolerance: f64,
    instances: &Mutex<Vec<Instance>>,
    starts: &[(usize, Value)],
    directions: &[Direction],
) -> Result<Differentiated> {
    let simulation = &simulation.with_tolerance(|own| own.max(tolerance));
    let used = instances.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let instance = match used {
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
    instances.lock().unwrap_or_else(PoisonError::into_inner).push(instance);
    let values = trajectory.columns.into_iter().map(|column| column[1 - first..].to_vec()).collect();
    Ok((values, sensitivities.into_iter().skip(1 - first).collect()))
}
