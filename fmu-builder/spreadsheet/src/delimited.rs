//! Texts whose cells are separated by a character.

use crate::cell::{Cell, CellReceiver};
use crate::numbers::{NotANumber, Numbers, readings};
use crate::rows::Collector;
use crate::text::Text;

/// Hands the cells of a text to a collector, numbers as numbers.
pub(crate) fn collect(name: &str, text: Result<Text<'_>, String>, collector: &mut Collector) -> Result<(), String> {
    let text = text.map_err(|what| format!("{name} {what}"))?;
    let numbers = text.numbers().map_err(|what| format!("{name}: {what}"))?;
    text.visit(&mut |row, column, text| {
        let cell = cell(text, numbers).map_err(|what| format!("{name}, row {row}, column {column}: {what}"))?;
        collector.add(row, column, &cell)
    })
}

/// Converts a text to a cell by a number format; the error names the readings of a number that has two.
fn cell(text: &str, numbers: Numbers) -> Result<Cell<'_>, String> {
    Ok(match numbers.read(text) {
        _ if text.is_empty() => Cell::Empty,
        Ok(number) => Cell::Number(number),
        Err(NotANumber::Text) => Cell::Text(text),
        Err(NotANumber::Unclear) => return Err(readings(text)),
    })
}
