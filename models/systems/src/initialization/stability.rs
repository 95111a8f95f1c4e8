//! Stability of a start at rest: the eigenvalues of the linearised system there.
//!
//! ```text
//! x' = H v,   v' = A x + B v      x, v: small deviations of what starts at rest
//! ```

use fmu_runtime::{Dual64, ModelError, Number};
use nalgebra::{DMatrix, DVector, Schur};

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::Owner;

/// Number of coordinates beyond which the analysis would take too long.
const MAX_COORDINATES: usize = 100;

/// Fraction of the largest eigenvalue below which rates may be rounding: of a double eigenvalue 0 the square root of
/// that of the numbers remains.
const ROUNDING: f64 = 1e-6;

impl System<'_, f64> {
    /// Warns if a start at rest would leave its equilibrium after the smallest disturbance.
    pub fn unstable_start(
        &self,
        arrays: &mut Arrays<'_, f64>,
        buffers: &mut Buffers<f64>,
    ) -> Result<Option<String>, ModelError> {
        let resting = self.resting_coordinates(arrays.view());
        // States of controllers are not among these coordinates.
        let has_blocks = !self.wiring.signals.resting.is_empty();
        if resting.is_empty() || resting.len() > MAX_COORDINATES || has_blocks {
            return Ok(None);
        }
        let system = self.linearised(arrays, buffers, &resting)?;
        let Some((coordinate, rate)) = fastest_growth(&system) else { return Ok(None) };
        let Owner { part, .. } = self.wiring.coordinates[resting[coordinate]];
        Ok(Some(format!(
            "\"{}\" starts in an unstable equilibrium: the smallest disturbance grows by a factor of e in {} s; another start value \
             of its position leads to a stable one",
            self.parts[part].name,
            Number(rounded(1.0 / rate))
        )))
    }

    /// Returns the matrix of the linearised system: first deviations, then their rates.
    fn linearised(
        &self,
        arrays: &mut Arrays<'_, f64>,
        buffers: &mut Buffers<f64>,
        resting: &[usize],
    ) -> Result<DMatrix<f64>, ModelError> {
        let count = resting.len();
        let positions = self.prepared.train.coordinates();
        let mut matrix = DMatrix::zeros(2 * count, 2 * count);
        let mut turns = DMatrix::identity(count, count);
        let at_random = buffers.space.as_ref().is_some_and(|space| space.workspace.stretches);
        for order in [0, 1] {
            self.along(arrays, order, at_random, |k, system, view, buffers| {
                let Ok(column) = resting.binary_search(&k) else { return Ok(()) };
                system.forward_kinematics(view, buffers)?;
                system.accelerate(view, buffers)?;
                for (row, k) in resting.iter().enumerate() {
                    matrix[(count + row, order * count + column)] = buffers.motion(2)[positions[*k]].eps;
                }
                if order == 0 {
                    self.turn(view, resting, column, &mut turns);
                }
                Ok(())
            })?;
        }
        let rates = turns.try_inverse().unwrap_or_else(|| DMatrix::identity(count, count));
        matrix.view_mut((0, count), (count, count)).copy_from(&rates);
        Ok(matrix)
    }

    /// Replaces a column of the identity by the rotation that a coordinate stands for, about axes of the frame that turns,
    /// where it is a component of a rotation vector, whose rate is not the angular velocity.
    fn turn(&self, view: View<'_, Dual64>, resting: &[usize], column: usize, turns: &mut DMatrix<f64>) {
        let Owner { part, own } = self.wiring.coordinates[resting[column]];
        if !self.prepared.posed.contains(&part) {
            return;
        }
        let Some(pose) = Dual64::of(&*self.parts[part].part).pose(view, self.wiring.offsets[part]) else { return };
        // T' T^T = -[w]x
        let spin = pose.T.map(|entry| entry.eps) * pose.T.map(|entry| entry.re).transpose();
        let w = [spin[(1, 2)], spin[(2, 0)], spin[(0, 1)]];
        if w == [0.0; 3] {
            return;
        }
        let first = own - own % 3;
        for (i, w) in w.into_iter().enumerate() {
            let is_it = |k: &usize| self.wiring.coordinates[*k] == Owner { part, own: first + i };
            if let Some(row) = resting.iter().position(is_it) {
                turns[(row, column)] = w;
            }
        }
    }
}

/// Returns the coordinate that moves most in the motion that grows fastest, with its rate in 1/s, if one grows.
fn fastest_growth(system: &DMatrix<f64>) -> Option<(usize, f64)> {
    if system.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    let eigenvalues = Schur::try_new(system.clone(), f64::EPSILON, 10_000)?.complex_eigenvalues();
    let largest = eigenvalues.iter().map(|value| value.re.hypot(value.im)).fold(0.0, f64::max);
    let fastest = eigenvalues.iter().max_by(|one, other| one.re.total_cmp(&other.re))?;
    if fastest.re <= ROUNDING * largest {
        return None;
    }
    // Inverse iteration; for a pair of complex eigenvalues in the plane of their motion.
    let size = system.nrows();
    let shifted = system - DMatrix::identity(size, size) * fastest.re;
    let mut matrix = &shifted * &shifted + DMatrix::identity(size, size) * fastest.im.powi(2);
    let scale = matrix.amax().max(f64::MIN_POSITIVE);
    (0..size).for_each(|k| matrix[(k, k)] += 1e-12 * scale);
    let factors = matrix.lu();
    let mut motion = DVector::from_fn(size, |k, _| 1.0 + (0.618_034 * k as f64).fract());
    for _ in 0..3 {
        motion = factors.solve(&motion)?.normalize();
    }
    Some((motion.rows(0, size / 2).iamax(), fastest.re))
}

/// Rounds a number to three digits.
fn rounded(number: f64) -> f64 {
    let digit = 10.0_f64.powf(number.abs().log10().floor() - 2.0);
    (number / digit).round() * digit
}
