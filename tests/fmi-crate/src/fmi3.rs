//! FMUs of FMI 3.0 by the `fmi` crate: Co-Simulation with event mode and early return, and Model Exchange.

use std::ffi::CString;

use fmi::EventFlags;
use fmi::fmi3::import::Fmi3Import;
use fmi::fmi3::instance::InstanceME;
use fmi::fmi3::schema::{AbstractVariableTrait, ArrayableVariableTrait, Causality, Dimension, Variable};
use fmi::fmi3::{CoSimulation, Common, Fmi3Model, GetSet, ModelExchange};
use fmi::traits::FmiImport;

use crate::reading::{Experiment, call, experiment};

/// Largest number of steps: enough for what happens later in a run, and still fast.
const MAX_STEPS: usize = 200;
/// Size of a step of Euler's method in Model Exchange as a part of the communication step, since the method is for soft
/// models.
const PART: f64 = 1e-3;
/// Largest number of event iterations at one time; more are a loop without end.
const MAX_ITERATIONS: usize = 100;

/// Runs the default experiment, or the beginning of it: with event mode and early return, if the FMU has them.
pub fn co_simulation(import: &Fmi3Import, problems: &mut Vec<String>) -> Result<(), String> {
    let model = import.model_description();
    let has_events = model.co_simulation.as_ref().and_then(|interface| interface.has_event_mode).unwrap_or(false);
    let made = import.instantiate_cs(&model.model_name, false, true, has_events, has_events, &[]);
    let mut instance = call("fmi3InstantiateCoSimulation", made)?;
    let Experiment { start, stop, step, tolerance } = experiment(import);
    initialise(&mut instance, start, stop, tolerance)?;
    read_all(&mut instance, import, "after initialisation", problems)?;
    if has_events {
        settle(&mut instance)?;
        call("fmi3EnterStepMode", CoSimulation::enter_step_mode(&mut instance))?;
    }
    let (mut time, mut ends) = (start, false);
    for count in 1..=MAX_STEPS {
        let next = stop.min(start + count as f64 * step);
        // A rest that is only rounding is not a step.
        while next - time > 1e-9 * step && !ends {
            let (mut event, mut is_early, mut reached) = (false, false, 0.0);
            let stepped = instance.do_step(time, next - time, true, &mut event, &mut ends, &mut is_early, &mut reached);
            call(&format!("fmi3DoStep from {time} s to {next} s"), stepped)?;
            let is_inside = reached > time && reached <= next + 1e-9 * step;
            if !(is_inside || ends && reached == time) || is_early && !has_events && !ends {
                return Err(format!("a step from {time} s to {next} s ends at {reached} s"));
            }
            time = reached;
            if event && has_events && !ends {
                call("fmi3EnterEventMode", Common::enter_event_mode(&mut instance))?;
                settle(&mut instance)?;
                call("fmi3EnterStepMode", CoSimulation::enter_step_mode(&mut instance))?;
            }
        }
    }
    read_all(&mut instance, import, &format!("at {time} s"), problems)?;
    call("fmi3Terminate", Common::terminate(&mut instance))?;
    Ok(())
}

/// Goes through all modes in some small steps.
pub fn model_exchange(import: &Fmi3Import, problems: &mut Vec<String>) -> Result<(), String> {
    let name = &import.model_description().model_name;
    let mut instance = call("fmi3InstantiateModelExchange", import.instantiate_me(name, false, true))?;
    let Experiment { start, stop, step, tolerance } = experiment(import);
    initialise(&mut instance, start, stop, tolerance)?;
    read_all(&mut instance, import, "after initialisation", problems)?;
    let mut next_event = settle(&mut instance)?;
    enter_continuous_time_mode(&mut instance)?;
    let count = call("fmi3GetNumberOfContinuousStates", instance.get_number_of_continuous_states())?;
    let indicators = call("fmi3GetNumberOfEventIndicators", instance.get_number_of_event_indicators())?;
    let mut before = event_indicators(&mut instance, indicators)?;
    for i in 1..=MAX_STEPS {
        let time = start + i as f64 * PART * step;
        euler(&mut instance, count, time, PART * step)?;
        let (mut event, mut terminate) = (false, false);
        let completed = ModelExchange::completed_integrator_step(&mut instance, true, &mut event, &mut terminate);
        call("fmi3CompletedIntegratorStep", completed)?;
        let after = event_indicators(&mut instance, indicators)?;
        event |= before.iter().zip(&after).any(|(a, b)| (*a > 0.0) != (*b > 0.0));
        event |= next_event.is_some_and(|event| event <= time);
        before = after;
        if event {
            call("fmi3EnterEventMode", Common::enter_event_mode(&mut instance))?;
            next_event = settle(&mut instance)?;
            enter_continuous_time_mode(&mut instance)?;
            before = event_indicators(&mut instance, indicators)?;
        }
    }
    read_all(&mut instance, import, "after some steps", problems)?;
    call("fmi3Terminate", Common::terminate(&mut instance))?;
    Ok(())
}

