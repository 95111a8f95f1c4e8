//! Frames of assemblies whose rod 2 is on a driven joint at frame_b.

use crate::{AcceleratedFrame, AcceleratedFrameOptions, FrameLoad, Orientation};
use fmu_runtime::{Connector, ModelError, Scalar, group};
use mechanics::assembly::{Branch, ClosedLoop, CutLoads, DrivenJoint, InnerLoads, first_branch};
use mechanics::motion::Motion;

use crate::assembly::linear::{FrameIndices, Response};
use crate::assembly::{Names, PortOptions};

group! {
    /// A frame whose motion is given: its load follows.
    pub struct OuterFrame<T>(o: AcceleratedFrameOptions) {
        input  motion: AcceleratedFrame<T> = o, "motion", name = "";
        output load: FrameLoad<T>, "load", name = "";
    }
}

group! {
    /// A frame whose load is given: its motion follows.
    pub struct InnerFrame<T>(o: AcceleratedFrameOptions) {
        output motion: AcceleratedFrame<T> = o, "motion", name = "";
        input  load: FrameLoad<T>, "load", name = "";
    }
}

group! {
    /// The outer frames.
    pub struct OuterFrames<T>(o: PortOptions) {
        group a: OuterFrame<T> = o.at([0.0; 3]), "Outer frame at rod 1", name = "frame_a", connector = Connector::Frame_a;
        group b: OuterFrame<T> = o.at(o.frame_b), "Outer frame at the driven joint", name = "frame_b", connector = Connector::Frame_b;
    }
}

group! {
    /// The inner frames of rod 2.
    pub struct Rod2Frames<T>(o: PortOptions) {
        group ib: InnerFrame<T> = o.computed(), "Inner frame fixed in rod 2, at the driven joint", name = "frame_ib", connector = Connector::Frame_b;
        group im: InnerFrame<T> = o.computed(), "Inner frame fixed in rod 2, at the joint between the rods", name = "frame_im", connector = Connector::Frame_b;
    }
}

impl<T: Scalar> OuterFrames<T> {
    /// Returns the motion of frame_a and frame_b.
    pub fn motions(&self, orientation: Orientation) -> Result<[Motion<T>; 2], ModelError> {
        Ok([self.a.motion.motion(orientation, "frame_a")?, self.b.motion.motion(orientation, "frame_b")?])
    }

    /// True if the configuration of the positive root is the one nearer to `guess`, with rod 1 of this length.
    #[inline(never)]
    pub(crate) fn starts_positive(
        &self,
        names: &Names<'_>,
        orientation: Orientation,
        (joint, length): (&impl DrivenJoint<T>, T),
        guess: T,
    ) -> Result<bool, ModelError> {
        let [a, b] = self.motions(orientation)?;
        let branch = first_branch(joint, &a, &b, length, guess).map_err(|singular| names.error(singular))?;
        Ok(branch == Branch::Positive)
    }

    /// Stores the loads at the outer frames.
    pub(crate) fn set_outputs(&mut self, loads: &CutLoads<T>) {
        self.a.load = loads.a.into();
        self.b.load = loads.b.into();
    }
}

impl<T: Scalar> OuterFrame<T> {
    /// The indices of this frame's variables, which it holds in place of their values; `motion` is that of the frame.
    pub fn indices<'a>(&self, motion: &'a Motion<T>) -> FrameIndices<'a, T> {
        FrameIndices::new(motion, &self.motion, &self.load)
    }
}

impl<T: Scalar> InnerFrame<T> {
    /// The indices of this frame's variables, which it holds in place of their values; `motion` is that of the frame.
    pub fn indices<'a>(&self, motion: &'a Motion<T>) -> FrameIndices<'a, T> {
        FrameIndices::new(motion, &self.motion, &self.load)
    }
}

impl<T: Scalar> Rod2Frames<T> {
    /// Returns the loads at the inner frames, with the effort that drives the joint.
    pub(crate) fn loads(&self, drive: T) -> InnerLoads<T> {
        InnerLoads { ib: self.ib.load.load(), im: self.im.load.load(), drive }
    }

    /// Stores the motion of the inner frames.
    pub(crate) fn set_outputs(&mut self, closed: &ClosedLoop<T>, orientation: Orientation) {
        self.ib.motion.set_outputs(&closed.ib, orientation);
        self.im.motion.set_outputs(&closed.im, orientation);
    }
}

impl<T: Scalar> From<CutLoads<T>> for Response<T> {
    fn from(loads: CutLoads<T>) -> Self {
        Self { outer: [loads.a, loads.b], f_rod: loads.f_rod }
    }
}

/// Returns the power that flows in at the outer frames, at rod 2 and at the drive, in W.
pub(crate) fn power<T: Scalar>(
    [a, b]: [&Motion<T>; 2],
    closed: &ClosedLoop<T>,
    inner: &InnerLoads<T>,
    outer: &CutLoads<T>,
) -> T {
    let rod2 = closed.ib.power(&inner.ib) + closed.im.power(&inner.im);
    a.power(&outer.a) + b.power(&outer.b) + rod2 + inner.drive * closed.x.v
}
