//! The shared library inside the FMUs of systems.

fmu_runtime::export!(model = || systems::system(Vec::new()));
