//! Dormand and Prince's explicit method of order 5(4) with dense output of order 4.
//!
//! Source: E. Hairer, S. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, II.4 and II.6; stiffness:
//! volume II, IV.2.

use crate::component::integration::dense::Dense;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

const A: [&[f64]; 7] = [
    &[],
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// Weights of the difference to the embedded method of order 4.
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];

/// Weights of the dense output.
const D: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

/// Value of `h` times the largest eigenvalue at the border of stability.
const STABILITY_LIMIT: f64 = 3.25;

/// Number of evaluations of the derivatives in a step.
pub const EVALUATIONS: f64 = 6.0;

/// Returns the number of evaluations of the derivatives in stable steps over a time `h`, with eigenvalues up to a bound.
pub fn evaluations(h: f64, spectral_bound: f64) -> f64 {
    EVALUATIONS * (h * spectral_bound / STABILITY_LIMIT).max(1.0)
}

/// Sets `sum` to the sum of the stages with these weights.
fn combine(weights: &[f64], stages: &[Vec<f64>], sum: &mut [f64]) {
    sum.fill(0.0);
    for (weight, stage) in weights.iter().zip(stages) {
        for (sum, slope) in sum.iter_mut().zip(stage) {
            *sum += weight * slope;
        }
    }
}

/// An explicit step: its stages, without allocating for each.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// Derivatives of the states in each stage, of which the last one is at the end of the step.
    stages: [Vec<f64>; 7],
    /// The states in the last stage but one, which is at the end of the step, too.
    before: Vec<f64>,
}

impl Explicit {
    pub fn new(count: usize) -> Self {
        Self { stages: std::array::from_fn(|_| vec![0.0; count]), before: vec![0.0; count] }
    }

    /// Makes a step of `h` from states `x` with derivatives `dx`; sets `error` to the estimated error, and the event
    /// indicators inside, after 0.3 and 0.8 of the step, if they are asked for, and at the end.
    pub fn step(
        &mut self,
        system: &mut dyn System,
        (t, h): (f64, f64),
        (x, dx): (&[f64], &[f64]),
        dense: &mut Dense,
        error: &mut [f64],
        (inside, indicators): (Option<[&mut [f64]; 2]>, &mut [f64]),
    ) -> Result<(), ModelError> {
        let [mut near_begin, mut near_end] = inside.map_or([None, None], |inside| inside.map(Some));
        self.stages[0].copy_from_slice(dx);
        for stage in 1..7 {
            let (done, rest) = self.stages.split_at_mut(stage);
            combine(A[stage], done, &mut dense.end);
            for (end, x) in dense.end.iter_mut().zip(x) {
                *end = x + h * *end;
            }
            if stage == 5 {
                self.before.copy_from_slice(&dense.end);
            }
            let at = t + C[stage] * h;
            let indicators = match stage {
                2 => near_begin.take(),
                3 => near_end.take(),
                6 => Some(&mut *indicators),
                _ => None,
            };
            match indicators {
                Some(indicators) => {
                    system.derivatives_and_indicators(at, &dense.end, &mut rest[0], indicators)?;
                }
                None => system.derivatives(at, &dense.end, &mut rest[0])?,
            }
        }
        let [c0, c1, c2] = &mut dense.coefficients;
        combine(&E, &self.stages, error);
        combine(&D, &self.stages, c2);
        for i in 0..x.len() {
            error[i] *= h;
            let difference = dense.end[i] - x[i];
            let bend = h * c2[i];
            c0[i] = h * self.stages[0][i] - difference;
            c1[i] = difference - h * self.stages[6][i] - c0[i] + bend;
            c2[i] = -bend;
        }
        Ok(())
    }

    /// Returns the derivatives at the end of the step.
    pub fn end(&self) -> &[f64] {
        &self.stages[6]
    }

    /// Returns true if stability limits a step of `h`.
    pub fn is_limited_by_stability(&self, h: f64, dense: &Dense, scale: &[f64]) -> bool {
        let norm = |a: &[f64], b: &[f64]| -> f64 {
            a.iter().zip(b).zip(scale).map(|((a, b), scale)| ((a - b) / scale).powi(2)).sum::<f64>().sqrt()
        };
        let [slopes, states] = [norm(&self.stages[6], &self.stages[5]), norm(&dense.end, &self.before)];
        states > 0.0 && h * slopes > STABILITY_LIMIT * states
    }
}
