//! Blocks of M that change with the motion, and the factors of all blocks.

use nalgebra::DMatrix;

use crate::factor::{Factor, SINGULAR};
use crate::null_space::NullSpace;
use crate::tree::MassSolver;
use crate::{Scalar, value};

/// Fraction of the motion that they balance, below which rates are rounding.
const AGAINST: f64 = 1e-4;

/// Blocks of M that change with the motion, at a point: their lower halves and factors.
#[derive(Clone, Debug)]
pub struct Factors<T: Scalar> {
    /// Lower halves of the blocks.
    pub(super) blocks: Vec<DMatrix<T>>,
    factors: Vec<Factor<T>>,
    /// Conditions on the rates of blocks.
    null_spaces: Vec<Option<Box<NullSpace<T>>>>,
    /// S: dependent coordinates, free coordinates, ratios of their velocities.
    pub(super) slopes: Vec<(usize, usize, T)>,
    /// Buffer with one number for each coordinate.
    pub(super) loads: Vec<T>,
    /// A solver in place of all blocks.
    pub(super) solver: Option<Box<dyn MassSolver<T>>>,
}

impl<T: Scalar> Factors<T> {
    /// Allocates blocks of the sizes of these, for this number of coordinates.
    pub(super) fn new<'a>(blocks: impl Iterator<Item = &'a DMatrix<T>>, coordinates: usize) -> Self {
        let blocks: Vec<_> = blocks.cloned().collect();
        let factors = blocks.iter().cloned().map(Factor::unfactored).collect();
        let null_spaces = vec![None; blocks.len()];
        Self { blocks, factors, null_spaces, slopes: Vec::new(), loads: vec![T::zero(); coordinates], solver: None }
    }

    /// Returns the solver that takes the place of all blocks; its clusters are blocks with conditions.
    pub fn solver(&mut self) -> Option<&mut (dyn MassSolver<T> + 'static)> {
        self.solver.as_deref_mut()
    }

    /// Replaces the ratios of dependent coordinates.
    pub fn change_slopes(&mut self, change: impl Fn(T) -> T) {
        self.slopes.iter_mut().for_each(|(.., slope)| *slope = change(*slope));
    }

    /// Replaces generalised loads on the coordinates of a block by their accelerations, with the drift that conditions need if
    /// `drifts`.
    #[inline]
    pub(super) fn solve(&mut self, block: usize, loads: &mut [T], drifts: bool) {
        match &mut self.null_spaces[block] {
            None => self.factors[block].solve(loads),
            Some(space) => space.solve(&self.blocks[block], loads, drifts),
        }
    }

    /// Makes conditions on the rates of a block, of which `rank` are independent.
    pub fn hold(&mut self, block: usize, conditions: usize, rank: usize) {
        let made = NullSpace::new(self.block_size(block), conditions, rank);
        match &mut self.solver {
            Some(solver) => *solver.null_space(block) = made,
            None => self.null_spaces[block] = Some(Box::new(made)),
        }
    }

    /// Returns the number of coordinates of a block.
    pub fn block_size(&self, block: usize) -> usize {
        match &self.solver {
            Some(solver) => solver.coordinates(block).len(),
            None => self.blocks[block].nrows(),
        }
    }

    /// Returns the conditions on the rates of a block.
    pub fn null_space(&mut self, block: usize) -> Option<&mut NullSpace<T>> {
        match &mut self.solver {
            Some(solver) => Some(solver.null_space(block)),
            None => self.null_spaces[block].as_deref_mut(),
        }
    }

    /// Returns the rows of a block that move against this one, see [`Self::finish`].
    pub(super) fn counteracting_rows(&self, block: usize, row: usize) -> Vec<usize> {
        let rates = self.factors[block].counteracting_rates(row);
        (0..row).filter(|j| rates[*j].abs() > AGAINST).collect()
    }

    /// Factors the blocks.
    ///
    /// # Errors
    ///
    /// Returns the number of a block, that of its row without inertia, and true if the row has some while those before
    /// it rest.
    pub(super) fn finish(&mut self) -> Result<(), (usize, usize, bool)> {
        for (i, (block, factor)) in self.blocks.iter().zip(&mut self.factors).enumerate() {
            let diagonal = |row: usize| value(block[(row, row)]);
            if let Some(space) = &mut self.null_spaces[i] {
                space.reduce(block).map_err(|row| (i, row, false))?;
                continue;
            }
            factor.replace(block).map_err(|row| {
                let largest = (0..block.nrows()).map(diagonal).fold(0.0, f64::max);
                (i, row, diagonal(row) > SINGULAR * largest)
            })?;
        }
        Ok(())
    }
}
