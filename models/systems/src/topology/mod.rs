//! The parts of a system, and how they are connected.

pub mod drivetrain;
pub mod found;
pub mod heat;
mod heat_nodes;
mod known_train;
pub mod linked;
pub mod look;
pub mod massless;
pub mod massless_nodes;
pub mod mechanism;
pub mod mounted;
pub mod no_effect;
mod numbering;
mod options;
pub mod points;
mod problems;
pub mod ring_memory;
pub mod rings;
mod shared;
mod signal_order;
mod sparsity;
mod visible_frames;
pub mod wiring;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use fmu_runtime::model::{Flows, Sparsity};
use fmu_runtime::structure::Setting;
use fmu_runtime::{Attributes, ElementVisitor, Index, Offsets, RowKind, Structure, write_name};
use mechanics::constant;

use crate::MULTIBODY;
use crate::part::row_overrides::RowOverrides;
use crate::part::{AnyPart, View};
use crate::real::Real;
use crate::topology::drivetrain::PartScalar;
use crate::topology::massless_nodes::LinkedPoints;
use crate::topology::shared::Shared;
use crate::topology::sparsity::{in_space, influences};
use crate::topology::wiring::{NamedPart, Wiring};

/// Name of the option that adds variables for viewers.
const ANIMATION: &str = "animation";

/// The options of a whole system, besides its outputs.
#[derive(Clone, Copy)]
struct SystemStructure {
    steady: bool,
    animation: bool,
    flows: Flows,
}

impl Default for SystemStructure {
    fn default() -> Self {
        Self { steady: false, animation: true, flows: Flows::inflow }
    }
}

impl Structure for SystemStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("steady", "Whether all velocities and accelerations are 0 at the start", &mut self.steady);
        let animation = "Adds what a viewer needs: the motion of frames, and the shapes of parts";
        visit(ANIMATION, animation, &mut self.animation);
        visit(Flows::NAME, Flows::TEXT, &mut self.flows);
    }
}

/// Arbitrary values, which show results that do not depend on them.
struct GenericValues {
    reals: Vec<Real>,
    integers: Vec<i32>,
    booleans: Vec<bool>,
}

impl GenericValues {
    fn new(size: Offsets) -> Self {
        Self {
            reals: (0..size.passed.reals).map(|i| constant(1.0 + (0.618_034 * i as f64).fract())).collect(),
            integers: vec![1; size.passed.integers],
            booleans: vec![false; size.passed.booleans],
        }
    }

    fn view(&self) -> View<'_, Real> {
        View { reals: &self.reals, integers: &self.integers, booleans: &self.booleans }
    }
}

/// The parts of a system with their connections and options.
#[derive(Default)]
pub struct Topology {
    /// Types that a part can have.
    types: Vec<Box<dyn AnyPart>>,
    /// Reason why a part cannot have these types.
    problem: Option<String>,
    parts: Vec<NamedPart>,
    /// Numbers of the parts by their names.
    numbers: BTreeMap<String, usize>,
    /// Names of the outputs; by default all computed variables are outputs.
    outputs: Option<BTreeSet<String>>,
    shared: Shared,
    /// Names of the parameters that the start determines.
    found: Vec<String>,
    system: SystemStructure,
    wiring: OnceLock<Wiring>,
    /// This system with a part for each point without mass, or else flange without inertia, if there are any.
    completed: OnceLock<Option<Box<Topology>>>,
}

impl Topology {
    /// Makes a system without parts, which can have these types.
    pub fn new(types: Vec<Box<dyn AnyPart>>) -> Self {
        let mut topology = Self { types, ..Self::default() };
        topology.problem = topology.name_problem();
        topology
    }

    /// Returns the parts.
    pub fn parts(&self) -> &[NamedPart] {
        &self.parts
    }

    /// Returns the sign of loads and heat flows that are outputs of connectors.
    pub fn flows(&self) -> Flows {
        self.system.flows
    }

    /// True if any part is connected.
    pub fn is_connected(&self) -> bool {
        self.shared.has_signals() || self.parts.iter().any(|named| !named.connections.is_empty())
    }

