//! Wheels that roll without slip on the plane z = 0 of the world.

mod set;
mod single;
mod upright;

use fmu_runtime::Scalar;
use mechanics::tree::{Body, Element, Pose};
use nalgebra::{Matrix3, Vector3};

pub use set::RollingWheelSetType;
pub use single::RollingWheelType;
pub use upright::RollingConstraintType;

/// Returns the body of a wheel in its frame, whose y-axis is that of the wheel.
#[allow(non_snake_case)]
fn wheel<T: Scalar>(frame: usize, m: T, [I_axis, I_long]: [T; 2]) -> Element<T> {
    let tensor = Matrix3::from_diagonal(&Vector3::new(I_long, I_axis, I_long));
    Element::Body { frame, body: Body { m, r_CM: Vector3::zeros(), I: tensor } }
}

/// Returns the ground at a frame.
fn ground<T: Scalar>(frame: usize) -> Element<T> {
    Element::Fixed { frame, pose: Pose::translation(Vector3::zeros()) }
}

/// Describes a length that must be positive.
fn not_positive<T: Scalar>(name: &str, length: T) -> Option<String> {
    #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "so it also rejects NaN")]
    let is_wrong = !(length.value() > 0.0);
    is_wrong.then(|| format!("{name} is {}, but must be positive", length.value()))
}
