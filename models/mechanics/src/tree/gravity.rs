//! What pulls bodies.

use nalgebra::Vector3;

use crate::Scalar;

/// Gravity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gravity<T: Scalar> {
    /// The same acceleration everywhere, resolved in the world frame, in m/s2.
    Uniform(Vector3<T>),
    /// Towards the origin of the world frame, with this standard gravitational parameter, in m3/s2.
    Point(T),
}

impl<T: Scalar> Gravity<T> {
    /// The acceleration at a place, resolved in the world frame.
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
