//! Heat ports: the nodes that connected ones make up, what flows between these, and what stores it; `heat_nodes.rs` finds
//! them.

use fmu_runtime::Connector;

/// True if a connector is a heat port.
pub fn is_heat_port(connector: Connector) -> bool {
    matches!(connector, Connector::HeatPort_a | Connector::HeatPort_b)
}

/// The heat ports of a system that are connected, with the places of their values among the Reals.
#[derive(Debug, Default)]
pub struct Heat {
    /// Nodes of connected ports.
    pub nodes: Vec<Node>,
    /// Number of nodes whose temperature follows from the others at once.
    pub unknown: usize,
    /// Nodes at which parts turn power into heat, with the places of the flows into these parts.
    pub losses: Vec<(usize, usize)>,
    /// The parts with these flows, in rising order.
    pub lossy: Vec<usize>,
    /// Conductors between two nodes.
    pub links: Vec<HeatLink>,
    /// Flows that are given.
    pub flows: Vec<HeatFlow>,
    /// Heat capacities.
    pub capacitors: Vec<HeatCapacity>,
    /// The parts that have the state of a node.
    pub states: Vec<usize>,
    /// Pairs of parts: the heat or the temperature of the first affects the second. Further effects are chains of these.
    pub effects: Vec<(usize, usize)>,
}

/// Connected heat ports, which have one temperature.
#[derive(Debug)]
pub struct Node {
    /// A port, for messages.
    pub name: String,
    /// The place of its temperature, if that is a state or given.
    pub known: Option<usize>,
    /// Its number among those whose temperature is not known.
    pub number: usize,
    /// Places to which the temperature is copied.
    pub copies: Vec<usize>,
    /// The place of the flow into what gives the temperature.
    pub sink: Option<usize>,
}

/// A conductor from one node to another one.
#[derive(Debug)]
pub struct HeatLink {
    /// Both nodes.
    pub between: [usize; 2],
    /// The place of the conductance, or of its inverse.
    pub value: usize,
    /// True if that is the inverse.
    pub is_inverse: bool,
    /// The places of the difference of the temperatures and of the flow.
    pub outputs: [usize; 2],
}

/// A flow that is given: Q (1 + alpha (T - T_ref)) into a node.
#[derive(Debug)]
pub struct HeatFlow {
    /// The node.
    pub node: usize,
    /// The places of Q, alpha and T_ref.
    pub values: [usize; 3],
    /// The place of the flow into the part.
    pub output: usize,
}

/// A heat capacity at a node.
#[derive(Debug)]
pub struct HeatCapacity {
    /// The node.
    pub node: usize,
    /// The place of the capacity.
    pub value: usize,
    /// The places of the derivative of the temperature and of the flow into the part.
    pub outputs: [usize; 2],
}
