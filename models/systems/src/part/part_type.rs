//! Types of parts.

use fmu_runtime::{Connector, Scalar, Shape, Structure, Variable};
use mechanics::drivetrain::Preference;

use super::capabilities::{
    ActsOnFrames, Assembly, Capabilities, Events, FrictionElement, Initialise, Loads, Memory, Multibody,
};
use super::equations::Part;

/// A type of part.
pub trait PartType: Send + Sync + 'static {
    /// The name in `type = "…"`.
    const NAME: &'static str;
    /// One line.
    const TEXT: &'static str;
    /// Its structure options.
    type Structure: Structure + Clone;
    /// Its variables and equations.
    type In<T: Scalar>: Part<T, Structure = Self::Structure> + Capabilities<T>;

    /// Its default options.
    fn structure() -> Self::Structure {
        Self::Structure::default()
    }

    /// Names of its connectors. Positions of flanges are its first ones; frames have numbers of their own.
    fn connectors(structure: &Self::Structure) -> Vec<(&'static str, Connector)>;

    /// The options of its rows. `has_states` says whether the motion of its own position is free and so a state.
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

    /// Whether its position is a state although its velocity is given.
    const IS_INTEGRATED: bool = false;

    /// The structure options that a system chooses.
    const CHOSEN: &'static [&'static str] = &[];

    /// What its variables are for an importer, if it is a connector of the system.
    const CONNECTOR: Option<Connector> = None;
}

/// What is the same for all parts of a type, whatever their options are: one table instead of a function for each.
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// The name of the type.
    pub type_name: &'static str,
    /// One line.
    pub text: &'static str,
    /// See [`PartType::INNER_FRAMES`].
    pub inner_frames: usize,
    /// See [`PartType::CAN_BE_FREE`].
    pub can_be_free: bool,
    /// Whether it has events besides those of a friction element.
    pub has_events: bool,
    /// Whether its position is a state although its velocity is given.
    pub is_integrated: bool,
    /// Whether it has a friction element.
    pub has_friction: bool,
    /// Whether it has loads.
    pub has_loads: bool,
    /// Whether it is a part in space.
    pub is_multibody: bool,
    /// Whether it acts on its frames without moving them.
    pub acts_on_frames: bool,
    /// Whether it is an assembly, and then [`Assembly::AXIS1`].
    pub axis1: Option<&'static str>,
    /// Whether it remembers anything of steps.
    pub has_memory: bool,
    /// Whether its memory follows from where the mechanism is at the start.
    pub initialises: bool,
    /// Whether it is a connector of the system.
    pub is_connector: bool,
}

impl Properties {
    /// Of a type.
    pub(super) const fn of<P: PartType>() -> Self {
        let is_multibody = <P::In<f64> as Multibody<f64>>::IMPLEMENTED;
        let acts_on_frames = <P::In<f64> as ActsOnFrames<f64>>::IMPLEMENTED;
        let initialises = <P::In<f64> as Initialise<f64>>::IMPLEMENTED;
        let is_assembly = <P::In<f64> as Assembly<f64>>::IMPLEMENTED;
        assert!(
            is_multibody || !(acts_on_frames || initialises || is_assembly),
            "a part with ActsOnFrames, Initialise or Assembly needs InSpace, too"
        );
        Self {
            type_name: P::NAME,
            text: P::TEXT,
            inner_frames: P::INNER_FRAMES,
            can_be_free: P::CAN_BE_FREE,
            has_events: <P::In<f64> as Events<f64>>::IMPLEMENTED,
            is_integrated: P::IS_INTEGRATED,
            has_friction: <P::In<f64> as FrictionElement<f64>>::IMPLEMENTED,
            has_loads: <P::In<f64> as Loads<f64>>::IMPLEMENTED,
            is_multibody,
            acts_on_frames,
            axis1: if is_assembly { Some(<P::In<f64> as Assembly<f64>>::AXIS1) } else { None },
            has_memory: <P::In<f64> as Memory<f64>>::IMPLEMENTED,
            initialises,
            is_connector: P::CONNECTOR.is_some(),
        }
    }
}
