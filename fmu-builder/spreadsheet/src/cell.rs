//! Cells, as the readers of the formats hand them over.

/// Content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// An empty cell.
    Empty,
    /// A number.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// A Boolean.
    Boolean(bool),
    /// Another type of cell, with its description for messages.
    Other(&'static str),
}

/// A cell with a date, as messages describe it; a program that takes 4.5 for the 4th of May makes dates of numbers.
pub(crate) const DATE: Cell<'static> = Cell::Other("is a date or a time");

/// Description of a Boolean in messages.
pub(crate) const A_BOOLEAN: &str = "is a Boolean";

/// A cell that a merged one covers, as messages describe it.
pub(crate) const COVERED: Cell<'static> = Cell::Other("belongs to merged cells and has no content of its own");

/// A cell with an error, as messages describe it.
pub(crate) const ERROR: Cell<'static> = Cell::Other("is an error");

/// Receiver of the cells of a sheet.
pub(crate) trait CellReceiver {
    /// Begins a sheet, to which the following cells belong.
    fn enter(&mut self, sheet: &str);
    /// Receives the next cell, at a row and a column from 1.
    fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String>;
}

/// Shortens a text for a message.
pub(crate) fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Maximum number of characters of a cell's text in a message.
const MAX_SHOWN: usize = 40;
