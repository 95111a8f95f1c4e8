//! The C functions of a shared library, made for one component.

/// Exports the 44 functions of FMI 2.0 and the 75 of FMI 3.0, `mechanics_declare`, `mechanics_linear`, `mechanics_law`,
/// `mechanics_sensitivity` and `mechanics3_sensitivity` for a component, or for a model that a function makes. In
/// WebAssembly, the component of a draft of FMI instead.
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
/// ```c
/// fmi2Status mechanics_sensitivity(fmi2Component c, const fmi2ValueReference y[], size_t ny,
///                                  const fmi2ValueReference p[], size_t np, const fmi2Real dp[],
///                                  fmi2Real dy[], fmi2Real dz[], size_t nz);
/// ```
///
/// In event and in continuous-time mode, it sets `dy` and `dz` to the derivatives of the computed values `y` and of all event
/// indicators along the direction `dp` of the states, inputs and parameters `p`, with the modes that hold;
/// what the FMU remembers besides its states counts as constant. For instances of FMI 3.0, whose variables may be arrays, it is
///
/// ```c
/// fmi3Status mechanics3_sensitivity(fmi3Instance c, const fmi3ValueReference y[], size_t ny,
///                                   const fmi3ValueReference p[], size_t np, const fmi3Float64 dp[], size_t ndp,
///                                   fmi3Float64 dy[], size_t ndy, fmi3Float64 dz[], size_t nz);
/// ```
///
/// Use it once, in the crate of the shared library; see `models/bushing/src/fmu.rs`.
#[macro_export]
macro_rules! export {
    ($Component:ty) => {
        $crate::export!(model = $crate::component_model::<$Component>);
    };
    (model = $model:expr) => {
        const _: () = {
            struct Fmu;
            impl $crate::linked::Linked for Fmu {
                fn model() -> ::std::boxed::Box<dyn $crate::ComponentModel> {
                    ($model)()
                }
            }

            #[cfg(not(target_family = "wasm"))]
            const _: () = {
                use ::core::ffi::{c_char, c_int, c_uint, c_void};
                use $crate::ffi::{self, EventInfo};
                use $crate::{fmi3, linked};

                $crate::shims_of_component!(Fmu);
                $crate::shims_of_fmi2!();
                $crate::shims_of_fmi3!();
            };
            #[cfg(target_family = "wasm")]
    $crate::webassembly::bindings::export_webassembly!(Fmu with_types_in $crate::webassembly::bindings);
        };
    };
}
