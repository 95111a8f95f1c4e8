//! The parts of a system, and how they are connected.

pub mod drivetrain;
pub mod look;
pub mod mechanism;
mod shared;
mod signal_order;
mod sparsity;
mod visible_frames;
pub mod wiring;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use fmu_runtime::model::{FlowOutputs, Flows, Sparsity};
use fmu_runtime::structure::{Setting, is_identifier};
use fmu_runtime::{
    Attributes, ElementVisitor, Index, InitialValue, Offsets, RowKind, SEPARATOR, Structure, StructureKind,
    StructureOption, write_name,
};
use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::{Drivetrain, DrivetrainError, Preference, Relation, RelationError};

use crate::MULTIBODY;
use crate::part::row_overrides::RowOverrides;
use crate::part::{AnyPart, Counter, InitialCondition, Properties, View};
use crate::topology::drivetrain::{PartScalar, drivetrain};
use crate::topology::mechanism::{elements, free_bodies, list, refuse, tree};
use crate::topology::shared::{Shared, is_reference};
use crate::topology::signal_order::plan;
use crate::topology::sparsity::{in_space, influences};
use crate::topology::visible_frames::look;
use crate::topology::wiring::{NamedPart, Owner, Wiring, is_frame};

/// Suffix of a part's name in the option for its type.
const TYPE: &str = "type";

/// Largest number of parts.
const MAX_PARTS: usize = 10_000;

/// Name of the option with the names of the outputs.
const OUTPUTS: &str = "outputs";

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
    reals: Vec<f64>,
    integers: Vec<i32>,
    booleans: Vec<bool>,
}

impl GenericValues {
    fn new(size: Offsets) -> Self {
        Self {
            reals: (0..size.passed.reals).map(|i| 1.0 + (0.618_034 * i as f64).fract()).collect(),
            integers: vec![1; size.passed.integers],
            booleans: vec![false; size.passed.booleans],
        }
    }

    fn view(&self) -> View<'_, f64> {
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
    system: SystemStructure,
    wiring: OnceLock<Wiring>,
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

    /// Returns the places of the values and the numbers of the positions, of which connected ones are the same.
    pub fn wiring(&self) -> &Wiring {
        self.wiring.get_or_init(|| self.wire())
    }

    /// Sets a structure option: the type of a part, a connection, or an option of its type.
    pub fn set(&mut self, option: &str, word: &str) -> Result<(), String> {
        if option == OUTPUTS {
            self.outputs = Some(word.split(SEPARATOR).map(str::to_owned).collect());
            return Ok(());
        }
        self.wiring = OnceLock::new();
        let mut is_of_system = false;
        self.system.visit(&mut |name, _, _| is_of_system |= name == option);
        if is_of_system {
            return fmu_runtime::structure::set(&mut |visit| self.system.visit(visit), option, word);
        }
        let (name, key) = option
            .split_once('.')
            .ok_or_else(|| format!("unknown structure option \"{option}\"; those of a part are written part.option"))?;
        if key == TYPE {
            if let Some(problem) = &self.problem {
                return Err(problem.clone());
            }
            let part = self.types.iter().find(|part| part.properties().type_name == word).ok_or_else(|| {
                format!("part \"{name}\" has the unknown type \"{word}\"; available: {}", self.type_names().join(", "))
            })?;
            if self.numbers.contains_key(name) {
                return Err(format!("part \"{name}\" has two types"));
            }
            if self.parts.len() == MAX_PARTS {
                return Err(format!("part \"{name}\" is one too many: a system has at most {MAX_PARTS} parts"));
            }
            let part = part.new_default();
            self.numbers.insert(name.to_owned(), self.parts.len());
            self.parts.push(NamedPart { name: name.to_owned(), part, connections: Vec::new() });
            return Ok(());
        }
        let named = self.numbers.get(name).map(|number| &mut self.parts[*number]);
        let named = named.ok_or_else(|| format!("\"{option} = {word}\": there is no part \"{name}\""))?;
        if named.part.connectors().iter().any(|(connector, _)| *connector == key) {
            named.connections.retain(|(connector, _)| connector != key);
            named.connections.push((key.to_owned(), word.to_owned()));
            return Ok(());
        }
        let mut is_option = false;
        named.part.visit(&mut |option, _, _| is_option |= option == key);
        if !is_option && is_reference(word) {
            self.shared.set(name, key, word);
            return Ok(());
        }
        fmu_runtime::structure::set(&mut |visit| named.part.visit(visit), key, word)
            .map_err(|error| format!("part \"{name}\": {error}"))
    }

