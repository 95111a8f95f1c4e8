//! The shared library inside the FMU of JointRRR.

fmu_runtime::export!(joint_rrr::JointRRR<f64>);
