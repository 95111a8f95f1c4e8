//! Where the values of the parts are, and which of their positions are the same.

use fmu_runtime::{Connector, Offsets};
use mechanics::drivetrain::Preference;

use crate::look::Look;
use crate::part::{AnyPart, Arrays};

/// A part with its name and its connections.
pub struct NamedPart {
    /// Its name.
    pub name: String,
    /// Type and options.
    pub part: Box<dyn AnyPart>,
    /// For some of its connectors, the connector of another part.
    pub connections: Vec<(String, String)>,
}

/// Whether a connector is a frame; otherwise it has a position.
pub fn is_frame(connector: Connector) -> bool {
    matches!(connector, Connector::Frame_a | Connector::Frame_b)
}

/// A position that belongs to a part alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The part.
    pub part: usize,
    /// Which of its own positions.
    pub own: usize,
}

/// Where the values of the parts are, and which positions are the same.
#[derive(Debug, Default)]
pub struct Wiring {
    /// The offsets behind all parts: how many values they have.
    pub size: Offsets,
    /// For each part, where its values begin.
    pub offsets: Vec<Offsets>,
    /// For each part, its positions: those of its flanges, then its own.
    pub positions: Vec<Vec<usize>>,
    /// For each position, the part to which it belongs alone, if there is one.
    pub owners: Vec<Option<Owner>>,
    /// How strongly each position is preferred as a coordinate.
    pub preferences: Vec<Preference>,
    /// The own positions of parts that are the coordinates: the free ones, then the given ones.
    pub coordinates: Vec<Owner>,
    /// How many of them are free.
    pub free: usize,
    /// For each part, the numbers of its frames.
    pub frames: Vec<Vec<usize>>,
    /// How many frames there are.
    pub frame_count: usize,
    /// The number of the world frame.
    pub world: Option<usize>,
    /// For each part, whether it is a body that moves freely.
    pub free_bodies: Vec<bool>,
    /// For each element of the mechanism in space, its part.
    pub elements: Vec<usize>,
    /// For each part, the number of its first element.
    pub first_elements: Vec<usize>,
    /// Positions of joints between which there are inertias that change with the motion.
    pub couplings: Vec<Vec<usize>>,
    /// The parts with states.
    pub moving: Vec<usize>,
    /// For each part, which coordinate it gives.
    pub given: Vec<Option<usize>>,
    /// The parts that remember something of steps.
    pub remembering: Vec<usize>,
    /// The parts with a friction element.
    pub friction_pairs: Vec<usize>,
    /// How many parts are assemblies, which close loops.
    pub loops: usize,
    /// The parts with loads.
    pub loaded: Vec<usize>,
    /// The parts in space that act on frames without moving them.
    pub acting: Vec<usize>,
    /// The parts with events of their own, and with how many indicators.
    pub eventful: Vec<(usize, usize)>,
    /// Positions among the Reals of the flows out of the system.
    pub outflows: Vec<usize>,
    /// What a viewer draws.
    pub look: Look,
    /// The inputs of parts to which those of the system give their values.
    pub feeds: SharedInputs,
    /// Whether all starts at rest.
    pub steady: bool,
    /// Why the system cannot move.
    pub problem: Option<String>,
}

/// For each base type, from where values are copied to where.
#[derive(Debug, Default)]
pub struct SharedInputs {
    /// Among the Reals.
    pub reals: Vec<(usize, usize)>,
    /// Among the Integers and enumerations.
    pub integers: Vec<(usize, usize)>,
    /// Among the Booleans.
    pub booleans: Vec<(usize, usize)>,
}

impl SharedInputs {
    /// Gives inputs of parts their values.
    pub fn copy<T: Copy>(&self, arrays: &mut Arrays<'_, T>) {
        self.reals.iter().for_each(|(from, to)| arrays.reals[*to] = arrays.reals[*from]);
        self.integers.iter().for_each(|(from, to)| arrays.integers[*to] = arrays.integers[*from]);
        self.booleans.iter().for_each(|(from, to)| arrays.booleans[*to] = arrays.booleans[*from]);
    }
}
