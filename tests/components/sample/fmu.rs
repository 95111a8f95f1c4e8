//! The shared library inside the sample's FMU.

fmu_runtime::export!(sample::Sample<f64>);
