//! The C functions that make instances of a component and declare it: those of its library, and those that a program finds
//! by their names where the component is linked into it.

use std::ffi::{c_char, c_int, c_uint, c_void};

use super::{ffi, fmi3};
use crate::component::component_model::ComponentModel;
use crate::instance::lifecycle::{EventHandling, Interface};

/// A component whose C functions are made.
pub trait Linked: 'static {
    /// Makes the model.
    fn model() -> Box<dyn ComponentModel>;
}

/// Makes the C functions of a component, from one row for each: its name in C and here, its arguments and its result.
macro_rules! functions {
    ($($name:ident = $function:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $body:block)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "` of a component")]
            ///
            /// # Safety
            ///
            /// The arguments are what FMI promises; of `mechanics_declare`, texts end with NUL, and `context` is what `sink`
            /// takes.
            #[allow(clippy::too_many_arguments, unused_unsafe, reason = "the arguments are those of FMI")]
            pub unsafe extern "C" fn $function<L: Linked>($($argument: $type),*) $(-> $result)? {
                // SAFETY: the arguments are passed on.
                unsafe { $body }
            }
        )*

        /// Returns the function of this name that a component's library would have.
        ///
        /// Its type in C is that of the header of FMI, or of [`export!`](crate::export!).
        pub fn function<L: Linked>(name: &str) -> Option<*const ()> {
            Some(match name {
                $(stringify!($name) => $function::<L> as *const (),)*
                _ => return fmi3::function(name).or_else(|| ffi::function(name)),
            })
        }

        /// The C functions that have a row; a part of [`export!`](crate::export!).
        #[doc(hidden)]
        #[macro_export]
        macro_rules! shims_of_component {
            ($Component:ty) => {$(
                #[unsafe(no_mangle)]
                unsafe extern "C" fn $name($($argument: $type),*) $(-> $result)? {
                    // SAFETY: the arguments are passed on.
                    unsafe { linked::$function::<$Component>($($argument),*) }
                }
            )*};
        }
    };
}

functions! {
    mechanics_declare = declare(
        interface: u32, configuration: *const c_char, sink: Option<ffi::DescribeCallback>, context: *mut c_void,
        resources: *const c_char, detail: c_int
    ) -> c_int {
        ffi::declare_to(L::model, interface, configuration, sink, context, resources, detail)
    }
    fmi2GetTypesPlatform = types_platform() -> *const c_char { c"default".as_ptr() }
    fmi2GetVersion = version_2() -> *const c_char { c"2.0".as_ptr() }
    fmi2Instantiate = instantiate(
        name: *const c_char, kind: c_int, guid: *const c_char, location: *const c_char,
        functions: *const ffi::CallbackFunctions, visible: c_int, logging_on: c_int
    ) -> *mut c_void {
        ffi::fmi2_instantiate(L::model, name, kind, guid, location, functions, visible, logging_on)
    }
    fmi2FreeInstance = free_2(instance: *mut c_void) { ffi::fmi2_free_instance(instance) }
    fmi3GetVersion = version_3() -> *const c_char { c"3.0".as_ptr() }
    fmi3InstantiateModelExchange = model_exchange(
        name: *const c_char, token: *const c_char, resources: *const c_char, _visible: u8, logging_on: u8,
        environment: *mut c_void, logger: Option<fmi3::Logger>
    ) -> *mut c_void {
        let (interface, events) = (Interface::ModelExchange, EventHandling::Inside);
        let texts = [name, token, resources];
        fmi3::fmi3_instantiate(L::model, interface, events, texts, logging_on, environment, logger, None)
    }
    fmi3InstantiateCoSimulation = co_simulation(
        name: *const c_char, token: *const c_char, resources: *const c_char, _visible: u8, logging_on: u8,
        event_mode_used: u8, early_return_allowed: u8, required: *const c_uint, required_count: usize,
        environment: *mut c_void, logger: Option<fmi3::Logger>, update: Option<fmi3::IntermediateUpdate>
    ) -> *mut c_void {
        let may_return_early = early_return_allowed != 0;
        let (interface, texts) = (Interface::CoSimulation, [name, token, resources]);
        let events = EventHandling::new(event_mode_used != 0, may_return_early);
        let updates = fmi3::requested_updates(required, required_count, may_return_early, environment, update);
        fmi3::fmi3_instantiate(L::model, interface, events, texts, logging_on, environment, logger, updates)
    }
    fmi3InstantiateScheduledExecution = scheduled_execution(
        _name: *const c_char, _token: *const c_char, _resources: *const c_char, _visible: u8, _logging_on: u8,
        environment: *mut c_void, logger: Option<fmi3::Logger>, _clock_update: *const c_void,
        _lock_preemption: *const c_void, _unlock_preemption: *const c_void
    ) -> *mut c_void {
        fmi3::fmi3_refuse(environment, logger)
    }
    fmi3FreeInstance = free_3(instance: *mut c_void) { ffi::fmi2_free_instance(instance) }
}