fn initialise(instance: &mut impl Common, start: f64, stop: f64, tolerance: Option<f64>) -> Result<(), String> {
    call("fmi3EnterInitializationMode", instance.enter_initialization_mode(tolerance, start, Some(stop)))?;
    call("fmi3ExitInitializationMode", instance.exit_initialization_mode())?;
    Ok(())
}

/// Iterates events until nothing changes; returns the time of the next one.
fn settle(instance: &mut impl Common) -> Result<Option<f64>, String> {
    let mut flags = EventFlags::default();
    for _ in 0..MAX_ITERATIONS {
        call("fmi3UpdateDiscreteStates", instance.update_discrete_states(&mut flags))?;
        if !flags.discrete_states_need_update {
            return Ok(flags.next_event_time);
        }
    }
    Err(format!("the event iteration does not end in {MAX_ITERATIONS} rounds"))
}

fn enter_continuous_time_mode(instance: &mut InstanceME) -> Result<(), String> {
    call("fmi3EnterContinuousTimeMode", ModelExchange::enter_continuous_time_mode(instance)).map(drop)
}

fn euler(instance: &mut InstanceME, count: usize, time: f64, step: f64) -> Result<(), String> {
    if count == 0 {
        return call("fmi3SetTime", ModelExchange::set_time(instance, time)).map(drop);
    }
    let (mut states, mut derivatives) = (vec![0.0; count], vec![0.0; count]);
    call("fmi3GetContinuousStates", ModelExchange::get_continuous_states(instance, &mut states))?;
    let read = ModelExchange::get_continuous_state_derivatives(instance, &mut derivatives);
    call("fmi3GetContinuousStateDerivatives", read)?;
    call("fmi3SetTime", ModelExchange::set_time(instance, time))?;
    for (state, derivative) in states.iter_mut().zip(derivatives) {
        *state += step * derivative;
    }
    call("fmi3SetContinuousStates", ModelExchange::set_continuous_states(instance, &states))?;
    Ok(())
}

fn event_indicators(instance: &mut InstanceME, count: usize) -> Result<Vec<f64>, String> {
    let mut indicators = vec![0.0; count];
    if count == 0 {
        return Ok(indicators);
    }
    call("fmi3GetEventIndicators", ModelExchange::get_event_indicators(instance, &mut indicators))?;
    Ok(indicators)
}

/// Reads all variables that the crate knows, which does not know enumerations; an output that is not a finite number is a
/// problem.
fn read_all(
    instance: &mut impl GetSet,
    import: &Fmi3Import,
    when: &str,
    problems: &mut Vec<String>,
) -> Result<(), String> {
    for variable in &import.model_description().model_variables.variables {
        match variable {
            Variable::Float64(v) => {
                let mut values = vec![0.0; size(instance, v)?];
                let read = instance.get_float64(&[v.value_reference()], &mut values);
                call(&format!("fmi3GetFloat64 of `{}` {when}", v.name()), read)?;
                if v.causality() == Causality::Output && !values.iter().all(|value| value.is_finite()) {
                    problems.push(format!("output `{}` is {values:?} {when}", v.name()));
                }
            }
            Variable::Int32(v) => {
                let mut values = vec![0; size(instance, v)?];
                let read = instance.get_int32(&[v.value_reference()], &mut values);
                call(&format!("fmi3GetInt32 of `{}` {when}", v.name()), read)?;
            }
            Variable::UInt64(v) => {
                let read = instance.get_uint64(&[v.value_reference()], &mut [0]);
                call(&format!("fmi3GetUInt64 of `{}` {when}", v.name()), read)?;
            }
            Variable::Boolean(v) => {
                let read = instance.get_boolean(&[v.value_reference()], &mut [false]);
                call(&format!("fmi3GetBoolean of `{}` {when}", v.name()), read)?;
            }
            Variable::String(v) => {
                let read = instance.get_string(&[v.value_reference()], &mut [CString::default()]);
                call(&format!("fmi3GetString of `{}` {when}", v.name()), read)?;
            }
            // No FMU of this project has the other types.
            _ => {}
        }
    }
    Ok(())
}

/// Returns the number of values of a variable.
fn size(instance: &mut impl GetSet, variable: &impl ArrayableVariableTrait) -> Result<usize, String> {
    let mut size = 1;
    for dimension in variable.dimensions() {
        let mut count = [0];
        match dimension {
            Dimension::Fixed(fixed) => count = [*fixed],
            Dimension::Variable(reference) => {
                call("fmi3GetUInt64 of a dimension", instance.get_uint64(&[*reference], &mut count))?;
            }
        }
        size *= count[0] as usize;
    }
    Ok(size)
}
