//! Balance of the loads on coordinates without inertia, by Newton's method.

use nalgebra::DMatrix;

use crate::factor::Factor;
use crate::{Scalar, constant, value};

/// Largest number of steps of Newton's method.
const MAX_STEPS: usize = 100;

/// Fraction of a position, or of the distances to others, below which a step is the last one.
const CLOSE: f64 = 1e-12;

/// Fraction of the slope at the beginning of a step that may remain at its end.
const OVERSHOOT: f64 = 0.9;

/// Linear equations for displacements or rates of some coordinates of a group, with their solution.
#[derive(Clone, Debug)]
pub(super) struct Balance<T: Scalar> {
    /// For each coordinate of the group, its row, if it has one.
    pub rows: Vec<Option<usize>>,
    matrix: DMatrix<T>,
    factor: Factor<T>,
    /// Loads, and behind [`Self::solve`] what balances them.
    pub right: Vec<T>,
    /// The solution of [`newton`].
    pub solution: Vec<T>,
}

impl<T: Scalar> Balance<T> {
    /// Allocates the equations of a group, for those of its coordinates that are unknown.
    pub fn new(is_unknown: impl Iterator<Item = bool>) -> Self {
        let mut count = 0;
        let mut number = |is_unknown: bool| {
            count += usize::from(is_unknown);
            is_unknown.then(|| count - 1)
        };
        let rows = is_unknown.map(&mut number).collect();
        let matrix = DMatrix::zeros(count, count);
        let zeros = vec![T::zero(); count];
        Self { rows, factor: Factor::unfactored(matrix.clone()), matrix, right: zeros.clone(), solution: zeros }
    }

    /// Removes all loads and slopes.
    pub fn clear(&mut self) {
        self.matrix.fill(T::zero());
        self.right.fill(T::zero());
    }

    /// Adds a load and its slope, which act along these coordinates.
    pub fn add(&mut self, terms: &[(usize, T)], load: T, slope: T) {
        for (place, n) in terms {
            let Some(row) = self.rows[*place] else { continue };
            self.right[row] += *n * load;
            for (other, m) in terms {
                if let Some(column) = self.rows[*other] {
                    self.matrix[(row, column)] += *n * *m * slope;
                }
            }
        }
    }

    /// Factors the matrix, or returns the place of a coordinate that nothing holds.
    pub fn factor(&mut self) -> Result<(), usize> {
        let Self { matrix, factor, rows, .. } = self;
        factor.replace(matrix).map_err(|row| rows.iter().position(|own| *own == Some(row)).unwrap_or_default())
    }

    /// Replaces the loads by the displacement that balances them.
    pub fn solve(&mut self) {
        self.factor.solve(&mut self.right);
        self.right.iter_mut().for_each(|entry| *entry = -*entry);
    }

    /// Returns the sum of the solution with coefficients.
    pub fn sum(&self, terms: &[(usize, T)], of: &[T]) -> T {
        terms.iter().fold(T::zero(), |sum, (place, n)| self.rows[*place].map_or(sum, |row| sum + *n * of[row]))
    }
}

/// Finds the displacement from zero at which loads balance; `sums` has, for each load, its number, the coordinates along which
/// it acts, and its argument at zero; `law` returns the load, its slope, and whether that is the same everywhere.
pub(super) fn newton<'a, T: Scalar>(
    system: &mut Balance<T>,
    sums: &(impl Iterator<Item = (usize, &'a [(usize, T)], T)> + Clone),
    law: &mut dyn FnMut(usize, T) -> (T, T, bool),
) -> Result<(), usize> {
    system.solution.fill(T::zero());
    let mut size = 0.0_f64;
    for _ in 0..MAX_STEPS {
        system.clear();
        let mut is_straight = true;
        for (number, terms, at_zero) in sums.clone() {
            let x = at_zero + system.sum(terms, &system.solution);
            size = size.max(value(x).abs());
            let (load, slope, is_same) = law(number, x);
            is_straight &= is_same || terms.is_empty();
            system.add(terms, load, slope);
        }
        system.factor()?;
        system.solve();
        let part = if is_straight { 1.0 } else { step_length(system, sums, law) };
        let largest = system.right.iter().map(|step| value(*step).abs()).fold(0.0, f64::max);
        system.solution.iter_mut().zip(&system.right).for_each(|(own, step)| *own += constant::<T>(part) * *step);
        // The last step also gives the derivatives.
        if is_straight || largest <= CLOSE * size {
            break;
        }
    }
    Ok(())
}

/// Returns the fraction of a step at which it does not go too far uphill again.
fn step_length<'a, T: Scalar>(
    system: &Balance<T>,
    sums: &(impl Iterator<Item = (usize, &'a [(usize, T)], T)> + Clone),
    law: &mut dyn FnMut(usize, T) -> (T, T, bool),
) -> f64 {
    // The slope of the function that is minimised.
    let mut slope = |part: f64| {
        let of = |(number, terms, at_zero): (usize, &'a [(usize, T)], T)| {
            let step = value(system.sum(terms, &system.right));
            let x = at_zero + system.sum(terms, &system.solution) + constant::<T>(part * step);
            value(law(number, x).0) * step
        };
        sums.clone().map(of).sum::<f64>()
    };
    let begin = slope(0.0);
    let (mut low, mut high) = (0.0, 1.0);
    let mut part = 1.0;
    for _ in 0..MAX_STEPS {
        let there = slope(part);
        if there.abs() <= OVERSHOOT * begin.abs() {
            break;
        }
        if there > 0.0 {
            high = part
        } else {
            low = part
        }
        if high - low < CLOSE {
            break;
        }
        if low == 1.0 {
            break;
        }
        part = 0.5 * (low + high);
    }
    part
}
