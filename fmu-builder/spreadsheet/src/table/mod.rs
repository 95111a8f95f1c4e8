//! Tables in files as engineers have them: headings, units, further columns, ranges of sheets.

mod grid;
mod heading;
mod layout;
mod options;
mod records;
mod rows;

use crate::cell::A_BOOLEAN;
use crate::numbers::{Evidence, NotANumber, Numbers, readings};
use crate::units::Conversion;
use grid::Grid;
pub use heading::Heading;
pub use layout::repeated;
pub use options::{Area, ColumnName, TableOptions};
pub use records::{Record, records};
pub use rows::Content;
use rows::{Row, Writing};

/// Numbers in SI units, with a description of the table in which they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct NumericTable {
    /// File, and sheet if it has such, for messages.
    pub origin: String,
    /// The numbers, row by row; NaN for an empty cell, where such are allowed.
    pub numbers: Vec<f64>,
    /// Number of each row in the file, from 1.
    pub positions: Vec<u32>,
    /// Column of the file, from 1, from which each column comes.
    pub columns: Vec<usize>,
    /// Heading of each column, with its unit; empty without one.
    pub headings: Vec<String>,
    /// True if neither the file nor the user gives the units.
    pub assumed: bool,
    /// Description in one line of how the file was read.
    pub found: String,
}

/// Reason why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// File, location in it, and error there.
    pub message: String,
    /// True if the reason is the choice of columns, or their units.
    pub of_columns: bool,
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self { message, of_columns: false }
    }
}

/// Reads a table with one column for each of `units`, to which the numbers are converted.
///
/// An empty unit is not converted. Cells may be empty if `blank`, but not in all rows. Properties that the form does
/// not give are recognised; a text with two readings is an error that names both.
pub fn table(
    name: &str,
    bytes: &[u8],
    form: &TableOptions,
    units: &[&str],
    blank: bool,
) -> Result<NumericTable, Problem> {
    let grid = Grid::read(name, bytes, form)?;
    let origin = &grid.origin;
    let located = |what: String| Problem { message: format!("{origin}{what}"), of_columns: true };
    let layout = layout::find(&grid, form, units, blank).map_err(located)?;
    let is_used = |row: &&Row| layout.columns.iter().any(|column| row.at(*column).is_some());
    let cells = || grid.rows[layout.first..].iter().filter(is_used);
    let mut evidence = Evidence::default();
    for row in cells() {
        for column in &layout.columns {
            if let Some(Content::Text(text)) = row.at(*column) {
                evidence.add(text);
            }
        }
    }
    let numbers = decide(&evidence, form, grid.writing.as_ref()).map_err(|what| format!("{origin}: {what}"))?;
    let mut table = NumericTable {
        origin: origin.clone(),
        numbers: Vec::new(),
        positions: Vec::new(),
        columns: layout.columns.clone(),
        headings: layout
            .columns
            .iter()
            .map(|column| layout.heading(&grid, *column).unwrap_or_default().into())
            .collect(),
        assumed: layout.assumed,
        found: String::new(),
    };
    let last = cells().next_back().map(|row| row.number);
    for row in cells() {
        for (column, unit) in layout.columns.iter().zip(&layout.units) {
            if blank && row.at(*column).is_none() {
                table.numbers.push(f64::NAN);
                continue;
            }
            let number = number(row.at(*column), numbers).map_err(|what| {
                let ends = Some(row.number) == last && row.text(*column).is_some();
                let ends = if ends { "; use range to say where the table ends" } else { "" };
                format!("{origin}, row {}, column {column} {what}{ends}", row.number)
            })?;
            table.numbers.push(unit.as_ref().map_or(number, |(_, unit)| unit.apply(number)));
        }
        table.positions.push(row.number);
    }
    if let Some(at) = table.numbers.iter().position(|number| number.is_infinite()) {
        let (row, column) = (table.positions[at / units.len()], layout.columns[at % units.len()]);
        return Err(format!("{origin}, row {row}, column {column} is too large, but must be a number").into());
    }
    table.found = found(&grid, &layout, units, numbers, &table.positions);
    Ok(table)
}

