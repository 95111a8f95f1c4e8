//! Integration of an FMU for Model Exchange, by the integrator that the runtime has for Co-Simulation.

use anyhow::{Result, anyhow, bail};
use c_interface::Status;
use fmu_runtime::integration::{Integrator, Point, System, TOLERANCE, difference};
use fmu_runtime::{ModelError, Solver};

use super::run_inputs::Inputs;
use super::sensitivities::{Approach, Sensitivities};
use super::trajectory::number;
use crate::load::{EventInfo, Failure, Instance};

/// Largest number of event iterations at one time; more would not end.
pub const MAX_ITERATIONS: usize = 1000;
/// Largest number of event iterations where an FMU is at rest or checked.
const MAX_ITERATIONS_AT_REST: usize = 100;
/// Difference by which rounding may move the time of an event, in s at 1 s.
const ROUNDING: f64 = 1e-9;

/// Smallest tolerance that a default experiment requires of all runs, that of systems whose loops have dead centres.
const MIN_PROPOSED: f64 = 1e-7;

/// Point that a step has reached.
pub enum Advance {
    /// The step has reached its end.
    Completed,
    /// The step has reached this time, at which the FMU ended the run.
    Until(f64),
}

/// State of an integration between communication points.
pub struct Integration {
    /// Number of further evaluations of the FMU that are allowed.
    pub budget: usize,
    integrator: Integrator,
    /// Derivatives that are integrated with the states, behind these.
    sensitivities: Option<Sensitivities>,
}

impl Integration {
    /// Handles the events of the initialisation and enters Continuous-Time Mode; nothing if the FMU ends the run. The
    /// solver is `Solver::Auto` where nothing speaks for another; without a tolerance, the solver's own is used. The
    /// derivatives of the states are integrated with them.
    pub fn begin(
        instance: &Instance,
        inputs: &dyn Inputs,
        time: f64,
        tolerance: Option<f64>,
        solver: Solver,
        mut sensitivities: Option<Sensitivities>,
    ) -> Result<Option<Self>> {
        let model = instance.model();
        let directions = sensitivities.as_ref().map_or(0, Sensitivities::count);
        let nominals = vec![1.0; model.model_structure.derivatives.len() * (1 + directions)];
        let mut integrator = Integrator::new(nominals, model.number_of_event_indicators, solver);
        let proposed = model.default_experiment.tolerance.unwrap_or(TOLERANCE).clamp(MIN_PROPOSED, TOLERANCE);
        // Who asks for derivatives knows how exact they have to be.
        let largest = if directions == 0 { proposed } else { f64::INFINITY };
        integrator.tolerance = tolerance.map_or(proposed, |tolerance| tolerance.min(largest));
        let mut solved =
            Solved::new(instance, inputs, (time, time + 1.0), Vec::new(), usize::MAX, sensitivities.as_mut());
        solved.is_in_event_mode = true;
        let begun = integrator.event(&mut solved, time);
        if let Advance::Until(_) = solved.outcome(begun)?.0 {
            return Ok(None);
        }
        solved.leave(time, integrator.states())?;
        Ok(Some(Self { budget: usize::MAX, integrator, sensitivities }))
    }

    /// Integrates from a time to another, between which the inputs are smooth, and handles the events at the end.
    pub fn advance(&mut self, instance: &Instance, inputs: &dyn Inputs, (begin, end): (f64, f64)) -> Result<Advance> {
        let integrator = &mut self.integrator;
        let nominals = integrator.nominals().to_vec();
        let mut solved =
            Solved::new(instance, inputs, (begin, end), nominals, self.budget, self.sensitivities.as_mut());
        let mut proceed = || {
            if inputs.vary() {
                integrator.restart(&mut solved, begin)?;
            }
            let is_event = integrator.proceed(&mut solved, begin, end)?.is_event;
            let asks = solved.completed_step(end, integrator.states())?;
            if is_event || asks || inputs.jump(end) {
                // All later evaluations belong to the next step.
                solved.span = (end, end + (end - begin));
                integrator.event(&mut solved, end)?;
            }
            Ok(())
        };
        let done = proceed();
        self.budget = solved.budget;
        let (advance, ()) = solved.outcome(done)?;
        if let Advance::Completed = advance {
            solved.leave(end, integrator.states())?;
        }
        Ok(advance)
    }

    /// Returns the derivatives of the recorded values along each direction, where the instance is.
    pub fn sensitivities(&self, instance: &Instance) -> Result<Vec<Vec<f64>>, Failure> {
        let Some(sensitivities) = &self.sensitivities else { return Ok(Vec::new()) };
        let states = instance.model().model_structure.derivatives.len();
        sensitivities.of_outputs(instance, &self.integrator.states()[states..])
    }
}

