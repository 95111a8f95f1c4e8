//! One instance of an FMU: its functions as methods, with the FMU's own messages in the errors.

use std::cell::RefCell;
use std::fmt;

use c_interface::{CO_SIMULATION, FmuState, MODEL_EXCHANGE, Setup, Slave, Status};
use fmu_builder::ModelDescription;
use fmu_builder::description::{Variable, VariableType};

pub use c_interface::EventInfo;

use super::fmu::{Interface, Loaded};
use super::messages::{self, Message};
use super::watch::{Watched, watched};
use crate::values::value::Value;

/// `fmi2LastSuccessfulTime`
const LAST_SUCCESSFUL_TIME: i32 = 2;
/// `fmi2Terminated`
const TERMINATED: i32 = 3;
/// By this fraction of a step its end may be missed by rounding.
const ROUNDING: f64 = 1e-6;
/// The most bytes that an FMU state may have.
const MAX_BYTES: usize = 1 << 30;

/// A call that the FMU did not carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Name of the C function.
    pub call: &'static str,
    /// What it returned.
    pub status: Status,
    /// What the FMU said about it.
    pub reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { call, status, reason } = self;
        let status = match status {
            Status::Ok if *call == "fmi2Instantiate" => "no instance",
            Status::Ok | Status::Warning => return write!(f, "{call}: {reason}"),
            Status::Discard => "fmi2Discard",
            Status::Error => "fmi2Error",
            Status::Fatal => "fmi2Fatal",
            Status::Pending => "fmi2Pending, although steps are synchronous",
            Status::Unknown => "an unknown status",
            Status::Missing => return write!(f, "the library has no {call}"),
        };
        write!(f, "{call} returned {status}: {reason}")
    }
}

impl std::error::Error for Failure {}

type Done<T = ()> = Result<T, Failure>;

/// An instance.
pub struct Instance {
    slave: Watched<Slave>,
    loaded: Loaded,
    messages: RefCell<Vec<Message>>,
}

/// A saved FMU state of an instance.
pub struct Saved<'i> {
    state: FmuState,
    instance: &'i Instance,
}

