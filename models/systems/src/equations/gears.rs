//! Gears with losses: friction elements whose torque depends on the torques through the gear.

use fmu_runtime::{ModelError, Number};
use mechanics::constant;
use mechanics::friction::{Limits, Mode, StickState, Unsolved};

use super::friction::too_large;
use super::{Buffers, System};
use crate::part::FrictionPair;
use crate::topology::drivetrain::PartScalar;
use crate::topology::mechanism::list;

/// Fraction of their terms by which torques exceed limits where an event is located, and within which the direction of power
/// is undecided: more than the rounding of the solution there.
const EXCESS: f64 = 1e-7;

impl<T: PartScalar> System<'_, T> {
    /// True if any gear with losses moves.
    pub(super) fn roll(&self, buffers: &Buffers<T>) -> bool {
        let rolls = |k: usize| buffers.pairs[k].is_some_and(|pair| pair.branch.mode.direction().is_some());
        self.prepared.gears.iter().any(|gear| rolls(gear.pair))
    }

    /// Sets states and data of the gears, where the accelerations without their torques are known.
    pub(super) fn engage_gears(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, v, a], tau, pairs, at_rest, .. } = buffers;
        for (gearing, gear) in self.prepared.gears.iter().zip(&mut at_rest.gears) {
            let k = gearing.pair;
            let (Some(pair), Some(losses)) = (pairs[k], &self.laws[k].losses) else { continue };
            gear.rolls = pair.branch.mode.direction();
            gear.torque = self.prepared.train.work(&gearing.displacement, tau, a);
            let w = self.relative(k, v) * constant::<T>(gear.rolls.unwrap_or_default());
            gear.losses = losses.at(w.max(T::zero()));
            if let Some(direction) = gear.rolls {
                at_rest.reactions[k] = if direction > 0.0 { StickState::Forward } else { StickState::Backward };
            }
        }
    }

    /// Sets the limits of gears at rest, which follow from the torques.
    pub(super) fn find_gear_limits(&self, buffers: &mut Buffers<T>) {
        let Buffers { at_rest, limits, .. } = buffers;
        for (number, gear) in at_rest.gears.iter().enumerate() {
            limits[gear.element] = gear.limits(at_rest.flange_torque(number));
        }
    }

    /// Evaluates the event indicators of a gear: its motion ends, it breaks away, the direction of power changes, or a slope
    /// of its table does.
    pub(super) fn indicate_gear(
        &self,
        k: usize,
        pair: &FrictionPair<T>,
        w: T,
        buffers: &mut Buffers<T>,
        indicators: &mut [T],
    ) {
        let gap = constant::<T>(f64::MIN_POSITIVE.sqrt());
        indicators.fill(-T::one());
        let Some(number) = self.prepared.gears.iter().position(|gear| gear.pair == k) else { return };
        if let Some(direction) = pair.branch.mode.direction() {
            let direction = constant::<T>(direction);
            let gear = &buffers.at_rest.gears[number];
            let u = direction * buffers.at_rest.flange_torque(number);
            let corner = gear.losses.corner();
            let band = constant::<T>(EXCESS) * (u.abs() + corner.abs() + gear.torque.abs()) + gap;
            indicators[0] = -direction * w - gap;
            // On the corner both laws are the same.
            indicators[2] = if (u - corner).abs() <= band { band } else { u - corner };
            if let Some(losses) = &self.laws[k].losses {
                let kinks = losses.kinks((direction * w).max(T::zero()));
                indicators[3] = if kinks.value() == 0.0 { -gap } else { kinks };
            }
        } else if pair.branch.mode == Mode::Stuck {
            let (torque, [forward, backward], size) = self.needed_by_gear(k, number, buffers);
            let excess = constant::<T>(EXCESS) * (size + torque.abs());
            indicators[1] = (-torque - forward).max(torque - backward) - excess - gap;
        }
    }

    /// Returns the torque that a gear at rest must bear if other elements bear as much as they can, its limits there, and the
    /// size of the terms of the torque through it.
    fn needed_by_gear(&self, k: usize, number: usize, buffers: &mut Buffers<T>) -> (T, Limits<T>, T) {
        let torque = self.needed(k, buffers);
        let of = if torque == buffers.at_rest.lambda[k] { &buffers.at_rest } else { &buffers.spare };
        let through = of.flange_torque(number);
        (torque, buffers.at_rest.gears[number].limits(through), of.flange_terms(number))
    }

    /// Describes why there are no torques of friction elements.
    pub(super) fn unsolved(&self, unsolved: Unsolved) -> ModelError {
        if unsolved == Unsolved::NotFinite {
            return too_large();
        }
        let name = |k: usize| format!("\"{}\"", self.parts[self.wiring.friction_pairs[k]].name);
        let names: Vec<_> = self.prepared.gears.iter().map(|gear| name(gear.pair)).collect();
        ModelError::singular(format!(
            "the efficiencies of {} leave the motion undetermined at {} s: torques have several ways through gears and clutches \
             that hold; take higher efficiencies, or leave one of the ways out",
            list(&names),
            Number(self.time.value())
        ))
    }
}
