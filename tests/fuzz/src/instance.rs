//! Instances through the C interface of both standards: every call with exact arrays, whose pointers may be NULL.
//!
//! # Safety
//!
//! An instance was made by a function for that and is freed once. [`Array`] says how arrays keep to their counts. States
//! are numbers: the library must find out whether one is valid.

#![allow(clippy::too_many_arguments)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr;

use fmu_builder::Standard;
use fmu_runtime::ffi::{self, CallbackFunctions, EventInfo};
use fmu_runtime::fmi3;
use fmu_runtime::lifecycle::{EventHandling, Interface};

use crate::components::Prepared;
use crate::variables::Variables;

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
    assert!(![name, category, message].contains(&ptr::null()), "the logger gets NULL");
    // SAFETY: the library passes zero-terminated strings; the environment is a journal, which outlives the instance.
    let (texts, journal) =
        unsafe { ([name, category, message].map(|text| CStr::from_ptr(text)), &*environment.cast::<Journal>()) };
    let [name, category, text] = texts.map(|text| text.to_str().expect("the logger gets UTF-8").to_owned());
    journal.borrow_mut().push(Message { name, status, category, text });
}

/// The logger of FMI 3.0, which gets no name.
unsafe extern "C" fn log_3(environment: *mut c_void, status: c_int, category: *const c_char, message: *const c_char) {
    // SAFETY: all is passed on.
    unsafe { log(environment, NAME.as_ptr(), status, category, message) };
}

/// What an instance is made for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub standard: Standard,
    pub co_simulation: bool,
    /// In Co-Simulation of FMI 3.0: `eventModeUsed` and `earlyReturnAllowed`.
    pub events: [bool; 2],
}

impl From<u8> for Kind {
    /// FMI 2.0 and Co-Simulation, unless bits say otherwise.
    fn from(code: u8) -> Self {
        let standard = if code & 128 == 0 { Standard::Fmi2 } else { Standard::Fmi3 };
        Self { standard, co_simulation: code & 32 == 0, events: [false; 2] }
    }
}

impl Kind {
    /// Both interfaces of both standards.
    pub fn all() -> [Self; 4] {
        [0, 32, 128, 160].map(Self::from)
    }
}

/// An instance, freed when it is dropped.
pub(crate) struct Instance {
    pub prepared: &'static Prepared,
    pub kind: Kind,
    /// Whose functions are called.
    pub called: Standard,
    component: *mut c_void,
    journal: Box<Journal>,
}

pub(crate) const NAME: &CStr = c"50 % of #1#";

/// The arguments of the functions that make instances.
pub(crate) struct Request<'a> {
    pub standard: Standard,
    pub name: Option<&'a CStr>,
    /// `fmi2Type`; 2 is Scheduled Execution in FMI 3.0.
    pub interface: c_int,
    pub events: [bool; 2],
    pub guid: Option<&'a CStr>,
    pub location: Option<&'a CStr>,
    pub journal: Option<&'a Journal>,
    pub logging_on: bool,
}

impl<'a> Request<'a> {
    /// What an importer gives.
    pub fn new(prepared: &'a Prepared, kind: Kind, journal: &'a Journal) -> Self {
        Self {
            standard: kind.standard,
            name: Some(NAME),
            interface: kind.co_simulation.into(),
            events: kind.events,
            guid: Some(&prepared.guid),
            location: Some(&prepared.location),
            journal: Some(journal),
            logging_on: true,
        }
    }
}

/// Makes an instance, or NULL.
pub(crate) fn instantiate(prepared: &Prepared, request: Request<'_>) -> *mut c_void {
    let Request { standard, name, interface, events, guid, location, journal, logging_on } = request;
    let [name, guid, location] = [name, guid, location].map(|text| text.map_or(ptr::null(), CStr::as_ptr));
    let environment = journal.map_or(ptr::null_mut(), |journal| ptr::from_ref(journal).cast_mut().cast());
    let callbacks = Callbacks { logger: Some(log), unused: [ptr::null_mut(); 3], environment };
    let functions = journal.map_or(ptr::null(), |_| ptr::from_ref(&callbacks)).cast::<CallbackFunctions>();
    let logger = journal.map(|_| log_3 as fmi3::Logger);
    let interface_3 = if interface == 0 { Interface::ModelExchange } else { Interface::CoSimulation };
    let handling = EventHandling::new(events[0], events[1]);
    // SAFETY: the strings and functions live during the call.
    unsafe {
        match (standard, interface) {
            (Standard::Fmi2, kind) => {
                ffi::fmi2_instantiate(prepared.model, name, kind, guid, location, functions, 0, logging_on.into())
            }
            (Standard::Fmi3, 0 | 1) => {
                let texts = [name, guid, location];
                fmi3::fmi3_instantiate(
                    prepared.model,
                    interface_3,
                    handling,
                    texts,
                    logging_on.into(),
                    environment,
                    logger,
                    None,
                )
            }
            (Standard::Fmi3, _) => fmi3::fmi3_refuse(environment, logger),
        }
    }
}

