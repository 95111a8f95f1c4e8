//! Joints, and the conditions by which they close rings.

use nalgebra::Vector3;

use crate::Scalar;

/// Kind of motion of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// The second frame turns about an axis through both origins.
    Revolute,
    /// The second frame slides along an axis.
    Prismatic,
    /// The second frame turns about the origin of both. Velocities: angular velocity of the second frame with respect to the
    /// first one, resolved in the second one. Its pose is given.
    Spherical,
    /// The second frame is anywhere. Velocities: rate of its position seen from the first frame, resolved there, then the
    /// angular one of a spherical joint. Its pose is given.
    Free,
    /// The second frame is the center of a wheel that rolls on the plane z = 0 of the first frame, which carries it and not
    /// the other way round. Velocities: those of a spherical joint. Its pose is given.
    Wheel,
    /// The second frame is in the middle between two wheels, about whose common axis, y, it does not turn, and which roll on
    /// the plane z = 0 of the first frame. Velocities: those of the wheels about this axis. Its pose is given.
    WheelSet,
}

impl JointKind {
    /// Returns the number of velocities of the joint.
    pub fn count(self) -> usize {
        match self {
            Self::Revolute | Self::Prismatic => 1,
            Self::WheelSet => 2,
            Self::Spherical | Self::Wheel => 3,
            Self::Free => 6,
        }
    }
}

/// A joint between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<T: Scalar> {
    /// Kind of its motion.
    pub kind: JointKind,
    /// Axis of the joint, a unit vector, the same in both frames; without meaning if it has none. Of a wheel: its axis in the
    /// second frame, times the radius; of a wheel set: half the radius, then the radius divided by the track.
    pub e: Vector3<T>,
    /// Number of the joint's coordinate among the positions, in rad or m. With several velocities, these and their
    /// rates have the numbers from this one on; there is no position that they are the rates of.
    pub position: usize,
}

/// Largest number of conditions between two frames.
pub const MAX_ROWS: usize = 6;

/// A condition between two frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Row<T: Scalar> {
    /// frame_b is not moved in this direction, which is fixed in frame_a.
    Along(Vector3<T>),
    /// A direction fixed in frame_a is perpendicular to one fixed in frame_b.
    Across(Vector3<T>, Vector3<T>),
    /// The origins have this distance, in m.
    Distance(T),
    /// frame_b is the center of an upright wheel, whose axis is its y-axis, on a plane across the z-axis of frame_a,
    /// which is at rest: the contact has no velocity across the axis or, if lateral, along it. It is no condition on
    /// positions.
    Rolling {
        /// Radius of the wheel, in m.
        radius: T,
        /// True for the velocity along the axis.
        is_lateral: bool,
    },
}

/// The closing of a ring: conditions between its two frames, with the joint whose conditions they are, if it is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closing<T: Scalar> {
    /// The conditions.
    pub rows: [Option<Row<T>>; MAX_ROWS],
    /// The joint; its coordinates follow from the others.
    pub joint: Option<Joint<T>>,
}

impl<T: Scalar> Closing<T> {
    /// Makes the conditions of a joint.
    pub fn of(joint: Joint<T>) -> Self {
        let Joint { kind, e, .. } = joint;
        let [x, y] = across(&e);
        let along = |s: Vector3<T>| Some(Row::Along(s));
        let place = || [Vector3::x(), Vector3::y(), Vector3::z()].map(along);
        let rows = match kind {
            JointKind::Revolute => {
                let [i, j, k] = place();
                [i, j, k, Some(Row::Across(e, x)), Some(Row::Across(e, y)), None]
            }
            JointKind::Prismatic => {
                let [i, j, k] = [Row::Across(x, y), Row::Across(y, e), Row::Across(e, x)].map(Some);
                [along(x), along(y), i, j, k, None]
            }
            JointKind::Spherical => {
                let [i, j, k] = place();
                [i, j, k, None, None, None]
            }
            JointKind::Free | JointKind::Wheel | JointKind::WheelSet => [None; MAX_ROWS],
        };
        Self { rows, joint: Some(joint) }
    }

    /// Converts the conditions to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Closing<U> {
        let row = |row: &Row<T>| match row {
            Row::Along(s) => Row::Along(s.map(&to)),
            Row::Across(p, s) => Row::Across(p.map(&to), s.map(&to)),
            Row::Distance(length) => Row::Distance(to(*length)),
            Row::Rolling { radius, is_lateral } => Row::Rolling { radius: to(*radius), is_lateral: *is_lateral },
        };
        let joint = self.joint.map(|Joint { kind, e, position }| Joint { kind, e: e.map(&to), position });
        Closing { rows: self.rows.each_ref().map(|own| own.as_ref().map(row)), joint }
    }

    /// Iterates over the conditions.
    pub(super) fn rows(&self) -> impl Iterator<Item = &Row<T>> {
        self.rows.iter().flatten()
    }
}

/// Returns two unit vectors that are perpendicular to a third one and to each other.
pub(super) fn across<T: Scalar>(e: &Vector3<T>) -> [Vector3<T>; 2] {
    let least = e.map(|component| component.value().abs()).imin();
    let x = e.cross(&Vector3::ith(least, T::one()));
    let length = x.norm();
    if length.value() == 0.0 {
        return [Vector3::x(), Vector3::y()];
    }
    let x = x / length;
    [x, e.cross(&x)]
}
