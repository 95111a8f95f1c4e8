//! The shared library inside the FMU of JointUSP.

fmu_runtime::export!(joint_usp::JointUSP<f64>);
