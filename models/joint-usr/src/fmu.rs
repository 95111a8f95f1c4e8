//! The shared library inside the FMU of JointUSR.

fmu_runtime::export!(joint_usr::JointUSR<f64>);
