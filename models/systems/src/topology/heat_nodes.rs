//! From connected heat ports to nodes, and to what flows between these.

use std::collections::BTreeMap;

use mechanics::disjoint_sets::DisjointSets;

use super::heat::{Heat, HeatCapacity, HeatFlow, HeatLink, Node, is_heat_port};
use super::shared::real_at;
use super::wiring::{NamedPart, Wiring};
use crate::part::Thermal;

fn given_twice(name: &str) -> String {
    format!(
        "\"{name}\" is connected to a port whose temperature is given already: put a ThermalConductor between them, or leave \
         one out"
    )
}

/// A heat port that is connected.
struct Port {
    part: usize,
    connector: &'static str,
    node: usize,
}

impl Heat {
    /// Finds the nodes of the heat ports; `connectors` has the node of each connector of each part.
    ///
    /// # Errors
    ///
    /// Reports a node whose temperature is given twice, or follows from nothing.
    pub fn new(parts: &[NamedPart], connectors: &[Vec<usize>], wiring: &Wiring) -> Result<Self, String> {
        let mut heat = Self::default();
        let ports = heat.number(parts, connectors);
        let place =
            |part: usize, name: &str| real_at(&parts[part], name).map(|own| wiring.offsets[part].passed.reals + own);
        let mut capacitors = Vec::new();
        for own in ports.chunk_by(|one, other| one.part == other.part) {
            let part = own[0].part;
            let NamedPart { name, part: own_part, .. } = &parts[part];
            let at = |name: &str| place(part, name).expect("a row of a part with heat ports");
            let (node, last) = (own[0].node, own.get(1).map(|port| port.node));
            let port = |name: &str| at(&format!("{}.{name}", own[0].connector));
            let thermal = own_part.properties().thermal;
            match thermal {
                None => {
                    heat.nodes[node].copies.push(port("T"));
                    heat.losses.push((node, port("Q_flow")));
                    heat.lossy.push(part);
                }
                Some(Thermal::Capacitor) => {
                    heat.capacitors.push(HeatCapacity { node, value: at("C"), outputs: [at("der_T"), port("Q_flow")] });
                    capacitors.push((part, node, at("T")));
                }
                Some(Thermal::Temperature) => {
                    if heat.nodes[node].sink.is_some() {
                        return Err(given_twice(name));
                    }
                    heat.nodes[node].sink = Some(port("Q_flow"));
                    heat.nodes[node].copies.push(port("T"));
                    heat.nodes[node].known = Some(at("T"));
                }
                Some(Thermal::Flow) => {
                    heat.nodes[node].copies.push(port("T"));
                    let values = ["Q_flow", "alpha", "T_ref"].map(at);
                    heat.flows.push(HeatFlow { node, values, output: port("Q_flow") });
                }
                Some(Thermal::Conductor | Thermal::Resistor) => {
                    let Some(last) = last else { continue };
                    let value = ["G", "R", "Gc"].into_iter().find_map(|name| place(part, name));
                    heat.links.push(HeatLink {
                        between: [node, last],
                        value: value.expect("one of these"),
                        is_inverse: thermal == Some(Thermal::Resistor),
                        outputs: ["dT", "Q_flow"].map(at),
                    });
                }
            }
        }
        for (part, node, temperature) in capacitors {
            let node = &mut heat.nodes[node];
            match node.known {
                _ if node.sink.is_some() => return Err(given_twice(&parts[part].name)),
                None => {
                    node.known = Some(temperature);
                    heat.states.push(part);
                }
                // Capacities at one node add up.
                Some(_) => node.copies.push(temperature),
            }
        }
        heat.check(parts, &ports)?;
        Ok(heat)
    }

    /// Numbers the nodes of heat ports. Of a part that is not thermal, a port that is not connected is one of the system.
    fn number(&mut self, parts: &[NamedPart], connectors: &[Vec<usize>]) -> Vec<Port> {
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        connectors.iter().flatten().for_each(|node| *sizes.entry(*node).or_default() += 1);
        let (mut numbers, mut ports) = (BTreeMap::new(), Vec::new());
        for (part, (named, nodes)) in parts.iter().zip(connectors).enumerate() {
            let is_thermal = named.part.properties().thermal.is_some();
            for (node, (connector, kind)) in nodes.iter().zip(named.part.connectors()) {
                if !is_heat_port(kind) || !(is_thermal || sizes[node] > 1) {
                    continue;
                }
                let number = *numbers.entry(*node).or_insert_with(|| {
                    let name = format!("{}.{connector}", named.name);
                    let node = Node { name, known: None, number: 0, copies: Vec::new(), sink: None };
                    self.nodes.push(node);
                    self.nodes.len() - 1
                });
                ports.push(Port { part, connector, node: number });
            }
        }
        ports
    }

    /// Checks that each node has a temperature, or exchanges heat with one that has, and numbers those that follow.
    fn check(&mut self, parts: &[NamedPart], ports: &[Port]) -> Result<(), String> {
        let mut sets = DisjointSets::new(self.nodes.len());
        self.links.iter().for_each(|link| sets.join(link.between[0], link.between[1]));
        let mut is_known = vec![false; self.nodes.len()];
        for (i, node) in self.nodes.iter_mut().enumerate() {
            is_known[sets.of(i)] |= node.known.is_some();
            if node.known.is_none() {
                node.number = self.unknown;
                self.unknown += 1;
            }
        }
        if let Some((_, node)) = self.nodes.iter().enumerate().find(|(i, _)| !is_known[sets.of(*i)]) {
            return Err(format!(
                "nothing to which heat can flow from \"{}\" has a heat capacity or a given temperature: connect a HeatCapacitor, \
                 or a Convection to a FixedTemperature",
                node.name
            ));
        }
        let uses = |port: &&Port| parts[port.part].part.uses_temperature() && self.nodes[port.node].known.is_none();
        if let Some(port) = ports.iter().find(uses) {
            return Err(format!(
                "the load of \"{}\" depends on the temperature at its heatPort, which follows from its losses at once: connect \
                 a HeatCapacitor there",
                parts[port.part].name
            ));
        }
        // What heats a node may change all temperatures that it reaches, and what depends on these: pairs in a circle stand for
        // all pairs, since effects are followed further.
        let mut reached: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let follows =
            |part: usize| parts[part].part.properties().thermal.is_some() || parts[part].part.uses_temperature();
        for port in ports.iter().filter(|port| follows(port.part)) {
            reached.entry(sets.of(port.node)).or_default().push(port.part);
        }
        // A conductor has two ports in a row, and is named once.
        reached.values_mut().for_each(Vec::dedup);
        for followers in reached.values().filter(|followers| followers.len() > 1) {
            let next = followers.iter().cycle().skip(1);
            self.effects.extend(followers.iter().copied().zip(next.copied()));
        }
        for port in ports.iter().filter(|port| !follows(port.part)) {
            self.effects.extend(reached.get(&sets.of(port.node)).map(|followers| (port.part, followers[0])));
        }
        Ok(())
    }
}
