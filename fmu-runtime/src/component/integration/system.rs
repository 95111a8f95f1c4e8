//! The interface between the integrator and the equations.

use crate::component::model_error::ModelError;

/// The method that integrates the states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// The explicit method, and the implicit one where the equations are stiff.
    #[default]
    Auto,
    /// Dormand and Prince's method of order 5.
    Explicit,
    /// The L-stable Rosenbrock method Rodas5P of order 5.
    Implicit,
}

/// Equations with states `x`, at times `t` in s.
pub trait System {
    /// Computes the derivatives of the states.
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError>;

    /// Computes the derivative of the states' derivatives in the direction `(along_t, along_x)`.
    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError>;

    /// Computes the event indicators.
    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError>;

    /// Computes the derivatives of the states and the event indicators.
    fn derivatives_and_indicators(
        &mut self,
        t: f64,
        x: &[f64],
        dx: &mut [f64],
        z: &mut [f64],
    ) -> Result<(), ModelError> {
        self.derivatives(t, x, dx)?;
        if z.is_empty() { Ok(()) } else { self.indicators(t, x, z) }
    }

    /// Computes the derivatives of the event indicators in time, where the states change by `dx`.
    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError>;

    /// Returns the longest step in s that sees a change of
    /// [lasting](super::integrator::Integrator::with_lasting_indicators) indicators.
    fn step_limit(&mut self, _t: f64, _x: &[f64]) -> f64 {
        f64::INFINITY
    }

    /// Updates states and memory at an event until nothing more happens; returns when the next time event is due.
    fn event(&mut self, t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError>;

    /// Updates the nominal values of the states, which may change at an event.
    fn nominals(&mut self, _nominals: &mut [f64]) {}

    /// Updates memory after a step; returns true if that asks for an event.
    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, ModelError>;
}
