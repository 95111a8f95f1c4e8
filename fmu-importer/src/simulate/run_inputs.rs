//! Setting inputs during a run.

use std::cell::Cell;

use fmu_builder::description::{Causality, Variable, VariableType};

use super::input::{Input, Signal};
use crate::load::{Failure, Instance};
use crate::values::value::Value;

/// A source of the inputs of an FMU in Model Exchange.
pub trait Inputs {
    /// Sets all inputs to their values at a time, after a jump if there is one.
    fn apply(&self, instance: &Instance, time: f64) -> Result<(), Failure>;
    /// Sets the continuous inputs to their values at a time, before a jump if there is one.
    fn approach(&self, instance: &Instance, time: f64) -> Result<(), Failure>;
    /// Sets the continuous inputs to their values at a time, after a jump if there is one.
    fn leave(&self, instance: &Instance, time: f64) -> Result<(), Failure>;
    /// Returns true if an input jumps at a time, or one that is held changes.
    fn jump(&self, time: f64) -> bool;
    /// Returns true if there are inputs that may go on with another slope after each step.
    fn vary(&self) -> bool;
}

/// The signals of a run, those that can be set together first.
pub struct RunInputs<'a> {
    input: Option<&'a Input>,
    /// Continuous reals.
    ramps: Vec<&'a Signal>,
    references: Vec<u32>,
    /// All others.
    held: Vec<DiscreteInput<'a>>,
}

/// A signal that is held between the times of its table.
struct DiscreteInput<'a> {
    signal: &'a Signal,
    variable: &'a Variable,
    /// The value of a parameter that was set last: parameters are set when they change only.
    last: Cell<Option<f64>>,
}

impl DiscreteInput<'_> {
    /// Returns a value of the signal in the variable's type.
    fn value(&self, value: f64) -> Value {
        match self.variable.kind {
            VariableType::Boolean { .. } => Value::Boolean(value != 0.0),
            VariableType::Real { .. } => Value::Real(value),
            _ => self.signal.distinct[value as usize].clone(),
        }
    }
}

impl<'a> RunInputs<'a> {
    pub fn new(input: Option<&'a Input>, variables: &'a [Variable]) -> Self {
        let signals = input.map_or(&[][..], |input| &input.signals);
        let (ramps, held): (Vec<_>, Vec<_>) = signals.iter().partition(|other| other.continuous);
        Self {
            input,
            references: (ramps.iter()).map(|signal| variables[signal.position].value_reference).collect(),
            ramps,
            held: (held.into_iter())
                .map(|signal| DiscreteInput { signal, variable: &variables[signal.position], last: Cell::new(None) })
                .collect(),
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

    /// Returns the times inside a step at which an input does not go on as a straight line.
    pub fn stops(&self, time: f64, next: f64) -> &'a [f64] {
        self.input.map_or(&[], |input| input.stops_between(time, next))
    }
}

impl Inputs for RunInputs<'_> {
    fn apply(&self, instance: &Instance, time: f64) -> Result<(), Failure> {
        self.leave(instance, time)?;
        let Some(input) = self.input else { return Ok(()) };
        for held in &self.held {
            let value = input.after(held.signal, time);
            if held.variable.causality == Causality::Parameter && held.last.replace(Some(value)) == Some(value) {
                continue;
            }
            instance.set(held.variable.value_reference, &held.value(value))?;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use fmu_builder::description::{DataType, Variability};

    use super::*;

    /// Each type is set by the function of its own, whatever the signals contain.
    #[test]
    fn values_have_the_type_of_their_variable() {
        let real = VariableType::Real { unit: None, start: None, derivative: None };
        for (kind, expected) in [
            (real, Value::Real(1.0)),
            (VariableType::Integer { data_type: DataType::UInt64, start: None }, Value::Integer(u64::MAX.into())),
            (VariableType::Boolean { start: None }, Value::Boolean(true)),
            (VariableType::String { start: None }, Value::String("on".to_owned())),
            (VariableType::Enumeration { declared_type: String::new(), start: None }, Value::Integer(1)),
        ] {
            let variable = Variable {
                name: "v".to_owned(),
                value_reference: 0,
                description: String::new(),
                causality: Causality::Input,
                variability: Variability::Discrete,
                initial: None,
                attributes: Arc::default(),
                kind,
            };
            let mut signal = Signal { position: 0, continuous: false, values: Vec::new(), distinct: Vec::new() };
            signal.push(expected.clone());
            let held = DiscreteInput { signal: &signal, variable: &variable, last: Cell::new(None) };
            assert_eq!(held.value(signal.values[0]), expected);
        }
    }
}
