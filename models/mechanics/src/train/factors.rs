//! Blocks of M that change with the motion.

use nalgebra::{Cholesky, DMatrix, Dyn};

use crate::{Scalar, value};

/// Pivots below this fraction of the diagonal are rounding.
const SINGULAR: f64 = 1e-12;

/// The blocks of M that change with the motion, at a point.
#[derive(Clone, Debug)]
pub struct Factors<T: Scalar> {
    blocks: Vec<DMatrix<T>>,
    factors: Vec<Cholesky<T, Dyn>>,
}

impl<T: Scalar> Factors<T> {
    /// Room for blocks like these.
    pub(super) fn new<'a>(blocks: impl Iterator<Item = &'a DMatrix<T>>) -> Self {
        let blocks: Vec<_> = blocks.cloned().collect();
        let factors = blocks.iter().map(|block| Cholesky::pack_dirty(block.clone())).collect();
        Self { blocks, factors }
    }

    /// The blocks, which are not factored yet.
    pub(super) fn blocks(&mut self) -> &mut [DMatrix<T>] {
        &mut self.blocks
    }

    /// The factors of all blocks.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Cholesky<T, Dyn>> {
        self.factors.iter()
    }

    /// Factors the blocks.
    ///
    /// # Errors
    ///
    /// The number of a block with a row that has no inertia, and whether it has some while the rows before it rest.
    pub(super) fn finish(&mut self) -> Result<(), (usize, usize, bool)> {
        for (i, (block, factor)) in self.blocks.iter().zip(&mut self.factors).enumerate() {
            // The matrix of the last factor is used again: nothing is allocated.
            let mut matrix = std::mem::replace(factor, Cholesky::pack_dirty(DMatrix::zeros(0, 0))).unpack_dirty();
            matrix.copy_from(block);
            match cholesky(matrix, |row| value(block[(row, row)])) {
                Ok(found) => *factor = found,
                Err(row) => {
                    *factor = Cholesky::pack_dirty(block.clone());
                    let largest = (0..block.nrows()).map(|row| value(block[(row, row)])).fold(0.0, f64::max);
                    return Err((i, row, value(block[(row, row)]) > SINGULAR * largest));
                }
            }
        }
        Ok(())
    }
}

/// The factor of a matrix with this diagonal, or a row that has no inertia.
pub(super) fn cholesky<T: Scalar>(
    matrix: DMatrix<T>,
    diagonal: impl Fn(usize) -> f64,
) -> Result<Cholesky<T, Dyn>, usize> {
    let rows = 0..matrix.nrows();
    let Some(factor) = Cholesky::new(matrix) else {
        return Err(rows.clone().find(|row| diagonal(*row) <= 0.0).unwrap_or_default());
    };
    let is_rounding = |row: &usize| value(factor.l_dirty()[(*row, *row)]).powi(2) <= SINGULAR * diagonal(*row);
    match rows.clone().find(is_rounding) {
        Some(row) => Err(row),
        None => Ok(factor),
    }
}
