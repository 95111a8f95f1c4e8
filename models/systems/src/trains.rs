//! The shared library inside the FMUs of systems without parts in space.

fmu_runtime::export!(model = || systems::system(Vec::new()));
