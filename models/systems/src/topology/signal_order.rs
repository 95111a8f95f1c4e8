//! Signals: in which order blocks are evaluated, and where their outputs go.
//!
//! Most signals follow from time and states, so they are known before anything moves. Those that blocks with flanges measure
//! follow from the motion, and what follows from these comes after them. A state is known before its derivative: blocks whose
//! inputs come late, or from themselves, give it first, and are evaluated again where their inputs are known.

use crate::topology::shared::{Link, MAX_DERIVATIVES, inputs};
use crate::topology::wiring::{NamedPart, SharedInputs, Signals, Stage, Wiring};

/// How blocks are evaluated, with these connections.
///
/// # Errors
///
/// Reports signals in a circle, and those that come too late or without the derivatives that are needed.
pub fn plan(parts: &[NamedPart], wiring: &Wiring, links: &[Link]) -> Result<Signals, String> {
    if !parts.iter().any(|named| named.part.properties().is_block) {
        return Ok(Signals::default());
    }
    let plan = Plan::new(parts, wiring, links)?;
    plan.check(parts, links)?;
    let mut consumers = vec![Vec::new(); parts.len()];
    links.iter().for_each(|link| consumers[link.from].push(link.to));
    let stage = |part: &usize| {
        let mut feeds = SharedInputs::default();
        links.iter().filter(|link| link.from == *part).for_each(|link| link.add_to(&mut feeds));
        Stage { part: *part, feeds }
    };
    let stages = |is_sensed: bool| {
        let of_level = plan.order.iter().filter(|part| plan.blocks[**part].is_sensed == is_sensed);
        of_level.map(stage).collect()
    };
    let first = plan.order.iter().filter(|part| plan.blocks[**part].is_first).map(stage).collect();
    // A block with events and without inputs changes with time by itself.
    let is_source = |part: &usize| parts[*part].part.properties().has_events && inputs(&parts[*part]).next().is_none();
    let has_sources = plan.order.iter().any(is_source);
    Ok(Signals { first, order: stages(false), sensed: stages(true), consumers, has_sources })
}

/// Place of a block in the order of evaluation, as far as it is known.
#[derive(Clone, Default)]
struct Planned {
    /// How many of the blocks that give its inputs are not in the order yet.
    waits_for: usize,
    /// True if the block is evaluated after the motion.
    is_sensed: bool,
    /// True if the outputs are needed before the inputs are known.
    is_first: bool,
    /// True if the outputs are needed for the block's own inputs.
    is_in_circle: bool,
    /// How many derivatives in time of its outputs are known.
    derivatives: usize,
}

struct Plan {
    order: Vec<usize>,
    blocks: Vec<Planned>,
}

impl Plan {
    fn new(parts: &[NamedPart], wiring: &Wiring, links: &[Link]) -> Result<Self, String> {
        let is_block = |part: usize| parts[part].part.properties().is_block;
        let between: Vec<_> = links.iter().filter(|link| is_block(link.to)).collect();
        let mut plan = Self { order: Vec::new(), blocks: vec![Planned::default(); parts.len()] };
        let mut open: Vec<usize> = (0..parts.len()).filter(|part| is_block(*part)).collect();
        for part in &open {
            let from: Vec<_> = between.iter().filter(|link| link.to == *part).collect();
            let block = &mut plan.blocks[*part];
            block.waits_for = from.len();
            block.is_sensed = !wiring.positions[*part].is_empty();
            // The rates of an input of the FMU are not known.
            let has_others = inputs(&parts[*part]).count() > from.len();
            block.derivatives = if has_others || block.is_sensed { 0 } else { MAX_DERIVATIVES };
        }
        while !open.is_empty() {
            let Some(next) = open.iter().position(|part| plan.blocks[*part].waits_for == 0) else {
                let circle = plan.circle(&open, &between);
                let is_state =
                    |link: &&Link| parts[link.from].part.integrations() > 0 && !plan.blocks[link.from].is_first;
                let Some(state) = circle.iter().copied().find(is_state) else {
                    return Err(describe_circle(parts, &circle));
                };
                let block = &mut plan.blocks[state.from];
                (block.is_first, block.is_in_circle, block.derivatives) = (true, true, 0);
                plan.pass_on(state.from, &between);
                continue;
            };
            let part = open.remove(next);
            plan.order.push(part);
            let integrations = parts[part].part.integrations();
            let block = &mut plan.blocks[part];
            if !block.is_first {
                block.derivatives = MAX_DERIVATIVES.min(block.derivatives + integrations);
                block.is_first = block.is_sensed && integrations > 0;
                if block.is_first {
                    block.derivatives = 0;
                }
                plan.pass_on(part, &between);
            }
        }
        Ok(plan)
    }

    /// Lets those know that wait for a block.
    fn pass_on(&mut self, part: usize, between: &[&Link]) {
        let Planned { is_sensed, is_first, derivatives, .. } = self.blocks[part];
        for link in between.iter().filter(|link| link.from == part) {
            let block = &mut self.blocks[link.to];
            block.waits_for -= 1;
            block.is_sensed |= is_sensed && !is_first;
            block.derivatives = block.derivatives.min(derivatives);
        }
    }

    /// Connections between blocks that wait for each other.
    fn circle<'a>(&self, open: &[usize], between: &[&'a Link]) -> Vec<&'a Link> {
        let before = |part: usize| {
            let waits =
                |link: &&&Link| link.to == part && open.contains(&link.from) && !self.blocks[link.from].is_first;
            between.iter().find(waits).copied()
        };
        let mut way: Vec<&Link> = Vec::new();
        let mut part = open[0];
        while let Some(link) = before(part) {
            way.push(link);
            part = link.from;
            if let Some(begin) = way.iter().position(|link| link.to == part) {
                way.drain(..begin);
                break;
            }
        }
        way.reverse();
        way
    }

    /// Refuses signals that come too late, or without the derivatives that are needed.
    fn check(&self, parts: &[NamedPart], links: &[Link]) -> Result<(), String> {
        for part in &self.order {
            let NamedPart { name, part: block, .. } = &parts[*part];
            if block.starts_steady() && self.blocks[*part].is_in_circle {
                return Err(format!(
                    "{name}.initType = \"SteadyState\" needs the input of \"{name}\" at the start, but that follows from its output: \
                     use InitialOutput or InitialState"
                ));
            }
        }
        for link in links.iter().filter(|link| link.rates > 0) {
            let block = &self.blocks[link.from];
            let reason = if block.is_sensed && !block.is_first {
                "the signal follows from the motion of the system, but a given motion must be known before: use a torque or a \
                 force"
                    .to_owned()
            } else if block.derivatives < link.rates {
                let order = if link.rates == 1 { "its derivative" } else { "its first two derivatives" };
                format!(
                    "a given motion needs the signal with {order} in time, which blocks do not know of inputs of the FMU, and of \
                     states in a circle: let sources and blocks without inputs of the FMU give it"
                )
            } else {
                continue;
            };
            return Err(format!("{}: {reason}", link.text(parts)));
        }
        Ok(())
    }
}

fn describe_circle(parts: &[NamedPart], circle: &[&Link]) -> String {
    let names = circle.iter().map(|link| parts[link.from].name.as_str());
    let way: Vec<_> = names.chain(circle.first().map(|link| parts[link.from].name.as_str())).collect();
    format!(
        "{}: the signals {} go round in a circle in which each follows from the others at once: put a block with a state into it, such \
         as a FirstOrder, or leave a connection out",
        circle.last().map_or_else(String::new, |link| link.text(parts)),
        way.join(" -> ")
    )
}
