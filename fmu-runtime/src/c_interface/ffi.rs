//! The C boundary: pointers become slices and strings, and panics become `fmi2Error`. The functions of FMI 2.0 follow.
//!
//! All `unsafe` of the runtime is in this folder. The functions here are called by the shims of
//! [`export!`](crate::export!), and by the fuzz targets.
//!
//! The shims are compiled with the component, for speed, while the runtime is compiled for size.
//! Only the common case of getting and setting Reals, of a step, and of saving and restoring the
//! state is inlined into them, since importers call these functions most often.
//!
//! # Safety
//!
//! Every function relies on the guarantees of FMI for its arguments: a component is NULL or was
//! instantiated by this library, freed or not; an array is NULL or has as many
//! elements as its count says; a string is NULL or zero-terminated. The memory that a call writes to
//! does not overlap with other memory that it reads or writes.

#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]

use std::any::Any;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{ptr, slice};

use fmu_exchange::{DECLARES, DeclarationRequest, Detail, INTERFACE_VERSION, NO_DECLARATION, Standard};

use crate::c_interface::callback::Callback;
use crate::c_interface::own_library::own_library;
use crate::c_interface::panics;
use crate::component::component_model::ComponentModel;
use crate::component::declaration::declaration;
use crate::component::equations::Diagnostics;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::co_simulation::StatusKind;
use crate::instance::instance::Instance;
use crate::instance::instantiate::{Request, instantiate};
use crate::instance::intermediate_update;
use crate::instance::lifecycle::{Call, EventHandling, Interface};
use crate::instance::log::{self, Status};

/// `fmi2CallbackLogger`
pub type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);
/// Receives the result of `mechanics_declare`.
pub type DescribeCallback = unsafe extern "C" fn(*mut c_void, *const c_char, usize);

/// `fmi2CallbackFunctions`
#[repr(C)]
pub struct CallbackFunctions {
    logger: Option<Logger>,
    allocate_memory: Option<unsafe extern "C" fn(usize, usize) -> *mut c_void>,
    free_memory: Option<unsafe extern "C" fn(*mut c_void)>,
    step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    component_environment: *mut c_void,
}

/// `fmi2EventInfo`
#[repr(C)]
#[allow(missing_docs)]
pub struct EventInfo {
    pub new_discrete_states_needed: c_int,
    pub terminate_simulation: c_int,
    pub nominals_of_continuous_states_changed: c_int,
    pub values_of_continuous_states_changed: c_int,
    pub next_event_time_defined: c_int,
    pub next_event_time: f64,
}

const _: fn() = || {
    fn is_send<T: Send>() {}
    is_send::<Instance>();
};

impl Callback<Logger> {
    fn call(&self, name: &CStr, status: Status, category: &CStr, message: &CStr) {
        // SAFETY: the importer keeps its logger callable until the instance is freed, and the strings
        // are zero-terminated.
        unsafe {
            (self.function)(self.environment, name.as_ptr(), status as c_int, category.as_ptr(), message.as_ptr())
        };
    }
}

/// Returns a string, or none if the pointer is NULL.
pub(super) unsafe fn string<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    // SAFETY: a string is zero-terminated, see above.
    (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) })
}

pub(super) unsafe fn array<'a, V>(pointer: *const V, count: usize) -> Outcome<&'a [V]> {
    check_array(pointer, count)?;
    // SAFETY: an array has `count` elements, see above.
    Ok(if count == 0 { &[] } else { unsafe { slice::from_raw_parts(pointer, count) } })
}

/// Returns the importer's memory for results, possibly uninitialised, as a slice.
pub(super) unsafe fn output_slice<'a, V>(pointer: *mut V, count: usize) -> Outcome<&'a mut [MaybeUninit<V>]> {
    check_array(pointer, count)?;
    // SAFETY: an array has `count` elements, see above.
    Ok(if count == 0 { &mut [] } else { unsafe { slice::from_raw_parts_mut(pointer.cast(), count) } })
}

fn check_array<V>(pointer: *const V, count: usize) -> Outcome {
    if count > 0 && pointer.is_null() {
        return Err(CallError::error(format!("an array of {count} elements is NULL")));
    }
    if count > most::<V>() {
        return Err(CallError::error(format!("an array of {count} elements is too large")));
    }
    Ok(())
}

