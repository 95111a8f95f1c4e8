//! What a part of a system is: rows, positions, relations between these, loads.

use std::any::Any;
use std::marker::PhantomData;

use fmu_runtime::InitialValue;
use fmu_runtime::model::{Files, Layout};
use fmu_runtime::structure::Setting;
use fmu_runtime::{
    Attributes, Connector, Dual64, ElementVisitor, Place, Prefix, Reader, Scalar, Shape, Size, Structure, Variable,
    Writer,
};
use fmu_runtime::{Diagnostics, Event, ModelError, Source, Values};
use mechanics::frame::{Load, Relative};
pub use mechanics::friction::{Branch, Coefficient, CoefficientError};
use mechanics::motion;
pub use mechanics::train::{Preference, Relation};
pub use mechanics::tree::{Element, Pose, Posture};
use mechanics::tree::{Room, Tree};

use crate::relative::Component;

/// The values of a system in a scalar type.
pub struct Arrays<'a, T> {
    /// Reals.
    pub reals: &'a mut [T],
    /// Integers and enumerations.
    pub integers: &'a mut [i32],
    /// Booleans.
    pub booleans: &'a mut [bool],
}

impl<T: Copy> Arrays<'_, T> {
    /// The values, to read.
    pub fn view(&self) -> View<'_, T> {
        View { reals: self.reals, integers: self.integers, booleans: self.booleans }
    }
}

/// The values of a system, to read.
#[derive(Clone, Copy)]
pub struct View<'a, T> {
    /// Reals.
    pub reals: &'a [T],
    /// Integers and enumerations.
    pub integers: &'a [i32],
    /// Booleans.
    pub booleans: &'a [bool],
}

/// The motion of a part's positions: those of its flanges, then its own. In rad, rad/s and rad/s2, or m, m/s and m/s2.
#[derive(Clone, Copy)]
pub struct Motion<'a, T> {
    all: [&'a [T]; 3],
    positions: &'a [usize],
}

impl<'a, T: Copy> Motion<'a, T> {
    /// Of the positions with these numbers, among all positions, velocities and accelerations.
    pub fn new(all: [&'a [T]; 3], positions: &'a [usize]) -> Self {
        Self { all, positions }
    }

    /// The number of positions.
    pub fn count(&self) -> usize {
        self.positions.len()
    }

    /// A position.
    pub fn x(&self, i: usize) -> T {
        self.all[0][self.positions[i]]
    }

    /// A velocity.
    pub fn v(&self, i: usize) -> T {
        self.all[1][self.positions[i]]
    }

    /// An acceleration; not known yet where loads are computed.
    pub fn a(&self, i: usize) -> T {
        self.all[2][self.positions[i]]
    }
}

/// A friction element between two positions of a part.
#[derive(Clone, Copy, Debug)]
pub struct Contact<T> {
    /// Positions of the part: `w_rel = v[1] - v[0]`, and with it the friction torque acts on the first one.
    pub between: [usize; 2],
    /// Ratio of static friction to sliding friction at w = 0.
    pub peak: T,
    /// Rate at which a relative velocity decays while stuck, in 1/s.
    pub k_locked: T,
    /// Largest overshoot of w through zero that counts as an arrival at zero, in rad/s.
    pub w_small: T,
    /// Normal force times geometry, in N.m.
    pub n: T,
    /// The branch of the friction law.
    pub branch: Branch,
}

/// What a friction element does.
#[derive(Clone, Copy, Debug)]
pub struct Slip<'a, T> {
    /// The coefficient of sliding friction.
    pub coefficient: &'a Coefficient,
    /// Friction torque, in N.m.
    pub tau: T,
    /// The parameter of the law's curve.
    pub sa: T,
    /// Zero, with the derivative of time.
    pub time_derivative: T,
}

/// What was prepared from parameters and tables for a part.
pub type PartData = dyn Any + Send + Sync;

/// The mechanism in space that a part belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Space<'a, T: Scalar> {
    /// The whole mechanism.
    pub tree: &'a Tree<T>,
    /// Its motion and loads.
    pub room: &'a Room<T>,
    /// The numbers of the part's frames.
    pub frames: &'a [usize],
    /// The number of the part's first element.
    pub element: usize,
    /// What was prepared for the part.
    pub data: &'a PartData,
    /// Time in s.
    pub time: T,
}

