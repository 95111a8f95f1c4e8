//! Rows of numbers from .csv, .xls, .xlsx and .ods files.
//!
//! [`read`] takes plain rows, as an FMU does when it is initialised. [`table::table`] also finds headings, units and
//! columns, and converts units, for builds; [`table::records`] gives rows of any type one after another.
//!
//! Encoding, delimiter and decimal sign of a text are recognised. Ambiguous numbers are refused.
//!
//! Files are untrusted: damaged and malicious ones are rejected with a message; they neither abort the
//! process nor exhaust the memory.

#[cfg_attr(not(feature = "workbooks"), allow(dead_code, reason = "only workbooks have dates and errors"))]
mod cell;
mod delimited;
#[cfg(feature = "workbooks")]
mod merged;
pub mod numbers;
#[cfg(feature = "workbooks")]
mod ods;
mod rows;
#[cfg(feature = "workbooks")]
mod sheet;
pub mod table;
pub mod text;
pub mod units;
#[cfg(feature = "workbooks")]
mod xls;
#[cfg(feature = "workbooks")]
mod xlsx;

#[cfg(not(feature = "workbooks"))]
mod refused;
#[cfg(not(feature = "workbooks"))]
use {refused as ods, refused as xls, refused as xlsx};

use std::panic::{AssertUnwindSafe, catch_unwind};

use cell::CellReceiver;
use rows::Collector;
pub use rows::Rows;
use text::{Dialect, Text};

/// The part of a file that is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Selection<'a> {
    /// Name of the sheet; empty if there is only one with data.
    pub sheet: &'a str,
    /// Number of rows to skip at the top.
    pub skip: u32,
    /// Number of columns that each row must have.
    pub columns: usize,
    /// True if cells may be empty; they are NaN.
    pub blank: bool,
}

/// Reads the rows of numbers in a file.
///
/// The file extension determines the format. Messages name file, sheet, row and column, where
/// rows and columns count from 1 as spreadsheet programs show them. Blank rows are skipped.
pub fn read(name: &str, bytes: &[u8], selection: Selection<'_>) -> Result<Rows, String> {
    let mut collector = Collector::new(name, selection.skip, selection.columns, selection.blank);
    match Format::of(name)? {
        Format::Text if !selection.sheet.is_empty() => Err(no_sheets(name, selection.sheet)),
        // The readers of workbooks have the tables of all encodings; two decoders would be more.
        Format::Text if cfg!(feature = "workbooks") => {
            delimited::collect(name, Text::new(bytes, Dialect::default()), &mut collector)
        }
        Format::Text => delimited::collect(name, Text::unicode(bytes), &mut collector),
        Format::Workbook(collect) => guarded(name, || collect(name, bytes, selection.sheet, &mut collector)),
    }?;
    collector.finish()
}

/// Reads the rows of numbers in a text, as [`read`] does; the readers of workbooks are not needed for it.
pub fn read_text(name: &str, bytes: &[u8], selection: Selection<'_>) -> Result<Rows, String> {
    if !is_text(name) {
        return Err(format!("{name} is no text: here a table must be a .csv or .txt file, so save its sheet as one"));
    }
    if !selection.sheet.is_empty() {
        return Err(no_sheets(name, selection.sheet));
    }
    let mut collector = Collector::new(name, selection.skip, selection.columns, selection.blank);
    delimited::collect(name, Text::unicode(bytes), &mut collector)?;
    collector.finish()
}

/// True if the extension of a file is that of a text.
fn is_text(name: &str) -> bool {
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    matches!(extension.as_deref(), Some("csv" | "txt" | "tsv" | "dat" | "asc"))
}

/// The reader of a workbook: name, content and sheet.
type Collect = fn(&str, &[u8], &str, &mut dyn CellReceiver) -> Result<(), String>;

/// True if the extension of a file is that of a workbook that can be imported.
pub fn is_workbook(name: &str) -> bool {
    matches!(Format::of_import(name), Ok(Format::Workbook(_)))
}

/// The format of a file.
enum Format {
    Text,
    Workbook(Collect),
}

impl Format {
    /// Returns the format of an extension for imports, including .ods, which an FMU does not read.
    fn of_import(name: &str) -> Result<Self, String> {
        if name.to_ascii_lowercase().ends_with(".ods") {
            return Ok(Self::Workbook(ods::collect));
        }
        Self::of(name).map_err(|what| what.replace(" or .xlsx", ", .xlsx or .ods"))
    }

    /// Returns the format of an extension.
    fn of(name: &str) -> Result<Self, String> {
        if is_text(name) {
            return Ok(Self::Text);
        }
        let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        match extension.as_deref() {
            Some("xls") => Ok(Self::Workbook(xls::collect)),
            Some("xlsx" | "xlsm") => Ok(Self::Workbook(xlsx::collect)),
            _ => Err(format!("{name} is not a table: its name must end with .csv, .txt, .xls or .xlsx")),
        }
    }
}

/// Reads a workbook, catching panics: the readers of the format may panic on damaged files.
fn guarded<V>(name: &str, read: impl FnOnce() -> Result<V, String>) -> Result<V, String> {
    let result = catch_unwind(AssertUnwindSafe(read));
    result.unwrap_or_else(|_| Err(format!("{name} cannot be read: it is damaged")))
}

fn no_sheets(name: &str, sheet: &str) -> String {
    format!("{name} has no sheets, so there is none named \"{sheet}\"")
}

/// Returns the encoding with this label of the WHATWG, such as `windows-1252`.
pub fn encoding(label: &str) -> Option<&'static encoding_rs::Encoding> {
    encoding_rs::Encoding::for_label(label.as_bytes())
}

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
