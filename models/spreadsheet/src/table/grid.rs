//! The cells of a sheet, before anything is known of them.

use super::Form;
use super::form::Area;
use crate::cell::{Cell, Sink, TRUTH};
use crate::numbers::is_number;
use crate::text::Text;
use crate::{Format, guarded, no_sheets};

/// More cells than these are not read.
const CELLS: usize = 4_000_000;

/// More characters than these of a text are not kept; a number of more is refused.
const KEPT: usize = 200;

/// Rows with content.
pub(super) struct Grid {
    pub origin: String,
    pub rows: Vec<Row>,
    /// Rows above the range, in its columns.
    pub above: Vec<Row>,
    /// What separates the cells of a text.
    pub delimiter: Option<char>,
    pub encoding: String,
    area: Area,
    cells: usize,
}

/// A row that is not blank.
pub(super) struct Row {
    /// Its number in the file, from 1.
    pub number: u32,
    /// Columns from 1, in increasing order.
    pub cells: Vec<(usize, Content)>,
}

/// The content of a cell that is not empty.
pub(super) enum Content {
    Number(f64),
    Text(Box<str>),
    /// Something else, as a description.
    Other(&'static str),
}

impl Row {
    /// The cell in a column, if it is not empty.
    pub fn at(&self, column: usize) -> Option<&Content> {
        let found = self.cells.binary_search_by_key(&column, |(column, _)| *column).ok()?;
        Some(&self.cells[found].1)
    }

    /// The text in a column.
    pub fn text(&self, column: usize) -> Option<&str> {
        match self.at(column)? {
            Content::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Grid {
    pub fn read(name: &str, bytes: &[u8], form: &Form) -> Result<Self, String> {
        let mut grid = Self {
            origin: name.to_owned(),
            rows: Vec::new(),
            above: Vec::new(),
            delimiter: None,
            encoding: String::new(),
            area: form.area,
            cells: 0,
        };
        match Format::of(name)? {
            Format::Text if !form.sheet.is_empty() => return Err(no_sheets(name, &form.sheet)),
            Format::Text => {
                let text = Text::new(bytes, form.dialect).map_err(|what| format!("{name} {what}"))?;
                text.visit(&mut |row, column, cell| {
                    grid.add(row, column, &if cell.is_empty() { Cell::Empty } else { Cell::Text(cell) })
                })?;
                grid.delimiter = Some(text.delimiter);
                grid.encoding = text.encoding.name().to_owned();
                if text.malformed {
                    grid.encoding += " with unknown characters";
                }
            }
            Format::Workbook(collect) => guarded(name, || collect(name, bytes, &form.sheet, &mut grid))?,
        }
        if grid.rows.is_empty() {
            return Err(format!("{} has no rows", grid.origin));
        }
        Ok(grid)
    }
}

impl Sink for Grid {
    fn enter(&mut self, sheet: &str) {
        self.origin = format!("{}, sheet \"{sheet}\"", self.origin);
    }

    fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String> {
        let within = |(first, last): (usize, usize), at: usize| (first..=last).contains(&at);
        if row > self.area.rows.1 || !within(self.area.columns, column) {
            return Ok(());
        }
        let content = match cell {
            Cell::Empty => return Ok(()),
            Cell::Number(number) => Content::Number(*number),
            Cell::Text(text) if text.trim().is_empty() => return Ok(()),
            Cell::Text(text) if text.len() > KEPT && is_number(text) => Content::Other("has more than 200 characters"),
            Cell::Text(text) => Content::Text(text.trim().chars().take(KEPT).collect()),
            Cell::Truth(_) => Content::Other(TRUTH),
            Cell::Other(what) => Content::Other(what),
        };
        self.cells += 1;
        if self.cells > CELLS {
            return Err(format!("{} has more than {CELLS} cells", self.origin));
        }
        let rows = if row < self.area.rows.0 { &mut self.above } else { &mut self.rows };
        let last = rows.last();
        if let Some(last) = last.filter(|last| row < last.number) {
            return Err(format!("{}, row {row} comes after row {}", self.origin, last.number));
        }
        if last.is_none_or(|last| row > last.number) {
            rows.push(Row { number: row, cells: Vec::new() });
        }
        let cells = rows.last_mut().map(|row| &mut row.cells);
        let Some(cells) = cells else { return Ok(()) };
        if let Some((last, _)) = cells.last().filter(|(last, _)| column <= *last) {
            return Err(format!(
                "{}, row {row}, column {column} occurs twice or comes after column {last}",
                self.origin
            ));
        }
        cells.push((column, content));
        Ok(())
    }
}
