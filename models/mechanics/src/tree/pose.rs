//! Pose of one frame relative to another.

use nalgebra::{Matrix3, Vector3};

use crate::Scalar;

/// Pose of a second frame, seen from a first one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Pose<T: Scalar> {
    /// Origin of the second frame, resolved in the first one, in m.
    pub r: Vector3<T>,
    /// Rotation matrix from the first frame to the second one.
    pub T: Matrix3<T>,
}

impl<T: Scalar> Pose<T> {
    /// Makes the pose of a frame that is parallel to the first one.
    pub fn translation(r: Vector3<T>) -> Self {
        Self { r, T: Matrix3::identity() }
    }

    /// Returns the pose of a third frame, seen from the first one, that has the pose `next` seen from the second one.
    pub fn then(&self, next: &Self) -> Self {
        Self { r: self.r + self.T.tr_mul(&next.r), T: next.T * self.T }
    }

    /// Returns the pose of the first frame, seen from the second one.
    pub fn inverse(&self) -> Self {
        Self { r: -(self.T * self.r), T: self.T.transpose() }
    }

    /// Converts the pose to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Pose<U> {
        Pose { r: self.r.map(&to), T: self.T.map(&to) }
    }
}
