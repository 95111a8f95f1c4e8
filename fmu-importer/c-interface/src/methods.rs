//! The functions of an instance as methods, for both standards.

use std::ffi::{c_char, c_int};
use std::ptr;

use crate::fmi2::EventInfo;
use crate::functions::{MISSING, Status};
use crate::instance::{CInstance, FmuState};
use crate::standard::Functions;
use crate::variables::Variables;

/// Methods of [`CInstance`] that call a function with pointers to its arguments: that of FMI 2.0 or that of FMI 3.0, `_` where
/// there is none, which gives [`Status::Missing`].
macro_rules! methods {
    ($(
        $visibility:vis fn $method:ident($($argument:ident: $type:ty),*) $($result:ident: $result_type:ty = $start:expr)?,
        $two:tt $(($($value_2:expr),*))? | $three:tt $(($($value_3:expr),*))?;
    )*) => {
        impl CInstance {$(
            #[doc = concat!("`", stringify!($two), "` or `", stringify!($three), "`")]
            #[allow(clippy::wrong_self_convention)]
            $visibility fn $method(&self $(, $argument: $type)*) -> methods!(@type $($result_type)?) {
                $(let mut $result: $result_type = $start;)?
                // SAFETY: the instance lives, and the arrays have the length given.
                let status = unsafe {
                    match &self.api.0 {
                        Functions::Fmi2(_functions) => methods!(@call _functions self $two $($($value_2),*)?),
                        Functions::Fmi3(_functions) => methods!(@call _functions self $three $($($value_3),*)?),
                    }
                };
                methods!(@value status $(, $result)?)
            }
        )*}
    };
    (@type) => { Status };
    (@type $result:ty) => { (Status, $result) };
    (@call $functions:ident $self:ident _) => { MISSING };
    (@call $functions:ident $self:ident $function:ident $($value:expr),*) => {
        ($functions.$function)($self.component $(, $value)*)
    };
    (@value $status:ident) => { Status::from($status) };
    (@value $status:ident, $result:ident) => { (Status::from($status), $result) };
}

type Vr<'a> = &'a [u32];