/// Returns the largest possible number of elements of an array.
pub(super) const fn most<V>() -> usize {
    isize::MAX as usize / size_of::<V>()
}

pub(super) fn write<V>(output: &mut [MaybeUninit<V>], values: impl IntoIterator<Item = V>) {
    for (place, value) in output.iter_mut().zip(values) {
        place.write(value);
    }
}

/// Fills the memory for results with zeros and returns it.
pub(super) fn zeros(output: &mut [MaybeUninit<f64>]) -> &mut [f64] {
    // SAFETY: all of it is written, at once: a loop would not be unrolled in a runtime that is compiled for size. The bits
    // of 0.0 are zeros.
    unsafe {
        ptr::write_bytes(output.as_mut_ptr(), 0, output.len());
        &mut *(ptr::from_mut(output) as *mut [f64])
    }
}

#[inline]
pub(super) unsafe fn one<'a, V>(pointer: *mut V) -> Outcome<&'a mut MaybeUninit<V>> {
    // SAFETY: a pointer to a result is NULL or valid.
    unsafe { pointer.cast::<MaybeUninit<V>>().as_mut() }.ok_or_else(null_result)
}

/// Returns the importer's variable for an FMU state, which may be NULL.
pub(super) unsafe fn handle<'a>(pointer: *mut *mut c_void) -> Outcome<&'a mut *mut c_void> {
    // SAFETY: a pointer to a state is NULL or valid, and FMI requires it to be initialised.
    unsafe { pointer.as_mut() }.ok_or_else(null_result)
}

fn null_result() -> CallError {
    CallError::error("the pointer for the result is NULL")
}

pub(super) unsafe fn strings<'a>(pointer: *const *const c_char, count: usize) -> Outcome<Vec<Cow<'a, str>>> {
    // SAFETY: an array of strings, see above.
    let strings = unsafe { array(pointer, count)?.iter().map(|pointer| string(*pointer)).collect::<Vec<_>>() };
    let strings = strings.into_iter().map(|string| string.map(CStr::to_string_lossy));
    strings.map(|string| string.ok_or_else(|| CallError::error("a string is NULL"))).collect()
}

/// The cell of an instance, empty once it is freed. It is never deallocated while the library is loaded, so a call with a
/// freed instance finds nothing, or after [`WAITING`] others the instance that has taken the cell, and never the memory
/// of something else.
type InstanceCell = Option<Instance>;

/// An empty cell for the next instance.
struct Vacant(*mut InstanceCell);

// SAFETY: an empty cell belongs to no thread.
unsafe impl Send for Vacant {}

/// Number of cells that stay empty; the one that was freed first is used first.
const WAITING: usize = 16;

static VACANT: Mutex<VecDeque<Vacant>> = Mutex::new(VecDeque::new());

fn vacant() -> MutexGuard<'static, VecDeque<Vacant>> {
    VACANT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the instance, unless the pointer is NULL or the instance is freed.
#[inline(always)]
pub(super) unsafe fn live_instance<'a>(component: *mut c_void) -> Option<&'a mut Instance> {
    // SAFETY: a component is NULL or a cell, see above.
    unsafe { component.cast::<InstanceCell>().as_mut() }?.as_mut()
}

/// Runs a call on an instance; a panic ends the instance with `fmi2Error`.
///
/// The body is a trait object, so that this is compiled once and not forty times.
pub(super) unsafe fn run(component: *mut c_void, call: Call, body: &mut dyn FnMut(&mut Instance) -> Outcome) -> c_int {
    // SAFETY: the component is passed on.
    unsafe { run_inlined(component, call, body) }
}

#[inline(always)]
pub(super) unsafe fn run_inlined(
    component: *mut c_void,
    call: Call,
    body: impl FnOnce(&mut Instance) -> Outcome,
) -> c_int {
    // SAFETY: the component is passed on; `instance` is not used any more when messages are delivered.
    unsafe {
        let Some(instance) = live_instance(component) else { return Status::Error as c_int };
        let result = catch_unwind(AssertUnwindSafe(|| instance.call(call, body)));
        let status = result.unwrap_or_else(|panic| failed(instance, panic.as_ref()));
        if instance.log.is_waiting() {
            deliver(component);
        }
        status as c_int
    }
}

