//! Tables in files: rows that are read have finite numbers, and tables that are written can be read back.

use std::fmt::Write as _;

use mechanics::lookup_table::{Extrapolation, LookupTable, Smoothness, TableError};
use spreadsheet::table::{ColumnName, TableOptions, table};
use spreadsheet::{Rows, Selection, read};

use crate::bytes::Bytes;
use crate::zipped::zip;

const COLUMNS: usize = 4;

/// Reads bytes as a file of some kind.
pub fn check(data: &[u8]) {
    crate::panics::unwind();
    let mut bytes = Bytes(data);
    let kind = bytes.byte();
    let columns = if kind & 32 == 0 { COLUMNS } else { 1 + usize::from(kind >> 6) };
    let skip = if kind & 16 == 0 { 0 } else { u32::from(bytes.byte()) };
    let sheet = if kind & 8 == 0 { "" } else { std::str::from_utf8(bytes.counted()).unwrap_or_default() };
    let selection = Selection { sheet, skip, columns, blank: false };
    match kind & 7 {
        0 | 5 => judge("table.csv", bytes.0, selection),
        1 => judge("table.xls", bytes.0, selection),
        2 => judge("table.xlsx", bytes.0, selection),
        3 => judge("table.xlsx", &workbook(bytes.0), selection),
        4 => written(&mut bytes),
        6 => judge("table.txt", bytes.0, selection),
        _ => found(&mut bytes),
    }
}

/// Checks properties of all tables with headings and units.
fn found(bytes: &mut Bytes<'_>) {
    let kind = bytes.byte();
    let name = ["table.csv", "table.xls", "table.xlsx", "table.ods"][usize::from(kind & 3)];
    let units = std::str::from_utf8(bytes.counted()).unwrap_or_default();
    let units: Vec<_> = units.split('\n').filter(|unit| !unit.is_empty()).map(str::to_owned).collect();
    let columns = (0..bytes.below(3)).map(|_| ColumnName::Number(bytes.below(8))).collect();
    let form = TableOptions { units, columns, ..TableOptions::default() };
    let blank = kind & 4 != 0;
    let packed = if kind & 11 == 10 { workbook(bytes.0) } else { bytes.0.to_vec() };
    match table(name, &packed, &form, &["m", "N"], blank) {
        Ok(table) => {
            assert!(!table.positions.is_empty() && table.numbers.len() == 2 * table.positions.len(), "{table:?}");
            assert!(table.numbers.iter().all(|number| number.is_finite() || blank && number.is_nan()), "{table:?}");
            assert!(table.positions.windows(2).all(|pair| pair[0] < pair[1]), "{table:?}");
        }
        Err(problem) => assert!(problem.message.starts_with("table."), "the file is not named: {}", problem.message),
    }
}

