//! Places of the values of the parts, and the numbers of their positions, of which connected ones are the same.

use std::collections::BTreeSet;

use fmu_runtime::{Connector, Offsets};
use mechanics::drivetrain::Preference;

use crate::part::{AnyPart, Arrays};
use crate::real::Real;
use crate::topology::heat::{Heat, is_heat_port};
use crate::topology::known_train::KnownTrain;
use crate::topology::look::Look;
use crate::topology::massless_nodes::{LinkedFlanges, LinkedPoints, MasslessFlange, MasslessPoint};
use crate::topology::ring_memory::RingMemory;

/// A part with its name and its connections.
pub struct NamedPart {
    /// Name of the part.
    pub name: String,
    /// Type and options.
    pub part: Box<dyn AnyPart>,
    /// Connections of its connectors: own connector, connector of another part.
    pub connections: Vec<(String, String)>,
}

/// True if a connector has a position: it is neither a frame nor a heat port.
pub fn has_position(connector: Connector) -> bool {
    !is_frame(connector) && !is_heat_port(connector)
}

/// True if a connector is a frame.
pub fn is_frame(connector: Connector) -> bool {
    matches!(connector, Connector::Frame_a | Connector::Frame_b)
}

/// A position that belongs to a part alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Number of the part.
    pub part: usize,
    /// Index among the part's own positions.
    pub own: usize,
}

/// An element of a part, by the number of the part and by its own among those of the part.
pub type Place = (usize, usize);

/// A parameter that the start determines.
#[derive(Clone, Debug)]
pub struct FoundParameter {
    /// Names of the part and of its parameter.
    pub name: String,
    /// Index among the Reals.
    pub place: usize,
    /// The bounds, both included.
    pub bounds: (f64, f64),
}

/// Places of the values of the parts, and numbers of positions, coordinates and frames.
#[derive(Debug, Default)]
pub struct Wiring {
    /// Offsets behind all parts: the number of their values.
    pub size: Offsets,
    /// Offsets of the values of each part.
    pub offsets: Vec<Offsets>,
    /// Positions of each part: those of its flanges, then its own.
    pub positions: Vec<Vec<usize>>,
    /// For each position, the part to which it belongs alone, if there is one.
    pub owners: Vec<Option<Owner>>,
    /// Degree to which each position is preferred as a coordinate.
    pub preferences: Vec<Preference>,
    /// The own positions of parts that are the coordinates: the free ones, then the given ones.
    pub coordinates: Vec<Owner>,
    /// Number of free coordinates.
    pub free: usize,
    /// Numbers of the frames of each part.
    pub frames: Vec<Vec<usize>>,
    /// Number of frames.
    pub frame_count: usize,
    /// Number of the world frame, if there is one.
    pub world: Option<usize>,
    /// For each part, true if it is a body that moves freely.
    pub free_bodies: Vec<bool>,
    /// The joints that close rings.
    pub cuts: BTreeSet<Place>,
    /// Parameters that the start determines.
    pub found: Vec<FoundParameter>,
    /// Memory of rings.
    pub rings: RingMemory,
    /// Part of each element of the mechanism in space.
    pub elements: Vec<usize>,
    /// Number of the first element of each part.
    pub first_elements: Vec<usize>,
    /// Positions of joints between which there are inertias that change with the motion.
    pub couplings: Vec<Vec<usize>>,
    /// The parts with states.
    pub moving: Vec<usize>,
    /// Other parts in space with states.
    pub relaxing: Vec<usize>,
    /// For each part, the coordinate whose motion it gives.
    pub given: Vec<Option<usize>>,
    /// Parts with memory of previous steps.
    pub remembering: Vec<usize>,
    /// The parts with a friction element.
    pub friction_pairs: Vec<usize>,
    /// Number of assemblies, which close loops.
    pub loops: usize,
    /// The parts with loads.
    pub loaded: Vec<usize>,
    /// The parts in space that act on frames without moving them.
    pub acting: Vec<usize>,
    /// The part with gravity as an input, if there is one.
    pub gravity: Option<usize>,
    /// Parts with events of their own, and the number of their indicators.
    pub eventful: Vec<(usize, usize)>,
    /// Positions among the Reals of the flows out of the system.
    pub outflows: Vec<usize>,
    /// Shapes and frames that a viewer draws.
    pub look: Look,
    /// Inputs of parts that get their values from those of the system.
    pub feeds: SharedInputs,
    /// How blocks are evaluated, and to which inputs they give their values.
    pub signals: Signals,
    /// Connected heat ports.
    pub heat: Heat,
    /// Points without mass that have no part yet.
    pub points: Vec<MasslessPoint>,
    /// Points without mass that springs and dampers connect.
    pub linked_points: Vec<LinkedPoints>,
    /// Flanges without inertia that have no part yet.
    pub massless: Vec<MasslessFlange>,
    /// Coordinates without inertia that springs and dampers connect.
    pub linked: Vec<LinkedFlanges>,
    /// The drive train of an analysis.
    pub known_train: KnownTrain<Real>,
    /// True if all starts at rest.
    pub steady: bool,
    /// Reason why the system cannot move.
    pub problem: Option<String>,
}

impl Wiring {
    /// Keeps the first reason why the system cannot move.
    pub fn refuse(&mut self, problem: String) {
        self.problem.get_or_insert(problem);
    }
}

/// Indices from which and to which values are copied, for each base type.
#[derive(Debug, Default)]
pub struct SharedInputs {
    /// Indices among the Reals.
    pub reals: Vec<(usize, usize)>,
    /// Indices among the Integers and enumerations.
    pub integers: Vec<(usize, usize)>,
    /// Indices among the Booleans.
    pub booleans: Vec<(usize, usize)>,
    /// Inputs of the system that give motions: their indices, and how many derivatives are behind each.
    pub rates: Vec<(usize, usize)>,
}

impl SharedInputs {
    /// Copies the values of inputs of the system to those of parts.
    pub fn copy<T: Copy>(&self, arrays: &mut Arrays<'_, T>) {
        self.reals.iter().for_each(|(from, to)| arrays.reals[*to] = arrays.reals[*from]);
        self.integers.iter().for_each(|(from, to)| arrays.integers[*to] = arrays.integers[*from]);
        self.booleans.iter().for_each(|(from, to)| arrays.booleans[*to] = arrays.booleans[*from]);
    }
}

/// How blocks are evaluated.
#[derive(Debug, Default)]
pub struct Signals {
    /// The blocks whose outputs are needed before their inputs are known.
    pub first: Vec<Stage>,
    /// The blocks before the motion, each behind those that it needs.
    pub order: Vec<Stage>,
    /// The blocks after positions and velocities, each behind those that it needs.
    pub sensed: Vec<Stage>,
    /// The blocks after accelerations, each behind those that it needs.
    pub measured: Vec<Stage>,
    /// For each part, those to which it gives signals.
    pub consumers: Vec<Vec<usize>>,
    /// True if any signal follows from time.
    pub has_sources: bool,
    /// The states of blocks that a start at rest decides.
    pub resting: Vec<BlockState>,
    /// True if one of them acts on the motion, also through other blocks.
    pub rests_act: bool,
}

/// A state of a block.
#[derive(Debug)]
pub struct BlockState {
    /// The block.
    pub part: usize,
    /// Name of the derivative.
    pub name: String,
    /// Places of the state and of its derivative among the Reals.
    pub places: [usize; 2],
}

/// A block, and where its outputs are copied.
#[derive(Debug, Default)]
pub struct Stage {
    /// The block.
    pub part: usize,
    /// Its outputs.
    pub feeds: SharedInputs,
}