/// Decides on the number format of a file, as its texts show or the user says.
fn decide(evidence: &Evidence, form: &TableOptions, writing: Option<&Writing>) -> Result<Numbers, String> {
    let commas = writing.is_some_and(|writing| writing.delimiter == ',');
    let numbers = evidence.decide(form.dialect.decimal, commas);
    numbers.map_err(|what| format!("{what}; choose with decimal = \".\" or decimal = \",\""))
}

/// Finds the first of the columns to which a file gives another unit than `units`, which are of the SI, and that unit;
/// `None` also if the file cannot be read.
pub fn foreign(name: &str, bytes: &[u8], sheet: &str, units: &[&str]) -> Option<(usize, String)> {
    let form = TableOptions { sheet: sheet.to_owned(), ..TableOptions::default() };
    layout::foreign(&Grid::read(name, bytes, &form).ok()?, units)
}

/// Returns the conversions of columns from the given units to those of a table; as many may be given as repeat. The
/// error lacks the name of its subject, which is to be put before it.
pub fn conversions(given: &[String], units: &[&str]) -> Result<Vec<Conversion>, String> {
    let given = layout::repeated(given, units)?;
    let pairs = given.iter().zip(units).enumerate();
    pairs
        .map(|(index, (text, target))| layout::converted(text, target, index + 1))
        .collect::<Result<_, _>>()
        .map_err(|what| what.trim_start_matches(", ").to_owned())
}

fn number(content: Option<&Content>, numbers: Numbers) -> Result<f64, String> {
    let wrong = |what: &str| Err(format!("{what}, but must be a number"));
    match content {
        None => wrong("is empty"),
        Some(Content::Number(number)) => Ok(*number),
        Some(Content::Text(text)) => match numbers.read(text) {
            Ok(number) => Ok(number),
            Err(NotANumber::Text) => Err(layout::no_number(text)),
            Err(NotANumber::Unclear) => Err(format!(
                "has two readings: {}; write it without a thousands separator, or set decimal",
                readings(text)
            )),
        },
        Some(Content::Boolean(_)) => wrong(A_BOOLEAN),
        Some(Content::Other(what)) => wrong(what),
    }
}

/// Describes in one line what was recognised.
fn found(grid: &Grid, layout: &layout::Layout, units: &[&str], numbers: Numbers, positions: &[u32]) -> String {
    let mut parts = Vec::new();
    if let Some(writing) = &grid.writing {
        let separated = match writing.delimiter {
            ' ' => "blanks".to_owned(),
            '\t' => "tabs".to_owned(),
            other => format!("\"{other}\""),
        };
        let decimal = if numbers.decimal == '.' { "points" } else { "commas" };
        parts.push(format!("{}, cells between {separated}, decimal {decimal}", writing.encoding));
    }
    let column = |(column, unit): (&usize, &Option<(String, Conversion)>)| {
        let heading = layout.heading(grid, *column);
        let heading = heading.map_or_else(String::new, |text| format!(" \"{}\"", Heading::of(text).name));
        let unit = unit.as_ref().map_or_else(String::new, |(unit, _)| format!(" in {unit}"));
        format!("{column}{heading}{unit}")
    };
    let columns: Vec<_> = layout.columns.iter().zip(&layout.units).map(column).collect();
    parts.push(format!("columns {}", columns.join(", ")));
    if layout.assumed {
        let mut assumed: Vec<&str> = Vec::new();
        for unit in units.iter().filter(|unit| !unit.is_empty()) {
            if !assumed.contains(unit) {
                assumed.push(unit);
            }
        }
        parts.push(format!("without units, so taken to be in {}", assumed.join(", ")));
    }
    for (column, unit) in &layout.overridden {
        parts.push(format!("units overrides {unit}, which the file says of column {column}"));
    }
    let [first, last] = [positions.first(), positions.last()].map(|row| row.copied().unwrap_or_default());
    parts.push(match positions.len() {
        1 => format!("row {first}"),
        rows => format!("{rows} rows, from {first} to {last}"),
    });
    format!("{}: {}", grid.origin, parts.join("; "))
}
