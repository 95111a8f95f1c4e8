//! Factors of symmetric matrices.

use nalgebra::DMatrix;

use crate::{Scalar, value};

/// Fraction of the diagonal below which a pivot counts as 0: near a gimbal lock, accelerations grow beyond all bounds.
pub const SINGULAR: f64 = 1e-10;

/// A matrix L with L L^T = A, where A is symmetric and positive definite, by Cholesky's method. Numbers above its diagonal have
/// no meaning.
#[derive(Clone, Debug)]
pub(crate) struct Factor<T: Scalar>(DMatrix<T>);

impl<T: Scalar> Factor<T> {
    /// Factors A, given by its lower half, or returns the number of a row that has no inertia.
    pub fn new(matrix: DMatrix<T>) -> Result<Self, usize> {
        let diagonal: Vec<_> = matrix.diagonal().iter().map(|entry| value(*entry)).collect();
        let mut factor = Self(matrix);
        factor.compute(&|row| diagonal[row])?;
        Ok(factor)
    }

    /// Makes a factor of this size, to be replaced.
    pub fn unfactored(matrix: DMatrix<T>) -> Self {
        Self(matrix)
    }

    /// Factors another A of the same size, given by its lower half, or returns the number of a row that is singular.
    pub fn replace(&mut self, matrix: &DMatrix<T>) -> Result<(), usize> {
        self.0.copy_from(matrix);
        self.compute(&|row| value(matrix[(row, row)]))
    }

    /// Converts the factor to another scalar type, number by number.
    pub fn map<U: Scalar>(&self, to: impl Fn(T) -> U) -> Factor<U> {
        Factor(self.0.map(to))
    }

    /// Returns the number of rows.
    pub fn count(&self) -> usize {
        self.0.nrows()
    }

    /// Replaces A, which has this diagonal, by L.
    #[inline(never)]
    fn compute(&mut self, diagonal: &dyn Fn(usize) -> f64) -> Result<(), usize> {
        let count = self.count();
        let columns = self.0.as_mut_slice();
        for j in 0..count {
            let (before, rest) = columns.split_at_mut(j * count);
            let column = &mut rest[j..count];
            for other in before.chunks_exact(count) {
                let factor = other[j];
                column.iter_mut().zip(&other[j..]).for_each(|(own, other)| *own -= factor * *other);
            }
            let pivot = column[0];
            if value(pivot).is_nan() || value(pivot) <= 0.0 {
                return Err((0..count).find(|row| diagonal(*row) <= 0.0).unwrap_or(j));
            }
            column[0] = pivot.sqrt();
            let (root, below) = column.split_at_mut(1);
            below.iter_mut().for_each(|own| *own /= root[0]);
        }
        let is_rounding = |row: &usize| value(self.0[(*row, *row)]).powi(2) <= SINGULAR * diagonal(*row);
        (0..count).find(is_rounding).map_or(Ok(()), Err)
    }

    /// Returns the rates at which rows before this one move against it, where it has no inertia unless they rest.
    #[cold]
    pub fn counteracting_rates(&self, row: usize) -> Vec<f64> {
        let entry = |i: usize, j: usize| value(self.0[(i, j)]);
        let mut rates: Vec<_> = (0..row).map(|j| entry(row, j)).collect();
        for j in (0..row).rev() {
            let later = (j + 1..row).map(|i| entry(i, j) * rates[i]).sum::<f64>();
            rates[j] = (rates[j] - later) / entry(j, j);
        }
        rates
    }

    /// Returns an entry of L.
    pub fn entry(&self, row: usize, column: usize) -> T {
        self.0[(row, column)]
    }

    /// Replaces b by the solution x of A x = b.
    // Not inlined, since it is used at many places.
    #[inline(never)]
    pub fn solve(&self, b: &mut [T]) {
        self.halve(b);
        self.finish(b);
    }

    /// Replaces b by the solution x of L x = b.
    pub fn halve(&self, b: &mut [T]) {
        for (j, column) in self.0.as_slice().chunks_exact(self.count().max(1)).enumerate() {
            b[j] /= column[j];
            let (now, later) = b.split_at_mut(j + 1);
            later.iter_mut().zip(&column[j + 1..]).for_each(|(b, l)| *b -= now[j] * *l);
        }
    }

    /// Replaces b by the solution x of L^T x = b.
    pub fn finish(&self, b: &mut [T]) {
        for (j, column) in self.0.as_slice().chunks_exact(self.count().max(1)).enumerate().rev() {
            let later = column[j + 1..].iter().zip(&b[j + 1..]).fold(T::zero(), |sum, (l, b)| sum + *l * *b);
            b[j] = (b[j] - later) / column[j];
        }
    }
}
