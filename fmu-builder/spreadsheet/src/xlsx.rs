//! Workbooks of Excel since 2007: zip archives of XML.

use std::collections::BTreeSet;
use std::io::Cursor;

use calamine::{DataRef, Reader, Sheet, SheetType, SheetVisible, Xlsx};
use zip::ZipArchive;

use crate::cell::{Cell, CellReceiver, DATE, ERROR};
use crate::merged::Merged;
use crate::sheet::choose;

/// Largest unpacked size of the archive, in bytes.
pub(crate) const MAX_UNPACKED_SIZE: u128 = 128 << 20;

pub(crate) fn collect(name: &str, bytes: &[u8], sheet: &str, sink: &mut dyn CellReceiver) -> Result<(), String> {
    let damaged = |error: &dyn std::fmt::Display| format!("{name} cannot be read: {error}");
    let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    // An entry that unpacks to more than the archive's directory says is an error where it is read.
    if archive.decompressed_size().is_none_or(|size| size > MAX_UNPACKED_SIZE) {
        return Err(format!("{name} unpacks to more than {} MB", MAX_UNPACKED_SIZE >> 20));
    }
    let mut workbook = Xlsx::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
    let sheets = workbook.sheets_metadata().iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    let sheets: Vec<String> = sheets.map(|sheet| sheet.name.clone()).collect();
    let hidden = hidden(workbook.sheets_metadata());
    let chosen = choose(
        name,
        &sheets,
        sheet,
        |sheet| hidden.contains(sheet),
        |sheet| {
            // Errors are reported when it is read.
            let Ok(mut cells) = workbook.worksheet_cells_reader(sheet) else { return true };
            loop {
                match cells.next_cell() {
                    Ok(Some(cell)) if matches!(cell.get_value(), DataRef::Empty) => {}
                    Ok(found) => return found.is_some(),
                    Err(_) => return true,
                }
            }
        },
    )?;
    sink.enter(chosen);
    let regions = workbook.merge_cells_by_sheet_name(chosen).map_err(|error| damaged(&error))?;
    let mut merged = Merged::new(regions, sink);
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
        merged.add(row + 1, column as usize + 1, &content)?;
    }
    merged.finish()
}

/// Returns the names of the sheets that a spreadsheet program does not show.
pub(crate) fn hidden(sheets: &[Sheet]) -> BTreeSet<String> {
    sheets.iter().filter(|sheet| sheet.visible != SheetVisible::Visible).map(|sheet| sheet.name.clone()).collect()
}

