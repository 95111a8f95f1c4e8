//! The functions of FMI 3.0 in C. They differ from FMI 2.0 by arrays, the logger, and calls of their own.
//!
//! # Safety
//!
//! As for [`ffi`](super::ffi). Booleans are read as bytes, since an importer in another language may pass any value.

#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::slice;
use std::sync::Arc;

use fmu_exchange::Standard;

use super::callback::Callback;
use super::ffi::{
    Texts, array, handle, instantiate_or_log, live_instance, most, one, output_slice, run, run_inlined, string,
    strings, write, zeros,
};
use crate::component::component_model::ComponentModel;
use crate::instance::arrays::{ArrayType, check_count};
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::intermediate_update::{self, StepProgress, Update};
use crate::instance::lifecycle::{Call, EventHandling, Interface};
use crate::instance::log::{self, Status};

/// `fmi3LogMessageCallback`
pub type Logger = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`
pub type IntermediateUpdate = unsafe extern "C" fn(*mut c_void, f64, bool, bool, bool, bool, *mut u8, *mut f64);

/// `fmi3Dependent`
const DEPENDENT: c_int = 5;

impl Callback<Logger> {
    fn call(&self, status: Status, category: &CStr, message: &CStr) {
        // SAFETY: the importer keeps its logger callable until the instance is freed, and the strings
        // are zero-terminated.
        unsafe { (self.function)(self.environment, status as c_int, category.as_ptr(), message.as_ptr()) };
    }
}

impl Callback<IntermediateUpdate> {
    /// Returns the time of an early return, if the importer asks for one.
    fn call(&self, update: &Update) -> Option<f64> {
        let Update { time, takes_inputs, can_return_early } = *update;
        let (mut is_requested, mut return_at) = (0, time);
        // SAFETY: the importer keeps its function callable until the instance is freed, and writes to the places of the results
        // during the call only.
        unsafe {
            (self.function)(
                self.environment, time, takes_inputs, true, true, can_return_early, &raw mut is_requested,
                &raw mut return_at,
            );
        }
        (can_return_early && is_requested != 0).then_some(return_at)
    }
}

/// Returns the request of an importer that has a function for intermediate updates.
pub(super) unsafe fn requested_updates(
    variables: *const c_uint,
    count: usize,
    may_return_early: bool,
    environment: *mut c_void,
    function: Option<IntermediateUpdate>,
) -> Option<intermediate_update::Request> {
    let callback = Callback { function: function?, environment };
    // SAFETY: an array, see above; without elements it is not defined.
    let variables = if count == 0 { Ok(Vec::new()) } else { unsafe { array(variables, count) }.map(<[u32]>::to_vec) };
    let callback = Arc::new(move |update: &Update| callback.call(update));
    Some(intermediate_update::Request { callback, variables, may_return_early })
}

/// Makes an instance; the texts are name, token and resources.
#[inline(never)]
pub unsafe fn fmi3_instantiate(
    model: fn() -> Box<dyn ComponentModel>,
    interface: Interface,
    events: EventHandling,
    texts: [*const c_char; 3],
    logging_on: u8,
    environment: *mut c_void,
    logger: Option<Logger>,
    updates: Option<intermediate_update::Request>,
) -> *mut c_void {
    // SAFETY: strings, see there.
    let [name, guid, location] = texts.map(|text| unsafe { string(text) });
    let logger: Option<log::Logger> = logger.map(|logger| {
        let callback = Callback { function: logger, environment };
        Arc::new(move |_: &CStr, status, category: &CStr, text: &CStr| callback.call(status, category, text)) as _
    });
    instantiate_or_log(
        model,
        Standard::Fmi3,
        Some(interface),
        events,
        Texts { name, guid, location },
        logger,
        logging_on != 0,
        updates,
    )
}

/// `fmi3InstantiateScheduledExecution`, an interface that no FMU of this project has
pub unsafe fn fmi3_refuse(environment: *mut c_void, logger: Option<Logger>) -> *mut c_void {
    if let Some(function) = logger {
        let message = c"fmi3InstantiateScheduledExecution: only Model Exchange and Co-Simulation are supported";
        Callback { function, environment }.call(Status::Error, c"logStatusError", message);
    }
    std::ptr::null_mut()
}

/// Returns the instance, if it is one of FMI 3.0, with the variables; none where an array is NULL or too long.
#[inline(always)]
unsafe fn plain<'a>(
    component: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *const f64,
    size: usize,
) -> Option<(&'a mut Instance, &'a [u32])> {
    let is_there = !(references.is_null() || values.is_null() || count > most::<c_uint>() || size > most::<f64>());
    // SAFETY: the component is passed on, and the array is used where it is not NULL, see above.
    unsafe {
        let instance = live_instance(component)?;
        (is_there && instance.standard == Standard::Fmi3).then(|| (instance, slice::from_raw_parts(references, count)))
    }
}

/// Runs `fmi3GetFloat64` where all values are computed and exist; false means that it has to be done again.
#[inline(always)]
unsafe fn try_get_cached_floats(
    component: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *mut f64,
    size: usize,
) -> bool {
    // SAFETY: all is passed on; `plain` refuses NULL as the array, see above.
    unsafe {
        plain(component, references, count, values, size).is_some_and(|(instance, references)| {
            instance.try_get_cached_floats(references, slice::from_raw_parts_mut(values.cast(), size))
        })
    }
}

/// Runs `fmi3SetFloat64` where all values may be set without further checks; false means that nothing is done yet.
#[inline(always)]
unsafe fn try_set_floats_fast(
    component: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *const f64,
    size: usize,
) -> bool {
    // SAFETY: as for getting.
    unsafe {
        plain(component, references, count, values, size).is_some_and(|(instance, references)| {
            instance.try_set_floats_fast(references, slice::from_raw_parts(values, size))
        })
    }
}

/// Runs `fmi3DoStep` for an importer that is called inside steps; returns none for any other importer.
#[inline(always)]
unsafe fn step_in_parts(
    component: *mut c_void,
    point: f64,
    h: f64,
    _no_set_state_prior: u8,
    event_needed: *mut bool,
    terminate: *mut bool,
    is_early: *mut bool,
    last_successful_time: *mut f64,
) -> Option<c_int> {
    // SAFETY: all is passed on; nothing of the instance is borrowed any more then.
    unsafe {
        let callback = live_instance(component)?.updates.as_ref()?.callback.clone();
        let results = (event_needed, terminate, is_early, last_successful_time);
        Some(step_in_segments(component, StepProgress::new(point, h), &callback, results))
    }
}

/// Makes the segments of a step and calls the importer after each, while nothing of the instance is borrowed: the
/// importer calls functions of this instance, and may free it.
#[cold]
#[inline(never)]
unsafe fn step_in_segments(
    component: *mut c_void,
    mut progress: StepProgress,
    callback: &intermediate_update::Callback,
    results: (*mut bool, *mut bool, *mut bool, *mut f64),
) -> c_int {
    // SAFETY: the component is passed on.
    unsafe {
        loop {
            let mut update = None;
            let status = run(component, Call::fmi3DoStep, &mut |instance| {
                update = Some(instance.step_segment(&mut progress)?);
                Ok(())
            });
            let Some(update) = update else { return status };
            let return_at = callback(&update);
            // After an error inside, or without the instance, there is nothing to go on with.
            let Some(instance) = live_instance(component).filter(|instance| instance.is_updating()) else {
                return Status::Error as c_int;
            };
            instance.end_update(&mut progress, return_at);
            if let Some(is_event) = progress.ended() {
                return run(component, Call::fmi3DoStep, &mut |instance| {
                    write_step(instance, is_event, progress.is_early(instance.time), results)
                });
            }
        }
    }
}

/// Returns the nearest values that items of enumerations can have: there are none beyond these, so they are refused as well.
pub(super) fn nearest_integers(values: &[i64]) -> Vec<i32> {
    values.iter().map(|value| (*value).clamp(i32::MIN.into(), i32::MAX.into()) as i32).collect()
}

/// Writes the results of a step.
#[inline(always)]
unsafe fn write_step(
    instance: &Instance,
    is_event: bool,
    is_early: bool,
    (event_needed, terminate, early_return, last_successful_time): (*mut bool, *mut bool, *mut bool, *mut f64),
) -> Outcome {
    // SAFETY: pointers to results are NULL or valid.
    unsafe {
        one(event_needed)?.write(is_event);
        one(terminate)?.write(false);
        one(early_return)?.write(is_early);
        one(last_successful_time)?.write(instance.time);
    }
    Ok(())
}

calls! { fmi3, shims_of_fmi3,
    outlined fmi3_set_debug_logging(on: u8, count: usize, categories: *const *const c_char) = fmi3SetDebugLogging |instance| {
        let categories = strings(categories, count)?;
        let categories: Vec<_> = categories.iter().map(AsRef::as_ref).collect();
        instance.set_debug_logging(on != 0, &categories)
    }
    outlined fmi3_enter_initialization_mode(tolerance_defined: u8, tolerance: f64, start: f64, stop_defined: u8, stop: f64)
        = fmi3EnterInitializationMode |instance| {
        instance.setup_experiment((tolerance_defined != 0).then_some(tolerance), start, (stop_defined != 0).then_some(stop))?;
        instance.enter_initialization_mode()
    }
    outlined fmi3_exit_initialization_mode() = fmi3ExitInitializationMode |instance| { instance.exit_initialization_mode() }
    outlined fmi3_terminate() = fmi3Terminate |instance| { instance.terminate() }
    outlined fmi3_reset() = fmi3Reset |instance| { instance.reset() }

    fast_path(try_get_cached_floats) fmi3_get_float64(references: *const c_uint, count: usize, values: *mut f64, size: usize)
        = fmi3GetFloat64 |instance| {
        let output = output_slice(values, size)?;
        instance.get_floats(array(references, count)?, size, || zeros(output))
    }
    outlined fmi3_get_int32(references: *const c_uint, count: usize, values: *mut i32, size: usize) = fmi3GetInt32 |instance| {
        let output = output_slice(values, size)?;
        write(output, instance.get_integer(ArrayType::Int32, array(references, count)?, size)?);
        Ok(())
    }
    outlined fmi3_get_int64(references: *const c_uint, count: usize, values: *mut i64, size: usize) = fmi3GetInt64 |instance| {
        let output = output_slice(values, size)?;
        write(output, instance.get_integer(ArrayType::Enumeration, array(references, count)?, size)?.map(i64::from));
        Ok(())
    }
    outlined fmi3_get_boolean(references: *const c_uint, count: usize, values: *mut bool, size: usize) = fmi3GetBoolean |instance| {
        let output = output_slice(values, size)?;
        write(output, instance.get_boolean(array(references, count)?, size)?);
        Ok(())
    }
    outlined fmi3_get_string(references: *const c_uint, count: usize, values: *mut *const c_char, size: usize)
        = fmi3GetString |instance| {
        let output = output_slice(values, size)?;
        write(output, instance.get_string(array(references, count)?, size)?.iter().map(|string| string.as_ptr()));
        Ok(())
    }
    fast_path(try_set_floats_fast) fmi3_set_float64(references: *const c_uint, count: usize, values: *const f64, size: usize)
        = fmi3SetFloat64 |instance| {
        instance.set_real(array(references, count)?, array(values, size)?)
    }
    outlined fmi3_set_int32(references: *const c_uint, count: usize, values: *const i32, size: usize) = fmi3SetInt32 |instance| {
        instance.set_integer(ArrayType::Int32, array(references, count)?, array(values, size)?)
    }
    outlined fmi3_set_int64(references: *const c_uint, count: usize, values: *const i64, size: usize) = fmi3SetInt64 |instance| {
        let references = array(references, count)?;
        // Other numbers of values are refused before memory for as many is asked for.
        instance.elements_of(ArrayType::Enumeration, references, size)?;
        instance.set_integer(ArrayType::Enumeration, references, &nearest_integers(array(values, size)?))
    }
    outlined fmi3_set_boolean(references: *const c_uint, count: usize, values: *const u8, size: usize) = fmi3SetBoolean |instance| {
        check_count(count, size)?;
        let values: Vec<_> = array(values, size)?.iter().map(|value| i32::from(*value)).collect();
        instance.set_boolean(array(references, count)?, &values)
    }
    outlined fmi3_set_string(references: *const c_uint, count: usize, values: *const *const c_char, size: usize)
        = fmi3SetString |instance| {
        check_count(count, size)?;
        let values = strings(values, size)?;
        if values.iter().any(|value| matches!(value, Cow::Owned(_))) {
            instance.warn("a string is not UTF-8; invalid bytes were replaced");
        }
        let values: Vec<_> = values.into_iter().map(Cow::into_owned).collect();
        instance.set_string(array(references, count)?, &values)
    }

    outlined fmi3_get_float32(references: *const c_uint, count: usize, values: *mut c_void, size: usize)
        = fmi3GetFloat32 |instance| { instance.no_variables("Float32", count) }
    outlined fmi3_set_float32(references: *const c_uint, count: usize, values: *const c_void, size: usize)
        = fmi3SetFloat32 |instance| { instance.no_variables("Float32", count) }
    outlined fmi3_get_int8(references: *const c_uint, count: usize, values: *mut c_void, size: usize)
        = fmi3GetInt8 |instance| { instance.no_variables("Int8", count) }
    outlined fmi3_set_int8(references: *const c_uint, count: usize, values: *const c_void, size: usize)
        = fmi3SetInt8 |instance| { instance.no_variables("Int8", count) }
    outlined fmi3_get_uint8(references: *const c_uint, count: usize, values: *mut c_void, size: usize)
        = fmi3GetUInt8 |instance| { instance.no_variables("UInt8", count) }
    outlined fmi3_set_uint8(references: *const c_uint, count: usize, values: *const c_void, size: usize)
        = fmi3SetUInt8 |instance| { instance.no_variables("UInt8", count) }
    outlined fmi3_get_int16(references: *const c_uint, count: usize, values: *mut c_void, size: usize)
        = fmi3GetInt16 |instance| { instance.no_variables("Int16", count) }
    outlined fmi3_set_int16(references: *const c_uint, count: usize, values: *const c_void, size: usize)
        = fmi3SetInt16 |instance| { instance.no_variables("Int16", count) }
    outlined fmi3_get_uint16(references: *const c_uint, count: usize, values: *mut c_void, size: usize)
        = fmi3GetUInt16 |instance| { instance.no_variables("UInt16", count) }
    outlined fmi3_set_uint16(references: *const c_uint, count: usize, values: *const c_void, size: usize)
        = fmi3SetUInt16 |instance| { instance.no_variables("UInt16", count) }
    outlined fmi3_get_uint32(references: *const c_uint, count: usize, values: *mut c_void, size: usize)
        = fmi3GetUInt32 |instance| { instance.no_variables("UInt32", count) }
    outlined fmi3_set_uint32(references: *const c_uint, count: usize, values: *const c_void, size: usize)
        = fmi3SetUInt32 |instance| { instance.no_variables("UInt32", count) }
    outlined fmi3_get_uint64(references: *const c_uint, count: usize, values: *mut u64, size: usize)
        = fmi3GetUInt64 |instance| {
        let output = output_slice(values, size)?;
        write(output, instance.get_rows(array(references, count)?, size)?);
        Ok(())
    }
    outlined fmi3_set_uint64(references: *const c_uint, count: usize, values: *const u64, size: usize)
        = fmi3SetUInt64 |instance| {
        instance.set_rows(array(references, count)?, array(values, size)?)
    }
    outlined fmi3_get_binary(references: *const c_uint, count: usize, sizes: *mut usize, values: *mut c_void,
        size: usize)
        = fmi3GetBinary |instance| { instance.no_variables("Binary", count) }
    outlined fmi3_get_clock(references: *const c_uint, count: usize, values: *mut c_void)
        = fmi3GetClock |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_set_binary(references: *const c_uint, count: usize, sizes: *const usize, values: *const c_void,
        size: usize)
        = fmi3SetBinary |instance| { instance.no_variables("Binary", count) }
    outlined fmi3_set_clock(references: *const c_uint, count: usize, values: *const c_void)
        = fmi3SetClock |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_get_interval_decimal(references: *const c_uint, count: usize, intervals: *mut f64,
        qualifiers: *mut c_int)
        = fmi3GetIntervalDecimal |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_get_interval_fraction(references: *const c_uint, count: usize, counters: *mut u64,
        resolutions: *mut u64, qualifiers: *mut c_int)
        = fmi3GetIntervalFraction |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_get_shift_decimal(references: *const c_uint, count: usize, shifts: *mut f64)
        = fmi3GetShiftDecimal |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_get_shift_fraction(references: *const c_uint, count: usize, counters: *mut u64, resolutions: *mut u64)
        = fmi3GetShiftFraction |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_set_interval_decimal(references: *const c_uint, count: usize, intervals: *const f64)
        = fmi3SetIntervalDecimal |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_set_interval_fraction(references: *const c_uint, count: usize, counters: *const u64,
        resolutions: *const u64)
        = fmi3SetIntervalFraction |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_set_shift_decimal(references: *const c_uint, count: usize, shifts: *const f64)
        = fmi3SetShiftDecimal |instance| { instance.no_variables("Clock", count) }
    outlined fmi3_set_shift_fraction(references: *const c_uint, count: usize, counters: *const u64,
        resolutions: *const u64)
        = fmi3SetShiftFraction |instance| { instance.no_variables("Clock", count) }

    inlined fmi3_get_fmu_state(state: *mut *mut c_void) = fmi3GetFMUState |instance| {
        let state = handle(state)?;
        *state = instance.get_fmu_state(*state as usize)? as *mut c_void;
        Ok(())
    }
    inlined fmi3_set_fmu_state(state: *mut c_void) = fmi3SetFMUState |instance| { instance.set_fmu_state(state as usize) }
    outlined fmi3_free_fmu_state(state: *mut *mut c_void) = fmi3FreeFMUState |instance| {
        let Some(state) = state.as_mut() else { return Ok(()) };
        instance.free_fmu_state(*state as usize)?;
        *state = std::ptr::null_mut();
        Ok(())
    }
    outlined fmi3_serialized_fmu_state_size(state: *mut c_void, size: *mut usize) = fmi3SerializedFMUStateSize |instance| {
        one(size)?.write(instance.serialize_fmu_state(state as usize)?.len());
        Ok(())
    }
    outlined fmi3_serialize_fmu_state(state: *mut c_void, bytes: *mut u8, size: usize) = fmi3SerializeFMUState |instance| {
        write(output_slice(bytes, size)?, instance.serialize_into(state as usize, size)?);
        Ok(())
    }
    outlined fmi3_deserialize_fmu_state(bytes: *const u8, size: usize, state: *mut *mut c_void)
        = fmi3DeserializeFMUState |instance| {
        let state = one(state)?;
        state.write(instance.deserialize_fmu_state(array(bytes, size)?)? as *mut c_void);
        Ok(())
    }
    outlined fmi3_get_directional_derivative(
        unknowns: *const c_uint, unknown_count: usize, knowns: *const c_uint, known_count: usize,
        seeds: *const f64, seed_count: usize, result: *mut f64, result_count: usize
    ) = fmi3GetDirectionalDerivative |instance| {
        let (unknowns, knowns) = (array(unknowns, unknown_count)?, array(knowns, known_count)?);
        let (seeds, output) = (array(seeds, seed_count)?, output_slice(result, result_count)?);
        write(output, instance.directional_derivative(unknowns, knowns, seeds, result_count)?);
        Ok(())
    }
    outlined fmi3_get_adjoint_derivative(
        unknowns: *const c_uint, unknown_count: usize, knowns: *const c_uint, known_count: usize,
        seeds: *const f64, seed_count: usize, result: *mut f64, result_count: usize
    ) = fmi3GetAdjointDerivative |instance| {
        let (unknowns, knowns) = (array(unknowns, unknown_count)?, array(knowns, known_count)?);
        let (seeds, output) = (array(seeds, seed_count)?, output_slice(result, result_count)?);
        write(output, instance.adjoint_derivative(unknowns, knowns, seeds, result_count)?);
        Ok(())
    }
    outlined fmi3_get_number_of_variable_dependencies(reference: c_uint, count: *mut usize)
        = fmi3GetNumberOfVariableDependencies |instance| {
        one(count)?.write(instance.variable_dependencies(reference)?.len());
        Ok(())
    }
    outlined fmi3_get_variable_dependencies(
        dependent: c_uint, elements: *mut usize, independents: *mut c_uint, independent_elements: *mut usize,
        kinds: *mut c_int, count: usize
    ) = fmi3GetVariableDependencies |instance| {
        let all = instance.variable_dependencies(dependent)?;
        check_count(all.len(), count)?;
        write(output_slice(elements, count)?, all.iter().map(|one| one.element));
        write(output_slice(independents, count)?, all.iter().map(|one| one.independent));
        write(output_slice(independent_elements, count)?, all.iter().map(|one| one.independent_element));
        write(output_slice(kinds, count)?, all.iter().map(|_| DEPENDENT));
        Ok(())
    }
    outlined fmi3_enter_configuration_mode() = fmi3EnterConfigurationMode |instance| { instance.enter_configuration_mode() }
    outlined fmi3_exit_configuration_mode() = fmi3ExitConfigurationMode |instance| { instance.exit_configuration_mode() }

    outlined fmi3_enter_step_mode() = fmi3EnterStepMode |instance| { instance.enter_step_mode() }
    outlined fmi3_get_output_derivatives(
        references: *const c_uint, count: usize, orders: *const c_int, values: *mut f64, size: usize
    ) = fmi3GetOutputDerivatives |instance| {
        let output = output_slice(values, size)?;
        write(output, instance.get_output_derivatives(array(references, count)?, array(orders, count)?, size)?);
        Ok(())
    }
    special_case(step_in_parts) fmi3_do_step(
        point: f64, h: f64, no_set_state_prior: u8, event_needed: *mut bool, terminate: *mut bool, is_early: *mut bool,
        last_successful_time: *mut f64
    ) = fmi3DoStep |instance| {
        let is_event = instance.do_step(point, h)?;
        let results = (event_needed, terminate, is_early, last_successful_time);
        write_step(instance, is_event, instance.time < point + h, results)
    }
    outlined fmi3_activate_model_partition(clock: c_uint, time: f64) = fmi3ActivateModelPartition |instance| { Ok(()) }

    outlined fmi3_enter_event_mode() = fmi3EnterEventMode |instance| { instance.enter_event_mode() }
    outlined fmi3_evaluate_discrete_states() = fmi3EvaluateDiscreteStates |instance| {
        not_provided("providesEvaluateDiscreteStates")
    }
    outlined fmi3_update_discrete_states(
        again: *mut bool, terminate: *mut bool, nominals_changed: *mut bool, states_changed: *mut bool,
        next_defined: *mut bool, next: *mut f64
    ) = fmi3UpdateDiscreteStates |instance| {
        let event = instance.new_discrete_states()?;
        one(again)?.write(event.again);
        one(terminate)?.write(false);
        one(nominals_changed)?.write(false);
        one(states_changed)?.write(event.states_changed);
        one(next_defined)?.write(event.next_time.is_some());
        one(next)?.write(event.next_time.unwrap_or_default());
        Ok(())
    }
    outlined fmi3_enter_continuous_time_mode() = fmi3EnterContinuousTimeMode |instance| { instance.enter_continuous_time_mode() }
    outlined fmi3_completed_integrator_step(no_set_state_prior: u8, enter_event_mode: *mut bool, terminate: *mut bool)
        = fmi3CompletedIntegratorStep |instance| {
        one(enter_event_mode)?.write(false);
        one(terminate)?.write(false);
        let asks_for_event = instance.completed_integrator_step()?;
        one(enter_event_mode)?.write(asks_for_event);
        Ok(())
    }
    outlined fmi3_set_time(time: f64) = fmi3SetTime |instance| { instance.set_time(time) }
    outlined fmi3_set_continuous_states(states: *const f64, count: usize) = fmi3SetContinuousStates |instance| {
        instance.set_continuous_states(array(states, count)?)
    }
    outlined fmi3_get_continuous_state_derivatives(derivatives: *mut f64, count: usize)
        = fmi3GetContinuousStateDerivatives |instance| {
        let output = output_slice(derivatives, count)?;
        write(output, instance.get_derivatives(count)?);
        Ok(())
    }
    outlined fmi3_get_event_indicators(indicators: *mut f64, count: usize) = fmi3GetEventIndicators |instance| {
        let output = output_slice(indicators, count)?;
        instance.check_indicators(count)?;
        instance.get_event_indicators(zeros(output))
    }
    outlined fmi3_get_continuous_states(states: *mut f64, count: usize) = fmi3GetContinuousStates |instance| {
        let output = output_slice(states, count)?;
        write(output, instance.get_continuous_states(count)?);
        Ok(())
    }
    outlined fmi3_get_nominals(nominals: *mut f64, count: usize) = fmi3GetNominalsOfContinuousStates |instance| {
        let output = output_slice(nominals, count)?;
        write(output, instance.get_nominals(count)?);
        Ok(())
    }
    outlined fmi3_get_number_of_continuous_states(count: *mut usize) = fmi3GetNumberOfContinuousStates |instance| {
        one(count)?.write(instance.layout.states.len());
        Ok(())
    }
    outlined fmi3_get_number_of_event_indicators(count: *mut usize) = fmi3GetNumberOfEventIndicators |instance| {
        one(count)?.write(instance.model.indicator_count());
        Ok(())
    }
    outlined mechanics3_sensitivity(
        unknowns: *const c_uint, unknown_count: usize, knowns: *const c_uint, known_count: usize,
        seeds: *const f64, seed_count: usize, derivatives: *mut f64, derivative_count: usize,
        indicators: *mut f64, indicator_count: usize
    ) = mechanics3_sensitivity |instance| {
        let (unknowns, knowns) = (array(unknowns, unknown_count)?, array(knowns, known_count)?);
        let (seeds, derivatives) = (array(seeds, seed_count)?, output_slice(derivatives, derivative_count)?);
        let indicators = output_slice(indicators, indicator_count)?;
        instance.sensitivity(unknowns, knowns, seeds, derivatives, indicators)
    }
}

/// A function that the description does not offer.
pub(super) fn not_provided(capability: &str) -> Result<(), CallError> {
    Err(CallError::error(format!("the FMU does not have the capability {capability}")))
}
