//! The finished sweep as tables: a row for each run, and one for each communication point of the series.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, bail};
use fmu_builder::description::{DataType, VariableType};
use fmu_builder::{Destination, FileKind};

use super::cell::{Cell, Column, Type};
use super::{Journal, Sweep, parquet};
use crate::simulate::trajectory::number;
use crate::values::file::small_extension;
use crate::values::value::Value;

/// The kinds of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text with commas.
    Csv,
    /// Columns for pandas, Dask, DuckDB and others.
    Parquet,
}

impl Format {
    /// Returns the format of a file's extension.
    pub fn of(path: &Path) -> Result<Self> {
        match small_extension(path).as_deref() {
            Some("csv") => Ok(Self::Csv),
            Some("parquet") => Ok(Self::Parquet),
            _ => bail!("{}: results are a .parquet or a .csv file", path.display()),
        }
    }

    /// Returns the kind of files that results of this name may replace.
    pub fn kind_of(path: &Path) -> Result<FileKind> {
        Ok(match Self::of(path)? {
            Self::Csv => POINTS,
            Self::Parquet => FileKind::Parquet,
        })
    }
}

/// Kind of files with tables of this command as text.
pub const POINTS: FileKind = FileKind::Csv("run");

impl Sweep {
    /// Writes the finished runs, one row each, in the order of the runs; and the series beside it, if there are any.
    ///
    /// # Errors
    ///
    /// When a file cannot be written; the journal stays.
    pub fn write(&self, journal: &mut Journal, output: &Destination, series: Option<&Destination>) -> Result<()> {
        write_runs(self, journal, output)?;
        series.map_or(Ok(()), |file| write_series(self, journal, file))
    }

    /// Writes the points as CSV: a row for each run, with `run` and a column for each variable that is set.
    pub fn write_points(&self, file: &Destination) -> Result<()> {
        let constants = self.constants.iter().map(|(at, _)| *at);
        let axes = self.design.axes.iter().flat_map(|axis| &axis.columns);
        let set = axes.flat_map(|(_, at)| at).copied();
        let name = |at: usize| column(&self.simulation.variables()[at].name, kind(self, at));
        let columns: Vec<_> =
            std::iter::once(column("run", Type::Integer)).chain(set.chain(constants).map(name)).collect();
        let rows = (0..self.runs()).map(|run| {
            let values = self.starts(run).into_iter().chain(self.constants.iter().cloned());
            Ok(std::iter::once(number_of(run)).chain(values.map(|(at, value)| cell(self, at, value))).collect())
        });
        write(&columns, rows, Format::Csv, file)
    }
}

/// Writes `run`, the parameters, the results and `status`.
fn write_runs(sweep: &Sweep, journal: &mut Journal, file: &Destination) -> Result<()> {
    let mut columns = points(sweep);
    columns.extend(sweep.results.names.iter().map(|name| column(name, Type::OptionalReal)));
    columns.push(column("status", Type::Text));
    let results = sweep.results.names.len();
    let rows = (0..sweep.runs()).map(|run| {
        let outcome = journal.read(run)?;
        let mut row = point(sweep, run);
        match &outcome.failure {
            None => row.extend(outcome.values.iter().copied().map(Cell::real)),
            Some(_) => row.extend(std::iter::repeat_n(Cell::Missing, results)),
        }
        row.push(Cell::Text(outcome.failure.unwrap_or_else(|| "ok".to_owned())));
        Ok(row)
    });
    write(&columns, rows, Format::of(file.path())?, file)
}

/// Writes `run`, `time` and the variables, a row for each communication point.
fn write_series(sweep: &Sweep, journal: &mut Journal, file: &Destination) -> Result<()> {
    let mut columns = vec![column("run", Type::Integer), column("time", Type::Real)];
    columns.extend(sweep.results.series.iter().map(|name| column(name, Type::Real)));
    let rows = (0..sweep.runs()).flat_map(|run| {
        let (series, error) = match journal.read(run) {
            Ok(outcome) => (outcome.series, None),
            Err(error) => (Vec::new(), Some(Err(error))),
        };
        let points = series.first().map_or(0, Vec::len);
        let row = move |at: usize| {
            let values = series.iter().map(|column| Cell::Real(column[at]));
            Ok(std::iter::once(number_of(run)).chain(values).collect())
        };
        (0..points).map(row).chain(error)
    });
    write(&columns, rows, Format::of(file.path())?, file)
}

