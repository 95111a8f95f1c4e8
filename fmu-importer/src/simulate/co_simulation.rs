//! Steps of Co-Simulation, and in FMI 3.0 the events between them.

use anyhow::{Result, bail, ensure};

use super::model_exchange::{Advance, MAX_ITERATIONS};
use super::run_inputs::{Inputs, RunInputs};
use super::trajectory::number;
use crate::load::{Instance, StepEnd};

/// State of Co-Simulation between communication points.
pub struct Steps {
    /// True if the FMU takes slopes of its inputs.
    interpolates: bool,
    /// Time of the next event that the FMU has announced.
    next_event: Option<f64>,
}

impl Steps {
    /// Handles the events of the initialisation, if there is an event mode; nothing if the FMU ends the run.
    pub fn begin(instance: &Instance, inputs: &RunInputs, time: f64, interpolates: bool) -> Result<Option<Self>> {
        let mut steps = Self { interpolates, next_event: None };
        if instance.has_event_mode()
            && let Advance::Until(_) = steps.settle(instance, inputs, time)?
        {
            return Ok(None);
        }
        Ok(Some(steps))
    }

    /// Moves the FMU from a time to another, between which the inputs do not jump.
    pub fn advance(&mut self, instance: &Instance, inputs: &RunInputs, (begin, end): (f64, f64)) -> Result<Advance> {
        let mut time = begin;
        let mut without_progress = 0;
        while time < end {
            let due = self.next_event.filter(|due| *due > time && *due < end);
            let next = due.unwrap_or(end);
            if self.interpolates {
                inputs.slope(instance, time, next)?;
            }
            let (reached, is_event) = match instance.do_step(time, next - time)? {
                StepEnd::Completed => (next, due.is_some()),
                StepEnd::Event => (next, true),
                StepEnd::Early(reached, is_event) => (reached, is_event),
                StepEnd::Ended(reached) => return Ok(Advance::Until(reached)),
            };
            without_progress = if reached > time { 0 } else { without_progress + 1 };
            ensure!(without_progress < MAX_ITERATIONS, "fmi3DoStep does not go on from {} s", number(time));
            time = reached;
            if !instance.has_event_mode() {
                inputs.apply(instance, time)?;
            } else if is_event || inputs.jump(time) {
                instance.enter_event_mode()?;
                if let Advance::Until(time) = self.settle(instance, inputs, time)? {
                    return Ok(Advance::Until(time));
                }
            } else {
                inputs.leave(instance, time)?;
            }
        }
        Ok(Advance::Completed)
    }

    /// Iterates events in event mode; then enters step mode.
    fn settle(&mut self, instance: &Instance, inputs: &RunInputs, time: f64) -> Result<Advance> {
        inputs.apply(instance, time)?;
        for _ in 0..MAX_ITERATIONS {
            let info = instance.new_discrete_states()?;
            if info.terminate_simulation == 1 {
                return Ok(Advance::Until(time));
            }
            if info.new_discrete_states_needed == 0 {
                self.next_event = (info.next_event_time_defined == 1).then_some(info.next_event_time);
                instance.enter_step_mode()?;
                return Ok(Advance::Completed);
            }
        }
        bail!("the event iteration at {} s does not converge in {MAX_ITERATIONS} iterations", number(time))
    }
}
