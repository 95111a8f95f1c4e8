//! Short runs of the default experiment, and the values that they reach.

use anyhow::Result;
use fmu_builder::description::{Variable, VariableType};

use crate::load::{Instance, Interface, Loaded, StepEnd};
use crate::simulate::summary::short;
use crate::validate::interfaces::compared;
use crate::validate::model_exchange::Steps;
use crate::validate::reading::{Experiment, experiment, initialise};

/// Differences below this fraction of the nominal value are rounding.
const ROUNDING: f64 = 1e-9;

/// An initialised instance that makes steps.
#[derive(Clone)]
pub struct Run {
    experiment: Experiment,
    /// The memory of an importer in Model Exchange.
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

    /// Makes the steps of these numbers, from 1 on; whether the FMU lets the run go on.
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

    /// The time after a number of communication steps.
    pub fn time(&self, count: f64) -> f64 {
        self.experiment.start + count * self.experiment.step
    }
}

/// A step of Co-Simulation; whether the FMU lets the run go on.
pub fn step(instance: &Instance, (begin, end): (f64, f64)) -> Result<bool> {
    Ok(!matches!(instance.do_step(begin, end - begin)?, StepEnd::Ended(_)))
}

/// The outputs and states of an instance.
pub fn values(instance: &Instance) -> Result<Vec<f64>> {
    Ok(compared(instance.model()).into_iter().map(|variable| instance.number(variable)).collect::<Result<_, _>>()?)
}

/// A sentence about the first of these values that is not what was expected, within a relative tolerance.
pub fn difference(loaded: &Loaded, found: &[f64], expected: &[f64], tolerance: f64) -> Option<String> {
    let variables = compared(loaded.model());
    let differs = |(variable, (found, expected)): &(&&Variable, (&f64, &f64))| {
        let nominal = match variable.kind {
            VariableType::Real { nominal, .. } => nominal.unwrap_or(1.0).abs(),
            _ => 0.0,
        };
        let tolerated = tolerance * found.abs().max(expected.abs()) + ROUNDING.max(tolerance * 1e-3) * nominal;
        let away = (*found - *expected).abs();
        found.to_bits() != expected.to_bits() && (away > tolerated || away.is_nan())
    };
    let mut pairs = variables.iter().zip(found.iter().zip(expected));
    let (variable, (found, expected)) = pairs.find(differs)?;
    Some(format!("`{}` is {} instead of {}", variable.name, short(*found), short(*expected)))
}