/// Returns the columns `run` and those of the parameters.
fn points(sweep: &Sweep) -> Vec<Column> {
    let parameters = sweep.design.axes.iter().flat_map(|axis| &axis.columns);
    let parameters = parameters.map(|(name, positions)| column(name, kind(sweep, positions[0])));
    std::iter::once(column("run", Type::Integer)).chain(parameters).collect()
}

fn point(sweep: &Sweep, run: usize) -> Vec<Cell> {
    let positions = sweep.design.axes.iter().flat_map(|axis| &axis.columns).map(|(_, positions)| positions[0]);
    let cells = positions.zip(sweep.design.point(run)).map(|(at, value)| cell(sweep, at, value));
    std::iter::once(number_of(run)).chain(cells).collect()
}

fn kind(sweep: &Sweep, at: usize) -> Type {
    match sweep.simulation.variables()[at].kind {
        VariableType::Real { .. } => Type::Real,
        // Files with columns of whole numbers have 64 bits with a sign.
        VariableType::Integer { data_type: DataType::UInt64, .. } => Type::Text,
        VariableType::Integer { .. } => Type::Integer,
        VariableType::Boolean { .. } => Type::Boolean,
        VariableType::String { .. } | VariableType::Enumeration { .. } => Type::Text,
    }
}

fn cell(sweep: &Sweep, at: usize, value: Value) -> Cell {
    match value {
        Value::Real(value) => Cell::Real(value),
        Value::Boolean(value) => Cell::Boolean(value),
        Value::String(text) => Cell::Text(text),
        Value::Integer(value) => match &sweep.simulation.variables()[at].kind {
            VariableType::Enumeration { declared_type, .. } => Cell::Text(item(sweep, declared_type, value)),
            VariableType::Integer { data_type: DataType::UInt64, .. } => Cell::Text(value.to_string()),
            _ => Cell::Integer(value as i64),
        },
    }
}

/// Returns the number of a run, from 1.
fn number_of(run: usize) -> Cell {
    Cell::Integer(run as i64 + 1)
}

/// Returns the name of an enumeration's item, by its number from 1 on.
fn item(sweep: &Sweep, enumeration: &str, number: i128) -> String {
    let found = sweep.simulation.enumerations().iter().find(|other| other.name == enumeration);
    found
        .and_then(|found| found.item(i32::try_from(number).ok()?))
        .map_or_else(|| number.to_string(), |item| item.name.to_string())
}

fn column(name: &str, kind: Type) -> Column {
    Column { name: name.to_owned(), kind }
}

fn write(
    columns: &[Column],
    rows: impl Iterator<Item = Result<Vec<Cell>>>,
    format: Format,
    file: &Destination,
) -> Result<()> {
    file.write(|writer| {
        let written = match format {
            Format::Csv => csv(columns, rows, writer),
            Format::Parquet => parquet::write(columns, rows, writer),
        };
        written.map_err(|error| io::Error::other(format!("{error:#}")))
    })?;
    Ok(())
}

fn csv(columns: &[Column], rows: impl Iterator<Item = Result<Vec<Cell>>>, writer: impl Write) -> Result<()> {
    let mut writer = csv::Writer::from_writer(writer);
    writer.write_record(columns.iter().map(|column| &column.name))?;
    for row in rows {
        writer.write_record(row?.into_iter().map(|cell| match cell {
            Cell::Integer(value) => value.to_string(),
            Cell::Real(value) => number(value),
            Cell::Missing => String::new(),
            Cell::Boolean(value) => value.to_string(),
            Cell::Text(text) => text,
        }))?;
    }
    Ok(writer.flush()?)
}
