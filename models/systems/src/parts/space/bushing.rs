//! The component Bushing between two frames of a mechanism.

use bushing::{Bushing, Data, DataSource, Structure};
use fmu_runtime::{Connector, Context, Diagnostics, Equations, ModelError, Scalar, Shape, Source};
use mechanics::frame::Load;
use mechanics::tree::Element;

use super::component::ComponentPart;
use super::frame::{frames, loaded};
use crate::part::{Found, Motion, Part, PartData, PartType, Space};

/// A bushing.
pub struct BushingType;

type BushingPart<T> = ComponentPart<Bushing<T>>;

impl PartType for BushingType {
    const NAME: &'static str = "Bushing";
    const TEXT: &'static str = "Stiffness and damping in three directions and about three axes between two frames";
    const HAS_LOADS: bool = false;
    const IS_IN_SPACE: bool = true;
    const ACTS_ON_FRAMES: bool = true;
    const HAS_MEMORY: bool = true;
    const CHOSEN: &'static [&'static str] = &["orientation"];
    type Structure = Structure;
    type In<T: Scalar> = BushingPart<T>;

    fn connectors(_: &Structure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &Structure, _: bool) -> Structure {
        structure.clone()
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::sphere("rubber", "frame_a", ["0.07", "[60, 60, 60]"])]
    }
}

impl<T: Scalar> BushingPart<T> {
    /// The component where the frames are.
    #[inline(never)]
    fn evaluate(&mut self, structure: &Structure, space: &Space<'_, T>) -> Result<(), ModelError> {
        let Self(bushing) = self;
        bushing.frame_a.motion.put(&space.frame(0), structure.orientation);
        bushing.frame_b.motion.put(&space.frame(1), structure.orientation);
        let data = space.data.downcast_ref::<Data>().expect("data prepared by a bushing");
        bushing.evaluate(&Context { time: space.time, structure, data })
    }
}

impl<T: Scalar> Part<T> for BushingPart<T> {
    type Structure = Structure;

    fn elements(&self, _: &Structure) -> Vec<Element<T>> {
        loaded(2)
    }

    fn prepare(&self, source: &Source<'_, Structure>) -> Result<Box<PartData>, ModelError> {
        let s = source.structure;
        let extras = [("maxwell_T", s.maxwell_T.0 != 0), ("maxwell_R", s.maxwell_R.0 != 0)];
        let friction = [("friction_T", s.friction_T), ("friction_R", s.friction_R)];
        if let Some((name, _)) = extras.into_iter().chain(friction).find(|(_, is_there)| *is_there) {
            return Err(ModelError::invalid(format!(
                "{name} is set, but Maxwell elements and friction of bushings are not possible in systems yet: leave it out"
            )));
        }
        let sources = [("DCM_TS", s.DCM_TS), ("DCM_TD", s.DCM_TD), ("DCM_RS", s.DCM_RS), ("DCM_RD", s.DCM_RD)];
        if let Some((name, _)) =
            sources.into_iter().find(|(_, from)| matches!(from, DataSource::attachment | DataSource::file))
        {
            return Err(ModelError::invalid(format!(
                "{name} asks for a file, but bushings in systems take the rows of tables from the configuration: {name} = \
                 \"inline\""
            )));
        }
        // Without the readers of spreadsheets the library is smaller.
        let data = self.0.prepare_with(source, |_, _, _| Err("files are not read in systems".to_owned()))?;
        Ok(Box::new(data))
    }

    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        let Self(Bushing { memory, angles, RotSeq, .. }) = self;
        memory.follow(angles, *RotSeq, diagnostics);
    }

    fn cuts(&self, structure: &Structure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let mut there = self.clone();
        there.evaluate(structure, space).map_err(|error| error.to_string())?;
        Ok([there.0.frame_a.load.load(), there.0.frame_b.load.load()])
    }

    fn put(&mut self, structure: &Structure, _: &Motion<'_, T>, found: Found<'_, T>) {
        if let Some(space) = found.space {
            // What is refused was so where the loads were found.
            let _ = self.evaluate(structure, &space);
        }
    }
}