impl<T: Scalar> Space<'_, T> {
    /// The motion of a frame of the part.
    pub fn frame(&self, i: usize) -> motion::Motion<T> {
        self.tree.frame(self.room, self.frames[i])
    }

    /// How the second frame of the part moves relative to the first one.
    pub fn relative(&self) -> Relative<T> {
        Relative::new(&self.frame(0).frame(), &self.frame(1).frame())
    }

    /// The loads on the part at its two frames, if it is a joint; at its outer ones, if it is an assembly.
    pub fn cuts(&self) -> [Load<T>; 2] {
        self.cuts_of(0)
    }

    /// The loads on one of its elements, which is a joint, at the two frames of that.
    pub fn cuts_of(&self, i: usize) -> [Load<T>; 2] {
        self.tree.cuts(self.room, self.element + i)
    }

    /// The load that drives it, if it is a joint or an assembly, in N.m or N.
    pub fn drive(&self) -> T {
        self.tree.drive(self.room, self.element)
    }

    /// Its coordinate, the force in rod 1 with its denominator, if it is an assembly.
    pub fn closed(&self) -> Option<(motion::Coordinate<T>, T, T)> {
        self.tree.closed(self.room, self.element)
    }
}

/// Positions and velocities of a part at an event, or where one is looked for.
#[derive(Clone, Copy)]
pub struct Moment<'a, T: Scalar> {
    /// Of its positions.
    pub motion: Motion<'a, T>,
    /// The mechanism in space, if the part belongs to it; its accelerations are not known yet.
    pub space: Option<Space<'a, T>>,
}

/// What follows from all parts together, besides the motion.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a, T: Scalar> {
    /// What the friction element does, if there is one.
    pub slip: Option<Slip<'a, T>>,
    /// The load that keeps the part's given position on its motion, in N.m or N.
    pub reaction: T,
    /// The mechanism in space, if the part belongs to it and outputs are computed.
    pub space: Option<Space<'a, T>>,
}

/// A start value that a sum of positions, or of their velocities, should have.
#[derive(Clone, Debug)]
pub struct Wanted<T> {
    /// The variable of the part.
    pub name: &'static str,
    /// Positions of the part with their coefficients.
    pub terms: Vec<(usize, T)>,
    /// In place of these, the relative motion of the part's frames.
    pub relative: Option<Component<T>>,
    /// 0 for positions, 1 for velocities, 2 for accelerations, which can only be enforced to be 0.
    pub order: usize,
    /// The start value.
    pub start: T,
    /// Whether it is a guess, or enforced.
    pub initial: InitialValue,
    /// The nominal value.
    pub nominal: f64,
    /// Whether a steady start asks for it.
    pub is_of_rest: bool,
}

