//! The equations of a component as the integrator sees them over a communication step.

use crate::component::capabilities::{Events, Indicators, Memory};
use crate::component::component::Component;
use crate::component::equations::{Context, Diagnostics, Equations};
use crate::component::integration::integrator::{Integrator, Progress, TOLERANCE};
use crate::component::integration::system::System;
use crate::component::layout::{ContinuousState, Layout};
use crate::component::model_error::ModelError;
use crate::component::polynomial::Polynomials;
use crate::declaration::declare::Variables;
use crate::declaration::scalar::{Dual64, Scalar};
use crate::declaration::values::{Reader, Values, Writer};

/// Reals that an instance keeps for its integrator, behind all others: the tolerance, and what a step leaves for
/// the next one. So an FMU state has them.
pub const KEPT: usize = 5;

/// The tolerances that an importer can ask for.
const TOLERANCES: (f64, f64) = (1e-12, 1e-2);

/// What the integration in one instance works with.
pub struct Integration {
    integrator: Integrator,
    states: Vec<ContinuousState>,
    x: Vec<f64>,
    reals: Vec<f64>,
    duals: Vec<Dual64>,
}

impl Integration {
    /// For the component `C`, whose values lie like this.
    pub fn new<C: Component>(layout: &Layout) -> Self {
        let nominals: Vec<_> = layout.states.iter().map(|state| state.nominal).collect();
        Self {
            x: vec![0.0; nominals.len()],
            integrator: Integrator::new(nominals, <C::In<f64> as Indicators<f64>>::COUNT, C::In::<f64>::SOLVER),
            states: layout.states.clone(),
            reals: Vec::new(),
            duals: Vec::new(),
        }
    }

    /// Moves states and memory among the `values` over a step, with the events at its beginning and inside. The
    /// inputs stay as they are where it begins.
    pub fn advance<C: Component>(
        &mut self,
        context: &Context<'_, f64, C::In<f64>>,
        values: &mut Values,
        inputs: &Polynomials,
        end: f64,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), ModelError> {
        let kept = values.reals.len() - KEPT;
        let [tolerance, progress @ ..] = [0, 1, 2, 3, 4].map(|i| values.reals[kept + i]);
        let (smallest, largest) = TOLERANCES;
        self.integrator.tolerance = if tolerance > 0.0 { tolerance.clamp(smallest, largest) } else { TOLERANCE };
        self.integrator.progress = Progress::from_reals(progress);
        for (x, state) in self.x.iter_mut().zip(&self.states) {
            *x = values.reals[state.state];
        }
        self.reals.clone_from(&values.reals);
        let Context { time: begin, structure, data } = *context;
        let (states, reals, duals) = (&*self.states, &mut self.reals, &mut self.duals);
        let mut motion = Motion::<C> { begin, structure, data, values, inputs, diagnostics, states, reals, duals };
        self.integrator.advance(&mut motion, &mut self.x, begin, end)?;
        for (x, state) in self.x.iter().zip(&self.states) {
            values.reals[state.state] = *x;
        }
        values.reals[kept + 1..].copy_from_slice(&self.integrator.progress.to_reals());
        Ok(())
    }
}

/// A component between the beginning and the end of a communication step.
struct Motion<'a, C: Component> {
    /// Time at the beginning, in s.
    begin: f64,
    structure: &'a C::Structure,
    data: &'a C::Data,
    /// The values with the memory of the last event, and the inputs at the beginning.
    values: &'a mut Values,
    inputs: &'a Polynomials,
    diagnostics: &'a mut Diagnostics,
    states: &'a [ContinuousState],
    /// The Reals at the point that is looked at.
    reals: &'a mut Vec<f64>,
    duals: &'a mut Vec<Dual64>,
}

