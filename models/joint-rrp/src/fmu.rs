//! The shared library inside the FMU of JointRRP.

fmu_runtime::export!(joint_rrp::JointRRP<f64>);
