//! The part of `Component` that all assemblies share.

/// Implements `Component` for a model with the structure options `Structure`; the icon is next to its sources.
/// `NAMES` are its name in messages and that of axis 1 of its universal joint, if it has one.
#[macro_export]
macro_rules! component {
    ($Name:ident, $axis1:literal, $description:literal) => {
        const NAMES: $crate::Names<'static> = $crate::Names { assembly: stringify!($Name), axis1: $axis1 };

        impl ::fmu_runtime::Component for $Name<f64> {
            const INFO: ::fmu_runtime::Info = ::fmu_runtime::Info {
                name: stringify!($Name),
                description: $description,
                icon: include_str!("../icon.svg"),
                packages: &[(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")), $crate::PACKAGE, $crate::MECHANICS],
                experiment: ::fmu_runtime::DefaultExperiment {
                    start_time: 0.0,
                    stop_time: 10.0,
                    step_size: 1e-3,
                    tolerance: 1e-6,
                },
            };
            type Structure = Structure;
            type Data = ();
            type In<T: ::fmu_runtime::Scalar> = $Name<T>;
        }
    };
}
