//! Rows of numbers out of .csv, .xls and .xlsx files.
//!
//! Files come from anywhere: what is damaged or made to harm is refused with a message and neither
//! ends the process nor fills the memory.

mod delimited;
mod rows;
mod sheet;
mod xls;
mod xlsx;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rows::Collector;
pub use rows::Rows;

/// What is read of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection<'a> {
    /// Name of the sheet; empty if there is only one with data.
    pub sheet: &'a str,
    /// Number of rows at the top that are left out.
    pub skip: u32,
    /// Number of columns that each row must have.
    pub columns: usize,
}

/// Reads the rows of numbers in a file.
///
/// Its name says the format, and is used in messages: these name file, sheet, row and column, where
/// rows and columns count from 1 as spreadsheet programs show them. Blank rows are passed over.
pub fn read(name: &str, bytes: &[u8], selection: Selection<'_>) -> Result<Rows, String> {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let collect = match extension.as_deref() {
        Some("csv") => delimited::collect,
        Some("xls") => xls::collect,
        Some("xlsx") => xlsx::collect,
        _ => return Err(format!("{name} is not a table: its name must end with .csv, .xls or .xlsx")),
    };
    let mut collector = Collector::new(name, selection.skip, selection.columns);
    let collected = catch_unwind(AssertUnwindSafe(|| collect(name, bytes, selection.sheet, &mut collector)));
    // The readers of spreadsheets are not proof against all damage.
    collected.unwrap_or_else(|_| Err(format!("{name} cannot be read: it is damaged")))?;
    collector.finish()
}

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
