//! Runs a component in its own tests, without an FMU: variables by name, time in steps.

mod model_exchange;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use fmu_exchange::{Base, Category, Enumeration, Standard};

use crate::component::adapter::component_model;
use crate::component::component::Component;
use crate::component::component_model::ComponentModel;
use crate::component::names::find;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::Outcome;
use crate::instance::instance::Instance;
use crate::instance::lifecycle::{Interface, State};
use crate::instance::log::{Log, Logger};
use crate::instance::model::Model;

/// A component in one of the interfaces. All methods panic with a message where an FMU would reject the call.
///
/// Set parameters before the first step. The first step, or getting the first value, initialises.
pub struct Trial {
    instance: Instance,
    warnings: Arc<Mutex<Vec<String>>>,
    tolerance: Option<f64>,
    stop: Option<f64>,
    initialised: bool,
    /// The variables found so far: tests ask for the same ones at each step.
    variables: HashMap<String, Found>,
}

/// Base type and value reference of a variable, and its enumeration, if it has one.
type Found = (Base, u32, Option<&'static Enumeration>);

/// A value of a variable; an item of an enumeration is given by its name.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialValue {
    /// A Real.
    Real(f64),
    /// An Integer.
    Integer(i32),
    /// A Boolean.
    Boolean(bool),
    /// A String, or an item of an enumeration.
    Text(String),
}

impl Trial {
    /// Makes a trial in Co-Simulation, with structure options by name and value; the others have their defaults.
    pub fn new<C: Component>(structure: &[(&str, &str)]) -> Self {
        Self::of::<C>(Interface::CoSimulation, structure)
    }

    /// Makes a trial in Model Exchange, integrated by another method and tightly: to compare with Co-Simulation.
    pub fn in_model_exchange<C: Component>(structure: &[(&str, &str)]) -> Self {
        Self::of::<C>(Interface::ModelExchange, structure)
    }

    fn of<C: Component>(interface: Interface, structure: &[(&str, &str)]) -> Self {
        Self::of_model(interface, component_model::<C>(), structure)
    }

    /// Makes a trial of a model in an interface, with structure options by name and value.
    pub fn of_model(interface: Interface, model: Box<dyn ComponentModel>, structure: &[(&str, &str)]) -> Self {
        let lines: String = structure.iter().map(|(option, word)| format!("structure {option} {word}\n")).collect();
        Self::of_configuration(interface, model, &lines)
    }

    /// Makes a trial of a model with a configuration as the builder writes it.
    pub fn of_configuration(interface: Interface, model: Box<dyn ComponentModel>, configuration: &str) -> Self {
        let model = Model::new(model, configuration, "trial").unwrap_or_else(|error| panic!("{error}"));
        let warnings = Arc::new(Mutex::new(Vec::new()));
        let known = Arc::clone(&warnings);
        let logger: Logger = Arc::new(move |_, _, category, text| {
            if category == Category::Warning.name() {
                known.lock().expect("no test panics in here").push(text.to_string_lossy().into_owned());
            }
        });
        // The log of FMI 2.0 would double characters of formats.
        let log = Log::new(Standard::Fmi3, Some(logger), "trial", true);
        let instance = Instance::new(Standard::Fmi2, interface, model, log, None);
        Self { instance, warnings, tolerance: None, stop: None, initialised: false, variables: HashMap::new() }
    }

    /// Returns the warnings that were logged since this was last called.
    pub fn warnings(&mut self) -> Vec<String> {
        self.initialise();
        self.instance.log.take().deliver();
        std::mem::take(&mut *self.warnings.lock().expect("no test panics in here"))
    }

    /// Sets the relative tolerance, before the first step; that of Model Exchange is at most 1e-9.
    pub fn set_tolerance(&mut self, tolerance: f64) {
        self.tolerance = Some(tolerance);
    }

    /// Sets the stop time in s, before the first step.
    pub fn set_stop_time(&mut self, stop: f64) {
        self.stop = Some(stop);
    }

    /// Sets the first and higher derivatives of an input by time, for the next step in Co-Simulation.
    pub fn set_derivatives(&mut self, name: &str, derivatives: &[f64]) {
        self.begin();
        let reference = self.variable(name).1;
        for (order, derivative) in (1..).zip(derivatives) {
            done(self.instance.set_real_input_derivatives(&[reference], &[order], &[*derivative]));
        }
    }

    /// Returns the derivative of an output, or of the derivative of a state, with respect to an input or a state.
    /// Before the first step, also of an initial unknown with respect to a parameter.
    pub fn directional_derivative(&mut self, unknown: &str, known: &str) -> f64 {
        self.begin();
        let (unknown, known) = (self.variable(unknown).1, self.variable(known).1);
        only(self.instance.directional_derivative(&[unknown], &[known], &[1.0], 1))
    }

