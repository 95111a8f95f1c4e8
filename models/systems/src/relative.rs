//! How the second frame of a part moves relative to the first one, as start values say it.

use fmu_runtime::Scalar;
use mechanics::euler::Sequence;
use mechanics::frame::Relative;
use mechanics::rotation::rotation_vector;
use nalgebra::Vector3;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// The position, resolved in the first frame, in m.
    Position,
    /// Its rate, in m/s.
    Velocity,
    /// The orientation that has these Euler angles in this sequence, in rad.
    Orientation(Sequence),
    /// The rates of these angles, in rad/s.
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
    /// The start values of the Euler angles, whose rates are meant.
    pub angles: Vector3<T>,
}

impl<T: Scalar> Component<T> {
    /// The same in another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Component<U> {
        Component { of: self.of, i: self.i, start: self.start.map(&to), angles: self.angles.map(&to) }
    }

    /// By how much it has to change: an orientation by a rotation vector, resolved in the second frame, since Euler angles are
    /// not unique; rates of angles as the angular velocity, resolved in the first frame.
    pub fn missing(&self, relative: &Relative<T>) -> T {
        let Relative { r, v, T: rotation, omega } = relative;
        let missing = match self.of {
            Quantity::Position => self.start - r,
            Quantity::Velocity => self.start - v,
            Quantity::Orientation(sequence) => {
                let [i, j, k] = sequence.axes();
                let missing = rotation_vector(&(sequence.rotation(&self.start) * rotation.transpose()));
                // Where an axis is there twice, the other one takes its place.
                Vector3::new(missing[i], missing[j], missing[if k == i { 3 - i - j } else { k }])
            }
            Quantity::Rates(sequence) => {
                let angles = sequence.angles_on_branch(rotation, self.angles[0], &self.angles).theta;
                sequence.jacobian(&angles) * self.start - omega
            }
            Quantity::Inboard => self.start - omega,
            Quantity::Outboard => self.start - rotation * omega,
        };
        missing[self.i]
    }
}
