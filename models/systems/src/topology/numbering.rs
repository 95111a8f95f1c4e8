//! From parts and connections to the numbers of positions, frames and coordinates.

use std::collections::BTreeMap;

use fmu_runtime::model::Flows;
use mechanics::disjoint_sets::DisjointSets;
use mechanics::drivetrain::Preference;

use super::drivetrain::PartScalar;
use super::heat::Heat;
use super::massless_nodes::LinkedPoints;
use super::mechanism::{elements, free_bodies, refuse, tree};
use super::mounted::not_on_a_body;
use super::no_effect::{between_rigid_flanges, between_rigid_frames};
use super::ring_memory::RingMemory;
use super::rings::{cuts, following};
use super::shared::states;
use super::signal_order::plan;
use super::visible_frames::look;
use super::wiring::{NamedPart, Owner, Signals, Wiring, has_position, is_frame};
use super::{GenericValues, Topology};
use crate::MULTIBODY;
use crate::part::{Counter, Properties, View};
use crate::real::Real;

impl Topology {
    /// Numbers connectors, positions, frames and coordinates, and finds what follows from the structure alone.
    pub(super) fn wire(&self) -> Wiring {
        let mut wiring = Wiring::default();
        let mut counter = Counter::NONE;
        for NamedPart { name, part, .. } in &self.parts {
            wiring.offsets.push(counter.0);
            part.declare(name, false, &mut counter);
        }
        wiring.size = counter.0;
        let nodes = self.nodes(&mut wiring);
        self.number_frames(&nodes, &mut wiring);
        let values = GenericValues::new(wiring.size);
        (wiring.world, wiring.free_bodies) = free_bodies(&self.parts, &wiring, values.view());
        if MULTIBODY {
            wiring.points = self.points(&wiring, values.view());
        }
        wiring.cuts = cuts(&self.parts, &nodes, &wiring, values.view());
        self.number_positions(&nodes, &mut wiring, values.view());
        self.list_parts(&mut wiring, values.view());
        if MULTIBODY && self.system.animation {
            wiring.look = look(&self.parts, &wiring, &mut counter.0.passed);
        }
        if MULTIBODY {
            let elements = elements(&self.parts, &wiring, &wiring.positions, values.view());
            wiring.rings = RingMemory::new(&elements, &mut counter.0.passed);
        }
        match self.found_parameters(&wiring, values.view()) {
            Ok(found) => wiring.found = found,
            Err(problem) => wiring.refuse(problem),
        }
        match self.shared.feeds(&self.parts, &wiring.offsets, counter.0.passed) {
            Ok(feeds) => wiring.feeds = feeds,
            Err(problem) => wiring.refuse(problem),
        }
        let links = self.shared.links(&self.parts, &wiring.offsets);
        match links.and_then(|links| plan(&self.parts, &wiring, &links)) {
            Ok(signals) => wiring.signals = signals,
            Err(problem) => wiring.refuse(problem),
        }
        if self.system.steady {
            let Signals { order, sensed, .. } = &wiring.signals;
            let open = order.iter().chain(sensed).map(|stage| stage.part);
            let open = open.filter(|part| self.parts[*part].part.starts_anywhere());
            wiring.signals.resting =
                open.flat_map(|part| states(&self.parts[part], part, wiring.offsets[part].passed.reals)).collect();
        }
        match Heat::new(&self.parts, &nodes, &wiring) {
            Ok(heat) => wiring.heat = heat,
            Err(problem) => wiring.refuse(problem),
        }
        wiring.signals.consumers.resize(self.parts.len(), Vec::new());
        for (part, other) in &wiring.heat.effects {
            wiring.signals.consumers[*part].push(*other);
        }
        wiring.signals.rests_act = self.acts_at_rest(&wiring.signals);
        if self.system.flows == Flows::outflow {
            wiring.outflows = self.flow_outputs().slots;
            let is_inside = |slot: &usize| wiring.heat.losses.iter().any(|(_, place)| place == slot);
            wiring.outflows.retain(|slot| !is_inside(slot));
        }
        wiring.steady = self.system.steady;
        if !wiring.points.is_empty() {
            // With parts for them, the system is numbered again.
            return wiring;
        }
        self.find_mechanism(&mut wiring, values.view());
        self.find_coordinates(&mut wiring, values.view());
        let acts = |part: usize| {
            let mut consumers = wiring.signals.consumers[part].iter();
            consumers.any(|consumer| !self.parts[*consumer].part.properties().is_block)
        };
        let late = wiring.signals.measured.iter().map(|stage| stage.part).find(|part| acts(*part));
        if let Some(part) = late.filter(|_| self.rests(&wiring, values.view())) {
            let name = &self.parts[part].name;
            wiring.refuse(format!(
                "a start at rest cannot be found where \"{name}\" acts on the motion, which follows from accelerations: leave \"steady\" \
                 out, or measure positions or velocities"
            ));
        }
        wiring
    }

