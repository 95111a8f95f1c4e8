//! Comma-separated values; semicolons or tabs are accepted instead of commas.

use csv_core::{ReadFieldResult, ReaderBuilder};

use crate::rows::{Cell, Collector};

pub(crate) fn collect(name: &str, bytes: &[u8], sheet: &str, collector: &mut Collector) -> Result<(), String> {
    if !sheet.is_empty() {
        return Err(format!("{name} has no sheets, hence none with the name \"{sheet}\""));
    }
    let mut reader = ReaderBuilder::new().delimiter(delimiter(bytes)).build();
    // No field is longer than the file.
    let mut field = vec![0; bytes.len() + 1];
    let (mut at, mut length) = (0, 0);
    let (mut row, mut column, mut counted) = (1, 0, 0);
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
                let text = String::from_utf8_lossy(field[..length].trim_ascii());
                let cell = match text.parse() {
                    _ if text.is_empty() => Cell::Empty,
                    Ok(number) if text.contains(|digit: char| digit.is_ascii_digit()) => Cell::Number(number),
                    _ => Cell::Text(&text),
                };
                collector.add(row, column, &cell)?;
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

/// The delimiter: a tab or a semicolon if the last line has one, since that is no heading, or else the comma.
fn delimiter(bytes: &[u8]) -> u8 {
    let last = bytes.trim_ascii_end().rsplit(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    last.iter().find(|byte| matches!(byte, b';' | b'\t')).copied().unwrap_or(b',')
}
