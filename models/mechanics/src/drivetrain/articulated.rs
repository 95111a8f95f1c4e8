//! Articulated bodies of a mechanism in place of blocks of M that change with the motion: why and where is in
//! docs/decisions/articulated-bodies.md.

use nalgebra::DMatrix;

use super::{Drivetrain, Factors};
use crate::tree::{ArticulatedBodies, Drive, MassSolver, Tree};
use crate::{Scalar, value};

/// Fewest velocities of joints and rotors with articulated bodies: fewer cost more so.
const MIN_VELOCITIES: usize = 4;

impl<T: Scalar> Drivetrain<T> {
    /// Returns the articulated bodies of a mechanism to [set](Self::set_mass_solver) in place of its blocks of M, if it
    /// is large and consists of joints and rotors only, and if each velocity of a joint has a coordinate of its own,
    /// which turns no rotor and moves nothing together with another one.
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
        is_own &= !tree.rotor_positions().flat_map(free).any(|(k, _)| moves[*k]);
        tree.rotor_positions().flat_map(free).for_each(|(k, _)| moves[*k] = true);
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
        tree.articulated_bodies(drive)
    }

    /// Sets a solver in place of all blocks of M that change with the motion.
    pub fn set_mass_solver(&mut self, solver: Box<dyn MassSolver<T>>) {
        self.solver = Some(solver);
    }

    /// Adds to generalised loads on the free coordinates a load at a position.
    pub fn add_load(&self, position: usize, load: T, free: &mut [T]) {
        self.rows.add_row(position, load, free);
    }

    /// Adds the loads that the inertias at some positions take if these accelerate by `displacement`.
    pub fn add_inertial_loads(&self, displacement: &[(usize, T)], free: &mut [T]) {
        displacement.iter().for_each(|(i, by)| self.rows.add_row(*i, self.inertias[*i] * *by, free));
    }

    /// Computes F^T M^-1 F by a [solver](Self::set_mass_solver), where the columns of F are `loads` on the free
    /// coordinates. Passes row, column and element for each column before `count` and each row from the column on.
    /// Overwrites F.
    pub fn mobility(
        &self,
        factors: &mut Factors<T>,
        loads: &mut DMatrix<T>,
        count: usize,
        mut pass: impl FnMut(usize, usize, T),
    ) {
        let Factors { solver: Some(solver), loads: buffer, .. } = factors else { return };
        let free = self.free.max(1);
        let columns = loads.as_mut_slice();
        columns.chunks_exact_mut(free).for_each(|column| solver.halve(column));
        let accelerations = &mut buffer[..self.free];
        for (k, column) in columns.chunks_exact(free).enumerate().take(count) {
            accelerations.copy_from_slice(column);
            self.solve_constant(accelerations);
            solver.divide(accelerations);
            let moves = |a: &T| value(*a) != 0.0 || a.tangent() != 0.0;
            let end = accelerations.iter().rposition(moves).map_or(0, |last| last + 1);
            let begin = accelerations[..end].iter().position(moves).unwrap_or(end);
            for (i, other) in columns.chunks_exact(free).enumerate().skip(k) {
                let products = other[begin..end].iter().zip(&accelerations[begin..end]);
                pass(i, k, products.fold(T::zero(), |sum, (load, by)| sum + *load * *by));
            }
        }
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
