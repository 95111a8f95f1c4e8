//! Texts whose cells are separated by a character.

use csv_core::{ReadFieldResult, ReaderBuilder};

use crate::cell::{Cell, Sink};
use crate::numbers::{Evidence, NotANumber, Numbers, readings};
use crate::rows::Collector;
use crate::text::{Said, Text};

/// Hands the cells of a text to a collector, numbers as numbers.
pub(crate) fn collect(name: &str, bytes: &[u8], collector: &mut Collector) -> Result<(), String> {
    let text = Text::new(bytes, Said::default()).map_err(|what| format!("{name} {what}"))?;
    let mut evidence = Evidence::default();
    visit(&text, &mut |_, _, cell| {
        evidence.add(cell);
        Ok(())
    })?;
    let numbers = evidence.decide(None, text.delimiter == ',').map_err(|what| format!("{name}: {what}"))?;
    visit(&text, &mut |row, column, text| {
        let cell = cell(text, numbers).map_err(|what| format!("{name}, row {row}, column {column}: {what}"))?;
        collector.add(row, column, &cell)
    })
}

/// What a text is under a way of writing numbers; the error names the readings of a number that has two.
fn cell(text: &str, numbers: Numbers) -> Result<Cell<'_>, String> {
    Ok(match numbers.read(text) {
        _ if text.is_empty() => Cell::Empty,
        Ok(number) => Cell::Number(number),
        Err(NotANumber::Text) => Cell::Text(text),
        Err(NotANumber::Unclear) => return Err(readings(text)),
    })
}

/// Visits all cells with row and column from 1.
pub(crate) fn visit(
    text: &Text<'_>,
    visitor: &mut dyn FnMut(u32, usize, &str) -> Result<(), String>,
) -> Result<(), String> {
    if text.delimiter == ' ' {
        let lines = text.content.split('\n').flat_map(|line| line.trim_end_matches('\r').split('\r'));
        for (line, row) in lines.zip(text.lines + 1..) {
            for (cell, column) in line.split_whitespace().zip(1..) {
                visitor(row, column, cell.trim_matches('"'))?;
            }
        }
        return Ok(());
    }
    let bytes = text.content.as_bytes();
    let delimiter = u8::try_from(text.delimiter).unwrap_or(b',');
    let mut reader = ReaderBuilder::new().delimiter(delimiter).build();
    // No field is longer than the text.
    let mut field = vec![0; bytes.len() + 1];
    let (mut at, mut length) = (0, 0);
    let (mut row, mut column, mut counted) = (text.lines + 1, 0, 0);
    loop {
        if column == 0 {
            // Blank lines belong to the following record.
            let blank = bytes[at..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            row += lines(&bytes[counted..at + blank]);
            counted = at + blank;
            column = 1;
        }
        let (result, read, written) = reader.read_field(&bytes[at..], &mut field[length..]);
        at += read;
        length += written;
        match result {
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
            ReadFieldResult::End => return Ok(()),
            ReadFieldResult::Field { record_end } => {
                visitor(row, column, String::from_utf8_lossy(&field[..length]).trim())?;
                column = if record_end { 0 } else { column + 1 };
                length = 0;
            }
        }
    }
}

/// The number of lines that end in a text, at a line feed or at a carriage return without one.
fn lines(text: &[u8]) -> u32 {
    let ends = |(at, byte): (usize, &u8)| *byte == b'\n' || *byte == b'\r' && text.get(at + 1) != Some(&b'\n');
    text.iter().enumerate().map(|place| u32::from(ends(place))).sum()
}
