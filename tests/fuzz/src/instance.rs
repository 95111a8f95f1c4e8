//! Instances through the C interface: every call with exact arrays, whose pointers may be NULL.
//!
//! # Safety
//!
//! An instance was made by `fmi2Instantiate` and is freed once. [`Array`] says how arrays keep to their counts. States
//! are numbers: the library must find out whether one is valid.

#![allow(clippy::too_many_arguments)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;

use fmu_runtime::ffi::{self, CallbackFunctions, EventInfo};

use crate::components::Prepared;

pub(crate) const OK: c_int = 0;
pub(crate) const DISCARD: c_int = 2;
pub(crate) const ERROR: c_int = 3;

/// The messages of the logger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub name: String,
    pub status: c_int,
    pub category: String,
    pub text: String,
}

/// An array of a call. NULL has any count; all others of one call have the count that is passed, so that the address
/// sanitizer reports accesses outside of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Array<T>(pub Option<Box<[T]>>);

impl<T> Array<T> {
    pub const NULL: Self = Self(None);

    pub fn slice(&self) -> &[T] {
        self.0.as_deref().unwrap_or_default()
    }

    fn input(&self, count: usize) -> *const T {
        assert!(self.0.as_ref().is_none_or(|array| array.len() == count));
        self.0.as_ref().map_or(ptr::null(), |array| array.as_ptr())
    }

    fn output(&mut self, count: usize) -> *mut T {
        assert!(self.0.as_ref().is_none_or(|array| array.len() == count));
        self.0.as_mut().map_or(ptr::null_mut(), |array| array.as_mut_ptr())
    }
}

impl<T> From<Vec<T>> for Array<T> {
    fn from(values: Vec<T>) -> Self {
        Self(Some(values.into()))
    }
}

impl<T: Clone> Array<T> {
    pub fn filled(value: T, count: usize) -> Self {
        vec![value; count].into()
    }
}

/// `fmi2CallbackFunctions` as the standard lays it out.
#[repr(C)]
pub(crate) struct Callbacks {
    pub logger: Option<Logger>,
    pub unused: [*mut c_void; 3],
    pub environment: *mut c_void,
}

pub(crate) type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char);
pub(crate) type Journal = RefCell<Vec<Message>>;

/// Writes a message to the journal, which is the environment.
pub(crate) unsafe extern "C" fn log(
    environment: *mut c_void,
    name: *const c_char,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    let text = |pointer: *const c_char| {
        assert!(!pointer.is_null(), "the logger gets NULL");
        // SAFETY: the library passes zero-terminated strings.
        let text = unsafe { CStr::from_ptr(pointer) };
        text.to_str().expect("the logger gets UTF-8").to_owned()
    };
    let message = Message { name: text(name), status, category: text(category), text: text(message) };
    // SAFETY: the environment is a journal, which outlives the instance.
    unsafe { &*environment.cast::<Journal>() }.borrow_mut().push(message);
}

/// An instance, freed when it is dropped.
pub(crate) struct Instance {
    pub prepared: &'static Prepared,
    pub co_simulation: bool,
    component: *mut c_void,
    journal: Box<Journal>,
}

pub(crate) const NAME: &CStr = c"50 % of #1#";

/// `fmi2Instantiate`
pub(crate) fn instantiate(
    prepared: &Prepared,
    name: Option<&CStr>,
    kind: c_int,
    guid: Option<&CStr>,
    location: Option<&CStr>,
    callbacks: Option<&Callbacks>,
    logging_on: bool,
) -> *mut c_void {
    let pointer = |text: Option<&CStr>| text.map_or(ptr::null(), CStr::as_ptr);
    let functions = callbacks.map_or(ptr::null(), ptr::from_ref).cast::<CallbackFunctions>();
    // SAFETY: the strings and functions live during the call.
    unsafe {
        let (name, guid, location) = (pointer(name), pointer(guid), pointer(location));
        ffi::fmi2_instantiate(prepared.model, name, kind, guid, location, functions, 0, logging_on.into())
    }
}

pub(crate) fn callbacks(journal: &Journal) -> Callbacks {
    Callbacks { logger: Some(log), unused: [ptr::null_mut(); 3], environment: ptr::from_ref(journal).cast_mut().cast() }
}

