//! Accelerations at a point, with their derivatives with respect to the free coordinates: for a start at rest.

use fmu_runtime::{Dual64, ModelError};
use mechanics::value;
use nalgebra::{Cholesky, DMatrix, DVector};

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View};
use crate::topology::drivetrain::PartScalar;

/// A sum of accelerations of positions, in rad/s2 or m/s2.
#[derive(Clone, Debug)]
pub struct Acceleration<T> {
    /// Value of the sum.
    pub sum: T,
    /// Derivatives of the sum with respect to free coordinates.
    pub by: Vec<(usize, f64)>,
    /// Size of the numbers whose difference the sum is.
    pub size: f64,
}

/// Fraction of their terms below which derivatives are rounding. Several friction elements that hold each other
/// redundantly leave the most.
const ROUNDING: f64 = 1e-6;

/// Loads on the coordinates that start at rest, and their stiffness: by how much the loads fall with the coordinates.
#[derive(Clone, Debug)]
pub struct Statics {
    loads: DVector<f64>,
    stiffness: DMatrix<f64>,
}

/// Fraction of the largest stiffness below which others are zero: along such a displacement anything is an equilibrium.
const FLAT: f64 = 1e-10;

/// Largest change of a coordinate in a step along which the energy falls, in rad or m.
const MAX_CHANGE: f64 = 0.5;

/// Fraction by which the stiffness may differ at the end of a longer step.
const MAX_NONLINEARITY: f64 = 0.5;

/// Fraction of their terms below which works are rounding.
const NO_WORK: f64 = 1e-9;

/// Fraction of their work at the beginning of a step with which the loads may push back at its end.
const MAX_OVERSHOOT: f64 = 0.9;

impl Statics {
    /// Returns Cholesky's factors of the stiffness with `shift` added to that of each coordinate, if it is positive
    /// definite then. Loads that have no potential count by their symmetric part.
    fn factors(&self, shift: f64) -> Option<Cholesky<f64, nalgebra::Dyn>> {
        let count = self.loads.len();
        let mut matrix = (&self.stiffness + self.stiffness.transpose()) * 0.5;
        (0..count).for_each(|k| matrix[(k, k)] += shift);
        Cholesky::new(matrix)
    }

    fn flat(&self) -> f64 {
        FLAT * self.stiffness.amax()
    }

    /// True if no load pushes a small displacement further, so that Newton's method leads downhill.
    pub fn is_convex(&self) -> bool {
        self.loads.is_empty() || self.stiffness.amax() == 0.0 || self.factors(self.flat()).is_some()
    }

    /// Returns a displacement along which the energy falls: that of a motion against strong damping, for a time in
    /// which it does not run away.
    pub fn descent(&self) -> DVector<f64> {
        let mut shift = self.flat();
        let mut change = loop {
            match self.factors(shift) {
                Some(factors) => break factors.solve(&self.loads),
                None if shift.is_finite() && shift > 0.0 => shift *= 2.0,
                // No stiffness resists.
                None => break &self.loads * (2.0 * MAX_CHANGE / self.loads.amax().max(f64::MIN_POSITIVE)),
            }
        };
        let largest = change.amax();
        if largest > MAX_CHANGE {
            change *= MAX_CHANGE / largest;
        }
        change
    }

    /// True if the energy falls along a displacement, at the end of which are these other loads, without a turn on the
    /// way.
    pub fn falls(&self, change: &DVector<f64>, there: &Self) -> bool {
        let size: f64 =
            change.iter().zip(&self.loads).zip(&there.loads).map(|((d, a), b)| (d * a).abs() + (d * b).abs()).sum();
        let [begin, end] = [self, there].map(|statics| statics.loads.dot(change));
        let curvatures = [self, there].map(|statics| change.dot(&(&statics.stiffness * change)));
        let is_linear = change.amax() <= MAX_CHANGE
            || (curvatures[1] - curvatures[0]).abs() <= MAX_NONLINEARITY * curvatures[0].abs() + NO_WORK * size;
        is_linear && begin + end >= -NO_WORK * size && end >= -MAX_OVERSHOOT * begin.abs() - NO_WORK * size
    }
}

/// Accelerations and loads at a point of the search for a start at rest.
pub struct PointAtRest<T> {
    /// The accelerations that are to be zero.
    pub accelerations: Vec<Acceleration<T>>,
    /// Loads on the coordinates that start at rest, if they are asked for.
    pub statics: Option<Statics>,
}

