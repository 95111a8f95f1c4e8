//! A component tried out in its own tests, without an FMU: variables by their names, time in steps.

use crate::c_interface::ffi::Callback;
use crate::component::component::Component;
use crate::component::component_model::component_model;
use crate::component::declaration::declaration;
use crate::describe::describe;
use crate::description::{Description, Kind, Variable};
use crate::instance::call_error::Outcome;
use crate::instance::instance::Instance;
use crate::instance::lifecycle::Interface;
use crate::instance::log::Log;
use crate::instance::model::Model;

/// A component in Co-Simulation. All methods panic with a message where an FMU would refuse the call.
///
/// Parameters are set before the first step; that, or the first value asked for, initialises.
pub struct Trial {
    instance: Instance,
    description: Description,
    initialised: bool,
}

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
    /// The component with structure options by their names and words; the others have their defaults.
    pub fn new<C: Component>(structure: &[(&str, &str)]) -> Self {
        let lines: String = structure.iter().map(|(option, word)| format!("structure {option} {word}\n")).collect();
        let description = describe(|text| declaration(component_model::<C>().as_mut(), text), &lines);
        let description = description.unwrap_or_else(|error| panic!("{error:?}"));
        let model = Model::new(component_model::<C>(), &description.configuration, &description.guid);
        let model = model.unwrap_or_else(|error| panic!("{error}"));
        let log = Log::new(Callback::SILENT, "trial", false);
        let instance = Instance::new(Interface::CoSimulation, model, log, None);
        Self { instance, description, initialised: false }
    }

    /// Sets a parameter or an input.
    pub fn set(&mut self, name: &str, value: impl Into<TrialValue>) {
        let Variable { value_reference, kind, .. } = self.variable(name).clone();
        let references = [value_reference];
        let value = value.into();
        let outcome = match (&kind, &value) {
            (Kind::Real { .. }, TrialValue::Real(value)) => self.instance.set_real(&references, &[*value]),
            (Kind::Integer { .. }, TrialValue::Integer(value)) => self.instance.set_integer(&references, &[*value]),
            (Kind::Boolean { .. }, TrialValue::Boolean(value)) => {
                self.instance.set_boolean(&references, &[i32::from(*value)])
            }
            (Kind::String { .. }, TrialValue::Text(text)) => {
                self.instance.set_string(&references, std::slice::from_ref(text))
            }
            (Kind::Enumeration { declared_type, .. }, TrialValue::Text(item)) => {
                let enumeration = self.description.enumerations.iter().find(|other| other.name == *declared_type);
                let position = enumeration.and_then(|enumeration| enumeration.position(item));
                let position = position.unwrap_or_else(|| panic!("{declared_type} has no item \"{item}\""));
                self.instance.set_integer(&references, &[position as i32 + 1])
            }
            _ => panic!("\"{name}\" cannot be {value:?}"),
        };
        done(outcome);
    }

    /// Makes a step of `h` in s.
    pub fn step(&mut self, h: f64) {
        self.initialise();
        let outcome = self.instance.do_step(self.instance.time, h);
        done(outcome);
    }

    /// The value of a Real.
    pub fn real(&mut self, name: &str) -> f64 {
        let reference = self.reference(name, "Real", |kind| matches!(kind, Kind::Real { .. }));
        only(self.instance.get_real(&[reference]))
    }

    /// The value of an Integer, or the number of an item of an enumeration, from 1.
    pub fn integer(&mut self, name: &str) -> i32 {
        let is_whole = |kind: &_| matches!(kind, Kind::Integer { .. } | Kind::Enumeration { .. });
        let reference = self.reference(name, "Integer", is_whole);
        only(self.instance.get_integer(&[reference]))
    }

    /// The value of a Boolean.
    pub fn boolean(&mut self, name: &str) -> bool {
        let reference = self.reference(name, "Boolean", |kind| matches!(kind, Kind::Boolean { .. }));
        only(self.instance.get_boolean(&[reference]))
    }

    /// The value reference of a variable of the right type, which is about to be looked at.
    fn reference(&mut self, name: &str, what: &str, is_right: impl Fn(&Kind) -> bool) -> u32 {
        self.initialise();
        let Variable { kind, value_reference, .. } = self.variable(name);
        assert!(is_right(kind), "\"{name}\" is no {what}");
        *value_reference
    }

    fn variable(&self, name: &str) -> &Variable {
        let found = self.description.variables.iter().find(|variable| variable.name == name);
        found.unwrap_or_else(|| panic!("there is no variable \"{name}\" in this structure"))
    }

    fn initialise(&mut self) {
        if !self.initialised {
            self.initialised = true;
            done(self.instance.setup_experiment(None, 0.0, None));
            done(self.instance.enter_initialization_mode());
            done(self.instance.exit_initialization_mode());
        }
    }
}

fn done<V>(outcome: Outcome<V>) -> V {
    outcome.unwrap_or_else(|failure| panic!("{}", failure.message))
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
