//! Model Exchange by the `fmi` crate.

use fmi::EventFlags;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{InstanceME, ModelExchange};
use fmi::traits::{FmiImport, FmiInstance};

use crate::reading::{Experiment, call, experiment, read_all};

/// Number of steps of the explicit Euler method.
const STEPS: usize = 100;
/// Size of the steps as a part of the communication step: small, since the method is for soft models.
const PART: f64 = 1e-3;
/// Largest number of event iterations at one time; more are a loop without end.
const MAX_ITERATIONS: usize = 100;

/// Goes through all modes in some small steps.
pub fn run(import: &Fmi2Import, problems: &mut Vec<String>) -> Result<(), String> {
    let model = import.model_description();
    let mut instance = call("fmi2Instantiate", import.instantiate_me(&model.model_name, false, true))?;
    let Experiment { start, stop, step, tolerance } = experiment(import);
    let initialised = FmiInstance::enter_initialization_mode(&mut instance, tolerance, start, Some(stop));
    call("fmi2EnterInitializationMode", initialised)?;
    let initialised = FmiInstance::exit_initialization_mode(&mut instance);
    call("fmi2ExitInitializationMode", initialised)?;
    read_all(&mut instance, import, "after initialisation", problems)?;
    let (mut next_event, mut ends) = settle(&mut instance)?;
    let states = model.model_structure.derivatives.unknowns.len();
    let indicators = model.number_of_event_indicators.unwrap_or(0) as usize;
    let mut before = event_indicators(&mut instance, indicators)?;
    for count in 1..=STEPS {
        if ends {
            break;
        }
        let time = start + count as f64 * PART * step;
        euler(&mut instance, states, time, PART * step)?;
        let (mut event, mut terminate) = (false, false);
        let completed = ModelExchange::completed_integrator_step(&mut instance, true, &mut event, &mut terminate);
        call("fmi2CompletedIntegratorStep", completed)?;
        let after = event_indicators(&mut instance, indicators)?;
        event |= before.iter().zip(&after).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        event |= next_event.is_some_and(|event| event <= time);
        before = after;
        if terminate {
            break;
        }
        if event {
            let entered = ModelExchange::enter_event_mode(&mut instance);
            call("fmi2EnterEventMode", entered)?;
            (next_event, ends) = settle(&mut instance)?;
            before = event_indicators(&mut instance, indicators)?;
        }
    }
    read_all(&mut instance, import, "after some steps", problems)?;
    call("fmi2Terminate", FmiInstance::terminate(&mut instance))?;
    Ok(())
}

/// Iterates events until nothing changes, then enters Continuous-Time Mode; returns the time of the next event, and
/// true if the FMU ends the run.
fn settle(instance: &mut InstanceME) -> Result<(Option<f64>, bool), String> {
    let mut flags = EventFlags::default();
    for _ in 0..MAX_ITERATIONS {
        let updated = instance.new_discrete_states(&mut flags);
        call("fmi2NewDiscreteStates", updated)?;
        if flags.terminate_simulation {
            return Ok((None, true));
        }
        if !flags.discrete_states_need_update {
            let entered = ModelExchange::enter_continuous_time_mode(instance);
            call("fmi2EnterContinuousTimeMode", entered)?;
            return Ok((flags.next_event_time, false));
        }
    }
    Err(format!("the event iteration does not end in {MAX_ITERATIONS} rounds"))
}

fn euler(instance: &mut InstanceME, count: usize, time: f64, step: f64) -> Result<(), String> {
    // Some FMUs cannot be asked for states that they do not have.
    if count == 0 {
        call("fmi2SetTime", ModelExchange::set_time(instance, time))?;
        return Ok(());
    }
    let (mut states, mut derivatives) = (vec![0.0; count], vec![0.0; count]);
    let read = ModelExchange::get_continuous_states(instance, &mut states);
    call("fmi2GetContinuousStates", read)?;
    call("fmi2GetDerivatives", instance.get_derivatives(&mut derivatives))?;
    let mut nominals = vec![0.0; count];
    let read = ModelExchange::get_nominals_of_continuous_states(instance, &mut nominals);
    call("fmi2GetNominalsOfContinuousStates", read)?;
    call("fmi2SetTime", ModelExchange::set_time(instance, time))?;
    for (state, derivative) in states.iter_mut().zip(derivatives) {
        *state += step * derivative;
    }
    let set = ModelExchange::set_continuous_states(instance, &states);
    call("fmi2SetContinuousStates", set)?;
    Ok(())
}

fn event_indicators(instance: &mut InstanceME, count: usize) -> Result<Vec<f64>, String> {
    let mut indicators = vec![0.0; count];
    if count == 0 {
        return Ok(indicators);
    }
    let read = ModelExchange::get_event_indicators(instance, &mut indicators);
    call("fmi2GetEventIndicators", read)?;
    Ok(indicators)
}
