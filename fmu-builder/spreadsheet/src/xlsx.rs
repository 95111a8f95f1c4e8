//! Workbooks of Excel since 2007: zip archives of XML.

use std::io::Cursor;

use calamine::{DataRef, Reader, SheetType, Xlsx};
use zip::ZipArchive;

use crate::cell::{Cell, CellReceiver, DATE, ERROR};
use crate::sheet::choose;

/// Largest unpacked size of the archive, in bytes.
pub(crate) const UNPACKED: u128 = 128 << 20;

pub(crate) fn collect(name: &str, bytes: &[u8], sheet: &str, sink: &mut dyn CellReceiver) -> Result<(), String> {
    let damaged = |error: &dyn std::fmt::Display| format!("{name} cannot be read: {error}");
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    // An entry that unpacks to more than the archive's directory says is an error where it is read.
    if archive.decompressed_size().is_none_or(|size| size > UNPACKED) {
        return Err(format!("{name} unpacks to more than {} MB", UNPACKED >> 20));
    }
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheets: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let chosen = choose(name, &sheets, sheet, |sheet| {
        // Errors are reported when it is read.
        let Ok(mut cells) = workbook.worksheet_cells_reader(sheet) else { return true };
        loop {
            match cells.next_cell() {
                Ok(Some(cell)) if matches!(cell.get_value(), DataRef::Empty) => {}
                Ok(found) => return found.is_some(),
                Err(_) => return true,
            }
        }
    })?;
    sink.enter(chosen);
    // Cell by cell: reading all at once would allocate the rectangle around them.
    let mut cells = workbook.worksheet_cells_reader(chosen).map_err(|error| damaged(&error))?;
    while let Some(cell) = cells.next_cell().map_err(|error| damaged(&error))? {
        let (row, column) = cell.get_position();
        let content = match cell.get_value() {
            DataRef::Empty => Cell::Empty,
            DataRef::Int(number) => Cell::Number(*number as f64),
            DataRef::Float(number) => Cell::Number(*number),
            DataRef::String(text) => Cell::Text(text),
            DataRef::SharedString(text) => Cell::Text(text),
            DataRef::Bool(truth) => Cell::Boolean(*truth),
            DataRef::Error(_) => ERROR,
            _ => DATE,
        };
        sink.add(row + 1, column as usize + 1, &content)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Makes a workbook with one sheet.
    fn workbook(sheet: &str) -> Vec<u8> {
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let one = |kind: &str, target: &str| {
            format!(
                "<Relationships><Relationship Id=\"r1\" Type=\"{relations}/{kind}\" Target=\"{target}\"/></Relationships>"
            )
        };
        let sheets = format!(
            "<workbook xmlns:r=\"{relations}\"><sheets><sheet name=\"far\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
        );
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in [
            ("_rels/.rels", one("officeDocument", "xl/workbook.xml")),
            ("xl/workbook.xml", sheets),
            ("xl/_rels/workbook.xml.rels", one("worksheet", "worksheets/sheet1.xml")),
            ("xl/worksheets/sheet1.xml", format!("<worksheet><sheetData>{sheet}</sheetData></worksheet>")),
        ] {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn refusal(bytes: &[u8]) -> String {
        crate::read("far.xlsx", bytes, crate::Selection { columns: 1, ..Default::default() }).unwrap_err()
    }

    /// Puts another size of the sheet into its own header and into the directory.
    fn declare(bytes: &mut [u8], size: u32, declared: u32) {
        let places: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..at + 4] == size.to_le_bytes()).collect();
        assert_eq!(places.len(), 2);
        for at in places {
            bytes[at..at + 4].copy_from_slice(&declared.to_le_bytes());
        }
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_also_behind_a_lie() {
        let blanks = " ".repeat(100_000);
        let size = blanks.len() as u32 + 46;
        let mut bytes = workbook(&blanks);
        declare(&mut bytes, size, u32::MAX - 1);
        assert_eq!(refusal(&bytes), "far.xlsx unpacks to more than 128 MB");
        declare(&mut bytes, u32::MAX - 1, 1000);
        let message = refusal(&bytes);
        assert!(message.contains("File is larger than its declared uncompressed size"), "{message}");
    }

    #[test]
    fn cells_out_of_order_are_refused() {
        let cell = |place: &str| format!("<c r=\"{place}\"><v>1</v></c>");
        let (a1, b1, a2) = (cell("A1"), cell("B1"), cell("A2"));
        let behind = "far.xlsx, sheet \"far\", row 1, column 1 occurs twice or comes after column";
        assert_eq!(refusal(&workbook(&format!("<row r=\"1\">{a1}{a1}</row>"))), format!("{behind} 1"));
        assert_eq!(refusal(&workbook(&format!("<row r=\"1\">{b1}{a1}</row>"))), format!("{behind} 2"));
        assert_eq!(
            refusal(&workbook(&format!("<row r=\"2\">{a2}</row><row r=\"1\">{a1}</row>"))),
            "far.xlsx, sheet \"far\", row 1 comes after row 2"
        );
    }

    /// The rectangle around these cells would need hundreds of gigabytes.
    #[test]
    fn a_cell_far_away_costs_nothing() {
        let bytes = workbook(
            "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>",
        );
        let message = "far.xlsx, sheet \"far\", row 1048576 has 16384 columns, but must have 1";
        assert_eq!(refusal(&bytes), message);
    }
}
