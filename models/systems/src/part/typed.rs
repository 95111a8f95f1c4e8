//! Type-erased parts, as the system uses them.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::{
    Attributes, Connector, Diagnostics, ElementVisitor, Event, ModelError, Offsets, Prefix, Reader, Scalar, Shape,
    Size, Source, Structure, Variable, Writer,
};
use mechanics::drivetrain::{Compliance, Preference, Relation};
use mechanics::frame::Load;
use mechanics::motion::Motion;
use mechanics::tree::{AssemblyBranch, Element, Pose};
use nalgebra::Vector3;

use super::capabilities::{
    ActsOnFrames, Assembly, Block, Events, FrictionElement, Initialise, Loads, Memory, Mount, Multibody, Passage,
};
use super::equations::{
    Arrays, ElementLaw, EventPoint, FrictionEvent, FrictionPair, InitialCondition, Kinematics, Part, PartData,
    Solution, Space, View,
};
use super::part_type::{PartType, Properties};
use crate::real::Real;

/// A part of any type, with its structure options.
pub trait AnyPart: Evaluate<Real> + Send + Sync {
    /// Returns the properties that do not depend on options.
    fn properties(&self) -> &Properties;
    /// Returns the part's equations in dual numbers. As another supertrait they would be in two tables of functions for
    /// each type.
    #[cfg(not(fmu_duals_only))]
    fn in_duals(&self) -> &dyn Evaluate<fmu_runtime::Dual64>;
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
    /// See [`PartType::starts_anywhere`].
    fn starts_anywhere(&self) -> bool;
    /// See [`PartType::is_integrated`].
    fn is_integrated(&self) -> bool;
    /// See [`PartType::has_inner_states`].
    fn has_inner_states(&self) -> bool;
    /// See [`PartType::needs_accelerations`].
    fn needs_accelerations(&self) -> bool;
    /// See [`PartType::is_discrete`].
    fn is_discrete(&self) -> bool;
    /// See [`PartType::uses_temperature`].
    fn uses_temperature(&self) -> bool;
    /// See [`Part::problem`].
    fn problem(&self, view: View<'_, Real>, offsets: Offsets) -> Option<String>;
    /// See [`Part::warning`].
    fn warning(&self, view: View<'_, Real>, offsets: Offsets) -> Option<String>;
    /// See [`FrictionElement::law`].
    fn law(&self, view: View<'_, Real>, offsets: Offsets, source: &Source<'_, ()>) -> Result<ElementLaw, ModelError>;
    /// See [`Part::prepare`].
    fn prepare(
        &self,
        view: View<'_, Real>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Box<PartData>, ModelError>;
    /// Passes the part's rows to a visitor; `name` precedes theirs.
    fn declare(&self, name: &str, has_states: bool, visitor: &mut dyn ElementVisitor);
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

    /// Makes such a type with a name and a description of its own.
    pub fn named((type_name, text): (&'static str, &'static str), default: P::Structure) -> Box<dyn AnyPart> {
        Box::new(Self::of_family(default, Properties { type_name, text, ..Properties::of::<P>() }))
    }

    /// True if the part has positions of its own; types without any need no code for them.
    #[inline(always)]
    fn has_own(&self) -> bool {
        P::CAN_BE_FREE || !P::own(&self.structure).is_empty()
    }

    #[inline(always)]
    fn is_compliant(&self) -> bool {
        P::COMPLIANT.is_some()
    }

    #[inline(always)]
    fn is_no_block(&self) -> bool {
        !<P::In<f64> as Block<f64>>::IMPLEMENTED
    }
}

impl<P: PartType> AnyPart for Typed<P> {
    fn properties(&self) -> &Properties {
        &self.properties
    }
    #[cfg(not(fmu_duals_only))]
    fn in_duals(&self) -> &dyn Evaluate<fmu_runtime::Dual64> {
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
        <P::In<Real> as Events<Real>>::indicator_count(&self.structure)
    }
    fn integrations(&self) -> usize {
        P::integrations(&self.structure)
    }
    fn starts_steady(&self) -> Option<&'static str> {
        P::starts_steady(&self.structure)
    }
    fn starts_anywhere(&self) -> bool {
        P::starts_anywhere(&self.structure)
    }
    fn is_integrated(&self) -> bool {
        P::is_integrated(&self.structure)
    }
    fn has_inner_states(&self) -> bool {
        P::has_inner_states(&self.structure)
    }
    fn needs_accelerations(&self) -> bool {
        P::needs_accelerations(&self.structure)
    }
    fn is_discrete(&self) -> bool {
        P::is_discrete(&self.structure)
    }
    fn uses_temperature(&self) -> bool {
        P::uses_temperature(&self.structure)
    }
    fn problem(&self, view: View<'_, Real>, offsets: Offsets) -> Option<String> {
        read_all::<Real, P::In<Real>>(view, offsets).problem()
    }
    fn warning(&self, view: View<'_, Real>, offsets: Offsets) -> Option<String> {
        read_all::<Real, P::In<Real>>(view, offsets).warning()
    }
    fn law(&self, view: View<'_, Real>, offsets: Offsets, source: &Source<'_, ()>) -> Result<ElementLaw, ModelError> {
        // Other types need no code that reads them.
        if <P::In<f64> as FrictionElement<f64>>::IMPLEMENTED {
            return read::<Real, P::In<Real>>(view, offsets).law(&source.with(&self.structure));
        }
        Ok(ElementLaw::default())
    }
    fn prepare(
        &self,
        view: View<'_, Real>,
        offsets: Offsets,
        source: &Source<'_, ()>,
    ) -> Result<Box<PartData>, ModelError> {
        read::<Real, P::In<Real>>(view, offsets).prepare(&source.with(&self.structure))
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

/// Declares equations of a part as a system calls them, each by the capability that it belongs to: a trait, and its
/// implementation for all types.
///
/// A row with `get` reads a part from the arrays and asks it; one with `set` also writes it back, one with `try_set` unless
/// it fails. The next word says how: `inlined`; `cold` where that happens once; `shared` in a function that is not inlined, so that
/// types with the same rows share it; `shared_by_blocks`, of which many types have the same rows. Behind `if` is a method of
/// [`Typed`] that may exclude more types, and behind `or` the result for types without the capability.
macro_rules! equations {
    ($(#[$doc:meta])* $Trait:ident$(: $Super:ident)? { $(
        $kind:ident $access:ident $Capability:ident::$method:ident($($structure:ident)?; $($argument:ident: $type:ty),*)
            $(if $condition:ident)? $(-> $Result:ty, or $otherwise:expr)?;
    )* }) => {
        $(#[$doc])*
        pub trait $Trait<T: Scalar>$(: $Super<T>)? {$(
            #[doc = concat!("See [`", stringify!($Capability), "::", stringify!($method), "`].")]
            fn $method(&self, arrays: equations!(@arrays $kind), offsets: Offsets $(, $argument: $type)*) $(-> $Result)?;
        )*}

        impl<T: Scalar, P: PartType> $Trait<T> for Typed<P> {$(
            fn $method(&self, arrays: equations!(@arrays $kind), offsets: Offsets $(, $argument: $type)*) $(-> $Result)? {
                if <P::In<T> as $Capability<T>>::IMPLEMENTED $(&& self.$condition())? {
                    $(let $structure = &self.structure;)?
                    return equations!(
                        @$access $kind (P::In<T>) $Capability $method (arrays offsets) ($($structure)?)
                        ($($argument: $type),*) ($($Result)?)
                    );
                }
                $($otherwise)?
            }
        )*}

        equations!(@else $Trait $(
            $kind $method($($argument: $type),*) ($($Result, $otherwise)?);
        )*);
    };
    // What parts that are not in space answer.
    (@else EvaluateInSpace $($kind:ident $method:ident($($argument:ident: $type:ty),*) ($($Result:ty, $otherwise:expr)?);)*) => {
        impl<T: Scalar> dyn Evaluate<T> + '_ {$(
            #[doc = concat!("See [`EvaluateInSpace::", stringify!($method), "`].")]
            pub fn $method(&self, arrays: equations!(@arrays $kind), offsets: Offsets $(, $argument: $type)*) $(-> $Result)? {
                if let Some(part) = self.in_space() {
                    return part.$method(arrays, offsets $(, $argument)*);
                }
                $($otherwise)?
            }
        )*}
    };
    (@else $Trait:ident $($rest:tt)*) => {};
    (@arrays get) => { View<'_, T> };
    (@arrays $set:ident) => { &mut Arrays<'_, T> };
    (@inlined $kind:ident ($Part:ty) $Capability:ident $($rest:tt)*) => {
        equations!(@call $kind read write ($Part) $($rest)*)
    };
    (@cold $kind:ident ($Part:ty) $Capability:ident $($rest:tt)*) => {
        equations!(@call $kind read_all write_all ($Part) $($rest)*)
    };
    (@shared_by_blocks $kind:ident ($Part:ty) $($rest:tt)*) => {
        if <$Part as Block<T>>::IMPLEMENTED {
            equations!(@shared $kind ($Part) $($rest)*)
        } else {
            equations!(@inlined $kind ($Part) $($rest)*)
        }
    };
    (
        @shared $kind:ident ($Part:ty) $Capability:ident $method:ident ($arrays:ident $offsets:ident) ($($structure:ident)?)
        ($($argument:ident: $type:ty),*) ($($Result:ty)?)
    ) => {{
        #[inline(never)]
        fn shared<T: Scalar, P: $Capability<T>>(
            $($structure: &P::Structure,)?
            $arrays: equations!(@arrays $kind),
            $offsets: Offsets,
            $($argument: $type,)*
        ) $(-> $Result)? {
            equations!(
                @call $kind read write (P) $method ($arrays $offsets) ($($structure)?) ($($argument: $type),*) ($($Result)?)
            )
        }
        shared::<T, $Part>($($structure,)? $arrays, $offsets, $($argument),*)
    }};
    (
        @call get $read:ident $write:ident ($Part:ty) $method:ident ($arrays:ident $offsets:ident) ($($structure:ident)?)
        ($($argument:ident: $type:ty),*) ($($Result:ty)?)
    ) => {
        $read::<T, $Part>($arrays, $offsets).$method($($structure,)? $($argument),*)
    };
    (
        @call set $read:ident $write:ident ($Part:ty) $method:ident ($arrays:ident $offsets:ident) ($($structure:ident)?)
        ($($argument:ident: $type:ty),*) ()
    ) => {{
        let mut part = $read::<T, $Part>($arrays.view(), $offsets);
        part.$method($($structure,)? $($argument),*);
        $write::<T, $Part>(&part, $arrays, $offsets);
    }};
    (
        @call try_set $read:ident $write:ident ($Part:ty) $method:ident ($arrays:ident $offsets:ident) ($($structure:ident)?)
        ($($argument:ident: $type:ty),*) ($Result:ty)
    ) => {{
        let mut part = $read::<T, $Part>($arrays.view(), $offsets);
        part.$method($($structure,)? $($argument),*)?;
        $write::<T, $Part>(&part, $arrays, $offsets);
        Ok(())
    }};
}

equations! {
    /// The equations of a part in space on the arrays of the whole system, in which its values begin at `offsets`.
    EvaluateInSpace {
        get cold Multibody::elements(structure;) -> Vec<Element<T>>, or Vec::new();
        get cold Multibody::mounts(structure;) -> Vec<Mount<T>>, or Vec::new();
        get inlined Multibody::pose(;) -> Option<Pose<T>>, or None;
        get inlined Multibody::gravity(structure;) -> Option<Vector3<T>>, or None;
        get inlined Assembly::assembly_branch(;) -> AssemblyBranch<T>, or AssemblyBranch::default();
        get cold Assembly::invalid_pose(; ends: &[Motion<T>; 2]) -> Option<String>, or None;
        set cold Assembly::begin(; assembly_branch: &AssemblyBranch<T>);
        get inlined Assembly::passage(;) -> Passage, or Passage::None;
        set cold Assembly::set_passage(; passage: Passage);
        get shared ActsOnFrames::cut_loads(structure; space: &Space<'_, T>) -> Result<[Load<T>; 2], String>,
            or Ok([Load::none(); 2]);
        try_set inlined Initialise::initialise(structure; space: &Space<'_, T>) -> Result<(), ModelError>, or Ok(());
    }
}

/// A part that may be in space.
pub trait InSpace<T: Scalar> {
    /// Returns the equations in space. As functions of [`Evaluate`] they would be in the tables of functions of all types.
    fn in_space(&self) -> Option<&dyn EvaluateInSpace<T>>;
}

impl<T: Scalar, P: PartType> InSpace<T> for Typed<P> {
    fn in_space(&self) -> Option<&dyn EvaluateInSpace<T>> {
        if <P::In<T> as Multibody<T>>::IMPLEMENTED { Some(self) } else { None }
    }
}

equations! {
    /// The equations of a part on the arrays of the whole system, in which its values begin at `offsets`.
    Evaluate: InSpace {
        set inlined Memory::completed_step(; diagnostics: &mut Diagnostics);
        get inlined Part::relations(structure;) -> Vec<Relation<T>>, or Vec::new();
        get inlined Part::inertia(;) -> T, or T::zero();
        get cold Part::start(structure; own: usize) -> [T; 2], or [T::zero(); 2];
        get cold Part::initial_conditions(structure; rests: bool) -> Vec<InitialCondition<T>>, or Vec::new();
        get inlined Part::own(; own: usize) if has_own -> [T; 3], or [T::zero(); 3];
        set cold Part::set_own(; own: usize, motion: [T; 2]) if has_own;
        set cold Part::set_velocity(; own: usize, velocity: T) if has_own;
        get shared Loads::loads(structure; motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T));
        get shared Loads::compliance(structure; relative: [T; 2], at_event: bool) if is_compliant -> Compliance<T>,
            or Compliance::none();
        get inlined FrictionElement::friction_pair(structure;) -> Option<FrictionPair<T>>, or None;
        set inlined FrictionElement::set_branch(; found: &FrictionEvent<T>);
        get shared_by_blocks Events::indicators(structure; at: &EventPoint<'_, T>, indicators: &mut [T]);
        try_set shared_by_blocks Events::event(structure; at: &EventPoint<'_, T>, event: &mut Event) -> Result<(), ModelError>,
            or Ok(());
        set shared Block::begin_block(structure; at: &EventPoint<'_, T>);
        set shared Block::update(structure; at: &EventPoint<'_, T>);
        // The outputs of a block are computed before.
        set shared Part::set_outputs(structure; motion: &Kinematics<'_, T>, solution: Solution<'_, T>) if is_no_block;
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
