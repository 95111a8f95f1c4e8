//! The shared library inside the bushing's FMU.

fmu_runtime::export!(bushing::Bushing<f64>);
