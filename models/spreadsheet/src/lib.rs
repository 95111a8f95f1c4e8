//! Rows of numbers from .csv, .xls and .xlsx files.
//!
//! Files are untrusted: damaged and malicious ones are rejected with a message; they neither abort the
//! process nor exhaust the memory.

mod delimited;
mod rows;
mod sheet;
mod xls;
mod xlsx;

use std::panic::{AssertUnwindSafe, catch_unwind};

use rows::Collector;
pub use rows::Rows;

/// What to read from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection<'a> {
    /// Name of the sheet; empty if there is only one with data.
    pub sheet: &'a str,
    /// Number of rows to skip at the top.
    pub skip: u32,
    /// Number of columns that each row must have.
    pub columns: usize,
}

/// Reads the rows of numbers in a file.
///
/// The file extension determines the format. Messages name file, sheet, row and column, where
/// rows and columns count from 1 as spreadsheet programs show them. Blank rows are skipped.
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
    // The spreadsheet readers may panic on damaged files.
    collected.unwrap_or_else(|_| Err(format!("{name} cannot be read: it is damaged")))?;
    collector.finish()
}

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
