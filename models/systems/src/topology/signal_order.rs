//! Signals: in which order blocks are evaluated, and where their outputs go.
//!
//! Most signals follow from time and states, so they are known before anything moves. Those that blocks with flanges measure
//! follow from positions and velocities, or later from accelerations, and what follows from these comes after them. A state is
//! known before its derivative: blocks whose inputs come late, or from themselves, give it first, and are evaluated again where
//! their inputs are known.

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
    let stages = |level: Level| {
        let of_level = plan.order.iter().filter(|part| plan.blocks[**part].level == level);
        of_level.map(stage).collect()
    };
    let first = plan.order.iter().filter(|part| plan.blocks[**part].is_first).map(stage).collect();
    // A block with events and without inputs changes with time by itself.
    let is_source = |part: &usize| parts[*part].part.properties().has_events && inputs(&parts[*part]).next().is_none();
    let has_sources = plan.order.iter().any(is_source);
    let [order, sensed, measured] = [Level::Time, Level::Motion, Level::Accelerations].map(stages);
    Ok(Signals { first, order, sensed, measured, consumers, has_sources, resting: Vec::new(), rests_act: false })
}

/// Values that must be known before a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Time and states.
    #[default]
    Time,
    /// Positions and velocities.
    Motion,
    /// Accelerations.
    Accelerations,
}

/// Place of a block in the order of evaluation, as far as it is known.
#[derive(Clone, Default)]
struct Planned {
    /// How many of the blocks that give its inputs are not in the order yet.
    waits_for: usize,
    /// After what the block is evaluated.
    level: Level,
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
            block.level = if parts[*part].part.needs_accelerations() {
                Level::Accelerations
            } else if wiring.positions[*part].is_empty() && wiring.frames[*part].is_empty() {
                Level::Time
            } else {
                Level::Motion
            };
            // The rates of an input of the FMU are not known.
            let has_others = inputs(&parts[*part]).count() > from.len();
            block.derivatives = if has_others || block.level > Level::Time { 0 } else { MAX_DERIVATIVES };
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
                let is_known = block.level == Level::Accelerations && parts[part].part.is_discrete();
                block.is_first = is_known || block.level > Level::Time && integrations > 0;
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
        let Planned { level, is_first, derivatives, .. } = self.blocks[part];
        for link in between.iter().filter(|link| link.from == part) {
            let block = &mut self.blocks[link.to];
            block.waits_for -= 1;
            if !is_first {
                block.level = block.level.max(level);
            }
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
        let acts = |part: usize| links.iter().any(|link| link.from == part);
        for part in &self.order {
            let NamedPart { name, part: block, .. } = &parts[*part];
            let Planned { level, is_in_circle, .. } = self.blocks[*part];
            let is_late = level == Level::Accelerations && acts(*part);
            if let Some(option) = block.starts_steady().filter(|_| is_in_circle || is_late) {
                return Err(format!(
                    "{name}.{option} needs the input of \"{name}\" at the start, but that follows from its output: use InitialState"
                ));
            }
        }
        for link in links {
            let block = &self.blocks[link.from];
            let is_late = block.level == Level::Accelerations && !block.is_first;
            if is_late && !parts[link.to].part.properties().is_block {
                return Err(self.describe_way(parts, links, link));
            }
        }
        for link in links.iter().filter(|link| link.rates > 0) {
            let block = &self.blocks[link.from];
            let reason = if block.level > Level::Time && !block.is_first {
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

    /// Describes the way from a sensor to a part whose load changes what is measured.
    fn describe_way(&self, parts: &[NamedPart], links: &[Link], last: &Link) -> String {
        let mut way = vec![last.to, last.from];
        let is_late = |link: &&Link| {
            let block = &self.blocks[link.from];
            block.level == Level::Accelerations && !block.is_first
        };
        while let Some(before) = links.iter().filter(is_late).find(|link| way.last() == Some(&link.to)) {
            way.push(before.from);
        }
        let names: Vec<_> = way.iter().rev().map(|part| parts[*part].name.as_str()).collect();
        format!(
            "{}: the signals {} go round in a circle, since what \"{}\" measures follows from accelerations, which \"{}\" changes at \
             once: put a block with a state into it, such as a FirstOrder, or measure positions or velocities",
            last.text(parts),
            names.join(" -> "),
            names[0],
            names[names.len() - 1]
        )
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
