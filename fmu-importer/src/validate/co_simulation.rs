//! A run in Co-Simulation.

use anyhow::{Context, Result};

use super::reading::{Experiment, experiment, initialise, read_all};
use crate::load::{Instance, StepEnd};

/// Largest number of steps: enough for what happens later in a run, and still fast.
const MAX_STEPS: usize = 1000;

/// Runs the default experiment twice on one instance; both runs must have the same results.
pub fn run(instance: &Instance, problem: &mut impl FnMut(String)) -> Result<()> {
    let first = experiment_of(instance, problem)?;
    instance.reset()?;
    let again = experiment_of(instance, &mut |_| ())?;
    if again != first {
        let reset = instance.name(["fmi2Reset", "fmi3Reset"]);
        problem(format!("the same run gives different outputs after {reset}"));
    }
    Ok(())
}

fn experiment_of(instance: &Instance, problem: &mut impl FnMut(String)) -> Result<Vec<u64>> {
    let experiment = experiment(instance.model());
    let Experiment { start, stop, step, .. } = experiment;
    initialise(instance, &experiment)?;
    read_all(instance, "after initialisation", problem)?;
    let mut time = start;
    let mut ended = false;
    for count in 1..=MAX_STEPS {
        let next = start + count as f64 * step;
        // The last step may be shorter, and some FMUs have steps of one size; so it is left out.
        if next > stop + 1e-9 * step {
            break;
        }
        let end = instance.do_step(time, next - time).with_context(|| format!("from {time} s to {next} s"))?;
        if let StepEnd::Ended(end) = end {
            time = end;
            ended = true;
            break;
        }
        time = next;
    }
    let outputs = read_all(instance, &format!("at {time} s"), problem)?;
    if !ended {
        instance.terminate()?;
    }
    Ok(outputs)
}