    /// Sets a parameter or an input.
    pub fn set(&mut self, name: &str, value: impl Into<TrialValue>) {
        let (base, reference, enumeration) = self.variable(name);
        let references = [reference];
        // In event mode, inputs of all types may change.
        if self.instance.state == State::ContinuousTime {
            done(self.instance.enter_event_mode());
        }
        let value = value.into();
        let outcome = match (base, enumeration, &value) {
            (Base::Real, _, TrialValue::Real(value)) => self.instance.set_real(&references, &[*value]),
            (Base::Integer, None, TrialValue::Integer(value)) => {
                self.instance.set_integer(ArrayType::Int32, &references, &[*value])
            }
            (Base::Boolean, _, TrialValue::Boolean(value)) => {
                self.instance.set_boolean(&references, &[i32::from(*value)])
            }
            (Base::String, _, TrialValue::Text(text)) => {
                self.instance.set_string(&references, std::slice::from_ref(text))
            }
            (Base::Integer, Some(enumeration), TrialValue::Text(item)) => {
                let position = enumeration.position(item);
                let position = position.unwrap_or_else(|| panic!("{} has no item \"{item}\"", enumeration.name));
                self.instance.set_integer(ArrayType::Int32, &references, &[position as i32 + 1])
            }
            _ => panic!("\"{name}\" cannot be {value:?}"),
        };
        done(outcome);
    }

    /// Sets all continuous states, after a step of Model Exchange.
    pub fn set_continuous_states(&mut self, states: &[f64]) {
        done(self.instance.set_continuous_states(states));
    }

    /// Makes a step of `h` in s.
    pub fn step(&mut self, h: f64) {
        self.initialise();
        done(match self.instance.interface {
            Interface::CoSimulation => self.instance.do_step(self.instance.time, h).map(drop),
            Interface::ModelExchange => model_exchange::step(&mut self.instance, h, self.tolerance),
        });
    }

    /// Returns an FMU state as bytes.
    pub fn save(&mut self) -> Vec<u8> {
        self.initialise();
        let handle = done(self.instance.get_fmu_state(0));
        let bytes = done(self.instance.serialize_fmu_state(handle));
        done(self.instance.free_fmu_state(handle));
        bytes
    }

    /// Restores an FMU state of a trial of the same component.
    pub fn restore(&mut self, bytes: &[u8]) {
        self.initialise();
        let handle = done(self.instance.deserialize_fmu_state(bytes));
        done(self.instance.set_fmu_state(handle));
        done(self.instance.free_fmu_state(handle));
    }

    /// Returns the value of a Real.
    pub fn real(&mut self, name: &str) -> f64 {
        let reference = self.reference(name, Base::Real);
        only(self.instance.get_real(&[reference]))
    }

    /// Returns the value of an Integer, or the number of an item of an enumeration, from 1.
    pub fn integer(&mut self, name: &str) -> i32 {
        let reference = self.reference(name, Base::Integer);
        only(self.instance.get_integer(ArrayType::Int32, &[reference], 1))
    }

    /// Returns the value of a Boolean.
    pub fn boolean(&mut self, name: &str) -> bool {
        let reference = self.reference(name, Base::Boolean);
        only(self.instance.get_boolean(&[reference], 1))
    }

    /// Returns the value reference of a variable of the right type, after updating its value.
    fn reference(&mut self, name: &str, expected: Base) -> u32 {
        self.initialise();
        let (base, reference, _) = self.variable(name);
        assert!(base == expected, "\"{name}\" is a {base:?}, not a {expected:?}");
        reference
    }

    fn variable(&mut self, name: &str) -> Found {
        if let Some(known) = self.variables.get(name) {
            return *known;
        }
        let Instance { model, layout, .. } = &self.instance;
        let found = find(&|visitor| model.declare(visitor), &layout.tables, name);
        let found = found.unwrap_or_else(|| panic!("there is no variable \"{name}\" in this structure"));
        self.variables.insert(name.to_owned(), found);
        found
    }

    fn initialise(&mut self) {
        if !self.initialised {
            self.begin();
            self.initialised = true;
            done(self.instance.exit_initialization_mode());
        }
    }

    fn begin(&mut self) {
        if self.instance.state == State::Instantiated {
            done(self.instance.setup_experiment(self.tolerance, 0.0, self.stop));
            done(self.instance.enter_initialization_mode());
        }
    }
}

fn done<V>(outcome: Outcome<V>) -> V {
    outcome.unwrap_or_else(|error| panic!("{}", error.message))
}

fn only<V>(values: Outcome<impl Iterator<Item = V>>) -> V {
    done(values).next().expect("one value")
}

impl From<f64> for TrialValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<i32> for TrialValue {
    fn from(value: i32) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for TrialValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<&str> for TrialValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
