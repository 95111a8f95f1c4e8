//! How the second frame of a part moves relative to the first one, as start values say it.

use fmu_runtime::Scalar;
use mechanics::euler::{Sequence, wrap};
use mechanics::frame::Relative;
use nalgebra::Vector3;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// The position, resolved in the first frame, in m.
    Position,
    /// Its rate, in m/s.
    Velocity,
    /// The Euler angles of this sequence, in rad.
    Angles(Sequence),
    /// Their rates, in rad/s.
    Rates(Sequence),
    /// The angular velocity, resolved in the first frame, in rad/s.
    Inboard,
    /// The same, resolved in the second frame.
    Outboard,
}

/// One of three components of a relative motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component<T> {
    /// Its quantity.
    pub of: Quantity,
    /// Which of the three.
    pub i: usize,
    /// The start values of all three.
    pub start: Vector3<T>,
}

impl<T: Scalar> Component<T> {
    /// The same in another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Component<U> {
        Component { of: self.of, i: self.i, start: self.start.map(to) }
    }

    /// By how much it has to change; rates of angles as the angular velocity, resolved in the first frame.
    pub fn missing(&self, relative: &Relative<T>) -> T {
        let Relative { r, v, T: rotation, omega } = relative;
        let angles = |sequence: Sequence| sequence.angles(rotation, T::zero()).theta;
        let missing = match self.of {
            Quantity::Position => self.start - r,
            Quantity::Velocity => self.start - v,
            Quantity::Angles(sequence) => (self.start - angles(sequence)).map(wrap),
            Quantity::Rates(sequence) => sequence.jacobian(&angles(sequence)) * self.start - omega,
            Quantity::Inboard => self.start - omega,
            Quantity::Outboard => self.start - rotation * omega,
        };
        missing[self.i]
    }
}
