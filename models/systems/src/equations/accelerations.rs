//! Accelerations of all positions under the loads of the parts.

use fmu_runtime::{Dual64, ModelError};
use mechanics::friction::{Mode, StickState};

use super::prepared::add_pair_torque;
use super::{Buffers, System};
use crate::part::{FrictionPair, Kinematics, View};
use crate::topology::drivetrain::PartScalar;

impl<T: PartScalar> System<'_, T> {
    /// Computes all accelerations, with the friction torques.
    pub(crate) fn accelerate(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.read_pairs(view, buffers);
        self.find_free_accelerations(view, buffers)?;
        if self.prepared.massless.is_empty() { Ok(()) } else { self.accelerate_massless(view, buffers) }
    }

    /// Computes all accelerations in the modes of friction that are known.
    pub(super) fn find_free_accelerations(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<(), ModelError> {
        self.free_accelerations(view, buffers);
        let is_stuck = |pair: &&FrictionPair<T>| pair.branch.mode == Mode::Stuck;
        // One rate for all: elements that hold each other redundantly could not fulfil different ones.
        let rates = buffers.pairs.iter().flatten().filter(is_stuck).map(|pair| pair.parameters.K_locked);
        let rate = match rates.reduce(|most, rate| most.max(rate)) {
            Some(rate) => rate,
            None if self.roll(buffers) => T::zero(),
            None => return Ok(()),
        };
        for k in 0..buffers.pairs.len() {
            let stuck = buffers.pairs[k].filter(|pair| pair.branch.mode == Mode::Stuck);
            buffers.at_rest.reactions[k] = if stuck.is_some() { StickState::Holds } else { StickState::Absent };
            let Some(pair) = stuck else {
                buffers.limits[k] = [T::one(); 2];
                continue;
            };
            buffers.limits[k] = self.limits(k, &pair);
            buffers.b[k] = self.relative(k, &buffers.x[2]) + rate * self.relative(k, &buffers.x[1]);
        }
        self.engage_gears(buffers);
        let Buffers { at_rest, b, limits, .. } = &mut *buffers;
        at_rest.hold(b, limits).map_err(|unsolved| self.unsolved(unsolved))?;
        self.find_gear_limits(buffers);
        self.share_redundant_friction(buffers)?;
        self.apply_friction(buffers);
        Ok(())
    }

    /// Computes the accelerations without the torques of elements at rest.
    pub(super) fn free_accelerations(&self, view: View<'_, T>, buffers: &mut Buffers<T>) {
        let Buffers { x: [x, v, a], tau, space, pairs, lambda, .. } = buffers;
        tau.fill(T::zero());
        self.add_bias(tau, space);
        for i in &self.wiring.loaded {
            let positions = &self.prepared.positions[*i];
            let motion = Kinematics::new([x, v, a], positions);
            let add = &mut |local: usize, load: T| tau[positions[local]] += load;
            T::of(&*self.parts[*i].part).loads(view, self.wiring.offsets[*i], &motion, add);
        }
        for (k, pair) in pairs.iter().enumerate() {
            let Some(pair) = pair else { continue };
            let [first, second] = self.prepared.between[k];
            // What gears lose depends on all torques.
            let direction = pair.branch.mode.direction().filter(|_| !pair.is_gear);
            lambda[k] = direction.map_or(T::zero(), |direction| {
                -self.law(k, pair).sliding(direction, v[second] - v[first], pair.pressed(), self.time_derivative())
            });
            add_pair_torque(tau, [first, second], lambda[k]);
        }
        self.find_accelerations(buffers);
    }

    /// Computes the accelerations under the loads at the positions.
    pub(super) fn find_accelerations(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, _, a], q: [_, _, qdd], tau, factors, space, .. } = buffers;
        self.drift(space, qdd);
        self.prepared.train.accelerations(factors, tau, qdd);
        self.prepared.train.rates(qdd, a);
    }

    /// Returns the generalised loads on the free coordinates, with the friction torques, where accelerations are known.
    /// Accelerations of assemblies are lost.
    pub fn free_loads(&self, buffers: &mut Buffers<T>) -> Vec<T> {
        let Buffers { q: [_, _, qdd], tau, factors, space, .. } = buffers;
        self.drift(space, qdd);
        let mut loads = vec![T::zero(); self.wiring.free];
        self.prepared.train.free_loads(factors, tau, &qdd[self.wiring.free..], &mut loads);
        loads
    }

    /// Computes the loads that keep given coordinates on their motion.
    pub(super) fn find_reactions(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [_, _, a], tau, reactions, .. } = buffers;
        if self.wiring.free < reactions.len() {
            self.prepared.train.reactions(tau, a, reactions);
        }
    }
}

impl System<'_, Dual64> {
    /// Replaces accelerations, which must be known, by the sizes of the terms whose sums they are, and of their
    /// derivatives.
    pub fn accelerate_by_sizes(&self, view: View<'_, Dual64>, buffers: &mut Buffers<Dual64>) -> Result<(), ModelError> {
        let Buffers { x: [x, v, a], tau, factors, space, lambda, .. } = buffers;
        let size = |load: Dual64| Dual64::new(load.re.abs(), load.eps.abs());
        tau.fill(Dual64::from_re(0.0));
        for bias in self.biases(view, space)? {
            tau.iter_mut().zip(bias).for_each(|(tau, bias)| *tau += size(bias));
        }
        for i in &self.wiring.loaded {
            let positions = &self.prepared.positions[*i];
            let add = &mut |local: usize, load: Dual64| tau[positions[local]] += size(load);
            let motion = Kinematics::new([x, v, a], positions);
            Dual64::of(&*self.parts[*i].part).loads(view, self.wiring.offsets[*i], &motion, add);
        }
        for (k, between) in self.prepared.between.iter().enumerate() {
            between.iter().for_each(|position| tau[*position] += size(lambda[k]));
        }
        factors.change_slopes(size);
        self.find_accelerations(buffers);
        Ok(())
    }
}
