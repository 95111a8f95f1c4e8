//! The cells of workbooks as they are.

use crate::cell::{Cell, Sink};
use crate::{Format, guarded};

/// Whether a file is a workbook, as its extension says.
pub fn is_workbook(name: &str) -> bool {
    matches!(Format::of(name), Ok(Format::Workbook(_)))
}

/// Visits the cells of a sheet, row by row, with row and column from 1. An empty `sheet` means the only one with data.
pub fn workbook(
    name: &str,
    bytes: &[u8],
    sheet: &str,
    visitor: &mut dyn FnMut(u32, usize, &Cell<'_>) -> Result<(), String>,
) -> Result<(), String> {
    match Format::of(name)? {
        Format::Workbook(collect) => guarded(name, || collect(name, bytes, sheet, &mut Visitor(visitor))),
        Format::Text => Err(format!("{name} is not a workbook")),
    }
}

struct Visitor<'a>(&'a mut dyn FnMut(u32, usize, &Cell<'_>) -> Result<(), String>);

impl Sink for Visitor<'_> {
    fn enter(&mut self, _: &str) {}

    fn add(&mut self, row: u32, column: usize, cell: &Cell<'_>) -> Result<(), String> {
        (self.0)(row, column, cell)
    }
}
