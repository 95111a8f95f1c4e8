//! The component Bushing between two frames of a mechanism.

use bushing::{Bushing, Data, DataSource, Structure};
use fmu_runtime::{
    Attributes, Connector, Context, Diagnostics, ElementVisitor, Equations, ModelError, Reader, Scalar, Size, Source,
    Variable, Variables, Writer,
};
use mechanics::frame::Load;
use mechanics::tree::Element;

use super::frame::{frames, loaded};
use crate::changed::Changed;
use crate::part::{Found, Motion, Part, PartData, PartType, Space};

/// A bushing.
pub struct BushingType;

/// The rows and equations of the component, whose frames move as those of the mechanism.
#[derive(Clone)]
pub struct BushingPart<T>(Bushing<T>);

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
}

impl<T: Scalar> Variable<T> for BushingPart<T> {
    type Start = Structure;
    const SIZE: Size = <Bushing<T> as Variables<T>>::SIZE;

    fn declare(attributes: &Attributes<'_>, start: Option<Structure>, visitor: &mut dyn ElementVisitor) {
        let change = |row: &Attributes<'_>, _, pass: &mut dyn FnMut(&Attributes<'_>)| row.in_part(attributes, pass);
        let mut changed = Changed { change: &change, groups: true, visitor };
        <Bushing<T> as Variables<T>>::declare(&start.unwrap_or_default(), &mut changed);
    }

    // Not inlined, nor what follows: each of many functions would have a copy.
    #[inline(never)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(Bushing::read(reader.clone()))
    }

    #[inline(never)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.write(writer.borrowed());
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
