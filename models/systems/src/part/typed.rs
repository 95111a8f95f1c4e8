//! Type-erased parts, as the system uses them.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::{
    Attributes, Connector, Diagnostics, Dual64, ElementVisitor, Event, ModelError, Offsets, Prefix, Reader, Scalar,
    Shape, Size, Source, Structure, Variable, Writer,
};
use mechanics::drivetrain::{Compliance, Preference, Relation};
use mechanics::frame::Load;
use mechanics::friction::{Coefficient, LossTable};
use mechanics::motion::Motion;
use mechanics::tree::{AssemblyBranch, Element, Pose};

use super::capabilities::{
    ActsOnFrames, Assembly, Block, Events, FrictionElement, Initialise, Loads, Memory, Multibody, Passage,
};
use super::equations::{
    Arrays, EventPoint, FrictionEvent, FrictionPair, InitialCondition, Kinematics, Part, PartData, Solution, Space,
    View,
};
use super::part_type::{PartType, Properties};

/// A part of any type, with its structure options.
pub trait AnyPart: Evaluate<f64> + Send + Sync {
    /// Returns the properties that do not depend on options.
    fn properties(&self) -> &Properties;
    /// Returns the part's equations in dual numbers. As another supertrait they would be in two tables of functions for
    /// each type.
    fn in_duals(&self) -> &dyn Evaluate<Dual64>;
    /// Makes a part of the same type with default options.
    fn new_default(&self) -> Box<dyn AnyPart>;
    /// Makes a part of the same type with the same options.
    fn copied(&self) -> Box<dyn AnyPart>;
    /// Passes the part's structure options: name, description and value.
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting));
    /// Returns the names of the part's connectors, with their kinds.
    fn connectors(&self) -> Vec<(&'static str, Connector)>;
    /// See [`PartType::shapes_of`].
    fn shapes(&self) -> Vec<Shape<'static>>;
    /// Returns the part's own positions, unless it moves freely.
    fn own_positions(&self) -> &'static [Preference];
    /// See [`Events::indicator_count`].
    fn indicator_count(&self) -> usize;
    /// See [`PartType::integrations`].
    fn integrations(&self) -> usize;
    /// See [`PartType::starts_steady`].
    fn starts_steady(&self) -> Option<&'static str>;
    /// See [`PartType::is_integrated`].
    fn is_integrated(&self) -> bool;
    /// See [`PartType::needs_accelerations`].
    fn needs_accelerations(&self) -> bool;
    /// See [`PartType::is_discrete`].
    fn is_discrete(&self) -> bool;
    /// See [`Part::problem`].
    fn problem(&self, view: View<'_, f64>, offsets: Offsets) -> Option<String>;
    /// See [`Part::warning`].
    fn warning(&self, view: View<'_, f64>, offsets: Offsets) -> Option<String>;
    /// See [`FrictionElement::coefficient`].
    fn coefficient(
        &self,
        view: View<'_, f64>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Coefficient, ModelError>;
    /// See [`FrictionElement::losses`].
    fn losses(
        &self,
        view: View<'_, f64>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Option<LossTable>, ModelError>;
    /// See [`Part::prepare`].
    fn prepare(
        &self,
        view: View<'_, f64>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Box<PartData>, ModelError>;
    /// Passes the part's rows to a visitor; `name` precedes theirs.
    fn declare(&self, name: &str, has_states: bool, visitor: &mut dyn ElementVisitor);
}

/// The equations of a part on the arrays of the whole system, in which its values begin at `offsets`.
pub trait Evaluate<T: Scalar> {
    /// See [`Multibody::elements`].
    fn elements(&self, view: View<'_, T>, offsets: Offsets) -> Vec<Element<T>>;
    /// See [`Assembly::assembly_branch`].
    fn assembly_branch(&self, view: View<'_, T>, offsets: Offsets) -> AssemblyBranch<T>;
    /// See [`Assembly::invalid_pose`].
    fn invalid_pose(&self, view: View<'_, T>, offsets: Offsets, ends: &[Motion<T>; 2]) -> Option<String>;
    /// See [`Assembly::begin`].
    fn begin(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, assembly_branch: &AssemblyBranch<T>);
    /// See [`Assembly::passage`].
    fn passage(&self, view: View<'_, T>, offsets: Offsets) -> Passage;
    /// See [`Assembly::set_passage`].
    fn set_passage(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, passage: Passage);
    /// See [`Memory::completed_step`].
    fn completed_step(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, diagnostics: &mut Diagnostics);
    /// See [`Multibody::pose`].
    fn pose(&self, view: View<'_, T>, offsets: Offsets) -> Option<Pose<T>>;
    /// See [`Part::relations`].
    fn relations(&self, view: View<'_, T>, offsets: Offsets) -> Vec<Relation<T>>;
    /// See [`Part::inertia`].
    fn inertia(&self, view: View<'_, T>, offsets: Offsets) -> T;
    /// See [`Part::start`].
    fn start(&self, view: View<'_, T>, offsets: Offsets, own: usize) -> [T; 2];
    /// See [`Part::initial_conditions`].
    fn initial_conditions(&self, view: View<'_, T>, offsets: Offsets, rests: bool) -> Vec<InitialCondition<T>>;
    /// See [`Part::own`].
    fn own(&self, view: View<'_, T>, offsets: Offsets, own: usize) -> [T; 3];
    /// See [`Part::set_own`].
    fn set_own(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, own: usize, motion: [T; 2]);
    /// See [`Part::set_velocity`].
    fn set_velocity(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, own: usize, velocity: T);
    /// See [`Loads::loads`].
    fn loads(&self, view: View<'_, T>, offsets: Offsets, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T));
    /// See [`Loads::compliance`].
    fn compliance(&self, view: View<'_, T>, offsets: Offsets, relative: [T; 2], at_event: bool) -> Compliance<T>;
    /// See [`ActsOnFrames::cut_loads`].
    fn cut_loads(&self, view: View<'_, T>, offsets: Offsets, space: &Space<'_, T>) -> Result<[Load<T>; 2], String>;
    /// See [`FrictionElement::friction_pair`].
    fn friction_pair(&self, view: View<'_, T>, offsets: Offsets) -> Option<FrictionPair<T>>;
    /// See [`FrictionElement::set_branch`].
    fn set_branch(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, found: &FrictionEvent<T>);
    /// See [`Events::indicators`].
    fn indicators(&self, view: View<'_, T>, offsets: Offsets, at: &EventPoint<'_, T>, indicators: &mut [T]);
    /// See [`Initialise::initialise`].
    fn initialise(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, space: &Space<'_, T>) -> Result<(), ModelError>;
    /// See [`Events::event`].
    fn event(
        &self,
        arrays: &mut Arrays<'_, T>,
        offsets: Offsets,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError>;
    /// See [`Block::begin_block`].
    fn begin_block(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, at: &EventPoint<'_, T>);
    /// See [`Block::update`].
    fn update(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, at: &EventPoint<'_, T>);
    /// See [`Part::set_outputs`].
    fn set_outputs(
        &self,
        arrays: &mut Arrays<'_, T>,
        offsets: Offsets,
        motion: &Kinematics<'_, T>,
        solution: Solution<'_, T>,
    );
}

/// A part type with its options.
pub struct Typed<P: PartType> {
    structure: P::Structure,
    default: P::Structure,
    properties: Properties,
    of: PhantomData<P>,
}

impl<P: PartType> Default for Typed<P> {
    fn default() -> Self {
        Self::of_family(P::structure(), const { Properties::of::<P>() })
    }
}

impl<P: PartType> Typed<P> {
    /// Makes one of several types that are one to the compiler, so that their code exists once: its default options say
    /// which one it is, and its properties are those of `P` but for its name and what differs.
    pub fn of_family(default: P::Structure, properties: Properties) -> Self {
        Self { structure: default.clone(), default, properties, of: PhantomData }
    }

    /// True if the part has positions of its own; types without any need no code for them.
    #[inline(always)]
    fn has_own(&self) -> bool {
        P::CAN_BE_FREE || !P::own(&self.structure).is_empty()
    }
}

impl<P: PartType> AnyPart for Typed<P> {
    fn properties(&self) -> &Properties {
        &self.properties
    }
    fn in_duals(&self) -> &dyn Evaluate<Dual64> {
        self
    }
    fn new_default(&self) -> Box<dyn AnyPart> {
        Box::new(Self::of_family(self.default.clone(), self.properties))
    }
    fn copied(&self) -> Box<dyn AnyPart> {
        Box::new(Self { structure: self.structure.clone(), ..Self::of_family(self.default.clone(), self.properties) })
    }
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        self.structure.visit(&mut |name, text, setting| {
            if !P::CHOSEN.contains(&name) {
                visit(name, text, setting);
            }
        });
    }
    fn connectors(&self) -> Vec<(&'static str, Connector)> {
        P::connectors(&self.structure)
    }
    fn shapes(&self) -> Vec<Shape<'static>> {
        P::shapes_of(&self.structure)
    }
    fn own_positions(&self) -> &'static [Preference] {
        P::own(&self.structure)
    }
    fn indicator_count(&self) -> usize {
        <P::In<f64> as Events<f64>>::indicator_count(&self.structure)
    }
    fn integrations(&self) -> usize {
        P::integrations(&self.structure)
    }
    fn starts_steady(&self) -> Option<&'static str> {
        P::starts_steady(&self.structure)
    }
    fn is_integrated(&self) -> bool {
        P::is_integrated(&self.structure)
    }
    fn needs_accelerations(&self) -> bool {
        P::needs_accelerations(&self.structure)
    }
    fn is_discrete(&self) -> bool {
        P::is_discrete(&self.structure)
    }
    fn problem(&self, view: View<'_, f64>, offsets: Offsets) -> Option<String> {
        read_all::<f64, P::In<f64>>(view, offsets).problem()
    }
    fn warning(&self, view: View<'_, f64>, offsets: Offsets) -> Option<String> {
        read_all::<f64, P::In<f64>>(view, offsets).warning()
    }
    fn coefficient(
        &self,
        view: View<'_, f64>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Coefficient, ModelError> {
        read::<f64, P::In<f64>>(view, offsets).coefficient(&source.with(&self.structure))
    }
    fn losses(
        &self,
        view: View<'_, f64>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Option<LossTable>, ModelError> {
        if <P::In<f64> as FrictionElement<f64>>::IMPLEMENTED {
            read::<f64, P::In<f64>>(view, offsets).losses(&source.with(&self.structure))
        } else {
            Ok(None)
        }
    }
    fn prepare(
        &self,
        view: View<'_, f64>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Box<PartData>, ModelError> {
        read::<f64, P::In<f64>>(view, offsets).prepare(&source.with(&self.structure))
    }
    fn declare(&self, name: &str, has_states: bool, visitor: &mut dyn ElementVisitor) {
        let options = P::options(&self.structure, has_states);
        let prefix = Prefix::new(name, name, P::CONNECTOR);
        <P::In<f64> as Variable<f64>>::declare(&Attributes::part(&prefix), Some(options), visitor);
    }
}

/// Reads a part from the arrays; inlined, so that nothing is read that is not used.
#[inline(always)]
fn read<T: Scalar, P: Part<T>>(view: View<'_, T>, offsets: Offsets) -> P {
    P::read(&mut Reader::at(view.reals, view.integers, view.booleans, offsets, P::SIZE))
}

/// Reads a part where that happens once: the code of these calls would be as large as that of all evaluations.
#[cold]
#[inline(never)]
fn read_all<T: Scalar, P: Part<T>>(view: View<'_, T>, offsets: Offsets) -> P {
    read(view, offsets)
}

fn write<T: Scalar, P: Part<T>>(part: &P, arrays: &mut Arrays<'_, T>, offsets: Offsets) {
    part.write(&mut Writer::at(arrays.reals, arrays.integers, arrays.booleans, offsets, P::SIZE));
}

/// Writes a part where that happens once: see [`read_all`].
#[cold]
#[inline(never)]
fn write_all<T: Scalar, P: Part<T>>(part: &P, arrays: &mut Arrays<'_, T>, offsets: Offsets) {
    write(part, arrays, offsets);
}

// The following functions are not inlined, so that types with the same rows share them.

#[inline(never)]
fn loads<T: Scalar, P: Loads<T>>(
    structure: &P::Structure,
    view: View<'_, T>,
    offsets: Offsets,
    motion: &Kinematics<'_, T>,
    add: &mut dyn FnMut(usize, T),
) {
    read::<T, P>(view, offsets).loads(structure, motion, add);
}

#[inline(never)]
fn compliance<T: Scalar, P: Loads<T>>(
    structure: &P::Structure,
    view: View<'_, T>,
    offsets: Offsets,
    relative: [T; 2],
    at_event: bool,
) -> Compliance<T> {
    read::<T, P>(view, offsets).compliance(structure, relative, at_event)
}

#[inline(never)]
fn cuts<T: Scalar, P: ActsOnFrames<T>>(
    structure: &P::Structure,
    view: View<'_, T>,
    offsets: Offsets,
    space: &Space<'_, T>,
) -> Result<[Load<T>; 2], String> {
    read::<T, P>(view, offsets).cut_loads(structure, space)
}

#[inline(never)]
fn set_own<T: Scalar, P: Part<T>>(arrays: &mut Arrays<'_, T>, offsets: Offsets, own: usize, motion: [T; 2]) {
    let mut part = read_all::<T, P>(arrays.view(), offsets);
    part.set_own(own, motion);
    write_all::<T, P>(&part, arrays, offsets);
}

#[inline(never)]
fn set_velocity<T: Scalar, P: Part<T>>(arrays: &mut Arrays<'_, T>, offsets: Offsets, own: usize, velocity: T) {
    let mut part = read_all::<T, P>(arrays.view(), offsets);
    part.set_velocity(own, velocity);
    write_all::<T, P>(&part, arrays, offsets);
}

#[inline(never)]
fn update<T: Scalar, P: Block<T>>(
    structure: &P::Structure,
    arrays: &mut Arrays<'_, T>,
    offsets: Offsets,
    at: &EventPoint<'_, T>,
) {
    let mut part = read::<T, P>(arrays.view(), offsets);
    part.update(structure, at);
    write::<T, P>(&part, arrays, offsets);
}

/// Many types of blocks have the same rows.
#[inline(never)]
fn block_indicators<T: Scalar, P: Events<T>>(
    structure: &P::Structure,
    view: View<'_, T>,
    offsets: Offsets,
    at: &EventPoint<'_, T>,
    indicators: &mut [T],
) {
    read::<T, P>(view, offsets).indicators(structure, at, indicators);
}

/// See [`block_indicators`].
#[inline(never)]
fn block_event<T: Scalar, P: Events<T>>(
    structure: &P::Structure,
    arrays: &mut Arrays<'_, T>,
    offsets: Offsets,
    at: &EventPoint<'_, T>,
    event: &mut Event,
) -> Result<(), ModelError> {
    let mut part = read::<T, P>(arrays.view(), offsets);
    part.event(structure, at, event)?;
    write::<T, P>(&part, arrays, offsets);
    Ok(())
}

#[cold]
#[inline(never)]
fn begin_block<T: Scalar, P: Block<T>>(
    structure: &P::Structure,
    arrays: &mut Arrays<'_, T>,
    offsets: Offsets,
    at: &EventPoint<'_, T>,
) {
    let mut part = read::<T, P>(arrays.view(), offsets);
    part.begin_block(structure, at);
    write::<T, P>(&part, arrays, offsets);
}

#[inline(never)]
fn set_outputs<T: Scalar, P: Part<T>>(
    structure: &P::Structure,
    arrays: &mut Arrays<'_, T>,
    offsets: Offsets,
    motion: &Kinematics<'_, T>,
    solution: Solution<'_, T>,
) {
    let mut part = read::<T, P>(arrays.view(), offsets);
    part.set_outputs(structure, motion, solution);
    write::<T, P>(&part, arrays, offsets);
}

impl<T: Scalar, P: PartType> Evaluate<T> for Typed<P> {
    fn elements(&self, view: View<'_, T>, offsets: Offsets) -> Vec<Element<T>> {
        if <P::In<T> as Multibody<T>>::IMPLEMENTED {
            read_all::<T, P::In<T>>(view, offsets).elements(&self.structure)
        } else {
            Vec::new()
        }
    }
    fn assembly_branch(&self, view: View<'_, T>, offsets: Offsets) -> AssemblyBranch<T> {
        if <P::In<T> as Assembly<T>>::IMPLEMENTED {
            read::<T, P::In<T>>(view, offsets).assembly_branch()
        } else {
            AssemblyBranch::default()
        }
    }
    fn invalid_pose(&self, view: View<'_, T>, offsets: Offsets, ends: &[Motion<T>; 2]) -> Option<String> {
        if <P::In<T> as Assembly<T>>::IMPLEMENTED {
            read_all::<T, P::In<T>>(view, offsets).invalid_pose(ends)
        } else {
            None
        }
    }
    fn begin(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, assembly_branch: &AssemblyBranch<T>) {
        if <P::In<T> as Assembly<T>>::IMPLEMENTED {
            let mut part = read_all::<T, P::In<T>>(arrays.view(), offsets);
            part.begin(assembly_branch);
            write_all::<T, P::In<T>>(&part, arrays, offsets);
        }
    }
    fn passage(&self, view: View<'_, T>, offsets: Offsets) -> Passage {
        if <P::In<T> as Assembly<T>>::IMPLEMENTED {
            read::<T, P::In<T>>(view, offsets).passage()
        } else {
            Passage::None
        }
    }
    fn set_passage(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, passage: Passage) {
        if <P::In<T> as Assembly<T>>::IMPLEMENTED {
            let mut part = read_all::<T, P::In<T>>(arrays.view(), offsets);
            part.set_passage(passage);
            write_all::<T, P::In<T>>(&part, arrays, offsets);
        }
    }
    fn completed_step(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, diagnostics: &mut Diagnostics) {
        if <P::In<T> as Memory<T>>::IMPLEMENTED {
            let mut part = read::<T, P::In<T>>(arrays.view(), offsets);
            part.completed_step(diagnostics);
            write::<T, P::In<T>>(&part, arrays, offsets);
        }
    }
    fn pose(&self, view: View<'_, T>, offsets: Offsets) -> Option<Pose<T>> {
        if <P::In<T> as Multibody<T>>::IMPLEMENTED { read::<T, P::In<T>>(view, offsets).pose() } else { None }
    }
    fn relations(&self, view: View<'_, T>, offsets: Offsets) -> Vec<Relation<T>> {
        read::<T, P::In<T>>(view, offsets).relations(&self.structure)
    }
    fn inertia(&self, view: View<'_, T>, offsets: Offsets) -> T {
        read::<T, P::In<T>>(view, offsets).inertia()
    }
    fn start(&self, view: View<'_, T>, offsets: Offsets, own: usize) -> [T; 2] {
        read_all::<T, P::In<T>>(view, offsets).start(&self.structure, own)
    }
    fn initial_conditions(&self, view: View<'_, T>, offsets: Offsets, rests: bool) -> Vec<InitialCondition<T>> {
        read_all::<T, P::In<T>>(view, offsets).initial_conditions(&self.structure, rests)
    }
    fn own(&self, view: View<'_, T>, offsets: Offsets, own: usize) -> [T; 3] {
        if self.has_own() { read::<T, P::In<T>>(view, offsets).own(own) } else { [T::zero(); 3] }
    }
    fn set_own(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, own: usize, motion: [T; 2]) {
        if self.has_own() {
            set_own::<T, P::In<T>>(arrays, offsets, own, motion);
        }
    }
    fn set_velocity(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, own: usize, velocity: T) {
        if self.has_own() {
            set_velocity::<T, P::In<T>>(arrays, offsets, own, velocity);
        }
    }
    fn loads(&self, view: View<'_, T>, offsets: Offsets, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T)) {
        if <P::In<T> as Loads<T>>::IMPLEMENTED {
            loads::<T, P::In<T>>(&self.structure, view, offsets, motion, add);
        }
    }
    fn compliance(&self, view: View<'_, T>, offsets: Offsets, relative: [T; 2], at_event: bool) -> Compliance<T> {
        if <P::In<T> as Loads<T>>::IMPLEMENTED && P::COMPLIANT.is_some() {
            compliance::<T, P::In<T>>(&self.structure, view, offsets, relative, at_event)
        } else {
            Compliance::none()
        }
    }
    fn cut_loads(&self, view: View<'_, T>, offsets: Offsets, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        if <P::In<T> as ActsOnFrames<T>>::IMPLEMENTED {
            cuts::<T, P::In<T>>(&self.structure, view, offsets, space)
        } else {
            Ok([Load::none(); 2])
        }
    }
    fn friction_pair(&self, view: View<'_, T>, offsets: Offsets) -> Option<FrictionPair<T>> {
        if <P::In<T> as FrictionElement<T>>::IMPLEMENTED {
            read::<T, P::In<T>>(view, offsets).friction_pair(&self.structure)
        } else {
            None
        }
    }
    fn set_branch(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, found: &FrictionEvent<T>) {
        if <P::In<T> as FrictionElement<T>>::IMPLEMENTED {
            let mut part = read::<T, P::In<T>>(arrays.view(), offsets);
            part.set_branch(found);
            write::<T, P::In<T>>(&part, arrays, offsets);
        }
    }
    fn indicators(&self, view: View<'_, T>, offsets: Offsets, at: &EventPoint<'_, T>, indicators: &mut [T]) {
        if <P::In<T> as Events<T>>::IMPLEMENTED && <P::In<T> as Block<T>>::IMPLEMENTED {
            block_indicators::<T, P::In<T>>(&self.structure, view, offsets, at, indicators);
        } else if <P::In<T> as Events<T>>::IMPLEMENTED {
            read::<T, P::In<T>>(view, offsets).indicators(&self.structure, at, indicators);
        }
    }
    fn initialise(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, space: &Space<'_, T>) -> Result<(), ModelError> {
        if <P::In<T> as Initialise<T>>::IMPLEMENTED {
            let mut part = read::<T, P::In<T>>(arrays.view(), offsets);
            part.initialise(&self.structure, space)?;
            write::<T, P::In<T>>(&part, arrays, offsets);
        }
        Ok(())
    }
    fn event(
        &self,
        arrays: &mut Arrays<'_, T>,
        offsets: Offsets,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        if <P::In<T> as Events<T>>::IMPLEMENTED && <P::In<T> as Block<T>>::IMPLEMENTED {
            return block_event::<T, P::In<T>>(&self.structure, arrays, offsets, at, event);
        }
        if <P::In<T> as Events<T>>::IMPLEMENTED {
            let mut part = read::<T, P::In<T>>(arrays.view(), offsets);
            part.event(&self.structure, at, event)?;
            write::<T, P::In<T>>(&part, arrays, offsets);
        }
        Ok(())
    }
    fn begin_block(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, at: &EventPoint<'_, T>) {
        if <P::In<T> as Block<T>>::IMPLEMENTED {
            begin_block::<T, P::In<T>>(&self.structure, arrays, offsets, at);
        }
    }
    fn update(&self, arrays: &mut Arrays<'_, T>, offsets: Offsets, at: &EventPoint<'_, T>) {
        if <P::In<T> as Block<T>>::IMPLEMENTED {
            update::<T, P::In<T>>(&self.structure, arrays, offsets, at);
        }
    }
    fn set_outputs(
        &self,
        arrays: &mut Arrays<'_, T>,
        offsets: Offsets,
        motion: &Kinematics<'_, T>,
        solution: Solution<'_, T>,
    ) {
        // The outputs of a block are computed before.
        if !<P::In<T> as Block<T>>::IMPLEMENTED {
            set_outputs::<T, P::In<T>>(&self.structure, arrays, offsets, motion, solution);
        }
    }
}

/// Counts the values that a declaration passes.
pub struct Counter(pub Offsets);

impl Counter {
    /// A counter at zero.
    pub const NONE: Self = Self(Offsets { passed: Size::NONE, strings: 0, tables: 0, attachments: 0 });
}

impl ElementVisitor for Counter {
    fn real(&mut self, _: &Attributes<'_>, _: fmu_runtime::Index, _: f64) {
        self.0.passed.reals += 1;
    }
    fn integer(&mut self, _: &Attributes<'_>, _: fmu_runtime::Index, _: i32) {
        self.0.passed.integers += 1;
    }
    fn enumeration(&mut self, _: &Attributes<'_>, _: &'static fmu_runtime::Enumeration, _: i32) {
        self.0.passed.integers += 1;
    }
    fn boolean(&mut self, _: &Attributes<'_>, _: bool) {
        self.0.passed.booleans += 1;
    }
    fn string(&mut self, _: &Attributes<'_>, _: &'static str) {
        self.0.strings += 1;
    }
    fn table(&mut self, _: &Attributes<'_>, _: usize, _: &'static [f64]) {
        self.0.tables += 1;
    }
    fn attachment(&mut self, _: &Attributes<'_>) {
        self.0.attachments += 1;
    }
}
