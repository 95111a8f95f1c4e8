//! Units of the columns of an input: those that the file says, and those that the user gives.

use anyhow::{Result, anyhow, bail};
use fmu_builder::description::{Variable, VariableType};
use spreadsheet::table::repeated;
use spreadsheet::units::{Conversion, Unit};

use super::SignalReader;
use crate::simulate::cells::{cut, is_time_name};

/// The unit of times.
const SECOND: &str = "s";

impl<'a> SignalReader<'a> {
    /// Returns the columns of the times and of the signals, with the units of the variables.
    pub(super) fn targets(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let signals = self.columns.signals.iter().zip(&self.input.signals);
        let variables = &self.model.variables;
        std::iter::once((self.columns.time.0, SECOND))
            .chain(signals.map(move |((column, _), signal)| (*column, unit_of(&variables[signal.position]))))
    }

    /// Converts the times, 0, or a signal, from 1 on, from the unit that the file says, unless the user gives it.
    pub(super) fn use_unit_of_file(&mut self, index: usize, unit: &str) -> Result<()> {
        let Some((column, wanted)) = self.targets().nth(index) else { return Ok(()) };
        if self.is_given(index) {
            self.columns.overridden.retain(|(other, _)| *other != column);
            self.columns.overridden.push((column, unit.to_owned()));
            return Ok(());
        }
        *self.conversion(index) = Some(conversion(unit, wanted, column)?);
        Ok(())
    }

    /// Returns true if the user gives the unit of the times, 0, or of a signal, from 1 on.
    pub(super) fn is_given(&self, index: usize) -> bool {
        !self.table.options.units.is_empty() && (index > 0 || self.table.names_time())
    }

    pub(super) fn conversion(&mut self, index: usize) -> &mut Option<Conversion> {
        match index {
            0 => &mut self.columns.time.1,
            _ => &mut self.columns.signals[index - 1].1,
        }
    }

    /// Converts from the units that the user gives.
    pub(super) fn use_given_units(&mut self) -> Result<()> {
        let given = &self.table.options.units;
        if given.is_empty() {
            return Ok(());
        }
        // The order is that in which the columns are named, or else that of the file, where the times are first.
        let mut order: Vec<usize> = (1..=self.columns.signals.len()).collect();
        if self.table.names_time() {
            let place = self.table.columns.iter().position(|(name, _)| is_time_name(name)).unwrap_or(0);
            order.insert(place, 0);
        }
        let targets: Vec<_> = self.targets().collect();
        let wanted: Vec<_> = order.iter().map(|index| targets[*index].1).collect();
        let units = repeated(given, &wanted).map_err(|what| anyhow!(what))?;
        for (index, unit) in order.into_iter().zip(units) {
            let (column, wanted) = targets[index];
            *self.conversion(index) = Some(conversion(&unit, wanted, column)?);
        }
        Ok(())
    }

    /// Returns a note if the user gives another unit of a column than the file.
    pub(super) fn note(&self, column: usize, unit: &str) -> Option<String> {
        let (index, (_, wanted)) = self.targets().enumerate().find(|(_, (other, _))| *other == column)?;
        let given = if index == 0 { self.columns.time.1 } else { self.columns.signals[index - 1].1 };
        let said = conversion(unit, wanted, column).ok();
        let differ = match (given, said) {
            (Some(given), Some(said)) => [0.0, 1.0].into_iter().any(|value| given.apply(value) != said.apply(value)),
            _ => true,
        };
        differ.then(|| format!("units overrides {unit}, which the input says of column {column}"))
    }
}

fn unit_of(variable: &Variable) -> &str {
    match &variable.kind {
        VariableType::Real { unit: Some(unit), .. } => unit,
        _ => "1",
    }
}

/// Returns the conversion of a column to the unit of its variable.
fn conversion(unit: &str, wanted: &str, column: usize) -> Result<Conversion> {
    let Some(from) = Unit::parse(unit) else {
        bail!("column {column} is in \"{}\", which is not a known unit", cut(unit));
    };
    // A unit of another tool must be the same.
    let to = Unit::parse(wanted).or((unit == wanted).then_some(from));
    let conversion = to.and_then(|to| from.to(&to));
    conversion.ok_or_else(|| anyhow!("column {column} is in {unit}, which cannot be converted to {wanted}"))
}