/// Checks properties of all files.
fn judge(name: &str, content: &[u8], selection: Selection<'_>) {
    let Selection { skip, columns, .. } = selection;
    let rows = match read(name, content, selection) {
        Ok(rows) => rows,
        Err(message) => {
            assert!(message.starts_with("table."), "the file is not named: {message}");
            return;
        }
    };
    let Rows { origin, numbers, positions } = &rows;
    assert!(origin.starts_with(name), "{origin}");
    assert!(!positions.is_empty() && numbers.len() == positions.len() * columns, "{rows:?}");
    assert!(numbers.iter().all(|number| number.is_finite()), "{rows:?}");
    assert!(positions[0] > skip && positions.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    // Reading fewer columns or skipping rows gives the rest of the same rows.
    let next = Selection { skip: positions[0], ..selection };
    match read(name, content, next) {
        Ok(rest) => {
            assert_eq!(rest.positions, positions[1..]);
            assert!(same(&rest.numbers, &numbers[columns..]));
        }
        Err(message) => assert!(positions.len() == 1, "{message}"),
    }
    if columns == COLUMNS {
        for extrapolation in [Extrapolation::Hold, Extrapolation::Linear] {
            prepare(numbers.as_chunks().0, extrapolation);
        }
    }
}

fn same(one: &[f64], other: &[f64]) -> bool {
    one.iter().map(|number| number.to_bits()).eq(other.iter().map(|number| number.to_bits()))
}

/// Checks that the table of rows passes through all of them, and that a linear one stays between the ordinates of
/// neighbouring rows.
fn prepare(rows: &[[f64; COLUMNS]], extrapolation: Extrapolation) {
    let increases = rows.windows(2).all(|pair| pair[0][0] < pair[1][0]);
    for smoothness in [Smoothness::Linear, Smoothness::Spline, Smoothness::Akima] {
        let table = match LookupTable::new(rows, smoothness, extrapolation) {
            Ok(table) => table,
            Err(TableError::NotIncreasing { row }) => {
                assert!(rows[row][0] <= rows[row - 1][0]);
                assert!(rows[..row].windows(2).all(|pair| pair[0][0] < pair[1][0]));
                continue;
            }
            Err(TableError::TooSteep { row, column }) => {
                assert!(row + 1 < rows.len() && (1..COLUMNS).contains(&column));
                continue;
            }
            Err(TableError::Empty) => panic!("there are rows"),
        };
        assert!(increases);
        assert_eq!(table.is_even(), rows[0][0] >= 0.0);
        let _ = table.undershoot();
        for column in 1..COLUMNS {
            let value = |argument: f64| table.value(column - 1, argument);
            for row in rows {
                assert!(value(row[0]) == row[column], "row {row:?}, column {column}: {}", value(row[0]));
                if table.is_even() {
                    assert_eq!(value(-row[0]).to_bits(), value(row[0]).to_bits());
                }
            }
            if extrapolation == Extrapolation::Hold {
                let (first, last) = (rows[0], rows[rows.len() - 1]);
                assert_eq!(value(f64::MAX), last[column]);
                let before = if table.is_even() { 0.0 } else { f64::MIN };
                assert_eq!(value(before), first[column]);
            }
            if smoothness == Smoothness::Linear {
                for pair in rows.windows(2) {
                    let (from, to) = (pair[0][column], pair[1][column]);
                    let middle = value(pair[0][0] / 2.0 + pair[1][0] / 2.0);
                    let tolerance = 1e-9 * from.abs().max(to.abs()) + f64::MIN_POSITIVE;
                    assert!(
                        (from.min(to) - tolerance..=from.max(to) + tolerance).contains(&middle),
                        "{pair:?}: {middle}"
                    );
                }
            }
        }
    }
}

/// Makes a workbook with these parts; empty ones are replaced by default ones.
fn workbook(parts: &[u8]) -> Vec<u8> {
    let mut parts = parts.split(|byte| *byte == 0);
    let mut part = |usual: String| match parts.next().unwrap_or_default() {
        [] => usual.into_bytes(),
        given => given.to_vec(),
    };
    let cells = part("<row r=\"1\"><c r=\"A1\"><v>0</v></c><c r=\"B1\" t=\"s\"><v>0</v></c></row>".to_owned());
    let sheet = [b"<worksheet><sheetData>".as_slice(), &cells, b"</sheetData></worksheet>"].concat();
    let strings = part("<sst><si><t>text</t></si></sst>".to_owned());
    let styles = part("<styleSheet/>".to_owned());
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |number: u32, kind: &str, target: &str| {
        format!("<Relationship Id=\"r{number}\" Type=\"{relations}/{kind}\" Target=\"{target}\"/>")
    };
    let book = part(format!(
        "<workbook xmlns:r=\"{relations}\"><sheets><sheet name=\"one\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
    ));
    let relationships = part(format!(
        "<Relationships>{}{}{}</Relationships>",
        relation(1, "worksheet", "worksheets/sheet1.xml"),
        relation(2, "sharedStrings", "sharedStrings.xml"),
        relation(3, "styles", "styles.xml")
    ));
    let root = format!("<Relationships>{}</Relationships>", relation(1, "officeDocument", "xl/workbook.xml"));
    zip(&[
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &relationships),
        ("xl/sharedStrings.xml", &strings),
        ("xl/styles.xml", &styles),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
    .unwrap()
}

/// Writes numbers as .csv in one of its forms and as .xlsx; both are read back bit for bit.
fn written(bytes: &mut Bytes<'_>) {
    let code = bytes.byte();
    let delimiter = [",", ";", "\t"][usize::from(code) % 3];
    let end = if code & 32 == 0 { "\n" } else { "\r\n" };
    let quote = if code & 64 == 0 { "" } else { "\"" };
    let columns = 1 + bytes.below(6);
    let mut numbers = Vec::new();
    while !bytes.is_empty() && numbers.len() < 60 {
        let number = bytes.real();
        numbers.push(if number.is_finite() { number } else { 0.0 });
    }
    numbers.resize(numbers.len().next_multiple_of(columns).max(columns), 1.0);
    // Between semicolons or tabs, 1.125 may be 1125.
    let text = |value: f64| if delimiter == "," { format!("{value:?}") } else { format!("{value:e}") };
    let (mut csv, mut cells) = (String::new(), String::new());
    for (row, values) in numbers.chunks(columns).enumerate() {
        let fields: Vec<_> = values.iter().map(|value| format!("{quote}{}{quote}", text(*value))).collect();
        csv += &fields.join(delimiter);
        csv += end;
        let _ = write!(cells, "<row r=\"{}\">", row + 1);
        for (column, value) in values.iter().enumerate() {
            let letter = char::from(b'A' + column as u8);
            let _ = write!(cells, "<c r=\"{letter}{}\"><v>{value:?}</v></c>", row + 1);
        }
        cells += "</row>";
    }
    let selection = Selection { columns, ..Selection::default() };
    for (name, content) in [("table.csv", csv.into_bytes()), ("table.xlsx", workbook(cells.as_bytes()))] {
        let rows = read(name, &content, selection).unwrap();
        assert!(same(&rows.numbers, &numbers), "{name}: {:?} are read of {numbers:?}", rows.numbers);
        assert!(rows.positions.iter().copied().eq(1..=(numbers.len() / columns) as u32));
    }
}
