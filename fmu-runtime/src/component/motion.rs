//! A component as the integrator sees it over a communication step.

use crate::component::capabilities::settle;
use crate::component::component_model::{ComponentModel, Data, INTEGRATOR_REALS, Integrate, Step};
use crate::component::equations::Diagnostics;
use crate::component::integration::integrator::{Integrator, Progress, TOLERANCE};
use crate::component::integration::system::{Solver, System};
use crate::component::layout::{ContinuousState, Layout};
use crate::component::model_error::ModelError;
use crate::component::polynomial::Polynomials;
use crate::rows::scalar::Dual64;
use crate::rows::values::Values;

/// Bounds of the tolerances that an importer can ask for.
const TOLERANCES: (f64, f64) = (1e-12, 1e-2);

/// The integrator of one instance, with its buffers.
pub struct Integration {
    integrator: Integrator,
    states: Vec<ContinuousState>,
    x: Vec<f64>,
    /// The values at the point that is being evaluated.
    here: Values,
    duals: Vec<Dual64>,
    indicators: Vec<Dual64>,
    /// True if inputs varied in the last step.
    was_fed: bool,
}

impl Integration {
    /// Makes the integration for a component with this number of indicators, this number of
    /// [lasting](ComponentModel::lasting_indicators) ones among them, and this layout of values.
    pub fn new(solver: Solver, [indicators, lasting]: [usize; 2], layout: &Layout) -> Self {
        let nominals: Vec<_> = layout.states.iter().map(|state| state.nominal).collect();
        Self {
            x: vec![0.0; nominals.len()],
            integrator: Integrator::new(nominals, indicators, solver).with_lasting_indicators(lasting),
            states: layout.states.clone(),
            here: layout.start.clone(),
            duals: Vec::new(),
            indicators: vec![Dual64::from_re(0.0); indicators],
            was_fed: false,
        }
    }
}

impl Integrate for Integration {
    fn advance(
        &mut self,
        model: &dyn ComponentModel,
        data: &Data,
        values: &mut Values,
        inputs: &Polynomials,
        step: &mut Step,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        let kept = values.reals.len() - INTEGRATOR_REALS;
        let [tolerance, progress @ ..] = [0, 1, 2, 3, 4].map(|i| values.reals[kept + i]);
        let (smallest, largest) = TOLERANCES;
        self.integrator.tolerance = if tolerance > 0.0 { tolerance.clamp(smallest, largest) } else { TOLERANCE };
        self.integrator.progress = Progress::from_reals(progress);
        for (x, state) in self.x.iter_mut().zip(&self.states) {
            *x = values.reals[state.state];
        }
        self.here.copy_from(values);
        let is_fed = inputs.order() > 0;
        let is_continuation = step.is_continuation && !is_fed && !self.was_fed && !model.has_memory();
        self.was_fed = is_fed;
        let Self { integrator, states, x, here, duals, indicators, .. } = self;
        let begin = step.begin;
        let mut motion =
            CommunicationStep { model, data, begin, values, inputs, diagnostics, states, here, duals, indicators };
        let due = if is_continuation && integrator.is_at(begin, x) { motion.look(begin)? } else { None };
        integrator.stops_at_event = step.stops_at_event;
        integrator.length = Some(step.h);
        let reached = match due {
            Some(due) => integrator.go_on(&mut motion, x, due, (begin, step.end))?,
            None => integrator.advance(&mut motion, x, begin, step.end)?,
        };
        if reached.t < step.end {
            (step.end, step.h) = (reached.t, reached.t - begin);
        }
        step.is_event = reached.is_event;
        for (x, state) in x.iter().zip(&*states) {
            values.reals[state.state] = *x;
        }
        values.reals[kept + 1..].copy_from_slice(&integrator.progress.to_reals());
        Ok(())
    }
}

/// A component between the beginning and the end of a communication step.
struct CommunicationStep<'a> {
    model: &'a dyn ComponentModel,
    data: &'a Data,
    /// Time at the beginning, in s.
    begin: f64,
    /// The values with the memory of the last event, and the inputs at the beginning.
    values: &'a mut Values,
    inputs: &'a Polynomials,
    diagnostics: &'a mut Diagnostics,
    states: &'a [ContinuousState],
    here: &'a mut Values,
    duals: &'a mut Vec<Dual64>,
    indicators: &'a mut [Dual64],
}