impl<C: Component> Motion<'_, C> {
    fn context<T: Scalar>(&self, time: T) -> Context<'_, T, C::In<T>> {
        Context { time, structure: self.structure, data: self.data }
    }

    /// The variables with the inputs of a time, and these states.
    fn equations(&mut self, t: f64, x: &[f64]) -> C::In<f64> {
        if self.inputs.order() > 0 {
            self.reals.copy_from_slice(&self.values.reals);
            self.inputs.add(self.reals, t - self.begin);
        }
        for (x, state) in x.iter().zip(self.states) {
            self.reals[state.state] = *x;
        }
        C::In::read(Reader::new(self.reals, self.values))
    }

    /// The same, evaluated.
    fn evaluated(&mut self, t: f64, x: &[f64]) -> Result<C::In<f64>, ModelError> {
        let mut equations = self.equations(t, x);
        equations.evaluate(&self.context(t))?;
        Ok(equations)
    }

    /// The same along a direction.
    fn evaluated_along(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
    ) -> Result<C::In<Dual64>, ModelError> {
        self.equations(t, x);
        self.duals.clear();
        self.duals.extend(self.reals.iter().map(|value| Dual64::from_re(*value)));
        self.inputs.differentiate(self.duals, t - self.begin, along_t);
        for (along, state) in along_x.iter().zip(self.states) {
            self.duals[state.state].eps = *along;
        }
        let mut equations: C::In<Dual64> = C::In::read(Reader::new(self.duals, self.values));
        equations.evaluate(&self.context(Dual64::new(t, along_t)))?;
        Ok(equations)
    }

    fn finite<'v>(&self, mut values: impl Iterator<Item = &'v f64>, t: f64) -> Result<(), ModelError> {
        if values.all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(ModelError::invalid(format!("derivatives of states are not finite at {t} s: something is too large")))
    }
}

impl<C: Component> System for Motion<'_, C> {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        let equations = self.evaluated(t, x)?;
        let Values { integers, booleans, .. } = &mut *self.values;
        equations.write(Writer::new(self.reals, integers, booleans));
        for (dx, state) in dx.iter_mut().zip(self.states) {
            *dx = self.reals[state.derivative];
        }
        self.finite(dx.iter(), t)
    }

    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        let equations = self.evaluated_along(t, x, along_t, along_x)?;
        let Values { integers, booleans, .. } = &mut *self.values;
        equations.write(Writer::new(self.duals, integers, booleans));
        for (ddx, state) in ddx.iter_mut().zip(self.states) {
            *ddx = self.duals[state.derivative].eps;
        }
        self.finite(ddx.iter(), t)
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError> {
        let equations = self.evaluated(t, x)?;
        equations.indicators(&self.context(t), z);
        self.finite(z.iter(), t)
    }

    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError> {
        let equations = self.evaluated_along(t, x, 1.0, dx)?;
        // The room is free again once the equations are read.
        self.duals.resize(self.duals.len().max(rates.len()), Dual64::from_re(0.0));
        let mut duals = std::mem::take(self.duals);
        let z = &mut duals[..rates.len()];
        equations.indicators(&self.context(Dual64::new(t, 1.0)), z);
        for (rate, z) in rates.iter_mut().zip(z) {
            *rate = z.eps;
        }
        *self.duals = duals;
        self.finite(rates.iter(), t)
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError> {
        let mut equations = self.equations(t, x);
        let due = equations.settle(&self.context(t))?;
        let Values { reals, integers, booleans, .. } = &mut *self.values;
        equations.write(Writer::new(reals, integers, booleans));
        self.reals.copy_from_slice(&self.values.reals);
        for (x, state) in x.iter_mut().zip(self.states) {
            *x = self.values.reals[state.state];
        }
        Ok(due)
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, ModelError> {
        if !<C::In<f64> as Memory<f64>>::IMPLEMENTED {
            return Ok(false);
        }
        let mut equations = self.evaluated(t, x)?;
        self.diagnostics.event = false;
        let context = Context { time: t, structure: self.structure, data: self.data };
        equations.completed_step(&context, self.diagnostics);
        let Values { reals, integers, booleans, .. } = &mut *self.values;
        equations.write(Writer::new(reals, integers, booleans));
        self.reals.copy_from_slice(&self.values.reals);
        Ok(self.diagnostics.event)
    }
}