impl<T: PartScalar> System<'_, T> {
    /// Returns generalised loads on the free coordinates if all start at rest, otherwise their accelerations, where
    /// accelerations are known.
    fn driving(&self, buffers: &mut Buffers<T>, coordinates: &[usize]) -> Vec<T> {
        if coordinates.len() == self.wiring.free {
            return self.free_loads(buffers);
        }
        let positions = self.prepared.train.coordinates();
        coordinates.iter().map(|k| buffers.motion(2)[positions[*k]]).collect()
    }

    /// Computes these sums of positions, with coefficients, as accelerations, in the modes that friction elements have
    /// there, and with the signals that follow from positions there, and behind them the derivatives of the states of blocks that
    /// rest; with the loads on these coordinates.
    pub fn accelerations_of(
        &self,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
        sums: &[Vec<(usize, T)>],
        coordinates: Option<&[usize]>,
    ) -> Result<PointAtRest<T>, ModelError> {
        let (mut reals, mut integers) = (view.reals.to_vec(), view.integers.to_vec());
        let mut booleans = view.booleans.to_vec();
        let mut arrays = Arrays { reals: &mut reals, integers: &mut integers, booleans: &mut booleans };
        let at_random = buffers.space.as_ref().is_some_and(|space| space.workspace.stretches);
        // An assembly that does not fit is refused once the position is found.
        self.begin(&mut arrays, buffers, true)?;
        if !self.wiring.signals.sensed.is_empty() {
            self.move_to(arrays.view(), buffers)?;
            self.begin_blocks(&mut arrays, Some(buffers), true)?;
        }
        self.find_modes(&mut arrays, buffers)?;
        self.accelerate_alone(arrays.view(), buffers)?;
        let total = |a: &[T], terms: &Vec<(usize, T)>| terms.iter().fold(T::zero(), |sum, (i, n)| sum + *n * a[*i]);
        let mut found: Vec<_> = sums
            .iter()
            .map(|terms| Acceleration { sum: total(buffers.motion(2), terms), by: Vec::new(), size: 0.0 })
            .collect();
        let resting = &self.wiring.signals.resting;
        found.extend(resting.iter().map(|state| {
            let rate = arrays.reals[state.places[1]];
            Acceleration { sum: rate, by: Vec::new(), size: 1.0 + value(rate).abs() }
        }));
        let mut statics = coordinates.map(|coordinates| Statics {
            loads: self.driving(buffers, coordinates).into_iter().map(value).collect::<Vec<_>>().into(),
            stiffness: DMatrix::zeros(coordinates.len(), coordinates.len()),
        });

        let mut visit =
            |k: usize, system: &System<'_, Dual64>, view: View<'_, Dual64>, buffers: &mut Buffers<Dual64>| {
                for (state, found) in resting.iter().zip(&mut found[sums.len()..]) {
                    let change = view.reals[state.places[1]].eps;
                    found.by.extend((change != 0.0).then_some((k, change)));
                }
                system.accelerate_alone(view, buffers)?;
                let changes = buffers.motion(2).to_vec();
                if let (Some(statics), Some(coordinates)) = (&mut statics, coordinates)
                    && let Ok(column) = coordinates.binary_search(&k)
                {
                    let driving = system.driving(buffers, coordinates);
                    statics
                        .stiffness
                        .column_mut(column)
                        .iter_mut()
                        .zip(driving)
                        .for_each(|(entry, load)| *entry = -load.eps);
                }
                system.accelerate_by_sizes(view, buffers)?;
                for (found, terms) in found.iter_mut().zip(sums) {
                    let of =
                        |a: &[Dual64]| terms.iter().fold(Dual64::from_re(0.0), |sum, (i, n)| sum + a[*i] * value(*n));
                    let (change, size) = (of(&changes).eps, of(buffers.motion(2)));
                    if change.abs() > ROUNDING * size.eps.abs() {
                        found.by.push((k, change));
                    }
                    found.size = size.re.abs();
                }
                Ok(())
            };
        self.along(&mut arrays, 0, at_random, &mut visit)?;
        self.along_others(&mut arrays, at_random, &mut visit)?;
        Ok(PointAtRest { accelerations: found, statics })
    }
}
