//! Linear conditions on rates, and the rates that fulfil them.
//!
//! ```text
//! J v = 0,   J^T P = Q R,   Q = (Q_1, Z):   v = Z y
//! J_r^+ = Q_1 R_11^-T                        least change that brings the r chosen conditions about
//! ```
//!
//! The factors are those of Householder, with the rows of J in the order of their pivots. Any r independent rows have the
//! same solutions where the others follow from them; which r these are may change from point to point.

use nalgebra::DMatrix;

use crate::factor::{Factor, SINGULAR as NO_INERTIA};
use crate::{Scalar, constant, value};

/// Fraction of the largest pivot below which a condition is lost, at a singular point: it is left as it is.
pub const SINGULAR: f64 = 1e-7;

/// Conditions on the rates of some coordinates, with their solutions.
#[derive(Clone, Debug)]
pub struct NullSpace<T: Scalar> {
    /// J^T: a column for each condition.
    columns: DMatrix<T>,
    /// Reflectors below the diagonal, R above it.
    factors: DMatrix<T>,
    q: DMatrix<T>,
    /// The conditions in the order of their pivots.
    order: Vec<usize>,
    rank: usize,
    /// Z^T M Z, with its factor.
    reduced: DMatrix<T>,
    factor: Factor<T>,
    /// R R^T, with its factor.
    square: DMatrix<T>,
    root: Factor<T>,
    buffer: Vec<T>,
    /// Accelerations that keep the conditions while nothing else accelerates.
    pub drift: Vec<T>,
}

impl<T: Scalar> NullSpace<T> {
    /// Allocates conditions on the rates of `count` coordinates, of which `rank` are independent.
    pub fn new(count: usize, conditions: usize, rank: usize) -> Self {
        let rank = rank.min(count).min(conditions);
        let reduced = DMatrix::zeros(count - rank, count - rank);
        Self {
            columns: DMatrix::zeros(count, conditions),
            factors: DMatrix::zeros(count, conditions),
            q: DMatrix::identity(count, count),
            order: (0..conditions).collect(),
            rank,
            factor: Factor::unfactored(reduced.clone()),
            reduced,
            root: Factor::unfactored(DMatrix::zeros(rank, rank)),
            square: DMatrix::zeros(rank, rank),
            buffer: vec![T::zero(); count.max(conditions)],
            drift: vec![T::zero(); count],
        }
    }

    /// Returns the number of coordinates.
    pub fn count(&self) -> usize {
        self.columns.nrows()
    }

    /// Returns the number of conditions.
    pub fn conditions(&self) -> usize {
        self.columns.ncols()
    }

    /// Returns the independent conditions.
    pub fn independent(&self) -> &[usize] {
        &self.order[..self.rank]
    }

    /// Returns J^T.
    pub fn columns(&self) -> &DMatrix<T> {
        &self.columns
    }

    /// Returns true if a condition has a coefficient of this coordinate.
    pub fn has(&self, coordinate: usize) -> bool {
        self.columns.row(coordinate).iter().any(|n| value(*n) != 0.0)
    }

    /// Removes all coefficients.
    pub fn clear(&mut self) {
        self.columns.fill(T::zero());
    }

    /// Adds a coefficient to a condition.
    pub fn add(&mut self, condition: usize, coordinate: usize, coefficient: T) {
        self.columns[(coordinate, condition)] += coefficient;
    }

    /// Finds the factors.
    pub fn decompose(&mut self) {
        let (count, rank) = (self.count(), self.rank);
        self.factors.copy_from(&self.columns);
        (0..).zip(&mut self.order).for_each(|(i, own)| *own = i);
        self.q.fill_with_identity();
        for step in 0..rank {
            let pivot = (step..self.order.len()).max_by(|i, j| self.rest(step, *i).total_cmp(&self.rest(step, *j)));
            let pivot = pivot.unwrap_or(step);
            self.factors.swap_columns(step, pivot);
            self.order.swap(step, pivot);
            let length =
                (step..count).fold(T::zero(), |sum, k| sum + self.factors[(k, step)] * self.factors[(k, step)]);
            let length = length.sqrt();
            if value(length) <= f64::MIN_POSITIVE {
                continue;
            }
            // The reflector v takes the column to a multiple of the first direction.
            let first = self.factors[(step, step)];
            let head = if value(first) < 0.0 { first - length } else { first + length };
            let reflector = &mut self.buffer[..count - step];
            (step..count).for_each(|k| reflector[k - step] = self.factors[(k, step)]);
            reflector[0] = head;
            let square = reflector.iter().fold(T::zero(), |sum, v| sum + *v * *v);
            let scale = constant::<T>(2.0) / square;
            for column in step..self.factors.ncols() {
                reflect(
                    &mut self.factors.as_mut_slice()[column * count + step..(column + 1) * count],
                    reflector,
                    scale,
                );
            }
            // Q H: each row of Q is reflected.
            for row in 0..count {
                let along =
                    (step..count).fold(T::zero(), |sum, k| sum + self.q[(row, k)] * reflector[k - step]) * scale;
                (step..count).for_each(|k| self.q[(row, k)] -= along * reflector[k - step]);
            }
        }
    }

