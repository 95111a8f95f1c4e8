//! Runs of the experiments with parameters, their weighted deviations from the measurements, and the derivatives of these.

use std::cell::RefCell;

use anyhow::{Context as _, Result, bail};

use super::experiment::{Experiment, Output};
use super::parameter::Parameter;
use crate::Instance;
use crate::simulate::run::{Beginning, Ran};
use crate::simulate::trajectory::number;
use crate::values::value::Value;

/// Change for central differences, of the quantities that are searched for.
const CHANGE: f64 = 1e-4;

/// Part of the size of an output below which its errors of measurement are not estimated.
const MIN_DEVIATION: f64 = 1e-9;

/// The experiments with an instance for each, which one run after another uses.
pub struct Runs {
    pub experiments: Vec<Experiment>,
    pub parameters: Vec<Parameter>,
    /// For each experiment and output, the factor by which deviations count.
    pub weights: Vec<Vec<f64>>,
    instances: Vec<RefCell<Option<Instance>>>,
}

/// Values of the outputs of each experiment at the times of its rows.
pub type Computed = Vec<Vec<Vec<f64>>>;

impl Runs {
    pub fn new(experiments: Vec<Experiment>, parameters: Vec<Parameter>) -> Self {
        let weights = experiments.iter().map(|experiment| {
            let weight = |output: &Output| 1.0 / output.deviation.unwrap_or_else(|| output.size());
            experiment.outputs.iter().map(weight).collect()
        });
        let weights = weights.collect();
        let instances = experiments.iter().map(|_| RefCell::new(None)).collect();
        Self { experiments, parameters, weights, instances }
    }

    /// Returns the number of measured values and of parameters that are known beforehand.
    pub fn count(&self) -> usize {
        let priors = self.parameters.iter().filter(|parameter| parameter.prior.is_some()).count();
        self.experiments.iter().map(Experiment::count).sum::<usize>() + priors
    }

    /// Runs all experiments.
    pub fn compute(&self, inner: &[f64]) -> Result<Computed> {
        let starts: Vec<_> =
            self.parameters.iter().zip(inner).flat_map(|(parameter, inner)| parameter.assignments(*inner)).collect();
        self.experiments.iter().zip(&self.instances).map(|(experiment, slot)| run(experiment, slot, &starts)).collect()
    }

    /// Returns the weighted deviations, computed minus measured values; behind them those of the parameters from what is
    /// known beforehand.
    pub fn deviations(&self, computed: &Computed, inner: &[f64]) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.count());
        for ((experiment, computed), weights) in self.experiments.iter().zip(computed).zip(&self.weights) {
            for ((output, computed), weight) in experiment.outputs.iter().zip(computed).zip(weights) {
                let known = output.measured.iter().zip(computed).filter(|(measured, _)| !measured.is_nan());
                all.extend(known.map(|(measured, computed)| weight * (computed - measured)));
            }
        }
        for (parameter, inner) in self.parameters.iter().zip(inner) {
            all.extend(parameter.prior.map(|[mean, deviation]| (parameter.value(*inner) - mean) / deviation));
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

    /// Returns the deviations and their derivatives by each parameter.
    pub fn jacobian(&self, inner: &[f64]) -> Result<(Vec<f64>, Vec<Vec<f64>>)> {
        let deviations = self.deviations(&self.compute(inner)?, inner);
        Ok((deviations, self.differences(inner)?))
    }

    /// Returns the derivatives of the deviations by each parameter, by differences of whole runs.
    pub fn differences(&self, inner: &[f64]) -> Result<Vec<Vec<f64>>> {
        (0..inner.len()).map(|column| self.difference(inner, column)).collect()
    }

    fn difference(&self, inner: &[f64], column: usize) -> Result<Vec<f64>> {
        let [low, high] = self.parameters[column].inner_bounds();
        let change = CHANGE * inner[column].abs().max(1.0);
        let at = |value: f64| {
            let mut moved = inner.to_vec();
            moved[column] = value.clamp(low, high);
            let deviations = self.compute(&moved).map(|computed| self.deviations(&computed, &moved));
            deviations.map(|deviations| (moved[column], deviations)).with_context(|| {
                let Parameter { name, .. } = &self.parameters[column];
                format!("`{name}` cannot be {} for a difference", number(self.parameters[column].value(value)))
            })
        };
        let ((above, more), (below, less)) = (at(inner[column] + change)?, at(inner[column] - change)?);
        Ok(more.iter().zip(less).map(|(more, less)| (more - less) / (above - below)).collect())
    }
}

fn run(experiment: &Experiment, slot: &RefCell<Option<Instance>>, starts: &[(usize, Value)]) -> Result<Vec<Vec<f64>>> {
    let simulation = &experiment.simulation;
    let instance = match slot.borrow_mut().take() {
        Some(instance) if instance.terminate().is_ok() && instance.reset().is_ok() => instance,
        _ => simulation.instance()?,
    };
    // The start may be the time of the first row.
    let first = usize::from(experiment.times[0] <= simulation.start);
    let points = experiment.times[first..].to_vec();
    let ran = simulation.run_over(&instance, Beginning::Start, starts, points, &mut |_| ());
    let Ran { trajectory, ended } = ran.with_context(|| experiment.name.clone())?;
    if ended {
        let end = trajectory.time.last().copied().unwrap_or(simulation.start);
        bail!("{}: the FMU ended the simulation at {} s, before the end of the data", experiment.name, number(end));
    }
    slot.replace(Some(instance));
    Ok(trajectory.columns.into_iter().map(|column| column[1 - first..].to_vec()).collect())
}