/// Returns the first of these cells, rows and columns from 1, that has a formula. Programs other than spreadsheets write
/// formulas without their values.
pub(crate) fn first_formula(bytes: &[u8], sheet: &str, among: &BTreeSet<(u32, usize)>) -> Option<(u32, usize)> {
    let mut workbook = Xlsx::new(Cursor::new(bytes)).ok()?;
    let mut cells = workbook.worksheet_cells_reader(sheet).ok()?;
    while let Some(formula) = cells.next_formula().ok()? {
        let (row, column) = formula.get_position();
        let place = (row + 1, column as usize + 1);
        if !formula.get_value().is_empty() && among.contains(&place) {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Makes a workbook with one sheet.
    fn workbook(sheet: &str) -> Vec<u8> {
        with_states(&[], &[sheet])
    }

    /// Makes a workbook with a sheet for each content; the first ones have this state.
    fn with_states(states: &[&str], contents: &[&str]) -> Vec<u8> {
        let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let (mut sheets, mut targets) = (String::new(), String::new());
        for i in 0..contents.len() {
            let state = states.get(i).map_or(String::new(), |state| format!(" state=\"{state}\""));
            sheets += &format!("<sheet name=\"s{i}\" sheetId=\"{i}\" r:id=\"r{i}\"{state}/>");
            targets +=
                &format!("<Relationship Id=\"r{i}\" Type=\"{relations}/worksheet\" Target=\"worksheets/{i}.xml\"/>");
        }
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let mut add = |name: &str, content: &str| {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content.as_bytes()).unwrap();
        };
        add(
            "_rels/.rels",
            &format!(
                "<Relationships><Relationship Id=\"r\" Type=\"{relations}/officeDocument\" \
                 Target=\"xl/workbook.xml\"/></Relationships>"
            ),
        );
        add("xl/workbook.xml", &format!("<workbook xmlns:r=\"{relations}\"><sheets>{sheets}</sheets></workbook>"));
        add("xl/_rels/workbook.xml.rels", &format!("<Relationships>{targets}</Relationships>"));
        for (i, content) in contents.iter().enumerate() {
            add(&format!("xl/worksheets/{i}.xml"), &format!("<worksheet><sheetData>{content}</sheetData></worksheet>"));
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
        let behind = "far.xlsx, sheet \"s0\", row 1, column 1 occurs twice or comes after column";
        assert_eq!(refusal(&workbook(&format!("<row r=\"1\">{a1}{a1}</row>"))), format!("{behind} 1"));
        assert_eq!(refusal(&workbook(&format!("<row r=\"1\">{b1}{a1}</row>"))), format!("{behind} 2"));
        assert_eq!(
            refusal(&workbook(&format!("<row r=\"2\">{a2}</row><row r=\"1\">{a1}</row>"))),
            "far.xlsx, sheet \"s0\", row 1 comes after row 2"
        );
    }

    /// A sheet that its program hides is read if it is named, or if no other has data.
    #[test]
    fn hidden_sheets_are_not_chosen() {
        let row = |value: u32| format!("<row r=\"1\"><c r=\"A1\"><v>{value}</v></c></row>");
        let contents = [row(1), row(2), row(3)];
        let contents = contents.each_ref().map(String::as_str);
        let read = |states: &[&str], contents: &[&str], sheet: &str| {
            let selection = crate::Selection { columns: 1, sheet, ..Default::default() };
            crate::read("far.xlsx", &with_states(states, contents), selection).map(|rows| rows.numbers)
        };
        assert_eq!(read(&["hidden", "veryHidden"], &contents, ""), Ok(vec![3.0]));
        assert_eq!(read(&["hidden", "veryHidden"], &contents, "s1"), Ok(vec![2.0]));
        assert_eq!(read(&["hidden"], &contents[..1], ""), Ok(vec![1.0]));
        let message = "far.xlsx has data in the sheets \"s1\", \"s2\": one of them must be chosen";
        assert_eq!(read(&["hidden"], &contents, "").unwrap_err(), message);
    }

    /// Programs other than spreadsheets write no value of a formula, which must not count as an empty cell.
    #[test]
    fn a_formula_without_a_value_is_named() {
        let number = |place: &str| format!("<c r=\"{place}\"><v>1</v></c>");
        let formula = |place: &str, value: &str| format!("<c r=\"{place}\"><f>A1*2</f>{value}</c>");
        let heading = "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>x</t></is></c>\
                       <c r=\"B1\" t=\"inlineStr\"><is><t>y</t></is></c></row>";
        let rows = |value: &str| {
            let row = |i: u32| {
                format!("<row r=\"{i}\">{}{}</row>", number(&format!("A{i}")), formula(&format!("B{i}"), value))
            };
            workbook(&format!("{heading}{}{}", row(2), row(3)))
        };
        let read = |bytes: &[u8]| {
            let mut seen = 0;
            crate::table::records("far.xlsx", bytes, &crate::table::TableOptions::default(), &mut |_| {
                seen += 1;
                Ok(())
            })
            .map(|_| seen)
        };
        for empty in ["", "<v></v>", "<v/>"] {
            assert_eq!(
                read(&rows(empty)).unwrap_err(),
                "far.xlsx, sheet \"s0\", row 2, column 2 is a formula whose value the file does not have: open it in a \
                 spreadsheet program and save it"
            );
        }
        assert_eq!(read(&rows("<v>2</v>")), Ok(3));
        // An empty cell that only has a format is no formula.
        assert_eq!(
            read(&workbook(&format!("{heading}<row r=\"2\">{}<c r=\"B2\" s=\"0\"/></row>", number("A2")))),
            Ok(2)
        );
    }

    /// A merged number holds for all of its rows, or for one: which, the file does not say. A program may also leave
    /// numbers below, which are not shown.
    #[test]
    fn merged_cells_are_no_numbers() {
        let cell = |place: &str| format!("<c r=\"{place}\"><v>1</v></c>");
        let text = |place: &str, text: &str| format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
        let row = |i: u32, cells: &[&str]| format!("<row r=\"{i}\">{}</row>", cells.concat());
        let read = |below: &str, regions: &[&str], blank: bool| {
            let rows = [
                row(1, &[&text("A1", "Test 3")]),
                row(2, &[&text("A2", "s"), &text("B2", "F")]),
                row(3, &[&cell("A3"), &cell("B3")]),
                row(4, &[&cell("A4"), below]),
            ];
            let merged: String = regions.iter().map(|region| format!("<mergeCell ref=\"{region}\"/>")).collect();
            let bytes = workbook(&format!("{}</sheetData><mergeCells>{merged}</mergeCells><sheetData>", rows.concat()));
            let found =
                crate::table::table("far.xlsx", &bytes, &crate::table::TableOptions::default(), &["", ""], blank);
            found.map(|found| found.numbers).map_err(|problem| problem.message)
        };
        assert_eq!(read(&cell("B4"), &["A1:B1"], false), Ok(vec![1.0; 4]));
        for below in [cell("B4"), "<c r=\"B4\" s=\"0\"/>".to_owned(), String::new()] {
            for blank in [false, true] {
                assert_eq!(
                    read(&below, &["A1:B1", "B3:B4"], blank).unwrap_err(),
                    "far.xlsx, sheet \"s0\", row 4, column 2 belongs to merged cells and has no content of its own, but \
                     must be a number"
                );
            }
        }
    }

    /// Programs write numbers as texts, which a spreadsheet program marks, if a cell has the format of texts.
    #[test]
    fn numbers_that_are_texts_are_read_or_named() {
        let cell = |place: &str, text: &str| format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
        let sheet = |values: [&str; 2]| {
            let row = |(i, value): (u32, &str)| {
                format!("<row r=\"{i}\"><c r=\"A{i}\"><v>{i}</v></c>{}</row>", cell(&format!("B{i}"), value))
            };
            workbook(&[1, 2].into_iter().zip(values).map(row).collect::<String>())
        };
        let read = |values: [&str; 2]| {
            let form = crate::table::TableOptions::default();
            let found = crate::table::table("far.xlsx", &sheet(values), &form, &["", ""], false);
            found.map(|found| found.numbers).map_err(|problem| problem.message)
        };
        assert_eq!(read(["1.5", " 2e3 "]), Ok(vec![1.0, 1.5, 2.0, 2000.0]));
        assert_eq!(read(["1,5", "2,25"]), Ok(vec![1.0, 1.5, 2.0, 2.25]));
        assert_eq!(
            read(["1.5", "n/a"]).unwrap_err(),
            "far.xlsx, sheet \"s0\", row 2, column 2 is the text \"n/a\", but must be a number; use range to say where the \
             table ends"
        );
        assert_eq!(
            read(["1,500", "2,250"]).unwrap_err(),
            "far.xlsx, sheet \"s0\": \"1,500\" is 1500 with decimal points, but 1.5 with decimal commas; choose with decimal = \
             \".\" or decimal = \",\""
        );
        // An FMU reads numbers only.
        let selection = crate::Selection { columns: 2, ..Default::default() };
        assert_eq!(
            crate::read("far.xlsx", &sheet(["1.5", "2"]), selection).unwrap_err(),
            "far.xlsx, sheet \"s0\", row 1, column 2 is the text \"1.5\", but must be a number"
        );
    }

    /// The rectangle around these cells would need hundreds of gigabytes.
    #[test]
    fn a_cell_far_away_costs_nothing() {
        let bytes = workbook(
            "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>",
        );
        let message = "far.xlsx, sheet \"s0\", row 1048576 has 16384 columns, but must have 1";
        assert_eq!(refusal(&bytes), message);
    }
}
