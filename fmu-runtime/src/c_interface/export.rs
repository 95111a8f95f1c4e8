//! The C functions of a shared library, made for one component.

/// Exports the 44 functions of FMI 2.0 and `mechanics_describe` for a component.
///
/// Used once, in the crate of the shared library; see `models/bushing/src/fmu.rs`.
#[macro_export]
macro_rules! export {
    ($Component:ty) => {
        const _: () = {
            use ::core::ffi::{c_char, c_int, c_uint, c_void};
            use $crate::ffi;

            #[unsafe(no_mangle)]
            extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
                c"default".as_ptr()
            }

            #[unsafe(no_mangle)]
            extern "C" fn fmi2GetVersion() -> *const c_char {
                c"2.0".as_ptr()
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn mechanics_describe(
                interface: u32,
                configuration: *const c_char,
                visitor: Option<ffi::DescribeCallback>,
                context: *mut c_void,
                resources: *const c_char,
                outline: c_int,
            ) -> c_int {
                let model = $crate::component_model::<$Component>;
                unsafe { ffi::describe_to(model, interface, configuration, visitor, context, resources, outline) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2Instantiate(
                name: *const c_char,
                kind: c_int,
                guid: *const c_char,
                location: *const c_char,
                functions: *const ffi::CallbackFunctions,
                visible: c_int,
                logging_on: c_int,
            ) -> *mut c_void {
                let model = $crate::component_model::<$Component>;
                unsafe { ffi::fmi2_instantiate(model, name, kind, guid, location, functions, visible, logging_on) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2FreeInstance(component: *mut c_void) {
                unsafe { ffi::fmi2_free_instance(component) }
            }

            $crate::shims! {
                fmi2SetDebugLogging = fmi2_set_debug_logging(
                    on: c_int, count: usize, categories: *const *const c_char
                );
                fmi2SetupExperiment = fmi2_setup_experiment(
                    tolerance_defined: c_int, tolerance: f64, start: f64, stop_defined: c_int, stop: f64
                );
                fmi2EnterInitializationMode = fmi2_enter_initialization_mode();
                fmi2ExitInitializationMode = fmi2_exit_initialization_mode();
                fmi2Terminate = fmi2_terminate();
                fmi2Reset = fmi2_reset();
                fmi2GetReal = fmi2_get_real(references: *const c_uint, count: usize, values: *mut f64);
                fmi2GetInteger = fmi2_get_integer(references: *const c_uint, count: usize, values: *mut c_int);
                fmi2GetBoolean = fmi2_get_boolean(references: *const c_uint, count: usize, values: *mut c_int);
                fmi2GetString = fmi2_get_string(references: *const c_uint, count: usize, values: *mut *const c_char);
                fmi2SetReal = fmi2_set_real(references: *const c_uint, count: usize, values: *const f64);
                fmi2SetInteger = fmi2_set_integer(references: *const c_uint, count: usize, values: *const c_int);
                fmi2SetBoolean = fmi2_set_boolean(references: *const c_uint, count: usize, values: *const c_int);
                fmi2SetString = fmi2_set_string(
                    references: *const c_uint, count: usize, values: *const *const c_char
                );
                fmi2GetFMUstate = fmi2_get_fmu_state(state: *mut *mut c_void);
                fmi2SetFMUstate = fmi2_set_fmu_state(state: *mut c_void);
                fmi2FreeFMUstate = fmi2_free_fmu_state(state: *mut *mut c_void);
                fmi2SerializedFMUstateSize = fmi2_serialized_fmu_state_size(state: *mut c_void, size: *mut usize);
                fmi2SerializeFMUstate = fmi2_serialize_fmu_state(
                    state: *mut c_void, bytes: *mut c_char, size: usize
                );
                fmi2DeSerializeFMUstate = fmi2_deserialize_fmu_state(
                    bytes: *const c_char, size: usize, state: *mut *mut c_void
                );
                fmi2GetDirectionalDerivative = fmi2_get_directional_derivative(
                    unknowns: *const c_uint, unknown_count: usize, knowns: *const c_uint, known_count: usize, seeds: *const f64, result: *mut f64
                );
                fmi2SetRealInputDerivatives = fmi2_set_real_input_derivatives(
                    references: *const c_uint, count: usize, orders: *const c_int, values: *const f64
                );
                fmi2GetRealOutputDerivatives = fmi2_get_real_output_derivatives(
                    references: *const c_uint, count: usize, orders: *const c_int, values: *mut f64
                );
                fmi2DoStep = fmi2_do_step(point: f64, h: f64, no_set_state_prior: c_int);
                fmi2CancelStep = fmi2_cancel_step();
                fmi2GetStatus = fmi2_get_status(kind: c_int, value: *mut c_int);
                fmi2GetRealStatus = fmi2_get_real_status(kind: c_int, value: *mut f64);
                fmi2GetIntegerStatus = fmi2_get_integer_status(kind: c_int, value: *mut c_int);
                fmi2GetBooleanStatus = fmi2_get_boolean_status(kind: c_int, value: *mut c_int);
                fmi2GetStringStatus = fmi2_get_string_status(kind: c_int, value: *mut *const c_char);
                fmi2EnterEventMode = fmi2_enter_event_mode();
                fmi2NewDiscreteStates = fmi2_new_discrete_states(info: *mut ffi::EventInfo);
                fmi2EnterContinuousTimeMode = fmi2_enter_continuous_time_mode();
                fmi2CompletedIntegratorStep = fmi2_completed_integrator_step(
                    no_set_state_prior: c_int, enter_event_mode: *mut c_int, terminate: *mut c_int
                );
                fmi2SetTime = fmi2_set_time(time: f64);
                fmi2SetContinuousStates = fmi2_set_continuous_states(states: *const f64, count: usize);
                fmi2GetDerivatives = fmi2_get_derivatives(derivatives: *mut f64, count: usize);
                fmi2GetEventIndicators = fmi2_get_event_indicators(indicators: *mut f64, count: usize);
                fmi2GetContinuousStates = fmi2_get_continuous_states(states: *mut f64, count: usize);
                fmi2GetNominalsOfContinuousStates = fmi2_get_nominals(nominals: *mut f64, count: usize);
            }
        };
    };
}

/// Exports one C function for each row; a part of [`export!`](crate::export!).
#[doc(hidden)]
#[macro_export]
macro_rules! shims {
    ($($name:ident = $function:ident($($argument:ident: $type:ty),*);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(component: *mut c_void $(, $argument: $type)*) -> c_int {
            unsafe { ffi::$function(component $(, $argument)*) }
        }
    )*};
}
