//! One instance of an FMU: its functions as methods, with the FMU's own messages in the errors.

use std::cell::{Cell, RefCell};

use c_interface::{CInstance, CO_SIMULATION, MODEL_EXCHANGE, Setup, Standard, Status};
use fmu_builder::description::{Variable, VariableType};
use fmu_builder::{ArrayVariable, ModelDescription};

pub use c_interface::EventInfo;

use super::failure::{Done, Failure, Names};
use super::fmu::{Interface, Loaded};
use super::given::AssignedValues;
use super::messages::{self, Message};
use super::watch::{Watched, watched};
use crate::values::value::Value;

/// `fmi2LastSuccessfulTime`
const LAST_SUCCESSFUL_TIME: i32 = 2;
/// `fmi2Terminated`
const TERMINATED: i32 = 3;
/// Fraction of a step by which rounding may miss its end.
const ROUNDING: f64 = 1e-6;

/// An instance.
pub struct Instance {
    pub(super) fmi: Watched<CInstance>,
    loaded: Loaded,
    messages: RefCell<Vec<Message>>,
    /// Tolerance, start and stop time, which FMI 3.0 takes with the initialisation.
    experiment: Cell<(Option<f64>, f64, Option<f64>)>,
    step_options: StepOptions,
    /// The values that arrays of FMI 3.0 were given, since they are set as a whole.
    pub(super) given: RefCell<AssignedValues>,
}

/// Options of FMI 3.0 for the steps of Co-Simulation.
#[derive(Clone, Copy, Default)]
struct StepOptions {
    event_mode: bool,
    early_return: bool,
}

/// End of a step of Co-Simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepEnd {
    /// The step reached its end.
    Completed,
    /// The step reached its end, where an event is to be handled.
    Event,
    /// The step ended early, at this time, from where it can go on; true if an event is to be handled first.
    Early(f64, bool),
    /// The FMU ended the simulation, at this time.
    Ended(f64),
}

impl Instance {
    /// Makes an instance that logs warnings and errors.
    pub fn new(loaded: &Loaded) -> Done<Self> {
        Self::instantiate(loaded, StepOptions::default(), None)
    }

    /// Makes an instance for Co-Simulation with event mode and early return, which an FMU of FMI 3.0 must claim to
    /// have.
    pub fn with_event_mode(loaded: &Loaded) -> Done<Self> {
        Self::instantiate(loaded, StepOptions { event_mode: true, early_return: true }, None)
    }

    /// Makes an instance for Co-Simulation of FMI 3.0 that calls the importer inside of steps, where these elements are
    /// got.
    pub fn with_updates(loaded: &Loaded, elements: &[u32], early_return: bool) -> Done<Self> {
        let arrays = loaded.model().arrays.iter();
        let is_got = |array: &&ArrayVariable| elements.iter().any(|it| array.elements.contains(&(*it as usize)));
        let references: Vec<u32> = arrays.filter(is_got).map(|array| array.value_reference).collect();
        Self::instantiate(loaded, StepOptions { event_mode: false, early_return }, Some(&references))
    }

    fn instantiate(loaded: &Loaded, step_options: StepOptions, updates: Option<&[u32]>) -> Done<Self> {
        let fmu = &loaded.fmu;
        let kind = match loaded.interface {
            Interface::CoSimulation => CO_SIMULATION,
            Interface::ModelExchange => MODEL_EXCHANGE,
        };
        let (name, location) = (fmu.model().model_name.as_bytes(), fmu.resources());
        let setup = Setup {
            name: Some(name),
            location: Some(location.as_bytes()),
            logging_on: true,
            lasting: true,
            event_mode: step_options.event_mode,
            early_return: step_options.early_return,
            updates,
            ..Setup::new(kind, &fmu.model().guid)
        };
        let call = match (fmu.standard(), loaded.interface) {
            (Standard::Fmi2, _) => "fmi2Instantiate",
            (Standard::Fmi3, Interface::CoSimulation) => "fmi3InstantiateCoSimulation",
            (Standard::Fmi3, Interface::ModelExchange) => "fmi3InstantiateModelExchange",
        };
        let fmi = watched(call, || loaded.api.instantiate(setup)).map_err(|messages| {
            let mut messages = messages.into_iter().map(Message::from).collect();
            let reason = messages::reason(call, &mut messages);
            Failure { call, status: Status::Ok, reason }
        })?;
        let free = match fmu.standard() {
            Standard::Fmi2 => "fmi2FreeInstance",
            Standard::Fmi3 => "fmi3FreeInstance",
        };
        let fmi = Watched::new(free, fmi);
        let given = AssignedValues::of(&fmu.model().arrays);
        let instance = Self {
            fmi,
            loaded: loaded.clone(),
            messages: RefCell::default(),
            experiment: Cell::new((None, 0.0, Some(0.0))),
            step_options,
            given: given.into(),
        };
        instance.silence();
        Ok(instance)
    }

