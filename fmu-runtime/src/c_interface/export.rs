//! The C functions of a shared library, made for one component.

/// Exports the 44 functions of FMI 2.0 and the 75 of FMI 3.0, `mechanics_declare`, `mechanics_linear` and `mechanics_law`
/// for a component, or for a model that a function makes. In WebAssembly, the component of a draft of FMI instead.
///
/// ```c
/// fmi2Status mechanics_linear(fmi2Component c, const fmi2ValueReference y[], size_t ny,
///                             const fmi2ValueReference z[], size_t nz, fmi2Real A[], fmi2Real b[]);
/// ```
///
/// It sets the inputs `z`, each named once, to zero; `b` (`ny`) are then the outputs `y`, and `A` (`ny` by `nz`, by rows)
/// their exact derivatives by `z`. Where the outputs are affine in these inputs, they are `A z + b`.
///
/// ```c
/// fmi2Status mechanics_law(fmi2Component c, int branch, const fmi2Real u[], const fmi2Real u_d[], size_t nu,
///                          fmi2Real y[], size_t ny);
/// ```
///
/// It sets `y` to the results of the component's law ([`Acausal`](crate::Acausal)) for a branch and the arguments `u`;
/// if `u_d` is not NULL, their derivatives along it instead. They follow from these arguments and the parameters only.
///
/// Use it once, in the crate of the shared library; see `models/bushing/src/fmu.rs`.
#[macro_export]
macro_rules! export {
    ($Component:ty) => {
        $crate::export!(model = $crate::component_model::<$Component>);
    };
    (model = $model:expr) => {
        #[cfg(not(target_family = "wasm"))]
        const _: () = {
            use ::core::ffi::{c_char, c_int, c_uint, c_void};
            use $crate::ffi::{self, EventInfo};

            #[unsafe(no_mangle)]
            extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
                c"default".as_ptr()
            }

            #[unsafe(no_mangle)]
            extern "C" fn fmi2GetVersion() -> *const c_char {
                c"2.0".as_ptr()
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn mechanics_declare(
                interface: u32,
                configuration: *const c_char,
                visitor: Option<ffi::DescribeCallback>,
                context: *mut c_void,
                resources: *const c_char,
                outline: c_int,
            ) -> c_int {
                // SAFETY: the arguments are passed on.
                unsafe { ffi::declare_to($model, interface, configuration, visitor, context, resources, outline) }
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
                // SAFETY: the arguments are passed on.
                unsafe { ffi::fmi2_instantiate($model, name, kind, guid, location, functions, visible, logging_on) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi2FreeInstance(component: *mut c_void) {
                // SAFETY: the arguments are passed on.
                unsafe { ffi::fmi2_free_instance(component) }
            }

            $crate::shims_of_fmi2!();
        };
        #[cfg(not(target_family = "wasm"))]
        $crate::export_fmi3!($model);
        #[cfg(target_family = "wasm")]
        const _: () = {
            struct Fmu;
            impl $crate::webassembly::Model for Fmu {
                fn model() -> ::std::boxed::Box<dyn $crate::ComponentModel> {
                    ($model)()
                }
            }
    $crate::webassembly::bindings::export_webassembly!(Fmu with_types_in $crate::webassembly::bindings);
        };
    };
}

/// The part of [`export!`](crate::export!) that is FMI 3.0.
#[doc(hidden)]
#[macro_export]
macro_rules! export_fmi3 {
    ($model:expr) => {
        const _: () = {
            use ::core::ffi::{c_char, c_int, c_uint, c_void};
            use $crate::fmi3;

            #[unsafe(no_mangle)]
            extern "C" fn fmi3GetVersion() -> *const c_char {
                c"3.0".as_ptr()
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi3InstantiateModelExchange(
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
                unsafe { fmi3::fmi3_instantiate_model_exchange($model, texts, logging_on, environment, logger) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi3InstantiateCoSimulation(
                name: *const c_char,
                token: *const c_char,
                resources: *const c_char,
                _visible: u8,
                logging_on: u8,
                event_mode_used: u8,
                early_return_allowed: u8,
                required_intermediate_variables: *const c_uint,
                required_count: usize,
                environment: *mut c_void,
                logger: Option<fmi3::Logger>,
                intermediate_update: Option<fmi3::IntermediateUpdate>,
            ) -> *mut c_void {
                let (texts, flags) = ([name, token, resources], [event_mode_used, early_return_allowed]);
                let required = (required_intermediate_variables, required_count);
                // SAFETY: the arguments are passed on.
                unsafe {
                    fmi3::fmi3_instantiate_co_simulation(
                        $model,
                        texts,
                        logging_on,
                        flags,
                        required,
                        environment,
                        logger,
                        intermediate_update,
                    )
                }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi3InstantiateScheduledExecution(
                name: *const c_char,
                token: *const c_char,
                resources: *const c_char,
                _visible: u8,
                logging_on: u8,
                environment: *mut c_void,
                logger: Option<fmi3::Logger>,
                _clock_update: *const c_void,
                _lock_preemption: *const c_void,
                _unlock_preemption: *const c_void,
            ) -> *mut c_void {
                // SAFETY: the arguments are passed on.
                unsafe { fmi3::fmi3_refuse(environment, logger) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fmi3FreeInstance(instance: *mut c_void) {
                // SAFETY: the arguments are passed on.
                unsafe { $crate::ffi::fmi2_free_instance(instance) }
            }

            $crate::shims_of_fmi3!();
        };
    };
}
