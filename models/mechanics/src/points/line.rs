//! Springs and dampers between points.

use nalgebra::Vector3;

use crate::Scalar;

/// Distance in m below which ends are at the same place.
pub(super) const SAME_PLACE: f64 = 1e-10;

/// One end of a spring: a point, by its number, or another place.
#[derive(Clone, Copy, Debug)]
pub enum End<T: Scalar> {
    /// A point.
    Point(usize),
    /// Position and velocity of what moves by itself, resolved in the world frame.
    Other([Vector3<T>; 2]),
}

/// A spring, a damper or both along the line between both ends. Those with a damper connect no points with springs alone.
#[derive(Clone, Copy, Debug)]
pub struct PointLine<T: Scalar> {
    /// Both ends.
    pub ends: [End<T>; 2],
    /// Stiffness in N/m.
    pub c: T,
    /// Length in m of the relaxed spring.
    pub relaxed: T,
    /// Damping in N.s/m.
    pub d: T,
    /// Length in m, if it is given.
    pub length: Option<T>,
}

/// Reasons why points do not follow from springs and dampers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointError {
    /// The springs do not hold this point.
    Loose(usize),
    /// The dampers do not act in all directions at this point.
    Undamped(usize),
    /// Both dampers at this point are in line, so that their lengths do not say where it is.
    InLine(usize),
    /// Both ends of this line are at the same place.
    SamePlace(usize),
}
