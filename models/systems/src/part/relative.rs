//! Motion of the second frame of a part relative to the first one, as start values give it.

use fmu_runtime::Scalar;
use mechanics::compliance::rates_of_angles;
use mechanics::euler::{Sequence, wrap};
use mechanics::frame::Relative;
use mechanics::rotation::rotation_vector;
use nalgebra::Vector3;

/// Quantity of a relative motion that has a start value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// The position, resolved in the first frame, in m.
    Position,
    /// The rate of the position, in m/s.
    Velocity,
    /// The orientation that has these Euler angles in this sequence, in rad.
    Orientation(Sequence),
    /// The Euler angles in this sequence, each on its own, in rad.
    Angles(Sequence),
    /// The rates of the Euler angles in this sequence, in rad/s, all three together.
    Rates(Sequence),
    /// The rates of the Euler angles in this sequence, each on its own.
    AngleRates(Sequence),
    /// The angular velocity, resolved in the first frame, in rad/s.
    Inboard,
    /// The angular velocity, resolved in the second frame, in rad/s.
    Outboard,
}

/// One of three components of a relative motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component<T> {
    /// Quantity of which this is a component.
    pub of: Quantity,
    /// Index of the component.
    pub i: usize,
    /// Start values of all three components.
    pub start: Vector3<T>,
    /// Start values of the Euler angles whose rates are meant.
    pub angles: Vector3<T>,
}

impl<T: Scalar> Component<T> {
    /// Converts the component to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Component<U> {
        Component { of: self.of, i: self.i, start: self.start.map(&to), angles: self.angles.map(&to) }
    }

    /// Returns the change that the start value still needs: an orientation by a rotation vector, resolved in the second
    /// frame, since Euler angles are not unique; rates of angles as the angular velocity, resolved in the first frame.
    pub fn missing(&self, relative: &Relative<T>) -> T {
        let Relative { r, v, T: rotation, omega } = relative;
        let missing = match self.of {
            Quantity::Position => self.start - r,
            Quantity::Velocity => self.start - v,
            Quantity::Orientation(sequence) => {
                let [i, j, k] = sequence.axes();
                let missing = rotation_vector(&(sequence.rotation(&self.start) * rotation.transpose()));
                // If an axis occurs twice in the sequence, the missing one takes its place.
                Vector3::new(missing[i], missing[j], missing[if k == i { 3 - i - j } else { k }])
            }
            Quantity::Angles(sequence) => {
                (self.start - sequence.angles_on_branch(rotation, self.start[0], &self.start).theta).map(wrap)
            }
            Quantity::AngleRates(sequence) => {
                let angles = sequence.angles_on_branch(rotation, self.angles[0], &self.angles);
                self.start - rates_of_angles(sequence, &angles, omega)
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
