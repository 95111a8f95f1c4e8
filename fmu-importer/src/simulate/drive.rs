//! Setting inputs during a run.

use fmu_builder::description::{Variable, VariableType};

use super::input::{Input, Signal};
use crate::load::{Failure, Instance};
use crate::values::value::Value;

/// What gives an FMU its inputs in Model Exchange.
pub trait Inputs {
    /// Sets all inputs to their values at a time, after a jump if there is one.
    fn apply(&self, instance: &Instance, time: f64) -> Result<(), Failure>;
    /// Sets the continuous inputs to their values at a time, before a jump if there is one.
    fn approach(&self, instance: &Instance, time: f64) -> Result<(), Failure>;
    /// The same after a jump.
    fn leave(&self, instance: &Instance, time: f64) -> Result<(), Failure>;
    /// Whether an input jumps at a time, or one that is held changes.
    fn jump(&self, time: f64) -> bool;
    /// Whether there are inputs that may go on with another slope after each step.
    fn vary(&self) -> bool;
}

/// The signals of a run, those that can be set together first.
pub struct Drive<'a> {
    input: Option<&'a Input>,
    /// Continuous reals.
    ramps: Vec<&'a Signal>,
    references: Vec<u32>,
    /// All others, with their variables.
    held: Vec<(&'a Signal, &'a Variable)>,
}

impl<'a> Drive<'a> {
    pub fn new(input: Option<&'a Input>, variables: &'a [Variable]) -> Self {
        let signals = input.map_or(&[][..], |input| &input.signals);
        let (ramps, held): (Vec<_>, Vec<_>) = signals.iter().partition(|other| other.continuous);
        Self {
            input,
            references: (ramps.iter()).map(|signal| variables[signal.position].value_reference).collect(),
            ramps,
            held: (held.into_iter()).map(|signal| (signal, &variables[signal.position])).collect(),
        }
    }

    fn set_ramps(&self, instance: &Instance, value: impl Fn(&Input, &Signal) -> f64) -> Result<(), Failure> {
        match self.input.filter(|_| !self.ramps.is_empty()) {
            Some(input) => {
                let values: Vec<_> = self.ramps.iter().map(|signal| value(input, signal)).collect();
                instance.set_reals(&self.references, &values)
            }
            None => Ok(()),
        }
    }

    /// Sets the slopes of the continuous inputs until the next communication point.
    pub fn slope(&self, instance: &Instance, time: f64, next: f64) -> Result<(), Failure> {
        let Some(input) = self.input.filter(|_| !self.ramps.is_empty()) else {
            return Ok(());
        };
        let slopes: Vec<_> = (self.ramps.iter())
            .map(|signal| (input.before(signal, next) - input.after(signal, time)) / (next - time))
            .collect();
        instance.set_slopes(&self.references, &slopes)
    }

    /// The times inside a step at which an input does not go on as a straight line.
    pub fn stops(&self, time: f64, next: f64) -> &'a [f64] {
        self.input.map_or(&[], |input| input.stops_between(time, next))
    }
}

impl Inputs for Drive<'_> {
    fn apply(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.leave(instance, time)?;
        let Some(input) = self.input else { return Ok(()) };
        for (signal, variable) in &self.held {
            let value = input.after(signal, time);
            let value = match variable.kind {
                VariableType::Boolean { .. } => Value::Boolean(value != 0.0),
                VariableType::Real { .. } => Value::Real(value),
                // Whole numbers, by the way that they were read.
                _ => Value::Integer(value as i32),
            };
            instance.set(variable.value_reference, &value)?;
        }
        Ok(())
    }

    fn approach(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.set_ramps(instance, |input, signal| input.before(signal, time))
    }

    fn leave(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.set_ramps(instance, |input, signal| input.after(signal, time))
    }

    fn jump(&self, time: f64) -> bool {
        self.input.is_some_and(|input| {
            input.signals.iter().any(|signal| input.before(signal, time) != input.after(signal, time))
        })
    }

    fn vary(&self) -> bool {
        !self.ramps.is_empty()
    }
}
