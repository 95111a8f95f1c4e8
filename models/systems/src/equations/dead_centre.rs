//! Dead centres of loops, where the two configurations of an assembly meet.
//!
//! There the equations of the loop are singular: its coordinate follows from a root that vanishes. An event indicator for each
//! loop finds where it comes near ([`Clearance`]). If its speed takes it through, the motion beyond is unique, since
//! velocities are continuous: the loop goes on in its other configuration. The singular point itself is bridged. From a
//! distance of 2e-4 before it, the derivatives of all states keep their values for the time that the passage takes, which
//! a time event ends; so the error of velocities is of the order of 1e-8. Where the loop is about to turn back, time events
//! look again nearer to the dead centre. Otherwise the run ends there; also where joints that are coordinates turn back,
//! since they do not determine the motion of the loop.

use fmu_runtime::{Diagnostics, Event, ModelError, Number};
use mechanics::assembly::{Clearance, Outlook, Singular};
use mechanics::constant;
use mechanics::tree::PositionError;

use super::join;
use crate::MULTIBODY;
use crate::equations::{Buffers, System};
use crate::part::{Arrays, Passage, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::SpaceBuffers;

/// Fraction of its length by which a passage ends early, since importers round times.
const ROUNDING: f64 = 1e-3;
/// Factor by which the distance behind a dead centre may differ from that of a constant speed.
const ASYMMETRY: f64 = 2.0;

/// Behaviour at an event of loops near their dead centres.
#[derive(Clone, Copy, Default)]
pub struct NearDeadCentre {
    /// True if a loop passes, during which there is no other event.
    pub passes: bool,
    /// The next time event.
    pub event: Event,
}

impl NearDeadCentre {
    fn until(passes: bool, next_time: f64) -> Self {
        Self { passes, event: Event { next_time: Some(next_time), ..Event::default() } }
    }
}

impl<T: PartScalar> System<'_, T> {
    /// True if a loop is passing its dead centre: until it has, nothing is computed anew. At random points none is.
    pub fn is_passing(&self, view: View<'_, T>, buffers: &Buffers<T>) -> bool {
        let is_passing = |i: usize| matches!(self.passage(i, view), Passage::Passes { .. });
        let is_at_random = || buffers.space.as_ref().is_none_or(|space| space.workspace.stretches);
        (0..self.loops()).any(is_passing) && !is_at_random()
    }

    /// Returns the number of assemblies.
    fn loops(&self) -> usize {
        if MULTIBODY { self.prepared.assemblies.len() } else { 0 }
    }

    fn passage(&self, i: usize, view: View<'_, T>) -> Passage {
        let part = self.prepared.assemblies[i].0;
        T::of(&*self.parts[part].part).passage(view, self.wiring.offsets[part])
    }

    fn set_passage(&self, i: usize, arrays: &mut Arrays<'_, T>, passage: Passage) {
        let part = self.prepared.assemblies[i].0;
        T::of(&*self.parts[part].part).set_passage(arrays, self.wiring.offsets[part], passage);
    }

    fn clearance(&self, i: usize, buffers: &Buffers<T>) -> Option<Clearance<T>> {
        let space = buffers.space.as_ref().filter(|_| MULTIBODY);
        space.map(|SpaceBuffers { workspace, .. }| workspace.clearance(i))
    }

    /// Evaluates the event indicators of loops, at positions and velocities that are known.
    pub fn loop_indicators(&self, buffers: &Buffers<T>, indicators: &mut [T]) {
        for (i, indicator) in indicators.iter_mut().enumerate() {
            if let Some(clearance) = self.clearance(i, buffers) {
                *indicator = clearance.indicator();
            }
        }
    }

    /// Returns the time in s after which a loop can have passed its dead centre, or a ring two singular positions, unseen by its
    /// indicator.
    pub fn step_limit(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> f64 {
        let of_rings = if self.has_rings() { self.ring_step_limit(view) } else { f64::INFINITY };
        let count = self.loops();
        if count == 0 || self.is_passing(view, buffers) || self.move_to(view, buffers).is_err() {
            return of_rings;
        }
        let limit = |i: usize| Some(self.clearance(i, buffers)?.time_beyond(!self.has_other(i, buffers)));
        (0..count).filter_map(limit).fold(of_rings, f64::min)
    }

    /// Takes loops through their dead centres.
    ///
    /// # Errors
    ///
    /// Returns the error of a loop that cannot be followed beyond its dead centre.
    pub fn pass_dead_centres(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<NearDeadCentre, ModelError> {
        if self.loops() == 0 {
            return Ok(NearDeadCentre::default());
        }
        let time = self.time.value();
        // Nothing is allocated where no loop passes.
        let mut passed = Vec::new();
        for i in 0..self.loops() {
            let Passage::Passes { centre, until } = self.passage(i, arrays.view()) else { continue };
            if time < until - ROUNDING * (until - centre) {
                return Ok(NearDeadCentre::until(true, until));
            }
            passed.push((i, time - centre));
            self.set_passage(i, arrays, Passage::Passed { centre });
        }
        self.move_to(arrays.view(), buffers)?;
        let mut is_any_near = false;
        for i in 0..self.loops() {
            let Some(clearance) = self.clearance(i, buffers) else { continue };
            let since = passed.iter().find(|(passed, _)| *passed == i);
            if since.is_some_and(|(_, since)| !clearance.is_behind(*since, ASYMMETRY)) {
                return Err(self.dead_centre(i, buffers, 0.0));
            }
            is_any_near |= clearance.is_near();
        }
        if is_any_near { self.begin_passages(arrays, buffers, &passed) } else { Ok(NearDeadCentre::default()) }
    }

    /// Predicts the passages of loops that are near their dead centres.
    #[cold]
    fn begin_passages(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        passed: &[(usize, f64)],
    ) -> Result<NearDeadCentre, ModelError> {
        // This includes the accelerations, and the outputs that are kept.
        self.evaluate(arrays, buffers)?;
        let time = self.time.value();
        let (mut passages, mut found) = (Vec::new(), NearDeadCentre::default());
        for i in 0..self.loops() {
            let Some(clearance) = self.clearance(i, buffers).filter(Clearance::is_near) else { continue };
            let has_passed = passed.iter().any(|(passed, _)| *passed == i);
            match clearance.outlook(has_passed, !self.leads_through(i, buffers)) {
                Outlook::Stays => {}
                Outlook::Open(after) if time + after > time => {
                    join(&mut found.event, NearDeadCentre::until(false, time + after).event);
                }
                Outlook::Passes(after) if self.leads_through(i, buffers) && time + after > time => {
                    passages.push((i, after));
                }
                Outlook::Open(after) | Outlook::Passes(after) | Outlook::Ends(after) => {
                    return Err(self.dead_centre(i, buffers, after));
                }
            }
        }
        let Some(longest) = passages.iter().map(|(_, after)| *after).reduce(f64::max) else { return Ok(found) };
        let until = time + 2.0 * longest;
        for (i, after) in passages {
            self.set_passage(i, arrays, Passage::Passes { centre: time + after, until });
        }
        Ok(NearDeadCentre::until(true, until))
    }

    /// True if a loop has another configuration. A telescope has none, since it cannot be shorter than nothing.
    fn has_other(&self, i: usize, buffers: &Buffers<T>) -> bool {
        let singular = buffers.space.as_ref().map(|SpaceBuffers { workspace, .. }| workspace.dead_centre(i));
        matches!(singular, Some(Singular::Reach { .. }))
    }

    /// True if the motion leads through a dead centre to another configuration.
    fn leads_through(&self, i: usize, buffers: &Buffers<T>) -> bool {
        let Buffers { x: [_, v, _], space, .. } = buffers;
        let turns = space.as_ref().is_some_and(|SpaceBuffers { workspace, .. }| workspace.turns_joints(i, v));
        self.has_other(i, buffers) && !turns
    }

    /// Makes the error of a loop that will be at its dead centre after a time in s.
    #[cold]
    fn dead_centre(&self, i: usize, buffers: &Buffers<T>, after: f64) -> ModelError {
        let element = self.prepared.tree().and_then(|tree| tree.assemblies().nth(i)).unwrap_or_default();
        let singular = buffers.space.as_ref().map(|SpaceBuffers { workspace, .. }| workspace.dead_centre(i));
        let then = System { time: self.time + constant::<T>(after), ..*self };
        then.position_error(PositionError { element, singular })
    }

    /// Logs the dead centres that loops have passed.
    pub fn report_dead_centres(&self, arrays: &mut Arrays<'_, T>, diagnostics: &mut Diagnostics) {
        for i in 0..self.loops() {
            if let Passage::Passed { centre } = self.passage(i, arrays.view()) {
                self.set_passage(i, arrays, Passage::None);
                let name = &self.parts[self.prepared.assemblies[i].0].name;
                diagnostics.warn(format!(
                    "\"{name}\" has passed its dead centre, where both configurations meet, at {} s: it goes on in the \
                     other configuration, since its velocities are continuous",
                    Number(centre)
                ));
            }
        }
    }
}