/// Returns the time in s of the next event that an FMU knows; the error is a sentence about a time that has passed, or
/// is no time.
pub fn next_event(info: &EventInfo, time: f64) -> Result<Option<f64>, String> {
    let next = info.next_event_time;
    match info.next_event_time_defined {
        // An FMU may round the time.
        1 if next >= time - ROUNDING * time.abs().max(1.0) => Ok(Some(next)),
        1 => Err(format!(
            "fmi2NewDiscreteStates at {} s gives the next event at {} s, which is not later",
            number(time),
            number(next)
        )),
        _ => Ok(None),
    }
}

/// Iterates events until nothing changes, then enters Continuous-Time Mode; returns the time of the next event, or
/// nothing if the FMU ends the run.
pub fn settle(instance: &Instance, time: f64) -> Result<Option<Option<f64>>> {
    for _ in 0..MAX_ITERATIONS_AT_REST {
        let info = instance.new_discrete_states()?;
        if info.terminate_simulation == 1 {
            return Ok(None);
        }
        if info.new_discrete_states_needed == 0 {
            instance.enter_continuous_time_mode()?;
            return next_event(&info, time).map(Some).map_err(|reason| anyhow!("{reason}"));
        }
    }
    bail!("the event iteration does not end in {MAX_ITERATIONS_AT_REST} rounds");
}

/// An FMU as a system for the integrator.
struct Solved<'a> {
    instance: &'a Instance,
    inputs: &'a dyn Inputs,
    /// Times in s between which the inputs are smooth.
    span: (f64, f64),
    nominals: Vec<f64>,
    budget: usize,
    is_in_event_mode: bool,
    /// Time at which the FMU ended the run.
    ended: Option<f64>,
    /// The call that failed, after which no other is made.
    failure: Option<Failure>,
    sensitivities: Option<&'a mut Sensitivities>,
}

impl<'a> Solved<'a> {
    fn new(
        instance: &'a Instance,
        inputs: &'a dyn Inputs,
        span: (f64, f64),
        nominals: Vec<f64>,
        budget: usize,
        sensitivities: Option<&'a mut Sensitivities>,
    ) -> Self {
        let (is_in_event_mode, ended, failure) = (false, None, None);
        Self { instance, inputs, span, nominals, budget, is_in_event_mode, ended, failure, sensitivities }
    }

    /// Returns the meaning of the integrator's result.
    fn outcome<T: Default>(&mut self, result: Result<T, ModelError>) -> Result<(Advance, T)> {
        match (self.ended, self.failure.take(), result) {
            (Some(time), ..) => Ok((Advance::Until(time), T::default())),
            (None, _, Ok(value)) => Ok((Advance::Completed, value)),
            (None, Some(failure), Err(_)) => Err(failure.into()),
            (None, None, Err(error)) => Err(anyhow!("{error}")),
        }
    }

    /// Returns the number of states of the FMU, before derivatives of them.
    fn states(&self) -> usize {
        self.instance.model().model_structure.derivatives.len()
    }

    /// Returns the motion just before an event, if derivatives are integrated that jump there.
    fn approach(&mut self, t: f64, x: &[f64]) -> Result<Option<Approach>, ModelError> {
        if self.sensitivities.is_none() || self.is_in_event_mode {
            return Ok(None);
        }
        let span = self.span;
        if t <= span.0 {
            self.span = (span.0 - (span.1 - span.0), span.0);
        }
        let mut derivatives = vec![0.0; x.len()];
        self.derivatives(t, x, &mut derivatives)?;
        let mut rates = vec![0.0; self.instance.model().number_of_event_indicators];
        let mut indicators = rates.clone();
        self.indicator_rates(t, x, &derivatives, &mut rates)?;
        self.indicators(t, x, &mut indicators)?;
        self.span = span;
        derivatives.truncate(self.states());
        let found = self.call(|solved| match &solved.sensitivities {
            Some(own) => own.approach(solved.instance, t, x, derivatives, (&indicators, &rates)).map(Some),
            None => Ok(None),
        })?;
        found.transpose().map_err(ModelError::singular)
    }

    /// Changes the derivatives of the states at an event that has been handled.
    fn jump(&mut self, t: f64, before: Option<Approach>, x: &mut [f64]) -> Result<(), ModelError> {
        let states = self.states();
        let mut indicators = vec![0.0; self.instance.model().number_of_event_indicators];
        self.indicators(t, x, &mut indicators)?;
        let mut derivatives = vec![0.0; x.len()];
        if before.is_some() {
            self.derivatives(t, x, &mut derivatives)?;
        }
        let Some(own) = &mut self.sensitivities else { return Ok(()) };
        own.leave(&indicators);
        match before {
            Some(before) => {
                own.jump(t, &before, &derivatives[..states], &self.nominals, x).map_err(ModelError::singular)
            }
            None => {
                x[states..].copy_from_slice(&own.start);
                Ok(())
            }
        }
    }