impl Instance {
    pub fn new(prepared: &'static Prepared, co_simulation: bool, logging_on: bool) -> Self {
        let journal = Box::<Journal>::default();
        let (guid, location) = (Some(prepared.guid.as_c_str()), Some(prepared.location.as_c_str()));
        let callbacks = callbacks(&journal);
        let kind = c_int::from(co_simulation);
        let component = instantiate(prepared, Some(NAME), kind, guid, location, Some(&callbacks), logging_on);
        assert!(!component.is_null(), "{:?}", journal.take());
        Self { prepared, co_simulation, component, journal }
    }

    /// No instance: NULL.
    pub fn null(prepared: &'static Prepared, co_simulation: bool) -> Self {
        Self { prepared, co_simulation, component: ptr::null_mut(), journal: Box::default() }
    }

    pub fn is_null(&self) -> bool {
        self.component.is_null()
    }

    /// Takes the messages so far.
    pub fn messages(&self) -> Vec<Message> {
        self.journal.take()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: see above.
        unsafe { ffi::fmi2_free_instance(self.component) };
    }
}

macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*) = $function:ident($($value:expr),*);)*) => {
        impl Instance {$(
            pub fn $name(&self $(, $argument: $type)*) -> c_int {
                // SAFETY: see above.
                unsafe { ffi::$function(self.component $(, $value)*) }
            }
        )*}
    };
}

fn place<T>(place: Option<&mut T>) -> *mut T {
    place.map_or(ptr::null_mut(), ptr::from_mut)
}

/// Pointers to strings; `None` is NULL.
pub(crate) fn pointers(strings: &[Option<CString>]) -> Array<*const c_char> {
    strings
        .iter()
        .map(|string| string.as_ref().map_or(ptr::null(), |string| string.as_ptr()))
        .collect::<Vec<_>>()
        .into()
}

type References<'a> = &'a Array<c_uint>;

