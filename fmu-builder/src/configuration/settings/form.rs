//! Tables from files: the keys for a file besides its path, and reading it.

use std::path::PathBuf;

use fmu_exchange::{MAX_DATA_BYTES, read_limited};
use spreadsheet::numbers::is_number;
use spreadsheet::table::{ColumnName, NumericTable, TableOptions, conversions, table};
use spreadsheet::units::Conversion;

use super::value::{Data, Value};
use crate::text::suggestion::did_you_mean;

/// Keys for a file with a table, behind the name of the table and a dot.
pub(super) const KEYS: [&str; 10] =
    ["file", "rows", "spare", "sheet", "range", "columns", "units", "decimal", "delimiter", "encoding"];

/// Largest number of spare rows: each element is a variable.
const MAX_SPARE_ROWS: usize = 10_000;

/// A file with a table, and the keys for it.
#[derive(Clone, Debug, Default)]
pub(super) struct TableFileOptions {
    /// The path, as it was given.
    file: Option<Value>,
    form: TableOptions,
    /// The first key that concerns a file.
    about_file: Option<String>,
    /// The rows, if they come from no file.
    rows: Option<Value>,
    /// Number of rows that follow for an importer to fill.
    pub spare: usize,
}

impl TableFileOptions {
    /// Makes the options of a file without further keys.
    pub fn of(file: &Value) -> Self {
        Self { file: Some(file.clone()), about_file: Some("file".to_owned()), ..Self::default() }
    }

    /// Sets one more key; the error says what is allowed.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        let Self { file, form, about_file, rows, spare } = self;
        if !matches!(key, "rows" | "spare" | "units") {
            about_file.get_or_insert_with(|| key.to_owned());
        }
        let text = || value.text().ok_or("must be a string in quotation marks");
        match key {
            "file" => {
                text()?;
                *file = Some(value.clone());
            }
            "rows" => *rows = Some(value.clone()),
            "spare" => {
                let number = if let Data::Integer(number) = value.data { usize::try_from(number).ok() } else { None };
                let number = number.filter(|number| *number <= MAX_SPARE_ROWS);
                *spare = number.ok_or_else(|| format!("must be a whole number from 0 to {MAX_SPARE_ROWS}"))?;
            }
            "columns" => form.columns = columns(value)?,
            "units" => form.units = texts(value)?,
            key if TableOptions::TEXT_KEYS.contains(&key) => form.set(key, &text()?)?,
            _ => return Err(format!("is unknown{}", did_you_mean(key, KEYS))),
        }
        Ok(())
    }

    /// Reads the table, with a column for each unit; the error is the value that it concerns, and the correction.
    pub fn read(&self, units: &[&str], blank: bool) -> Result<NumericTable, String> {
        let Some(path) = self.path() else { return Err("needs the path of a file: file = \"…\"".to_owned()) };
        let shown = self.file.as_ref().and_then(Value::text).unwrap_or_default();
        let content = read_limited(&path, MAX_DATA_BYTES)?;
        table(&shown, &content, &self.form, units, blank).map_err(|problem| problem.message)
    }

    /// Returns the rows, if they come from no file; the error says what is wrong.
    pub fn rows(&self) -> Result<Option<&Value>, String> {
        match (&self.rows, &self.about_file) {
            (Some(_), Some(key)) => Err(format!("are given in the configuration, but {key} is for a file")),
            (rows, _) => Ok(rows.as_ref()),
        }
    }

    /// Returns the rows as they are given, or converted to the FMU's units if their units are given; the error says
    /// what is wrong.
    pub fn in_si(&self, rows: &Value, units: &[&str]) -> Result<Value, String> {
        if self.form.units.is_empty() {
            return Ok(rows.clone());
        }
        let units = conversions(&self.form.units, units)?;
        let cell = |(value, unit): (&Value, &Conversion)| match value.real() {
            Some(number) => Value { data: Data::Real(unit.apply(number)), ..value.clone() },
            None => value.clone(),
        };
        // Anything that is not a row is left to the check of the shape.
        let row = |row: &Value| match &row.data {
            Data::Array(cells) if cells.len() == units.len() => {
                Value { data: Data::Array(cells.iter().zip(&units).map(cell).collect()), ..row.clone() }
            }
            _ => row.clone(),
        };
        Ok(match &rows.data {
            Data::Array(all) => Value { data: Data::Array(all.iter().map(row).collect()), ..rows.clone() },
            _ => rows.clone(),
        })
    }

    /// Returns the path, as it was given.
    pub fn file(&self) -> Option<&Value> {
        self.file.as_ref()
    }

    fn path(&self) -> Option<PathBuf> {
        let file = self.file.as_ref()?;
        Some(file.location.path(&file.text()?))
    }
}

fn texts(value: &Value) -> Result<Vec<String>, String> {
    let text = |value: &Value| match &value.data {
        Data::Text(text) => Ok(text.clone()),
        Data::Integer(1) => Ok("1".to_owned()),
        _ => Err("must be an array of units, such as [\"mm\", \"N\"]".to_owned()),
    };
    value.entries().iter().map(text).collect()
}

fn columns(value: &Value) -> Result<Vec<ColumnName>, String> {
    let column = |value: &Value| match &value.data {
        Data::Text(text) if is_number(text) => Err(format!(
            "must not have \"{text}\" in quotation marks: headings are not numbers; for a column number write {text}"
        )),
        Data::Text(text) if !text.is_empty() => Ok(ColumnName::Heading(text.clone())),
        Data::Integer(number) if (1..=1 << 20).contains(number) => Ok(ColumnName::Number(*number as usize)),
        _ => Err("must be an array of headings, or of numbers from 1".to_owned()),
    };
    value.entries().iter().map(column).collect()
}
