//! Forces and torques from signals, on one frame or between two.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Scalar, Structure, enumeration, group};
use mechanics::frame::Load;
use mechanics::tree::Element;
use nalgebra::Vector3;

use super::frame::{frames, loaded};
use crate::part::{ActsOnFrames, Multibody, Part, PartType, Space};

enumeration! {
    /// Where the signals of a part at one frame are resolved.
    pub enum ResolveInFrameB {
        world = "in the world frame",
        frame_b = "in the frame on which it acts",
        frame_resolve = "in the frame at the connector frame_resolve",
    }
}

enumeration! {
    /// Where the signals of a part between two frames are resolved.
    pub enum ResolveInFrameAB {
        frame_b = "in the frame on which it acts",
        frame_a = "in the frame on which the reaction acts",
        world = "in the world frame",
        frame_resolve = "in the frame at the connector frame_resolve",
    }
}

/// Options of a force or torque: its signals, and the frame in which they are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceStructure {
    /// True if the reaction acts on a frame, not on the world.
    is_between: bool,
    force: bool,
    torque: bool,
    /// Frame in which signals are resolved, of a part at one frame.
    at_one: ResolveInFrameB,
    /// Frame in which signals are resolved, of a part between two frames.
    at_two: ResolveInFrameAB,
}

impl Structure for ForceStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let resolve: &mut dyn Setting = if self.is_between { &mut self.at_two } else { &mut self.at_one };
        visit("resolveInFrame", "Where the signals are resolved", resolve);
    }
}

impl ForceStructure {
    /// Returns the number of frames that the part acts on.
    fn count(&self) -> usize {
        if self.is_between { 2 } else { 1 }
    }

    /// Returns the frame in which the signals are resolved, none for the world.
    fn resolve(&self) -> Option<usize> {
        let resolve = self.count();
        if self.is_between {
            match self.at_two {
                ResolveInFrameAB::frame_a => Some(0),
                ResolveInFrameAB::frame_b => Some(1),
                ResolveInFrameAB::frame_resolve => Some(resolve),
                ResolveInFrameAB::world => None,
            }
        } else {
            match self.at_one {
                ResolveInFrameB::frame_b => Some(0),
                ResolveInFrameB::frame_resolve => Some(resolve),
                ResolveInFrameB::world => None,
            }
        }
    }

    fn has_frame_resolve(&self) -> bool {
        self.resolve() == Some(self.count())
    }
}

/// A force, a torque or both.
pub struct ForceType<const BETWEEN: bool, const FORCE: bool, const TORQUE: bool>;

group! {
    /// ```text
    /// force and torque act on the body at frame_b, at its origin;   the opposite on the body at frame_a, or on the world
    /// frame_b.f = -force,   frame_b.t = -torque      cut loads, acting on the part, resolved in one frame
    /// frame_a.f = force,    frame_a.t = torque + r x force,   r: position of frame_b, seen from frame_a
    /// ```
    ///
    /// Source: WorldForce, WorldTorque, WorldForceAndTorque, Force, Torque and ForceAndTorque of
    /// Modelica.Mechanics.MultiBody.Forces.
    pub struct Force<T>(o: ForceStructure) {
        input force: Vector3<T>, N, "Force on the body at frame_b, resolved in the frame of resolveInFrame", when = o.force;
        input torque: Vector3<T>, N_M, "Torque on the body at frame_b, resolved in the frame of resolveInFrame", when = o.torque;
    }
}

impl<const BETWEEN: bool, const FORCE: bool, const TORQUE: bool> PartType for ForceType<BETWEEN, FORCE, TORQUE> {
    const NAME: &'static str = match (BETWEEN, FORCE, TORQUE) {
        (false, true, false) => "WorldForce",
        (false, false, _) => "WorldTorque",
        (false, true, true) => "WorldForceAndTorque",
        (true, true, false) => "MultiBody.Force",
        (true, false, _) => "MultiBody.Torque",
        (true, true, true) => "ForceAndTorque",
    };
    const TEXT: &'static str = match (BETWEEN, FORCE, TORQUE) {
        (false, true, false) => "A force on a frame from an input",
        (false, false, _) => "A torque on a frame from an input",
        (false, true, true) => "A force and a torque on a frame from inputs",
        (true, true, false) => "A force between two frames from an input",
        (true, false, _) => "A torque between two frames from an input",
        (true, true, true) => "A force and a torque between two frames from inputs",
    };
    type Structure = ForceStructure;
    type In<T: Scalar> = Force<T>;

    fn structure() -> ForceStructure {
        ForceStructure { is_between: BETWEEN, force: FORCE, torque: TORQUE, ..ForceStructure::default() }
    }

    fn connectors(structure: &ForceStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        if !BETWEEN {
            connectors.remove(0);
        }
        connectors.extend(structure.has_frame_resolve().then_some(("frame_resolve", Connector::Frame_a)));
        connectors
    }

    fn options(structure: &ForceStructure, _: bool) -> ForceStructure {
        *structure
    }
}

crate::capabilities!(Force: Multibody + ActsOnFrames);

impl<T: Scalar> Part<T> for Force<T> {
    type Structure = ForceStructure;
}

impl<T: Scalar> Multibody<T> for Force<T> {
    fn elements(&self, structure: &ForceStructure) -> Vec<Element<T>> {
        loaded(structure.count() + usize::from(structure.has_frame_resolve()))
    }
}

impl<T: Scalar> ActsOnFrames<T> for Force<T> {
    fn cut_loads(&self, structure: &ForceStructure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let [force, torque] = [self.force, self.torque].map(|vector| match structure.resolve() {
            Some(frame) => space.frame(frame).T.tr_mul(&vector),
            None => vector,
        });
        let first = space.frame(0).T;
        Ok(if structure.is_between {
            space.relative().cut_loads(&(first * force), &(first * torque)).into()
        } else {
            [Load { f: -(first * force), t: -(first * torque) }, Load::none()]
        })
    }
}
