//! The shared library inside the brake's FMU.

fmu_runtime::export!(brake::Brake<f64>);
