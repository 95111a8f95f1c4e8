//! A communication step in a single short step of the integrator.

use crate::component::integration::integrator::{Integrator, NEAR};
use crate::component::integration::step_size;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

/// Largest length of a short step, as a part of that which the tolerance allows.
const MAX_SHORT: f64 = 0.5;

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
        if is_due || h > MAX_SHORT * self.progress.h || self.is_implicit() || self.limited(system, begin, h) < h {
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