impl CommunicationStep<'_> {
    /// Sets the inputs of a time and these states.
    fn go_to(&mut self, t: f64, x: &[f64]) {
        if self.inputs.order() > 0 {
            self.inputs.restore(&mut self.here.reals, &self.values.reals);
            self.inputs.add(&mut self.here.reals, t - self.begin);
        }
        for (x, state) in x.iter().zip(self.states) {
            self.here.reals[state.state] = *x;
        }
    }

    /// Returns the time of the next time event, if the event at the beginning changes nothing.
    fn look(&mut self, t: f64) -> Result<Option<Option<f64>>, ModelError> {
        let event = self.model.event(self.here, self.data, t)?;
        let is_quiet = !event.again && !event.states_changed && *self.here == *self.values;
        if !is_quiet {
            self.here.copy_from(self.values);
        }
        Ok(is_quiet.then_some(event.next_time))
    }

    /// Copies the derivatives of the states that were computed.
    fn get_slopes(&mut self, t: f64, dx: &mut [f64]) -> Result<(), ModelError> {
        for (dx, state) in dx.iter_mut().zip(self.states) {
            *dx = self.here.reals[state.derivative];
        }
        if dx.iter().all(|dx| dx.is_finite()) {
            return Ok(());
        }
        // The evaluation names the value that is too large.
        self.model.evaluate(self.here, self.data, t)
    }

    /// Sets the inputs of a time and the states in dual numbers, along a direction.
    fn go_along(&mut self, t: f64, x: &[f64], along_t: f64, along_x: &[f64]) {
        self.go_to(t, x);
        self.duals.clear();
        self.duals.extend(self.here.reals.iter().map(|value| Dual64::from_re(*value)));
        self.inputs.differentiate(self.duals, t - self.begin, along_t);
        for (along, state) in along_x.iter().zip(self.states) {
            self.duals[state.state].eps = *along;
        }
    }

    /// Keeps the memory of the present point.
    fn keep(&mut self) {
        self.inputs.restore(&mut self.here.reals, &self.values.reals);
        self.values.copy_from(self.here);
    }

    fn finite<'v>(&self, mut values: impl Iterator<Item = &'v f64>, t: f64) -> Result<(), ModelError> {
        if values.all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(ModelError::invalid(format!("derivatives of states are not finite at {t} s: a value is too large")))
    }
}

impl System for CommunicationStep<'_> {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.go_to(t, x);
        self.model.derivatives(self.here, self.data, t)?;
        self.get_slopes(t, dx)
    }

    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        self.go_along(t, x, along_t, along_x);
        self.model.differentiate(self.duals, self.here, self.data, Dual64::new(t, along_t), false)?;
        for (ddx, state) in ddx.iter_mut().zip(self.states) {
            *ddx = self.duals[state.derivative].eps;
        }
        self.finite(ddx.iter(), t)
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError> {
        self.go_to(t, x);
        self.model.indicators_only(self.here, self.data, t, z)?;
        self.finite(z.iter(), t)
    }

    fn derivatives_and_indicators(
        &mut self,
        t: f64,
        x: &[f64],
        dx: &mut [f64],
        z: &mut [f64],
    ) -> Result<(), ModelError> {
        if z.is_empty() {
            return self.derivatives(t, x, dx);
        }
        self.go_to(t, x);
        self.model.evaluate_indicators(self.here, self.data, t, z)?;
        self.get_slopes(t, dx)?;
        self.finite(z.iter(), t)
    }

    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError> {
        self.go_along(t, x, 1.0, dx);
        let time = Dual64::new(t, 1.0);
        self.model.differentiate_indicators_afresh(self.duals, self.here, self.data, time, self.indicators)?;
        for (rate, z) in rates.iter_mut().zip(&*self.indicators) {
            *rate = z.eps;
        }
        self.finite(rates.iter(), t)
    }

    fn step_limit(&mut self, t: f64, x: &[f64]) -> f64 {
        self.go_to(t, x);
        self.model.step_limit(self.here, self.data, t)
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError> {
        self.go_to(t, x);
        let due = settle(|| self.model.event(self.here, self.data, t))?;
        for (x, state) in x.iter_mut().zip(self.states) {
            *x = self.here.reals[state.state];
        }
        self.keep();
        Ok(due)
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, ModelError> {
        if !self.model.has_memory() {
            return Ok(false);
        }
        self.go_to(t, x);
        self.diagnostics.event = false;
        self.model.complete(self.here, self.data, t, self.diagnostics)?;
        self.keep();
        Ok(self.diagnostics.event)
    }
}
