//! The component Bushing between two frames of a mechanism.

use bushing::{Bushing, Data, Rubber, Structure, read_text};
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
    ActsOnFrames, InitialCondition, Initialise, Kinematics, Memory, Multibody, Part, PartData, PartType, Solution,
    Space,
};

/// The part Bushing.
pub struct BushingType;

/// A bushing as a part: the component, the elements parallel to its springs, and the motion of its frames at the start.
#[derive(Clone)]
pub struct BushingPart<T: Scalar> {
    own: ComponentPart<Bushing<T>>,
    /// Their inner points are states. The component alone has no room for them.
    rubber: Rubber<T>,
    start: RelativeStart<T>,
}

/// Options of the component and of the start values.
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
    const SIZE: Size = <ComponentPart<Bushing<T>> as Variable<T>>::SIZE
        .plus(<Rubber<T> as Variable<T>>::SIZE)
        .plus(<RelativeStart<T> as Variable<T>>::SIZE);

    fn declare(attributes: &Attributes<'_>, start: Option<BushingStructure>, visitor: &mut dyn ElementVisitor) {
        let BushingStructure { own, start } = start.unwrap_or_default();
        ComponentPart::<Bushing<T>>::declare(attributes, Some(own.without_rubber()), visitor);
        Rubber::<T>::declare(attributes, Some(own.rubber()), visitor);
        RelativeStart::<T>::declare(attributes, Some(start), visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self { own: ComponentPart::read(reader), rubber: Rubber::read(reader), start: RelativeStart::read(reader) }
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.own.write(writer);
        self.rubber.write(writer);
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

    fn has_inner_states(structure: &BushingStructure) -> bool {
        structure.own.rubber().exists()
    }

    fn options(structure: &BushingStructure, _: bool) -> BushingStructure {
        structure.clone()
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::sphere("rubber", "frame_a", ["0.07", "[60, 60, 60]"])]
    }
}

impl<T: Scalar> BushingPart<T> {
    /// Passes the component with the present motion of its frames and its rubber, and keeps both.
    #[inline(never)]
    fn at<R>(
        &mut self,
        structure: &Structure,
        space: &Space<'_, T>,
        pass: impl FnOnce(&mut Bushing<T>, &Context<'_, T, Bushing<T>>) -> R,
    ) -> R {
        let ComponentPart(bushing) = &mut self.own;
        bushing.frame_a.motion.set_outputs(&space.frame(0), structure.orientation);
        bushing.frame_b.motion.set_outputs(&space.frame(1), structure.orientation);
        bushing.rubber = structure.rubber().exists().then(|| self.rubber.clone());
        let data = space.data.downcast_ref::<Data>().expect("data prepared by a bushing");
        let result = pass(bushing, &Context { time: space.time, structure, data });
        self.rubber = bushing.rubber.take().unwrap_or_else(|| self.rubber.clone());
        result
    }

    /// Evaluates the component.
    fn evaluate(&mut self, structure: &Structure, space: &Space<'_, T>) -> Result<(), ModelError> {
        self.at(structure, space, |bushing, cx| bushing.evaluate(cx))
    }
}

crate::capabilities!(BushingPart: Memory + Multibody + ActsOnFrames + Initialise);

impl<T: Scalar> Part<T> for BushingPart<T> {
    type Structure = BushingStructure;

    fn warning(&self) -> Option<String> {
        self.own.0.singular_rest()
    }

    fn prepare(&self, source: &Source<'_, BushingStructure>) -> Result<Box<PartData>, ModelError> {
        // Workbooks are not read, so that the library is smaller without their readers.
        Ok(Box::new(self.own.0.prepare_with(&source.with(&source.structure.own), read_text)?))
    }

    fn initial_conditions(&self, structure: &BushingStructure, _: bool) -> Vec<InitialCondition<T>> {
        // An invalid sequence is refused where the component is prepared.
        let sequence = Sequence::new(self.own.0.RotSeq).unwrap_or_default();
        self.start.initial_conditions(&structure.start, sequence)
    }

    fn set_outputs(&mut self, structure: &BushingStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            // Invalid values were refused when the loads were computed.
            let _ = self.evaluate(&structure.own, &space);
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
        let mut there = self.clone();
        there.evaluate(&structure.own, space).map_err(|error| error.to_string())?;
        let ComponentPart(bushing) = &there.own;
        Ok([bushing.frame_a.load.load(), bushing.frame_b.load.load()])
    }
}

impl<T: Scalar> Initialise<T> for BushingPart<T> {
    fn initialise(&mut self, structure: &BushingStructure, space: &Space<'_, T>) -> Result<(), ModelError> {
        self.at(&structure.own, space, |bushing, cx| bushing.initialise(cx))
    }
}
