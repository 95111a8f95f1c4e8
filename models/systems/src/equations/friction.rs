//! Friction elements, which stick, slide and break away together.

use fmu_runtime::ModelError;
use mechanics::constant;
use mechanics::friction::{
    AtRest, CoefficientAt, FrictionLaw, Gear, LawBranch, Limits, LossTable, Losses, Mode, StickState,
};
use nalgebra::DVector;

use super::prepared::add_pair_torque;
use super::{Buffers, System};
use crate::MULTIBODY;
use crate::part::{Arrays, Blocked, FrictionPair, FrictionSolution, Kinematics, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::Owner;

/// Fraction of their terms below which accelerations, and torques beyond limits, may be rounding.
const MARGIN: f64 = 1e-9;

/// Fraction of their terms below which relative velocities are rounding.
const ROUNDING: f64 = 1e-13;

/// Fraction of a mobility that others must leave of it; with less, they hold the relative motion.
const HELD: f64 = 1e-6;

/// Torque of a gear's losses that nothing exceeds, in N.m: finite, since differences of infinite ones are no numbers.
const MAX_TORQUE: f64 = 1e300;

impl<T: PartScalar> System<'_, T> {
    /// Finds the elements at axes of assemblies and at joints of rings that slide on since friction does not hold them: where a
    /// mechanism turns back, as at the end of a rocker's swing, their velocity passes zero, and to stop them would stop all of it.
    pub(super) fn find_zero_crossing_elements(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<(), ModelError> {
        for (k, between) in self.prepared.between.iter().enumerate() {
            buffers.passes[k] = false;
            let Some(pair) = buffers.pairs[k].filter(|pair| pair.branch.mode != Mode::Stuck) else {
                continue;
            };
            let w = self.relative(k, &buffers.x[1]).value();
            let follows = |position: &usize| self.prepared.train.follows(*position) || self.is_in_ring(*position);
            if !between.iter().any(follows) || w == 0.0 || !self.law(k, &pair).is_at_rest(pair.branch.mode, w) {
                continue;
            }
            for direction in [w.signum(), -w.signum()] {
                let branch = LawBranch { mode: Mode::sliding(direction), breaks: false };
                buffers.pairs[k] = Some(FrictionPair { branch, ..pair });
                self.find_free_accelerations(view, buffers)?;
                buffers.passes[k] = self.relative(k, &buffers.x[2]).value() * direction > 0.0;
                if buffers.passes[k] {
                    break;
                }
                buffers.pairs[k] = Some(pair);
            }
        }
        Ok(())
    }

    /// True if coordinates of rings move a position.
    fn is_in_ring(&self, position: usize) -> bool {
        let mut blocks = self.prepared.rings.blocks.iter().filter(|_| MULTIBODY);
        let mut moves = |k: &usize| blocks.any(|block| block.coordinates.contains(k));
        self.prepared.train.position(position).iter().any(|(k, _)| moves(k))
    }

    /// Sets the branches of elements that move, or that nothing presses together. Returns true if the set of elements
    /// at rest has changed.
    pub(super) fn find_at_rest(&self, buffers: &mut Buffers<T>) -> bool {
        let mut has_changed = false;
        for k in 0..buffers.pairs.len() {
            let Some(pair) = buffers.pairs[k] else { continue };
            let w = self.relative(k, &buffers.x[1]).value();
            let branch = |mode, breaks| LawBranch { mode, breaks };
            let next = if !pair.bears() {
                Some(branch(Mode::Free, false))
            } else if buffers.passes[k] {
                Some(pair.branch)
            } else if buffers.rests[k] {
                None
            } else if !self.law(k, &pair).is_at_rest(pair.branch.mode, w)
                || (w != 0.0 && buffers.mobility[(k, k)].value() == 0.0)
            {
                Some(branch(Mode::sliding(w), false))
            } else {
                None
            };
            let reaction = if next.is_some() { StickState::Absent } else { StickState::Holds };
            has_changed |= std::mem::replace(&mut buffers.rests[k], reaction == StickState::Holds) != next.is_none();
            buffers.at_rest.reactions[k] = reaction;
            if let Some((pair, branch)) = buffers.pairs[k].as_mut().zip(next) {
                pair.branch = branch;
            }
        }
        has_changed
    }

    /// Finds the elements at rest that friction does not hold, with the directions in which they break away.
    pub(super) fn break_away(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        // Elements that broke away, and do not move yet, stay so while sliding friction does not hold them.
        for k in 0..buffers.pairs.len() {
            let Some(pair) = buffers.pairs[k] else { continue };
            buffers.limits[k] = self.limits(k, &pair);
        }
        for gear in &mut buffers.at_rest.gears {
            let is_at_rest = buffers.rests[gear.element];
            gear.rolls = gear.rolls.filter(|_| !is_at_rest);
        }
        // At most one more element breaks away each time.
        for _ in 0..=buffers.pairs.len() {
            let AtRest { reactions, gears, .. } = &buffers.at_rest;
            for (k, (pair, reaction)) in buffers.pairs.iter_mut().zip(reactions).enumerate() {
                if let (Some(pair), true, None) = (pair, *reaction != StickState::Absent, rolling(gears, k)) {
                    pair.branch.mode = Mode::Stuck;
                }
            }
            self.free_accelerations(view, buffers);
            self.solve(buffers)?;
            let mut has_broken = false;
            for k in 0..buffers.pairs.len() {
                let Some(mut pair) = buffers.pairs[k] else { continue };
                if rolling(&buffers.at_rest.gears, k).is_some() {
                    continue;
                }
                let reaction = buffers.at_rest.reactions[k];
                let direction = match reaction {
                    StickState::Absent => continue,
                    StickState::Forward if self.moves(k, buffers) => 1.0,
                    StickState::Backward if self.moves(k, buffers) => -1.0,
                    _ => {
                        pair.branch = LawBranch { mode: Mode::Stuck, breaks: false };
                        buffers.pairs[k] = Some(pair);
                        continue;
                    }
                };
                has_broken |= !pair.branch.breaks;
                pair.branch = LawBranch { mode: Mode::sliding(direction), breaks: true };
                buffers.limits[k] = self.limits(k, &pair);
                buffers.pairs[k] = Some(pair);
            }
            if !has_broken {
                break;
            }
        }
        Ok(())
    }

    /// True if an element at its limit breaks away; others hold it where there are more than needed.
    fn moves(&self, k: usize, buffers: &mut Buffers<T>) -> bool {
        let row = buffers.mobility.row(k);
        let terms = || row.iter().zip(&buffers.at_rest.lambda).map(|(mobility, lambda)| *mobility * *lambda);
        let scale = terms().fold(buffers.b[k].abs(), |sum, term| sum + term.abs());
        let a = terms().fold(buffers.b[k], |sum, term| sum + term);
        a.abs() > constant::<T>(MARGIN) * scale || !self.is_held(k, buffers)
    }

    /// True if no torque can move this element, since others hold it.
    fn is_held(&self, k: usize, buffers: &mut Buffers<T>) -> bool {
        let Buffers { at_rest, spare, response, limits, mobility, .. } = buffers;
        spare.reactions.copy_from_slice(&at_rest.reactions);
        for reaction in &mut spare.reactions {
            if *reaction != StickState::Holds {
                *reaction = StickState::Absent;
            }
        }
        response.copy_from(&mobility.column(k));
        if spare.hold(response, limits).is_err() {
            return false;
        }
        let rest = (0..limits.len()).fold(mobility[(k, k)], |sum, j| sum + mobility[(k, j)] * spare.lambda[j]);
        rest <= constant::<T>(HELD) * mobility[(k, k)]
    }

    pub(super) fn law(&self, k: usize, pair: &FrictionPair<T>) -> FrictionLaw<CoefficientAt<'_, T>, T> {
        FrictionLaw { coefficient: self.laws[k].at(pair.condition), parameters: pair.parameters }
    }

    /// Returns the largest torques at rest: that of sliding for an element that broke away and does not move yet.
    pub(super) fn limits(&self, k: usize, pair: &FrictionPair<T>) -> Limits<T> {
        if pair.is_gear {
            return [T::one(); 2];
        }
        let (law, n) = (self.law(k, pair), pair.pressed());
        let limit = if pair.branch.breaks { law.tau0(n) } else { law.tau0_max(n) };
        match pair.blocked {
            None => [limit.max(constant(1e-300)); 2],
            Some(Blocked::Forward) => [constant(f64::INFINITY), limit],
            Some(Blocked::Backward) => [limit, constant(f64::INFINITY)],
        }
    }

    /// Returns zero, with the derivative of time.
    pub(super) fn time_derivative(&self) -> T {
        self.time - constant::<T>(self.time.value())
    }

    pub(super) fn relative(&self, k: usize, of: &[T]) -> T {
        let [first, second] = self.prepared.between[k];
        of[second] - of[first]
    }

    /// Returns the largest size that rounding gives a relative velocity.
    pub(super) fn rounding(&self, k: usize, velocities: &[T]) -> f64 {
        let terms = self.prepared.between[k].into_iter().flat_map(|position| self.prepared.train.position(position));
        ROUNDING * terms.map(|(coordinate, n)| (n.value() * velocities[*coordinate].value()).abs()).sum::<f64>()
    }

    /// Limits redundant friction: where more elements hold than needed, one beyond its limit leaves the rest to the
    /// others.
    pub(super) fn share_redundant_friction(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { at_rest, before, b, limits, .. } = buffers;
        let held = |k: &usize| at_rest.reactions[*k] == StickState::Holds;
        let is_beyond = |k: usize| {
            let [forward, backward] = limits[k].map(|limit| limit * constant::<T>(1.0 + MARGIN));
            at_rest.lambda[k] < -forward || at_rest.lambda[k] > backward
        };
        let stuck = (0..limits.len()).filter(held);
        if stuck.clone().count() > 1 && stuck.clone().any(is_beyond) {
            before.copy_from(at_rest);
            at_rest.solve(b, limits).map_err(|unsolved| self.unsolved(unsolved))?;
            let gives_way = (0..buffers.limits.len()).any(|k| {
                let yields = matches!(buffers.at_rest.reactions[k], StickState::Forward | StickState::Backward);
                yields && rolling(&buffers.at_rest.gears, k).is_none() && self.moves(k, buffers)
            });
            if gives_way {
                buffers.at_rest.copy_from(&buffers.before);
            }
            self.find_gear_limits(buffers);
        }
        Ok(())
    }

    /// Adds the torques of elements at rest to the loads, and computes the accelerations again.
    pub(super) fn apply_friction(&self, buffers: &mut Buffers<T>) {
        let Buffers { tau, lambda, limits, at_rest, mobility, .. } = buffers;
        for (k, between) in self.prepared.between.iter().enumerate() {
            if at_rest.reactions[k] != StickState::Absent {
                lambda[k] = at_rest.lambda[k];
                // Between given motions no torque is enough; the event follows.
                if mobility[(k, k)].value() == 0.0 {
                    lambda[k] = lambda[k].max(-limits[k][0]).min(limits[k][1]);
                }
                add_pair_torque(tau, *between, lambda[k]);
            }
        }
        self.find_accelerations(buffers);
    }

    /// Returns the torque that a stuck element must bear if the others bear as much as they can.
    pub(super) fn needed(&self, k: usize, buffers: &mut Buffers<T>) -> T {
        let Buffers { at_rest, spare, b, limits, .. } = buffers;
        let is_alone = at_rest.reactions.iter().filter(|reaction| **reaction != StickState::Absent).count() == 1;
        let is_within =
            at_rest.lambda.iter().zip(&*limits).all(|(lambda, limits)| *lambda >= -limits[0] && *lambda <= limits[1]);
        if is_alone || is_within {
            return at_rest.lambda[k];
        }
        spare.copy_from(at_rest);
        // With an infinite limit the element would have an infinite torque.
        spare.reactions[k] = StickState::Holds;
        let own = std::mem::replace(&mut limits[k], [constant(f64::INFINITY); 2]);
        for gear in spare.gears.iter_mut().filter(|gear| gear.element == k) {
            gear.losses = Losses { eta: [T::one(); 2], tau: [constant(MAX_TORQUE); 2] };
        }
        let solved = spare.solve(b, limits);
        limits[k] = own;
        if solved.is_ok() { spare.lambda[k] } else { constant(f64::INFINITY) }
    }

    /// Solves for states and torques of elements at rest, each within its limit.
    fn solve(&self, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        for k in 0..buffers.pairs.len() {
            buffers.b[k] = self.relative(k, &buffers.x[2]);
            if buffers.at_rest.reactions[k] != StickState::Absent {
                buffers.at_rest.reactions[k] = StickState::Holds;
            }
        }
        self.engage_gears(buffers);
        let Buffers { at_rest, b, limits, .. } = &mut *buffers;
        at_rest.solve(b, limits).map_err(|unsolved| self.unsolved(unsolved))?;
        self.find_gear_limits(buffers);
        Ok(())
    }

    /// Ends the relative motion of elements at rest, without a change of momentum of the parts that move together;
    /// returns true if that changes any velocity.
    pub(super) fn stick_at_standstill(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<bool, ModelError> {
        let mut moves = false;
        for k in 0..buffers.pairs.len() {
            let rests = buffers.at_rest.reactions[k] == StickState::Holds;
            buffers.b[k] = if rests { self.relative(k, &buffers.x[1]) } else { T::zero() };
            buffers.limits[k] = [T::one(); 2];
            moves |= buffers.b[k].value() != 0.0;
        }
        if !moves {
            return Ok(false);
        }
        let Buffers { at_rest, b, limits, .. } = buffers;
        at_rest.hold(b, limits).map_err(|_| too_large())?;
        self.push(arrays, buffers)?;
        Ok(true)
    }

    /// Changes the velocities by the impulses of friction elements in `at_rest`.
    pub(super) fn push(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let Buffers { q: [_, qd, qdd], tau, factors, at_rest, .. } = buffers;
        tau.fill(T::zero());
        for (k, between) in self.prepared.between.iter().enumerate() {
            add_pair_torque(tau, *between, at_rest.lambda[k]);
        }
        let free = self.wiring.free;
        let mut given = std::mem::take(qdd);
        given[free..].fill(T::zero());
        self.prepared.train.responses(factors, tau, &mut given);
        for (k, Owner { part: i, own }) in self.wiring.coordinates[..free].iter().enumerate() {
            qd[k] += given[k];
            T::of(&*self.parts[*i].part).set_velocity(arrays, self.wiring.offsets[*i], *own, qd[k]);
        }
        *qdd = given;
        // The given accelerations have been overwritten, and are read again.
        self.forward_kinematics(arrays.view(), buffers)
    }

    /// Returns the solution for friction element `k`.
    pub(super) fn friction<'c>(
        &'c self,
        k: usize,
        pairs: &[Option<FrictionPair<T>>],
        lambda: &DVector<T>,
        motion: &Kinematics<'_, T>,
    ) -> Option<FrictionSolution<'c, T>> {
        let pair = pairs[k]?;
        let tau = -lambda[k];
        let [first, second] = pair.between;
        let a_rel = motion.a(second) - motion.a(first);
        let sa = match pair.branch.mode.direction() {
            Some(direction) => a_rel + constant::<T>(direction) * self.law(k, &pair).tau0_max(pair.pressed()),
            None if pair.branch.mode == Mode::Stuck => tau,
            None => a_rel,
        };
        Some(FrictionSolution {
            coefficient: self.laws[k].at(pair.condition),
            tau,
            sa,
            time_derivative: self.time_derivative(),
        })
    }

    pub(super) fn read_pairs(&self, view: View<'_, T>, buffers: &mut Buffers<T>) {
        for (pair, i) in buffers.pairs.iter_mut().zip(&self.wiring.friction_pairs) {
            *pair = T::of(&*self.parts[*i].part).friction_pair(view, self.wiring.offsets[*i]);
        }
        for gear in &self.prepared.gears {
            let is_ideal = self.laws[gear.pair].losses.as_ref().is_none_or(LossTable::is_ideal);
            if let (Some(pair), true) = (&mut buffers.pairs[gear.pair], is_ideal) {
                pair.n = T::zero();
            }
        }
    }
}

/// Returns the direction in which an element rolls already, if it is a gear that does.
fn rolling<T: PartScalar>(gears: &[Gear<T>], element: usize) -> Option<f64> {
    gears.iter().find(|gear| gear.element == element)?.rolls
}

pub(super) fn too_large() -> ModelError {
    ModelError::singular("friction torques are not finite: a value is too large")
}
