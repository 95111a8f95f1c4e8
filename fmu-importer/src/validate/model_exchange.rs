//! A run in Model Exchange.

use anyhow::Result;

use super::reading::{Experiment, experiment, initialise, read_all};
use crate::load::{Failure, Instance};
use crate::simulate::model_exchange::settle;

/// Number of steps of the explicit Euler method.
const STEPS: usize = 100;
/// Size of the steps as a fraction of the communication step: small, since the method is for soft models.
const PART: f64 = 1e-3;

/// Goes through all modes in some small steps.
pub fn run(instance: &Instance, problem: &mut impl FnMut(String)) -> Result<()> {
    let experiment = experiment(instance.model());
    initialise(instance, &experiment)?;
    read_all(instance, "after initialisation", problem)?;
    let Some(mut steps) = Steps::begin(instance, &experiment)? else {
        return Ok(instance.terminate()?);
    };
    for count in 1..=STEPS {
        if !steps.proceed(instance, count)? {
            break;
        }
    }
    read_all(instance, "after some steps", problem)?;
    Ok(instance.terminate()?)
}

/// State of an importer between its steps.
#[derive(Clone)]
pub struct Steps {
    start: f64,
    size: f64,
    next_event: Option<f64>,
    indicators: Vec<f64>,
    /// True if the FMU is called after each step.
    pub completes_steps: bool,
}

impl Steps {
    /// Handles the events of the initialisation; nothing if the FMU ends the run.
    pub fn begin(instance: &Instance, experiment: &Experiment) -> Result<Option<Self>> {
        let start = experiment.start;
        let Some(next_event) = settle(instance, start)? else { return Ok(None) };
        let indicators = instance.event_indicators()?;
        Ok(Some(Self { start, size: PART * experiment.step, next_event, indicators, completes_steps: true }))
    }

    /// Makes the step of this number, with the event at its end; returns true if the run goes on.
    pub fn proceed(&mut self, instance: &Instance, count: usize) -> Result<bool> {
        let time = self.start + count as f64 * self.size;
        euler(instance, time, self.size)?;
        let (mut event, terminate) =
            if self.completes_steps { instance.completed_integrator_step()? } else { (false, false) };
        if terminate {
            return Ok(false);
        }
        let after = instance.event_indicators()?;
        event |= self.indicators.iter().zip(&after).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        event |= self.next_event.is_some_and(|event| event <= time);
        self.indicators = after;
        if event {
            instance.enter_event_mode()?;
            let Some(next_event) = settle(instance, time)? else { return Ok(false) };
            self.next_event = next_event;
            self.indicators = instance.event_indicators()?;
        }
        Ok(true)
    }
}

fn euler(instance: &Instance, time: f64, step: f64) -> Result<(), Failure> {
    let (mut states, derivatives) = (instance.continuous_states()?, instance.derivatives()?);
    instance.set_time(time)?;
    for (state, derivative) in states.iter_mut().zip(derivatives) {
        *state += step * derivative;
    }
    instance.set_continuous_states(&states)
}