    /// Returns the size of what earlier conditions leave of a column.
    fn rest(&self, step: usize, column: usize) -> f64 {
        (step..self.count()).map(|row| value(self.factors[(row, column)]).powi(2)).sum()
    }

    /// Returns the number of pivots above this fraction of the largest one.
    pub fn rank_above(&self, fraction: f64) -> usize {
        let pivot = |step: usize| value(self.factors[(step, step)]).abs();
        (0..self.rank).take_while(|step| pivot(*step) > fraction * pivot(0)).count()
    }

    /// Returns the smallest of this number of pivots as a fraction of the size of all conditions.
    pub fn regularity(&self, rank: usize) -> f64 {
        let Some(last) = rank.checked_sub(1) else { return 1.0 };
        let size = self.columns.iter().map(|n| value(*n).powi(2)).sum::<f64>().sqrt();
        if size > 0.0 { value(self.factors[(last, last)]).abs() / size } else { 0.0 }
    }

    /// Returns the determinant of the coefficients that as many conditions have of these coordinates, at most the rank.
    #[inline(never)]
    pub fn minor(&mut self, conditions: &[usize], coordinates: &[usize]) -> T {
        let (count, square) = (conditions.len(), &mut self.square);
        let places = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        places.for_each(|(i, j)| square[(i, j)] = self.columns[(coordinates[j], conditions[i])]);
        let mut product = T::one();
        for step in 0..count {
            let size = |i: &usize| value(square[(*i, step)]).abs();
            let pivot = (step..count).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or(step);
            if pivot != step {
                square.swap_rows(step, pivot);
                product = -product;
            }
            let head = square[(step, step)];
            product *= head;
            if value(head) == 0.0 {
                break;
            }
            for i in step + 1..count {
                let ratio = square[(i, step)] / head;
                (step + 1..count).for_each(|j| square[(i, j)] = square[(i, j)] - ratio * square[(step, j)]);
            }
        }
        product
    }

    /// Sets `change` to the least change of rates that changes the independent conditions by `wanted`.
    pub fn correct(&mut self, wanted: &[T], change: &mut [T]) {
        let buffer = &mut self.buffer[..self.rank];
        for i in 0..self.rank {
            let known = (0..i).fold(T::zero(), |sum, j| sum + self.factors[(j, i)] * buffer[j]);
            let pivot = self.factors[(i, i)];
            let is_lost = value(pivot).abs() <= SINGULAR * value(self.factors[(0, 0)]).abs();
            buffer[i] = if is_lost { T::zero() } else { (wanted[self.order[i]] - known) / pivot };
        }
        for (row, change) in change.iter_mut().enumerate() {
            *change = (0..self.rank).fold(T::zero(), |sum, j| sum + self.q[(row, j)] * buffer[j]);
        }
    }

    /// Takes from `change` what `total` has of the free directions: `change -= Z Z^T total`.
    pub fn remove_free(&self, total: &[T], change: &mut [T]) {
        for direction in 0..self.directions() {
            let along =
                total.iter().enumerate().fold(T::zero(), |sum, (k, total)| sum + self.free(k, direction) * *total);
            change.iter_mut().enumerate().for_each(|(k, change)| *change -= self.free(k, direction) * along);
        }
    }

    /// Returns a coefficient of Z.
    pub fn free(&self, coordinate: usize, direction: usize) -> T {
        self.q[(coordinate, self.rank + direction)]
    }

    /// Returns the number of directions that are free.
    pub fn directions(&self) -> usize {
        self.count() - self.rank
    }

    /// Factors Z^T M Z, where the lower half of M is given.
    ///
    /// # Errors
    ///
    /// Returns the coordinate that moves most in a direction without inertia.
    pub fn reduce(&mut self, mass: &DMatrix<T>) -> Result<(), usize> {
        let count = self.count();
        for j in 0..self.directions() {
            for k in 0..count {
                let entry = |i: usize| if i >= k { mass[(i, k)] } else { mass[(k, i)] };
                self.buffer[k] = (0..count).fold(T::zero(), |sum, i| sum + entry(i) * self.q[(i, self.rank + j)]);
            }
            for i in j..self.directions() {
                let sum = (0..count).fold(T::zero(), |sum, k| sum + self.q[(k, self.rank + i)] * self.buffer[k]);
                self.reduced[(i, j)] = sum;
            }
        }
        self.factor.replace(&self.reduced).map_err(|direction| self.moved_most(direction))
    }

