//! Steps that are much shorter than the tolerance allows, by Kutta's method of order 3 with an estimate of order 2.
//!
//! Importers that set inputs at each communication point force such steps. Half of the evaluations of a full step are enough
//! for them.

use crate::component::integration::crossing::Indicators;
use crate::component::integration::integrator::{Integrator, NEAR};
use crate::component::integration::step_size;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

/// Largest length of a short step, as a part of that which the tolerance allows.
const LARGEST: f64 = 0.5;

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

impl Integrator {
    /// Makes a communication step in a single short step, if that is exact enough and shows no event; otherwise the states
    /// stay where they are. Derivatives at the end are not known then, nor more of the indicators than their signs.
    ///
    /// # Errors
    ///
    /// Those of the system at the beginning of the step.
    #[inline]
    pub fn try_short(&mut self, system: &mut dyn System, begin: f64, end: f64) -> Result<bool, ModelError> {
        let h = self.length.unwrap_or(end - begin);
        let is_due = self.due.is_some_and(|due| due <= end + NEAR * h);
        if is_due || h > LARGEST * self.progress.h || self.is_implicit() || self.limited(system, begin, h) < h {
            return Ok(false);
        }
        let from = (&*self.x, &*self.dx);
        if self.short.step(system, (begin, h), from, &mut self.error, &mut self.indicators).is_err() {
            // A full step says why, if it cannot be made either.
            return Ok(false);
        }
        let error = step_size::relative_error(&self.error, &self.x, &self.short.end, &self.nominals, self.tolerance);
        let is_made = error <= 1.0 && self.indicators.are_far();
        if is_made {
            self.x.copy_from_slice(&self.short.end);
            self.length = None;
        }
        Ok(is_made)
    }
}
