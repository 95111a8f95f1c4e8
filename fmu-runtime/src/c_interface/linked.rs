//! Components that are linked into a program, which finds their functions by names, as in a shared library.

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::{ffi, fmi3};
use crate::component::component_model::ComponentModel;

/// A component that is linked into a program.
pub trait Linked: 'static {
    /// Makes the model.
    fn model() -> Box<dyn ComponentModel>;
}

/// Returns the function of this name that a component's library would have.
///
/// Its type in C is that of the header of FMI, or of [`export!`](crate::export!).
pub fn function<L: Linked>(name: &str) -> Option<*const ()> {
    Some(match name {
        "mechanics_declare" => declare::<L> as *const (),
        "fmi2GetTypesPlatform" => types_platform as *const (),
        "fmi2GetVersion" => version_2 as *const (),
        "fmi2Instantiate" => instantiate::<L> as *const (),
        "fmi2FreeInstance" | "fmi3FreeInstance" => free as *const (),
        "fmi3GetVersion" => version_3 as *const (),
        "fmi3InstantiateModelExchange" => model_exchange::<L> as *const (),
        "fmi3InstantiateCoSimulation" => co_simulation::<L> as *const (),
        "fmi3InstantiateScheduledExecution" => scheduled_execution as *const (),
        _ => return fmi3::function(name).or_else(|| ffi::function(name)),
    })
}

/// The function `mechanics_declare` of a component.
///
/// # Safety
///
/// As for the function that [`export!`](crate::export!) makes: texts end with NUL, and `context` is what `sink` takes.
pub unsafe extern "C" fn declare<L: Linked>(
    interface: u32,
    configuration: *const c_char,
    sink: ffi::DescribeCallback,
    context: *mut c_void,
    resources: *const c_char,
    outline: c_int,
) -> c_int {
    // SAFETY: the arguments are passed on.
    unsafe { ffi::declare_to(L::model, interface, configuration, Some(sink), context, resources, outline) }
}

extern "C" fn types_platform() -> *const c_char {
    c"default".as_ptr()
}

extern "C" fn version_2() -> *const c_char {
    c"2.0".as_ptr()
}

extern "C" fn version_3() -> *const c_char {
    c"3.0".as_ptr()
}

unsafe extern "C" fn instantiate<L: Linked>(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    location: *const c_char,
    functions: *const ffi::CallbackFunctions,
    visible: c_int,
    logging_on: c_int,
) -> *mut c_void {
    // SAFETY: the arguments are passed on.
    unsafe { ffi::fmi2_instantiate(L::model, name, kind, guid, location, functions, visible, logging_on) }
}

unsafe extern "C" fn model_exchange<L: Linked>(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: u8,
    logging_on: u8,
    environment: *mut c_void,
    logger: Option<fmi3::Logger>,
) -> *mut c_void {
    let texts = [name, token, resources];
    // SAFETY: the arguments are passed on.
    unsafe { fmi3::fmi3_instantiate_model_exchange(L::model, texts, logging_on, environment, logger) }
}

#[allow(clippy::too_many_arguments, reason = "those of FMI")]
unsafe extern "C" fn co_simulation<L: Linked>(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: u8,
    logging_on: u8,
    event_mode_used: u8,
    early_return_allowed: u8,
    required: *const c_uint,
    required_count: usize,
    environment: *mut c_void,
    logger: Option<fmi3::Logger>,
    update: Option<fmi3::IntermediateUpdate>,
) -> *mut c_void {
    let (texts, flags) = ([name, token, resources], [event_mode_used, early_return_allowed]);
    let required = (required, required_count);
    // SAFETY: the arguments are passed on.
    unsafe {
        fmi3::fmi3_instantiate_co_simulation(L::model, texts, logging_on, flags, required, environment, logger, update)
    }
}

#[allow(clippy::too_many_arguments, reason = "those of FMI")]
unsafe extern "C" fn scheduled_execution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: u8,
    _logging_on: u8,
    environment: *mut c_void,
    logger: Option<fmi3::Logger>,
    _clock_update: *const c_void,
    _lock_preemption: *const c_void,
    _unlock_preemption: *const c_void,
) -> *mut c_void {
    // SAFETY: the arguments are passed on.
    unsafe { fmi3::fmi3_refuse(environment, logger) }
}

unsafe extern "C" fn free(instance: *mut c_void) {
    // SAFETY: the arguments are passed on.
    unsafe { ffi::fmi2_free_instance(instance) }
}
