//! The shared library inside the gripper's FMU.

fmu_runtime::export!(gripper::Gripper<f64>);
