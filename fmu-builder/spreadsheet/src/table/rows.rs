//! Assembly of rows from cells, one after another.

use std::collections::BTreeSet;

use super::TableOptions;
use super::options::Area;
use crate::cell::{Cell, CellReceiver};
use crate::text::Text;
use crate::xlsx::first_formula;
use crate::{Format, guarded, no_sheets};

/// Largest number of empty cells that are looked up among the formulas.
const MAX_EMPTY: usize = 100_000;

/// A row that is not blank.
pub(super) struct Row {
    /// Number of the row in the file, from 1.
    pub number: u32,
    /// Columns from 1, in increasing order, with their content.
    pub cells: Vec<(usize, Content)>,
}

/// The content of a cell that is not empty.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A number of a workbook.
    Number(f64),
    /// A text, without blanks around it; those of text files are all texts.
    Text(Box<str>),
    /// A Boolean of a workbook.
    Boolean(bool),
    /// Another type of content, with its description for messages.
    Other(&'static str),
}

impl Row {
    /// Returns the cell in a column, if it is not empty.
    pub fn at(&self, column: usize) -> Option<&Content> {
        let found = self.cells.binary_search_by_key(&column, |(column, _)| *column).ok()?;
        Some(&self.cells[found].1)
    }

    /// Returns the text in a column.
    pub fn text(&self, column: usize) -> Option<&str> {
        match self.at(column)? {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Format of the text of a file.
pub(super) struct Writing {
    /// Character between the cells.
    pub delimiter: char,
    pub encoding: String,
}

/// Passes the rows of a file that lie in the columns of the form's area, up to its last row; returns the origin of the
/// rows for messages, and the format of a text.
pub(super) fn visit(
    name: &str,
    bytes: &[u8],
    format: Format,
    form: &TableOptions,
    visitor: &mut dyn FnMut(&str, Row) -> Result<(), String>,
) -> Result<(String, Option<Writing>), String> {
    let mut rows = Rows {
        origin: name.to_owned(),
        sheet: String::new(),
        empty: BTreeSet::new(),
        area: form.area,
        row: Row { number: 0, cells: Vec::new() },
        visitor,
    };
    let writing = match format {
        Format::Text if !form.sheet.is_empty() => return Err(no_sheets(name, &form.sheet)),
        Format::Text => {
            let text = Text::new(bytes, form.dialect).map_err(|what| format!("{name} {what}"))?;
            text.visit(&mut |row, column, cell| {
                rows.add(row, column, &if cell.is_empty() { Cell::Empty } else { Cell::Text(cell) })
            })?;
            let unknown = if text.malformed { " with unknown characters" } else { "" };
            let encoding = format!("{}{unknown}", text.encoding.name());
            Some(Writing { delimiter: text.delimiter, encoding })
        }
        Format::Workbook(collect) => {
            let collected = guarded(name, || {
                let collected = collect(name, bytes, &form.sheet, &mut rows);
                // What is wrong with a cell may be that it is a formula.
                let first = if rows.empty.is_empty() { None } else { first_formula(bytes, &rows.sheet, &rows.empty) };
                match first {
                    Some((row, column)) => Err(format!(
                        "{}, row {row}, column {column} is a formula whose value the file does not have: open it in a \
                         spreadsheet program and save it",
                        rows.origin
                    )),
                    None => collected,
                }
            });
            collected?;
            None
        }
    };
    rows.end()?;
    Ok((rows.origin, writing))
}

/// Receiver that puts the cells of rows together.
struct Rows<'a> {
    origin: String,
    sheet: String,
    /// Row and column of cells that are there, but empty.
    empty: BTreeSet<(u32, usize)>,
    area: Area,
    row: Row,
    visitor: &'a mut dyn FnMut(&str, Row) -> Result<(), String>,
}

impl Rows<'_> {
    /// Passes the complete row to the visitor.
    fn end(&mut self) -> Result<(), String> {
        let next = Row { number: self.row.number, cells: Vec::with_capacity(self.row.cells.len()) };
        let row = std::mem::replace(&mut self.row, next);
        if row.cells.is_empty() { Ok(()) } else { (self.visitor)(&self.origin, row) }
    }
}

impl CellReceiver for Rows<'_> {
    fn enter(&mut self, sheet: &str) {
        self.origin = format!("{}, sheet \"{sheet}\"", self.origin);
        self.sheet = sheet.to_owned();
    }

    fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String> {
        let (first, last) = self.area.columns;
        if row > self.area.rows.1 || !(first..=last).contains(&column) {
            return Ok(());
        }
        let content = match cell {
            Cell::Empty => {
                if !self.sheet.is_empty() && self.empty.len() < MAX_EMPTY {
                    self.empty.insert((row, column));
                }
                return Ok(());
            }
            Cell::Number(number) => Content::Number(*number),
            Cell::Text(text) if text.trim().is_empty() => return Ok(()),
            Cell::Text(text) => Content::Text(text.trim().into()),
            Cell::Boolean(truth) => Content::Boolean(*truth),
            Cell::Other(what) => Content::Other(what),
        };
        if row < self.row.number {
            return Err(format!("{}, row {row} comes after row {}", self.origin, self.row.number));
        }
        if row > self.row.number {
            self.end()?;
            self.row.number = row;
        }
        if let Some((last, _)) = self.row.cells.last().filter(|(last, _)| column <= *last) {
            return Err(format!(
                "{}, row {row}, column {column} occurs twice or comes after column {last}",
                self.origin
            ));
        }
        self.row.cells.push((column, content));
        Ok(())
    }
}
