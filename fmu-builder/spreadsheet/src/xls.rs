//! Workbooks of Excel up to 2003: records in a compound file.

use std::io::{Cursor, Read};

use calamine::{Data, Reader, Xls, XlsOptions};
use cfb::CompoundFile;

use crate::cell::{Cell, CellReceiver, DATE, ERROR};
use crate::merged::Merged;
use crate::sheet::choose;
use crate::xlsx::hidden;

/// Largest number of cells in the rectangles around the data of all sheets.
const MAX_CELLS: u64 = 4_000_000;

pub(crate) fn collect(name: &str, bytes: &[u8], sheet: &str, sink: &mut dyn CellReceiver) -> Result<(), String> {
    let damaged = |error: &dyn std::fmt::Display| format!("{name} cannot be read: {error}");
    let stream = workbook(bytes).map_err(|error| damaged(&error))?;
    if !is_compact(&stream) {
        return Err(format!(
            "{name} has cells too far from the others: the rectangle around all data may have at most {MAX_CELLS}"
        ));
    }
    let mut workbook =
        Xls::new_with_options(Cursor::new(bytes), XlsOptions::default()).map_err(|error| damaged(&error))?;
    let sheets = workbook.sheet_names();
    let hidden = hidden(workbook.sheets_metadata());
    let mut range = |sheet: &str| workbook.worksheet_range(sheet);
    let chosen = choose(
        name,
        &sheets,
        sheet,
        |sheet| hidden.contains(sheet),
        |sheet| range(sheet).is_ok_and(|range| !range.is_empty()),
    )?;
    sink.enter(chosen);
    let range = range(chosen).map_err(|error| damaged(&error))?;
    let regions = workbook.merge_cells_by_sheet_name(chosen).unwrap_or_default();
    let mut merged = Merged::new(regions, sink);
    let (row, column) = range.start().unwrap_or_default();
    for (below, beside, cell) in range.used_cells() {
        let content = match cell {
            Data::Empty => Cell::Empty,
            Data::Int(number) => Cell::Number(*number as f64),
            Data::Float(number) => Cell::Number(*number),
            Data::String(text) => Cell::Text(text),
            Data::Bool(truth) => Cell::Boolean(*truth),
            Data::Error(_) => ERROR,
            _ => DATE,
        };
        merged.add(row + below as u32 + 1, column as usize + beside + 1, &content)?;
    }
    merged.finish()
}

/// Returns the stream with the sheets; its length is checked, since a damaged one may contain a cycle.
fn workbook(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut file = CompoundFile::open(Cursor::new(bytes))?;
    if file.walk().any(|entry| entry.len() > bytes.len() as u64) {
        return Err(std::io::Error::other("it is damaged"));
    }
    let mut content = Vec::new();
    let mut stream = file.open_stream("/Workbook").or_else(|_| file.open_stream("/Book"))?;
    stream.read_to_end(&mut content)?;
    Ok(content)
}

/// True if the rectangles around the cells of all sheets, into which they are read, are small enough.
fn is_compact(mut stream: &[u8]) -> bool {
    let (mut sheets, mut rows, mut columns) = (1_u64, 0, 0);
    let number =
        |bytes: &[u8], at: usize| bytes.get(at..at + 2).map_or(0, |b| u64::from(u16::from_le_bytes([b[0], b[1]])));
    while let Some((header, rest)) = stream.split_first_chunk::<4>() {
        let length = usize::from(u16::from_le_bytes([header[2], header[3]]));
        let Some((record, rest)) = rest.split_at_checked(length) else { break };
        let (row, column) = match u16::from_le_bytes([header[0], header[1]]) {
            // A sheet.
            0x0085 => {
                sheets += 1;
                (0, 0)
            }
            // The declared rectangle, with 16 or 32 bits for each row.
            0x0200 if length == 10 => (number(record, 2), number(record, 6)),
            0x0200 => (number(record, 4) | number(record, 6) << 16, number(record, 10)),
            // A row of numbers ends with its last column.
            0x00BD => (number(record, 0), number(record, length.saturating_sub(2))),
            // Formula, number, text, truth value, compressed number, formatted text, shared text.
            0x0006 | 0x0203 | 0x0204 | 0x0205 | 0x027E | 0x00D6 | 0x00FD => (number(record, 0), number(record, 2)),
            _ => (0, 0),
        };
        (rows, columns) = (row.max(rows), column.max(columns));
        stream = rest;
    }
    sheets.saturating_mul((rows + 1) * (columns + 1)) <= MAX_CELLS
}
