//! Event indicators, and what happens at an event.

use fmu_runtime::{Event, ModelError, Number};
use mechanics::constant;
use mechanics::friction::{INDICATORS, LawBranch, Mode};

use super::{Buffers, System, join};
use crate::MULTIBODY;
use crate::part::{Arrays, Compliant, FrictionEvent, View};
use crate::topology::drivetrain::PartScalar;

/// Fraction by which static friction is exceeded where an event is located: more than the rounding of the solution
/// there.
const EXCESS: f64 = 1e-10;

/// That fraction where there are gears with losses, in whose solution more is rounding.
const EXCESS_WITH_GEARS: f64 = 1e-8;

impl<T: PartScalar> System<'_, T> {
    /// Evaluates the event indicators: four for each friction element, then those of parts, then one for each ring and
    /// for each loop.
    pub fn indicators(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) -> Result<(), ModelError> {
        if self.is_passing(view, buffers) {
            indicators.fill(T::one());
            return Ok(());
        }
        let moved = if buffers.pairs.is_empty() {
            // Indicators of parts need no accelerations.
            self.move_to(view, buffers)
        } else {
            self.move_and_accelerate(view, buffers)
        };
        if moved.is_err() && !self.prepared.assemblies.is_empty() {
            // Where an event is located, a loop may be beyond its dead centre.
            indicators.fill(-T::one());
            return Ok(());
        }
        moved?;
        self.indicators_here(view, buffers, indicators);
        Ok(())
    }

    pub(super) fn indicators_here(&self, view: View<'_, T>, buffers: &mut Buffers<T>, indicators: &mut [T]) {
        let (indicators, of_loops) = indicators.split_at_mut(indicators.len() - self.prepared.assemblies.len());
        self.loop_indicators(buffers, of_loops);
        let (indicators, of_rings) = indicators.split_at_mut(indicators.len() - self.wiring.rings.parts.len());
        if MULTIBODY {
            self.ring_indicators(view, buffers, of_rings);
        }
        let (of_pairs, mut rest) = indicators.split_at_mut(INDICATORS * buffers.pairs.len());
        let excess = constant::<T>(1.0 + if self.prepared.gears.is_empty() { EXCESS } else { EXCESS_WITH_GEARS });
        for (i, count) in &self.wiring.eventful {
            let own;
            (own, rest) = rest.split_at_mut(*count);
            let at = self.event_point(*i, buffers);
            T::of(&*self.parts[*i].part).indicators(view, self.wiring.offsets[*i], &at, own);
        }
        for (k, indicators) in of_pairs.chunks_exact_mut(INDICATORS).enumerate() {
            let Some(pair) = buffers.pairs[k] else { continue };
            let [first, second] = self.prepared.between[k];
            // The rest that rounding leaves of a relative velocity after an event is not a velocity.
            let rest = pair.branch.mode.direction().unwrap_or_default() * self.rounding(k, &buffers.q[1]);
            let w = buffers.x[1][second] - buffers.x[1][first] + constant::<T>(rest);
            if pair.is_gear {
                self.indicate_gear(k, &pair, w, buffers, indicators);
                continue;
            }
            let is_stuck = pair.branch.mode == Mode::Stuck;
            let tau = if is_stuck { self.needed(k, buffers) / excess } else { T::zero() };
            indicators.copy_from_slice(&self.law(k, &pair).indicators(pair.branch, w, pair.n, tau));
            self.indicate_blocked(k, &pair, tau, buffers, indicators);
        }
    }

    /// Finds the modes of all friction elements, without knowledge of their previous modes.
    pub fn find_modes(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        for i in &self.wiring.friction_pairs {
            let branch = LawBranch { mode: Mode::Free, breaks: false };
            let time = constant(self.time.value());
            let found = FrictionEvent { branch, blocked: None, impact_loss: T::zero(), time };
            T::of(&*self.parts[*i].part).set_branch(arrays, self.wiring.offsets[*i], &found);
        }
        self.event(arrays, buffers)?;
        Ok(())
    }

    /// Handles an event: finds the branches of parts with events, and the mode of each friction element.
    pub fn event(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<Event, ModelError> {
        buffers.massless.at_event = !self.prepared.massless.is_empty();
        let event = self.choose_modes(arrays, buffers);
        buffers.massless.at_event = false;
        let event = event?;
        let event = self.measured_events(arrays, buffers, event)?;
        if self.has_rings() {
            self.pass_singular_positions(arrays, buffers)?;
        }
        Ok(event)
    }

    /// Handles an event but for blocks that follow from accelerations.
    fn choose_modes(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<Event, ModelError> {
        let mut of_blocks = self.block_events(arrays, buffers)?;
        let loops = self.pass_dead_centres(arrays, buffers)?;
        join(&mut of_blocks, loops.event);
        if loops.passes {
            return Ok(Event { states_changed: loops.event.states_changed, ..of_blocks });
        }
        if buffers.pairs.is_empty() {
            if self.wiring.eventful.is_empty() {
                return Ok(of_blocks);
            }
            self.move_to(arrays.view(), buffers)?;
            return self.choose_branches(arrays, buffers, of_blocks);
        }
        self.forward_kinematics(arrays.view(), buffers)?;
        self.read_pairs(arrays.view(), buffers);
        self.find_zero_crossing_elements(arrays.view(), buffers)?;
        let mut has_stopped = self.hit(arrays, buffers)?;
        // Elements that stop may bring others to rest.
        buffers.rests.fill(false);
        for _ in 0..=buffers.pairs.len() {
            if !self.find_at_rest(buffers) {
                break;
            }
            has_stopped |= self.stick_at_standstill(arrays, buffers)?;
        }
        let event = self.choose_branches(arrays, buffers, of_blocks)?;
        if self.wiring.eventful.iter().any(|(i, _)| self.parts[*i].part.properties().acts_on_frames) {
            self.forward_kinematics(arrays.view(), buffers)?;
        }
        self.break_away(arrays.view(), buffers)?;
        let Buffers { pairs, impact_loss, .. } = &*buffers;
        for ((pair, impact_loss), i) in pairs.iter().zip(impact_loss).zip(&self.wiring.friction_pairs) {
            if let Some(pair) = pair {
                let time = constant(self.time.value());
                // What has left a stop can move both ways.
                let at_stop = pair.blocked.filter(|_| pair.stops.is_none() || pair.branch.mode == Mode::Stuck);
                let found = FrictionEvent { branch: pair.branch, blocked: at_stop, impact_loss: *impact_loss, time };
                T::of(&*self.parts[*i].part).set_branch(arrays, self.wiring.offsets[*i], &found);
            }
        }
        Ok(Event { states_changed: has_stopped, ..event })
    }

    /// Lets loads that only jump choose their values, where flanges without inertia follow from these.
    pub(super) fn choose_constant_loads(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &Buffers<T>,
    ) -> Result<(), ModelError> {
        let is_constant = |i: usize| self.parts[i].part.properties().compliant == Some(Compliant::Constant);
        for (i, _) in self.wiring.eventful.iter().filter(|(i, _)| is_constant(*i)) {
            let part = T::of(&*self.parts[*i].part);
            part.event(arrays, self.wiring.offsets[*i], &self.event_point(*i, buffers), &mut Event::default())?;
        }
        Ok(())
    }

    /// Lets the parts with events that are no blocks choose their branches; adds when the next time event is due.
    fn choose_branches(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &Buffers<T>,
        mut all: Event,
    ) -> Result<Event, ModelError> {
        for (i, _) in &self.wiring.eventful {
            if self.parts[*i].part.properties().is_block {
                continue;
            }
            let (part, mut event) = (T::of(&*self.parts[*i].part), Event::default());
            let chosen = part.event(arrays, self.wiring.offsets[*i], &self.event_point(*i, buffers), &mut event);
            // At random points, nothing need fit.
            if let (Err(error), false) = (chosen, buffers.at_random) {
                let (name, time) = (&self.parts[*i].name, Number(self.time.value()));
                return Err(ModelError::singular(format!("\"{name}\": {error}, at {time} s")));
            }
            join(&mut all, event);
        }
        Ok(all)
    }
}
