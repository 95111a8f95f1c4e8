//! Gravity on the bodies of a mechanism.

use nalgebra::Vector3;

use crate::Scalar;

/// Field of gravity, uniform or towards a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gravity<T: Scalar> {
    /// A uniform acceleration, resolved in the world frame, in m/s2.
    Uniform(Vector3<T>),
    /// An acceleration towards the origin of the world frame, with this standard gravitational parameter, in m3/s2.
    Point(T),
}

impl<T: Scalar> Gravity<T> {
    /// Returns the acceleration of gravity at a place, resolved in the world frame.
    pub fn at(&self, r_0: &Vector3<T>) -> Vector3<T> {
        match self {
            Self::Uniform(g) => *g,
            Self::Point(mue) => {
                let distance = r_0.norm();
                r_0 * (-*mue / (distance * distance * distance))
            }
        }
    }
}
