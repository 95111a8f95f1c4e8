//! Instances through the C interface of both standards: every call with exact arrays, whose pointers may be NULL.
//!
//! # Safety
//!
//! An instance was made by a function for that and is freed once. [`Array`] says how arrays keep to their counts. States
//! are numbers: the library must find out whether one is valid.

#![allow(clippy::too_many_arguments)]

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::ptr;

use c_interface::{CInstance, EventInfo, Fmi2, Fmi3, Message, Setup};
use fmu_builder::Standard;

use crate::components::Prepared;
use crate::variables::Variables;

pub(crate) const OK: c_int = 0;
pub(crate) const DISCARD: c_int = 2;
pub(crate) const ERROR: c_int = 3;

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

/// Standard, interface and event handling of an instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub standard: Standard,
    pub co_simulation: bool,
    /// `eventModeUsed` and `earlyReturnAllowed` of Co-Simulation of FMI 3.0.
    pub events: [bool; 2],
}

impl From<u8> for Kind {
    /// Reads the kind from bits: FMI 2.0 and Co-Simulation, unless they say otherwise.
    fn from(code: u8) -> Self {
        let standard = if code & 128 == 0 { Standard::Fmi2 } else { Standard::Fmi3 };
        Self { standard, co_simulation: code & 32 == 0, events: [false; 2] }
    }
}

impl Kind {
    /// Returns both interfaces of both standards.
    pub fn all() -> [Self; 4] {
        [0, 32, 128, 160].map(Self::from)
    }
}

/// An instance, freed when it is dropped.
pub(crate) struct Instance {
    pub prepared: &'static Prepared,
    pub kind: Kind,
    /// Standard whose functions are called.
    pub called: Standard,
    fmi: Option<CInstance>,
}

pub(crate) const NAME: &str = "50 % of #1#";

/// Returns the usual arguments of an importer that makes an instance.
pub(crate) fn setup(prepared: &Prepared, kind: Kind) -> Setup<'_> {
    Setup {
        name: Some(NAME.as_bytes()),
        location: Some(prepared.location.as_bytes()),
        event_mode: kind.events[0],
        early_return: kind.events[1],
        logging_on: true,
        ..Setup::new(kind.co_simulation.into(), &prepared.description.guid)
    }
}

impl Instance {
    pub fn new(prepared: &'static Prepared, kind: Kind, logging_on: bool) -> Self {
        let made = prepared.api(kind.standard).instantiate(Setup { logging_on, ..setup(prepared, kind) });
        let fmi = made.unwrap_or_else(|messages| panic!("{messages:?}"));
        Self { prepared, kind, called: kind.standard, fmi: Some(fmi) }
    }

    /// Returns no instance, NULL.
    pub fn null(prepared: &'static Prepared, kind: Kind) -> Self {
        prepared.api(kind.standard).free_null();
        Self { prepared, kind, called: kind.standard, fmi: None }
    }

    pub fn is_null(&self) -> bool {
        self.fmi.is_none()
    }

    fn component(&self) -> *mut c_void {
        self.fmi.as_ref().map_or(ptr::null_mut(), CInstance::component)
    }

    fn fmi2(&self) -> &Fmi2 {
        self.prepared.api(Standard::Fmi2).fmi2()
    }

    fn fmi3(&self) -> &Fmi3 {
        self.prepared.api(Standard::Fmi3).fmi3()
    }

    /// Returns the variables of the standard whose functions are called.
    pub fn variables(&self) -> &'static Variables {
        &self.prepared.variables[usize::from(self.called == Standard::Fmi3)]
    }

    /// Takes the messages so far.
    pub fn messages(&self) -> Vec<Message> {
        self.fmi.as_ref().map(CInstance::messages).unwrap_or_default()
    }

    /// Returns the bytes of a saved FMU state.
    pub fn bytes_of(&self, state: usize) -> Vec<u8> {
        let mut size = usize::MAX;
        assert_eq!(self.serialized_fmu_state_size(state, Some(&mut size)), OK);
        let mut bytes = Array::filled(0, size);
        assert_eq!(self.serialize_fmu_state(state, &mut bytes, size), OK);
        bytes.slice().to_vec()
    }

    /// Calls a function of FMI 3.0 for types of which there are no variables, with NULL for each pointer.
    pub fn without_variables(&self, function: &str, count: usize) -> c_int {
        self.prepared.api(Standard::Fmi3).call_with_nulls(&format!("fmi3{function}"), self.fmi.as_ref(), count) as c_int
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
                            Standard::Fmi2 => (self.fmi2().$two)(self.component() $(, $two_value)*),
                            Standard::Fmi3 => (self.fmi3().$three)(self.component() $(, $three_value)*),
                        }
                    }
                }
            )*
            $(
                pub fn $of_two(&self $(, $argument: $type)*) -> c_int {
                    // SAFETY: see above.
                    unsafe { (self.fmi2().$function)(self.component() $(, $value)*) }
                }
            )*
            $(
                pub fn $of_three(&self $(, $argument_3: $type_3)*) -> c_int {
                    // SAFETY: see above.
                    unsafe { (self.fmi3().$function_3)(self.component() $(, $value_3)*) }
                }
            )*
        }
    };
}

