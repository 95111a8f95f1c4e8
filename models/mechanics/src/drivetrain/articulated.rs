//! Articulated bodies of a mechanism in place of blocks of M that change with the motion: why and where is in
//! docs/decisions/articulated-bodies.md.

use nalgebra::DMatrix;

use super::{Drivetrain, Factors};
use crate::tree::{ArticulatedBodies, MassSolver, Tree, TreeCoordinates};
use crate::{Scalar, value, vanishes};

/// Fewest velocities of joints and rotors with articulated bodies: fewer cost more so.
const MIN_VELOCITIES: usize = 4;

/// Least ratio of all coordinates of a mechanism to those of its largest cluster: otherwise M costs less.
const MIN_RATIO: usize = 2;

/// Least ratio of the entries of M to the velocities beside one for each coordinate: M costs less where links, most of all those of
/// assemblies, have many by several coordinates.
const MIN_ENTRIES: usize = 3;

impl<T: Scalar> Drivetrain<T> {
    /// Returns the articulated bodies of a mechanism to [set](Self::set_mass_solver) in place of its blocks of M, if it
    /// is large, and if few coordinates have to be eliminated together.
    pub fn articulated_bodies(&self, tree: &Tree<T>) -> Option<ArticulatedBodies<T>> {
        let count: usize = self.changing.iter().map(|(_, constant)| constant.nrows()).sum();
        let is_large = self.changing.iter().any(|(_, constant)| constant.nrows() >= MIN_VELOCITIES);
        if !is_large {
            return None;
        }
        let drives = |position: usize| self.free_terms(position).copied().collect();
        let inertia = |one: usize, other: usize| match (self.changing_of[one], self.changing_of[other]) {
            (Some(block), Some(of_other)) if block == of_other => {
                let (first, constant) = &self.changing[block];
                constant[(one - first, other - first)]
            }
            _ => T::zero(),
        };
        let coordinates =
            TreeCoordinates { count: self.free, drives: &drives, inertia: &inertia, tied: &self.tied(tree) };
        let bodies = tree.articulated_bodies(&coordinates)?;
        let moves_joints = (0..self.free).all(|k| self.changing_of[k].is_none() || bodies.moves(k));
        let has_few = bodies.largest_cluster() * MIN_RATIO <= count
            && bodies.velocities().saturating_sub(count) * MIN_ENTRIES <= count * count;
        (moves_joints && has_few).then_some(bodies)
    }

    /// Returns sets of coordinates that are to be eliminated together: those that move a position together, and those of rings.
    fn tied(&self, tree: &Tree<T>) -> Vec<Vec<usize>> {
        let free = |position: usize| self.free_terms(position).map(|(k, _)| *k);
        let mut tied: Vec<Vec<usize>> = (0..self.rows.len()).map(|position| free(position).collect()).collect();
        tied.retain(|set| set.len() > 1 && set.iter().any(|k| self.changing_of[*k].is_some()));
        let loops: Vec<_> = tree.loops().collect();
        // What moves with a joint that closes a ring, or with the axis of an assembly, follows from the coordinates of the loop.
        for position in self.following.iter().filter(|position| value(self.inertias[**position]) != 0.0) {
            let mut set: Vec<_> = free(*position).collect();
            for (k, _) in self.rows.row(*position).iter().filter(|(k, _)| *k >= self.free) {
                let follows = |(first, count): (usize, usize)| self.coordinates[*k].wrapping_sub(first) < count;
                let own = loops.iter().filter(|(following, _)| follows(*following));
                set.extend(own.flat_map(|(_, joints)| joints).flat_map(|position| free(*position)));
            }
            tied.push(set);
        }
        let rings = loops.iter().take(tree.rings().len());
        tied.extend(rings.map(|(_, joints)| joints.iter().flat_map(|position| free(*position)).collect()));
        tied
    }

    /// Iterates over the free coordinates of a position, with their coefficients.
    fn free_terms(&self, position: usize) -> impl Iterator<Item = &(usize, T)> {
        self.rows.row(position).iter().filter(|(k, _)| *k < self.free)
    }

    /// Sets a solver in place of all blocks of M that change with the motion.
    pub fn set_mass_solver(&mut self, solver: Box<dyn MassSolver<T>>) {
        self.solver = Some(solver);
    }

    /// Adds to generalised loads on the free coordinates a load at a position.
    pub fn add_load(&self, factors: &Factors<T>, position: usize, load: T, free: &mut [T]) {
        self.rows.add_row(position, load, free);
        for (k, n) in self.rows.row(position).iter().filter(|(k, _)| *k >= self.free) {
            let own = factors.slopes.iter().filter(|(follows, ..)| follows == k);
            own.for_each(|(_, j, slope)| free[*j] += *n * *slope * load);
        }
    }

    /// Adds the loads that the inertias at some positions take if these accelerate by `displacement`.
    pub fn add_inertial_loads(&self, factors: &Factors<T>, displacement: &[(usize, T)], free: &mut [T]) {
        displacement.iter().for_each(|(i, by)| self.add_load(factors, *i, self.inertias[*i] * *by, free));
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
            let moves = |a: &T| !vanishes(*a);
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
