//! One instance: its values, its state, and the calls of the life cycle.

use std::cell::OnceCell;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::Arc;

use fmu_exchange::{Base, Category, Number, Standard};
use tape::Tape;

use crate::component::component_model::{ComponentModel, Data, Integrate, Scratch};
use crate::component::dependencies::DependencyAnalysis;
use crate::component::equations::Diagnostics;
use crate::component::files::Files;
use crate::component::integration::kept;
use crate::component::layout::Layout;
use crate::component::model_error::ModelError;
use crate::component::polynomial::Polynomials;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::history::History;
use crate::instance::intermediate_update::Updates;
use crate::instance::last_linear::LinearFormCache;
use crate::instance::last_set::LastSetCache;
use crate::instance::lifecycle::{Call, CallLegality, EventHandling, Interface, State};
use crate::instance::log::{Log, Status};
use crate::instance::model::Model;
use crate::instance::snapshot::{Experiment, Snapshots};
use crate::rows::values::Values;

/// An instance of a component.
pub struct Instance {
    pub(crate) standard: Standard,
    pub(crate) interface: Interface,
    /// Handling of the events in Co-Simulation.
    pub(crate) events: EventHandling,
    pub(crate) state: State,
    /// The function that is called inside steps, if there is one.
    pub(crate) updates: Option<Updates>,
    pub(crate) model: Arc<dyn ComponentModel>,
    pub(crate) layout: Arc<Layout>,
    /// The layout with the configured numbers of rows.
    pub(crate) own_layout: Arc<Layout>,
    /// Configuration as text.
    pub(crate) text: Arc<str>,
    pub(crate) guid: Arc<str>,
    pub(crate) log: Log,
    pub(crate) values: Values,
    /// The prepared data; none before initialisation and after a fixed parameter was set.
    pub(crate) data: Option<Data>,
    /// True if the computed values are up to date with inputs, states and time.
    pub(crate) outputs_valid: bool,
    /// True if the importer sets after the initialisation what belongs before it: parameters first, then inputs.
    pub(crate) allows_late_parameters: bool,
    /// True if values that the initialisation needs were set after it, before the first step.
    pub(crate) must_reinitialise: bool,
    pub(crate) history: History,
    pub(crate) time: f64,
    pub(crate) experiment: Experiment,
    /// True if a warning about a step beyond the stop time was logged.
    pub(crate) warned_of_stop_time: bool,
    /// True if a warning was logged about derivatives that follow from another input.
    pub(crate) warned_of_derivatives: bool,
    pub(crate) polynomials: Polynomials,
    pub(crate) strings: Vec<CString>,
    pub(crate) snapshots: Snapshots,
    pub(crate) scratch: Scratch,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) last_set: LastSetCache,
    pub(crate) last_linear: LinearFormCache,
    pub(crate) tape: Tape,
    /// Dependencies between values, once an importer has asked for them.
    pub(super) dependency_analysis: OnceCell<DependencyAnalysis>,
    files: Files,
    call: Call,
}

impl Instance {
    /// Makes an instance in the state "instantiated".
    pub fn new(standard: Standard, interface: Interface, model: Model, log: Log, resources: Option<PathBuf>) -> Self {
        let Model { component: model, layout, text, guid } = model;
        Self {
            standard,
            interface,
            events: EventHandling::Inside,
            state: State::Instantiated,
            updates: None,
            values: layout.start.clone(),
            last_set: LastSetCache::with_capacity(layout.start.reals.len()),
            last_linear: LinearFormCache::default(),
            tape: Tape::default(),
            scratch: Scratch { reals: Vec::with_capacity(layout.start.reals.len()), integration: None },
            model,
            own_layout: layout.clone(),
            layout,
            text,
            guid,
            log,
            data: None,
            outputs_valid: false,
            allows_late_parameters: false,
            must_reinitialise: false,
            history: History::default(),
            time: 0.0,
            experiment: Experiment::default(),
            warned_of_stop_time: false,
            warned_of_derivatives: false,
            polynomials: Polynomials::default(),
            strings: Vec::new(),
            snapshots: Snapshots::default(),
            diagnostics: Diagnostics::default(),
            dependency_analysis: OnceCell::new(),
            files: Files::new(resources),
            call: Call::fmi2Reset,
        }
    }

