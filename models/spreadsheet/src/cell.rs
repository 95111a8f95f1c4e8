//! Cells, as the readers of the formats hand them over.

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// A number.
    Number(f64),
    /// A text.
    Text(&'a str),
    /// A Boolean.
    Boolean(bool),
    /// Something else, as a description.
    Other(&'static str),
}

/// What a date is called in messages; a program that takes 4.5 for the 4th of May makes dates of numbers.
pub(crate) const DATE: Cell<'static> = Cell::Other("is a date or a time");

/// What a Boolean is called in messages.
pub(crate) const A_BOOLEAN: &str = "is a Boolean";

/// What a cell with an error is called in messages.
pub(crate) const ERROR: Cell<'static> = Cell::Other("is an error");

/// Takes the cells of a sheet.
pub(crate) trait Sink {
    /// The name of the sheet of the following cells.
    fn enter(&mut self, sheet: &str);
    /// The next cell, at a row and a column from 1.
    fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String>;
}

/// The beginning of a text, for a message.
pub(crate) fn cut(text: &str) -> String {
    let mut shown: String = text.chars().take(MAX_SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// Maximum number of characters of a cell's text in a message.
const MAX_SHOWN: usize = 40;