impl Instance {
    pub fn new(prepared: &'static Prepared, kind: Kind, logging_on: bool) -> Self {
        let journal = Box::<Journal>::default();
        let component = instantiate(prepared, Request { logging_on, ..Request::new(prepared, kind, &journal) });
        assert!(!component.is_null(), "{:?}", journal.take());
        Self { prepared, kind, called: kind.standard, component, journal }
    }

    /// No instance: NULL.
    pub fn null(prepared: &'static Prepared, kind: Kind) -> Self {
        Self { prepared, kind, called: kind.standard, component: ptr::null_mut(), journal: Box::default() }
    }

    pub fn is_null(&self) -> bool {
        self.component.is_null()
    }

    /// The variables of the standard whose functions are called.
    pub fn variables(&self) -> &'static Variables {
        &self.prepared.variables[usize::from(self.called == Standard::Fmi3)]
    }

    /// Takes the messages so far.
    pub fn messages(&self) -> Vec<Message> {
        self.journal.take()
    }

    /// The bytes of a saved FMU state.
    pub fn bytes_of(&self, state: usize) -> Vec<u8> {
        let mut size = usize::MAX;
        assert_eq!(self.serialized_fmu_state_size(state, Some(&mut size)), OK);
        let mut bytes = Array::filled(0, size);
        assert_eq!(self.serialize_fmu_state(state, &mut bytes, size), OK);
        bytes.slice().to_vec()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: see above.
        unsafe { ffi::fmi2_free_instance(self.component) };
    }
}

