//! Articulated bodies of a mechanism in place of blocks of M that change with the motion.

use super::{Drivetrain, Factors};
use crate::Scalar;
use crate::tree::{Drive, Tree};

/// Number of velocities from which on a mechanism costs less by articulated bodies than by a block of M.
const FEWEST: usize = 8;

impl<T: Scalar> Drivetrain<T> {
    /// Takes the articulated bodies of a mechanism in place of its blocks of M, if it is large, consists of joints only, and
    /// each velocity of a joint moves with a coordinate of its own, which moves nothing together with others.
    pub fn articulate(&mut self, tree: &Tree<T>) {
        let free = |position: usize| self.rows.row(position).iter().filter(|(k, _)| *k < self.free);
        let changes = |k: usize| self.changing_of[k].is_some();
        let is_large = self.changing.iter().any(|(_, constant)| constant.nrows() >= FEWEST);
        let Some(positions) = tree.joint_positions().filter(|_| is_large) else { return };
        let mut moves = vec![false; self.free];
        let mut is_own = true;
        for (k, _) in positions.flat_map(free) {
            is_own &= !std::mem::replace(&mut moves[*k], true);
        }
        let is_shared = |position: usize| free(position).count() > 1 && free(position).any(|(k, _)| changes(*k));
        if !is_own || (0..self.free).any(|k| changes(k) && !moves[k]) || (0..self.rows.len()).any(is_shared) {
            return;
        }
        let drive = |position: usize| {
            let (coordinate, ratio) = *free(position).next()?;
            let (first, constant) = &self.changing[self.changing_of[coordinate]?];
            #[allow(non_snake_case)]
            let J = constant[(coordinate - first, coordinate - first)];
            Some(Drive { coordinate, ratio, J })
        };
        self.articulated = Some(Box::new(tree.articulated_bodies(drive)));
    }

    /// Allocates what replaces M where it changes with the motion.
    pub fn factors(&self) -> Factors<T> {
        if self.articulated.is_none() {
            return self.blocks();
        }
        let mut factors = Factors::new(std::iter::empty(), self.coordinates.len());
        factors.articulated.clone_from(&self.articulated);
        factors
    }

    /// Allocates the blocks of M that change with the motion.
    pub fn blocks(&self) -> Factors<T> {
        Factors::new(self.changing.iter().map(|(_, matrix)| matrix), self.coordinates.len())
    }
}
