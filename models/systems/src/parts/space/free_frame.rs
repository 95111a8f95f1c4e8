//! Frames of the system: connectors of its FMU, to which other FMUs are attached.

use std::marker::PhantomData;

use fmu_runtime::{Connector, Scalar, structure};
use mechanics::frame::Load;
use mechanics::tree::Element;
use ports::assembly::Orientation;
use ports::assembly::frames::InnerFrame;
use ports::{AcceleratedFrameOptions, FrameOptions};

use super::frame::loaded;
use crate::part::{ActsOnFrames, Kinematics, Multibody, Part, PartType, Solution, Space};
use crate::parts::flange::Side;

structure! {
    /// The options of a frame of the system.
    pub struct FreeFrameStructure {
        orientation: Orientation = Orientation::matrix, "How the orientation of the frame is given";
        accelerations: bool = true, "Whether the accelerations of the frame are outputs";
    }
}

/// A frame of the system: the motion of a frame is its output, the load there its input.
pub struct FreeFrameType<S>(PhantomData<S>);

impl<S: Side> FreeFrameType<S> {
    const SIDE: Connector = if S::IS_B { Connector::Frame_b } else { Connector::Frame_a };
}

impl<S: Side> PartType for FreeFrameType<S> {
    const NAME: &'static str = if S::IS_B { "Frame_b" } else { "Frame_a" };
    const TEXT: &'static str = "A frame of the system, to which other FMUs can be connected";
    const CONNECTOR: Option<Connector> = Some(Self::SIDE);
    type Structure = FreeFrameStructure;
    type In<T: Scalar> = InnerFrame<T>;

    fn connectors(_: &FreeFrameStructure) -> Vec<(&'static str, Connector)> {
        vec![("frame", Self::SIDE)]
    }

    fn options(structure: &FreeFrameStructure, _: bool) -> AcceleratedFrameOptions {
        let frame = FrameOptions::from(structure.orientation);
        AcceleratedFrameOptions { accelerations: structure.accelerations, frame }
    }
}

crate::capabilities!(InnerFrame: Multibody + ActsOnFrames);

impl<T: Scalar> Part<T> for InnerFrame<T> {
    type Structure = FreeFrameStructure;

    fn set_outputs(&mut self, structure: &FreeFrameStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            self.motion.set_outputs(&space.frame(0), structure.orientation);
        }
    }
}

impl<T: Scalar> Multibody<T> for InnerFrame<T> {
    fn elements(&self, _: &FreeFrameStructure) -> Vec<Element<T>> {
        loaded(1)
    }
}

impl<T: Scalar> ActsOnFrames<T> for InnerFrame<T> {
    /// Returns the opposite of the load on the system.
    fn cut_loads(&self, _: &FreeFrameStructure, _: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let Load { f, t } = self.load.load();
        Ok([Load { f: -f, t: -t }, Load::none()])
    }
}