    /// Makes calls. After a discarded one, the integrator may try a shorter step.
    fn call<T>(&mut self, calls: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, ModelError> {
        let stopped = self.failure.as_ref().is_some_and(|failure| failure.status != Status::Discard);
        if !stopped {
            match calls(self) {
                Ok(value) => {
                    self.failure = None;
                    return Ok(value);
                }
                Err(failure) => self.failure = Some(failure),
            }
        }
        Err(ModelError::singular(self.failure.as_ref().map(ToString::to_string).unwrap_or_default()))
    }

    /// Sets time, states, and the inputs as they are inside of the span.
    fn set_time_and_states(&self, time: f64, states: &[f64]) -> Result<(), Failure> {
        self.instance.set_time(time)?;
        self.instance.set_continuous_states(&states[..self.states()])?;
        if time > self.span.0 {
            self.inputs.approach(self.instance, time)
        } else {
            self.inputs.leave(self.instance, time)
        }
    }

    /// Sets time and states to the end of the step, whatever was evaluated since.
    fn leave(&mut self, time: f64, states: &[f64]) -> Result<(), Failure> {
        self.span = (time, time);
        self.set_time_and_states(time, states)
    }

    /// Iterates events; then enters Continuous-Time Mode.
    fn settle(&mut self, time: f64) -> Result<Result<Option<f64>, String>, Failure> {
        if !self.is_in_event_mode {
            self.instance.enter_event_mode()?;
        }
        self.inputs.apply(self.instance, time)?;
        for _ in 0..MAX_ITERATIONS {
            let info = self.instance.new_discrete_states()?;
            if info.terminate_simulation == 1 {
                self.ended = Some(time);
                return Ok(Err("the FMU ends the simulation".to_owned()));
            }
            if info.new_discrete_states_needed == 0 {
                self.instance.enter_continuous_time_mode()?;
                self.is_in_event_mode = false;
                self.nominals = self.instance.nominals()?;
                return Ok(next_event(&info, time));
            }
        }
        Ok(Err(format!("the event iteration at {} s does not converge in {MAX_ITERATIONS} iterations", number(time))))
    }

    /// Computes a derivative in time and states by a difference, also where the FMU has directional ones: these come
    /// from its equations, which are to be checked.
    fn difference(
        &mut self,
        (t, x): (f64, &[f64]),
        along: (f64, &[f64]),
        result: &mut [f64],
        mut values: impl FnMut(&mut Self, f64, &[f64], &mut [f64]) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let nominals = self.nominals.clone();
        let point = Point { t, x, nominals: &nominals, span: self.span };
        difference(point, along, result, |t, x, result| values(self, t, x, result))
    }
}

impl System for Solved<'_> {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        let Some(rest) = self.budget.checked_sub(1) else {
            return Err(ModelError::singular(format!(
                "the integration needs too many evaluations, at {} s",
                number(t)
            )));
        };
        self.budget = rest;
        self.call(|solved| {
            solved.set_time_and_states(t, x)?;
            let (own, along) = dx.split_at_mut(solved.states());
            own.copy_from_slice(&solved.instance.derivatives()?);
            match &solved.sensitivities {
                Some(sensitivities) => sensitivities.rates(solved.instance, &x[own.len()..], along),
                None => Ok(()),
            }
        })
    }

    fn directional_derivatives(
        &mut self,
        t: f64,
        x: &[f64],
        along_t: f64,
        along_x: &[f64],
        ddx: &mut [f64],
    ) -> Result<(), ModelError> {
        self.difference((t, x), (along_t, along_x), ddx, Self::derivatives)
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), ModelError> {
        self.call(|solved| {
            solved.set_time_and_states(t, x)?;
            z.copy_from_slice(&solved.instance.event_indicators()?);
            Ok(())
        })
    }

    fn indicator_rates(&mut self, t: f64, x: &[f64], dx: &[f64], rates: &mut [f64]) -> Result<(), ModelError> {
        self.difference((t, x), (1.0, dx), rates, Self::indicators)
    }

    fn event(&mut self, t: f64, x: &mut [f64]) -> Result<Option<f64>, ModelError> {
        let before = self.approach(t, x)?;
        let due = self.call(|solved| solved.settle(t))?.map_err(ModelError::singular)?;
        x[..self.states()].copy_from_slice(&self.call(|solved| solved.instance.continuous_states())?);
        if self.sensitivities.is_some() {
            self.jump(t, before, x)?;
        }
        Ok(due)
    }

    fn nominals(&mut self, nominals: &mut [f64]) {
        for (nominal, given) in nominals.iter_mut().zip(&mut self.nominals) {
            if !(given.is_finite() && *given != 0.0) {
                *given = 1.0;
            }
            *given = given.abs();
            *nominal = *given;
        }
        if let Some(sensitivities) = &self.sensitivities {
            sensitivities.set_nominals(nominals);
            self.nominals = nominals.to_vec();
        }
    }

    fn completed_step(&mut self, t: f64, x: &[f64]) -> Result<bool, ModelError> {
        let (asks, ends) = self.call(|solved| {
            solved.set_time_and_states(t, x)?;
            solved.instance.completed_integrator_step()
        })?;
        if ends {
            self.ended = Some(t);
            return Err(ModelError::singular("the FMU ends the simulation"));
        }
        Ok(asks)
    }
}