impl<T: Scalar> Wanted<T> {
    /// A position (order 0) or its velocity (1) has a start value.
    pub fn of(
        position: usize,
        (name, order): (&'static str, usize),
        start: T,
        (initial, nominal): (InitialValue, f64),
    ) -> Self {
        let terms = vec![(position, T::one())];
        Self { name, terms, relative: None, order, start, initial, nominal, is_of_rest: false }
    }

    /// Velocity and acceleration of a position, which have these names, are zero.
    pub fn at_rest(position: usize, names: [&'static str; 2]) -> [Self; 2] {
        let zero = |i: usize| Self::of(position, (names[i], i + 1), T::zero(), (InitialValue::enforce, 1.0));
        [0, 1].map(|i| Self { is_of_rest: true, ..zero(i) })
    }
}

/// The variables and equations of a part in the scalar type `T`.
pub trait Part<T: Scalar>: Variable<T> {
    /// Its structure options.
    type Structure: Structure;

    /// A parameter with which it cannot work, and what is right, as `ratio is 0, but …`.
    fn fault(&self) -> Option<String> {
        None
    }

    /// A parameter that is possible, but hardly meant, as `I_11 = …, but …`.
    fn warning(&self) -> Option<String> {
        None
    }

    /// What it is in space, between its frames; a joint's position is one of those of the part. The first one is a joint if
    /// any is.
    fn elements(&self, _structure: &Self::Structure) -> Vec<Element<T>> {
        Vec::new()
    }

    /// What was chosen at the start, if it is an assembly.
    fn posture(&self) -> Posture<T> {
        Posture::default()
    }

    /// What cannot be where its outer frames are at the start, if it is an assembly, as `n_b must be …`.
    fn misfit(&self, _ends: &[motion::Motion<T>; 2]) -> Option<String> {
        None
    }

    /// Takes what is chosen at the start, if it is an assembly.
    fn begin(&mut self, _posture: &Posture<T>) {}

    /// Updates what it remembers, at the end of a step.
    fn completed_step(&mut self, _diagnostics: &mut Diagnostics) {}

    /// How the second frame of its joint lies, seen from the first one, if its positions do not tell; none if its quaternion
    /// has no direction.
    fn pose(&self) -> Option<Pose<T>> {
        None
    }

    /// Relations between its positions.
    fn relations(&self, _structure: &Self::Structure) -> Vec<Relation<T>> {
        Vec::new()
    }

    /// Inertia that moves with its first own position, in kg.m2 or kg.
    fn inertia(&self) -> T {
        T::zero()
    }

    /// Position and velocity of one of its own positions at the start, unless start values that are wanted change them.
    fn start(&self, _structure: &Self::Structure, _own: usize) -> [T; 2] {
        [T::zero(); 2]
    }

    /// The start values that are wanted, guessed or enforced; with `rests`, that its own positions, which are free, start at
    /// rest.
    fn wanted(&self, _structure: &Self::Structure, _rests: bool) -> Vec<Wanted<T>> {
        Vec::new()
    }

    /// Position, velocity and acceleration of one of its own positions: a state, or given.
    fn own(&self, _own: usize) -> [T; 3] {
        [T::zero(); 3]
    }

    /// Sets position and velocity of one of its own positions, at the start.
    fn set_own(&mut self, _own: usize, _motion: [T; 2]) {}

    /// Sets the velocity of one of its own positions.
    fn set_velocity(&mut self, own: usize, velocity: T) {
        let [x, ..] = self.own(own);
        self.set_own(own, [x, velocity]);
    }

    /// Adds the loads on its positions, in N.m or N.
    fn loads(&self, _structure: &Self::Structure, _motion: &Motion<'_, T>, _add: &mut dyn FnMut(usize, T)) {}

    /// Prepares what its equations work with, from parameters and tables.
    ///
    /// # Errors
    ///
    /// Parameters that are not possible, as `RotSeq is …`.
    fn prepare(&self, _source: &Source<'_, Self::Structure>) -> Result<Box<PartData>, ModelError> {
        Ok(Box::new(()))
    }

    /// The loads on it at its first frames, resolved there, if it [acts on frames](PartType::ACTS_ON_FRAMES). They follow from
    /// positions and velocities. The error says why there are none, as `frame_a and frame_b are …`.
    fn cuts(&self, _structure: &Self::Structure, _space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        Ok([Load::none(); 2])
    }

    /// Its friction element.
    fn contact(&self, _structure: &Self::Structure) -> Option<Contact<T>> {
        None
    }

    /// The coefficient of sliding friction of an element, from the rows of its table, which the error names.
    fn coefficient(
        &self,
        _structure: &Self::Structure,
        _rows: &dyn Fn(fmu_runtime::Table<2>) -> Vec<[f64; 2]>,
    ) -> Result<Coefficient, (&'static str, CoefficientError)> {
        Ok(Coefficient::default())
    }

    /// Sets the branch of its friction element, at a time in s.
    fn set_branch(&mut self, _branch: Branch, _time: T) {}

    /// Sets its memory at the start, where the mechanism is, if it has events and acts on frames.
    ///
    /// # Errors
    ///
    /// A pose that is not possible.
    fn initialise(&mut self, _structure: &Self::Structure, _space: &Space<'_, T>) -> Result<(), ModelError> {
        Ok(())
    }

    /// Event indicators of its own, by positions and velocities: one changes its sign where the part's branch ends.
    fn indicators(&self, _structure: &Self::Structure, _at: &Moment<'_, T>, _indicators: &mut [T]) {}

    /// Chooses its branch, at an event, and says when its next time event is due, if there is one.
    ///
    /// # Errors
    ///
    /// A pose that is not possible.
    fn event(
        &mut self,
        _structure: &Self::Structure,
        _at: &Moment<'_, T>,
        _event: &mut Event,
    ) -> Result<(), ModelError> {
        Ok(())
    }

    /// Sets its outputs from the motion and from what else was found.
    fn put(&mut self, structure: &Self::Structure, motion: &Motion<'_, T>, found: Found<'_, T>);
}

/// A type of part.
pub trait PartType: Send + Sync + 'static {
    /// The name in `type = "…"`.
    const NAME: &'static str;
    /// One line.
    const TEXT: &'static str;
    /// Its structure options.
    type Structure: Structure + Clone;
    /// Its variables and equations.
    type In<T: Scalar>: Part<T, Structure = Self::Structure>;

    /// Its default options.
    fn structure() -> Self::Structure {
        Self::Structure::default()
    }

    /// Names of its connectors. Positions of flanges are its first ones; frames have numbers of their own.
    fn connectors(structure: &Self::Structure) -> Vec<(&'static str, Connector)>;

    /// The options of its rows. `has_states` says whether the motion of its own position is free, hence a state.
    fn options(structure: &Self::Structure, has_states: bool) -> <Self::In<f64> as Variable<f64>>::Start;

    /// What a viewer draws of it, in terms of its frames, of its variables and of the looks of assemblies; numbers are as in
    /// `fmu-builder/src/description/shapes.rs`.
    fn shapes() -> Vec<Shape<'static>> {
        Vec::new()
    }

    /// Its own positions, behind those of its connectors.
    fn own(_structure: &Self::Structure) -> &'static [Preference] {
        &[]
    }

    /// The number of frames that it has inside, behind those of its connectors.
    const INNER_FRAMES: usize = 0;

    /// Whether it moves freely, with six positions of its own and no others, where nothing carries its first frame.
    const CAN_BE_FREE: bool = false;

    /// Whether it has events besides those of a friction element.
    const HAS_EVENTS: bool = false;

    /// Number of event indicators, if it has such events.
    fn indicator_count(_structure: &Self::Structure) -> usize {
        0
    }

    /// Whether its position is a state although its velocity is given.
    const IS_INTEGRATED: bool = false;

    /// Whether it has a friction element.
    const HAS_CONTACT: bool = false;

    /// Whether it has loads; a friction element is none.
    const HAS_LOADS: bool = true;

    /// Whether it is a part in space.
    const IS_IN_SPACE: bool = false;

    /// Whether it is a part in space that acts on its frames without moving them.
    const ACTS_ON_FRAMES: bool = false;

    /// The structure options that a system chooses.
    const CHOSEN: &'static [&'static str] = &[];

    /// The parameter with axis 1 of its universal joint, empty if it has none, if it is an assembly. The motion of its own
    /// position, if it has one, follows from that of the mechanism.
    const AXIS1: Option<&'static str> = None;

    /// Whether it remembers anything of steps.
    const HAS_MEMORY: bool = false;

    /// What its variables are for an importer, if it is a connector of the system.
    const CONNECTOR: Option<Connector> = None;
}

/// What is the same for all parts of a type, whatever their options are: one table instead of a function for each.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The name of the type.
    pub type_name: &'static str,
    /// One line.
    pub text: &'static str,
    /// See [`PartType::INNER_FRAMES`].
    pub inner_frames: usize,
    /// See [`PartType::CAN_BE_FREE`].
    pub can_be_free: bool,
    /// See [`PartType::HAS_EVENTS`].
    pub has_events: bool,
    /// Whether its position is a state although its velocity is given.
    pub is_integrated: bool,
    /// Whether it has a friction element.
    pub has_contact: bool,
    /// Whether it has loads.
    pub has_loads: bool,
    /// Whether it is a part in space.
    pub is_in_space: bool,
    /// Whether it acts on its frames without moving them.
    pub acts_on_frames: bool,
    /// See [`PartType::AXIS1`].
    pub axis1: Option<&'static str>,
    /// Whether it remembers anything of steps.
    pub has_memory: bool,
    /// Whether it is a connector of the system.
    pub is_connector: bool,
}