/// Calls of both standards, or of one of them.
macro_rules! functions {
    (
        both { $($both:ident($($both_argument:ident: $both_type:ty),*)
            = $two:ident($($two_value:expr),*) | $three:ident($($three_value:expr),*);)* }
        fmi2 { $($of_two:ident($($argument:ident: $type:ty),*) = $function:ident($($value:expr),*);)* }
        fmi3 { $($of_three:ident($($argument_3:ident: $type_3:ty),*) = $function_3:ident($($value_3:expr),*);)* }
    ) => {
        impl Instance {
            $(
                #[allow(unused_variables, reason = "an array of FMI 2.0 has as many values as references")]
                pub fn $both(&self $(, $both_argument: $both_type)*) -> c_int {
                    // SAFETY: see above.
                    unsafe {
                        match self.called {
                            Standard::Fmi2 => ffi::$two(self.component $(, $two_value)*),
                            Standard::Fmi3 => fmi3::$three(self.component $(, $three_value)*),
                        }
                    }
                }
            )*
            $(
                pub fn $of_two(&self $(, $argument: $type)*) -> c_int {
                    // SAFETY: see above.
                    unsafe { ffi::$function(self.component $(, $value)*) }
                }
            )*
            $(
                pub fn $of_three(&self $(, $argument_3: $type_3)*) -> c_int {
                    // SAFETY: see above.
                    unsafe { fmi3::$function_3(self.component $(, $value_3)*) }
                }
            )*
        }
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

/// The arguments of `fmi2SetupExperiment`, which `fmi3EnterInitializationMode` has, too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Experiment {
    pub tolerance: Option<f64>,
    pub start: f64,
    pub stop_defined: bool,
    pub stop: f64,
}

impl Experiment {
    pub const ORDINARY: Self = Self { tolerance: None, start: 0.25, stop_defined: true, stop: 10.0 };
}

functions! {
    both {
        set_debug_logging(on: bool, count: usize, categories: &Array<*const c_char>)
            = fmi2_set_debug_logging(on.into(), count, categories.input(count))
            | fmi3_set_debug_logging(on.into(), count, categories.input(count));
        enter_initialization_mode(it: Experiment)
            = fmi2_enter_initialization_mode()
            | fmi3_enter_initialization_mode(
                it.tolerance.is_some().into(), it.tolerance.unwrap_or(f64::NAN), it.start, it.stop_defined.into(), it.stop
            );
        exit_initialization_mode() = fmi2_exit_initialization_mode() | fmi3_exit_initialization_mode();
        terminate() = fmi2_terminate() | fmi3_terminate();
        reset() = fmi2_reset() | fmi3_reset();
        get_real(references: References<'_>, count: usize, values: &mut Array<f64>, size: usize)
            = fmi2_get_real(references.input(count), count, values.output(count))
            | fmi3_get_float64(references.input(count), count, values.output(size), size);
        get_integer(references: References<'_>, count: usize, values: &mut Array<c_int>, size: usize)
            = fmi2_get_integer(references.input(count), count, values.output(count))
            | fmi3_get_int32(references.input(count), count, values.output(size), size);
        get_string(references: References<'_>, count: usize, values: &mut Array<*const c_char>, size: usize)
            = fmi2_get_string(references.input(count), count, values.output(count))
            | fmi3_get_string(references.input(count), count, values.output(size), size);
        set_real(references: References<'_>, count: usize, values: &Array<f64>, size: usize)
            = fmi2_set_real(references.input(count), count, values.input(count))
            | fmi3_set_float64(references.input(count), count, values.input(size), size);
        set_integer(references: References<'_>, count: usize, values: &Array<c_int>, size: usize)
            = fmi2_set_integer(references.input(count), count, values.input(count))
            | fmi3_set_int32(references.input(count), count, values.input(size), size);
        set_string(references: References<'_>, count: usize, values: &Array<*const c_char>, size: usize)
            = fmi2_set_string(references.input(count), count, values.input(count))
            | fmi3_set_string(references.input(count), count, values.input(size), size);
        get_fmu_state(state: Option<&mut usize>)
            = fmi2_get_fmu_state(place(state).cast()) | fmi3_get_fmu_state(place(state).cast());
        set_fmu_state(state: usize)
            = fmi2_set_fmu_state(ptr::without_provenance_mut(state))
            | fmi3_set_fmu_state(ptr::without_provenance_mut(state));
        free_fmu_state(state: Option<&mut usize>)
            = fmi2_free_fmu_state(place(state).cast()) | fmi3_free_fmu_state(place(state).cast());
        serialized_fmu_state_size(state: usize, size: Option<&mut usize>)
            = fmi2_serialized_fmu_state_size(ptr::without_provenance_mut(state), place(size))
            | fmi3_serialized_fmu_state_size(ptr::without_provenance_mut(state), place(size));
        serialize_fmu_state(state: usize, bytes: &mut Array<u8>, count: usize)
            = fmi2_serialize_fmu_state(ptr::without_provenance_mut(state), bytes.output(count).cast(), count)
            | fmi3_serialize_fmu_state(ptr::without_provenance_mut(state), bytes.output(count), count);
        deserialize_fmu_state(bytes: &Array<u8>, count: usize, state: Option<&mut usize>)
            = fmi2_deserialize_fmu_state(bytes.input(count).cast(), count, place(state).cast())
            | fmi3_deserialize_fmu_state(bytes.input(count), count, place(state).cast());
        get_directional_derivative(
            unknowns: References<'_>, unknown_count: usize, knowns: References<'_>, known_count: usize,
            seeds: &Array<f64>, seed_count: usize, result: &mut Array<f64>, result_count: usize
        ) = fmi2_get_directional_derivative(
                unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
                seeds.input(known_count), result.output(unknown_count)
            ) | fmi3_get_directional_derivative(
                unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
                seeds.input(seed_count), seed_count, result.output(result_count), result_count
            );
        get_output_derivatives(
            references: References<'_>, count: usize, orders: &Array<c_int>, values: &mut Array<f64>, size: usize
        ) = fmi2_get_real_output_derivatives(references.input(count), count, orders.input(count), values.output(count))
            | fmi3_get_output_derivatives(
                references.input(count), count, orders.input(count), values.output(size), size
            );
        enter_event_mode() = fmi2_enter_event_mode() | fmi3_enter_event_mode();
        enter_continuous_time_mode() = fmi2_enter_continuous_time_mode() | fmi3_enter_continuous_time_mode();
        set_time(time: f64) = fmi2_set_time(time) | fmi3_set_time(time);
        set_continuous_states(states: &Array<f64>, count: usize)
            = fmi2_set_continuous_states(states.input(count), count)
            | fmi3_set_continuous_states(states.input(count), count);
        get_derivatives(values: &mut Array<f64>, count: usize)
            = fmi2_get_derivatives(values.output(count), count)
            | fmi3_get_continuous_state_derivatives(values.output(count), count);
        get_event_indicators(values: &mut Array<f64>, count: usize)
            = fmi2_get_event_indicators(values.output(count), count)
            | fmi3_get_event_indicators(values.output(count), count);
        get_continuous_states(values: &mut Array<f64>, count: usize)
            = fmi2_get_continuous_states(values.output(count), count)
            | fmi3_get_continuous_states(values.output(count), count);
        get_nominals(values: &mut Array<f64>, count: usize)
            = fmi2_get_nominals(values.output(count), count) | fmi3_get_nominals(values.output(count), count);
    }
    fmi2 {
        setup_experiment(it: Experiment) = fmi2_setup_experiment(
            it.tolerance.is_some().into(), it.tolerance.unwrap_or(f64::NAN), it.start, it.stop_defined.into(), it.stop
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
        set_real_input_derivatives(
            references: References<'_>, count: usize, orders: &Array<c_int>, values: &Array<f64>
        ) = fmi2_set_real_input_derivatives(references.input(count), count, orders.input(count), values.input(count));
        cancel_step() = fmi2_cancel_step();
        get_status(kind: c_int, value: Option<&mut c_int>) = fmi2_get_status(kind, place(value));
        get_real_status(kind: c_int, value: Option<&mut f64>) = fmi2_get_real_status(kind, place(value));
        get_integer_status(kind: c_int, value: Option<&mut c_int>) = fmi2_get_integer_status(kind, place(value));
        get_boolean_status(kind: c_int, value: Option<&mut c_int>) = fmi2_get_boolean_status(kind, place(value));
        get_string_status(kind: c_int, value: Option<&mut usize>) = fmi2_get_string_status(kind, place(value).cast());
    }
    fmi3 {
        get_items(references: References<'_>, count: usize, values: &mut Array<i64>, size: usize)
            = fmi3_get_int64(references.input(count), count, values.output(size), size);
        set_items(references: References<'_>, count: usize, values: &Array<i64>, size: usize)
            = fmi3_set_int64(references.input(count), count, values.input(size), size);
        get_rows(references: References<'_>, count: usize, values: &mut Array<u64>, size: usize)
            = fmi3_get_uint64(references.input(count), count, values.output(size), size);
        set_rows(references: References<'_>, count: usize, values: &Array<u64>, size: usize)
            = fmi3_set_uint64(references.input(count), count, values.input(size), size);
        get_adjoint_derivative(
            unknowns: References<'_>, unknown_count: usize, knowns: References<'_>, known_count: usize,
            seeds: &Array<f64>, seed_count: usize, result: &mut Array<f64>, result_count: usize
        ) = fmi3_get_adjoint_derivative(
            unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
            seeds.input(seed_count), seed_count, result.output(result_count), result_count
        );
        get_number_of_variable_dependencies(reference: c_uint, count: Option<&mut usize>)
            = fmi3_get_number_of_variable_dependencies(reference, place(count));
        get_variable_dependencies(
            reference: c_uint, elements: &mut Array<usize>, independents: &mut Array<c_uint>,
            independent_elements: &mut Array<usize>, kinds: &mut Array<c_int>, count: usize
        ) = fmi3_get_variable_dependencies(
            reference, elements.output(count), independents.output(count), independent_elements.output(count),
            kinds.output(count), count
        );
        enter_configuration_mode() = fmi3_enter_configuration_mode();
        exit_configuration_mode() = fmi3_exit_configuration_mode();
        enter_step_mode() = fmi3_enter_step_mode();
        evaluate_discrete_states() = fmi3_evaluate_discrete_states();
        activate_model_partition() = fmi3_activate_model_partition(0, 0.0);
        get_number_of_continuous_states(count: Option<&mut usize>)
            = fmi3_get_number_of_continuous_states(place(count));
        get_number_of_event_indicators(count: Option<&mut usize>) = fmi3_get_number_of_event_indicators(place(count));
    }
}

/// The calls for types of which there are no variables.
macro_rules! others {
    ($($name:literal = $function:ident($($null:expr),*);)*) => {
        /// Their names.
        pub(crate) const WITHOUT_VARIABLES: &[&str] = &[$($name),*];

        impl Instance {
            /// One of these functions, with NULL instead of values.
            pub fn without_variables(&self, function: &str, references: References<'_>, count: usize) -> c_int {
                // SAFETY: see above.
                unsafe {
                    match function {
                        $($name => fmi3::$function(self.component, references.input(count), count $(, $null)*),)*
                        _ => unreachable!("{function}"),
                    }
                }
            }
        }
    };
}

const NONE: *mut c_void = ptr::null_mut();

others! {
    "GetFloat32" = fmi3_get_float32(NONE, 0);
    "SetFloat32" = fmi3_set_float32(NONE, 0);
    "GetInt8" = fmi3_get_int8(NONE, 0);
    "SetInt8" = fmi3_set_int8(NONE, 0);
    "GetUInt8" = fmi3_get_uint8(NONE, 0);
    "SetUInt8" = fmi3_set_uint8(NONE, 0);
    "GetInt16" = fmi3_get_int16(NONE, 0);
    "SetInt16" = fmi3_set_int16(NONE, 0);
    "GetUInt16" = fmi3_get_uint16(NONE, 0);
    "SetUInt16" = fmi3_set_uint16(NONE, 0);
    "GetUInt32" = fmi3_get_uint32(NONE, 0);
    "SetUInt32" = fmi3_set_uint32(NONE, 0);
    "GetBinary" = fmi3_get_binary(ptr::null_mut(), NONE, 0);
    "SetBinary" = fmi3_set_binary(ptr::null(), NONE, 0);
    "GetClock" = fmi3_get_clock(NONE);
    "SetClock" = fmi3_set_clock(NONE);
    "GetIntervalDecimal" = fmi3_get_interval_decimal(ptr::null_mut(), ptr::null_mut());
    "GetIntervalFraction" = fmi3_get_interval_fraction(ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
    "GetShiftDecimal" = fmi3_get_shift_decimal(ptr::null_mut());
    "GetShiftFraction" = fmi3_get_shift_fraction(ptr::null_mut(), ptr::null_mut());
    "SetIntervalDecimal" = fmi3_set_interval_decimal(ptr::null());
    "SetIntervalFraction" = fmi3_set_interval_fraction(ptr::null(), ptr::null());
    "SetShiftDecimal" = fmi3_set_shift_decimal(ptr::null());
    "SetShiftFraction" = fmi3_set_shift_fraction(ptr::null(), ptr::null());
}

/// A truth value that no library writes.
pub(crate) const UNDECIDED: c_int = 7;

/// Truth values of a call and a time, and which of them is NULL.
pub(crate) struct Answers<const N: usize> {
    flags: [u8; N],
    /// The last of the results.
    pub time: f64,
    null: Option<usize>,
}

impl<const N: usize> Answers<N> {
    pub fn without(null: Option<usize>) -> Self {
        Self { flags: [UNDECIDED as u8; N], time: f64::NAN, null }
    }

    /// The answers of a call that has succeeded.
    pub fn read(&self) -> [bool; N] {
        assert!(self.flags.iter().all(|flag| matches!(flag, 0 | 1)), "{:?}", self.flags);
        self.flags.map(|flag| flag == 1)
    }

    fn flag(&mut self, number: usize) -> *mut bool {
        if self.null == Some(number) { ptr::null_mut() } else { ptr::from_mut(&mut self.flags[number]).cast() }
    }

    fn time(&mut self) -> *mut f64 {
        if self.null == Some(N) { ptr::null_mut() } else { &raw mut self.time }
    }
}

impl Instance {
    /// `fmi2GetBoolean` and `fmi3GetBoolean`
    pub fn get_boolean(
        &self,
        references: References<'_>,
        count: usize,
        values: &mut Array<c_int>,
        size: usize,
    ) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi2 {
                return ffi::fmi2_get_boolean(self.component, references.input(count), count, values.output(count));
            }
            let mut bytes = Array(values.0.as_ref().map(|values| values.iter().map(|value| *value as u8).collect()));
            let output = bytes.output(size).cast();
            let status = fmi3::fmi3_get_boolean(self.component, references.input(count), count, output, size);
            values.0 = bytes.0.map(|bytes| bytes.iter().map(|byte| c_int::from(*byte)).collect());
            status
        }
    }

    /// `fmi2SetBoolean` and `fmi3SetBoolean`
    pub fn set_boolean(&self, references: References<'_>, count: usize, values: &Array<c_int>, size: usize) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi2 {
                return ffi::fmi2_set_boolean(self.component, references.input(count), count, values.input(count));
            }
            let bytes = Array(values.0.as_ref().map(|values| {
                values.iter().map(|value| if *value == 0 { 0 } else { (*value as u8).max(1) }).collect()
            }));
            fmi3::fmi3_set_boolean(self.component, references.input(count), count, bytes.input(size), size)
        }
    }

    /// `fmi2DoStep`, and `fmi3DoStep` with its answers: whether there is an event, whether the simulation ends, whether it
    /// returns early; and the time.
    pub fn do_step(&self, point: f64, h: f64, no_set_state_prior: bool, answers: &mut Answers<3>) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi2 {
                return ffi::fmi2_do_step(self.component, point, h, no_set_state_prior.into());
            }
            let [event, end, early] = [0, 1, 2].map(|number| answers.flag(number));
            fmi3::fmi3_do_step(self.component, point, h, no_set_state_prior.into(), event, end, early, answers.time())
        }
    }

    /// `fmi2NewDiscreteStates` and `fmi3UpdateDiscreteStates`; in FMI 2.0 all answers are NULL, if one is.
    pub fn new_discrete_states(&self, answers: &mut Answers<5>) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi3 {
                let [again, end, nominals, states, defined] = [0, 1, 2, 3, 4].map(|number| answers.flag(number));
                let time = answers.time();
                return fmi3::fmi3_update_discrete_states(self.component, again, end, nominals, states, defined, time);
            }
            let mut info = UNWRITTEN;
            let place = if answers.null.is_some() { ptr::null_mut() } else { &raw mut info };
            let status = ffi::fmi2_new_discrete_states(self.component, place);
            let flags = [
                info.new_discrete_states_needed,
                info.terminate_simulation,
                info.nominals_of_continuous_states_changed,
                info.values_of_continuous_states_changed,
                info.next_event_time_defined,
            ];
            answers.flags = flags.map(|flag| u8::try_from(flag).unwrap_or(u8::MAX));
            answers.time = info.next_event_time;
            status
        }
    }

    /// `fmi2CompletedIntegratorStep` and `fmi3CompletedIntegratorStep`: whether there is an event, whether the simulation
    /// ends. `nulls` says which of the answers have no place.
    pub fn completed_integrator_step(
        &self,
        no_set_state_prior: bool,
        nulls: [bool; 2],
        answers: &mut [c_int; 2],
    ) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi2 {
                let mut number = 0;
                let places = answers.each_mut().map(|answer| {
                    number += 1;
                    if nulls[number - 1] { ptr::null_mut() } else { ptr::from_mut(answer) }
                });
                let prior = no_set_state_prior.into();
                return ffi::fmi2_completed_integrator_step(self.component, prior, places[0], places[1]);
            }
            let mut bytes = [UNDECIDED as u8; 2];
            let [first, second] = &mut bytes;
            let first = if nulls[0] { ptr::null_mut() } else { ptr::from_mut(first).cast() };
            let second = if nulls[1] { ptr::null_mut() } else { ptr::from_mut(second).cast() };
            let prior = no_set_state_prior.into();
            let status = fmi3::fmi3_completed_integrator_step(self.component, prior, first, second);
            *answers = bytes.map(c_int::from);
            status
        }
    }
}

/// A value that no library writes to all fields.
const UNWRITTEN: EventInfo = EventInfo {
    new_discrete_states_needed: c_int::MIN,
    terminate_simulation: c_int::MIN,
    nominals_of_continuous_states_changed: c_int::MIN,
    values_of_continuous_states_changed: c_int::MIN,
    next_event_time_defined: c_int::MIN,
    next_event_time: f64::NAN,
};
