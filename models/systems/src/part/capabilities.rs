//! Optional capabilities of parts.
//!
//! [`capabilities!`](crate::capabilities!) names the traits that a part implements: `capabilities!(GasForce: Loads + Events)`.
//! For the others it makes implementations that do nothing. So the compiler refuses a trait that is named and not
//! implemented, or implemented and not named, and a function that is forgotten.

use fmu_runtime::{Diagnostics, Event, ModelError, Scalar, Source};
use mechanics::frame::Load;
use mechanics::friction::{Coefficient, LawBranch};
use mechanics::motion::Motion;
use mechanics::tree::{AssemblyBranch, Element, Pose};

use super::equations::{EventPoint, FrictionPair, Kinematics, Part, Space};

/// A part with loads on its positions; a friction element does not count as one.
pub trait Loads<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Adds the loads on its positions, in N.m or N.
    fn loads(&self, structure: &Self::Structure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T));
}

/// A part with a friction element.
pub trait FrictionElement<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Its friction element, if it has one.
    fn friction_pair(&self, structure: &Self::Structure) -> Option<FrictionPair<T>>;

    /// The coefficient of sliding friction of its element.
    ///
    /// # Errors
    ///
    /// A table that gives none, as `mue_pos[2,1] is …`.
    fn coefficient(&self, source: &Source<'_, Self::Structure>) -> Result<Coefficient, ModelError>;

    /// Sets the branch of its friction element, at a time in s.
    fn set_branch(&mut self, branch: LawBranch, time: T);
}

/// A part with events besides those of a friction element.
pub trait Events<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Number of its event indicators.
    fn indicator_count(structure: &Self::Structure) -> usize;

    /// Computes the event indicators by positions and velocities: one changes its sign where the part's branch ends.
    fn indicators(&self, structure: &Self::Structure, at: &EventPoint<'_, T>, indicators: &mut [T]);

    /// Chooses its branch, at an event, and says when its next time event is due, if there is one.
    ///
    /// # Errors
    ///
    /// A pose that is not possible.
    fn event(
        &mut self,
        structure: &Self::Structure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError>;
}

/// A part that remembers something of steps.
pub trait Memory<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Updates what it remembers, at the end of a step.
    fn completed_step(&mut self, diagnostics: &mut Diagnostics);
}

/// A part in space.
pub trait Multibody<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// What it is in space, between its frames; a joint's position is one of those of the part. The first one is a joint if
    /// any is.
    fn elements(&self, structure: &Self::Structure) -> Vec<Element<T>>;

    /// How the second frame of its joint lies, seen from the first one, if its positions do not tell; none if its quaternion
    /// has no direction.
    fn pose(&self) -> Option<Pose<T>> {
        None
    }
}

/// A part in space that acts on its frames without moving them.
pub trait ActsOnFrames<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// The loads on it at its first frames, resolved there. They follow from positions and velocities. The error says why
    /// there are none, as `frame_a and frame_b are …`.
    fn cut_loads(&self, structure: &Self::Structure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String>;
}

/// A part in space whose memory follows from where the mechanism is at the start.
pub trait Initialise<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Sets its memory, where the mechanism is.
    ///
    /// # Errors
    ///
    /// A pose that is not possible.
    fn initialise(&mut self, structure: &Self::Structure, space: &Space<'_, T>) -> Result<(), ModelError>;
}

/// Where an assembly is on its way through a dead centre; times in s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Passage {
    /// It is not near one.
    #[default]
    None,
    /// Its loop passes the dead centre at one time, and is regular again at the other.
    Passes {
        /// At the dead centre.
        centre: f64,
        /// Beyond it.
        until: f64,
    },
    /// It has passed the dead centre, which is not logged yet.
    Passed {
        /// At the dead centre.
        centre: f64,
    },
}

/// A part in space that is an assembly. The motion of its own position follows from that of the mechanism.
pub trait Assembly<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// The parameter with axis 1 of its universal joint, empty if it has none.
    const AXIS1: &'static str;

    /// What was chosen at the start.
    fn assembly_branch(&self) -> AssemblyBranch<T>;

    /// What cannot be where its outer frames are at the start, as `n_b must be …`.
    fn invalid_pose(&self, ends: &[Motion<T>; 2]) -> Option<String>;

    /// Stores what was chosen at the start.
    fn begin(&mut self, assembly_branch: &AssemblyBranch<T>);

    /// Where it is on its way through a dead centre.
    fn passage(&self) -> Passage;

    /// Sets this. A loop that has passed is in its other configuration.
    fn set_passage(&mut self, passage: Passage);
}

/// All of them, implemented or not.
#[diagnostic::on_unimplemented(
    message = "the capabilities of `{Self}` are not declared",
    note = "declare them with `systems::capabilities!`, even if there are none"
)]
pub trait Capabilities<T: Scalar>:
    Loads<T> + FrictionElement<T> + Events<T> + Memory<T> + Multibody<T> + ActsOnFrames<T> + Initialise<T> + Assembly<T>
{
}