    /// Runs the body of a call if it is legal now; logs an error and enters the state "error".
    #[inline(always)]
    pub fn call(&mut self, call: Call, body: impl FnOnce(&mut Self) -> Outcome) -> Status {
        self.call = call;
        let is_own = call.standard() == self.standard;
        let outcome = match call.verdict(self.interface, self.state) {
            _ if !is_own => Err(self.illegal(call)),
            CallLegality::Legal | CallLegality::Tolerated => body(self),
            CallLegality::Refused => Err(self.illegal(call)),
        };
        match outcome {
            Ok(()) => Status::Ok,
            Err(error) => self.fail(&error),
        }
    }

    /// Logs an error or a discarded call; after an error the instance is in the state "error".
    pub fn fail(&mut self, error: &CallError) -> Status {
        let category = if error.status == Status::Error {
            self.state = State::Error;
            Category::Error
        } else {
            Category::Discard
        };
        self.log.send(error.status, category, &format!("{}: {}", self.call.name(), error.message));
        error.status
    }

    /// Logs a warning about the current call, which continues.
    pub(crate) fn warn(&mut self, message: &str) {
        self.log.send(Status::Ok, Category::Warning, &format!("{}: {message}", self.call.name()));
    }

    fn illegal(&self, call: Call) -> CallError {
        let name = call.name();
        if call.standard() != self.standard {
            let made_for = if self.standard == Standard::Fmi2 { "FMI 2.0" } else { "FMI 3.0" };
            return CallError::error(format!("{name} does not exist in {made_for}, for which this instance was made"));
        }
        let foreign = crate::instance::lifecycle::states(self.standard, self.interface)
            .iter()
            .all(|state| call.verdict(self.interface, *state) == CallLegality::Refused);
        if call == Call::fmi2CancelStep {
            return CallError::error("no step is ever pending, since no step is asynchronous");
        }
        if foreign {
            let interface = match self.interface {
                Interface::CoSimulation => "Co-Simulation",
                Interface::ModelExchange => "Model Exchange",
            };
            return CallError::error(format!(
                "{name} does not exist for {interface}, for which this instance was made"
            ));
        }
        CallError::error(format!("not allowed in state {}", self.state.name(self.standard)))
    }

    /// `fmi2SetupExperiment`
    pub fn setup_experiment(&mut self, tolerance: Option<f64>, start: f64, stop: Option<f64>) -> Outcome {
        if !start.is_finite() {
            return Err(CallError::error(format!("startTime is {}, but must be finite", Number(start))));
        }
        if let Some(stop) = stop.filter(|stop| stop.is_nan() || *stop < start) {
            return Err(CallError::error(format!(
                "stopTime is {}, but must not be before startTime {}",
                Number(stop),
                Number(start)
            )));
        }
        if let Some(tolerance) = tolerance.filter(|t| !t.is_finite() || *t <= 0.0) {
            self.warn(&format!("tolerance {} is ignored; it must be positive", Number(tolerance)));
        }
        if let Some(kept) = self.kept() {
            kept[kept::TOLERANCE] = tolerance.filter(|tolerance| *tolerance > 0.0).unwrap_or_default();
        }
        self.experiment = Experiment { start, stop: stop.filter(|stop| stop.is_finite()) };
        self.warned_of_stop_time = false;
        self.warned_of_derivatives = false;
        self.time = start;
        Ok(())
    }

    /// `fmi2EnterInitializationMode`
    pub fn enter_initialization_mode(&mut self) -> Outcome {
        self.state = State::Initialization;
        self.outputs_valid = false;
        Ok(())
    }

    /// `fmi2ExitInitializationMode`
    pub fn exit_initialization_mode(&mut self) -> Outcome {
        self.outputs_valid = false;
        self.refresh()?;
        self.state = match self.interface {
            Interface::CoSimulation if self.events == EventHandling::Inside => State::StepComplete,
            _ => State::Event,
        };
        self.begin()
    }

