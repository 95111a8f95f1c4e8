//! What mechanisms in space add to the equations of motion.
//!
//! ```text
//! tau_tree = M_tree(q) q'' + h(q, q')      loads at the joints' positions, see mechanics::tree
//! ```
//!
//! h, with the accelerations of given coordinates, is among the loads of the train; M_tree is part of its M.

use fmu_runtime::ModelError;

use crate::equations::{Buffers, System};
use crate::mechanism::SpaceBuffers;
use crate::part::{Space, View};
use crate::train::PartScalar;

impl<T: PartScalar> System<'_, T> {
    /// Sets positions and velocities, and what follows from them in space: M, and the loads that joints need without the
    /// accelerations of free coordinates.
    pub fn place(&self, view: View<'_, T>, buffers: &mut Buffers<T>) -> Result<(), ModelError> {
        self.move_to(view, buffers);
        let Buffers { x: [x, v, a], q: [_, _, qdd], factors, space, .. } = &mut *buffers;
        let (Some(tree), Some(SpaceBuffers { room, bias })) = (&self.prepared.tree, space) else { return Ok(()) };
        let train = &self.prepared.train;
        qdd[..train.free()].fill(T::zero());
        train.rates(qdd, a);
        tree.set_motion(room, [x, v, a]);
        bias.fill(T::zero());
        tree.loads(room, |position, load| bias[position] += load);
        train.begin(factors);
        tree.masses(room, |positions, mass| train.couple(factors, positions, mass));
        train.finish(factors).map_err(|coordinate| self.no_mass(coordinate))?;
        self.prepared.find_mobility(buffers);
        Ok(())
    }

    fn no_mass(&self, coordinate: usize) -> ModelError {
        ModelError::singular(format!(
            "\"{}\" can move without moving any inertia, alone or together with other joints: what is behind it needs a mass \
             away from its axis, or moments of inertia",
            self.parts[self.wiring.coordinates[coordinate]].name
        ))
    }

    /// Takes the loads that joints need, before accelerations are known, from the loads at the positions.
    pub fn add_bias(&self, tau: &mut [T], space: &Option<SpaceBuffers<T>>) {
        if let Some(SpaceBuffers { bias, .. }) = space {
            tau.iter_mut().zip(bias).for_each(|(tau, bias)| *tau -= *bias);
        }
    }

    /// Finds motions and loads in space once the accelerations are known.
    pub fn move_in_space(&self, buffers: &mut Buffers<T>) {
        let Buffers { x: [x, v, a], tau, space, .. } = buffers;
        if let (Some(tree), Some(SpaceBuffers { room, bias })) = (&self.prepared.tree, space) {
            tree.set_motion(room, [x, v, a]);
            tau.iter_mut().zip(bias).for_each(|(tau, bias)| *tau += *bias);
            tree.loads(room, |position, load| tau[position] -= load);
        }
    }

    /// Where a part is in space.
    pub fn space<'b>(&'b self, i: usize, buffers: &'b Buffers<T>) -> Option<Space<'b, T>> {
        let space = buffers.space.as_ref().filter(|_| self.parts[i].part.is_in_space())?;
        let tree = self.prepared.tree.as_ref()?;
        let (frames, element) = (&self.wiring.frames[i], self.wiring.first_elements[i]);
        Some(Space { tree, room: &space.room, frames, element })
    }
}
