//! The functions of an instance as methods.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::{hint, ptr};

use crate::functions::{Callbacks, EventInfo};
use crate::log::{Message, messages_to, react, react_no_more};
use crate::{Api, Status};

/// Handle of an FMU state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FmuState(*mut c_void);

impl FmuState {
    /// No state.
    pub const NULL: Self = Self(ptr::null_mut());

    /// A handle that no library gave.
    pub fn invented(address: usize) -> Self {
        Self(ptr::without_provenance_mut(address))
    }
}

/// An instance, freed when it is dropped.
pub struct Slave {
    pub(crate) api: Api,
    pub(crate) component: *mut c_void,
    pub(crate) environment: usize,
    pub(crate) _callbacks: Option<Box<Callbacks>>,
}

// SAFETY: FMI lets successive calls on an instance come from different threads.
unsafe impl Send for Slave {}

impl Drop for Slave {
    fn drop(&mut self) {
        // SAFETY: it comes from `fmi2Instantiate` and is freed once.
        unsafe { (self.api.0.fmi2FreeInstance)(self.component) };
        messages_to(self.environment);
    }
}

/// Methods of [`Slave`] that call a function with pointers to its arguments.
macro_rules! methods {
    ($(
        $method:ident($($argument:ident: $type:ty),*) $($result:ident: $result_type:ty = $start:expr)?,
        $function:ident($($value:expr),*);
    )*) => {
        impl Slave {$(
            #[doc = concat!("`", stringify!($function), "`")]
            #[allow(clippy::wrong_self_convention)]
            pub fn $method(&self $(, $argument: $type)*) -> methods!(@type $($result_type)?) {
                $(let mut $result: $result_type = $start;)?
                // SAFETY: the instance lives, and the arrays have the length given.
                let status = unsafe { (self.api.0.$function)(self.component $(, $value)*) };
                methods!(@value status $(, $result)?)
            }
        )*}
    };
    (@type) => { Status };
    (@type $result:ty) => { (Status, $result) };
    (@value $status:ident) => { Status::from($status) };
    (@value $status:ident, $result:ident) => { (Status::from($status), $result) };
}

type Vr<'a> = &'a [u32];

