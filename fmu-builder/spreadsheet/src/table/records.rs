//! Rows with cells of any type, one after another.

use super::rows::{Content, visit};
use super::{TableOptions, decide};
use crate::Format;
use crate::numbers::{Evidence, Numbers};

/// A row that is not blank.
#[derive(Debug)]
pub struct Record<'a> {
    /// File, and sheet if it has such, for messages.
    pub origin: &'a str,
    /// Number of the row in the file, from 1.
    pub number: u32,
    /// True if it lies above the range that is read: it has no values, but may have units.
    pub is_above: bool,
    /// Columns from 1, in increasing order, with their content.
    pub cells: &'a [(usize, Content)],
    /// Format of the numbers in texts.
    pub numbers: Numbers,
}

/// Visits the rows of a workbook, or else of a text, those above the range, too. Rows are not kept, so that a text may be long.
///
/// # Errors
///
/// When the file cannot be read, numbers have two readings, or the visitor says so.
pub fn records(
    name: &str,
    bytes: &[u8],
    form: &TableOptions,
    visitor: &mut dyn FnMut(&Record<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let format = || Format::of_import(name).unwrap_or(Format::Text);
    let mut evidence = Evidence::default();
    let (_, writing) = visit(name, bytes, format(), form, &mut |_, row| {
        let texts = row.cells.iter().filter_map(|(_, content)| match content {
            Content::Text(text) => Some(text),
            _ => None,
        });
        texts.for_each(|text| evidence.add(text));
        Ok(())
    })?;
    let numbers = decide(&evidence, form, writing.as_ref())?;
    let (top, _) = form.area.rows;
    visit(name, bytes, format(), form, &mut |origin, row| {
        visitor(&Record { origin, number: row.number, is_above: row.number < top, cells: &row.cells, numbers })
    })?;
    Ok(())
}
