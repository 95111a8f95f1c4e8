//! Rings of joints, and the loads in them.

use super::assembly_place::Path;
use super::joint::{Closing, Row};
use super::link::LinkPose;
use crate::Scalar;
use crate::frame::Load;

/// A ring of joints.
#[derive(Clone, Debug)]
pub struct Ring<T: Scalar> {
    /// Number of the element that closes it.
    pub element: usize,
    /// Link and pose of both frames.
    pub(super) ends: [LinkPose<T>; 2],
    pub(super) closing: Closing<T>,
    /// The links whose joints move the frames with respect to each other, with true for those behind which frame_b is.
    pub(super) path: Path,
}

impl<T: Scalar> Ring<T> {
    /// Returns the number of conditions.
    pub fn rows(&self) -> usize {
        self.closing.rows().count()
    }

    /// True if a wheel rolls.
    pub fn rolls(&self) -> bool {
        self.closing.rows().any(|row| matches!(row, Row::Rolling { .. }))
    }

    /// Returns the coordinates of the joint that closes the ring: the first position, and their number.
    pub fn following(&self) -> Option<(usize, usize)> {
        self.closing.joint.map(|joint| (joint.position, joint.kind.count()))
    }

    pub(super) fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Ring<U> {
        let ends = self.ends.each_ref().map(|(link, pose)| (*link, pose.map(&to)));
        Ring { element: self.element, ends, closing: self.closing.map(&to), path: self.path.clone() }
    }
}

/// Loads in a ring: what its conditions and what is at the axis of the joint need.
#[derive(Clone, Copy, Debug)]
pub(super) struct RingLoads<T: Scalar> {
    /// Load on frame_b, and on frame_a, resolved there.
    pub on: [Load<T>; 2],
    /// Load that drives the joint along its first coordinate.
    pub drive: T,
}

impl<T: Scalar> RingLoads<T> {
    pub fn none() -> Self {
        Self { on: [Load::none(); 2], drive: T::zero() }
    }

    /// Returns the loads on the joint at its two frames.
    pub fn cuts(&self) -> [Load<T>; 2] {
        self.on.map(|load| Load { f: -load.f, t: -load.t })
    }

    /// Returns the load that drives the joint along its first coordinate.
    pub fn drive(&self) -> T {
        self.drive
    }

    /// Returns the load on the link at frame_a (0) or frame_b (1), resolved in that frame.
    pub fn on(&self, end: usize) -> &Load<T> {
        &self.on[end]
    }
}
