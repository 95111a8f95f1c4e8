//! The cells of a sheet, before the table in it is found.

use super::TableOptions;
use super::rows::{Content, Row, Writing, visit};
use crate::Format;
use crate::numbers::is_number;

/// Largest number of cells that are read.
const MAX_CELLS: usize = 4_000_000;

/// Number of characters of a text that are kept; a longer number is refused.
const MAX_CELL_CHARACTERS: usize = 200;

/// Rows with content.
pub(super) struct Grid {
    pub origin: String,
    pub rows: Vec<Row>,
    /// Rows above the range, in its columns.
    pub above: Vec<Row>,
    /// Encoding and delimiter of a text.
    pub writing: Option<Writing>,
}

impl Grid {
    pub fn read(name: &str, bytes: &[u8], form: &TableOptions) -> Result<Self, String> {
        let (mut rows, mut above, mut cells) = (Vec::new(), Vec::new(), 0);
        let (origin, writing) = visit(name, bytes, Format::of_import(name)?, form, &mut |origin, mut row| {
            cells += row.cells.len();
            if cells > MAX_CELLS {
                return Err(format!("{origin} has more than {MAX_CELLS} cells"));
            }
            row.cells.iter_mut().for_each(|(_, content)| shorten(content));
            if row.number < form.area.rows.0 { &mut above } else { &mut rows }.push(row);
            Ok(())
        })?;
        if rows.is_empty() {
            return Err(format!("{origin} has no rows"));
        }
        Ok(Self { origin, rows, above, writing })
    }
}

fn shorten(content: &mut Content) {
    match content {
        Content::Text(text) if text.len() > MAX_CELL_CHARACTERS && is_number(text) => {
            *content = Content::Other("has more than 200 characters");
        }
        Content::Text(text) if text.len() > MAX_CELL_CHARACTERS => {
            *text = text.chars().take(MAX_CELL_CHARACTERS).collect()
        }
        _ => {}
    }
}
