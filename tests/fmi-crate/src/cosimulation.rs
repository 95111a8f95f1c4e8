//! Co-Simulation by the `fmi` crate.

use fmi::fmi2::Fmi2Error;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, InstanceCS};
use fmi::traits::{FmiImport, FmiInstance};

use crate::reading::{Experiment, call, experiment, read_all};

/// Largest number of steps: enough for what happens later in a run, and still fast.
const MAX_STEPS: usize = 1000;

/// Runs the default experiment twice on one instance; both runs must have the same results.
pub fn run(import: &Fmi2Import, problems: &mut Vec<String>) -> Result<(), String> {
    let name = &import.model_description().model_name;
    let mut instance = call("fmi2Instantiate", import.instantiate_cs(name, false, true))?;
    let first = experiment_of(&mut instance, import, problems)?;
    call("fmi2Reset", FmiInstance::reset(&mut instance))?;
    let again = experiment_of(&mut instance, import, &mut Vec::new())?;
    if again != first {
        problems.push("the same run gives different outputs after fmi2Reset".to_owned());
    }
    Ok(())
}

fn experiment_of(
    instance: &mut InstanceCS,
    import: &Fmi2Import,
    problems: &mut Vec<String>,
) -> Result<Vec<u64>, String> {
    let Experiment { start, stop, step, tolerance } = experiment(import);
    let initialised = FmiInstance::enter_initialization_mode(instance, tolerance, start, Some(stop));
    call("fmi2EnterInitializationMode", initialised)?;
    let initialised = FmiInstance::exit_initialization_mode(instance);
    call("fmi2ExitInitializationMode", initialised)?;
    read_all(instance, import, "after initialisation", problems)?;
    let interface = import.model_description().co_simulation.as_ref();
    let varies = interface.and_then(|it| it.can_handle_variable_communication_step_size).unwrap_or(false);
    let mut time = start;
    for count in 1..=MAX_STEPS {
        let next = start + count as f64 * step;
        let next = if varies { stop.min(next) } else { next };
        // A rest that is only rounding is not a step; nor is a shorter one, for some FMUs.
        if next - time < 1e-9 * step || next > stop + 1e-9 * step {
            break;
        }
        let stepped = instance.do_step(time, next - time, true);
        if let Err(Fmi2Error::Discard) = stepped
            && instance.terminated().unwrap_or(false)
        {
            return read_all(instance, import, &format!("after the FMU ended the run from {time} s on"), problems);
        }
        call(&format!("fmi2DoStep from {time} s to {next} s"), stepped)?;
        time = next;
    }
    let outputs = read_all(instance, import, &format!("at {time} s"), problems)?;
    call("fmi2Terminate", FmiInstance::terminate(instance))?;
    Ok(outputs)
}