    /// Returns the system with the parts that it adds: points without mass, then flanges without inertia.
    pub fn complete(&self) -> &Self {
        self.completed.get_or_init(|| self.completed()).as_deref().map_or(self, Self::complete)
    }

    /// Returns the places of the values and the numbers of the positions, of which connected ones are the same.
    pub fn wiring(&self) -> &Wiring {
        self.wiring.get_or_init(|| self.wire())
    }

    /// Passes the rows of all parts to a visitor.
    pub fn declare(&self, visitor: &mut dyn ElementVisitor) {
        if self.found.is_empty() {
            return self.declare_rows(visitor);
        }
        let change = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
            self.pass_found(attributes, index, pass);
        };
        self.declare_rows(&mut RowOverrides { change: &change, groups: true, visitor });
    }

    fn declare_rows(&self, visitor: &mut dyn ElementVisitor) {
        let wiring = self.wiring();
        let mut has_states = vec![false; self.parts.len()];
        wiring.coordinates[..wiring.free].iter().for_each(|owner| has_states[owner.part] = true);
        wiring.heat.states.iter().for_each(|part| has_states[*part] = true);
        wiring.linked_points.iter().flat_map(LinkedPoints::with_lengths).for_each(|part| has_states[part] = true);
        let choose = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
            pass(&self.outputs.as_ref().map_or(*attributes, |outputs| chosen(attributes, index, outputs)));
        };
        let join = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
            attributes.joined(&mut |joined| choose(joined, index, pass));
        };
        for (i, named) in self.parts.iter().enumerate() {
            // While it is not known which motions are free, all may be, but for lengths of lines.
            let may_be_free = wiring.problem.is_some() && !named.part.properties().acts_on_frames;
            let has_states = may_be_free || has_states[i];
            // A connector has outputs of its own, which are not chosen.
            if wiring.heat.lossy.binary_search(&i).is_ok() {
                // Its heat port is connected inside.
                self.shared.declare(named, has_states, &mut RowOverrides { change: &join, groups: true, visitor });
            } else if self.outputs.is_none() || named.part.properties().is_connector {
                self.shared.declare(named, has_states, visitor);
            } else {
                self.shared.declare(named, has_states, &mut RowOverrides { change: &choose, groups: true, visitor });
            }
        }
        wiring.look.declare(&mut RowOverrides { change: &choose, groups: true, visitor });
        if MULTIBODY {
            wiring.rings.declare(|part| &self.parts[part].name, visitor);
        }
        self.shared.declare_inputs(&self.parts, visitor);
    }

    /// Which parts can affect which.
    pub fn influences(&self) -> Sparsity {
        let wiring = self.wiring();
        let values = GenericValues::new(wiring.size);
        if wiring.problem.is_some() || !(wiring.elements.is_empty() && wiring.linked.is_empty()) {
            in_space(wiring)
        } else {
            influences(&self.parts, wiring, values.view())
        }
    }

    /// True if anything starts at rest, or has a relative start value, which is solved for together.
    pub fn starts_together(&self) -> bool {
        let wiring = self.wiring();
        self.rests(wiring, GenericValues::new(wiring.size).view())
    }

    fn rests(&self, wiring: &Wiring, view: View<'_, Real>) -> bool {
        let rests = |(named, offsets): (&NamedPart, &Offsets)| {
            let wanted = Real::of(&*named.part).initial_conditions(view, *offsets, false);
            wanted.iter().any(|wanted| wanted.is_of_rest || wanted.relative.is_some())
        };
        wiring.steady || self.parts.iter().zip(&wiring.offsets).any(rests)
    }
}

/// Returns a computed row as an output, if its name is among these, otherwise as a local variable.
fn chosen<'a>(attributes: &Attributes<'a>, index: Index, outputs: &BTreeSet<String>) -> Attributes<'a> {
    if !matches!(attributes.kind(), RowKind::output | RowKind::local) {
        return *attributes;
    }
    let mut name = String::new();
    // Writing to a text does not fail.
    let _ = write_name(&mut name, attributes, index);
    attributes.with_kind(if outputs.contains(&name) { RowKind::output } else { RowKind::local })
}