/// Calls the logger, which may call functions of the same instance: nothing of it is borrowed during the call.
#[cold]
#[inline(never)]
unsafe fn deliver(component: *mut c_void) {
    // SAFETY: the component is passed on.
    let delivery = unsafe { live_instance(component) }.map(|instance| instance.log.take());
    if let Some(delivery) = delivery {
        delivery.deliver();
    }
}

#[cold]
#[inline(never)]
fn failed(instance: &mut Instance, panic: &(dyn Any + Send)) -> Status {
    // A step that did not finish leaves warnings behind.
    instance.diagnostics = Diagnostics::default();
    let error = CallError::error(panics::message(panic));
    catch_unwind(AssertUnwindSafe(|| instance.fail(&error))).unwrap_or(Status::Error)
}

/// Runs `fmi2GetReal` where all values are computed and exist; false means that nothing is done yet.
#[inline(always)]
unsafe fn try_get_cached_reals(
    component: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *mut f64,
) -> bool {
    // SAFETY: a component is NULL or a cell, and arrays are used where they are not NULL, see above.
    unsafe {
        let Some(Some(instance)) = component.cast::<InstanceCell>().as_ref() else { return false };
        let is_there = !(references.is_null() || values.is_null() || count > most::<f64>());
        is_there
            && instance.try_get_cached_reals(
                slice::from_raw_parts(references, count),
                slice::from_raw_parts_mut(values.cast(), count),
            )
            // Asking for the standard first would take one more instruction for each value.
            && instance.standard == Standard::Fmi2
    }
}

/// Runs `fmi2SetReal` where all values may be set without further checks; false means that nothing is done yet.
#[inline(always)]
unsafe fn try_set_reals_fast(
    component: *mut c_void,
    references: *const c_uint,
    count: usize,
    values: *const f64,
) -> bool {
    // SAFETY: the component is passed on, and arrays are used where they are not NULL, see above.
    unsafe {
        let Some(instance) = live_instance(component) else { return false };
        let is_there = !(references.is_null() || values.is_null() || count > most::<f64>());
        is_there
            && instance.standard == Standard::Fmi2
            && instance
                .try_set_reals_fast(slice::from_raw_parts(references, count), slice::from_raw_parts(values, count))
    }
}

/// `mechanics_declare`: hands the serialised declaration to `sink` and returns 0, or hands over the
/// reason why there is none and returns 1.
#[inline(never)]
pub unsafe fn declare_to(
    model: fn() -> Box<dyn ComponentModel>,
    interface: u32,
    configuration: *const c_char,
    sink: Option<DescribeCallback>,
    context: *mut c_void,
    resources: *const c_char,
    detail: c_int,
) -> c_int {
    let Some(sink) = sink else { return 1 };
    panics::watch();
    // SAFETY: strings, or NULL, see above, which callers of another version may pass; the sink takes bytes with their count.
    unsafe {
        let result = catch_unwind(|| {
            if interface != INTERFACE_VERSION {
                return Err(format!(
                    "this library has version {INTERFACE_VERSION} of the declaration interface, not {interface}"
                ));
            }
            let [configuration, resources] =
                [configuration, resources].map(|text| string(text).and_then(|text| text.to_str().ok()));
            let configuration = configuration.ok_or("the configuration is NULL or not UTF-8")?;
            if !DECLARES {
                return Err(NO_DECLARATION.to_owned());
            }
            declaration(model().as_mut(), DeclarationRequest { configuration, resources, detail: Detail::of(detail) })
        });
        let result = result.unwrap_or_else(|panic| Err(panics::message(panic.as_ref())));
        let (code, answer) = match result {
            Ok(bytes) => (0, bytes),
            Err(message) => (1, message.into_bytes()),
        };
        sink(context, answer.as_ptr().cast(), answer.len());
        code
    }
}