    /// Ends the initialisation, whose values are computed.
    fn begin(&mut self) -> Outcome {
        let data = self.data.as_ref().expect("prepared");
        for warning in self.model.start_warnings(&self.values, data, self.time) {
            self.log.send(Status::Ok, Category::Warning, &warning);
        }
        if self.interface == Interface::CoSimulation {
            self.forget_motion();
            let data = self.data.as_ref().expect("prepared");
            self.polynomials.hold();
            self.model.begin_steps(&mut self.values, &mut self.polynomials, data, self.time);
            for (input, derivative) in &self.layout.rates {
                self.polynomials.run_on(*input, self.values.reals[*derivative]);
            }
        }
        self.complete_step()
    }

    /// Returns true if the initialisation has ended and nothing has moved since.
    pub(crate) fn is_at_start(&self) -> bool {
        matches!(self.state, State::StepComplete | State::Event)
            && self.time.to_bits() == self.experiment.start.to_bits()
    }

    /// `fmi2Terminate`
    pub fn terminate(&mut self) -> Outcome {
        self.state = if self.is_initialising() { State::Abandoned } else { State::Terminated };
        Ok(())
    }

    /// Returns true if the values are those of an initialisation that has not ended, or was abandoned.
    pub(crate) fn is_initialising(&self) -> bool {
        matches!(self.state, State::Initialization | State::Abandoned)
    }

    /// `fmi2Reset`: as freshly instantiated; logging and saved states remain.
    pub fn reset(&mut self) -> Outcome {
        self.restore_rows();
        self.values.copy_from(&self.layout.start);
        self.state = State::Instantiated;
        self.experiment = Experiment::default();
        self.time = 0.0;
        self.polynomials.clear();
        self.data = None;
        self.files.forget();
        self.outputs_valid = false;
        self.allows_late_parameters = false;
        self.must_reinitialise = false;
        self.history.clear();
        Ok(())
    }

    /// `fmi2SetDebugLogging`
    pub fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> Outcome {
        for unknown in self.log.switch(on, categories) {
            let known: Vec<_> = Category::ALL.iter().filter_map(|(_, name, _)| name.to_str().ok()).collect();
            self.warn(&format!("unknown category \"{unknown}\"; available: {}", known.join(", ")));
        }
        Ok(())
    }

    /// Updates the computed values to inputs, states, parameters and time.
    pub fn refresh(&mut self) -> Outcome {
        let is_done = self.outputs_valid && self.data.is_some();
        if is_done || matches!(self.state, State::Instantiated | State::Error) {
            return Ok(());
        }
        self.prepare()?;
        // After deserialising an FMU state, only the prepared data are missing.
        if self.outputs_valid {
            return Ok(());
        }
        let data = self.data.as_ref().expect("prepared");
        let result = if self.is_initialising() {
            self.layout.restore_starts(&mut self.values);
            self.model.initialise(&mut self.values, data, self.time)
        } else {
            self.model.evaluate(&mut self.values, data, self.time)
        };
        result.map_err(|error| self.call_error(&error))?;
        self.outputs_valid = true;
        Ok(())
    }

    /// Returns the Reals that are kept for the integration of the states, if the runtime does that.
    fn kept(&mut self) -> Option<&mut [f64]> {
        let kept = self.layout.kept;
        let place = self.values.reals.len() - kept;
        (kept > 0).then(|| &mut self.values.reals[place..])
    }

    /// Lets the next step begin with an event, since something else than inputs and tunable parameters has changed.
    pub(super) fn forget_motion(&mut self) {
        if let Some(kept) = self.kept() {
            kept[kept::KNOWLEDGE] = 0.0;
        }
    }

