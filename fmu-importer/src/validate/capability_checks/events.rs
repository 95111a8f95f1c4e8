//! Test of the event mode of Co-Simulation in FMI 3.0: with it, and with early return, about the same values are
//! reached.

use anyhow::{Result, bail};

use super::probe::{Run, difference, values};
use super::steps::COARSE_SOLVER_TOLERANCE;
use crate::load::{Instance, Loaded, StepEnd};
use crate::simulate::model_exchange::MAX_ITERATIONS;
use crate::validate::finding::Finding;
use crate::validate::reading::{experiment, initialise};

/// Number of steps of a run.
const STEPS: usize = 20;

pub fn check(loaded: &Loaded) -> Result<Option<Finding>> {
    let plain = Instance::new(loaded)?;
    let Some(mut run) = Run::begin(loaded, &plain)? else { return Ok(None) };
    if !run.proceed(&plain, 1..=STEPS)? {
        return Ok(None);
    }
    let expected = values(&plain)?;
    // There may be no other instance at the same time.
    drop(plain);
    let instance = Instance::with_event_mode(loaded)?;
    initialise(&instance, &experiment(loaded.model()))?;
    if !settle(&instance)? {
        return Ok(None);
    }
    for count in 1..=STEPS {
        let mut time = run.time((count - 1) as f64);
        let end = run.time(count as f64);
        let mut returns = 0;
        while time < end {
            let (reached, is_event) = match instance.do_step(time, end - time)? {
                StepEnd::Completed => (end, false),
                StepEnd::Event => (end, true),
                StepEnd::Early(reached, is_event) => {
                    if !loaded.flag("mightReturnEarlyFromDoStep") {
                        return Ok(Some(unclaimed_return(reached)));
                    }
                    (reached, is_event)
                }
                StepEnd::Ended(_) => return Ok(None),
            };
            returns += 1;
            if returns > MAX_ITERATIONS {
                bail!("fmi3DoStep returns early more than {MAX_ITERATIONS} times between two communication points");
            }
            time = reached;
            if is_event {
                instance.enter_event_mode()?;
                if !settle(&instance)? {
                    return Ok(None);
                }
            }
        }
    }
    let differs = difference(loaded, &values(&instance)?, &expected, COARSE_SOLVER_TOLERANCE);
    Ok(differs.map(|text| Finding::warning(format!("with event mode {text}"))))
}

/// The finding that a step ends early at a time in s, which the importer did not ask for.
pub fn unclaimed_return(reached: f64) -> Finding {
    Finding::error(format!("fmi3DoStep returns early at {reached} s, but mightReturnEarlyFromDoStep is false"))
}

/// Iterates events until nothing changes, then enters Step Mode; returns true if the FMU lets the run go on.
fn settle(instance: &Instance) -> Result<bool> {
    for _ in 0..MAX_ITERATIONS {
        let info = instance.new_discrete_states()?;
        if info.terminate_simulation == 1 {
            return Ok(false);
        }
        if info.new_discrete_states_needed == 0 {
            instance.enter_step_mode()?;
            return Ok(true);
        }
    }
    bail!("the event iteration does not end in {MAX_ITERATIONS} rounds");
}
