//! The shared library inside the FMU of JointSSR.

fmu_runtime::export!(joint_ssr::JointSSR<f64>);
