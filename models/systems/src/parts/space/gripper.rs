//! The component Gripper between two frames of a mechanism.

use fmu_runtime::{
    Connector, Context, Diagnostics, Equations, Event, Events as _, Indicators as _, ModelError, Scalar, Shape, Source,
};
use gripper::{Gripper, Level, Structure};
use mechanics::frame::Load;
use mechanics::tree::Element;

use super::component::ComponentPart;
use super::frame::{frames, loaded};
use crate::part::{
    ActsOnFrames, EventPoint, Events, Initialise, Kinematics, Memory, Multibody, Part, PartData, PartType, Solution,
    Space,
};

/// The part Gripper.
pub struct GripperType;

type GripperPart<T> = ComponentPart<Gripper<T>>;

impl PartType for GripperType {
    const NAME: &'static str = "Gripper";
    const TEXT: &'static str = "A compliant connection between two frames that a signal switches on and off";
    const CHOSEN: &'static [&'static str] = &["orientation"];
    type Structure = Structure;
    type In<T: Scalar> = GripperPart<T>;

    fn connectors(_: &Structure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &Structure, _: bool) -> Structure {
        structure.clone()
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::sphere("jaw", "frame_a", ["0.07", "[200, 60, 40]"])]
    }
}

impl<T: Scalar> GripperPart<T> {
    /// Sets the motion of the component's frames; returns the context of its equations.
    #[inline(never)]
    fn at<'a>(&mut self, structure: &'a Structure, space: &Space<'a, T>) -> Context<'a, T, Gripper<T>> {
        let Self(gripper) = self;
        gripper.frame_a.motion.set_outputs(&space.frame(0), structure.orientation);
        gripper.frame_b.motion.set_outputs(&space.frame(1), structure.orientation);
        let data = space.data.downcast_ref::<Level>().expect("data prepared by a gripper");
        Context { time: space.time, structure, data }
    }
}

crate::capabilities!(GripperPart: Events + Memory + Multibody + ActsOnFrames + Initialise);

impl<T: Scalar> Part<T> for GripperPart<T> {
    type Structure = Structure;

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Box<PartData>, ModelError> {
        Ok(Box::new(self.0.prepare(source)?))
    }

    fn set_outputs(&mut self, structure: &Structure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            let cx = self.at(structure, &space);
            // Invalid values were refused when the loads were computed.
            let _ = self.0.evaluate(&cx);
        }
    }
}

impl<T: Scalar> Events<T> for GripperPart<T> {
    fn indicator_count(structure: &Structure) -> usize {
        if Gripper::<f64>::has_indicators(structure) { Gripper::<f64>::COUNT } else { 0 }
    }

    fn indicators(&self, structure: &Structure, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        if let (Some(space), false) = (&at.space, indicators.is_empty()) {
            let mut there = self.clone();
            let cx = there.at(structure, space);
            there.0.indicators(&cx, indicators);
        }
    }

    fn event(&mut self, structure: &Structure, at: &EventPoint<'_, T>, event: &mut Event) -> Result<(), ModelError> {
        let Some(space) = &at.space else { return Ok(()) };
        let cx = self.at(structure, space);
        self.0.event(&cx, event)?;
        // The component computes derivatives from the left; a system continues from the event.
        self.0.ends = false;
        Ok(())
    }
}

impl<T: Scalar> Memory<T> for GripperPart<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        self.0.follow_angles(diagnostics);
    }
}

impl<T: Scalar> Multibody<T> for GripperPart<T> {
    fn elements(&self, _: &Structure) -> Vec<Element<T>> {
        loaded(2)
    }
}

impl<T: Scalar> ActsOnFrames<T> for GripperPart<T> {
    fn cut_loads(&self, structure: &Structure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let mut there = self.clone();
        let cx = there.at(structure, space);
        there.0.evaluate(&cx).map_err(|error| error.to_string())?;
        Ok([there.0.frame_a.load.load(), there.0.frame_b.load.load()])
    }
}

impl<T: Scalar> Initialise<T> for GripperPart<T> {
    fn initialise(&mut self, structure: &Structure, space: &Space<'_, T>) -> Result<(), ModelError> {
        let cx = self.at(structure, space);
        self.0.initialise(&cx)
    }
}