    /// Updates the derivatives of the states, and perhaps nothing else, by `compute`, which returns true if it computes
    /// all.
    pub(crate) fn refresh_derivatives(
        &mut self,
        compute: impl FnOnce(&dyn ComponentModel, &mut Values, &Data, f64) -> Result<bool, ModelError>,
    ) -> Outcome {
        if self.outputs_valid || self.state != State::ContinuousTime {
            return self.refresh();
        }
        self.prepare()?;
        let data = self.data.as_ref().expect("prepared");
        let is_all =
            compute(&*self.model, &mut self.values, data, self.time).map_err(|error| self.call_error(&error))?;
        if self.layout.states.iter().all(|state| self.values.reals[state.derivative].is_finite()) {
            self.outputs_valid = is_all;
            return Ok(());
        }
        // The full evaluation names the value that is too large.
        self.refresh()
    }

    /// Prepares parameters and files, unless that is done; repeats the initialisation if something that it needs was
    /// set late.
    pub(crate) fn prepare(&mut self) -> Outcome {
        if self.data.is_none() {
            let prepared = self.model.prepare(&self.values, &self.layout, Some(&self.files), &[]);
            let prepared = prepared.map_err(|error| self.call_error(&error))?;
            self.data = Some(prepared);
            if self.scratch.integration.is_none() {
                self.scratch.integration = integration(self.interface, &*self.model, &self.layout);
            }
            for warning in self.files.warnings() {
                self.log.send(Status::Ok, Category::Warning, &warning);
            }
            if self.must_reinitialise {
                let data = self.data.as_ref().expect("prepared");
                self.layout.restore_starts(&mut self.values);
                if let Err(error) = self.model.initialise(&mut self.values, data, self.experiment.start) {
                    self.data = None;
                    return Err(self.call_error(&error));
                }
                self.must_reinitialise = false;
                self.history.clear();
                return self.begin();
            }
        }
        Ok(())
    }

    /// Ends the phase in which values may still be set late: they take effect before anything moves.
    pub(crate) fn prepare_late(&mut self) -> Outcome {
        self.allows_late_parameters = false;
        if self.must_reinitialise { self.prepare() } else { Ok(()) }
    }

    /// Prepares the data with a direction of the elements of the tables. Its warnings are known from the ordinary
    /// preparation.
    pub(crate) fn prepare_along(&self, direction: &[f64]) -> Outcome<Data> {
        let prepared = self.model.prepare(&self.values, &self.layout, Some(&self.files), direction);
        drop(self.files.warnings());
        prepared.map_err(|error| self.call_error(&error))
    }

    /// Ends a step: the memory follows the motion, and its warnings are logged.
    pub(crate) fn complete_step(&mut self) -> Outcome {
        if !self.model.has_memory() {
            return Ok(());
        }
        self.prepare()?;
        let data = self.data.as_ref().expect("prepared");
        let result = self.model.complete(&mut self.values, data, self.time, &mut self.diagnostics);
        self.end_step(result)
    }

    /// Logs the warnings of a step or an event.
    pub(crate) fn log_warnings(&mut self) {
        for warning in self.diagnostics.warnings.drain(..) {
            self.log.send(Status::Ok, Category::Warning, &format!("{warning} (time = {} s)", Number(self.time)));
        }
    }

    /// Ends a step and logs its warnings.
    pub(crate) fn end_step(&mut self, result: Result<(), ModelError>) -> Outcome {
        self.log_warnings();
        result.map_err(|error| self.call_error(&error))?;
        self.outputs_valid = true;
        Ok(())
    }

    /// Returns the status of a component's error in the current call.
    pub(crate) fn call_error(&self, error: &ModelError) -> CallError {
        CallError::from_model(error, self.call, self.interface, self.time)
    }

    /// Returns the name of a variable, for a message.
    pub(crate) fn name(&self, base: Base, reference: u32) -> String {
        crate::component::names::name(&|visitor| self.model.declare(visitor), &self.layout.tables, base, reference)
    }
}

/// Makes the buffers of steps, which exist in Co-Simulation only.
pub(super) fn integration(
    interface: Interface,
    model: &dyn ComponentModel,
    layout: &Layout,
) -> Option<Box<dyn Integrate>> {
    if interface == Interface::CoSimulation { model.integration(layout) } else { None }
}