    /// Returns true if events of Co-Simulation are handled in event mode.
    pub fn has_event_mode(&self) -> bool {
        self.step_options.event_mode
    }

    /// Returns true if the FMU is for FMI 2.0.
    pub fn is_of_fmi_2(&self) -> bool {
        self.standard() == Standard::Fmi2
    }

    pub(super) fn standard(&self) -> Standard {
        self.loaded.fmu.standard()
    }

    /// Returns the content of the FMU's description.
    pub fn model(&self) -> &ModelDescription {
        self.loaded.model()
    }

    /// Switches off all log categories but warnings and errors. An FMU that cannot do that logs more.
    fn silence(&self) {
        let categories = self.loaded.fmu.model().log_categories.iter().map(|category| category.name.as_str());
        let chatter: Vec<_> = categories.filter(|name| !name.starts_with("logStatus")).collect();
        // No category at all would mean all of them.
        if !chatter.is_empty() {
            watched(self.name(["fmi2SetDebugLogging", "fmi3SetDebugLogging"]), || {
                self.fmi.set_debug_logging(false, &chatter)
            });
        }
    }

    /// Returns the name of a function in the standard of the FMU.
    pub fn name(&self, [two, three]: [&'static str; 2]) -> &'static str {
        match self.standard() {
            Standard::Fmi2 => two,
            Standard::Fmi3 => three,
        }
    }

    /// Calls a function. A warning lets the computation go on; its message is collected like any other.
    pub(super) fn call<T>(&self, names: Names, function: impl FnOnce(&CInstance) -> (Status, T)) -> Done<T> {
        let call = self.name(names);
        let (status, result) = watched(call, || function(&self.fmi));
        match status {
            Status::Ok | Status::Warning => Ok(result),
            Status::Missing => Err(Failure { call, status, reason: String::new() }),
            status => {
                self.collect();
                Err(Failure { call, status, reason: messages::reason(call, &mut self.messages.borrow_mut()) })
            }
        }
    }

    pub(super) fn done(&self, names: Names, function: impl FnOnce(&CInstance) -> Status) -> Done {
        self.call(names, |fmi| (function(fmi), ()))
    }

    fn collect(&self) {
        let mut messages: Vec<_> = self.fmi.messages().into_iter().map(Message::from).collect();
        // FMI 3.0 does not tell the instance of a message.
        let unnamed = messages.iter_mut().filter(|message| message.instance.is_empty());
        unnamed.for_each(|message| message.instance.clone_from(&self.model().model_name));
        self.messages.borrow_mut().extend(messages);
    }

    /// Takes the messages since the last call, oldest first.
    pub fn messages(&self) -> Vec<Message> {
        self.collect();
        self.messages.take()
    }

    /// `fmi2SetupExperiment`, from a start to a stop time in s, if there is one; in FMI 3.0 it is for the initialisation.
    pub fn setup_experiment(&self, tolerance: Option<f64>, (start, stop): (f64, impl Into<Option<f64>>)) -> Done {
        let stop = stop.into();
        self.experiment.set((tolerance, start, stop));
        match self.standard() {
            Standard::Fmi2 => self.done(["fmi2SetupExperiment"; 2], |fmi| fmi.setup_experiment(tolerance, start, stop)),
            Standard::Fmi3 => Ok(()),
        }
    }

    /// `fmi2EnterInitializationMode` or `fmi3EnterInitializationMode`
    pub fn enter_initialization_mode(&self) -> Done {
        let (tolerance, start, stop) = self.experiment.get();
        self.done(["fmi2EnterInitializationMode", "fmi3EnterInitializationMode"], |fmi| match fmi.standard() {
            Standard::Fmi2 => fmi.enter_initialization_mode(),
            Standard::Fmi3 => fmi.enter_initialization_mode_of(tolerance, start, stop),
        })
    }

    /// `fmi2ExitInitializationMode` or `fmi3ExitInitializationMode`
    pub fn exit_initialization_mode(&self) -> Done {
        self.done(["fmi2ExitInitializationMode", "fmi3ExitInitializationMode"], CInstance::exit_initialization_mode)
    }

    /// `fmi2Reset` or `fmi3Reset`
    pub fn reset(&self) -> Done {
        self.done(["fmi2Reset", "fmi3Reset"], CInstance::reset)?;
        self.given.replace(AssignedValues::of(&self.model().arrays));
        Ok(())
    }

    /// `fmi2Terminate` or `fmi3Terminate`
    pub fn terminate(&self) -> Done {
        self.done(["fmi2Terminate", "fmi3Terminate"], CInstance::terminate)
    }

    /// Sets a variable.
    pub fn set(&self, reference: u32, value: &Value) -> Done {
        self.set_all(&[(reference, value)])
    }

    /// Sets variables, in FMI 3.0 all elements of an array together.
    pub fn set_all(&self, values: &[(u32, &Value)]) -> Done {
        if self.standard() == Standard::Fmi3 {
            return self.set_in_arrays(values);
        }
        values.iter().try_for_each(|(reference, value)| {
            let reference = &[*reference];
            match value {
                Value::Real(value) => self.set_reals(reference, &[*value]),
                // Other values are refused where they are read.
                Value::Integer(value) => {
                    self.done(["fmi2SetInteger"; 2], |fmi| fmi.set_integer(reference, &[*value as i32]))
                }
                Value::Boolean(value) => {
                    self.done(["fmi2SetBoolean"; 2], |fmi| fmi.set_boolean(reference, &[i32::from(*value)]))
                }
                Value::String(value) => {
                    self.done(["fmi2SetString"; 2], |fmi| fmi.set_string(reference, &[Some(value.as_bytes())]))
                }
            }
        })
    }

    /// Sets as many Reals as there are references.
    pub fn set_reals(&self, references: &[u32], values: &[f64]) -> Done {
        match self.standard() {
            Standard::Fmi2 => self.done(["fmi2SetReal"; 2], |fmi| fmi.set_real(references, values)),
            Standard::Fmi3 => {
                let values: Vec<_> = values.iter().copied().map(Value::Real).collect();
                self.set_in_arrays(&references.iter().copied().zip(&values).collect::<Vec<_>>())
            }
        }
    }

    /// Sets the first time derivatives of Real inputs, in their units per second, for the next step.
    pub fn set_slopes(&self, references: &[u32], slopes: &[f64]) -> Done {
        self.set_input_derivatives(references, &vec![1; references.len()], slopes)
    }

    /// Sets time derivatives of Real inputs for the next step, each of its order; FMI 3.0 has no function for that.
    pub fn set_input_derivatives(&self, references: &[u32], orders: &[i32], values: &[f64]) -> Done {
        let set = |fmi: &CInstance| fmi.set_real_input_derivatives(references, orders, values);
        self.done(["fmi2SetRealInputDerivatives"; 2], set)
    }

    /// Returns a variable as a number, Booleans as 0 or 1. A String has none, and is 0.
    pub fn number(&self, variable: &Variable) -> Done<f64> {
        let reference = &[variable.value_reference];
        Ok(match variable.kind {
            VariableType::Real { .. } => self.get_reals(reference)?[0],
            VariableType::Integer { .. } | VariableType::Enumeration { .. } => self.get_integers(reference)?[0],
            VariableType::Boolean { .. } => self.get_booleans(reference)?[0],
            VariableType::String { .. } => {
                self.get_strings(reference)?;
                0.0
            }
        })
    }

    /// Returns true if two variables that follow one another are elements of one variable in the library.
    pub fn are_read_together(&self, one: &Variable, next: &Variable) -> bool {
        !self.is_of_fmi_2() && self.array_of(one.value_reference) == self.array_of(next.value_reference)
    }

    /// Returns variables that are read together as numbers.
    pub fn numbers(&self, variables: &[Variable]) -> Done<Vec<f64>> {
        match variables {
            [first, _, ..] if !matches!(first.kind, VariableType::String { .. }) => {
                self.numbers_of_arrays(&variables.iter().map(|variable| variable.value_reference).collect::<Vec<_>>())
            }
            _ => variables.iter().map(|variable| self.number(variable)).collect(),
        }
    }

    /// Gets Reals.
    pub fn get_reals(&self, references: &[u32]) -> Done<Vec<f64>> {
        match self.standard() {
            Standard::Fmi2 => {
                self.unless_empty(["fmi2GetReal"; 2], references.len(), |fmi, _| fmi.get_real(references))
            }
            Standard::Fmi3 => self.numbers_of_arrays(references),
        }
    }

    /// Gets Integers or items of Enumerations.
    pub fn get_integers(&self, references: &[u32]) -> Done<Vec<f64>> {
        match self.standard() {
            Standard::Fmi2 => {
                let get = |fmi: &CInstance, _| fmi.get_integer(references);
                let values = self.unless_empty(["fmi2GetInteger"; 2], references.len(), get)?;
                Ok(values.into_iter().map(f64::from).collect())
            }
            Standard::Fmi3 => self.numbers_of_arrays(references),
        }
    }

    /// Gets Booleans, 0 or 1.
    pub fn get_booleans(&self, references: &[u32]) -> Done<Vec<f64>> {
        match self.standard() {
            Standard::Fmi2 => {
                let get = |fmi: &CInstance, _| fmi.get_boolean(references);
                let values = self.unless_empty(["fmi2GetBoolean"; 2], references.len(), get)?;
                Ok(values.into_iter().map(f64::from).collect())
            }
            Standard::Fmi3 => self.numbers_of_arrays(references),
        }
    }

    /// Gets Strings.
    pub fn get_strings(&self, references: &[u32]) -> Done<Vec<Option<String>>> {
        match self.standard() {
            Standard::Fmi2 => self.call(["fmi2GetString"; 2], |fmi| fmi.get_string(references)),
            Standard::Fmi3 => self.strings_of_arrays(references),
        }
    }

    /// Returns the derivatives of `unknowns` along `seeds` of the `knowns`.
    pub fn directional_derivative(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Done<Vec<f64>> {
        match self.standard() {
            Standard::Fmi2 => {
                let derivative = |fmi: &CInstance| fmi.directional_derivative(unknowns, knowns, seeds);
                self.call(["fmi2GetDirectionalDerivative"; 2], derivative)
            }
            Standard::Fmi3 => self.directional_derivative_of_arrays(unknowns, knowns, seeds),
        }
    }

    /// Returns time derivatives of Real outputs after a step, each of its order.
    pub fn output_derivatives(&self, references: &[u32], orders: &[i32]) -> Done<Vec<f64>> {
        if !self.is_of_fmi_2() {
            return self.output_derivatives_of_arrays(references, orders);
        }
        let get = |fmi: &CInstance| fmi.get_real_output_derivatives(references, orders);
        self.call(["fmi2GetRealOutputDerivatives"; 2], get)
    }

    /// `fmi2DoStep` or `fmi3DoStep`: a step of `h` s from `time` on, which is not repeated.
    ///
    /// # Errors
    ///
    /// Also when the FMU says that it ended at a time that is not in the step, or early without being allowed to.
    pub fn do_step(&self, time: f64, h: f64) -> Done<StepEnd> {
        if self.is_of_fmi_2() {
            return match self.done(["fmi2DoStep"; 2], |fmi| fmi.do_step(time, h)) {
                Ok(()) => Ok(StepEnd::Completed),
                Err(failure) => self.terminated_at(failure, (time, time + h)).map(StepEnd::Ended),
            };
        }
        let end = self.call(["fmi3DoStep"; 2], |fmi| fmi.do_step_to_event(time, h))?;
        let wrong = |reason| Err(Failure { call: "fmi3DoStep", status: Status::Ok, reason });
        let [event, terminate, early] = [end.event, end.terminate, end.early].map(|flag| flag == 1);
        if !terminate && !early {
            return Ok(if event { StepEnd::Event } else { StepEnd::Completed });
        }
        let Some(reached) = within(end.time, (time, time + h)) else {
            let (reached, end) = (end.time, time + h);
            return wrong(format!(
                "its last successful time is {reached} s, which is not between {time} s and {end} s"
            ));
        };
        match (terminate, self.step_options.early_return) {
            (true, _) => Ok(StepEnd::Ended(reached)),
            (false, true) => Ok(StepEnd::Early(reached, event)),
            (false, false) => wrong(format!("it returns early at {reached} s, although it was not allowed to")),
        }
    }

    /// `fmi3EnterStepMode`
    pub fn enter_step_mode(&self) -> Done {
        self.done(["fmi3EnterStepMode"; 2], CInstance::enter_step_mode)
    }

    /// Returns the time in s at which the FMU ended the simulation in a step between two times, if it discarded the
    /// step for that.
    ///
    /// # Errors
    ///
    /// The failure, if it has another reason, or says that the FMU gives a time that is not in the step.
    fn terminated_at(&self, mut failure: Failure, (begin, end): (f64, f64)) -> Done<f64> {
        if failure.call != "fmi2DoStep" || failure.status != Status::Discard {
            return Err(failure);
        }
        let terminated = self.call(["fmi2GetBooleanStatus"; 2], |fmi| fmi.get_boolean_status(TERMINATED));
        let time = self.call(["fmi2GetRealStatus"; 2], |fmi| fmi.get_real_status(LAST_SUCCESSFUL_TIME));
        let (Ok(1), Ok(time)) = (terminated, time) else { return Err(failure) };
        if let Some(time) = within(time, (begin, end)) {
            return Ok(time);
        }
        failure.reason = format!(
            "the FMU ends the simulation, and its last successful time is {time} s, which is not between {begin} s and \
             {end} s ({})",
            failure.reason
        );
        Err(failure)
    }

    /// `fmi2EnterEventMode` or `fmi3EnterEventMode`
    pub fn enter_event_mode(&self) -> Done {
        self.done(["fmi2EnterEventMode", "fmi3EnterEventMode"], CInstance::enter_event_mode)
    }

    /// `fmi3EvaluateDiscreteStates`
    pub fn evaluate_discrete_states(&self) -> Done {
        self.done(["fmi3EvaluateDiscreteStates"; 2], CInstance::evaluate_discrete_states)
    }

    /// `fmi2NewDiscreteStates` or `fmi3UpdateDiscreteStates`
    pub fn new_discrete_states(&self) -> Done<EventInfo> {
        self.call(["fmi2NewDiscreteStates", "fmi3UpdateDiscreteStates"], CInstance::new_discrete_states)
    }

    /// `fmi2EnterContinuousTimeMode` or `fmi3EnterContinuousTimeMode`
    pub fn enter_continuous_time_mode(&self) -> Done {
        self.done(["fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode"], CInstance::enter_continuous_time_mode)
    }

    /// `fmi2CompletedIntegratorStep` or `fmi3CompletedIntegratorStep`: returns true if it asks for an event, and true
    /// if it asks for the end of the simulation.
    pub fn completed_integrator_step(&self) -> Done<(bool, bool)> {
        let [event, terminate] = self.call(
            ["fmi2CompletedIntegratorStep", "fmi3CompletedIntegratorStep"],
            CInstance::completed_integrator_step,
        )?;
        Ok((event == 1, terminate == 1))
    }

    /// `fmi2SetTime` or `fmi3SetTime`, in s
    pub fn set_time(&self, time: f64) -> Done {
        self.done(["fmi2SetTime", "fmi3SetTime"], |fmi| fmi.set_time(time))
    }

    /// `fmi2SetContinuousStates` or `fmi3SetContinuousStates`
    pub fn set_continuous_states(&self, states: &[f64]) -> Done {
        if states.is_empty() {
            return Ok(());
        }
        self.done(["fmi2SetContinuousStates", "fmi3SetContinuousStates"], |fmi| fmi.set_continuous_states(states))
    }

    /// `fmi2GetContinuousStates` or `fmi3GetContinuousStates`
    pub fn continuous_states(&self) -> Done<Vec<f64>> {
        self.unless_empty(
            ["fmi2GetContinuousStates", "fmi3GetContinuousStates"],
            self.states(),
            CInstance::get_continuous_states,
        )
    }

    /// `fmi2GetNominalsOfContinuousStates` or `fmi3GetNominalsOfContinuousStates`
    pub fn nominals(&self) -> Done<Vec<f64>> {
        self.unless_empty(
            ["fmi2GetNominalsOfContinuousStates", "fmi3GetNominalsOfContinuousStates"],
            self.states(),
            CInstance::get_nominals,
        )
    }

    /// `fmi2GetDerivatives` or `fmi3GetContinuousStateDerivatives` of the continuous states, per second
    pub fn derivatives(&self) -> Done<Vec<f64>> {
        self.unless_empty(
            ["fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives"],
            self.states(),
            CInstance::get_derivatives,
        )
    }

    /// `fmi2GetEventIndicators` or `fmi3GetEventIndicators`
    pub fn event_indicators(&self) -> Done<Vec<f64>> {
        let count = self.loaded.fmu.model().number_of_event_indicators;
        self.unless_empty(["fmi2GetEventIndicators", "fmi3GetEventIndicators"], count, CInstance::get_event_indicators)
    }

    /// Calls a function only if there is something to get, since some FMUs fail otherwise.
    fn unless_empty<T>(
        &self,
        names: Names,
        count: usize,
        get: impl FnOnce(&CInstance, usize) -> (Status, Vec<T>),
    ) -> Done<Vec<T>> {
        if count == 0 { Ok(Vec::new()) } else { self.call(names, |fmi| get(fmi, count)) }
    }

    /// Returns the number of continuous states.
    fn states(&self) -> usize {
        self.loaded.fmu.model().model_structure.derivatives.len()
    }
}

/// Returns a time that is in a step, apart from rounding.
fn within(time: f64, (begin, end): (f64, f64)) -> Option<f64> {
    let rounding = ROUNDING * (end - begin).max(f64::EPSILON * end.abs());
    (begin - rounding..=end + rounding).contains(&time).then(|| time.clamp(begin, end))
}
