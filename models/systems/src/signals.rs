//! Signals: in which order blocks are evaluated, and where their outputs go.
//!
//! Most signals follow from time and states, so they are known before anything moves. Those that blocks with flanges measure
//! follow from positions and velocities, or later from accelerations, and what follows from these comes after them. A state is
//! known before its derivative: blocks whose inputs come late, or from themselves, give it first, and are evaluated again where
//! their inputs are known.

use fmu_runtime::{Event, ModelError, Number};

use crate::drivetrain::PartScalar;
use crate::equations::{Buffers, System, join};
use crate::part::{Arrays, EventPoint, Kinematics, View};
use crate::shared::{Link, MAX_DERIVATIVES, inputs};
use crate::wiring::{NamedPart, SharedInputs, Signals, Stage, Wiring};

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
    Ok(Signals { first, order, sensed, measured, consumers, has_sources })
}

/// What must be known before a signal.
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
            block.level = match parts[*part].part.properties().needs_accelerations {
                true => Level::Accelerations,
                false if wiring.positions[*part].is_empty() => Level::Time,
                false => Level::Motion,
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

impl<T: PartScalar> System<'_, T> {
    /// The values with those of inputs that the system's inputs give, or signals before the motion.
    pub fn fed<'a>(&self, mut arrays: Arrays<'a, T>) -> Arrays<'a, T> {
        self.wiring.feeds.copy(&mut arrays);
        let Signals { first, order, .. } = &self.wiring.signals;
        first.iter().chain(order).for_each(|stage| self.update(stage, &mut arrays, None));
        arrays
    }

    /// Evaluates the blocks whose signals follow from positions and velocities, such as sensors, after those before the motion.
    ///
    /// # Errors
    ///
    /// Reports positions that are not possible.
    pub fn sense(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let sensed = &self.wiring.signals.sensed;
        if sensed.is_empty() {
            return Ok(());
        }
        self.move_to(arrays.view(), buffers)?;
        sensed.iter().for_each(|stage| self.update(stage, arrays, Some(buffers)));
        Ok(())
    }

    /// Evaluates the blocks whose signals follow from accelerations, which must be known.
    ///
    /// # Errors
    ///
    /// Reports positions that are not possible.
    pub fn measure(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let measured = &self.wiring.signals.measured;
        if !measured.is_empty() {
            self.complete_motion(buffers)?;
            measured.iter().for_each(|stage| self.update(stage, arrays, Some(buffers)));
        }
        Ok(())
    }

    /// Sets the states of blocks at the start: before the motion is known, then those that follow from it.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn begin_blocks(&self, arrays: &mut Arrays<'_, T>, buffers: Option<&Buffers<T>>) -> Result<(), ModelError> {
        let Signals { first, order, sensed, .. } = &self.wiring.signals;
        let [early, stages] = if buffers.is_none() { [&first[..], order] } else { [&[], &sensed[..]] };
        early.iter().chain(stages).try_for_each(|stage| self.begin_block(stage, arrays, buffers))
    }

    /// Sets the states of blocks that follow from accelerations at the start, where everything else is known.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn begin_measured(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let measured = &self.wiring.signals.measured;
        if measured.is_empty() {
            return Ok(());
        }
        self.find_accelerations_and_loads(arrays.view(), buffers)?;
        measured.iter().try_for_each(|stage| self.begin_block(stage, arrays, Some(buffers)))?;
        // What they give to others may have changed.
        self.event(arrays, buffers)?;
        Ok(())
    }

    fn begin_block(
        &self,
        stage: &Stage,
        arrays: &mut Arrays<'_, T>,
        buffers: Option<&Buffers<T>>,
    ) -> Result<(), ModelError> {
        let at = self.signal_point(stage.part, buffers);
        T::of(&*self.parts[stage.part].part).begin_block(arrays, self.wiring.offsets[stage.part], &at);
        self.event_of_block(stage, arrays, buffers)?;
        self.update(stage, arrays, buffers);
        Ok(())
    }

    /// Computes all accelerations, and the loads between flanges.
    fn find_accelerations_and_loads(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.forward_kinematics(view, buffers)?;
        self.accelerate(view, buffers)?;
        self.complete_motion(buffers)
    }

    /// Lets the blocks choose their branches at an event, each behind those that give its inputs; returns when the next time
    /// event is due.
    ///
    /// # Errors
    ///
    /// Reports inputs that a block refuses, and positions that are not possible.
    pub fn block_events(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<Event, ModelError> {
        let Signals { first, order, sensed, .. } = &self.wiring.signals;
        first.iter().for_each(|stage| self.update(stage, arrays, None));
        let mut all = Event::default();
        for stage in order {
            join(&mut all, self.event_of_block(stage, arrays, None)?);
            self.update(stage, arrays, None);
        }
        if !sensed.is_empty() && !self.is_passing(arrays.view(), buffers) {
            self.move_to(arrays.view(), buffers)?;
            for stage in sensed {
                join(&mut all, self.event_of_block(stage, arrays, Some(buffers))?);
                self.update(stage, arrays, Some(buffers));
            }
        }
        Ok(all)
    }

    /// Lets the blocks that follow from accelerations choose their branches, where friction has its modes; adds to what the event
    /// has done.
    ///
    /// # Errors
    ///
    /// As for [`block_events`](Self::block_events).
    pub fn measured_events(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        mut all: Event,
    ) -> Result<Event, ModelError> {
        let measured = &self.wiring.signals.measured;
        if measured.is_empty() || self.is_passing(arrays.view(), buffers) {
            return Ok(all);
        }
        let before = arrays.booleans.to_vec();
        self.find_accelerations_and_loads(arrays.view(), buffers)?;
        for stage in measured {
            join(&mut all, self.event_of_block(stage, arrays, Some(buffers))?);
            self.update(stage, arrays, Some(buffers));
        }
        // A comparison may have changed what others act on.
        all.again |= *arrays.booleans != *before;
        Ok(all)
    }

    fn event_of_block(
        &self,
        stage: &Stage,
        arrays: &mut Arrays<'_, T>,
        buffers: Option<&Buffers<T>>,
    ) -> Result<Event, ModelError> {
        let (NamedPart { name, part, .. }, mut event) = (&self.parts[stage.part], Event::default());
        if part.properties().has_events {
            let at = self.signal_point(stage.part, buffers);
            let chosen = T::of(&**part).event(arrays, self.wiring.offsets[stage.part], &at, &mut event);
            let time = Number(self.time.value());
            chosen.map_err(|error| ModelError::singular(format!("\"{name}\": {error}, at {time} s")))?;
        }
        Ok(event)
    }

    /// Where a block is; without buffers, before the motion.
    fn signal_point<'b>(&'b self, part: usize, buffers: Option<&'b Buffers<T>>) -> EventPoint<'b, T> {
        match buffers {
            Some(buffers) => self.event_point(part, buffers),
            None => {
                let motion = Kinematics::new([&[]; 3], &[]);
                EventPoint { time: self.time, data: &*self.data[part], motion, reaction: T::zero(), space: None }
            }
        }
    }

    fn update(&self, stage: &Stage, arrays: &mut Arrays<'_, T>, buffers: Option<&Buffers<T>>) {
        let at = self.signal_point(stage.part, buffers);
        T::of(&*self.parts[stage.part].part).update(arrays, self.wiring.offsets[stage.part], &at);
        stage.feeds.copy(arrays);
    }
}
