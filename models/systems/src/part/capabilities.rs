//! Optional capabilities of parts.
//!
//! [`capabilities!`](crate::capabilities!) names the traits that a part implements: `capabilities!(GasForce: Loads + Events)`.
//! For the others it makes implementations that do nothing. So the compiler refuses a trait that is named and not
//! implemented, or implemented and not named, and a function that is forgotten.

use fmu_runtime::{Diagnostics, Event, ModelError, Scalar, Source};
use mechanics::drivetrain::Compliance;
use mechanics::frame::Load;
use mechanics::motion::Motion;
use mechanics::tree::{AssemblyBranch, Element, Pose};
use nalgebra::Vector3;

use super::equations::{ElementLaw, EventPoint, FrictionEvent, FrictionPair, Kinematics, Part, Space};

/// A part with loads on its positions; a friction element does not count as one.
pub trait Loads<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Adds the loads on the part's positions, in N.m or N.
    fn loads(&self, structure: &Self::Structure, motion: &Kinematics<'_, T>, add: &mut dyn FnMut(usize, T));

    /// Returns the load between both flanges at this relative position and velocity, if the part is
    /// [`PartType::COMPLIANT`](super::PartType::COMPLIANT). Where it has several branches, the load is that of the present one, or if
    /// `at_event`, of the one that holds there.
    fn compliance(&self, _structure: &Self::Structure, _relative: [T; 2], _at_event: bool) -> Compliance<T> {
        Compliance::none()
    }
}

/// A part with a friction element.
pub trait FrictionElement<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Returns the part's friction element, if it has one.
    fn friction_pair(&self, structure: &Self::Structure) -> Option<FrictionPair<T>>;

    /// Returns the law of the part's element.
    ///
    /// # Errors
    ///
    /// Describes a table that gives no law, as `mue_pos[2,1] is …`.
    fn law(&self, source: &Source<'_, Self::Structure>) -> Result<ElementLaw, ModelError>;

    /// Stores what an event has found for the part's friction element.
    fn set_branch(&mut self, found: &FrictionEvent<T>);
}

/// A part with events besides those of a friction element.
pub trait Events<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Returns the number of the part's event indicators.
    fn indicator_count(structure: &Self::Structure) -> usize;

    /// Computes the event indicators by positions and velocities: one changes its sign where the part's branch ends.
    fn indicators(&self, structure: &Self::Structure, at: &EventPoint<'_, T>, indicators: &mut [T]);

    /// Chooses the part's branch at an event, and sets the time at which its next time event is due, if there is one.
    ///
    /// # Errors
    ///
    /// Describes a pose that is not possible.
    fn event(
        &mut self,
        structure: &Self::Structure,
        at: &EventPoint<'_, T>,
        event: &mut Event,
    ) -> Result<(), ModelError>;
}

/// A part that computes signals: its outputs follow from time, its inputs, its states and memory.
///
/// A Real output is an [`OutputSignal`](crate::parts::signals::OutputSignal), a Real input an
/// [`InputSignal`](crate::parts::signals::InputSignal): a value with its derivatives in time.
pub trait Block<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Sets its states at the start, where its inputs are known.
    fn begin_block(&mut self, _structure: &Self::Structure, _at: &EventPoint<'_, T>) {}

    /// Computes its outputs, and the derivatives of its states.
    fn update(&mut self, structure: &Self::Structure, at: &EventPoint<'_, T>);
}

/// A part that remembers something of steps.
pub trait Memory<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Updates the memory, at the end of a step.
    fn completed_step(&mut self, diagnostics: &mut Diagnostics);
}

/// A part in space.
pub trait Multibody<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Returns the part's elements between its frames; a joint's position is one of those of the part. The first
    /// element is a joint if any is.
    fn elements(&self, structure: &Self::Structure) -> Vec<Element<T>>;

    /// Returns the flanges whose angles count from the part's first frame.
    fn mounts(&self, _structure: &Self::Structure) -> Vec<Mount<T>> {
        Vec::new()
    }

    /// Returns the acceleration of gravity if the part has it as an input, resolved in the world frame, in m/s2.
    fn gravity(&self, _structure: &Self::Structure) -> Option<Vector3<T>> {
        None
    }

    /// Returns the pose of the second frame of the part's joint, seen from the first one, if positions do not determine
    /// it; none if its quaternion has no direction.
    fn pose(&self) -> Option<Pose<T>> {
        None
    }
}

/// A flange whose angle counts from a part in space.
#[derive(Clone, Copy, Debug)]
pub struct Mount<T: Scalar> {
    /// Position of the flange among those of the part.
    pub flange: usize,
    /// Name of the parameter with the axis.
    pub name: &'static str,
    /// The axis, a unit vector, resolved in the part's first frame.
    pub e: Vector3<T>,
}