fn place<T>(place: Option<&mut T>) -> *mut T {
    place.map_or(ptr::null_mut(), ptr::from_mut)
}

/// Returns pointers to strings; `None` is NULL.
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
            = fmi2SetDebugLogging(on.into(), count, categories.input(count))
            | fmi3SetDebugLogging(on.into(), count, categories.input(count));
        enter_initialization_mode(it: Experiment)
            = fmi2EnterInitializationMode()
            | fmi3EnterInitializationMode(
                it.tolerance.is_some().into(), it.tolerance.unwrap_or(f64::NAN), it.start, it.stop_defined.into(), it.stop
            );
        exit_initialization_mode() = fmi2ExitInitializationMode() | fmi3ExitInitializationMode();
        terminate() = fmi2Terminate() | fmi3Terminate();
        reset() = fmi2Reset() | fmi3Reset();
        get_real(references: References<'_>, count: usize, values: &mut Array<f64>, size: usize)
            = fmi2GetReal(references.input(count), count, values.output(count))
            | fmi3GetFloat64(references.input(count), count, values.output(size), size);
        get_integer(references: References<'_>, count: usize, values: &mut Array<c_int>, size: usize)
            = fmi2GetInteger(references.input(count), count, values.output(count))
            | fmi3GetInt32(references.input(count), count, values.output(size), size);
        get_string(references: References<'_>, count: usize, values: &mut Array<*const c_char>, size: usize)
            = fmi2GetString(references.input(count), count, values.output(count))
            | fmi3GetString(references.input(count), count, values.output(size), size);
        set_real(references: References<'_>, count: usize, values: &Array<f64>, size: usize)
            = fmi2SetReal(references.input(count), count, values.input(count))
            | fmi3SetFloat64(references.input(count), count, values.input(size), size);
        set_integer(references: References<'_>, count: usize, values: &Array<c_int>, size: usize)
            = fmi2SetInteger(references.input(count), count, values.input(count))
            | fmi3SetInt32(references.input(count), count, values.input(size), size);
        set_string(references: References<'_>, count: usize, values: &Array<*const c_char>, size: usize)
            = fmi2SetString(references.input(count), count, values.input(count))
            | fmi3SetString(references.input(count), count, values.input(size), size);
        get_fmu_state(state: Option<&mut usize>)
            = fmi2GetFMUstate(place(state).cast()) | fmi3GetFMUState(place(state).cast());
        set_fmu_state(state: usize)
            = fmi2SetFMUstate(ptr::without_provenance_mut(state))
            | fmi3SetFMUState(ptr::without_provenance_mut(state));
        free_fmu_state(state: Option<&mut usize>)
            = fmi2FreeFMUstate(place(state).cast()) | fmi3FreeFMUState(place(state).cast());
        serialized_fmu_state_size(state: usize, size: Option<&mut usize>)
            = fmi2SerializedFMUstateSize(ptr::without_provenance_mut(state), place(size))
            | fmi3SerializedFMUStateSize(ptr::without_provenance_mut(state), place(size));
        serialize_fmu_state(state: usize, bytes: &mut Array<u8>, count: usize)
            = fmi2SerializeFMUstate(ptr::without_provenance_mut(state), bytes.output(count).cast(), count)
            | fmi3SerializeFMUState(ptr::without_provenance_mut(state), bytes.output(count), count);
        deserialize_fmu_state(bytes: &Array<u8>, count: usize, state: Option<&mut usize>)
            = fmi2DeSerializeFMUstate(bytes.input(count).cast(), count, place(state).cast())
            | fmi3DeserializeFMUState(bytes.input(count), count, place(state).cast());
        get_directional_derivative(
            unknowns: References<'_>, unknown_count: usize, knowns: References<'_>, known_count: usize,
            seeds: &Array<f64>, seed_count: usize, result: &mut Array<f64>, result_count: usize
        ) = fmi2GetDirectionalDerivative(
                unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
                seeds.input(known_count), result.output(unknown_count)
            ) | fmi3GetDirectionalDerivative(
                unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
                seeds.input(seed_count), seed_count, result.output(result_count), result_count
            );
        get_output_derivatives(
            references: References<'_>, count: usize, orders: &Array<c_int>, values: &mut Array<f64>, size: usize
        ) = fmi2GetRealOutputDerivatives(references.input(count), count, orders.input(count), values.output(count))
            | fmi3GetOutputDerivatives(
                references.input(count), count, orders.input(count), values.output(size), size
            );
        enter_event_mode() = fmi2EnterEventMode() | fmi3EnterEventMode();
        enter_continuous_time_mode() = fmi2EnterContinuousTimeMode() | fmi3EnterContinuousTimeMode();
        set_time(time: f64) = fmi2SetTime(time) | fmi3SetTime(time);
        set_continuous_states(states: &Array<f64>, count: usize)
            = fmi2SetContinuousStates(states.input(count), count)
            | fmi3SetContinuousStates(states.input(count), count);
        get_derivatives(values: &mut Array<f64>, count: usize)
            = fmi2GetDerivatives(values.output(count), count)
            | fmi3GetContinuousStateDerivatives(values.output(count), count);
        get_event_indicators(values: &mut Array<f64>, count: usize)
            = fmi2GetEventIndicators(values.output(count), count)
            | fmi3GetEventIndicators(values.output(count), count);
        get_continuous_states(values: &mut Array<f64>, count: usize)
            = fmi2GetContinuousStates(values.output(count), count)
            | fmi3GetContinuousStates(values.output(count), count);
        get_nominals(values: &mut Array<f64>, count: usize)
            = fmi2GetNominalsOfContinuousStates(values.output(count), count) | fmi3GetNominalsOfContinuousStates(values.output(count), count);
    }
    fmi2 {
        setup_experiment(it: Experiment) = fmi2SetupExperiment(
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
        sensitivity(
            unknowns: References<'_>, unknown_count: usize, knowns: References<'_>, known_count: usize, seeds: &Array<f64>,
            derivatives: &mut Array<f64>, indicators: &mut Array<f64>, indicator_count: usize
        ) = mechanics_sensitivity(
            unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
            seeds.input(known_count), derivatives.output(unknown_count), indicators.output(indicator_count), indicator_count
        );
        set_real_input_derivatives(
            references: References<'_>, count: usize, orders: &Array<c_int>, values: &Array<f64>
        ) = fmi2SetRealInputDerivatives(references.input(count), count, orders.input(count), values.input(count));
        cancel_step() = fmi2CancelStep();
        get_status(kind: c_int, value: Option<&mut c_int>) = fmi2GetStatus(kind, place(value));
        get_real_status(kind: c_int, value: Option<&mut f64>) = fmi2GetRealStatus(kind, place(value));
        get_integer_status(kind: c_int, value: Option<&mut c_int>) = fmi2GetIntegerStatus(kind, place(value));
        get_boolean_status(kind: c_int, value: Option<&mut c_int>) = fmi2GetBooleanStatus(kind, place(value));
        get_string_status(kind: c_int, value: Option<&mut usize>) = fmi2GetStringStatus(kind, place(value).cast());
    }
    fmi3 {
        get_items(references: References<'_>, count: usize, values: &mut Array<i64>, size: usize)
            = fmi3GetInt64(references.input(count), count, values.output(size), size);
        set_items(references: References<'_>, count: usize, values: &Array<i64>, size: usize)
            = fmi3SetInt64(references.input(count), count, values.input(size), size);
        get_rows(references: References<'_>, count: usize, values: &mut Array<u64>, size: usize)
            = fmi3GetUInt64(references.input(count), count, values.output(size), size);
        set_rows(references: References<'_>, count: usize, values: &Array<u64>, size: usize)
            = fmi3SetUInt64(references.input(count), count, values.input(size), size);
        get_adjoint_derivative(
            unknowns: References<'_>, unknown_count: usize, knowns: References<'_>, known_count: usize,
            seeds: &Array<f64>, seed_count: usize, result: &mut Array<f64>, result_count: usize
        ) = fmi3GetAdjointDerivative(
            unknowns.input(unknown_count), unknown_count, knowns.input(known_count), known_count,
            seeds.input(seed_count), seed_count, result.output(result_count), result_count
        );
        get_number_of_variable_dependencies(reference: c_uint, count: Option<&mut usize>)
            = fmi3GetNumberOfVariableDependencies(reference, place(count));
        get_variable_dependencies(
            reference: c_uint, elements: &mut Array<usize>, independents: &mut Array<c_uint>,
            independent_elements: &mut Array<usize>, kinds: &mut Array<c_int>, count: usize
        ) = fmi3GetVariableDependencies(
            reference, elements.output(count), independents.output(count), independent_elements.output(count),
            kinds.output(count), count
        );
        enter_configuration_mode() = fmi3EnterConfigurationMode();
        exit_configuration_mode() = fmi3ExitConfigurationMode();
        enter_step_mode() = fmi3EnterStepMode();
        evaluate_discrete_states() = fmi3EvaluateDiscreteStates();
        activate_model_partition() = fmi3ActivateModelPartition(0, 0.0);
        get_number_of_continuous_states(count: Option<&mut usize>)
            = fmi3GetNumberOfContinuousStates(place(count));
        get_number_of_event_indicators(count: Option<&mut usize>) = fmi3GetNumberOfEventIndicators(place(count));
    }
}

/// Value of a Boolean that no library writes.
pub(crate) const UNDECIDED: c_int = 7;

/// Booleans of a call and a time, and the number of the one that is NULL.
pub(crate) struct Answers<const N: usize> {
    flags: [u8; N],
    /// Time, the last of the results.
    pub time: f64,
    null: Option<usize>,
}

impl<const N: usize> Answers<N> {
    pub fn without(null: Option<usize>) -> Self {
        Self { flags: [UNDECIDED as u8; N], time: f64::NAN, null }
    }

    /// Returns the answers of a call that has succeeded.
    pub fn read(&self) -> [bool; N] {
        assert!(self.flags.iter().all(|flag| matches!(flag, 0 | 1)), "{:?}", self.flags);
        self.flags.map(|flag| flag == 1)
    }

    fn flag(&mut self, number: usize) -> *mut u8 {
        if self.null == Some(number) { ptr::null_mut() } else { ptr::from_mut(&mut self.flags[number]) }
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
                return (self.fmi2().fmi2GetBoolean)(
                    self.component(),
                    references.input(count),
                    count,
                    values.output(count),
                );
            }
            let mut bytes = Array(values.0.as_ref().map(|values| values.iter().map(|value| *value as u8).collect()));
            let output = bytes.output(size);
            let status = (self.fmi3().fmi3GetBoolean)(self.component(), references.input(count), count, output, size);
            values.0 = bytes.0.map(|bytes| bytes.iter().map(|byte| c_int::from(*byte)).collect());
            status
        }
    }

    /// `fmi2SetBoolean` and `fmi3SetBoolean`
    pub fn set_boolean(&self, references: References<'_>, count: usize, values: &Array<c_int>, size: usize) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi2 {
                return (self.fmi2().fmi2SetBoolean)(
                    self.component(),
                    references.input(count),
                    count,
                    values.input(count),
                );
            }
            let bytes = Array(values.0.as_ref().map(|values| {
                values.iter().map(|value| if *value == 0 { 0 } else { (*value as u8).max(1) }).collect()
            }));
            (self.fmi3().fmi3SetBoolean)(self.component(), references.input(count), count, bytes.input(size), size)
        }
    }

    /// `fmi2DoStep`, and `fmi3DoStep` with its answers: true if there is an event, if the simulation ends, if it
    /// returns early; and the time.
    pub fn do_step(&self, point: f64, h: f64, no_set_state_prior: bool, answers: &mut Answers<3>) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi2 {
                return (self.fmi2().fmi2DoStep)(self.component(), point, h, no_set_state_prior.into());
            }
            let [event, end, early] = [0, 1, 2].map(|number| answers.flag(number));
            (self.fmi3().fmi3DoStep)(
                self.component(),
                point,
                h,
                no_set_state_prior.into(),
                event,
                end,
                early,
                answers.time(),
            )
        }
    }

    /// `fmi2NewDiscreteStates` and `fmi3UpdateDiscreteStates`; in FMI 2.0 all answers are NULL, if one is.
    pub fn new_discrete_states(&self, answers: &mut Answers<5>) -> c_int {
        // SAFETY: see above.
        unsafe {
            if self.called == Standard::Fmi3 {
                let [again, end, nominals, states, defined] = [0, 1, 2, 3, 4].map(|number| answers.flag(number));
                let time = answers.time();
                return (self.fmi3().fmi3UpdateDiscreteStates)(
                    self.component(),
                    again,
                    end,
                    nominals,
                    states,
                    defined,
                    time,
                );
            }
            let mut info = UNWRITTEN;
            let place = if answers.null.is_some() { ptr::null_mut() } else { &raw mut info };
            let status = (self.fmi2().fmi2NewDiscreteStates)(self.component(), place);
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

    /// `fmi2CompletedIntegratorStep` and `fmi3CompletedIntegratorStep`: true if there is an event, and if the
    /// simulation ends. `nulls` says which of the answers have no place.
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
                return (self.fmi2().fmi2CompletedIntegratorStep)(self.component(), prior, places[0], places[1]);
            }
            let mut bytes = [UNDECIDED as u8; 2];
            let [first, second] = &mut bytes;
            let first = if nulls[0] { ptr::null_mut() } else { ptr::from_mut(first) };
            let second = if nulls[1] { ptr::null_mut() } else { ptr::from_mut(second) };
            let prior = no_set_state_prior.into();
            let status = (self.fmi3().fmi3CompletedIntegratorStep)(self.component(), prior, first, second);
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
