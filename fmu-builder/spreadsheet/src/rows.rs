//! Assembly of rows of numbers from cells.

use crate::cell::{A_BOOLEAN, Cell, CellReceiver, cut};

/// Rows of numbers with their origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// File, and sheet if it has such, for messages.
    pub origin: String,
    /// The numbers, row by row; NaN for an empty cell, where such are allowed.
    pub numbers: Vec<f64>,
    /// Number of each row in the file, from 1.
    pub positions: Vec<u32>,
}

/// Collector of the cells of a table, row by row.
pub(crate) struct Collector {
    origin: String,
    skip: u32,
    width: usize,
    blank: bool,
    numbers: Vec<f64>,
    positions: Vec<u32>,
    /// Last row with content, skipped or not, and its number of columns.
    last: u32,
    columns: usize,
}

impl Collector {
    pub fn new(name: &str, skip: u32, width: usize, blank: bool) -> Self {
        let (numbers, positions) = (Vec::new(), Vec::new());
        Self { origin: name.to_owned(), skip, width, blank, numbers, positions, last: 0, columns: 0 }
    }

    fn end_row(&mut self) -> Result<(), String> {
        if self.last <= self.skip {
            return Ok(());
        }
        if self.blank && self.columns < self.width {
            self.numbers.extend(std::iter::repeat_n(f64::NAN, self.width - self.columns));
        } else if self.columns != self.width {
            let Self { origin, last, columns, width, .. } = self;
            let plural = if *columns == 1 { "" } else { "s" };
            return Err(format!("{origin}, row {last} has {columns} column{plural}, but must have {width}"));
        }
        self.positions.push(self.last);
        Ok(())
    }

    /// Ends the last row and returns all rows.
    pub fn finish(mut self) -> Result<Rows, String> {
        self.end_row()?;
        let Self { origin, skip, last, numbers, positions, .. } = self;
        if positions.is_empty() {
            return Err(match (last, skip) {
                (0, _) => format!("{origin} has no rows"),
                _ => format!(
                    "{origin} ends with row {last}, but rows up to {skip} are skipped: at least one must be left"
                ),
            });
        }
        Ok(Rows { origin, numbers, positions })
    }
}

impl CellReceiver for Collector {
    fn enter(&mut self, sheet: &str) {
        self.origin = format!("{}, sheet \"{sheet}\"", self.origin);
    }

    fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String> {
        if matches!(cell, Cell::Empty) {
            return Ok(());
        }
        if row < self.last {
            return Err(format!("{}, row {row} comes after row {}", self.origin, self.last));
        }
        if row != self.last {
            self.end_row()?;
            self.columns = 0;
            self.last = row;
        }
        if row <= self.skip {
            return Ok(());
        }
        let expected = self.columns + 1;
        if column < expected {
            let Self { origin, columns, .. } = self;
            return Err(format!("{origin}, row {row}, column {column} occurs twice or comes after column {columns}"));
        }
        self.columns = column;
        if column > self.width {
            return Ok(());
        }
        let wrong = |column: usize, what: &str| {
            Err(format!("{}, row {row}, column {column} {what}, but must be a number", self.origin))
        };
        if column > expected {
            if !self.blank {
                return wrong(expected, "is empty");
            }
            self.numbers.extend(std::iter::repeat_n(f64::NAN, column - expected));
        }
        match cell {
            Cell::Number(number) if number.is_finite() => self.numbers.push(*number),
            Cell::Number(_) => return wrong(column, "is too large"),
            Cell::Text(text) => return wrong(column, &format!("is the text \"{}\"", cut(text))),
            Cell::Boolean(_) => return wrong(column, A_BOOLEAN),
            Cell::Other(what) => return wrong(column, what),
            Cell::Empty => {}
        }
        Ok(())
    }
}
