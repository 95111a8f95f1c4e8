//! Articulated bodies of a mechanism in place of blocks of M that change with the motion: why and where is in
//! docs/decisions/articulated-bodies.md.

use super::{Drivetrain, Factors};
use crate::Scalar;
use crate::tree::{ArticulatedBodies, Drive, MassSolver, Tree};

/// Fewest velocities of a mechanism with articulated bodies: fewer than 4 cost more so, and up to 7 would gain little.
const MIN_VELOCITIES: usize = 8;

impl<T: Scalar> Drivetrain<T> {
    /// Returns the articulated bodies of a mechanism to [set](Self::set_mass_solver) in place of its blocks of M, if it is large and consists
    /// of joints only, and if each velocity of a joint has a coordinate of its own, which moves nothing together with
    /// another one.
    pub fn articulated_bodies(&self, tree: &Tree<T>) -> Option<ArticulatedBodies<T>> {
        let free = |position: usize| self.rows.row(position).iter().filter(|(k, _)| *k < self.free);
        let changes = |k: usize| self.changing_of[k].is_some();
        let is_large = self.changing.iter().any(|(_, constant)| constant.nrows() >= MIN_VELOCITIES);
        let positions = tree.joint_positions().filter(|_| is_large)?;
        let mut moves = vec![false; self.free];
        let mut is_own = true;
        for (k, _) in positions.flat_map(free) {
            is_own &= !std::mem::replace(&mut moves[*k], true);
        }
        let is_shared = |position: usize| free(position).count() > 1 && free(position).any(|(k, _)| changes(*k));
        if !is_own || (0..self.free).any(|k| changes(k) && !moves[k]) || (0..self.rows.len()).any(is_shared) {
            return None;
        }
        let drive = |position: usize| {
            let (coordinate, ratio) = *free(position).next()?;
            let (first, constant) = &self.changing[self.changing_of[coordinate]?];
            #[allow(non_snake_case)]
            let J = constant[(coordinate - first, coordinate - first)];
            Some(Drive { coordinate, ratio, J })
        };
        Some(tree.articulated_bodies(drive))
    }

    /// Sets a solver in place of all blocks of M that change with the motion.
    pub fn set_mass_solver(&mut self, solver: Box<dyn MassSolver<T>>) {
        self.solver = Some(solver);
    }

    /// Allocates what replaces M where it changes with the motion.
    pub fn factors(&self) -> Factors<T> {
        if self.solver.is_none() {
            return self.blocks();
        }
        let mut factors = Factors::new(std::iter::empty(), self.coordinates.len());
        factors.solver.clone_from(&self.solver);
        factors
    }

    /// Allocates the blocks of M that change with the motion.
    pub fn blocks(&self) -> Factors<T> {
        Factors::new(self.changing.iter().map(|(_, matrix)| matrix), self.coordinates.len())
    }
}