    fn type_names(&self) -> Vec<String> {
        self.types.iter().map(|part| part.properties().type_name.to_owned()).collect()
    }

    /// Describes why the types cannot have their names.
    fn name_problem(&self) -> Option<String> {
        let mut known: BTreeSet<String> = self.full_names().into_iter().map(|(full, _)| full).collect();
        self.type_names().into_iter().find_map(|name| {
            if !name.split('.').all(is_identifier) {
                return Some(format!(
                    "a type of parts cannot be named \"{name}\": use letters, digits and underscores, starting with a letter"
                ));
            }
            let problem = format!("two types of parts are named \"{name}\": give your own another NAME");
            (!known.insert(name)).then_some(problem)
        })
    }

    /// Returns names of types with the package of Modelica's library that they are from, where the names do not say it.
    fn full_names(&self) -> Vec<(String, String)> {
        let mut names = Vec::new();
        for part in &self.types {
            let name = part.properties().type_name;
            if let (false, Some((_, connector))) = (name.contains('.'), part.connectors().first()) {
                names.push((format!("{}.{name}", connector.domain()), name.to_owned()));
            }
        }
        names
    }

    /// Returns the options of all parts, with their values.
    pub fn options(&mut self) -> Vec<StructureOption> {
        let option = |name: String, description: &str, kind, value: String| StructureOption {
            name,
            description: description.to_owned(),
            kind,
            aliases: Vec::new(),
            default: String::new(),
            value,
        };
        let separator = SEPARATOR.to_string();
        let outputs = self.outputs.iter().flatten().map(String::as_str).collect::<Vec<_>>().join(&separator);
        let mut options = vec![option(OUTPUTS.to_owned(), "Outputs", StructureKind::Outputs, outputs)];
        if self.parts.is_empty() {
            // The types that a part can have are the values of this option.
            let kind = StructureKind::Part(self.type_names());
            let aliases = self.full_names();
            options.push(StructureOption { aliases, ..option(TYPE.to_owned(), "Type of a part", kind, String::new()) });
        }
        for NamedPart { name, part, connections } in &mut self.parts {
            let own = part.properties().type_name.to_owned();
            options.push(option(
                format!("{name}.{TYPE}"),
                part.properties().text,
                StructureKind::Part(vec![own.clone()]),
                own,
            ));
            let mut fresh = part.new_default();
            let own = fmu_runtime::structure::options(&mut |visit| part.visit(visit), &mut |visit| fresh.visit(visit));
            options.extend(own.into_iter().map(|own| StructureOption { name: format!("{name}.{}", own.name), ..own }));
            for (connector, kind) in part.connectors() {
                let to = connections.iter().find(|(own, _)| own == connector).map(|(_, to)| to.clone());
                let kind = StructureKind::Connection(kind);
                options.push(option(format!("{name}.{connector}"), "Connection", kind, to.unwrap_or_default()));
            }
            options.extend(self.shared.of(name).map(|(variable, from)| {
                let text = "Input or signal that gives it its value";
                option(format!("{name}.{variable}"), text, StructureKind::Input, from.to_owned())
            }));
        }
        let (mut own, mut default) = (self.system, SystemStructure::default());
        let own = fmu_runtime::structure::options(&mut |visit| own.visit(visit), &mut |visit| default.visit(visit));
        options.extend(own.into_iter().filter(|option| match option.name.as_str() {
            ANIMATION => self.parts.iter().any(|named| named.part.properties().is_multibody),
            Flows::NAME => self.flow_outputs().are_there,
            _ => !self.parts.is_empty(),
        }));
        options
    }

    fn flow_outputs(&self) -> FlowOutputs {
        let mut outputs = FlowOutputs::default();
        for NamedPart { name, part, .. } in &self.parts {
            part.declare(name, false, &mut outputs);
        }
        outputs
    }

