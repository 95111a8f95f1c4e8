//! Accelerations at a point, with what the free coordinates change of them: for a start at rest.

use fmu_runtime::{Dual64, ModelError};
use mechanics::value;

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::train::PartScalar;

/// A sum of accelerations of positions, in rad/s2 or m/s2.
#[derive(Clone, Debug)]
pub struct Acceleration<T> {
    /// The sum.
    pub sum: T,
    /// Its derivatives with respect to free coordinates.
    pub by: Vec<(usize, f64)>,
    /// The size of the numbers whose difference it is.
    pub size: f64,
}

/// Derivatives below this fraction of their terms are rounding. Several friction elements that hold each other redundantly
/// leave the most.
const ROUNDING: f64 = 1e-6;

impl<T: PartScalar> System<'_, T> {
    /// These sums of positions, with coefficients, as accelerations, in the modes that friction elements have there.
    pub fn accelerations_of(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        sums: &[Vec<(usize, T)>],
    ) -> Result<Vec<Acceleration<T>>, ModelError> {
        let (mut reals, mut integers) = (view.reals.to_vec(), view.integers.to_vec());
        let mut booleans = view.booleans.to_vec();
        let mut arrays = Arrays { reals: &mut reals, integers: &mut integers, booleans: &mut booleans };
        let at_random = buffers.space.as_ref().is_some_and(|space| space.workspace.stretches);
        // What does not fit is refused once the position is found.
        self.begin(&mut arrays, buffers, true)?;
        self.find_modes(&mut arrays, buffers)?;
        self.place(arrays.view(), buffers)?;
        self.accelerate(arrays.view(), buffers)?;
        let total = |a: &[T], terms: &Vec<(usize, T)>| terms.iter().fold(T::zero(), |sum, (i, n)| sum + *n * a[*i]);
        let mut found: Vec<_> = sums
            .iter()
            .map(|terms| Acceleration { sum: total(buffers.motion(2), terms), by: Vec::new(), size: 0.0 })
            .collect();

        self.along(&mut arrays, 0, at_random, |k, system, view, buffers| {
            system.place(view, buffers)?;
            system.accelerate(view, buffers)?;
            let changes = buffers.motion(2).to_vec();
            system.accelerate_by_sizes(view, buffers)?;
            for (found, terms) in found.iter_mut().zip(sums) {
                let of = |a: &[Dual64]| terms.iter().fold(Dual64::from_re(0.0), |sum, (i, n)| sum + a[*i] * value(*n));
                let (change, size) = (of(&changes).eps, of(buffers.motion(2)));
                if change.abs() > ROUNDING * size.eps.abs() {
                    found.by.push((k, change));
                }
                found.size = size.re.abs();
            }
            Ok(())
        })?;
        Ok(found)
    }
}