/// Frees the caches for further instances and configurations, before the library is unloaded.
#[cfg_attr(target_family = "wasm", allow(dead_code, reason = "the memory of a module ends with it"))]
extern "C" fn forget() {
    crate::instance::model::forget();
    crate::component::dependencies::forget();
    for Vacant(cell) in vacant().drain(..) {
        // SAFETY: it was made by `Box::into_raw`, and nobody uses it.
        drop(unsafe { Box::from_raw(cell) });
    }
}

// In a library linked by Zig, `atexit` would call the functions after the library is unloaded.
// SAFETY: the section is a list of such functions.
#[cfg(target_os = "linux")]
#[used]
#[unsafe(link_section = ".fini_array")]
static FORGET: extern "C" fn() = forget;

#[cfg(not(any(target_os = "linux", target_family = "wasm")))]
fn forget_at_exit() {
    unsafe extern "C" {
        fn atexit(function: extern "C" fn()) -> c_int;
    }
    static FIRST: std::sync::Once = std::sync::Once::new();
    // SAFETY: what a library registers is called before it is unloaded.
    FIRST.call_once(|| _ = unsafe { atexit(forget) });
}

/// `fmi2Instantiate`
#[inline(never)]
pub unsafe fn fmi2_instantiate(
    model: fn() -> Box<dyn ComponentModel>,
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    location: *const c_char,
    functions: *const CallbackFunctions,
    _visible: c_int,
    logging_on: c_int,
) -> *mut c_void {
    // SAFETY: the callbacks are NULL or valid during the call; strings, see above.
    let (functions, name, guid, location) =
        unsafe { (functions.as_ref(), string(name), string(guid), string(location)) };
    let Some(functions) = functions else { return ptr::null_mut() };
    let environment = functions.component_environment;
    let logger: Option<log::Logger> = functions.logger.map(|logger| {
        let callback = Callback { function: logger, environment };
        Arc::new(move |name: &CStr, status, category: &CStr, text: &CStr| callback.call(name, status, category, text))
            as _
    });
    let interface = match kind {
        0 => Some(Interface::ModelExchange),
        1 => Some(Interface::CoSimulation),
        _ => None,
    };
    let texts = Texts { name, guid, location };
    instantiate_or_log(model, Standard::Fmi2, interface, EventHandling::Inside, texts, logger, logging_on != 0, None)
}

/// The strings that a function of instantiation receives.
pub(super) struct Texts<'a> {
    pub name: Option<&'a CStr>,
    pub guid: Option<&'a CStr>,
    pub location: Option<&'a CStr>,
}

/// Makes an instance, or logs the reason why there is none.
pub(super) fn instantiate_or_log(
    model: fn() -> Box<dyn ComponentModel>,
    standard: Standard,
    interface: Option<Interface>,
    events: EventHandling,
    texts: Texts<'_>,
    logger: Option<log::Logger>,
    logging_on: bool,
    updates: Option<intermediate_update::Request>,
) -> *mut c_void {
    let (name, guid) = (texts.name.map(CStr::to_string_lossy), texts.guid.map(CStr::to_string_lossy));
    let (name, guid, location) = (name.as_deref(), guid.as_deref(), texts.location.map(CStr::to_bytes));
    let request =
        Request { standard, name, interface, guid, location, logger: logger.clone(), logging_on, events, updates };
    #[cfg(not(target_family = "wasm"))]
    panics::watch();
    #[cfg(not(any(target_os = "linux", target_family = "wasm")))]
    forget_at_exit();
    let function = request.words()[0];
    let result = catch_unwind(AssertUnwindSafe(|| instantiate(model(), request, own_library)));
    match result {
        Ok(Some(instance)) => store_instance(instance).cast(),
        Ok(None) => ptr::null_mut(),
        Err(panic) => {
            let message = CString::new(format!("{function}: {}", panics::message(panic.as_ref())));
            if let Some(logger) = logger {
                logger(c"", Status::Error, c"logStatusError", &message.unwrap_or_default());
            }
            ptr::null_mut()
        }
    }
}

/// Moves an instance to a cell.
fn store_instance(instance: Instance) -> *mut InstanceCell {
    let mut vacant = vacant();
    let first = if vacant.len() > WAITING { vacant.pop_front() } else { None };
    drop(vacant);
    let Some(Vacant(cell)) = first else { return Box::into_raw(Box::new(Some(instance))) };
    // SAFETY: it is empty, and nobody else has it.
    unsafe { cell.write(Some(instance)) };
    cell
}

