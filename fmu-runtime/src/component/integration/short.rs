//! Steps that are much shorter than the tolerance allows, by Kutta's method of order 3 with an estimate of order 2.
//!
//! Importers that set inputs at each communication point force such steps. Half of the evaluations of a full step are enough
//! for them.

use crate::component::integration::crossing::Indicators;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

/// Stages of a short step.
#[derive(Clone, Debug)]
pub struct Short {
    middle: Vec<f64>,
    last: Vec<f64>,
    /// States of a stage, then those at the end of the step.
    pub end: Vec<f64>,
}

impl Short {
    pub fn new(count: usize) -> Self {
        Self { middle: vec![0.0; count], last: vec![0.0; count], end: vec![0.0; count] }
    }

    /// Makes a step of `h` from states `x` with derivatives `dx`; sets `error` to the estimated error, and the last
    /// indicators to those of the last stage, whose states are those of the end but for terms of order 2.
    #[inline]
    pub fn step(
        &mut self,
        system: &mut dyn System,
        (t, h): (f64, f64),
        (x, dx): (&[f64], &[f64]),
        error: &mut [f64],
        indicators: &mut Indicators,
    ) -> Result<(), ModelError> {
        let Self { middle, last, end } = self;
        for ((end, x), dx) in end.iter_mut().zip(x).zip(dx) {
            *end = x + 0.5 * h * dx;
        }
        system.derivatives(t + 0.5 * h, end, middle)?;
        for (((end, x), dx), middle) in end.iter_mut().zip(x).zip(dx).zip(&*middle) {
            *end = x + h * (2.0 * middle - dx);
        }
        system.derivatives_and_indicators(t + h, end, last, indicators.at_end())?;
        for ((((end, error), x), dx), (middle, last)) in
            end.iter_mut().zip(error).zip(x).zip(dx).zip(middle.iter().zip(&*last))
        {
            *end = x + h / 6.0 * (dx + 4.0 * middle + last);
            *error = h / 6.0 * (dx - 2.0 * middle + last);
        }
        Ok(())
    }
}