methods! {
    pub fn setup_experiment(tolerance: Option<f64>, start: f64, stop: Option<f64>), fmi2SetupExperiment(
        c_int::from(tolerance.is_some()), tolerance.unwrap_or(f64::NAN), start,
        c_int::from(stop.is_some()), stop.unwrap_or(f64::NAN)
    ) | _;
    pub fn enter_initialization_mode(), fmi2EnterInitializationMode()
        | fmi3EnterInitializationMode(0, f64::NAN, 0.0, 0, f64::NAN);
    pub fn enter_initialization_mode_of(tolerance: Option<f64>, start: f64, stop: Option<f64>),
        _ | fmi3EnterInitializationMode(
            tolerance.is_some().into(), tolerance.unwrap_or(f64::NAN), start, stop.is_some().into(), stop.unwrap_or(f64::NAN)
        );
    pub fn exit_initialization_mode(), fmi2ExitInitializationMode() | fmi3ExitInitializationMode();
    pub fn terminate(), fmi2Terminate() | fmi3Terminate();
    pub fn reset(), fmi2Reset() | fmi3Reset();
    pub fn get_real(vr: &(impl Variables + ?Sized)) values: Vec<f64> = vec![f64::NAN; vr.size()],
        fmi2GetReal(vr.references().as_ptr(), same(vr.references(), &values), values.as_mut_ptr())
        | fmi3GetFloat64(vr.references().as_ptr(), vr.references().len(), values.as_mut_ptr(), values.len());
    pub fn get_real_into(vr: Vr, values: &mut [f64]), fmi2GetReal(vr.as_ptr(), same(vr, values), values.as_mut_ptr())
        | fmi3GetFloat64(vr.as_ptr(), vr.len(), values.as_mut_ptr(), values.len());
    pub fn get_reals_counted(count: usize) value: f64 = f64::NAN, fmi2GetReal(&0, count, &mut value) | _;
    pub fn set_reals_counted(count: usize), fmi2SetReal(&0, count, &0.0) | _;
    pub fn get_integer(vr: &(impl Variables + ?Sized)) values: Vec<i32> = vec![i32::MIN; vr.size()],
        fmi2GetInteger(vr.references().as_ptr(), same(vr.references(), &values), values.as_mut_ptr())
        | fmi3GetInt32(vr.references().as_ptr(), vr.references().len(), values.as_mut_ptr(), values.len());
    pub(crate) fn get_items_3(vr: &(impl Variables + ?Sized)) values: Vec<i64> = vec![i64::MIN; vr.size()],
        _ | fmi3GetInt64(vr.references().as_ptr(), vr.references().len(), values.as_mut_ptr(), values.len());
    pub fn get_row_counts(vr: Vr) values: Vec<u64> = vec![u64::MAX; vr.len()],
        _ | fmi3GetUInt64(vr.as_ptr(), vr.len(), values.as_mut_ptr(), values.len());
    pub(crate) fn get_booleans_2(vr: &(impl Variables + ?Sized)) values: Vec<c_int> = vec![c_int::MIN; vr.size()],
        fmi2GetBoolean(vr.references().as_ptr(), same(vr.references(), &values), values.as_mut_ptr()) | _;
    pub(crate) fn get_booleans_3(vr: &(impl Variables + ?Sized)) values: Vec<u8> = vec![NO_TRUTH_VALUE; vr.size()],
        _ | fmi3GetBoolean(vr.references().as_ptr(), vr.references().len(), values.as_mut_ptr(), values.len());
    pub fn get_c_strings(vr: &(impl Variables + ?Sized)) values: Vec<*const c_char> = vec![ptr::null(); vr.size()],
        fmi2GetString(vr.references().as_ptr(), same(vr.references(), &values), values.as_mut_ptr())
        | fmi3GetString(vr.references().as_ptr(), vr.references().len(), values.as_mut_ptr(), values.len());
    pub fn set_real(vr: Vr, values: &[f64]), fmi2SetReal(vr.as_ptr(), same(vr, values), values.as_ptr())
        | fmi3SetFloat64(vr.as_ptr(), vr.len(), values.as_ptr(), values.len());
    pub fn set_integer(vr: Vr, values: &[i32]), fmi2SetInteger(vr.as_ptr(), same(vr, values), values.as_ptr())
        | fmi3SetInt32(vr.as_ptr(), vr.len(), values.as_ptr(), values.len());
    pub(crate) fn set_items_3(vr: Vr, values: &[i64]),
        _ | fmi3SetInt64(vr.as_ptr(), vr.len(), values.as_ptr(), values.len());
    pub fn set_row_counts(vr: Vr, values: &[u64]),
        _ | fmi3SetUInt64(vr.as_ptr(), vr.len(), values.as_ptr(), values.len());
    pub(crate) fn set_booleans_2(vr: Vr, values: &[c_int]),
        fmi2SetBoolean(vr.as_ptr(), same(vr, values), values.as_ptr()) | _;
    pub(crate) fn set_booleans_3(vr: Vr, values: &[u8]),
        _ | fmi3SetBoolean(vr.as_ptr(), vr.len(), values.as_ptr(), values.len());
    pub(crate) fn set_c_strings(vr: Vr, values: &[*const c_char]), fmi2SetString(vr.as_ptr(), same(vr, values), values.as_ptr())
        | fmi3SetString(vr.as_ptr(), vr.len(), values.as_ptr(), values.len());
    pub(crate) fn set_debug_logging_of(on: bool, categories: &[*const c_char]),
        fmi2SetDebugLogging(on.into(), categories.len(), categories.as_ptr())
        | fmi3SetDebugLogging(on.into(), categories.len(), categories.as_ptr());
    pub fn get_state(state: &mut FmuState), fmi2GetFMUstate(&mut state.0) | fmi3GetFMUState(&mut state.0);
    pub fn set_state(state: FmuState), fmi2SetFMUstate(state.0) | fmi3SetFMUState(state.0);
    pub fn free_state(state: &mut FmuState), fmi2FreeFMUstate(&mut state.0) | fmi3FreeFMUState(&mut state.0);
    pub fn serialized_size(state: FmuState) size: usize = usize::MAX,
        fmi2SerializedFMUstateSize(state.0, &mut size) | fmi3SerializedFMUStateSize(state.0, &mut size);
    pub fn serialize(state: FmuState, bytes: &mut [u8]),
        fmi2SerializeFMUstate(state.0, bytes.as_mut_ptr().cast(), bytes.len())
        | fmi3SerializeFMUState(state.0, bytes.as_mut_ptr(), bytes.len());
    pub fn deserialize(bytes: &[u8], state: &mut FmuState),
        fmi2DeSerializeFMUstate(bytes.as_ptr().cast(), bytes.len(), &mut state.0)
        | fmi3DeserializeFMUState(bytes.as_ptr(), bytes.len(), &mut state.0);
    pub fn directional_derivative(unknowns: &(impl Variables + ?Sized), knowns: Vr, seeds: &[f64])
        values: Vec<f64> = vec![f64::NAN; unknowns.size()],
        fmi2GetDirectionalDerivative(
            unknowns.references().as_ptr(), same(unknowns.references(), &values),
            knowns.as_ptr(), same(knowns, seeds), seeds.as_ptr(), values.as_mut_ptr()
        ) | fmi3GetDirectionalDerivative(
            unknowns.references().as_ptr(), unknowns.references().len(), knowns.as_ptr(), knowns.len(),
            seeds.as_ptr(), seeds.len(), values.as_mut_ptr(), values.len()
        );
    pub fn adjoint_derivative(unknowns: Vr, knowns: &(impl Variables + ?Sized), seeds: &[f64])
        values: Vec<f64> = vec![f64::NAN; knowns.size()],
        _ | fmi3GetAdjointDerivative(
            unknowns.as_ptr(), unknowns.len(), knowns.references().as_ptr(), knowns.references().len(),
            seeds.as_ptr(), seeds.len(), values.as_mut_ptr(), values.len()
        );
    pub(crate) fn number_of_variable_dependencies(dependent: u32) count: usize = 0,
        _ | fmi3GetNumberOfVariableDependencies(dependent, &mut count);
    pub(crate) fn dependency_arrays(dependent: u32, count: usize)
        arrays: (Vec<usize>, Vec<u32>, Vec<usize>, Vec<c_int>) =
            (vec![0; count], vec![0; count], vec![0; count], vec![c_int::MIN; count]),
        _ | fmi3GetVariableDependencies(
            dependent, arrays.0.as_mut_ptr(), arrays.1.as_mut_ptr(), arrays.2.as_mut_ptr(), arrays.3.as_mut_ptr(), count
        );
    pub fn linear(outputs: Vr, inputs: Vr) values: [Vec<f64>; 2] =
        [vec![f64::NAN; outputs.len() * inputs.len()], vec![f64::NAN; outputs.len()]],
        mechanics_linear(
            outputs.as_ptr(), outputs.len(), inputs.as_ptr(), inputs.len(), values[0].as_mut_ptr(), values[1].as_mut_ptr()
        ) | _;
    pub fn law(branch: i32, arguments: &[f64], count: usize) values: Vec<f64> = vec![f64::NAN; count],
        mechanics_law(branch, arguments.as_ptr(), ptr::null(), arguments.len(), values.as_mut_ptr(), count) | _;
    pub fn sensitivity(unknowns: &(impl Variables + ?Sized), knowns: Vr, seeds: &[f64], indicators: usize)
        values: [Vec<f64>; 2] = [vec![f64::NAN; unknowns.size()], vec![f64::NAN; indicators]],
        mechanics_sensitivity(
            unknowns.references().as_ptr(), same(unknowns.references(), &values[0]), knowns.as_ptr(), same(knowns, seeds),
            seeds.as_ptr(), values[0].as_mut_ptr(), values[1].as_mut_ptr(), indicators
        ) | mechanics3_sensitivity(
            unknowns.references().as_ptr(), unknowns.references().len(), knowns.as_ptr(), knowns.len(),
            seeds.as_ptr(), seeds.len(), values[0].as_mut_ptr(), values[0].len(), values[1].as_mut_ptr(), indicators
        );
    pub fn set_real_input_derivatives(vr: Vr, orders: &[i32], values: &[f64]),
        fmi2SetRealInputDerivatives(
            vr.as_ptr(), same(vr, orders).min(same(vr, values)), orders.as_ptr(), values.as_ptr()
        ) | _;
    pub fn get_real_output_derivatives(vr: &(impl Variables + ?Sized), orders: &[i32])
        values: Vec<f64> = vec![f64::NAN; vr.size()],
        fmi2GetRealOutputDerivatives(
            vr.references().as_ptr(), same(vr.references(), orders).min(same(vr.references(), &values)),
            orders.as_ptr(), values.as_mut_ptr()
        ) | fmi3GetOutputDerivatives(
            vr.references().as_ptr(), same(vr.references(), orders), orders.as_ptr(), values.as_mut_ptr(), values.len()
        );
    pub fn do_step(point: f64, h: f64), fmi2DoStep(point, h, 1)
        | fmi3DoStep(point, h, 1, &mut 0, &mut 0, &mut 0, &mut 0.0);
    pub fn do_step_and_maybe_return(point: f64, h: f64), fmi2DoStep(point, h, 0)
        | fmi3DoStep(point, h, 0, &mut 0, &mut 0, &mut 0, &mut 0.0);
    pub fn do_step_to_event(point: f64, h: f64) end: StepEnd = StepEnd::UNWRITTEN,
        _ | fmi3DoStep(point, h, 1, &mut end.event, &mut end.terminate, &mut end.early, &mut end.time);
    pub fn cancel_step(), fmi2CancelStep() | _;
    pub fn get_status(kind: i32) value: i32 = i32::MIN, fmi2GetStatus(kind, &mut value) | _;
    pub fn get_real_status(kind: i32) value: f64 = f64::NAN, fmi2GetRealStatus(kind, &mut value) | _;
    pub fn get_integer_status(kind: i32) value: i32 = i32::MIN, fmi2GetIntegerStatus(kind, &mut value) | _;
    pub fn get_boolean_status(kind: i32) value: i32 = i32::MIN, fmi2GetBooleanStatus(kind, &mut value) | _;
    pub fn get_string_status(kind: i32) value: *const c_char = ptr::null(), fmi2GetStringStatus(kind, &mut value) | _;
    pub fn enter_configuration_mode(), _ | fmi3EnterConfigurationMode();
    pub fn exit_configuration_mode(), _ | fmi3ExitConfigurationMode();
    pub fn enter_step_mode(), _ | fmi3EnterStepMode();
    pub fn evaluate_discrete_states(), _ | fmi3EvaluateDiscreteStates();
    pub fn enter_event_mode(), fmi2EnterEventMode() | fmi3EnterEventMode();
    pub(crate) fn new_discrete_states_2() info: EventInfo = UNWRITTEN, fmi2NewDiscreteStates(&mut info) | _;
    pub(crate) fn update_discrete_states() answers: ([u8; 5], f64) = ([NO_TRUTH_VALUE; 5], f64::NAN),
        _ | fmi3UpdateDiscreteStates(
            &raw mut answers.0[0], &raw mut answers.0[1], &raw mut answers.0[2], &raw mut answers.0[3],
            &raw mut answers.0[4], &raw mut answers.1
        );
    pub fn enter_continuous_time_mode(), fmi2EnterContinuousTimeMode() | fmi3EnterContinuousTimeMode();
    pub(crate) fn completed_integrator_step_2() answers: [c_int; 2] = [c_int::MIN; 2],
        fmi2CompletedIntegratorStep(1, &raw mut answers[0], &raw mut answers[1]) | _;
    pub(crate) fn completed_integrator_step_3() answers: [u8; 2] = [NO_TRUTH_VALUE; 2],
        _ | fmi3CompletedIntegratorStep(1, &raw mut answers[0], &raw mut answers[1]);
    pub fn set_time(time: f64), fmi2SetTime(time) | fmi3SetTime(time);
    pub fn set_continuous_states(states: &[f64]), fmi2SetContinuousStates(states.as_ptr(), states.len())
        | fmi3SetContinuousStates(states.as_ptr(), states.len());
    pub fn get_derivatives(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetDerivatives(values.as_mut_ptr(), count) | fmi3GetContinuousStateDerivatives(values.as_mut_ptr(), count);
    pub fn get_event_indicators(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetEventIndicators(values.as_mut_ptr(), count) | fmi3GetEventIndicators(values.as_mut_ptr(), count);
    pub fn get_continuous_states(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetContinuousStates(values.as_mut_ptr(), count) | fmi3GetContinuousStates(values.as_mut_ptr(), count);
    pub fn get_nominals(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetNominalsOfContinuousStates(values.as_mut_ptr(), count)
        | fmi3GetNominalsOfContinuousStates(values.as_mut_ptr(), count);
    pub fn number_of_event_indicators() count: usize = usize::MAX, _ | fmi3GetNumberOfEventIndicators(&mut count);
}

/// A byte that no library writes as a Boolean.
const NO_TRUTH_VALUE: u8 = 7;

/// End of a step of FMI 3.0; the flags are bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepEnd {
    /// `eventHandlingNeeded`
    pub event: u8,
    /// `terminateSimulation`
    pub terminate: u8,
    /// `earlyReturn`
    pub early: u8,
    /// `lastSuccessfulTime`
    pub time: f64,
}

impl StepEnd {
    const UNWRITTEN: Self =
        Self { event: NO_TRUTH_VALUE, terminate: NO_TRUTH_VALUE, early: NO_TRUTH_VALUE, time: f64::NAN };
}

/// Values that no library writes into all six fields.
const UNWRITTEN: EventInfo = EventInfo {
    new_discrete_states_needed: i32::MIN,
    terminate_simulation: i32::MIN,
    nominals_of_continuous_states_changed: i32::MIN,
    values_of_continuous_states_changed: i32::MIN,
    next_event_time_defined: i32::MIN,
    next_event_time: f64::NAN,
};

/// Returns the common length of two arrays of a call.
fn same<A, B>(one: &[A], other: &[B]) -> usize {
    assert_eq!(one.len(), other.len(), "arrays of one call have one length");
    one.len()
}
