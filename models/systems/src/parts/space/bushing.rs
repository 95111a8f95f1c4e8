//! The component Bushing between two frames of a mechanism.

use bushing::{Bushing, Data, DataSource, Structure};
use fmu_runtime::structure::Setting;
use fmu_runtime::{
    Attributes, Connector, Context, Diagnostics, ElementVisitor, Equations, ModelError, Reader, Scalar, Shape, Size,
    Source, Variable, Writer,
};
use mechanics::euler::Sequence;
use mechanics::frame::Load;
use mechanics::tree::Element;

use super::component::ComponentPart;
use super::frame::{frames, loaded};
use super::relative_start::{RelativeStart, RelativeStructure};
use crate::part::{
    ActsOnFrames, InitialCondition, Kinematics, Memory, Multibody, Part, PartData, PartType, Solution, Space,
};

/// A bushing.
pub struct BushingType;

/// The component, and the motion of its frames at the start.
pub struct BushingPart<T: Scalar> {
    own: ComponentPart<Bushing<T>>,
    start: RelativeStart<T>,
}

/// The options of the component, and what start values are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BushingStructure {
    own: Structure,
    start: RelativeStructure,
}

impl fmu_runtime::Structure for BushingStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        self.own.visit(visit);
        self.start.visit(visit);
    }
}

impl<T: Scalar> Variable<T> for BushingPart<T> {
    type Start = BushingStructure;
    const SIZE: Size = <ComponentPart<Bushing<T>> as Variable<T>>::SIZE.plus(<RelativeStart<T> as Variable<T>>::SIZE);

    fn declare(attributes: &Attributes<'_>, start: Option<BushingStructure>, visitor: &mut dyn ElementVisitor) {
        let BushingStructure { own, start } = start.unwrap_or_default();
        ComponentPart::<Bushing<T>>::declare(attributes, Some(own), visitor);
        RelativeStart::<T>::declare(attributes, Some(start), visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self { own: ComponentPart::read(reader), start: RelativeStart::read(reader) }
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.own.write(writer);
        self.start.write(writer);
    }
}

impl PartType for BushingType {
    const NAME: &'static str = "Bushing";
    const TEXT: &'static str = "Stiffness and damping in three directions and about three axes between two frames";
    const CHOSEN: &'static [&'static str] = &["orientation"];
    type Structure = BushingStructure;
    type In<T: Scalar> = BushingPart<T>;

    fn connectors(_: &BushingStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &BushingStructure, _: bool) -> BushingStructure {
        structure.clone()
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::sphere("rubber", "frame_a", ["0.07", "[60, 60, 60]"])]
    }
}

impl<T: Scalar> ComponentPart<Bushing<T>> {
    /// The component where the frames are.
    #[inline(never)]
    fn evaluate(&mut self, structure: &Structure, space: &Space<'_, T>) -> Result<(), ModelError> {
        let Self(bushing) = self;
        bushing.frame_a.motion.set_outputs(&space.frame(0), structure.orientation);
        bushing.frame_b.motion.set_outputs(&space.frame(1), structure.orientation);
        let data = space.data.downcast_ref::<Data>().expect("data prepared by a bushing");
        bushing.evaluate(&Context { time: space.time, structure, data })
    }
}

crate::capabilities!(BushingPart: Memory + Multibody + ActsOnFrames);

impl<T: Scalar> Part<T> for BushingPart<T> {
    type Structure = BushingStructure;

    fn warning(&self) -> Option<String> {
        self.own.0.singular_rest()
    }

    fn prepare(&self, source: &Source<'_, BushingStructure>) -> Result<Box<PartData>, ModelError> {
        let s = &source.structure.own;
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
        let data =
            self.own.0.prepare_with(&source.with(s), |_, _, _| Err("files are not read in systems".to_owned()))?;
        Ok(Box::new(data))
    }

    fn initial_conditions(&self, structure: &BushingStructure, _: bool) -> Vec<InitialCondition<T>> {
        // An invalid sequence is refused where the component is prepared.
        let sequence = Sequence::new(self.own.0.RotSeq).unwrap_or_default();
        self.start.initial_conditions(&structure.start, sequence)
    }

    fn set_outputs(&mut self, structure: &BushingStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            // What is invalid was refused when the loads were computed.
            let _ = self.own.evaluate(&structure.own, &space);
        }
    }
}

impl<T: Scalar> Memory<T> for BushingPart<T> {
    fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        let ComponentPart(Bushing { memory, angles, RotSeq, .. }) = &mut self.own;
        memory.follow(angles, *RotSeq, diagnostics);
    }
}

impl<T: Scalar> Multibody<T> for BushingPart<T> {
    fn elements(&self, _: &BushingStructure) -> Vec<Element<T>> {
        loaded(2)
    }
}

impl<T: Scalar> ActsOnFrames<T> for BushingPart<T> {
    fn cut_loads(&self, structure: &BushingStructure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        let mut there = self.own.clone();
        there.evaluate(&structure.own, space).map_err(|error| error.to_string())?;
        Ok([there.0.frame_a.load.load(), there.0.frame_b.load.load()])
    }
}