    /// Passes the rows of all parts to a visitor.
    pub fn declare(&self, visitor: &mut dyn ElementVisitor) {
        let wiring = self.wiring();
        let mut has_states = vec![false; self.parts.len()];
        wiring.coordinates[..wiring.free].iter().for_each(|owner| has_states[owner.part] = true);
        let choose = |attributes: &Attributes<'_>, index, pass: &mut dyn FnMut(&Attributes<'_>)| {
            pass(&self.outputs.as_ref().map_or(*attributes, |outputs| chosen(attributes, index, outputs)));
        };
        for (i, named) in self.parts.iter().enumerate() {
            // While it is not known which motions are free, all may be.
            let has_states = wiring.problem.is_some() || has_states[i];
            // A connector has outputs of its own, which are not chosen.
            if self.outputs.is_none() || named.part.properties().is_connector {
                self.shared.declare(named, has_states, visitor);
            } else {
                self.shared.declare(named, has_states, &mut RowOverrides { change: &choose, groups: true, visitor });
            }
        }
        wiring.look.declare(&mut RowOverrides { change: &choose, groups: true, visitor });
        self.shared.declare_inputs(&self.parts, visitor);
    }

    fn wire(&self) -> Wiring {
        let mut wiring = Wiring::default();
        let mut counter = Counter::NONE;
        let mut connectors = BTreeMap::new();
        let mut firsts = Vec::new();
        for NamedPart { name, part, .. } in &self.parts {
            wiring.offsets.push(counter.0);
            part.declare(name, false, &mut counter);
            firsts.push(connectors.len());
            for (connector, _) in part.connectors() {
                connectors.insert(format!("{name}.{connector}"), connectors.len());
            }
        }
        // Connectors that are connected are a node.
        let mut nodes = DisjointSets::new(connectors.len());
        for NamedPart { name, connections, .. } in &self.parts {
            for (own, to) in connections {
                let from = format!("{name}.{own}");
                match (connectors.get(&from), connectors.get(to)) {
                    (Some(one), Some(other)) => nodes.join(*one, *other),
                    _ => {
                        let problem = format!("{from} = \"{to}\": there is no connector \"{to}\"");
                        wiring.problem.get_or_insert(problem);
                    }
                }
            }
        }
        let [mut numbers, mut frame_numbers] = [(); 2].map(|()| vec![usize::MAX; connectors.len()]);
        for (named, first) in self.parts.iter().zip(&firsts) {
            let mut frames = Vec::new();
            for (connector, _) in (*first..).zip(named.part.connectors()).filter(|(_, (_, kind))| is_frame(*kind)) {
                let number = &mut frame_numbers[nodes.of(connector)];
                if *number == usize::MAX {
                    *number = wiring.frame_count;
                    wiring.frame_count += 1;
                }
                frames.push(*number);
            }
            for _ in 0..named.part.properties().inner_frames {
                frames.push(wiring.frame_count);
                wiring.frame_count += 1;
            }
            wiring.frames.push(frames);
        }
        wiring.size = counter.0;
        let values = GenericValues::new(wiring.size);
        (wiring.world, wiring.free_bodies) = free_bodies(&self.parts, &wiring, values.view());
        for (i, named) in self.parts.iter().enumerate() {
            let mut positions = Vec::new();
            for (connector, _) in (firsts[i]..).zip(named.part.connectors()).filter(|(_, (_, kind))| !is_frame(*kind)) {
                let node = nodes.of(connector);
                if numbers[node] == usize::MAX {
                    numbers[node] = wiring.preferences.len();
                    wiring.preferences.push(Preference::Any);
                    wiring.owners.push(None);
                }
                positions.push(numbers[node]);
            }
            let is_free = wiring.free_bodies[i];
            let own = if is_free { &[Preference::Preferred; 6] } else { named.part.own_positions() };
            for (own, preference) in own.iter().enumerate() {
                positions.push(wiring.preferences.len());
                wiring.preferences.push(*preference);
                wiring.owners.push(Some(Owner { part: i, own }));
            }
            wiring.positions.push(positions);
            if named.part.properties().has_friction {
                wiring.friction_pairs.push(i);
            }
            if named.part.properties().has_events {
                wiring.eventful.push((i, named.part.indicator_count()));
            }
            wiring.loops += usize::from(named.part.properties().axis1.is_some());
            // Only a connector at which a motion is given has memory.
            let is_passive = named.part.properties().is_connector && named.part.own_positions().is_empty();
            if named.part.properties().has_memory && !is_passive && !self.shared.gives_motion(named) {
                wiring.remembering.push(i);
            }
            if named.part.properties().has_loads {
                wiring.loaded.push(i);
            }
            if named.part.properties().acts_on_frames {
                wiring.acting.push(i);
            }
        }
        if MULTIBODY && self.system.animation {
            wiring.look = look(&self.parts, &wiring, &mut counter.0.passed);
        }
        let bears_loads_only = |i: &usize| self.bears_loads_only(*i, &wiring, values.view());
        let remembering = wiring.remembering.iter().copied().filter(|i| !bears_loads_only(i)).collect();
        wiring.remembering = remembering;
        match self.shared.feeds(&self.parts, &wiring.offsets, counter.0.passed) {
            Ok(feeds) => wiring.feeds = feeds,
            Err(problem) => drop(wiring.problem.get_or_insert(problem)),
        }
        let links = self.shared.links(&self.parts, &wiring.offsets);
        match links.and_then(|links| plan(&self.parts, &wiring, &links)) {
            Ok(signals) => wiring.signals = signals,
            Err(problem) => drop(wiring.problem.get_or_insert(problem)),
        }
        if self.system.flows == Flows::outflow {
            wiring.outflows = self.flow_outputs().slots;
        }
        wiring.steady = self.system.steady;
        wiring.given = vec![None; self.parts.len()];
        let elements = elements(&self.parts, &wiring, &wiring.positions, values.view());
        wiring.elements = elements.iter().map(|(part, _)| *part).collect();
        wiring.first_elements =
            (0..self.parts.len()).map(|i| wiring.elements.partition_point(|part| *part < i)).collect();
        if let Some(problem) = self.carried_start(&wiring, values.view()) {
            wiring.problem.get_or_insert(problem);
        }
        match tree(wiring.frame_count, elements.clone()) {
            Ok(tree) => wiring.couplings = tree.map_or_else(Vec::new, |tree| tree.couplings()),
            Err(error) => {
                let problem = refuse(&error, &self.parts, &wiring, &elements);
                wiring.problem.get_or_insert(problem);
            }
        }
        match drivetrain(&self.parts, &wiring, values.view(), false) {
            Ok(train) => {
                let owner = |position: &usize| wiring.owners[*position];
                wiring.coordinates = train.coordinates().iter().filter_map(owner).collect();
                wiring.free = train.free();
                let (free, given) = wiring.coordinates.split_at(wiring.free);
                let integrated = given.iter().filter(|owner| self.parts[owner.part].part.properties().is_integrated);
                wiring.moving = free.iter().chain(integrated).map(|owner| owner.part).collect();
                wiring.moving.dedup();
                for (k, owner) in given.iter().enumerate() {
                    wiring.given[owner.part] = Some(wiring.free + k);
                }
                if let Some(problem) = self.axis_problem(&wiring, &train, values.view()) {
                    wiring.problem.get_or_insert(problem);
                }
            }
            Err(error) => {
                let problem = self.describe(error, &wiring);
                wiring.problem.get_or_insert(problem);
            }
        }
        if !wiring.signals.sensed.is_empty() && self.rests(&wiring, values.view()) {
            let problem = "a start at rest cannot be found where signals follow from the motion: leave \"steady\" out, or the sensors";
            wiring.problem.get_or_insert(problem.to_owned());
        }
        wiring
    }

    /// Returns true if the velocity of a flange is given to springs and dampers only, on which its acceleration has no
    /// effect. Then
    /// nothing is to be remembered of it.
    fn bears_loads_only(&self, given: usize, wiring: &Wiring, view: View<'_, f64>) -> bool {
        let flange = wiring.positions[given].first();
        let bears_load = |i: usize| {
            let part = &self.parts[i].part;
            let Properties { has_loads, has_friction, is_multibody, is_connector, .. } = *part.properties();
            let is_load = has_loads && !has_friction && !is_multibody && !is_connector;
            is_load && f64::of(&**part).relations(view, wiring.offsets[i]).is_empty()
        };
        let is_there = |i: &usize| *i != given && flange.is_some_and(|flange| wiring.positions[*i].contains(flange));
        self.parts[given].part.properties().is_integrated && (0..self.parts.len()).filter(is_there).all(bears_load)
    }

    /// Which parts can affect which.
    pub fn influences(&self) -> Sparsity {
        let wiring = self.wiring();
        let values = GenericValues::new(wiring.size);
        if wiring.problem.is_some() || !wiring.elements.is_empty() {
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

    fn rests(&self, wiring: &Wiring, view: View<'_, f64>) -> bool {
        let rests = |(named, offsets): (&NamedPart, &Offsets)| {
            let wanted = f64::of(&*named.part).initial_conditions(view, *offsets, false);
            wanted.iter().any(|wanted| wanted.is_of_rest || wanted.relative.is_some())
        };
        wiring.steady || self.parts.iter().zip(&wiring.offsets).any(rests)
    }

    /// Describes a start value of a body that does not move freely.
    fn carried_start(&self, wiring: &Wiring, view: View<'_, f64>) -> Option<String> {
        self.parts.iter().enumerate().find_map(|(i, NamedPart { name, part, .. })| {
            let is_carried = part.properties().can_be_free && !wiring.free_bodies[i];
            let wanted = if is_carried { f64::of(&**part).initial_conditions(view, wiring.offsets[i], false) } else { Vec::new() };
            let wanted = wanted.into_iter().find(|wanted| wanted.initial != InitialValue::ignore)?;
            Some(format!(
                "{name}.{} has a start value, but \"{name}\" does not move freely: its motion follows from the joints that carry \
                 it, or from another body, so give their start values",
                wanted.name
            ))
        })
    }

    /// Describes a part at the axis of an assembly that cannot be there, or has start values there.
    fn axis_problem(&self, wiring: &Wiring, train: &Drivetrain<f64>, view: View<'_, f64>) -> Option<String> {
        let assembly = |position: usize| {
            let owners = train.position(position).iter().filter_map(|(k, _)| wiring.coordinates.get(*k));
            owners.map(|owner| &self.parts[owner.part]).find(|named| named.part.properties().axis1.is_some())
        };
        for (i, NamedPart { name, part, .. }) in self.parts.iter().enumerate() {
            let axis = |local: usize| assembly(wiring.positions[i][local]).map(|named| &named.name);
            if part.properties().is_multibody {
                let tied = if part.properties().axis1.is_none() {
                    (0..wiring.positions[i].len()).find_map(axis)
                } else {
                    None
                };
                if let Some(axis) = tied {
                    return Some(format!(
                        "\"{name}\" is tied to the axis of \"{axis}\", whose motion follows from that of the mechanism: put a \
                         spring between them"
                    ));
                }
                continue;
            }
            let wanted = f64::of(&**part).initial_conditions(view, wiring.offsets[i], false);
            let is_start = |wanted: &&InitialCondition<f64>| wanted.initial != InitialValue::ignore;
            for wanted in wanted.iter().filter(is_start) {
                if let Some(axis) = wanted.terms.iter().find_map(|(local, _)| axis(*local)) {
                    return Some(format!(
                        "{name}.{} has a start value, but \"{name}\" moves with the axis of \"{axis}\", whose motion follows from \
                         that of the mechanism: give start values of joints",
                        wanted.name
                    ));
                }
            }
        }
        None
    }

    /// Describes why a part cannot work with its parameters, if there is one.
    pub fn part_problem(&self, view: View<'_, f64>) -> Option<String> {
        let problem = |(NamedPart { name, part, .. }, offsets): (&NamedPart, &Offsets)| {
            Some(format!("{name}.{}", part.problem(view, *offsets)?))
        };
        self.parts.iter().zip(&self.wiring().offsets).find_map(problem)
    }

    /// Describes parameters that are hardly meant.
    pub fn part_warnings(&self, view: View<'_, f64>) -> Vec<String> {
        let warning = |(NamedPart { name, part, .. }, offsets): (&NamedPart, &Offsets)| {
            Some(format!("{name}.{}", part.warning(view, *offsets)?))
        };
        self.parts.iter().zip(&self.wiring().offsets).filter_map(warning).collect()
    }

    /// Describes gears that let nothing move, the last of which has this relation.
    fn locked(&self, relation: usize, position: &str, wiring: &Wiring) -> String {
        let values = GenericValues::new(wiring.size);
        let mut edges = Vec::new();
        for (i, named) in self.parts.iter().enumerate() {
            for Relation { terms, .. } in f64::of(&*named.part).relations(values.view(), wiring.offsets[i]) {
                let ends: Vec<_> = terms.iter().map(|(local, _)| wiring.positions[i][*local]).collect();
                let is_gear = terms.iter().any(|(_, coefficient)| coefficient.abs() != 1.0);
                edges.push((i, ends, is_gear));
            }
        }
        let (last, ends, _) = &edges[relation];
        // The shortest way from one of its ends to another one; each position with the relation that leads to it.
        let mut way = vec![None; wiring.preferences.len()];
        let mut reached = std::collections::VecDeque::from([ends[0]]);
        let mut through = vec![*last];
        'search: while let Some(from) = reached.pop_front() {
            for (number, (_, others, _)) in edges.iter().enumerate().filter(|(number, _)| *number < relation) {
                for to in others.iter().filter(|to| others.contains(&from) && **to != ends[0]) {
                    if way[*to].is_some() {
                        continue;
                    }
                    way[*to] = Some((from, number));
                    reached.push_back(*to);
                    if ends[1..].contains(to) {
                        let mut at = *to;
                        while let Some((before, number)) = way[at] {
                            through.extend(edges[number].2.then_some(edges[number].0));
                            at = before;
                        }
                        break 'search;
                    }
                }
            }
        }
        through.sort_unstable();
        through.dedup();
        let names: Vec<_> = through.iter().map(|i| format!("\"{}\"", self.parts[*i].name)).collect();
        let (tie, leave) = if names.len() == 1 { ("ties", "it") } else { ("tie", "one of them") };
        format!(
            "{} {tie} shafts in a circle whose ratios do not agree, so that \"{position}\" cannot move: make the product of the \
             ratios around the circle 1, put a clutch into it, or leave {leave} out",
            list(&names)
        )
    }

    /// Describes why there are no equations of motion.
    pub fn describe(&self, error: DrivetrainError, wiring: &Wiring) -> String {
        let name = |position: usize| {
            let find = |(i, own): (usize, &Vec<usize>)| {
                let local = own.iter().position(|own| *own == position)?;
                let NamedPart { name, part, .. } = &self.parts[i];
                let flange = part.connectors().into_iter().filter(|(_, kind)| !is_frame(*kind)).nth(local);
                Some(flange.map_or_else(|| name.clone(), |(connector, _)| format!("{name}.{connector}")))
            };
            wiring.positions.iter().enumerate().find_map(find).unwrap_or_default()
        };
        match error {
            DrivetrainError::NoInertia(position) => format!(
                "nothing that moves with \"{}\" has inertia: connect an Inertia to it, or hold it by Fixed or Position",
                name(position)
            ),
            DrivetrainError::OtherCoordinates => {
                "with these ratios other motions are free than with others, as where the ratio of a gear with useSupport is 1, or \
                 planetary gears with the same ratio share all shafts: change a ratio, or leave out a gear that adds nothing"
                    .to_owned()
            }
            DrivetrainError::GearCircle(gears) => {
                let names: Vec<_> = gears.iter().map(|i| format!("\"{}\"", self.parts[*i].name)).collect();
                let tie = if names.len() == 1 { "ties" } else { "tie" };
                format!(
                    "{} {tie} shafts that other gears tie already, so that the torques through them do not follow from the \
                     motion: leave one of these gears out, take an IdealGear, or put a spring or a clutch in between",
                    list(&names)
                )
            }
            DrivetrainError::GearInSpace(gear) => format!(
                "\"{}\" is between two axes of the mechanism in space: a LossyGear must have a shaft on one side that does not \
                 carry the mechanism, such as that of a motor",
                self.parts[gear].name
            ),
            DrivetrainError::Locked(relation, position) => self.locked(relation, &name(position), wiring),
            DrivetrainError::Relation(RelationError::Contradiction(_)) => {
                "lengths of rods contradict each other: between two points all rods must have the same length"
                    .to_owned()
            }
            DrivetrainError::Relation(RelationError::Overdetermined { given: [one, other], .. }) => {
                let is_assembly = |position: &usize| {
                    wiring.owners[*position]
                        .is_some_and(|owner| self.parts[owner.part].part.properties().axis1.is_some())
                };
                if let Some(axis) = [one, other].iter().find(|position| is_assembly(position)) {
                    return format!(
                        "the motion at the axis of \"{}\" follows from that of the mechanism, and cannot be given or tied to \
                         another one: put a spring between, or give the motion of a joint",
                        name(*axis)
                    );
                }
                let [one, other] = [one, other].map(name);
                let what = if one == other {
                    format!("\"{one}\" gives a motion to what gears and shafts hold still")
                } else {
                    format!(
                        "the motions that \"{one}\" and \"{other}\" give contradict each other through gears and shafts"
                    )
                };
                format!("{what}: remove a part that prescribes a motion, or put a spring or a clutch in between")
            }
        }
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
