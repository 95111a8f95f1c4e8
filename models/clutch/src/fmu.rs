//! The shared library inside the clutch's FMU.

fmu_runtime::export!(clutch::Clutch<f64>);
