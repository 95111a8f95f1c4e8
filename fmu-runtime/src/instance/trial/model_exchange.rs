//! Steps of a trial in Model Exchange.

use fmu_exchange::Number;

use crate::component::integration::difference::{Point, difference};
use crate::component::integration::integrator::Integrator;
use crate::component::integration::system::{Solver, System};
use crate::component::model_error::ModelError;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::lifecycle::State;

/// Largest relative tolerance, so small that differences to Co-Simulation are not those of this integration.
const MAX_TOLERANCE: f64 = 1e-9;

/// Largest number of iterations of an event.
const MAX_ITERATIONS: usize = 1000;

/// Moves an instance in Model Exchange over a step of `h` in s, as an importer does that has its own solver; a tolerance
/// counts where it is smaller than usual.
pub fn step(instance: &mut Instance, h: f64, tolerance: Option<f64>) -> Outcome {
    let states = instance.layout.states.iter();
    let mut x: Vec<_> = states.clone().map(|state| instance.values.reals[state.state]).collect();
    let nominals: Vec<_> = states.map(|state| state.nominal).collect();
    // The solver differs from that of Co-Simulation, and so does its Jacobian.
    let mut integrator = Integrator::new(nominals.clone(), instance.model.indicator_count(), Solver::Implicit)
        .with_lasting_indicators(instance.model.lasting_indicators(), instance.model.bounding_indicators());
    integrator.tolerance = tolerance.map_or(MAX_TOLERANCE, |tolerance| tolerance.min(MAX_TOLERANCE));
    let span = (instance.time, instance.time + h);
    // An angle that is given moves with its speed, as in a step of Co-Simulation.
    let rates = instance.layout.rates.clone();
    for (input, derivative) in rates.iter().rev() {
        instance.polynomials.follow(*input, *derivative, instance.values.reals[*derivative]);
    }
    let inputs = rates.iter().map(|(input, _)| (*input, instance.values.reals[*input])).collect();
    let mut system = Solved { instance, nominals, span, inputs };
    let done = integrator
        .advance(&mut system, &mut x, span.0, span.1)
        .and_then(|_| system.completed_step(span.1, &x).map(drop));
    instance.polynomials.clear();
    done.map_err(|error| CallError::error(error.to_string()))
}

/// An instance in Model Exchange, as a system for the integrator.
struct Solved<'a> {
    instance: &'a mut Instance,
    nominals: Vec<f64>,
    /// The step, in s.
    span: (f64, f64),
    /// The inputs that move inside it, with their values at its beginning.
    inputs: Vec<(usize, f64)>,
}

impl Solved<'_> {
    fn set_time_and_states(&mut self, t: f64, x: &[f64]) -> Outcome {
        let Instance { values, polynomials, .. } = &mut *self.instance;
        self.inputs.iter().for_each(|(input, value)| values.reals[*input] = *value);
        polynomials.add(&mut values.reals, t - self.span.0);
        self.instance.set_time(t)?;
        self.instance.set_continuous_states(x)
    }

    fn derivatives_at(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Outcome {
        self.set_time_and_states(t, x)?;
        let derivatives = self.instance.get_derivatives(x.len())?;
        dx.iter_mut().zip(derivatives).for_each(|(dx, derivative)| *dx = derivative);
        Ok(())
    }

    fn indicators_at(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Outcome {
        self.set_time_and_states(t, x)?;
        self.instance.get_event_indicators(z)
    }

    fn event_at(&mut self, x: &mut [f64]) -> Outcome<Option<f64>> {
        if self.instance.state == State::ContinuousTime {
            self.instance.enter_event_mode()?;
        }
        for _ in 0..MAX_ITERATIONS {
            let event = self.instance.new_discrete_states()?;
            if !event.again {
                self.instance.enter_continuous_time_mode()?;
                let states = self.instance.get_continuous_states(x.len())?;
                x.iter_mut().zip(states).for_each(|(x, state)| *x = state);
                return Ok(event.next_time);
            }
        }
        Err(CallError::error(format!("the event iteration at {} s does not end", Number(self.instance.time))))
    }
}

/// Converts an error that keeps a solver from going on.
fn reason(error: CallError) -> ModelError {
    ModelError::singular(error.message)
}

impl System for Solved<'_> {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.derivatives_at(t, x, dx).map_err(reason)
    }

    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        let (nominals, span) = (self.nominals.clone(), self.span);
        let point = Point { t, x, nominals: &nominals, span };
        difference(point, (along_t, along_x), ddx, |t, x, dx| self.derivatives(t, x, dx))
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError> {
        self.indicators_at(t, x, z).map_err(reason)
    }

    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError> {
        let (nominals, span) = (self.nominals.clone(), self.span);
        let point = Point { t, x, nominals: &nominals, span };
        difference(point, (1.0, dx), rates, |t, x, z| self.indicators(t, x, z))
    }

    fn step_limit(&mut self, t: f64, x: &[f64]) -> f64 {
        if self.set_time_and_states(t, x).is_err() {
            return f64::INFINITY;
        }
        let Instance { model, values, data, .. } = &mut *self.instance;
        data.as_ref().map_or(f64::INFINITY, |data| model.step_limit(values, data, t))
    }

    fn event(&mut self, _t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError> {
        self.event_at(x).map_err(reason)
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, ModelError> {
        self.set_time_and_states(t, x).map_err(reason)?;
        self.instance.completed_integrator_step().map_err(reason)
    }
}