methods! {
    setup_experiment(tolerance: Option<f64>, start: f64, stop: Option<f64>), fmi2SetupExperiment(
        c_int::from(tolerance.is_some()), tolerance.unwrap_or(f64::NAN), start,
        c_int::from(stop.is_some()), stop.unwrap_or(f64::NAN)
    );
    enter_initialization_mode(), fmi2EnterInitializationMode();
    exit_initialization_mode(), fmi2ExitInitializationMode();
    terminate(), fmi2Terminate();
    reset(), fmi2Reset();
    get_real(vr: Vr) values: Vec<f64> = vec![f64::NAN; vr.len()],
        fmi2GetReal(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    get_real_into(vr: Vr, values: &mut [f64]), fmi2GetReal(vr.as_ptr(), same(vr, values), values.as_mut_ptr());
    get_reals_counted(count: usize) value: f64 = f64::NAN, fmi2GetReal(&0, count, &mut value);
    set_reals_counted(count: usize), fmi2SetReal(&0, count, &0.0);
    get_integer(vr: Vr) values: Vec<i32> = vec![i32::MIN; vr.len()],
        fmi2GetInteger(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    get_boolean(vr: Vr) values: Vec<i32> = vec![i32::MIN; vr.len()],
        fmi2GetBoolean(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    get_c_strings(vr: Vr) values: Vec<*const c_char> = vec![ptr::null(); vr.len()],
        fmi2GetString(vr.as_ptr(), vr.len(), values.as_mut_ptr());
    set_real(vr: Vr, values: &[f64]), fmi2SetReal(vr.as_ptr(), same(vr, values), values.as_ptr());
    set_integer(vr: Vr, values: &[i32]), fmi2SetInteger(vr.as_ptr(), same(vr, values), values.as_ptr());
    set_boolean(vr: Vr, values: &[i32]), fmi2SetBoolean(vr.as_ptr(), same(vr, values), values.as_ptr());
    get_state(state: &mut FmuState), fmi2GetFMUstate(&mut state.0);
    set_state(state: FmuState), fmi2SetFMUstate(state.0);
    free_state(state: &mut FmuState), fmi2FreeFMUstate(&mut state.0);
    serialized_size(state: FmuState) size: usize = usize::MAX, fmi2SerializedFMUstateSize(state.0, &mut size);
    serialize(state: FmuState, bytes: &mut [u8]), fmi2SerializeFMUstate(state.0, bytes.as_mut_ptr().cast(), bytes.len());
    deserialize(bytes: &[u8], state: &mut FmuState),
        fmi2DeSerializeFMUstate(bytes.as_ptr().cast(), bytes.len(), &mut state.0);
    directional_derivative(unknowns: Vr, knowns: Vr, seeds: &[f64]) values: Vec<f64> = vec![f64::NAN; unknowns.len()],
        fmi2GetDirectionalDerivative(
            unknowns.as_ptr(), unknowns.len(), knowns.as_ptr(), same(knowns, seeds), seeds.as_ptr(), values.as_mut_ptr()
        );
    linear(outputs: Vr, inputs: Vr) values: [Vec<f64>; 2] =
        [vec![f64::NAN; outputs.len() * inputs.len()], vec![f64::NAN; outputs.len()]],
        mechanics_linear(
            outputs.as_ptr(), outputs.len(), inputs.as_ptr(), inputs.len(), values[0].as_mut_ptr(), values[1].as_mut_ptr()
        );
    law(branch: i32, arguments: &[f64], count: usize) values: Vec<f64> = vec![f64::NAN; count],
        mechanics_law(branch, arguments.as_ptr(), ptr::null(), arguments.len(), values.as_mut_ptr(), count);
    set_real_input_derivatives(vr: Vr, orders: &[i32], values: &[f64]),
        fmi2SetRealInputDerivatives(vr.as_ptr(), same(vr, orders).min(same(vr, values)), orders.as_ptr(), values.as_ptr());
    get_real_output_derivatives(vr: Vr, orders: &[i32]) values: Vec<f64> = vec![f64::NAN; vr.len()],
        fmi2GetRealOutputDerivatives(vr.as_ptr(), same(vr, orders), orders.as_ptr(), values.as_mut_ptr());
    do_step(point: f64, h: f64), fmi2DoStep(point, h, 1);
    do_step_and_maybe_return(point: f64, h: f64), fmi2DoStep(point, h, 0);
    cancel_step(), fmi2CancelStep();
    get_status(kind: i32) value: i32 = i32::MIN, fmi2GetStatus(kind, &mut value);
    get_real_status(kind: i32) value: f64 = f64::NAN, fmi2GetRealStatus(kind, &mut value);
    get_integer_status(kind: i32) value: i32 = i32::MIN, fmi2GetIntegerStatus(kind, &mut value);
    get_boolean_status(kind: i32) value: i32 = i32::MIN, fmi2GetBooleanStatus(kind, &mut value);
    get_string_status(kind: i32) value: *const c_char = ptr::null(), fmi2GetStringStatus(kind, &mut value);
    enter_event_mode(), fmi2EnterEventMode();
    new_discrete_states() info: EventInfo = UNWRITTEN, fmi2NewDiscreteStates(&mut info);
    enter_continuous_time_mode(), fmi2EnterContinuousTimeMode();
    completed_integrator_step() answers: [i32; 2] = [i32::MIN; 2],
        fmi2CompletedIntegratorStep(1, &raw mut answers[0], &raw mut answers[1]);
    set_time(time: f64), fmi2SetTime(time);
    set_continuous_states(states: &[f64]), fmi2SetContinuousStates(states.as_ptr(), states.len());
    get_derivatives(count: usize) values: Vec<f64> = vec![f64::NAN; count], fmi2GetDerivatives(values.as_mut_ptr(), count);
    get_event_indicators(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetEventIndicators(values.as_mut_ptr(), count);
    get_continuous_states(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetContinuousStates(values.as_mut_ptr(), count);
    get_nominals(count: usize) values: Vec<f64> = vec![f64::NAN; count],
        fmi2GetNominalsOfContinuousStates(values.as_mut_ptr(), count);
}

/// What no library writes into all six fields.
const UNWRITTEN: EventInfo = EventInfo {
    new_discrete_states_needed: i32::MIN,
    terminate_simulation: i32::MIN,
    nominals_of_continuous_states_changed: i32::MIN,
    values_of_continuous_states_changed: i32::MIN,
    next_event_time_defined: i32::MIN,
    next_event_time: f64::NAN,
};

/// The common length of two arrays of a call.
fn same<A, B>(one: &[A], other: &[B]) -> usize {
    assert_eq!(one.len(), other.len(), "arrays of one call have one length");
    one.len()
}

impl Slave {
    /// Takes the messages logged so far.
    pub fn messages(&self) -> Vec<Message> {
        messages_to(self.environment)
    }

    /// `fmi2SetDebugLogging`
    pub fn set_debug_logging(&self, on: bool, categories: &[&str]) -> Status {
        let categories: Vec<_> = categories.iter().map(|name| CString::new(*name).expect("no zero inside")).collect();
        let pointers: Vec<_> = categories.iter().map(|name| name.as_ptr()).collect();
        let function = self.api.0.fmi2SetDebugLogging;
        // SAFETY: the instance lives, and the strings live during the call.
        unsafe { function(self.component, c_int::from(on), pointers.len(), pointers.as_ptr()) }.into()
    }

    /// `fmi2GetString`
    pub fn get_string(&self, vr: Vr) -> (Status, Vec<Option<String>>) {
        self.get_string_read_after(vr, || ())
    }

    /// `fmi2GetString`, where the strings are not read before something else was done, which must not
    /// get strings.
    pub fn get_string_read_after(&self, vr: Vr, something: impl FnOnce()) -> (Status, Vec<Option<String>>) {
        let (status, pointers) = self.get_c_strings(vr);
        something();
        // SAFETY: not written, or strings that live until this is called on this instance again.
        let text = |pointer: *const c_char| (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(pointer) });
        let owned = |pointer| text(pointer).map(|text| text.to_string_lossy().into_owned());
        (status, pointers.into_iter().map(owned).collect())
    }

    /// `fmi2FreeInstance`, and what was logged then.
    pub fn free(self) -> Vec<Message> {
        let slave = ManuallyDrop::new(self);
        slave.messages();
        // SAFETY: it comes from `fmi2Instantiate` and is not used again; nor is what is taken out of it.
        let api = unsafe {
            (slave.api.0.fmi2FreeInstance)(slave.component);
            ptr::read(&slave.api)
        };
        drop(api);
        messages_to(slave.environment)
    }

    /// `fmi2FreeInstance` too early: the instance is still used, and freed again when it is dropped. Only the libraries
    /// of this project allow that.
    pub fn free_too_early(&self) {
        // SAFETY: these libraries refuse calls with an instance that was freed.
        unsafe { (self.api.0.fmi2FreeInstance)(self.component) };
    }

    /// Lets the logger free the instance at the first line about an unknown category; gives the lines that came.
    pub fn free_while_logging(self, unknown: &str) -> Vec<Message> {
        let slave = ManuallyDrop::new(self);
        let (free, component) = (slave.api.0.fmi2FreeInstance, slave.component);
        let freed = Cell::new(false);
        react(move |_| {
            if !freed.replace(true) {
                // SAFETY: it comes from `fmi2Instantiate` and is not used again.
                unsafe { free(component) };
            }
        });
        slave.set_debug_logging(true, &[unknown]);
        react_no_more();
        // SAFETY: nor is what is taken out of it.
        drop(unsafe { ptr::read(&slave.api) });
        messages_to(slave.environment)
    }

    /// Gives the library back without freeing the instance.
    pub fn abandon(self) {
        let slave = ManuallyDrop::new(self);
        // SAFETY: it is not used again.
        drop(unsafe { ptr::read(&slave.api) });
    }

    /// `fmi2SetString`; `None` stands for NULL.
    pub fn set_string(&self, vr: Vr, values: &[Option<&[u8]>]) -> Status {
        let mut values: Vec<_> = values.iter().map(|value| value.map(|value| [value, b"\0"].concat())).collect();
        let pointers: Vec<_> =
            values.iter().map(|value| value.as_ref().map_or(ptr::null(), |v| v.as_ptr().cast())).collect();
        // SAFETY: the instance lives, and the strings live during the call.
        let status =
            unsafe { (self.api.0.fmi2SetString)(self.component, vr.as_ptr(), same(vr, &pointers), pointers.as_ptr()) };
        // Who kept a pointer to a value will notice.
        values.iter_mut().flatten().for_each(|value| value.fill(b'!'));
        hint::black_box(&values);
        status.into()
    }
}
