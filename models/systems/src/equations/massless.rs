//! Motions of flanges without inertia, where springs and dampers meet: see `mechanics::drivetrain`.

use fmu_runtime::{ModelError, Number};
use mechanics::drivetrain::{Compliance, MasslessGroup};

use super::massless_flanges::MasslessState;
use super::{Buffers, System};
use crate::MULTIBODY;
use crate::part::{Arrays, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::massless_nodes::LinkedPoints;
use crate::topology::wiring::Owner;

impl<T: PartScalar> System<'_, T> {
    /// True if any flange or point is without inertia.
    pub(super) fn has_massless(&self) -> bool {
        !(self.prepared.massless.is_empty() && self.wiring.linked_points.is_empty())
    }

    /// Sets positions and velocities of the coordinates without inertia, from those of all others.
    pub(super) fn place_massless(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let at_random = buffers.at_random;
        let Buffers { q: [q, qd, _], massless: MasslessState { moving, resting, settles, at_event }, .. } = buffers;
        let at_event = *at_event || *settles;
        let law = &mut |part: usize, relative| self.compliance(view, part, relative, at_event);
        for (i, group) in self.prepared.massless.moving.iter().enumerate() {
            let mut found = Ok(());
            if *settles {
                let resting_group = &self.prepared.massless.resting[i];
                let by_springs = &mut |part: usize, [x, _]: [T; 2]| law(part, [x, T::zero()]);
                found = resting_group.find_positions(&mut resting[i], q, by_springs).or_else(|_| {
                    // Where springs leave it open, dampers do as if they were springs.
                    resting_group.find_positions(&mut resting[i], q, &mut |part, [x, _]| {
                        let own = law(part, [x, T::zero()]);
                        if own.stiffness == T::zero() && own.damping == T::zero() {
                            // A constant load moves a damper, and has not moved it yet.
                            return Compliance { load: T::zero(), ..own };
                        }
                        let (load, stiffness) = (own.load + own.damping * x, own.stiffness + own.damping);
                        Compliance { load, stiffness, ..own }
                    })
                });
                group.take_states(q);
            }
            found = found.and_then(|()| group.find_positions(&mut moving[i], q, law));
            found = found.and_then(|()| group.find_velocities(&mut moving[i], qd, law));
            found.or_else(|place| if at_random { Ok(()) } else { Err(self.not_held(group.coordinates()[place])) })?;
        }
        Ok(())
    }

    /// Reads the states of the coordinates without inertia again.
    pub(super) fn read_states_of_massless(&self, view: View<'_, T>, buffers: &mut Buffers<T>) {
        for k in self.prepared.massless.moving.iter().flat_map(MasslessGroup::coordinates) {
            let Owner { part, own } = self.wiring.coordinates[*k];
            [buffers.q[0][*k], ..] = T::of(&*self.parts[part].part).own(view, self.wiring.offsets[part], own);
        }
    }

    /// Sets the accelerations of the coordinates without inertia, where those of all others are known.
    pub(super) fn accelerate_massless(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        let at_random = buffers.at_random;
        let Buffers { x: [_, _, a], q: [_, _, qdd], massless: MasslessState { moving, settles, at_event, .. }, .. } =
            buffers;
        let at_event = *at_event || *settles;
        let law = &mut |part: usize, relative| self.compliance(view, part, relative, at_event);
        for (group, buffers) in self.prepared.massless.moving.iter().zip(moving) {
            let found = group.find_accelerations(buffers, qdd, law);
            found.or_else(|place| if at_random { Ok(()) } else { Err(self.not_held(group.coordinates()[place])) })?;
        }
        self.prepared.train.rates(qdd, a);
        Ok(())
    }

    /// Sets the states of flanges without inertia and of points without mass at the start, where springs balance.
    pub(super) fn settle(&self, arrays: &mut Arrays<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        if !self.has_massless() {
            return Ok(());
        }
        self.move_to(arrays.view(), buffers)?;
        let q = &mut buffers.q[0];
        for group in &self.prepared.massless.moving {
            group.take_states(q);
            for k in group.coordinates() {
                let Owner { part, own } = self.wiring.coordinates[*k];
                T::of(&*self.parts[part].part).set_own(arrays, self.wiring.offsets[part], own, [q[*k], T::zero()]);
            }
        }
        if MULTIBODY {
            self.keep_lengths(arrays, buffers);
            let q = &buffers.q[0];
            for k in self.wiring.linked_points.iter().flat_map(LinkedPoints::states) {
                let Owner { part, own } = self.wiring.coordinates[k];
                T::of(&*self.parts[part].part).set_own(arrays, self.wiring.offsets[part], own, [q[k], T::zero()]);
            }
        }
        buffers.massless.settles = false;
        Ok(())
    }

    fn compliance(&self, view: View<'_, T>, part: usize, relative: [T; 2], at_event: bool) -> Compliance<T> {
        T::of(&*self.parts[part].part).compliance(view, self.wiring.offsets[part], relative, at_event)
    }

    #[cold]
    fn not_held(&self, coordinate: usize) -> ModelError {
        let name = &self.parts[self.wiring.coordinates[coordinate].part].name;
        ModelError::singular(format!(
            "the motion of \"{name}\", which has no inertia, does not follow from the springs and dampers there, at {} s: give them a \
             stiffness or damping above 0",
            Number(self.time.value())
        ))
    }
}
