//! Free-wheels and stops: motions that are not possible, and impacts that end them.
//!
//! ```text
//! 0 <= p, w+ = w- + A p >= 0, p w+ = 0        over all blocked elements, w > 0: away from the block
//! impactLoss = -p (w+ + w-) / 2               nothing bounces
//! ```
//!
//! Friction carries no impulse: what it held slides afterwards.

use fmu_runtime::{ModelError, Number};
use mechanics::constant;
use mechanics::friction::{LawBranch, Mode, StickState};

use super::friction::too_large;
use super::{Buffers, System};
use crate::part::{Arrays, Blocked, FrictionPair, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::Owner;

/// Fraction of their terms below which velocities into a block are what the search for an event leaves: the relative
/// motion ends as that of a clutch.
const ARRIVAL: f64 = 1e-6;

/// Fraction of the distance of the stops within which an element is at one.
const AT_STOP: f64 = 1e-12;

/// Fraction of its terms by which the torque that holds an element against a limit of 0 exceeds it where an event is
/// located.
const EXCESS: f64 = 1e-10;

impl Blocked {
    /// Returns the sign of the motion that is possible.
    fn way_out(self) -> f64 {
        match self {
            Self::Forward => -1.0,
            Self::Backward => 1.0,
        }
    }
}

/// True if an element is at its stop already, and leaves it by breaking away only.
fn rests_at_stop<T: fmu_runtime::Scalar>(pair: &FrictionPair<T>) -> bool {
    pair.stops.is_some() && pair.blocked.is_some() && pair.branch.mode == Mode::Stuck
}

impl<T: PartScalar> System<'_, T> {
    /// Returns the size of the terms whose sum is a relative velocity.
    fn speed(&self, k: usize, velocities: &[T]) -> f64 {
        let terms = self.prepared.between[k].into_iter().flat_map(|position| self.prepared.train.position(position));
        terms.map(|(coordinate, n)| (n.value() * velocities[*coordinate].value()).abs()).sum()
    }

    /// Finds the block at which an element with stops is.
    fn contact(&self, k: usize, pair: &FrictionPair<T>, buffers: &Buffers<T>) -> Option<Blocked> {
        let Some([lower, upper]) = pair.stops.map(|stops| stops.map(|stop| stop.value())) else { return pair.blocked };
        if rests_at_stop(pair) {
            return pair.blocked;
        }
        let [x, w] = [0, 1].map(|order| self.relative(k, &buffers.x[order]).value());
        let margin = AT_STOP * (upper - lower);
        if x >= upper - margin && w >= 0.0 {
            return Some(Blocked::Forward);
        }
        (x <= lower + margin && w <= 0.0).then_some(Blocked::Backward)
    }

    /// Refuses a start in a motion that is not possible.
    pub(super) fn check_start(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.read_pairs(view, buffers);
        for (k, pair) in buffers.pairs.iter().enumerate() {
            let Some(pair) = pair else { continue };
            let name = &self.parts[self.wiring.friction_pairs[k]].name;
            let [x, w] = [0, 1].map(|order| self.relative(k, &buffers.x[order]).value());
            let problem = match (pair.stops, pair.blocked) {
                (Some(stops), _) => {
                    let [lower, upper] = stops.map(|stop| stop.value());
                    let margin = AT_STOP * (upper - lower);
                    if x < lower - margin || x > upper + margin {
                        format!(
                            "starts at s = {} m, but must start between its stops, from smin + L/2 = {} m to smax - L/2 = {} m",
                            Number(x),
                            Number(lower),
                            Number(upper)
                        )
                    } else if w != 0.0 && self.contact(k, pair, buffers).is_some() {
                        format!(
                            "starts at a stop, at s = {} m, with v = {} m/s into it: v must be 0, or lead away from the stop",
                            Number(x),
                            Number(w)
                        )
                    } else {
                        continue;
                    }
                }
                (None, Some(blocked)) if blocked.way_out() * w < -ARRIVAL * self.speed(k, &buffers.q[1]) => format!(
                    "starts with w_rel = {} rad/s, but as a free-wheel it turns forward only: flange_b must not be slower than \
                     flange_a",
                    Number(w)
                ),
                _ => continue,
            };
            return Err(ModelError::invalid(format!("\"{name}\" {problem}")));
        }
        Ok(())
    }

    /// Finds what has come to a stop, and the impacts of stops and free-wheels; returns true if that changes any state.
    pub(super) fn hit(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<bool, ModelError> {
        buffers.impact_loss.fill(T::zero());
        let (mut is_hit, mut has_moved) = (false, false);
        for k in 0..buffers.pairs.len() {
            let Some(pair) = buffers.pairs[k] else { continue };
            let blocked = self.contact(k, &pair, buffers);
            let Some(way_out) = blocked.map(Blocked::way_out) else {
                buffers.pairs[k] = Some(FrictionPair { blocked, ..pair });
                continue;
            };
            has_moved |= self.put_at_stop(k, &pair, way_out, arrays, buffers)?;
            let (w, least) = (self.relative(k, &buffers.x[1]).value(), ARRIVAL * self.speed(k, &buffers.q[1]));
            let is_into = !rests_at_stop(&pair) && way_out * w < if pair.stops.is_some() { 0.0 } else { -least };
            if is_into && buffers.mobility[(k, k)].value() == 0.0 && !buffers.at_random {
                let (name, time) = (&self.parts[self.wiring.friction_pairs[k]].name, Number(self.time.value()));
                return Err(ModelError::singular(format!(
                    "\"{name}\": given motions turn or push it in the direction in which it is blocked, at {time} s: put a spring \
                     between, or change the motions"
                )));
            }
            is_hit |= is_into;
            // A velocity that has jumped away from the block.
            let branch = if pair.branch.mode == Mode::Stuck && way_out * w > least {
                LawBranch { mode: Mode::sliding(way_out), breaks: false }
            } else {
                pair.branch
            };
            buffers.pairs[k] = Some(FrictionPair { blocked, branch, ..pair });
        }
        if is_hit {
            self.exchange_impulses(arrays, buffers)?;
        }
        Ok(is_hit || has_moved)
    }

    /// Moves an element that has passed its stop back to it; returns true if that changes anything.
    fn put_at_stop(
        &self,
        k: usize,
        pair: &FrictionPair<T>,
        way_out: f64,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<bool, ModelError> {
        let Some([lower, upper]) = pair.stops else { return Ok(false) };
        let distance = (if way_out > 0.0 { lower } else { upper }) - self.relative(k, &buffers.x[0]);
        let mobility = buffers.mobility[(k, k)];
        if distance.value() == 0.0 || mobility.value() <= 0.0 {
            return Ok(false);
        }
        let Buffers { q: [q, qd, qdd], tau, factors, .. } = &mut *buffers;
        tau.fill(T::zero());
        super::prepared::add_pair_torque(tau, self.prepared.between[k], distance / mobility);
        qdd.fill(T::zero());
        self.prepared.train.responses(factors, tau, qdd);
        for (i, Owner { part, own }) in self.wiring.coordinates[..self.wiring.free].iter().enumerate() {
            if qdd[i].value() != 0.0 {
                let motion = [q[i] + qdd[i], qd[i]];
                T::of(&*self.parts[*part].part).set_own(arrays, self.wiring.offsets[*part], *own, motion);
            }
        }
        self.forward_kinematics(arrays.view(), buffers)?;
        Ok(true)
    }

    /// Ends the motions that are not possible by impulses.
    fn exchange_impulses(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        for k in 0..buffers.pairs.len() {
            let blocked = buffers.pairs[k].and_then(|pair| pair.blocked);
            buffers.at_rest.reactions[k] = if blocked.is_some() { StickState::Holds } else { StickState::Absent };
            buffers.b[k] = self.relative(k, &buffers.x[1]);
            let limit = |is_blocked: bool| if is_blocked { constant(f64::INFINITY) } else { T::zero() };
            buffers.limits[k] = [Blocked::Forward, Blocked::Backward].map(|way| limit(blocked == Some(way)));
        }
        let Buffers { at_rest, b, limits, .. } = &mut *buffers;
        at_rest.solve(b, limits).map_err(|_| too_large())?;
        self.push(arrays, buffers)?;
        for k in 0..buffers.pairs.len() {
            let Some(pair) = buffers.pairs[k] else { continue };
            let (impulse, before, after) = (buffers.at_rest.lambda[k], buffers.b[k], self.relative(k, &buffers.x[1]));
            buffers.impact_loss[k] = constant::<T>(-0.5) * impulse * (before + after);
            let is_still = after.value().abs() <= self.rounding(k, &buffers.q[1]).max(1e-12 * before.value().abs());
            let mode = if is_still { Mode::Stuck } else { Mode::sliding(after.value()) };
            if if is_still { pair.blocked.is_some() } else { pair.bears() } {
                buffers.pairs[k] = Some(FrictionPair { branch: LawBranch { mode, breaks: false }, ..pair });
            }
        }
        Ok(())
    }

    /// Corrects the event indicators of an element that is blocked or has stops: it breaks away in one direction only,
    /// and its last indicator falls below zero at a stop.
    pub(super) fn indicate_blocked(
        &self,
        k: usize,
        pair: &FrictionPair<T>,
        torque: T,
        buffers: &Buffers<T>,
        indicators: &mut [T],
    ) {
        let gap = constant::<T>(f64::MIN_POSITIVE.sqrt());
        if let Some(blocked) = pair.blocked {
            if pair.branch.mode == Mode::Stuck {
                let against = constant::<T>(blocked.way_out()) * torque;
                let Buffers { mobility, b, at_rest, .. } = buffers;
                let terms = mobility.row(k).into_iter().zip(&at_rest.lambda).map(|(a, lambda)| (*a * *lambda).abs());
                let terms = terms.fold(b[k].abs(), |sum, term| sum + term);
                let excess = if mobility[(k, k)].value() > 0.0 { terms / mobility[(k, k)] } else { T::zero() };
                let [forward, backward] = buffers.limits[k];
                let limit = if blocked == Blocked::Forward { backward } else { forward };
                indicators[1] = -against - limit - constant::<T>(EXCESS) * excess - gap;
            }
            if pair.n.value() <= 0.0 {
                indicators[2] = pair.n - gap;
            }
        } else if let Some([lower, upper]) = pair.stops {
            let x = self.relative(k, &buffers.x[0]);
            indicators[3] = (x - lower).min(upper - x) + gap;
        }
    }
}