impl Instance {
    /// Makes an instance that logs warnings and errors.
    pub fn new(loaded: &Loaded) -> Done<Self> {
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
            ..Setup::new(kind, &fmu.model().guid)
        };
        let slave = watched("fmi2Instantiate", || loaded.api.instantiate(setup)).map_err(|messages| {
            let mut messages = messages.into_iter().map(Message::from).collect();
            let reason = messages::reason("fmi2Instantiate", &mut messages);
            Failure { call: "fmi2Instantiate", status: Status::Ok, reason }
        })?;
        let slave = Watched::new("fmi2FreeInstance", slave);
        let instance = Self { slave, loaded: loaded.clone(), messages: RefCell::default() };
        instance.silence();
        Ok(instance)
    }

    /// What the FMU says of itself.
    pub fn model(&self) -> &ModelDescription {
        self.loaded.model()
    }

    /// Switches off all log categories but warnings and errors. An FMU that cannot do that logs more.
    fn silence(&self) {
        let categories = self.loaded.fmu.model().log_categories.iter().map(|category| category.name.as_str());
        let chatter: Vec<_> = categories.filter(|name| !name.starts_with("logStatus")).collect();
        // No category at all would mean all of them.
        if !chatter.is_empty() {
            watched("fmi2SetDebugLogging", || self.slave.set_debug_logging(false, &chatter));
        }
    }

    /// A warning lets the computation go on; its message is collected like any other.
    fn call<T>(&self, call: &'static str, function: impl FnOnce(&Slave) -> (Status, T)) -> Done<T> {
        let (status, result) = watched(call, || function(&self.slave));
        match status {
            Status::Ok | Status::Warning => Ok(result),
            status => {
                self.collect();
                Err(Failure { call, status, reason: messages::reason(call, &mut self.messages.borrow_mut()) })
            }
        }
    }

    fn done(&self, call: &'static str, function: impl FnOnce(&Slave) -> Status) -> Done {
        self.call(call, |slave| (function(slave), ()))
    }

    fn collect(&self) {
        self.messages.borrow_mut().extend(self.slave.messages().into_iter().map(Message::from));
    }

    /// Takes the messages since the last call, oldest first.
    pub fn messages(&self) -> Vec<Message> {
        self.collect();
        self.messages.take()
    }

    /// `fmi2SetupExperiment`, from a start to a stop time in s.
    pub fn setup_experiment(&self, tolerance: Option<f64>, (start, stop): (f64, f64)) -> Done {
        self.done("fmi2SetupExperiment", |slave| slave.setup_experiment(tolerance, start, Some(stop)))
    }

    /// `fmi2EnterInitializationMode`
    pub fn enter_initialization_mode(&self) -> Done {
        self.done("fmi2EnterInitializationMode", Slave::enter_initialization_mode)
    }

    /// `fmi2ExitInitializationMode`
    pub fn exit_initialization_mode(&self) -> Done {
        self.done("fmi2ExitInitializationMode", Slave::exit_initialization_mode)
    }

    /// `fmi2Reset`
    pub fn reset(&self) -> Done {
        self.done("fmi2Reset", Slave::reset)
    }

    /// `fmi2Terminate`
    pub fn terminate(&self) -> Done {
        self.done("fmi2Terminate", Slave::terminate)
    }

    /// Sets a variable.
    pub fn set(&self, reference: u32, value: &Value) -> Done {
        let reference = &[reference];
        match value {
            Value::Real(value) => self.set_reals(reference, &[*value]),
            Value::Integer(value) => self.done("fmi2SetInteger", |slave| slave.set_integer(reference, &[*value])),
            Value::Boolean(value) => {
                self.done("fmi2SetBoolean", |slave| slave.set_boolean(reference, &[i32::from(*value)]))
            }
            Value::String(value) => {
                self.done("fmi2SetString", |slave| slave.set_string(reference, &[Some(value.as_bytes())]))
            }
        }
    }

    /// Sets as many Reals as there are references.
    pub fn set_reals(&self, references: &[u32], values: &[f64]) -> Done {
        self.done("fmi2SetReal", |slave| slave.set_real(references, values))
    }

    /// Sets the first time derivatives of Real inputs, in their units per second, for the next step.
    pub fn set_slopes(&self, references: &[u32], slopes: &[f64]) -> Done {
        self.set_input_derivatives(references, &vec![1; references.len()], slopes)
    }

    /// Sets time derivatives of Real inputs for the next step, each of its order.
    pub fn set_input_derivatives(&self, references: &[u32], orders: &[i32], values: &[f64]) -> Done {
        let set = |slave: &Slave| slave.set_real_input_derivatives(references, orders, values);
        self.done("fmi2SetRealInputDerivatives", set)
    }

    /// A variable as a number, Booleans as 0 or 1. Of a String there is none, and it is 0.
    pub fn number(&self, variable: &Variable) -> Done<f64> {
        let reference = &[variable.value_reference];
        Ok(match variable.kind {
            VariableType::Real { .. } => self.get_reals(reference)?[0],
            VariableType::Integer { .. } | VariableType::Enumeration { .. } => {
                f64::from(self.get_integers(reference)?[0])
            }
            VariableType::Boolean { .. } => f64::from(self.get_booleans(reference)?[0]),
            VariableType::String { .. } => {
                self.get_strings(reference)?;
                0.0
            }
        })
    }

    /// Gets Reals.
    pub fn get_reals(&self, references: &[u32]) -> Done<Vec<f64>> {
        self.unless_empty("fmi2GetReal", references.len(), |slave, _| slave.get_real(references))
    }

    /// Gets Integers or items of Enumerations.
    pub fn get_integers(&self, references: &[u32]) -> Done<Vec<i32>> {
        self.unless_empty("fmi2GetInteger", references.len(), |slave, _| slave.get_integer(references))
    }

    /// Gets Booleans, 0 or 1.
    pub fn get_booleans(&self, references: &[u32]) -> Done<Vec<i32>> {
        self.unless_empty("fmi2GetBoolean", references.len(), |slave, _| slave.get_boolean(references))
    }

    /// Gets Strings.
    pub fn get_strings(&self, references: &[u32]) -> Done<Vec<Option<String>>> {
        self.call("fmi2GetString", |slave| slave.get_string(references))
    }

    /// The derivatives of `unknowns` along `seeds` of the `knowns`.
    pub fn directional_derivative(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Done<Vec<f64>> {
        let derivative = |slave: &Slave| slave.directional_derivative(unknowns, knowns, seeds);
        self.call("fmi2GetDirectionalDerivative", derivative)
    }

    /// Saves the FMU state.
    pub fn save(&self) -> Done<Saved<'_>> {
        let mut saved = Saved { state: FmuState::NULL, instance: self };
        saved.update()?;
        Ok(saved)
    }

    /// An FMU state from its bytes.
    pub fn deserialize(&self, bytes: &[u8]) -> Done<Saved<'_>> {
        let mut saved = Saved { state: FmuState::NULL, instance: self };
        let state = &mut saved.state;
        self.done("fmi2DeSerializeFMUstate", |slave| slave.deserialize(bytes, state))?;
        Ok(saved)
    }

    /// Time derivatives of Real outputs after a step, each of its order.
    pub fn output_derivatives(&self, references: &[u32], orders: &[i32]) -> Done<Vec<f64>> {
        let get = |slave: &Slave| slave.get_real_output_derivatives(references, orders);
        self.call("fmi2GetRealOutputDerivatives", get)
    }

    /// `fmi2DoStep`: a step of `h` s from `time` on, which is not repeated.
    pub fn do_step(&self, time: f64, h: f64) -> Done {
        self.done("fmi2DoStep", |slave| slave.do_step(time, h))
    }

    /// The time in s at which the FMU ended the simulation in a step between two times, if it discarded the step for that.
    ///
    /// # Errors
    ///
    /// The failure, if it has another reason, or says that the FMU gives a time that is not in the step.
    pub fn terminated_at(&self, mut failure: Failure, (begin, end): (f64, f64)) -> Done<f64> {
        if failure.call != "fmi2DoStep" || failure.status != Status::Discard {
            return Err(failure);
        }
        let terminated = self.call("fmi2GetBooleanStatus", |slave| slave.get_boolean_status(TERMINATED));
        let time = self.call("fmi2GetRealStatus", |slave| slave.get_real_status(LAST_SUCCESSFUL_TIME));
        let (Ok(1), Ok(time)) = (terminated, time) else { return Err(failure) };
        let rounding = ROUNDING * (end - begin).max(f64::EPSILON * end.abs());
        if (begin - rounding..=end + rounding).contains(&time) {
            return Ok(time.clamp(begin, end));
        }
        failure.reason = format!(
            "the FMU ends the simulation, and its last successful time is {time} s, which is not between {begin} s and \
             {end} s ({})",
            failure.reason
        );
        Err(failure)
    }

    /// `fmi2EnterEventMode`
    pub fn enter_event_mode(&self) -> Done {
        self.done("fmi2EnterEventMode", Slave::enter_event_mode)
    }

    /// `fmi2NewDiscreteStates`
    pub fn new_discrete_states(&self) -> Done<EventInfo> {
        self.call("fmi2NewDiscreteStates", Slave::new_discrete_states)
    }

    /// `fmi2EnterContinuousTimeMode`
    pub fn enter_continuous_time_mode(&self) -> Done {
        self.done("fmi2EnterContinuousTimeMode", Slave::enter_continuous_time_mode)
    }

    /// `fmi2CompletedIntegratorStep`: whether it asks for an event, and for the end of the simulation.
    pub fn completed_integrator_step(&self) -> Done<(bool, bool)> {
        let [event, terminate] = self.call("fmi2CompletedIntegratorStep", Slave::completed_integrator_step)?;
        Ok((event == 1, terminate == 1))
    }

    /// `fmi2SetTime`, in s
    pub fn set_time(&self, time: f64) -> Done {
        self.done("fmi2SetTime", |slave| slave.set_time(time))
    }

    /// `fmi2SetContinuousStates`
    pub fn set_continuous_states(&self, states: &[f64]) -> Done {
        if states.is_empty() {
            return Ok(());
        }
        self.done("fmi2SetContinuousStates", |slave| slave.set_continuous_states(states))
    }

    /// `fmi2GetContinuousStates`
    pub fn continuous_states(&self) -> Done<Vec<f64>> {
        self.unless_empty("fmi2GetContinuousStates", self.states(), Slave::get_continuous_states)
    }

    /// `fmi2GetNominalsOfContinuousStates`
    pub fn nominals(&self) -> Done<Vec<f64>> {
        self.unless_empty("fmi2GetNominalsOfContinuousStates", self.states(), Slave::get_nominals)
    }

    /// `fmi2GetDerivatives` of the continuous states, per second
    pub fn derivatives(&self) -> Done<Vec<f64>> {
        self.unless_empty("fmi2GetDerivatives", self.states(), Slave::get_derivatives)
    }

    /// `fmi2GetEventIndicators`
    pub fn event_indicators(&self) -> Done<Vec<f64>> {
        let count = self.loaded.fmu.model().number_of_event_indicators;
        self.unless_empty("fmi2GetEventIndicators", count, Slave::get_event_indicators)
    }

    /// Not called without anything to get, since some FMUs cannot stand that.
    fn unless_empty<T>(
        &self,
        call: &'static str,
        count: usize,
        get: impl FnOnce(&Slave, usize) -> (Status, Vec<T>),
    ) -> Done<Vec<T>> {
        if count == 0 { Ok(Vec::new()) } else { self.call(call, |slave| get(slave, count)) }
    }

    /// The number of continuous states.
    fn states(&self) -> usize {
        self.loaded.fmu.model().model_structure.derivatives.len()
    }
}

impl Saved<'_> {
    /// Replaces it by the present FMU state.
    pub fn update(&mut self) -> Done {
        let state = &mut self.state;
        self.instance.done("fmi2GetFMUstate", |slave| slave.get_state(state))
    }

    /// Its bytes.
    pub fn serialize(&self) -> Done<Vec<u8>> {
        let call = "fmi2SerializedFMUstateSize";
        let size = self.instance.call(call, |slave| slave.serialized_size(self.state))?;
        if size > MAX_BYTES {
            let reason = format!("a state would have {size} bytes");
            return Err(Failure { call, status: Status::Ok, reason });
        }
        let mut bytes = vec![0; size];
        self.instance.done("fmi2SerializeFMUstate", |slave| slave.serialize(self.state, &mut bytes))?;
        Ok(bytes)
    }

    /// Brings the instance back to it.
    pub fn restore(&self) -> Done {
        self.instance.done("fmi2SetFMUstate", |slave| slave.set_state(self.state))
    }
}

impl Drop for Saved<'_> {
    fn drop(&mut self) {
        watched("fmi2FreeFMUstate", || self.instance.slave.free_state(&mut self.state));
    }
}