    /// Returns an entry of L, where Z^T M Z = L L^T.
    pub fn root(&self, row: usize, column: usize) -> T {
        self.factor.entry(row, column)
    }

    /// Returns the coordinate that moves most in a direction without inertia, where those of the coordinates have these limits.
    #[inline(never)]
    pub fn without_inertia(&self, limits: &[f64]) -> Option<usize> {
        let inertia = |j: usize| {
            let along = |(k, limit): (usize, &f64)| value(self.free(k, j)).powi(2) * limit;
            limits.iter().enumerate().map(along).sum::<f64>()
        };
        let lacks = |j: &usize| value(self.reduced[(*j, *j)]) <= NO_INERTIA * inertia(*j);
        (0..self.directions()).find(lacks).map(|j| self.moved_most(j))
    }

    /// Returns the coordinate that moves most in a direction.
    fn moved_most(&self, direction: usize) -> usize {
        let size = |k: &usize| value(self.free(*k, direction)).abs();
        (0..self.count()).max_by(|i, j| size(i).total_cmp(&size(j))).unwrap_or_default()
    }

    /// Finds half of a solution, u = L^-1 Z^T loads.
    #[inline(never)]
    pub fn halve(&self, loads: &[T], halves: &mut [T]) {
        for (j, half) in halves.iter_mut().enumerate() {
            *half = loads.iter().enumerate().fold(T::zero(), |sum, (k, load)| sum + self.free(k, j) * *load);
        }
        self.factor.halve(halves);
    }

    /// Finds the other half, the accelerations Z L^-T u, with those of the drift if `drifts`.
    #[inline(never)]
    pub fn finish(&self, halves: &mut [T], accelerations: &mut [T], drifts: bool) {
        self.factor.finish(halves);
        for (k, own) in accelerations.iter_mut().enumerate() {
            let drift = if drifts { self.drift[k] } else { T::zero() };
            *own = halves.iter().enumerate().fold(drift, |sum, (j, half)| sum + self.free(k, j) * *half);
        }
    }

    /// Replaces generalised loads by the accelerations that fulfil the conditions, with those of the drift if `drifts`.
    pub fn solve(&mut self, mass: &DMatrix<T>, loads: &mut [T], drifts: bool) {
        let count = self.count();
        if drifts {
            for (i, load) in loads.iter_mut().enumerate() {
                let entry = |k: usize| if i >= k { mass[(i, k)] } else { mass[(k, i)] };
                *load -= (0..count).fold(T::zero(), |sum, k| sum + entry(k) * self.drift[k]);
            }
        }
        let directions = self.directions();
        for j in 0..directions {
            self.buffer[j] = (0..count).fold(T::zero(), |sum, k| sum + self.free(k, j) * loads[k]);
        }
        self.factor.solve(&mut self.buffer[..directions]);
        for (k, load) in loads.iter_mut().enumerate() {
            let drift = if drifts { self.drift[k] } else { T::zero() };
            *load = (0..directions).fold(drift, |sum, j| sum + self.free(k, j) * self.buffer[j]);
        }
    }

    /// Sets the multipliers of all conditions to the least ones whose loads J^T lambda are given.
    pub fn multipliers(&mut self, loads: &[T], multipliers: &mut [T]) {
        // R R^T w = Q_1^T loads,   lambda = P R^T w.
        let (rank, count) = (self.rank, self.count());
        let Self { factors, order, q, square, root, buffer, .. } = self;
        let entry = |i: usize, k: usize| if k >= i { factors[(i, k)] } else { T::zero() };
        for (i, j) in (0..rank).flat_map(|i| (0..=i).map(move |j| (i, j))) {
            square[(i, j)] = (0..order.len()).fold(T::zero(), |sum, k| sum + entry(i, k) * entry(j, k));
        }
        multipliers.fill(T::zero());
        if root.replace(square).is_err() {
            return;
        }
        let w = &mut buffer[..rank];
        for (j, w) in w.iter_mut().enumerate() {
            *w = (0..count).fold(T::zero(), |sum, k| sum + q[(k, j)] * loads[k]);
        }
        root.solve(w);
        for (k, condition) in order.iter().enumerate() {
            multipliers[*condition] = (0..rank).fold(T::zero(), |sum, i| sum + entry(i, k) * w[i]);
        }
    }
}