/// `fmi2FreeInstance` and `fmi3FreeInstance`
#[inline(never)]
pub unsafe fn fmi2_free_instance(component: *mut c_void) {
    let cell = component.cast::<InstanceCell>();
    // SAFETY: a component is NULL or a cell, see above.
    if let Some(instance) = unsafe { cell.as_mut() }.and_then(Option::take) {
        let _ = catch_unwind(AssertUnwindSafe(|| drop(instance)));
        vacant().push_back(Vacant(cell));
    }
}

calls! { ffi, shims_of_fmi2,
    outlined fmi2_set_debug_logging(on: c_int, count: usize, categories: *const *const c_char) = fmi2SetDebugLogging |instance| {
        let categories = strings(categories, count)?;
        let categories: Vec<_> = categories.iter().map(AsRef::as_ref).collect();
        instance.set_debug_logging(on != 0, &categories)
    }
    outlined fmi2_setup_experiment(tolerance_defined: c_int, tolerance: f64, start: f64, stop_defined: c_int, stop: f64)
        = fmi2SetupExperiment |instance| {
        instance.setup_experiment((tolerance_defined != 0).then_some(tolerance), start, (stop_defined != 0).then_some(stop))
    }
    outlined fmi2_enter_initialization_mode() = fmi2EnterInitializationMode |instance| { instance.enter_initialization_mode() }
    outlined fmi2_exit_initialization_mode() = fmi2ExitInitializationMode |instance| { instance.exit_initialization_mode() }
    outlined fmi2_terminate() = fmi2Terminate |instance| { instance.terminate() }
    outlined fmi2_reset() = fmi2Reset |instance| { instance.reset() }

    fast_path(try_get_cached_reals) fmi2_get_real(references: *const c_uint, count: usize, values: *mut f64) = fmi2GetReal |instance| {
        let output = output_slice(values, count)?;
        write(output, instance.get_real(array(references, count)?)?);
        Ok(())
    }
    outlined fmi2_get_integer(references: *const c_uint, count: usize, values: *mut c_int) = fmi2GetInteger |instance| {
        let output = output_slice(values, count)?;
        write(output, instance.get_integer(ArrayType::Int32, array(references, count)?, count)?);
        Ok(())
    }
    outlined fmi2_get_boolean(references: *const c_uint, count: usize, values: *mut c_int) = fmi2GetBoolean |instance| {
        let output = output_slice(values, count)?;
        write(output, instance.get_boolean(array(references, count)?, count)?.map(c_int::from));
        Ok(())
    }
    outlined fmi2_get_string(references: *const c_uint, count: usize, values: *mut *const c_char) = fmi2GetString |instance| {
        let output = output_slice(values, count)?;
        write(output, instance.get_string(array(references, count)?, count)?.iter().map(|string| string.as_ptr()));
        Ok(())
    }
    fast_path(try_set_reals_fast) fmi2_set_real(references: *const c_uint, count: usize, values: *const f64) = fmi2SetReal |instance| {
        instance.set_real(array(references, count)?, array(values, count)?)
    }
    outlined fmi2_set_integer(references: *const c_uint, count: usize, values: *const c_int) = fmi2SetInteger |instance| {
        instance.set_integer(ArrayType::Int32, array(references, count)?, array(values, count)?)
    }
    outlined fmi2_set_boolean(references: *const c_uint, count: usize, values: *const c_int) = fmi2SetBoolean |instance| {
        instance.set_boolean(array(references, count)?, array(values, count)?)
    }
    outlined fmi2_set_string(references: *const c_uint, count: usize, values: *const *const c_char) = fmi2SetString |instance| {
        let values = strings(values, count)?;
        if values.iter().any(|value| matches!(value, Cow::Owned(_))) {
            instance.warn("a string is not UTF-8; invalid bytes were replaced");
        }
        let values: Vec<_> = values.into_iter().map(Cow::into_owned).collect();
        instance.set_string(array(references, count)?, &values)
    }

    inlined fmi2_get_fmu_state(state: *mut *mut c_void) = fmi2GetFMUstate |instance| {
        let state = handle(state)?;
        *state = instance.get_fmu_state(*state as usize)? as *mut c_void;
        Ok(())
    }
    inlined fmi2_set_fmu_state(state: *mut c_void) = fmi2SetFMUstate |instance| { instance.set_fmu_state(state as usize) }
    outlined fmi2_free_fmu_state(state: *mut *mut c_void) = fmi2FreeFMUstate |instance| {
        let Some(state) = state.as_mut() else { return Ok(()) };
        instance.free_fmu_state(*state as usize)?;
        *state = ptr::null_mut();
        Ok(())
    }
    outlined fmi2_serialized_fmu_state_size(state: *mut c_void, size: *mut usize) = fmi2SerializedFMUstateSize |instance| {
        one(size)?.write(instance.serialize_fmu_state(state as usize)?.len());
        Ok(())
    }
    outlined fmi2_serialize_fmu_state(state: *mut c_void, bytes: *mut c_char, size: usize) = fmi2SerializeFMUstate |instance| {
        let serialized = instance.serialize_into(state as usize, size)?;
        write(output_slice(bytes.cast::<u8>(), size)?, serialized);
        Ok(())
    }
    outlined fmi2_deserialize_fmu_state(bytes: *const c_char, size: usize, state: *mut *mut c_void)
        = fmi2DeSerializeFMUstate |instance| {
        let state = one(state)?;
        state.write(instance.deserialize_fmu_state(array(bytes.cast::<u8>(), size)?)? as *mut c_void);
        Ok(())
    }
    outlined fmi2_get_directional_derivative(
        unknowns: *const c_uint, unknown_count: usize, knowns: *const c_uint, known_count: usize,
        seeds: *const f64, result: *mut f64
    ) = fmi2GetDirectionalDerivative |instance| {
        let (unknowns, knowns) = (array(unknowns, unknown_count)?, array(knowns, known_count)?);
        let output = output_slice(result, unknown_count)?;
        write(output, instance.directional_derivative(unknowns, knowns, array(seeds, known_count)?, unknown_count)?);
        Ok(())
    }

    outlined mechanics_linear(
        outputs: *const c_uint, output_count: usize, inputs: *const c_uint, input_count: usize,
        factors: *mut f64, rest: *mut f64
    ) = mechanics_linear |instance| {
        let (outputs, inputs) = (array(outputs, output_count)?, array(inputs, input_count)?);
        let (factors, rest) = (output_slice(factors, output_count.saturating_mul(input_count))?, output_slice(rest, output_count)?);
        write(rest, instance.linear_form(outputs, inputs, zeros(factors))?);
        Ok(())
    }

    outlined fmi2_set_real_input_derivatives(references: *const c_uint, count: usize, orders: *const c_int, values: *const f64)
        = fmi2SetRealInputDerivatives |instance| {
        instance.set_real_input_derivatives(array(references, count)?, array(orders, count)?, array(values, count)?)
    }
    outlined fmi2_get_real_output_derivatives(references: *const c_uint, count: usize, orders: *const c_int, values: *mut f64)
        = fmi2GetRealOutputDerivatives |instance| {
        let output = output_slice(values, count)?;
        write(output, instance.get_real_output_derivatives(array(references, count)?, array(orders, count)?)?);
        Ok(())
    }
    inlined fmi2_do_step(point: f64, h: f64, no_set_state_prior: c_int) = fmi2DoStep |instance| {
        instance.do_step(point, h).map(drop)
    }
    outlined fmi2_cancel_step() = fmi2CancelStep |instance| { instance.no_status() }
    outlined fmi2_get_status(kind: c_int, value: *mut c_int) = fmi2GetStatus |instance| { instance.no_status() }
    outlined fmi2_get_real_status(kind: c_int, value: *mut f64) = fmi2GetRealStatus |instance| {
        one(value)?.write(instance.real_status(status_kind(kind))?);
        Ok(())
    }
    outlined fmi2_get_integer_status(kind: c_int, value: *mut c_int) = fmi2GetIntegerStatus |instance| { instance.no_status() }
    outlined fmi2_get_boolean_status(kind: c_int, value: *mut c_int) = fmi2GetBooleanStatus |instance| {
        one(value)?.write(c_int::from(instance.boolean_status(status_kind(kind))?));
        Ok(())
    }
    outlined fmi2_get_string_status(kind: c_int, value: *mut *const c_char) = fmi2GetStringStatus |instance| { instance.no_status() }

    outlined fmi2_enter_event_mode() = fmi2EnterEventMode |instance| { instance.enter_event_mode() }
    outlined fmi2_new_discrete_states(info: *mut EventInfo) = fmi2NewDiscreteStates |instance| {
        let info = one(info)?;
        let event = instance.new_discrete_states()?;
        info.write(EventInfo {
            new_discrete_states_needed: c_int::from(event.again),
            terminate_simulation: 0,
            nominals_of_continuous_states_changed: 0,
            values_of_continuous_states_changed: c_int::from(event.states_changed),
            next_event_time_defined: c_int::from(event.next_time.is_some()),
            next_event_time: event.next_time.unwrap_or_default(),
        });
        Ok(())
    }
    outlined fmi2_enter_continuous_time_mode() = fmi2EnterContinuousTimeMode |instance| { instance.enter_continuous_time_mode() }
    outlined fmi2_completed_integrator_step(no_set_state_prior: c_int, enter_event_mode: *mut c_int, terminate: *mut c_int)
        = fmi2CompletedIntegratorStep |instance| {
        one(enter_event_mode)?.write(0);
        one(terminate)?.write(0);
        let asks_for_event = instance.completed_integrator_step()?;
        one(enter_event_mode)?.write(asks_for_event.into());
        Ok(())
    }
    outlined fmi2_set_time(time: f64) = fmi2SetTime |instance| { instance.set_time(time) }
    outlined fmi2_set_continuous_states(states: *const f64, count: usize) = fmi2SetContinuousStates |instance| {
        instance.set_continuous_states(array(states, count)?)
    }
    outlined fmi2_get_derivatives(derivatives: *mut f64, count: usize) = fmi2GetDerivatives |instance| {
        let output = output_slice(derivatives, count)?;
        write(output, instance.get_derivatives(count)?);
        Ok(())
    }
    outlined fmi2_get_event_indicators(indicators: *mut f64, count: usize) = fmi2GetEventIndicators |instance| {
        let output = output_slice(indicators, count)?;
        instance.check_indicators(count)?;
        instance.get_event_indicators(zeros(output))
    }
    outlined fmi2_get_continuous_states(states: *mut f64, count: usize) = fmi2GetContinuousStates |instance| {
        let output = output_slice(states, count)?;
        write(output, instance.get_continuous_states(count)?);
        Ok(())
    }
    outlined fmi2_get_nominals(nominals: *mut f64, count: usize) = fmi2GetNominalsOfContinuousStates |instance| {
        let output = output_slice(nominals, count)?;
        write(output, instance.get_nominals(count)?);
        Ok(())
    }

    outlined mechanics_law(
        branch: c_int, arguments: *const f64, direction: *const f64, argument_count: usize,
        results: *mut f64, result_count: usize
    ) = mechanics_law |instance| {
        let direction = if direction.is_null() { None } else { Some(array(direction, argument_count)?) };
        let (arguments, output) = (array(arguments, argument_count)?, output_slice(results, result_count)?);
        write(output, instance.law(branch, arguments, direction, result_count)?);
        Ok(())
    }
    outlined mechanics_sensitivity(
        unknowns: *const c_uint, unknown_count: usize, knowns: *const c_uint, known_count: usize, seeds: *const f64,
        derivatives: *mut f64, indicators: *mut f64, indicator_count: usize
    ) = mechanics_sensitivity |instance| {
        let (derivatives, indicators) = (output_slice(derivatives, unknown_count)?, output_slice(indicators, indicator_count)?);
        let (unknowns, knowns) = (array(unknowns, unknown_count)?, array(knowns, known_count)?);
        let seeds = array(seeds, known_count)?;
        instance.sensitivity(unknowns, knowns, seeds, derivatives, indicators)
    }
}

fn status_kind(kind: c_int) -> StatusKind {
    match kind {
        2 => StatusKind::LastSuccessfulTime,
        3 => StatusKind::Terminated,
        _ => StatusKind::Other,
    }
}