functions! {
    set_debug_logging(on: bool, count: usize, categories: &Array<*const c_char>)
        = fmi2_set_debug_logging(on.into(), count, categories.input(count));
    setup_experiment(tolerance_defined: bool, tolerance: f64, start: f64, stop_defined: bool, stop: f64)
        = fmi2_setup_experiment(tolerance_defined.into(), tolerance, start, stop_defined.into(), stop);
    enter_initialization_mode() = fmi2_enter_initialization_mode();
    exit_initialization_mode() = fmi2_exit_initialization_mode();
    terminate() = fmi2_terminate();
    reset() = fmi2_reset();
    get_real(references: References<'_>, count: usize, values: &mut Array<f64>)
        = fmi2_get_real(references.input(count), count, values.output(count));
    get_integer(references: References<'_>, count: usize, values: &mut Array<c_int>)
        = fmi2_get_integer(references.input(count), count, values.output(count));
    get_boolean(references: References<'_>, count: usize, values: &mut Array<c_int>)
        = fmi2_get_boolean(references.input(count), count, values.output(count));
    get_string(references: References<'_>, count: usize, values: &mut Array<*const c_char>)
        = fmi2_get_string(references.input(count), count, values.output(count));
    set_real(references: References<'_>, count: usize, values: &Array<f64>)
        = fmi2_set_real(references.input(count), count, values.input(count));
    set_integer(references: References<'_>, count: usize, values: &Array<c_int>)
        = fmi2_set_integer(references.input(count), count, values.input(count));
    set_boolean(references: References<'_>, count: usize, values: &Array<c_int>)
        = fmi2_set_boolean(references.input(count), count, values.input(count));
    set_string(references: References<'_>, count: usize, values: &Array<*const c_char>)
        = fmi2_set_string(references.input(count), count, values.input(count));
    get_fmu_state(state: Option<&mut usize>) = fmi2_get_fmu_state(place(state).cast());
    set_fmu_state(state: usize) = fmi2_set_fmu_state(ptr::without_provenance_mut(state));
    free_fmu_state(state: Option<&mut usize>) = fmi2_free_fmu_state(place(state).cast());
    serialized_fmu_state_size(state: usize, size: Option<&mut usize>)
        = fmi2_serialized_fmu_state_size(ptr::without_provenance_mut(state), place(size));
    serialize_fmu_state(state: usize, bytes: &mut Array<u8>, count: usize)
        = fmi2_serialize_fmu_state(ptr::without_provenance_mut(state), bytes.output(count).cast(), count);
    deserialize_fmu_state(bytes: &Array<u8>, count: usize, state: Option<&mut usize>)
        = fmi2_deserialize_fmu_state(bytes.input(count).cast(), count, place(state).cast());
    get_directional_derivative(
        unknowns: References<'_>, unknown_count: usize, knowns: References<'_>, known_count: usize,
        seeds: &Array<f64>, result: &mut Array<f64>
    ) = fmi2_get_directional_derivative(
        unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
        seeds.input(known_count), result.output(unknown_count)
    );
    linear(
        outputs: References<'_>, output_count: usize, inputs: References<'_>, input_count: usize,
        factors: &mut Array<f64>, rest: &mut Array<f64>
    ) = mechanics_linear(
        outputs.input(output_count), output_count, inputs.input(input_count), input_count,
        factors.output(output_count * input_count), rest.output(output_count)
    );
    law(
        branch: c_int, arguments: &Array<f64>, direction: &Array<f64>, argument_count: usize,
        results: &mut Array<f64>, result_count: usize
    ) = mechanics_law(
        branch, arguments.input(argument_count), direction.input(argument_count), argument_count,
        results.output(result_count), result_count
    );
    set_real_input_derivatives(references: References<'_>, count: usize, orders: &Array<c_int>, values: &Array<f64>)
        = fmi2_set_real_input_derivatives(references.input(count), count, orders.input(count), values.input(count));
    get_real_output_derivatives(
        references: References<'_>, count: usize, orders: &Array<c_int>, values: &mut Array<f64>
    ) = fmi2_get_real_output_derivatives(references.input(count), count, orders.input(count), values.output(count));
    do_step(point: f64, h: f64, no_set_state_prior: bool) = fmi2_do_step(point, h, no_set_state_prior.into());
    cancel_step() = fmi2_cancel_step();
    get_status(kind: c_int, value: Option<&mut c_int>) = fmi2_get_status(kind, place(value));
    get_real_status(kind: c_int, value: Option<&mut f64>) = fmi2_get_real_status(kind, place(value));
    get_integer_status(kind: c_int, value: Option<&mut c_int>) = fmi2_get_integer_status(kind, place(value));
    get_boolean_status(kind: c_int, value: Option<&mut c_int>) = fmi2_get_boolean_status(kind, place(value));
    get_string_status(kind: c_int, value: Option<&mut usize>) = fmi2_get_string_status(kind, place(value).cast());
    enter_event_mode() = fmi2_enter_event_mode();
    new_discrete_states(info: Option<&mut EventInfo>) = fmi2_new_discrete_states(place(info));
    enter_continuous_time_mode() = fmi2_enter_continuous_time_mode();
    completed_integrator_step(no_set_state_prior: bool, event: Option<&mut c_int>, terminate: Option<&mut c_int>)
        = fmi2_completed_integrator_step(no_set_state_prior.into(), place(event), place(terminate));
    set_time(time: f64) = fmi2_set_time(time);
    set_continuous_states(states: &Array<f64>, count: usize) = fmi2_set_continuous_states(states.input(count), count);
    get_derivatives(values: &mut Array<f64>, count: usize) = fmi2_get_derivatives(values.output(count), count);
    get_event_indicators(values: &mut Array<f64>, count: usize)
        = fmi2_get_event_indicators(values.output(count), count);
    get_continuous_states(values: &mut Array<f64>, count: usize)
        = fmi2_get_continuous_states(values.output(count), count);
    get_nominals(values: &mut Array<f64>, count: usize) = fmi2_get_nominals(values.output(count), count);
}

/// A value that no library writes to all fields.
pub(crate) const UNWRITTEN: EventInfo = EventInfo {
    new_discrete_states_needed: c_int::MIN,
    terminate_simulation: c_int::MIN,
    nominals_of_continuous_states_changed: c_int::MIN,
    values_of_continuous_states_changed: c_int::MIN,
    next_event_time_defined: c_int::MIN,
    next_event_time: f64::NAN,
};
