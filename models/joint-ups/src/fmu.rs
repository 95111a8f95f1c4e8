//! The shared library inside the FMU of JointUPS.

fmu_runtime::export!(joint_ups::JointUPS<f64>);
