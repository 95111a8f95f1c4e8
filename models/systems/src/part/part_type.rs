//! Types of parts.

use fmu_runtime::{Connector, Scalar, Shape, Structure, Variable, declared};
use mechanics::drivetrain::Preference;

use super::capabilities::{
    ActsOnFrames, Assembly, Block, Capabilities, Events, FrictionElement, Initialise, Loads, Memory, Multibody,
};
use super::equations::Part;

/// A part without positions that exchanges heat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thermal {
    /// Stores heat: `C`, `T`, `der_T`.
    Capacitor,
    /// Lets heat through, by its conductance `G` or `Gc`: `dT`, `Q_flow`.
    Conductor,
    /// Lets heat through, by its thermal resistance `R`.
    Resistor,
    /// Gives the temperature `T`.
    Temperature,
    /// Gives the heat flow `Q_flow`, with `alpha` and `T_ref`.
    Flow,
}

/// Kinds of parts whose load is constant or follows from the relative motion of both their flanges alone: such parts can meet where
/// nothing has inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compliant {
    /// A spring that never loses contact.
    Spring,
    /// A damper, perhaps with a spring, that never loses contact.
    Damper,
    /// A spring, perhaps with a damper, that can lose contact.
    Contact,
    /// No spring, but a load that changes at time events only.
    Constant,
}

/// A type of part.
pub trait PartType: Send + Sync + 'static {
    /// Name of the type in `type = "…"`.
    const NAME: &'static str;
    /// Description in one line.
    const TEXT: &'static str;
    /// Structure options of the part.
    type Structure: Structure + Clone;
    /// Variables and equations of the part.
    type In<T: Scalar>: Part<T, Structure = Self::Structure> + Capabilities<T>;

    /// Returns the default options.
    fn structure() -> Self::Structure {
        Self::Structure::default()
    }

    /// Returns the names of the part's connectors. Positions of flanges are its first ones; frames have numbers of
    /// their own.
    fn connectors(_structure: &Self::Structure) -> Vec<(&'static str, Connector)> {
        Vec::new()
    }

    /// Returns the options of the part's rows. `has_states` is true if the motion of its own position is free and so a
    /// state.
    fn options(structure: &Self::Structure, has_states: bool) -> <Self::In<f64> as Variable<f64>>::Start;

    /// Returns the shapes that a viewer draws, in terms of the part's frames, of its variables and of the looks of
    /// assemblies; numbers are as in `fmu-builder/src/description/shapes.rs`.
    fn shapes() -> Vec<Shape<'static>> {
        Vec::new()
    }

    /// Returns the same where the shapes depend on the options.
    fn shapes_of(_structure: &Self::Structure) -> Vec<Shape<'static>> {
        Self::shapes()
    }

    /// Returns the part's own positions, behind those of its connectors, as preferences for coordinates.
    fn own(_structure: &Self::Structure) -> &'static [Preference] {
        &[]
    }

    /// Number of inner frames, behind those of the part's connectors.
    const INNER_FRAMES: usize = 0;

    /// True if the part moves freely, with six positions of its own and no others, where nothing carries its first
    /// frame.
    const CAN_BE_FREE: bool = false;

    /// Kind of the part if its flanges can be without inertia.
    const COMPLIANT: Option<Compliant> = None;

    /// True if the part's position is a state although its velocity is given.
    const IS_INTEGRATED: bool = false;

    /// Returns true if the part's position is a state although its velocity or its acceleration is given.
    fn is_integrated(_structure: &Self::Structure) -> bool {
        Self::IS_INTEGRATED
    }

    /// Returns true if the part has states of its own that are not positions, whatever is free.
    fn has_inner_states(_structure: &Self::Structure) -> bool {
        false
    }

    /// How many times the inputs of a block are integrated on their way to its outputs; 0 if these change with the inputs at
    /// once.
    fn integrations(_structure: &Self::Structure) -> usize {
        0
    }

    /// Returns the option by which the states of a block follow from its inputs at the start, as `initType = "SteadyState"`.
    fn starts_steady(_structure: &Self::Structure) -> Option<&'static str> {
        None
    }

    /// Returns true if the states of a block may begin anywhere, so that a start of the system at rest decides where: where they
    /// do not change.
    fn starts_anywhere(_structure: &Self::Structure) -> bool {
        false
    }

    /// Returns true if the outputs of a block follow from accelerations, or from loads between flanges or frames.
    fn needs_accelerations(_structure: &Self::Structure) -> bool {
        false
    }

    /// Returns true if the outputs of a block change at events only, by its memory.
    fn is_discrete(_structure: &Self::Structure) -> bool {
        false
    }

    /// Returns true if the load depends on the temperature at the heat port.
    fn uses_temperature(_structure: &Self::Structure) -> bool {
        false
    }

    /// The structure options that a system chooses.
    const CHOSEN: &'static [&'static str] = &[];

    /// Kind of terminal that the part's variables are for an importer, if it is a connector of the system.
    const CONNECTOR: Option<Connector> = None;
}

/// Properties of all parts of a type, whatever their options are.
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// Name of the type.
    pub type_name: &'static str,
    /// Description in one line.
    pub text: &'static str,
    /// See [`PartType::INNER_FRAMES`].
    pub inner_frames: usize,
    /// See [`PartType::CAN_BE_FREE`].
    pub can_be_free: bool,
    /// True if the part has events besides those of a friction element.
    pub has_events: bool,
    /// Kind of the part, if it is a thermal one.
    pub thermal: Option<Thermal>,
    /// True if the part changes with time by itself, at time events.
    pub follows_time: bool,
    /// True if the part has a friction element.
    pub has_friction: bool,
    /// True if the part computes signals.
    pub is_block: bool,
    /// True if the part has loads.
    pub has_loads: bool,
    /// See [`PartType::COMPLIANT`].
    pub compliant: Option<Compliant>,
    /// True if the part is a flange without inertia, which a system adds.
    pub is_massless: bool,
    /// True if the part is in space.
    pub is_multibody: bool,
    /// True if the part acts on its frames without moving them.
    pub acts_on_frames: bool,
    /// [`Assembly::AXIS1`] if the part is an assembly.
    pub axis1: Option<&'static str>,
    /// True if the part has memory of previous steps.
    pub has_memory: bool,
    /// True if the part's memory follows from the position of the mechanism at the start.
    pub initialises: bool,
    /// True if the part is a connector of the system.
    pub is_connector: bool,
}

impl Properties {
    /// Returns the properties of a type.
    pub const fn of<P: PartType>() -> Self {
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
            text: declared(P::TEXT),
            inner_frames: P::INNER_FRAMES,
            can_be_free: P::CAN_BE_FREE,
            has_events: <P::In<f64> as Events<f64>>::IMPLEMENTED,
            thermal: None,
            follows_time: false,
            has_friction: <P::In<f64> as FrictionElement<f64>>::IMPLEMENTED,
            is_block: <P::In<f64> as Block<f64>>::IMPLEMENTED,
            has_loads: <P::In<f64> as Loads<f64>>::IMPLEMENTED,
            compliant: P::COMPLIANT,
            is_massless: false,
            is_multibody,
            acts_on_frames,
            axis1: if is_assembly { Some(<P::In<f64> as Assembly<f64>>::AXIS1) } else { None },
            has_memory: <P::In<f64> as Memory<f64>>::IMPLEMENTED,
            initialises,
            is_connector: P::CONNECTOR.is_some(),
        }
    }
}