    /// True if a state of a block that a start at rest decides acts on the motion, also through other blocks.
    fn acts_at_rest(&self, signals: &Signals) -> bool {
        let mut seen = vec![false; self.parts.len()];
        let mut next: Vec<usize> = signals.resting.iter().map(|state| state.part).collect();
        while let Some(part) = next.pop() {
            if !self.parts[part].part.properties().is_block {
                return true;
            }
            if !std::mem::replace(&mut seen[part], true) {
                next.extend(&signals.consumers[part]);
            }
        }
        false
    }

    /// Returns the node of each connector of each part: connectors that are connected are one node.
    fn nodes(&self, wiring: &mut Wiring) -> Vec<Vec<usize>> {
        let mut connectors = BTreeMap::new();
        for NamedPart { name, part, .. } in &self.parts {
            for (connector, _) in part.connectors() {
                connectors.insert(format!("{name}.{connector}"), connectors.len());
            }
        }
        let mut nodes = DisjointSets::new(connectors.len());
        for NamedPart { name, connections, .. } in &self.parts {
            for (own, to) in connections {
                let from = format!("{name}.{own}");
                match (connectors.get(&from), connectors.get(to)) {
                    (Some(one), Some(other)) => nodes.join(*one, *other),
                    _ => wiring.refuse(format!("{from} = \"{to}\": there is no connector \"{to}\"")),
                }
            }
        }
        let mut all = 0..;
        let of_part = |named: &NamedPart| {
            let own = all.by_ref().take(named.part.connectors().len());
            own.map(|connector| nodes.of(connector)).collect()
        };
        self.parts.iter().map(of_part).collect()
    }

    /// Numbers the frames: those of nodes, and those inside parts.
    fn number_frames(&self, nodes: &[Vec<usize>], wiring: &mut Wiring) {
        let mut numbers = BTreeMap::new();
        for (named, nodes) in self.parts.iter().zip(nodes) {
            let mut count = wiring.frame_count;
            let mut next = || {
                count += 1;
                count - 1
            };
            let connectors = nodes.iter().zip(named.part.connectors()).filter(|(_, (_, kind))| is_frame(*kind));
            let mut frames: Vec<_> =
                connectors.map(|(node, _)| *numbers.entry(*node).or_insert_with(&mut next)).collect();
            frames.extend((0..named.part.properties().inner_frames).map(|_| next()));
            wiring.frame_count = count;
            wiring.frames.push(frames);
        }
    }

    /// Numbers the positions: those of nodes, and those that parts have for themselves.
    fn number_positions(&self, nodes: &[Vec<usize>], wiring: &mut Wiring, view: View<'_, Real>) {
        let mut numbers = BTreeMap::new();
        for (i, (named, nodes)) in self.parts.iter().zip(nodes).enumerate() {
            let mut positions = Vec::new();
            for (node, _) in nodes.iter().zip(named.part.connectors()).filter(|(_, (_, kind))| has_position(*kind)) {
                positions.push(*numbers.entry(*node).or_insert_with(|| {
                    wiring.preferences.push(Preference::Any);
                    wiring.owners.push(None);
                    wiring.owners.len() - 1
                }));
            }
            let own = if wiring.free_bodies[i] { &[Preference::Preferred; 6] } else { named.part.own_positions() };
            let following = following(i, &self.parts, wiring, view);
            for (own, preference) in own.iter().enumerate() {
                let follows = following.contains(&positions.len());
                positions.push(wiring.preferences.len());
                wiring.preferences.push(if follows { Preference::Given } else { *preference });
                wiring.owners.push(Some(Owner { part: i, own }));
            }
            wiring.positions.push(positions);
        }
    }

    /// Lists the parts that an evaluation or an event asks, by what they have.
    fn list_parts(&self, wiring: &mut Wiring, view: View<'_, Real>) {
        for (i, named) in self.parts.iter().enumerate() {
            let properties = named.part.properties();
            if properties.has_friction {
                wiring.friction_pairs.push(i);
            }
            if properties.has_events {
                wiring.eventful.push((i, named.part.indicator_count()));
            }
            wiring.loops += usize::from(properties.axis1.is_some());
            // Only a connector at which a motion is given has memory.
            let is_passive = properties.is_connector && named.part.own_positions().is_empty();
            let remembers = properties.has_memory && !is_passive && !self.shared.gives_motion(named);
            if remembers && !self.bears_loads_only(i, wiring, view) {
                wiring.remembering.push(i);
            }
            if properties.has_loads {
                wiring.loaded.push(i);
            }
            if properties.acts_on_frames {
                wiring.acting.push(i);
            }
            if properties.is_multibody && Real::of(&*named.part).gravity(view, wiring.offsets[i]).is_some() {
                wiring.gravity = Some(i);
            }
        }
    }

