//! The results of a simulation.

use std::io::{Result, Write};

/// Variables over time, as columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// The communication points in seconds.
    pub time: Vec<f64>,
    /// Names of the variables.
    pub names: Vec<String>,
    /// Units of the variables.
    pub units: Vec<Option<String>>,
    /// True for each variable that is an Integer, a Boolean or an Enumeration, and so changes in steps.
    pub discrete: Vec<bool>,
    /// Values of the variables at the times, Booleans as 0 or 1.
    pub columns: Vec<Vec<f64>>,
}

impl Trajectory {
    /// Adds an empty column.
    pub fn add(&mut self, name: &str, unit: Option<String>, discrete: bool) {
        self.names.push(name.to_owned());
        self.units.push(unit);
        self.discrete.push(discrete);
        self.columns.push(Vec::new());
    }

    /// Returns the first `count` columns alone.
    pub fn first(&self, count: usize) -> Self {
        let mut first = self.clone();
        first.names.truncate(count);
        first.units.truncate(count);
        first.discrete.truncate(count);
        first.columns.truncate(count);
        first
    }

    /// Returns the values of a variable.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let position = self.names.iter().position(|other| other == name)?;
        Some(&self.columns[position])
    }

    /// Writes `time` and all columns as CSV; the numbers read back as the same bits.
    ///
    /// # Errors
    ///
    /// Those of `writer`.
    pub fn write_csv(&self, writer: impl Write) -> Result<()> {
        let mut writer = csv::Writer::from_writer(writer);
        let header = std::iter::once("time").chain(self.names.iter().map(String::as_str));
        writer.write_record(header)?;
        for (row, time) in self.time.iter().enumerate() {
            let values = self.columns.iter().map(|column| column[row]);
            writer.write_record(std::iter::once(*time).chain(values).map(number))?;
        }
        writer.flush()
    }
}

/// Returns the shortest text that reads back as the same number.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-5..1e16).contains(&size) { format!("{value:e}") } else { value.to_string() }
}