/// A part in space that acts on its frames without moving them.
pub trait ActsOnFrames<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Returns the loads on the part at its first frames, resolved there, which follow from positions and velocities;
    /// or the reason why there are none, as `frame_a and frame_b are …`.
    fn cut_loads(&self, structure: &Self::Structure, space: &Space<'_, T>) -> Result<[Load<T>; 2], String>;
}

/// A part in space whose memory follows from the position of the mechanism at the start.
pub trait Initialise<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Sets the part's memory from the position of the mechanism.
    ///
    /// # Errors
    ///
    /// Describes a pose that is not possible.
    fn initialise(&mut self, structure: &Self::Structure, space: &Space<'_, T>) -> Result<(), ModelError>;
}

/// State of an assembly on its way through a dead centre; times in s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Passage {
    /// The assembly is not near a dead centre.
    #[default]
    None,
    /// The loop passes the dead centre at one time, and is regular again at the other.
    Passes {
        /// Time at the dead centre.
        centre: f64,
        /// Time at which the loop is regular again.
        until: f64,
    },
    /// The loop has passed the dead centre, which is not logged yet.
    Passed {
        /// Time at the dead centre.
        centre: f64,
    },
}

/// A part in space that is an assembly. The motion of its own position follows from that of the mechanism.
pub trait Assembly<T: Scalar>: Part<T> {
    #[doc(hidden)]
    const IMPLEMENTED: bool = true;

    /// Name of the parameter with axis 1 of its universal joint, empty if it has none.
    const AXIS1: &'static str;

    /// Returns configuration and axis as chosen at the start.
    fn assembly_branch(&self) -> AssemblyBranch<T>;

    /// Describes why the outer frames cannot be where they are at the start, as `n_b must be …`.
    fn invalid_pose(&self, ends: &[Motion<T>; 2]) -> Option<String>;

    /// Stores configuration and axis as chosen at the start.
    fn begin(&mut self, assembly_branch: &AssemblyBranch<T>);

    /// Returns the state on the way through a dead centre.
    fn passage(&self) -> Passage;

    /// Sets the state on the way through a dead centre. A loop that has passed is in its other configuration.
    fn set_passage(&mut self, passage: Passage);
}

/// All capabilities of a part, implemented or not.
#[diagnostic::on_unimplemented(
    message = "the capabilities of `{Self}` are not declared",
    note = "declare them with `systems::capabilities!`, even if there are none"
)]
pub trait Capabilities<T: Scalar>:
    Loads<T>
    + FrictionElement<T>
    + Events<T>
    + Block<T>
    + Memory<T>
    + Multibody<T>
    + ActsOnFrames<T>
    + Initialise<T>
    + Assembly<T>
{
}

/// Declares the capabilities of a part: `capabilities!(Damper: Loads);`, or `capabilities!(IdealGear);`. If it has
/// other parameters than its scalar type `T`, they come first:
/// `capabilities!([S: Options] FrictionPart<T, S>: FrictionElement);`.
#[macro_export]
macro_rules! capabilities {
    ([$($parameters:tt)*] $Part:ty $(: $first:ident $(+ $more:ident)*)?) => {
        impl<T: $crate::fmu_runtime::Scalar, $($parameters)*> $crate::part::Capabilities<T> for $Part {}
        $crate::without!(Loads, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(FrictionElement, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Events, [$($first $(, $more)*)?], [$($parameters)*] $Part);
        $crate::without!(Block, [$($first $(, $more)*)?], [$($parameters)*] $Part);
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

/// Implements a capability that is not named; used by [`capabilities!`](crate::capabilities!).
#[doc(hidden)]
#[macro_export]
macro_rules! without {
    (Loads, [Loads $(, $rest:ident)*], $($part:tt)*) => {};
    (FrictionElement, [FrictionElement $(, $rest:ident)*], $($part:tt)*) => {};
    (Events, [Events $(, $rest:ident)*], $($part:tt)*) => {};
    (Block, [Block $(, $rest:ident)*], $($part:tt)*) => {};
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

/// Expands to the functions of a capability, which do nothing; used by [`capabilities!`](crate::capabilities!).
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
        fn law(
            &self,
            _: &$crate::fmu_runtime::Source<'_, Self::Structure>,
        ) -> Result<$crate::part::ElementLaw, $crate::fmu_runtime::ModelError> {
            Ok($crate::part::ElementLaw::default())
        }
        fn set_branch(&mut self, _: &$crate::part::FrictionEvent<T>) {}
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
    (Block) => {
        fn update(&mut self, _: &Self::Structure, _: &$crate::part::EventPoint<'_, T>) {}
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
    all_capabilities: "", [Loads FrictionElement Events Block Memory Multibody ActsOnFrames Initialise Assembly],
        [Loads FrictionElement Events Block Memory Multibody ActsOnFrames Initialise Assembly];
    acts_on_frames_outside_of_space: "compile_fail", [ActsOnFrames], [ActsOnFrames];
    only_named: "compile_fail", [Events], [];
    without_a_function: "compile_fail", [Events], [Empty];
    only_implemented: "compile_fail", [], [Events];
}
