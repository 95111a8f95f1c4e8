//! Setting inputs during a run.

use anyhow::Result;
use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::description::{Kind, Variable};

use crate::load::slave::Slave;
use crate::simulate::input::{Input, Signal};
use crate::values::value::Value;

/// The signals of a run, those that can be set together first.
pub struct Drive<'a> {
    input: Option<&'a Input>,
    /// Continuous reals.
    ramps: Vec<&'a Signal>,
    references: Vec<u32>,
    /// All others, with their variables.
    held: Vec<(&'a Signal, &'a Variable)>,
    interpolates: bool,
}

impl<'a> Drive<'a> {
    pub fn new(input: Option<&'a Input>, variables: &'a [Variable], import: &Fmi2Import) -> Self {
        let signals = input.map_or(&[][..], |input| &input.signals);
        let (ramps, held): (Vec<_>, Vec<_>) = signals.iter().partition(|other| other.continuous);
        let slave = import.model_description().co_simulation.as_ref();
        Self {
            input,
            references: (ramps.iter()).map(|signal| variables[signal.position].value_reference).collect(),
            ramps,
            held: (held.into_iter()).map(|signal| (signal, &variables[signal.position])).collect(),
            interpolates: slave.and_then(|slave| slave.can_interpolate_inputs) == Some(true),
        }
    }

    /// Sets all inputs to their values at a time.
    pub fn apply(&self, slave: &Slave, time: f64) -> Result<()> {
        let Some(input) = self.input else {
            return Ok(());
        };
        if !self.ramps.is_empty() {
            let values: Vec<_> = (self.ramps.iter()).map(|signal| input.after(signal, time)).collect();
            slave.set_reals(&self.references, &values)?;
        }
        for (signal, variable) in &self.held {
            let value = input.after(signal, time);
            let value = match variable.kind {
                Kind::Boolean { .. } => Value::Boolean(value != 0.0),
                Kind::Real { .. } => Value::Real(value),
                // Whole numbers, by the way that they were read.
                _ => Value::Integer(value as i32),
            };
            slave.set(variable.value_reference, &value)?;
        }
        Ok(())
    }

    /// Tells the slopes of the inputs until the next communication point, if it can use them.
    pub fn slope(&self, slave: &Slave, time: f64, next: f64) -> Result<()> {
        let Some(input) = self.input.filter(|_| self.interpolates) else {
            return Ok(());
        };
        if self.ramps.is_empty() {
            return Ok(());
        }
        let slopes: Vec<_> = (self.ramps.iter())
            .map(|signal| (input.before(signal, next) - input.after(signal, time)) / (next - time))
            .collect();
        slave.set_slopes(&self.references, &slopes)
    }
}
