//! Runs of the experiments with parameters, their weighted deviations from the measurements, and the derivatives of these.

use std::cell::RefCell;
use std::rc::Rc;

use anyhow::{Context as _, Result, bail};

use super::differentiation::{Differentiation, differing};
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
}

/// Values of the outputs of each experiment at the times or frequencies of its rows.
pub type Computed = Vec<Vec<Vec<f64>>>;

/// Deviations, and their derivatives by each parameter.
pub type Jacobian = (Vec<f64>, Vec<Vec<f64>>);

impl Runs {
    pub fn new(experiments: Vec<Experiment>, parameters: Vec<Parameter>, differentiation: Differentiation) -> Self {
        let weights = experiments.iter().map(|experiment| {
            let weight = |output: &Output| 1.0 / output.deviation.unwrap_or_else(|| output.size());
            experiment.outputs.iter().map(weight).collect()
        });
        let weights = weights.collect();
        let instances = experiments.iter().map(|_| RefCell::new(None)).collect();
        let differentiation = RefCell::new(differentiation);
        Self { experiments, parameters, weights, differentiation, instances }
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
        let runs = self.experiments.iter().zip(&self.instances);
        runs.map(|(experiment, slot)| match &experiment.input {
            Some(input) => respond(experiment, input, &starts),
            None => Ok(run(experiment, &experiment.simulation, slot, &starts, &[])?.0),
        })
        .collect()
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
    pub fn jacobian(&self, inner: &[f64]) -> Result<Jacobian> {
        if let Some(found) = self.exact(inner)? {
            return Ok(found);
        }
        let deviations = self.deviations(&self.compute(inner)?, inner);
        Ok((deviations, self.differences(inner)?))
    }

    /// Returns the deviations and their exact derivatives, from runs that are differentiated, if there are such; they are
    /// compared with differences once.
    fn exact(&self, inner: &[f64]) -> Result<Option<Jacobian>> {
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
            let differing = differing(&found.1, &self.differences(inner)?);
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

    fn differentiated(&self, simulations: &[Rc<Simulation>], inner: &[f64]) -> Result<Jacobian> {
        let parameters = || self.parameters.iter().zip(inner);
        let starts: Vec<_> = parameters().flat_map(|(parameter, inner)| parameter.assignments(*inner)).collect();
        let slopes: Vec<f64> = parameters().map(|(parameter, inner)| parameter.slope(*inner)).collect();
        let direction = |(parameter, slope): (&Parameter, &f64)| -> Direction {
            parameter.positions.iter().map(|position| (*position, *slope)).collect()
        };
        let directions: Vec<Direction> = self.parameters.iter().zip(&slopes).map(direction).collect();
        let mut computed = Computed::new();
        let mut columns = vec![Vec::with_capacity(self.count()); inner.len()];
        for ((experiment, simulation), weights) in self.experiments.iter().zip(simulations).zip(&self.weights) {
            let (values, along) = run(experiment, simulation, &RefCell::new(None), &starts, &directions)?;
            computed.push(values);
            for (at, (output, weight)) in experiment.outputs.iter().zip(weights).enumerate() {
                for row in (0..output.measured.len()).filter(|row| !output.measured[*row].is_nan()) {
                    columns.iter_mut().zip(&along[row]).for_each(|(column, along)| column.push(weight * along[at]));
                }
            }
        }
        for (number, parameter) in self.parameters.iter().enumerate() {
            if let Some([_, deviation]) = parameter.prior {
                for (other, column) in columns.iter_mut().enumerate() {
                    column.push(if other == number { slopes[number] / deviation } else { 0.0 });
                }
            }
        }
        Ok((self.deviations(&computed, inner), columns))
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

/// The values of each output, and for each row the derivatives of the outputs along each direction.
type Differentiated = (Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>);

/// Runs an experiment, and differentiates the run along directions.
fn run(
    experiment: &Experiment,
    simulation: &Simulation,
    slot: &RefCell<Option<Instance>>,
    starts: &[(usize, Value)],
    directions: &[Direction],
) -> Result<Differentiated> {
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