/// Says which capabilities a part has: `capabilities!(Damper: Loads);`, or `capabilities!(IdealGear);`. If it has other
/// parameters than its scalar type `T`, they come first:
/// `capabilities!([S: Options] FrictionPart<T, S>: FrictionElement);`.
#[macro_export]
macro_rules! capabilities {
    ([$($parameters:tt)*] $Part:ty $(: $first:ident $(+ $more:ident)*)?) => {
        impl<T: $crate::fmu_runtime::Scalar, $($parameters)*> $crate::part::Capabilities<T> for $Part {}
        $crate::without!(Loads, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(FrictionElement, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Events, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Memory, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Multibody, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(ActsOnFrames, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Initialise, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Assembly, [$($first $(, $more)*)?], [$($parameters)*] $Part);
    };
    ($Part:ident $($named:tt)*) => {
        $crate::capabilities!([] $Part<T> $($named)*);
    };
}

/// Implements a trait that is not named; a part of [`capabilities!`](crate::capabilities!).
#[doc(hidden)]
#[macro_export]
macro_rules! without {
    (Loads, [Loads $(, $rest:ident)*], $($part:tt)*) => {};
    (FrictionElement, [FrictionElement $(, $rest:ident)*], $($part:tt)*) => {};
    (Events, [Events $(, $rest:ident)*], $($part:tt)*) => {};
    (Memory, [Memory $(, $rest:ident)*], $($part:tt)*) => {};
    (Multibody, [Multibody $(, $rest:ident)*], $($part:tt)*) => {};
    (ActsOnFrames, [ActsOnFrames $(, $rest:ident)*], $($part:tt)*) => {};
    (Initialise, [Initialise $(, $rest:ident)*], $($part:tt)*) => {};
    (Assembly, [Assembly $(, $rest:ident)*], $($part:tt)*) => {};
    ($capability:ident, [$other:ident $(, $rest:ident)*], $($part:tt)*) => {
        $crate::without!($capability, [$($rest),*], $($part)*);
    };
    ($capability:ident, [], [$($parameters:tt)*] $Part:ty) => {
        impl<T: $crate::fmu_runtime::Scalar, $($parameters)*> $crate::part::$capability<T> for $Part {
            const IMPLEMENTED: bool = false;
            $crate::nothing!($capability);
        }
    };
}

/// The functions of a trait, which do nothing; a part of [`capabilities!`](crate::capabilities!).
#[doc(hidden)]
#[macro_export]
macro_rules! nothing {
    (Loads) => {
        fn loads(&self, _: &Self::Structure, _: &$crate::part::Kinematics<'_, T>, _: &mut dyn FnMut(usize, T)) {}
    };
    (FrictionElement) => {
        fn friction_pair(&self, _: &Self::Structure) -> Option<$crate::part::FrictionPair<T>> {
            None
        }
        fn coefficient(
            &self,
            _: &$crate::fmu_runtime::Source<'_, Self::Structure>,
        ) -> Result<$crate::part::Coefficient, $crate::fmu_runtime::ModelError> {
            Ok($crate::part::Coefficient::default())
        }
        fn set_branch(&mut self, _: $crate::part::LawBranch, _: T) {}
    };
    (Events) => {
        fn indicator_count(_: &Self::Structure) -> usize {
            0
        }
        fn indicators(&self, _: &Self::Structure, _: &$crate::part::EventPoint<'_, T>, _: &mut [T]) {}
        fn event(
            &mut self,
            _: &Self::Structure,
            _: &$crate::part::EventPoint<'_, T>,
            _: &mut $crate::fmu_runtime::Event,
        ) -> Result<(), $crate::fmu_runtime::ModelError> {
            Ok(())
        }
    };
    (Memory) => {
        fn completed_step(&mut self, _: &mut $crate::fmu_runtime::Diagnostics) {}
    };
    (Multibody) => {
        fn elements(&self, _: &Self::Structure) -> Vec<$crate::part::Element<T>> {
            Vec::new()
        }
    };
    (ActsOnFrames) => {
        fn cut_loads(
            &self,
            _: &Self::Structure,
            _: &$crate::part::Space<'_, T>,
        ) -> Result<[$crate::part::Load<T>; 2], String> {
            Ok([$crate::part::Load::none(); 2])
        }
    };
    (Initialise) => {
        fn initialise(
            &mut self,
            _: &Self::Structure,
            _: &$crate::part::Space<'_, T>,
        ) -> Result<(), $crate::fmu_runtime::ModelError> {
            Ok(())
        }
    };
    (Assembly) => {
        const AXIS1: &'static str = "";
        fn assembly_branch(&self) -> $crate::part::AssemblyBranch<T> {
            $crate::part::AssemblyBranch::default()
        }
        fn invalid_pose(&self, _: &[$crate::part::Motion<T>; 2]) -> Option<String> {
            None
        }
        fn begin(&mut self, _: &$crate::part::AssemblyBranch<T>) {}
        fn passage(&self) -> $crate::part::Passage {
            $crate::part::Passage::None
        }
        fn set_passage(&mut self, _: $crate::part::Passage) {}
    };
}

/// Parts that do not compile, since a capability is forgotten on one side, and those that do.
#[cfg(doctest)]
macro_rules! examples {
    ($($name:ident: $kind:literal, $named:tt, $implemented:tt;)*) => {$(
        #[doc = concat!("```", $kind)]
        #[doc = "include!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/tests/capability/mod.rs\"));"]
        #[doc = concat!("part!(", stringify!($named), ", ", stringify!($implemented), ");")]
        #[doc = "fn main() { systems::system(vec![Box::<Typed<Idle<f64>>>::default()]); }\n```"]
        mod $name {}
    )*};
}

#[cfg(doctest)]
examples! {
    no_capability: "", [], [];
    all_capabilities: "", [Loads FrictionElement Events Memory Multibody ActsOnFrames Initialise Assembly],
        [Loads FrictionElement Events Memory Multibody ActsOnFrames Initialise Assembly];
    acts_on_frames_outside_of_space: "compile_fail", [ActsOnFrames], [ActsOnFrames];
    only_named: "compile_fail", [Events], [];
    without_a_function: "compile_fail", [Events], [Empty];
    only_implemented: "compile_fail", [], [Events];
}
