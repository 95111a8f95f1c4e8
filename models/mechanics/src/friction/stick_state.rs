//! The state of a friction element at rest, and the limits of its torque.

use crate::Scalar;

/// The largest torques of an element at rest against a forward and against a backward motion, not negative, in N.m.
pub type Limits<T> = [T; 2];

/// State of a friction element in the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StickState {
    /// The element takes no part: it slides, or nothing presses it together.
    Absent,
    /// The element holds.
    Holds,
    /// The element breaks away forward.
    Forward,
    /// The element breaks away backward.
    Backward,
}

impl StickState {
    /// Returns the torque of the state, unless the element holds.
    pub(super) fn torque<T: Scalar>(self, limits: Limits<T>) -> Option<T> {
        match self {
            Self::Absent => Some(T::zero()),
            Self::Holds => None,
            Self::Forward => Some(-limits[0]),
            Self::Backward => Some(limits[1]),
        }
    }
}

/// Reasons why a system has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// A number is not finite.
    NotFinite,
    /// The efficiencies of gears leave the motion undetermined.
    Undetermined,
}
