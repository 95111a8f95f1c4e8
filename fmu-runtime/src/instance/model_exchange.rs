//! The calls of Model Exchange, and of event mode.

use fmu_exchange::{Base, Number};

use crate::component::equations::Event;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::lifecycle::{EventHandling, Interface, State};

impl Instance {
    /// `fmi2EnterEventMode`
    pub fn enter_event_mode(&mut self) -> Outcome {
        if self.interface == Interface::CoSimulation && self.events == EventHandling::Inside {
            return Err(CallError::error("the instance was made without event mode: eventModeUsed was fmi3False"));
        }
        self.state = State::Event;
        self.history.clear();
        Ok(())
    }

    /// `fmi2EnterContinuousTimeMode`
    pub fn enter_continuous_time_mode(&mut self) -> Outcome {
        self.prepare_late()?;
        self.state = State::ContinuousTime;
        Ok(())
    }

    /// `fmi2NewDiscreteStates`
    pub fn new_discrete_states(&mut self) -> Outcome<Event> {
        self.allows_late_parameters = false;
        self.history.clear();
        self.prepare()?;
        self.forget_motion();
        let data = self.data.as_ref().expect("prepared");
        let event = self.model.event(&mut self.values, data, self.time);
        if event.is_ok() {
            self.model.report(&mut self.values, data, &mut self.diagnostics);
        }
        self.log_warnings();
        let event = event.map_err(|error| self.call_error(&error))?;
        self.outputs_valid = false;
        Ok(event)
    }

    /// `fmi2CompletedIntegratorStep`. Solvers look beyond the stop time and come back, so there is no
    /// message before a step has ended there; then it is a warning, since users continue the simulation.
    pub fn completed_integrator_step(&mut self) -> Outcome<bool> {
        let near = |stop: f64| 1e-9 * stop.abs().max(1.0);
        if let Some(stop) = self.experiment.stop.filter(|stop| self.time > stop + near(*stop))
            && !self.warned_of_stop_time
        {
            self.warned_of_stop_time = true;
            self.warn(&format!("time is {} s, after stopTime {} s", Number(self.time), Number(stop)));
        }
        self.diagnostics.event = false;
        self.prepare()?;
        if self.model.has_memory() {
            self.history.complete(self.time, &mut self.values, &self.layout);
        }
        self.complete_step()?;
        Ok(self.diagnostics.event)
    }

    /// `fmi2SetTime`
    pub fn set_time(&mut self, time: f64) -> Outcome {
        if !time.is_finite() {
            return Err(CallError::error(format!("time cannot be {}; a finite number is needed", Number(time))));
        }
        let moves = time.to_bits() != self.time.to_bits();
        if moves && self.state == State::Initialization {
            return Err(CallError::error(format!(
                "time cannot be set to {} s in initialization mode: startTime is {} s",
                Number(time),
                Number(self.time)
            )));
        }
        if moves {
            self.prepare_late()?;
            self.history.roll_back(time, &mut self.values, &self.layout);
            self.time = time;
            self.outputs_valid = false;
        }
        Ok(())
    }

    /// `fmi2SetContinuousStates`
    pub fn set_continuous_states(&mut self, states: &[f64]) -> Outcome {
        self.check_states(states.len())?;
        if let Some((i, value)) = states.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            let name = self.name(Base::Real, self.layout.states[i].state as u32);
            return Err(CallError::error(format!(
                "\"{name}\" cannot be {}; a finite number is needed",
                Number(*value)
            )));
        }
        self.prepare_late()?;
        for (state, value) in self.layout.states.iter().zip(states) {
            self.values.reals[state.state] = *value;
        }
        self.outputs_valid = false;
        Ok(())
    }

    /// `fmi2GetContinuousStates`
    pub fn get_continuous_states(&mut self, count: usize) -> Outcome<impl Iterator<Item = f64>> {
        self.check_states(count)?;
        self.refresh()?;
        Ok(self.layout.states.iter().map(|state| self.values.reals[state.state]))
    }

    /// `fmi2GetDerivatives`
    pub fn get_derivatives(&mut self, count: usize) -> Outcome<impl Iterator<Item = f64>> {
        self.check_states(count)?;
        self.refresh_derivatives(|model, values, data, time| model.derivatives(values, data, time))?;
        Ok(self.layout.states.iter().map(|state| self.values.reals[state.derivative]))
    }

    /// `fmi2GetNominalsOfContinuousStates`
    pub fn get_nominals(&mut self, count: usize) -> Outcome<impl Iterator<Item = f64>> {
        self.check_states(count)?;
        Ok(self.layout.states.iter().map(|state| state.nominal))
    }

    /// Rejects a wrong number of event indicators.
    pub fn check_indicators(&self, asked: usize) -> Outcome {
        let count = self.model.indicator_count();
        if asked == count {
            return Ok(());
        }
        Err(CallError::error(format!("{asked} event indicators are requested, but there are {count}")))
    }

    /// `fmi2GetEventIndicators`, with the right number of them
    pub fn get_event_indicators(&mut self, indicators: &mut [f64]) -> Outcome {
        let mut are_known = false;
        self.refresh_derivatives(|model, values, data, time| {
            let is_all = model.evaluate_indicators(values, data, time, indicators)?;
            are_known = indicators.iter().all(|indicator| indicator.is_finite());
            Ok(is_all)
        })?;
        if are_known {
            return Ok(());
        }
        self.refresh()?;
        match &self.data {
            Some(data) => self.model.indicators(&self.values, data, self.time, indicators),
            None => indicators.fill(1.0),
        }
        Ok(())
    }

    fn check_states(&self, count: usize) -> Outcome {
        let states = self.layout.states.len();
        if count == states {
            return Ok(());
        }
        Err(CallError::error(format!("{count} continuous states are given, but there are {states}")))
    }
}