    /// Finds the elements of the mechanism, and whether they are a tree.
    fn find_mechanism(&self, wiring: &mut Wiring, view: View<'_, Real>) {
        let elements = elements(&self.parts, wiring, &wiring.positions, view);
        wiring.elements = elements.iter().map(|(part, _)| *part).collect();
        wiring.first_elements =
            (0..self.parts.len()).map(|i| wiring.elements.partition_point(|part| *part < i)).collect();
        if let Some(problem) = self.carried_start(wiring, view) {
            wiring.refuse(problem);
        }
        match tree(wiring.frame_count, elements.clone()) {
            Ok(tree) => wiring.couplings = tree.map_or_else(Vec::new, |tree| tree.couplings()),
            Err(error) => wiring.refuse(refuse(&error, &self.parts, wiring, &elements)),
        }
        if let Some(problem) = between_rigid_frames(&self.parts, wiring, &elements) {
            wiring.refuse(problem);
        }
    }

    /// Finds the coordinates, with the parts whose motion they are.
    fn find_coordinates(&self, wiring: &mut Wiring, view: View<'_, Real>) {
        wiring.given = vec![None; self.parts.len()];
        let train = match self.train(wiring, view) {
            Ok(train) => train,
            Err(problem) => return wiring.refuse(problem),
        };
        if !wiring.massless.is_empty() {
            // With parts for them, the system is numbered again.
            return;
        }
        wiring.coordinates = train.coordinates().iter().filter_map(|position| wiring.owners[*position]).collect();
        wiring.free = train.free();
        let (free, given) = wiring.coordinates.split_at(wiring.free);
        let integrated = given.iter().filter(|owner| self.parts[owner.part].part.is_integrated());
        wiring.moving = free.iter().chain(integrated).map(|owner| owner.part).collect();
        wiring.moving.dedup();
        for (k, owner) in given.iter().enumerate() {
            wiring.given[owner.part] = Some(wiring.free + k);
        }
        let is_massless = |(_, owner): &(usize, &Owner)| {
            let properties = self.parts[owner.part].part.properties();
            properties.is_massless && !properties.is_multibody
        };
        let massless: Vec<_> = given.iter().enumerate().filter(is_massless).map(|(k, _)| wiring.free + k).collect();
        match self.linked(wiring, &train, &massless) {
            Ok(linked) => wiring.linked = linked,
            Err(problem) => return wiring.refuse(problem),
        }
        if MULTIBODY {
            match self.linked_points(wiring) {
                Ok(points) => wiring.linked_points = points,
                Err(problem) => return wiring.refuse(problem),
            }
        }
        let mut relaxes: Vec<_> = self.parts.iter().map(|named| named.part.has_inner_states()).collect();
        wiring.linked_points.iter().flat_map(LinkedPoints::with_lengths).for_each(|line| relaxes[line] = true);
        wiring.moving.iter().for_each(|part| relaxes[*part] = false);
        wiring.relaxing = (0..self.parts.len()).filter(|part| relaxes[*part]).collect();
        if let Some(problem) = self.axis_problem(wiring, &train, view) {
            wiring.refuse(problem);
        }
        if let Some(problem) = between_rigid_flanges(&self.parts, wiring, &train, view) {
            wiring.refuse(problem);
        }
        if let Some(problem) = not_on_a_body(&self.parts, wiring, view) {
            wiring.refuse(problem);
        }
    }

    /// Returns true if the velocity of a flange is given to springs and dampers only, on which its acceleration has no
    /// effect. Then
    /// nothing is to be remembered of it.
    fn bears_loads_only(&self, given: usize, wiring: &Wiring, view: View<'_, Real>) -> bool {
        let flange = wiring.positions[given].first();
        let bears_load = |i: usize| {
            let part = &self.parts[i].part;
            let Properties { has_loads, has_friction, is_multibody, is_connector, .. } = *part.properties();
            let is_load = has_loads && !has_friction && !is_multibody && !is_connector;
            is_load && Real::of(&**part).relations(view, wiring.offsets[i]).is_empty()
        };
        let is_there = |i: &usize| *i != given && flange.is_some_and(|flange| wiring.positions[*i].contains(flange));
        self.parts[given].part.is_integrated() && (0..self.parts.len()).filter(is_there).all(bears_load)
    }
}
