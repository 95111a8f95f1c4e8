//! The shared library inside the FMU of JointSSP.

fmu_runtime::export!(joint_ssp::JointSSP<f64>);
