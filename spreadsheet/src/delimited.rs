//! Comma-separated values; semicolons or tabs may stand in the commas' place.

use csv::{ByteRecord, ReaderBuilder};

use crate::rows::{Cell, Collector};

pub(crate) fn collect(name: &str, bytes: &[u8], sheet: &str, collector: &mut Collector) -> Result<(), String> {
    if !sheet.is_empty() {
        return Err(format!("{name} has no sheets, hence none with the name \"{sheet}\""));
    }
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter(bytes)).from_reader(bytes);
    let mut record = ByteRecord::new();
    let (mut row, mut counted) = (1, 0);
    while reader.read_byte_record(&mut record).map_err(|error| format!("{name} cannot be read: {error}"))? {
        // The reader passes over blank lines without counting them to where a record begins.
        let begin = record.position().map_or(0, |position| position.byte() as usize);
        let blank = bytes[begin..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        row += lines(&bytes[counted..begin + blank]);
        counted = begin + blank;
        for (column, field) in record.iter().enumerate() {
            let text = String::from_utf8_lossy(field.trim_ascii());
            let cell = match text.parse() {
                _ if text.is_empty() => Cell::Empty,
                Ok(number) if text.contains(|digit: char| digit.is_ascii_digit()) => Cell::Number(number),
                _ => Cell::Text(&text),
            };
            collector.add(row, column + 1, &cell)?;
        }
    }
    Ok(())
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
