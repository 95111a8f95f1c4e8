//! A run in Model Exchange.

use anyhow::{Result, bail};

use super::reading::{Experiment, experiment, initialise, read_all};
use crate::load::{Failure, Instance};

/// Steps of the explicit Euler method.
const STEPS: usize = 100;
/// Their size as a fraction of the communication step: small, since the method is for soft models.
const PART: f64 = 1e-3;
/// More event iterations than this at one time are a loop without end.
const ITERATIONS: usize = 100;

/// Goes through all modes in some small steps.
pub fn run(instance: &Instance, problem: &mut impl FnMut(String)) -> Result<()> {
    let experiment = experiment(instance.model());
    let Experiment { start, step, .. } = experiment;
    initialise(instance, &experiment)?;
    read_all(instance, "after initialisation", problem)?;
    let mut next_event = settle(instance)?;
    let mut before = instance.event_indicators()?;
    for count in 1..=STEPS {
        let time = start + count as f64 * PART * step;
        euler(instance, time, PART * step)?;
        let (mut event, terminate) = instance.completed_integrator_step()?;
        let after = instance.event_indicators()?;
        event |= before.iter().zip(&after).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        event |= next_event.is_some_and(|event| event <= time);
        before = after;
        if terminate {
            break;
        }
        if event {
            instance.enter_event_mode()?;
            next_event = settle(instance)?;
            before = instance.event_indicators()?;
        }
    }
    read_all(instance, "after some steps", problem)?;
    Ok(instance.terminate()?)
}

/// Iterates events until nothing changes, then enters Continuous-Time Mode; gives the time of the next event.
fn settle(instance: &Instance) -> Result<Option<f64>> {
    for _ in 0..ITERATIONS {
        let info = instance.new_discrete_states()?;
        if info.new_discrete_states_needed == 0 || info.terminate_simulation == 1 {
            instance.enter_continuous_time_mode()?;
            return Ok((info.next_event_time_defined == 1).then_some(info.next_event_time));
        }
    }
    bail!("the event iteration does not end in {ITERATIONS} rounds");
}

fn euler(instance: &Instance, time: f64, step: f64) -> Result<(), Failure> {
    let (mut states, derivatives) = (instance.continuous_states()?, instance.derivatives()?);
    instance.nominals()?;
    instance.set_time(time)?;
    for (state, derivative) in states.iter_mut().zip(derivatives) {
        *state += step * derivative;
    }
    instance.set_continuous_states(&states)
}
