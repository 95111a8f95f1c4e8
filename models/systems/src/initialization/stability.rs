//! Stability of a start at rest: the eigenvalues of the linearised system there.
//!
//! ```text
//! x' = H v,   v' = A x + B v      x, v: small deviations of what starts at rest
//! ```

use fmu_runtime::{Dual64, ModelError, Number};
use mechanics::eigenvalues::{fastest_growth, inverse};
use nalgebra::DMatrix;

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::real::Real;
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::Owner;

/// Number of coordinates beyond which the analysis would take too long.
const MAX_COORDINATES: usize = 100;

impl System<'_, Real> {
    /// Warns if a start at rest would leave its equilibrium after the smallest disturbance.
    pub fn unstable_start(
        &self,
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
    ) -> Result<Option<String>, ModelError> {
        let resting = self.resting_coordinates(arrays.view());
        // States of controllers are not among these coordinates.
        if resting.is_empty() || resting.len() > MAX_COORDINATES || self.wiring.signals.rests_act {
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
        arrays: &mut Arrays<'_, Real>,
        buffers: &mut Buffers<Real>,
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
                system.accelerate_alone(view, buffers)?;
                for (row, k) in resting.iter().enumerate() {
                    matrix[(count + row, order * count + column)] = buffers.motion(2)[positions[*k]].eps;
                }
                if order == 0 {
                    self.turn(view, resting, column, &mut turns);
                }
                Ok(())
            })?;
        }
        let rates = inverse(turns);
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

/// Rounds a number to three digits.
fn rounded(number: f64) -> f64 {
    let digit = 10.0_f64.powf(number.abs().log10().floor() - 2.0);
    (number / digit).round() * digit
}
