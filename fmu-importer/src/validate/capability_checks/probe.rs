//! Short runs of the default experiment, and the values that they reach.

use anyhow::Result;
use fmu_builder::description::Variable;

use crate::load::{Instance, Interface, Loaded, StepEnd};
use crate::simulate::summary::short;
use crate::validate::interfaces::compared;
use crate::validate::model_exchange::Steps;
use crate::validate::reading::{Experiment, experiment, initialise};

/// Fraction of the nominal value below which differences are rounding.
const ROUNDING: f64 = 1e-9;

/// An initialised instance that makes steps.
#[derive(Clone)]
pub struct Run {
    experiment: Experiment,
    /// State of an importer in Model Exchange.
    steps: Option<Steps>,
}

impl Run {
    /// Initialises an instance; nothing if the FMU ends the run.
    pub fn begin(loaded: &Loaded, instance: &Instance) -> Result<Option<Self>> {
        let experiment = experiment(loaded.model());
        initialise(instance, &experiment)?;
        let steps = match loaded.interface() {
            Interface::CoSimulation => None,
            Interface::ModelExchange => match Steps::begin(instance, &experiment)? {
                None => return Ok(None),
                steps => steps,
            },
        };
        Ok(Some(Self { experiment, steps }))
    }

    /// Makes the steps of these numbers, from 1 on; returns true if the FMU lets the run go on.
    pub fn proceed(&mut self, instance: &Instance, steps: std::ops::RangeInclusive<usize>) -> Result<bool> {
        for count in steps {
            let continues = match &mut self.steps {
                Some(steps) => steps.proceed(instance, count)?,
                None => {
                    let [begin, end] = [count - 1, count].map(|count| self.time(count as f64));
                    step(instance, (begin, end))?
                }
            };
            if !continues {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Leaves out the calls of Model Exchange after each step.
    pub fn complete_no_steps(&mut self) {
        self.steps.iter_mut().for_each(|steps| steps.completes_steps = false);
    }

    /// Returns the time after a number of communication steps.
    pub fn time(&self, count: f64) -> f64 {
        self.experiment.start + count * self.experiment.step
    }
}

/// Makes a step of Co-Simulation; returns true if the FMU lets the run go on.
pub fn step(instance: &Instance, (begin, end): (f64, f64)) -> Result<bool> {
    Ok(!matches!(instance.do_step(begin, end - begin)?, StepEnd::Ended(_)))
}

/// Returns the outputs and states of an instance.
pub fn values(instance: &Instance) -> Result<Vec<f64>> {
    Ok(compared(instance.model()).into_iter().map(|variable| instance.number(variable)).collect::<Result<_, _>>()?)
}

/// Returns a sentence about the first of these values that is not the expected one, within a relative tolerance.
pub fn difference(loaded: &Loaded, found: &[f64], expected: &[f64], tolerance: f64) -> Option<String> {
    difference_of(compared(loaded.model()).into_iter(), found, expected, tolerance)
}

/// Returns a sentence about the first of the values of these variables that is not the expected one.
pub fn difference_of<'a>(
    variables: impl Iterator<Item = &'a Variable>,
    found: &[f64],
    expected: &[f64],
    tolerance: f64,
) -> Option<String> {
    let differs = |(variable, (found, expected)): &(&Variable, (&f64, &f64))| {
        let nominal = if variable.is_real() { variable.attributes.nominal.unwrap_or(1.0).abs() } else { 0.0 };
        let tolerated = tolerance * found.abs().max(expected.abs()) + ROUNDING.max(tolerance * 1e-3) * nominal;
        let away = (*found - *expected).abs();
        found.to_bits() != expected.to_bits() && (away > tolerated || away.is_nan())
    };
    let mut pairs = variables.zip(found.iter().zip(expected));
    let (variable, (found, expected)) = pairs.find(differs)?;
    Some(format!("`{}` is {} instead of {}", variable.name, short(*found), short(*expected)))
}
