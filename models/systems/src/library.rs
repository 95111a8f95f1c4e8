//! The shared library inside the FMUs of systems.

fmu_runtime::export!(model = || systems::system(systems::parts::types()));