/// A part of any type, with its structure options.
pub trait AnyPart: Evaluate<f64> + Send + Sync {
    /// What is the same with all options.
    fn facts(&self) -> &'static Facts;
    /// Its equations in dual numbers. As another supertrait they would be in two tables of functions for each type.
    fn in_duals(&self) -> &dyn Evaluate<Dual64>;
    /// The same type with default options.
    fn fresh(&self) -> Box<dyn AnyPart>;
    /// Passes its structure options.
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting));
    /// Names of its connectors.
    fn connectors(&self) -> Vec<(&'static str, Connector)>;
    /// See [`PartType::shapes`].
    fn shapes(&self) -> Vec<Shape<'static>>;
    /// Its own positions, unless it moves freely.
    fn own_positions(&self) -> &'static [Preference];
    /// See [`PartType::indicator_count`].
    fn indicator_count(&self) -> usize;
    /// See [`Part::fault`].
    fn fault(&self, view: View<'_, f64>, place: Place) -> Option<String>;
    /// See [`Part::warning`].
    fn warning(&self, view: View<'_, f64>, place: Place) -> Option<String>;
    /// See [`Part::coefficient`].
    fn coefficient(
        &self,
        view: View<'_, f64>,
        place: Place,
        rows: &dyn Fn(fmu_runtime::Table<2>) -> Vec<[f64; 2]>,
    ) -> Result<Coefficient, (&'static str, CoefficientError)>;
    /// See [`Part::prepare`].
    fn prepare(
        &self,
        place: Place,
        values: &Values,
        layout: &Layout,
        files: Option<&Files>,
    ) -> Result<Box<PartData>, ModelError>;
    /// Passes its rows, which `name` precedes.
    fn declare(&self, name: &str, has_states: bool, visitor: &mut dyn ElementVisitor);
}

/// The equations of a part on the arrays of the whole system, in which its values begin at `place`.
pub trait Evaluate<T: Scalar> {
    /// See [`Part::elements`].
    fn elements(&self, view: View<'_, T>, place: Place) -> Vec<Element<T>>;
    /// See [`Part::posture`].
    fn posture(&self, view: View<'_, T>, place: Place) -> Posture<T>;
    /// See [`Part::misfit`].
    fn misfit(&self, view: View<'_, T>, place: Place, ends: &[motion::Motion<T>; 2]) -> Option<String>;
    /// See [`Part::begin`].
    fn begin(&self, arrays: &mut Arrays<'_, T>, place: Place, posture: &Posture<T>);
    /// See [`Part::completed_step`].
    fn completed_step(&self, arrays: &mut Arrays<'_, T>, place: Place, diagnostics: &mut Diagnostics);
    /// See [`Part::pose`].
    fn pose(&self, view: View<'_, T>, place: Place) -> Option<Pose<T>>;
    /// See [`Part::relations`].
    fn relations(&self, view: View<'_, T>, place: Place) -> Vec<Relation<T>>;
    /// See [`Part::inertia`].
    fn inertia(&self, view: View<'_, T>, place: Place) -> T;
    /// See [`Part::start`].
    fn start(&self, view: View<'_, T>, place: Place, own: usize) -> [T; 2];
    /// See [`Part::wanted`].
    fn wanted(&self, view: View<'_, T>, place: Place, rests: bool) -> Vec<Wanted<T>>;
    /// See [`Part::own`].
    fn own(&self, view: View<'_, T>, place: Place, own: usize) -> [T; 3];
    /// See [`Part::set_own`].
    fn set_own(&self, arrays: &mut Arrays<'_, T>, place: Place, own: usize, motion: [T; 2]);
    /// See [`Part::set_velocity`].
    fn set_velocity(&self, arrays: &mut Arrays<'_, T>, place: Place, own: usize, velocity: T);
    /// See [`Part::loads`].
    fn loads(&self, view: View<'_, T>, place: Place, motion: &Motion<'_, T>, add: &mut dyn FnMut(usize, T));
    /// See [`Part::cuts`].
    fn cuts(&self, view: View<'_, T>, place: Place, space: &Space<'_, T>) -> Result<[Load<T>; 2], String>;
    /// See [`Part::contact`].
    fn contact(&self, view: View<'_, T>, place: Place) -> Option<Contact<T>>;
    /// See [`Part::set_branch`].
    fn set_branch(&self, arrays: &mut Arrays<'_, T>, place: Place, branch: Branch, time: T);
    /// See [`Part::indicators`].
    fn indicators(&self, view: View<'_, T>, place: Place, at: &Moment<'_, T>, indicators: &mut [T]);
    /// See [`Part::initialise`].
    fn initialise(&self, arrays: &mut Arrays<'_, T>, place: Place, space: &Space<'_, T>) -> Result<(), ModelError>;
    /// See [`Part::event`].
    fn event(
        &self,
        arrays: &mut Arrays<'_, T>,
        place: Place,
        at: &Moment<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError>;
    /// See [`Part::put`].
    fn put(&self, arrays: &mut Arrays<'_, T>, place: Place, motion: &Motion<'_, T>, found: Found<'_, T>);
}

/// A part type with its options.
pub struct Typed<P: PartType> {
    structure: P::Structure,
    of: PhantomData<P>,
}

impl<P: PartType> Default for Typed<P> {
    fn default() -> Self {
        Self { structure: P::structure(), of: PhantomData }
    }
}

impl<P: PartType> Typed<P> {
    /// Whether it has positions of its own; types without any need no code for them.
    #[inline(always)]
    fn has_own(&self) -> bool {
        P::CAN_BE_FREE || !P::own(&self.structure).is_empty()
    }
}

impl<P: PartType> AnyPart for Typed<P> {
    fn facts(&self) -> &'static Facts {
        const {
            &Facts {
                type_name: P::NAME,
                text: P::TEXT,
                inner_frames: P::INNER_FRAMES,
                can_be_free: P::CAN_BE_FREE,
                has_events: P::HAS_EVENTS,
                is_integrated: P::IS_INTEGRATED,
                has_contact: P::HAS_CONTACT,
                has_loads: P::HAS_LOADS,
                is_in_space: P::IS_IN_SPACE,
                acts_on_frames: P::ACTS_ON_FRAMES,
                axis1: P::AXIS1,
                has_memory: P::HAS_MEMORY,
                is_connector: P::CONNECTOR.is_some(),
            }
        }
    }
    fn in_duals(&self) -> &dyn Evaluate<Dual64> {
        self
    }
    fn fresh(&self) -> Box<dyn AnyPart> {
        Box::new(Self::default())
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
        P::shapes()
    }
    fn own_positions(&self) -> &'static [Preference] {
        P::own(&self.structure)
    }
    fn indicator_count(&self) -> usize {
        P::indicator_count(&self.structure)
    }
    fn fault(&self, view: View<'_, f64>, place: Place) -> Option<String> {
        read_all::<f64, P::In<f64>>(view, place).fault()
    }
    fn warning(&self, view: View<'_, f64>, place: Place) -> Option<String> {
        if P::IS_IN_SPACE { read_all::<f64, P::In<f64>>(view, place).warning() } else { None }
    }
    fn coefficient(
        &self,
        view: View<'_, f64>,
        place: Place,
        rows: &dyn Fn(fmu_runtime::Table<2>) -> Vec<[f64; 2]>,
    ) -> Result<Coefficient, (&'static str, CoefficientError)> {
        read::<f64, P::In<f64>>(view, place).coefficient(&self.structure, rows)
    }
    fn prepare(
        &self,
        place: Place,
        values: &Values,
        layout: &Layout,
        files: Option<&Files>,
    ) -> Result<Box<PartData>, ModelError> {
        let view = View { reals: &values.reals, integers: &values.integers, booleans: &values.booleans };
        let source = Source::new(&self.structure, values, layout, files, &[]);
        read::<f64, P::In<f64>>(view, place).prepare(&source)
    }
    fn declare(&self, name: &str, has_states: bool, visitor: &mut dyn ElementVisitor) {
        let options = P::options(&self.structure, has_states);
        let prefix = Prefix::new(name, name, P::CONNECTOR);
        <P::In<f64> as Variable<f64>>::declare(&Attributes::part(&prefix), Some(options), visitor);
    }
}

/// Inlined, so that nothing is read that is not used.
#[inline(always)]
fn read<T: Scalar, P: Part<T>>(view: View<'_, T>, place: Place) -> P {
    P::read(&mut Reader::at(view.reals, view.integers, view.booleans, place, P::SIZE))
}

/// For what is called once: the code of these calls would be as large as that of all evaluations.
#[cold]
#[inline(never)]
fn read_all<T: Scalar, P: Part<T>>(view: View<'_, T>, place: Place) -> P {
    read(view, place)
}

fn write<T: Scalar, P: Part<T>>(part: &P, arrays: &mut Arrays<'_, T>, place: Place) {
    part.write(&mut Writer::at(arrays.reals, arrays.integers, arrays.booleans, place, P::SIZE));
}

/// See [`read_all`].
#[cold]
#[inline(never)]
fn write_all<T: Scalar, P: Part<T>>(part: &P, arrays: &mut Arrays<'_, T>, place: Place) {
    write(part, arrays, place);
}

// Not inlined, so that types with the same rows share them.

#[inline(never)]
fn loads<T: Scalar, P: Part<T>>(
    structure: &P::Structure,
    view: View<'_, T>,
    place: Place,
    motion: &Motion<'_, T>,
    add: &mut dyn FnMut(usize, T),
) {
    read::<T, P>(view, place).loads(structure, motion, add);
}

#[inline(never)]
fn cuts<T: Scalar, P: Part<T>>(
    structure: &P::Structure,
    view: View<'_, T>,
    place: Place,
    space: &Space<'_, T>,
) -> Result<[Load<T>; 2], String> {
    read::<T, P>(view, place).cuts(structure, space)
}

#[inline(never)]
fn set_own<T: Scalar, P: Part<T>>(arrays: &mut Arrays<'_, T>, place: Place, own: usize, motion: [T; 2]) {
    let mut part = read_all::<T, P>(arrays.view(), place);
    part.set_own(own, motion);
    write_all::<T, P>(&part, arrays, place);
}

#[inline(never)]
fn set_velocity<T: Scalar, P: Part<T>>(arrays: &mut Arrays<'_, T>, place: Place, own: usize, velocity: T) {
    let mut part = read_all::<T, P>(arrays.view(), place);
    part.set_velocity(own, velocity);
    write_all::<T, P>(&part, arrays, place);
}

#[inline(never)]
fn put<T: Scalar, P: Part<T>>(
    structure: &P::Structure,
    arrays: &mut Arrays<'_, T>,
    place: Place,
    motion: &Motion<'_, T>,
    found: Found<'_, T>,
) {
    let mut part = read::<T, P>(arrays.view(), place);
    part.put(structure, motion, found);
    write::<T, P>(&part, arrays, place);
}

impl<T: Scalar, P: PartType> Evaluate<T> for Typed<P> {
    fn elements(&self, view: View<'_, T>, place: Place) -> Vec<Element<T>> {
        if P::IS_IN_SPACE { read_all::<T, P::In<T>>(view, place).elements(&self.structure) } else { Vec::new() }
    }
    fn posture(&self, view: View<'_, T>, place: Place) -> Posture<T> {
        if P::AXIS1.is_some() { read::<T, P::In<T>>(view, place).posture() } else { Posture::default() }
    }
    fn misfit(&self, view: View<'_, T>, place: Place, ends: &[motion::Motion<T>; 2]) -> Option<String> {
        P::AXIS1?;
        read_all::<T, P::In<T>>(view, place).misfit(ends)
    }
    fn begin(&self, arrays: &mut Arrays<'_, T>, place: Place, posture: &Posture<T>) {
        if P::AXIS1.is_some() {
            let mut part = read_all::<T, P::In<T>>(arrays.view(), place);
            part.begin(posture);
            write_all::<T, P::In<T>>(&part, arrays, place);
        }
    }
    fn completed_step(&self, arrays: &mut Arrays<'_, T>, place: Place, diagnostics: &mut Diagnostics) {
        if P::HAS_MEMORY {
            let mut part = read::<T, P::In<T>>(arrays.view(), place);
            part.completed_step(diagnostics);
            write::<T, P::In<T>>(&part, arrays, place);
        }
    }
    fn pose(&self, view: View<'_, T>, place: Place) -> Option<Pose<T>> {
        if P::IS_IN_SPACE { read::<T, P::In<T>>(view, place).pose() } else { None }
    }
    fn relations(&self, view: View<'_, T>, place: Place) -> Vec<Relation<T>> {
        read::<T, P::In<T>>(view, place).relations(&self.structure)
    }
    fn inertia(&self, view: View<'_, T>, place: Place) -> T {
        read::<T, P::In<T>>(view, place).inertia()
    }
    fn start(&self, view: View<'_, T>, place: Place, own: usize) -> [T; 2] {
        read_all::<T, P::In<T>>(view, place).start(&self.structure, own)
    }
    fn wanted(&self, view: View<'_, T>, place: Place, rests: bool) -> Vec<Wanted<T>> {
        read_all::<T, P::In<T>>(view, place).wanted(&self.structure, rests)
    }
    fn own(&self, view: View<'_, T>, place: Place, own: usize) -> [T; 3] {
        if self.has_own() { read::<T, P::In<T>>(view, place).own(own) } else { [T::zero(); 3] }
    }
    fn set_own(&self, arrays: &mut Arrays<'_, T>, place: Place, own: usize, motion: [T; 2]) {
        if self.has_own() {
            set_own::<T, P::In<T>>(arrays, place, own, motion);
        }
    }
    fn set_velocity(&self, arrays: &mut Arrays<'_, T>, place: Place, own: usize, velocity: T) {
        if self.has_own() {
            set_velocity::<T, P::In<T>>(arrays, place, own, velocity);
        }
    }
    fn loads(&self, view: View<'_, T>, place: Place, motion: &Motion<'_, T>, add: &mut dyn FnMut(usize, T)) {
        if P::HAS_LOADS {
            loads::<T, P::In<T>>(&self.structure, view, place, motion, add);
        }
    }
    fn cuts(&self, view: View<'_, T>, place: Place, space: &Space<'_, T>) -> Result<[Load<T>; 2], String> {
        if P::ACTS_ON_FRAMES { cuts::<T, P::In<T>>(&self.structure, view, place, space) } else { Ok([Load::none(); 2]) }
    }
    fn contact(&self, view: View<'_, T>, place: Place) -> Option<Contact<T>> {
        if P::HAS_CONTACT { read::<T, P::In<T>>(view, place).contact(&self.structure) } else { None }
    }
    fn set_branch(&self, arrays: &mut Arrays<'_, T>, place: Place, branch: Branch, time: T) {
        if P::HAS_CONTACT {
            let mut part = read::<T, P::In<T>>(arrays.view(), place);
            part.set_branch(branch, time);
            write::<T, P::In<T>>(&part, arrays, place);
        }
    }
    fn indicators(&self, view: View<'_, T>, place: Place, at: &Moment<'_, T>, indicators: &mut [T]) {
        if P::HAS_EVENTS {
            read::<T, P::In<T>>(view, place).indicators(&self.structure, at, indicators);
        }
    }
    fn initialise(&self, arrays: &mut Arrays<'_, T>, place: Place, space: &Space<'_, T>) -> Result<(), ModelError> {
        if P::HAS_EVENTS {
            let mut part = read::<T, P::In<T>>(arrays.view(), place);
            part.initialise(&self.structure, space)?;
            write::<T, P::In<T>>(&part, arrays, place);
        }
        Ok(())
    }
    fn event(
        &self,
        arrays: &mut Arrays<'_, T>,
        place: Place,
        at: &Moment<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError> {
        if P::HAS_EVENTS {
            let mut part = read::<T, P::In<T>>(arrays.view(), place);
            part.event(&self.structure, at, event)?;
            write::<T, P::In<T>>(&part, arrays, place);
        }
        Ok(())
    }
    fn put(&self, arrays: &mut Arrays<'_, T>, place: Place, motion: &Motion<'_, T>, found: Found<'_, T>) {
        put::<T, P::In<T>>(&self.structure, arrays, place, motion, found);
    }
}

/// Counts the values that a declaration passes.
pub struct Counter(pub Place);

impl Counter {
    /// Nothing yet.
    pub const NONE: Self = Self(Place { passed: Size::NONE, strings: 0, tables: 0, attachments: 0 });
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
