//! Step sizes from the estimated errors of steps.

use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

/// Returns the error of a step relative to the tolerance, from its estimate.
#[inline]
pub fn relative_error(error: &[f64], begin: &[f64], end: &[f64], scale: &[f64], tolerance: f64) -> f64 {
    let parts = error.iter().zip(begin.iter().zip(end)).zip(scale);
    let part = |((error, (begin, end)), scale): ((&f64, (&f64, &f64)), &f64)| {
        error.abs() / (tolerance * (scale + begin.abs().max(end.abs())))
    };
    // `f64::max` would lose a NaN.
    parts.map(part).fold(0.0, |largest, part| if part <= largest { largest } else { part })
}

/// Returns the factor by which a step with this error can grow, after one with the error `before`, both relative to the
/// tolerance. Source: Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations II, IV.2.
pub fn growth(error: f64, before: f64, largest: f64) -> f64 {
    const BETA: f64 = 0.04;
    // Without an error the power would be infinite, an exception for importers that trap it.
    let factor = 0.9 * error.max(f64::MIN_POSITIVE).powf(-(0.2 - 0.75 * BETA)) * before.powf(BETA);
    factor.clamp(0.2, largest)
}

/// Returns the factor by which a step can grow without too large an uncertainty of its event indicators, which grows with the
/// fourth power.
pub fn certain_growth(uncertainty: f64) -> f64 {
    (0.9 * uncertainty.max(1e-9).powf(-0.25)).max(0.5)
}

/// Returns the factor by which a step with too large an error is shortened before it is repeated.
pub fn reduction(error: f64) -> f64 {
    if error.is_finite() { (0.9 * error.powf(-0.2)).clamp(0.1, 0.9) } else { 0.1 }
}

/// Returns a first step, in s, at most `longest`. `room` is a buffer for states and derivatives nearby. Source: Hairer,
/// Nørsett and Wanner, Solving Ordinary Differential Equations I, II.4.
pub fn first(
    system: &mut dyn System,
    t: f64,
    (x, dx): (&[f64], &[f64]),
    scale: &[f64],
    (tolerance, longest): (f64, f64),
    [near, slope]: [&mut Vec<f64>; 2],
) -> f64 {
    let norm = |value: &dyn Fn(usize) -> f64| {
        (0..x.len()).map(|i| value(i).abs() / (tolerance * (scale[i] + x[i].abs()))).fold(0.0, f64::max)
    };
    let [size, speed] = [norm(&|i| x[i]), norm(&|i| dx[i])];
    // The compiler may divide in both cases.
    let guess = if size > 1e-5 && speed > 1e-5 { 0.01 * size / speed.max(1e-5) } else { 1e-6 };
    let guess = guess.min(longest);
    for i in 0..x.len() {
        near[i] = x[i] + guess * dx[i];
    }
    let result: Result<(), ModelError> = system.derivatives(t + guess, near, slope);
    if result.is_err() {
        return guess;
    }
    let bend = norm(&|i| slope[i] - dx[i]) / guess;
    let steepest = f64::max(speed, bend);
    let step = if steepest <= 1e-15 { f64::max(1e-6, guess * 1e-3) } else { (0.01 / steepest.max(1e-15)).powf(0.2) };
    step.min(100.0 * guess).min(longest)
}