/// Reflects a column: `x -= v (v.x) scale`.
fn reflect<T: Scalar>(column: &mut [T], reflector: &[T], scale: T) {
    let along = column.iter().zip(reflector).fold(T::zero(), |sum, (x, v)| sum + *x * *v) * scale;
    column.iter_mut().zip(reflector).for_each(|(x, v)| *x -= along * *v);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three conditions on four rates, of which the third is the sum of the others.
    fn conditions() -> NullSpace<f64> {
        let rows = [[1.0, 2.0, 0.0, -1.0], [0.5, -1.0, 3.0, 2.0], [1.5, 1.0, 3.0, 1.0]];
        let mut space = NullSpace::new(4, 3, 2);
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(k, n)| space.add(i, k, *n));
        }
        space.decompose();
        space
    }

    fn rates(space: &NullSpace<f64>, v: &[f64]) -> Vec<f64> {
        (0..3).map(|i| (0..4).map(|k| space.columns()[(k, i)] * v[k]).sum()).collect()
    }

    #[test]
    fn without_its_free_directions_a_change_is_the_least_one() {
        let space = conditions();
        let total = [0.3, -0.7, 0.2, 0.5];
        let mut least = total;
        space.remove_free(&total, &mut least);
        let close =
            |one: Vec<f64>, other: Vec<f64>| one.iter().zip(&other).all(|(one, other)| (one - other).abs() < 1e-14);
        assert!(close(rates(&space, &least), rates(&space, &total)));
        let free = |direction: usize| (0..4).map(|k| space.free(k, direction) * least[k]).sum::<f64>();
        assert!((0..2).all(|direction| free(direction).abs() < 1e-14), "{least:?}");
    }

    /// By hand: 1*3 - 0*0.5, and the same with the conditions in the other order.
    #[test]
    fn minors_have_the_sign_of_the_order() {
        let mut space = conditions();
        for (rows, expected) in [([0, 1], 3.0), ([1, 0], -3.0)] {
            let found = space.minor(&rows, &[0, 2]);
            assert!((found - expected).abs() < 1e-15, "{rows:?}: {found}");
        }
        assert_eq!(space.minor(&[], &[]), 1.0);
    }

    #[test]
    fn free_directions_fulfil_all_conditions() {
        let space = conditions();
        for j in 0..space.directions() {
            let direction: Vec<_> = (0..4).map(|k| space.free(k, j)).collect();
            assert!(rates(&space, &direction).iter().all(|rate| rate.abs() < 1e-15), "{direction:?}");
        }
    }

    #[test]
    fn a_correction_is_the_least_one() {
        let mut space = conditions();
        let mut change = [0.0; 4];
        space.correct(&[0.3, -0.2, 0.1], &mut change);
        let found = rates(&space, &change);
        assert!(found.iter().zip([0.3, -0.2, 0.1]).all(|(found, wanted)| (found - wanted).abs() < 1e-15), "{found:?}");
        let across = (0..2).map(|j| (0..4).map(|k| space.free(k, j) * change[k]).sum::<f64>());
        assert!(across.into_iter().all(|across| across.abs() < 1e-15));
    }

    #[test]
    fn regularity_is_that_of_the_angle_between_conditions() {
        for angle in [0.3, 1e-3, 1e-9_f64] {
            let mut space = NullSpace::new(3, 2, 2);
            let (sin, cos) = angle.sin_cos();
            for (row, k, n) in [(0, 0, 2.0), (1, 0, 2.0 * cos), (1, 1, 2.0 * sin)] {
                space.add(row, k, n);
            }
            space.decompose();
            let expected = sin / 2.0_f64.sqrt();
            assert!((space.regularity(2) - expected).abs() < 1e-16, "{angle}: {} {expected}", space.regularity(2));
        }
    }

    /// The solution with multipliers: M a + J^T lambda = f, J a = 0.
    #[test]
    fn accelerations_agree_with_multipliers() {
        let mut space = conditions();
        let mass = DMatrix::from_fn(4, 4, |i, j| if i == j { 3.0 + i as f64 } else { 0.3 * (i + j) as f64 });
        space.reduce(&mass).expect("it has inertia");
        let loads = [1.0, -2.0, 0.5, 3.0];
        let mut a = loads;
        space.solve(&mass, &mut a, false);
        let rest: Vec<f64> = (0..4).map(|i| loads[i] - (0..4).map(|k| mass[(i, k)] * a[k]).sum::<f64>()).collect();
        let mut multipliers = [0.0; 3];
        space.multipliers(&rest, &mut multipliers);
        for (k, rest) in rest.iter().enumerate() {
            let load: f64 = (0..3).map(|i| space.columns()[(k, i)] * multipliers[i]).sum();
            assert!((load - rest).abs() < 1e-14, "{load} {rest}");
        }
        // The least ones are in the space of the conditions: across (1, 1, -1), along which they are redundant.
        assert!((multipliers[0] + multipliers[1] - multipliers[2]).abs() < 1e-14);
        assert!(rates(&space, &a).iter().all(|rate| rate.abs() < 1e-14));
    }
}
