//! Reading of valid and invalid files.

use proptest::prelude::*;
use spreadsheet::table::{ColumnName, TableOptions, table};
use spreadsheet::units::Unit;
use spreadsheet::{Rows, Selection, read};

const SINGLE: [(&str, &[u8]); 2] =
    [("single.xlsx", include_bytes!("files/single.xlsx")), ("single.xls", include_bytes!("files/single.xls"))];
const SEVERAL: [(&str, &[u8]); 2] =
    [("several.xlsx", include_bytes!("files/several.xlsx")), ("several.xls", include_bytes!("files/several.xls"))];

/// The rows of the sheets "good", as in files/make.py.
const ROWS: [[f64; 4]; 3] =
    [[-0.002, 5.5e6, 4.75e6, 912_345.678_9], [0.0, 4.5e6, 4.5e6, 8e5], [1e-3, 0.123_456_789, 1.0 / 3.0, 1e-12]];

fn select(sheet: &str, skip: u32) -> Selection<'_> {
    Selection { sheet, skip, columns: 4, blank: false }
}

fn csv(text: &str, skip: u32) -> Result<Rows, String> {
    read("points.csv", text.as_bytes(), select("", skip))
}

fn refused(text: &str, skip: u32, message: &str) {
    assert_eq!(csv(text, skip).unwrap_err(), message, "{text:?}");
}

#[test]
fn all_formats_give_the_same_rows() {
    let text: String = ROWS.iter().map(|[a, b, c, d]| format!("{a:?},{b:?},{c:?},{d:?}\n")).collect();
    let csv = csv(&format!("s in m,kx in N/m,ky,kz\n{text}"), 1).unwrap();
    assert_eq!((csv.numbers.as_slice(), csv.origin.as_str()), (ROWS.as_flattened(), "points.csv"));
    assert_eq!(csv.positions, [2, 3, 4]);
    for (name, content) in SINGLE {
        let rows = read(name, content, select("", 1)).unwrap();
        assert_eq!(rows.origin, format!("{name}, sheet \"good\""));
        assert_eq!(rows, Rows { origin: rows.origin.clone(), ..csv.clone() });
    }
    for (name, content) in SEVERAL {
        assert_eq!(read(name, content, select("good", 2)).unwrap().numbers, ROWS[1..].as_flattened(), "{name}");
    }
}

#[test]
fn where_cells_may_be_empty_they_are_nan() {
    let blank = Selection { columns: 4, blank: true, ..Selection::default() };
    let rows = read("points.csv", b"1,,3,4\n,,,\n1,2\n,,3,\n1,2,3,4\n", blank).unwrap();
    let nan = f64::NAN;
    let expected = [[1.0, nan, 3.0, 4.0], [1.0, 2.0, nan, nan], [nan, nan, 3.0, nan], [1.0, 2.0, 3.0, 4.0]];
    let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&rows.numbers), bits(expected.as_flattened()));
    assert_eq!(rows.positions, [1, 3, 4, 5]);
    let message = read("points.csv", b"1,2,3,4,5\n", blank).unwrap_err();
    assert_eq!(message, "points.csv, row 1 has 5 columns, but must have 4");
    for (name, content) in SEVERAL {
        let gap = read(name, content, Selection { sheet: "gap", ..blank }).unwrap();
        assert!(gap.numbers.iter().filter(|number| number.is_nan()).count() > 0, "{name}");
    }
}

#[test]
fn a_sheet_must_be_chosen_among_several() {
    for (name, content) in SEVERAL {
        assert_eq!(
            read(name, content, select("", 1)).unwrap_err(),
            format!(
                "{name} has data in the sheets \"good\", \"text\", \"date\", \"truth\", \"gap\", \"narrow\", \"wide\", \
                 \"heading\": one of them must be chosen"
            )
        );
        let message = read(name, content, select("god", 1)).unwrap_err();
        assert!(
            message.starts_with(&format!("{name} has no sheet \"god\"; available: \"good\", \"text\"")),
            "{message}"
        );
    }
    assert_eq!(
        read("points.csv", b"0,1,2,3", select("good", 0)).unwrap_err(),
        "points.csv has no sheets, so there is none named \"good\""
    );
}

#[test]
fn a_wrong_cell_is_named() {
    let number = "but must be a number";
    for (name, content) in SEVERAL {
        for (sheet, wrong) in [
            ("good", format!(", row 1, column 1 is the text \"s in m\", {number}")),
            ("text", format!(", row 2, column 3 is the text \"stiff\", {number}")),
            ("date", format!(", row 1, column 4 is a date or a time, {number}")),
            ("truth", format!(", row 1, column 1 is a Boolean, {number}")),
            ("gap", format!(", row 3, column 2 is empty, {number}")),
            ("narrow", ", row 1 has 3 columns, but must have 4".to_owned()),
            ("wide", ", row 2 has 5 columns, but must have 4".to_owned()),
            ("empty", " has no rows".to_owned()),
        ] {
            let message = read(name, content, select(sheet, 0)).unwrap_err();
            assert_eq!(message, format!("{name}, sheet \"{sheet}\"{wrong}"));
        }
    }
    refused("0,1,2,3\n1,1,,3\n", 0, "points.csv, row 2, column 3 is empty, but must be a number");
    refused("0,1,2,3\n1,1,2,3e\n", 0, "points.csv, row 2, column 4 is the text \"3e\", but must be a number");
    refused("0,1,2,inf\n", 0, "points.csv, row 1, column 4 is the text \"inf\", but must be a number");
    refused("0,1,2,1e999\n", 0, "points.csv, row 1, column 4 is too large, but must be a number");
    refused("1\n", 0, "points.csv, row 1 has 1 column, but must have 4");
    let long = "long ".repeat(20);
    let shown = "long ".repeat(8);
    refused(&long, 0, &format!("points.csv, row 1, column 1 is the text \"{shown}…\", but must be a number"));
}

#[test]
fn at_least_one_row_must_be_left() {
    refused("", 0, "points.csv has no rows");
    refused("\n,,,\n", 3, "points.csv has no rows");
    refused("0,1,2,3\n", 1, "points.csv ends with row 1, but rows up to 1 are skipped: at least one must be left");
    refused("a\n0,1,2,3\n", 50, "points.csv ends with row 2, but rows up to 50 are skipped: at least one must be left");
    for (name, content) in SEVERAL {
        let message = read(name, content, select("heading", 1)).unwrap_err();
        assert_eq!(
            message,
            format!(
                "{name}, sheet \"heading\" ends with row 1, but rows up to 1 are skipped: at least one must be left"
            )
        );
    }
}

#[test]
fn text_files_of_all_kinds_are_read() {
    for text in [
        "0,1,2,3\n1,4,5,6", "\u{feff}0,1,2,3\r\n1,4,5,6\r\n", "0;1;2;3\n1;4;5;6\n", "0\t1\t2\t3\n\n1\t4\t5\t6\n\n",
        "0,1,2,3\r1,4,5,6\r", " 0,\"1\",2, +3e0\n1.0,4,5.,6,\n,,,,\n", "0|1|2|3\n1|4|5|6", "  0 1 2  3
1 4 5 6
",
        "0,0;1,00;2;3\n1;4e0;5,;6\n", "0,0 1,00 2 3\r\n1,0 4,0 5,0 6,0\r\n", "sep=;\n0;1;2;3\n1;4;5;6\n",
        "\"sep=|\"\r\n0|1|2|3\n1|4|5|6\n", "SEP=\t\n0\t1\t2\t3\n1\t4\t5\t6\n", "\"0,0\",\"1,0\",2,3\n1,4,5,6",
        "0;1;2;3\n1;4;5;0,06e2\n", "0;1;2;3D0\n1;4;5;6.0d+00\n",
    ] {
        assert_eq!(csv(text, 0).unwrap().numbers, [0.0, 1.0, 2.0, 3.0, 1.0, 4.0, 5.0, 6.0], "{text:?}");
    }
    let rows = csv("\"heading; with\nboth\",x\n\n0,1,2,3\n", 1).unwrap();
    assert_eq!((rows.numbers.as_slice(), rows.positions.as_slice()), ([0.0, 1.0, 2.0, 3.0].as_slice(), [4].as_slice()));
    assert!(read("points.CSV", b"\xe4\xb0\n0,1,2,3\n", select("", 1)).is_ok());
}

#[test]
fn numbers_are_read_as_they_are_meant_or_refused() {
    let row = |text: &str| csv(text, 0).map(|rows| rows.numbers);
    // A sign that can be nothing else, or digits grouped twice, decides for the whole file.
    for (text, second) in [
        ("0;4,500;1;0,5", 4.5),
        ("0;4.500;1;0.5", 4.5),
        ("0;4.500;1;1.250.000", 4500.0),
        ("0;4.500;1;1.250,5", 4500.0),
        ("0;4,500;1;1,250.5", 4500.0),
        ("0,4.500,1,2", 4.5),
        ("0;4 500;1;0,5", 4500.0),
        ("0;4'500.5;1;2", 4500.5),
        ("0;\u{2212}4\u{a0}500,5;1;2", -4500.5),
        ("0;4.500e0;1;2", 4.5),
        ("0;0.500;1;2", 0.5),
        ("0;4.5000;1;2", 4.5),
        ("0;4500.125;1;2", 4500.125),
    ] {
        assert_eq!(row(text).unwrap_or_else(|message| panic!("{text}: {message}"))[1], second, "{text}");
    }
    let readings = "\"4.500\" is 4.5 with decimal points, but 4500 with decimal commas";
    refused("0;1;2;3\n1;4.500;5;6\n", 0, &format!("points.csv: {readings}"));
    refused("0\t1\t2\t3\n1\t4.500\t5\t6\n", 0, &format!("points.csv: {readings}"));
    refused("1;4.500;0,5;6\n", 0, &format!("points.csv, row 1, column 2: {readings}"));
    refused("0;1,234;2;3\n", 0, "points.csv: \"1,234\" is 1234 with decimal points, but 1.234 with decimal commas");
    refused("0,\"1,234\",2,3\n", 0, "points.csv: \"1,234\" is 1234 with decimal points, but 1.234 with decimal commas");
    refused("0;0.5;0,5;3\n", 0, "points.csv: \"0.5\" has a decimal point, and \"0,5\" a decimal comma");
    for text in
        ["01.02.2024", "1.2.3", "1,2,3", "12.34.567", "1 23", "0x10", "1e", "e5", "1e5.0", "--1", "1-", "..", "5%"]
    {
        refused(
            &format!("0;{text};2;3\n"),
            0,
            &format!("points.csv, row 1, column 2 is the text \"{text}\", but must be a number"),
        );
    }
}

#[test]
fn blanks_next_to_decimal_commas_separate_cells() {
    let read = |text: &str, columns| read("points.csv", text.as_bytes(), Selection { columns, ..Selection::default() });
    let pairs = read("0,5 85\n1,5 230\n2,5 450\n3,5 850", 2).unwrap();
    assert_eq!(pairs.numbers, [0.5, 85.0, 1.5, 230.0, 2.5, 450.0, 3.5, 850.0]);
    let fours = read("0,5 850,5 851,5 852\n1,5 1,5 852,5 853", 4).unwrap();
    assert_eq!(fours.numbers, [0.5, 850.5, 851.5, 852.0, 1.5, 1.5, 852.5, 853.0]);
    assert_eq!(csv("0,5 851,5 852,5 853", 0).unwrap().numbers, [0.5, 851.5, 852.5, 853.0]);
    assert_eq!(csv("0, 1, 2, 3", 0).unwrap().numbers, [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn encodings_are_recognised_by_their_mark() {
    let text = "Weg;Kraft/°;y;z\r\n0,5;1;2;3\r\n";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> { text.encode_utf16().flat_map(bytes).collect() };
    let (little, big) = (utf16(u16::to_le_bytes), utf16(u16::to_be_bytes));
    for bytes in [
        text.as_bytes().to_vec(),
        ["\u{feff}".as_bytes(), text.as_bytes()].concat(),
        [b"\xff\xfe".as_slice(), &little].concat(),
        [b"\xfe\xff".as_slice(), &big].concat(),
        text.chars().map(|c| c as u8).collect(),
    ] {
        assert_eq!(read("points.csv", &bytes, select("", 1)).unwrap().numbers, [0.5, 1.0, 2.0, 3.0]);
    }
    let message = read("points.csv", &little, select("", 1)).unwrap_err();
    assert_eq!(message, "points.csv is not a text file, or its encoding is not UTF-8");
}

#[test]
fn other_files_are_refused() {
    for name in ["points.ods", "points", "points.xlsx.bak"] {
        let message = read(name, b"0,1,2,3", select("", 0)).unwrap_err();
        assert_eq!(message, format!("{name} is not a table: its name must end with .csv, .txt, .xls or .xlsx"));
    }
    for name in ["points.xlsx", "points.xls"] {
        for content in [&b""[..], b"0,1,2,3\n", &SINGLE[0].1[..900], &SINGLE[1].1[..900]] {
            let message = read(name, content, select("", 0)).unwrap_err();
            assert!(message.starts_with(&format!("{name} cannot be read: ")), "{message}");
        }
    }
}

/// The cell in row 4, column 4 of the sheet is moved far away, where the rectangle around all cells
/// would need hundreds of gigabytes.
#[test]
fn a_cell_far_away_costs_nothing() {
    let number = 1e-12_f64.to_le_bytes();
    let mut content = SINGLE[1].1.to_vec();
    let at = content.windows(8).position(|window| window == number).unwrap() - 6;
    assert_eq!(content[at..at + 4], [3, 0, 3, 0]);
    content[at..at + 4].fill(0xff);
    assert_eq!(
        read("single.xls", &content, select("", 1)).unwrap_err(),
        "single.xls has cells too far from the others: the rectangle around all data may have at most 4000000"
    );
}

/// The declared rectangle of the sheet, which is allocated.
#[test]
fn a_declared_size_that_is_a_lie_costs_nothing() {
    let declared = [0x00, 0x02, 14, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 0];
    let mut content = SINGLE[1].1.to_vec();
    let at = content.windows(declared.len()).position(|window| window == declared).unwrap();
    content[at + 8..at + 12].copy_from_slice(&u32::MAX.to_le_bytes());
    let message = read("single.xls", &content, select("", 1)).unwrap_err();
    assert!(message.starts_with("single.xls has cells too far from the others"), "{message}");
}

/// Makes a workbook of OpenDocument with this content of its tables.
fn open_document(tables: &str) -> Vec<u8> {
    use std::io::{Cursor, Write};
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    writer.start_file("mimetype", options).unwrap();
    writer.write_all(b"application/vnd.oasis.opendocument.spreadsheet").unwrap();
    writer.start_file("content.xml", options).unwrap();
    let names = ["office", "table", "text"].map(|name| format!("xmlns:{name}=\"urn:{name}\"")).join(" ");
    let content = format!(
        "<office:document-content {names}><office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>\
         </office:document-content>"
    );
    writer.write_all(content.as_bytes()).unwrap();
    writer.finish().unwrap().into_inner()
}

const ROAD: &str = "<table:table table:name=\"Info\"><table:table-row table:number-rows-repeated=\"1048576\">\
    <table:table-cell table:number-columns-repeated=\"1024\"/></table:table-row></table:table>\
    <table:table table:name=\"Road &amp; rail\"><table:table-row>\
    <table:table-cell office:value-type=\"string\"><text:p>s [mm]</text:p><office:annotation><text:p>a remark</text:p>\
    </office:annotation></table:table-cell>\
    <table:table-cell office:value-type=\"string\"><text:p>F [kN&#93;</text:p></table:table-cell></table:table-row>\
    <table:table-row><table:table-cell table:number-columns-repeated=\"2\" office:value-type=\"float\" office:value=\"0\">\
    <text:p>0</text:p></table:table-cell><table:table-cell table:number-columns-repeated=\"1022\"/></table:table-row>\
    <table:table-row table:number-rows-repeated=\"3\"><table:table-cell/></table:table-row>\
    <table:table-row><table:table-cell office:value-type=\"float\" office:value=\"4.1\"><text:p>4,1</text:p>\
    </table:table-cell><table:table-cell office:value-type=\"float\" office:value=\"1.5\"/></table:table-row></table:table>";

#[test]
fn open_documents_are_tables() {
    let read = |tables: &str, form: &TableOptions| {
        table("a.ods", &open_document(tables), form, &["m", "N"], false).map_err(|problem| problem.message)
    };
    let found = read(ROAD, &TableOptions::default()).unwrap();
    assert_eq!((&found.numbers[..], &found.positions[..]), (&[0.0, 0.0, 0.0041, 1500.0][..], &[2, 6][..]));
    assert_eq!(found.headings, ["s [mm]", "F [kN]"]);
    assert!(found.found.starts_with("a.ods, sheet \"Road & rail\": columns 1 \"s\" in mm"), "{}", found.found);
    let other = TableOptions { sheet: "Rail".to_owned(), ..TableOptions::default() };
    assert_eq!(read(ROAD, &other).unwrap_err(), "a.ods has no sheet \"Rail\"; available: \"Info\", \"Road & rail\"");
    let date = ROAD.replace("office:value-type=\"float\" office:value=\"1.5\"", "office:value-type=\"date\"");
    let message = read(&date, &TableOptions::default()).unwrap_err();
    assert!(message.contains("row 6, column 2 is a date or a time, but must be a number"), "{message}");
    // A few bytes must not become millions of cells.
    let many = ROAD.replace(
        "<table:table-row><table:table-cell table",
        "<table:table-row table:number-rows-repeated=\"9000000\"><table:table-cell table",
    );
    assert_eq!(
        read(&many, &TableOptions::default()).unwrap_err(),
        "a.ods, sheet \"Road & rail\" has more than 4000000 cells"
    );
    for damaged in [&b""[..], b"0,0", &open_document(ROAD)[..200]] {
        let message = table("a.ods", damaged, &TableOptions::default(), &["m", "N"], false).unwrap_err().message;
        assert!(message.starts_with("a.ods cannot be read: "), "{message}");
    }
    let message = read("<table:table table:name=\"a\"></table:row>", &TableOptions::default()).unwrap_err();
    assert!(message.starts_with("a.ods cannot be read: "), "{message}");
}

/// A sheet that its program hides is read if it is named, or if no other has data.
#[test]
fn hidden_sheets_of_open_documents_are_not_chosen() {
    let styles = "<style:style style:name=\"ta1\" style:family=\"table\"><style:table-properties table:display=\"true\"/>\
                  </style:style><style:style style:name=\"ta2\" style:family=\"table\"><style:table-properties \
                  table:display=\"false\"/></style:style>";
    let sheet = |name: &str, style: &str, value: u32| {
        format!(
            "<table:table table:name=\"{name}\" table:style-name=\"{style}\"><table:table-row><table:table-cell \
             office:value-type=\"float\" office:value=\"{value}\"/></table:table-row></table:table>"
        )
    };
    let read = |sheets: &[String], sheet: &str| {
        let form = TableOptions { sheet: sheet.to_owned(), ..TableOptions::default() };
        let content = open_document(&(styles.to_owned() + &sheets.concat()));
        table("a.ods", &content, &form, &["m"], false).map(|found| found.numbers).map_err(|problem| problem.message)
    };
    let sheets = [sheet("old", "ta2", 1), sheet("new", "ta1", 2), sheet("other", "ta1", 3)];
    assert_eq!(read(&sheets[..2], ""), Ok(vec![2.0]));
    assert_eq!(read(&sheets[..2], "old"), Ok(vec![1.0]));
    assert_eq!(read(&sheets[..1], ""), Ok(vec![1.0]));
    let message = "a.ods has data in the sheets \"new\", \"other\": one of them must be chosen";
    assert_eq!(read(&sheets, "").unwrap_err(), message);
}

/// A merged number holds for all of its rows, or for one: which, the file does not say. A program may also leave numbers
/// below, which are not shown.
#[test]
fn merged_cells_are_no_numbers() {
    let number = |merged: &str| format!("<table:table-cell {merged} office:value-type=\"float\" office:value=\"1\"/>");
    let covered = "<table:covered-table-cell office:value-type=\"float\" office:value=\"7\"><text:p>7</text:p>\
                   </table:covered-table-cell>";
    let row = |cells: &[&str]| format!("<table:table-row>{}</table:table-row>", cells.concat());
    let one = number("");
    let first = row(&[&one, &number("table:number-rows-spanned=\"2\"")]);
    let title = "<table:table-cell table:number-columns-spanned=\"2\" office:value-type=\"string\"><text:p>Test 3</text:p>\
                 </table:table-cell><table:covered-table-cell/>";
    let read = |below: &str, blank: bool| {
        let text =
            format!("<table:table table:name=\"s\">{}{first}{}</table:table>", row(&[title]), row(&[&one, below]));
        let found = table("a.ods", &open_document(&text), &TableOptions::default(), &["", ""], blank);
        found.map(|found| found.numbers).map_err(|problem| problem.message)
    };
    assert_eq!(read(&one, false), Ok(vec![1.0; 4]));
    for below in [covered, "<table:covered-table-cell/>"] {
        for blank in [false, true] {
            let message = "a.ods, sheet \"s\", row 3, column 2 belongs to merged cells and has no content of its own, but \
                           must be a number";
            assert_eq!(read(below, blank).unwrap_err(), message);
        }
    }
}

#[test]
fn a_blank_before_a_quotation_mark_is_not_part_of_the_cell() {
    let found =
        table("a.csv", b"\"s, x [mm]\", \"F [N]\"\n\"1\", \"2\"\n", &TableOptions::default(), &["m", "N"], false)
            .unwrap();
    assert_eq!((&found.numbers[..], &found.headings[0][..]), (&[1e-3, 2.0][..], "s, x [mm]"));
}

/// A name of a quantity that may be a unit, too, is one only where it fits; what has no dimension needs no unit.
#[test]
fn letters_are_units_where_these_are_wanted() {
    let read = |text: &str, units: [&str; 2]| {
        let found = table("a.csv", text.as_bytes(), &TableOptions::default(), &units, false)
            .map_err(|problem| problem.message)?;
        Ok::<_, String>((found.numbers, found.assumed))
    };
    assert_eq!(read("s;F\n1;2\n", ["m", "N"]).unwrap(), (vec![1.0, 2.0], true));
    assert_eq!(read("Weg_F;Kraft_V\n1;2\n", ["m", "N"]).unwrap(), (vec![1.0, 2.0], true));
    assert_eq!(read("I;U\nmA;V\n1;2\n", ["A", "V"]).unwrap(), (vec![1e-3, 2.0], false));
    assert_eq!(read("I [mA];U in V\n1;2\n", ["A", "V"]).unwrap(), (vec![1e-3, 2.0], false));
    assert_eq!(read("w [rad/s];mu\n1;2\n", ["rad/s", "1"]).unwrap(), (vec![1.0, 2.0], false));
    assert_eq!(read("n [1/min];mu\n1;2\n", ["rad/s", "1"]).unwrap(), (vec![std::f64::consts::PI / 30.0, 2.0], false));
    assert_eq!(
        read("n [1/s];mu\n30;2\n", ["rad/s", "1"]).unwrap_err(),
        "a.csv, column 1 is in 1/s, which cannot be converted to rad/s; revolutions per second are rev/s"
    );
    assert_eq!(
        read("x [mm];F [kN]\nmm;N\n1;2\n", ["m", "N"]).unwrap_err(),
        "a.csv: column 2 is in N, but in kN by row 1; give all units with units = […]"
    );
    assert_eq!(read("x [mm];F [N]\nmillimeter;N\n1;2\n", ["m", "N"]).unwrap(), (vec![1e-3, 2.0], false));
    assert_eq!(
        read("phi [rad];mu [%]\n1;2\n", ["deg", "1"]).unwrap(),
        (vec![180.0 / std::f64::consts::PI, 0.02], false)
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damage_is_refused_or_without_effect(
        which in 0..2_usize,
        damage in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let (name, content) = SINGLE[which];
        let mut content = content.to_vec();
        for (index, byte) in damage {
            *index.get_mut(&mut content) = byte;
        }
        for result in [
            read(name, &content, select("", 1)).err(),
            table(name, &content, &TableOptions::default(), &["m", "N/m", "N/m", "N/m"], true).err().map(|it| it.message),
        ] {
            prop_assert!(result.as_ref().is_none_or(|message| message.starts_with(name)), "{:?}", result);
        }
    }

    #[test]
    fn any_table_is_found_or_refused(
        text in "[0-9.,;|'\t\n\"mNs/\\[\\] =e-]{0,60}",
        columns in proptest::collection::vec(0..4_usize, 0..3),
        blank in any::<bool>(),
    ) {
        let form = TableOptions { columns: columns.into_iter().map(ColumnName::Number).collect(), ..TableOptions::default() };
        match table("points.csv", text.as_bytes(), &form, &["m", "N"], blank) {
            Ok(found) => {
                prop_assert_eq!(found.numbers.len(), 2 * found.positions.len());
                prop_assert!(found.numbers.iter().all(|number| number.is_finite() || blank && number.is_nan()));
                prop_assert!(found.positions.is_sorted());
            }
            Err(problem) => prop_assert!(problem.message.starts_with("points.csv"), "{}", problem.message),
        }
    }

    #[test]
    fn any_unit_is_known_or_not(text in "[a-zA-Z0-9°²./*()^ -]{0,12}", value in any::<f64>()) {
        if let Some(unit) = Unit::parse(&text) {
            let _ = unit.to_si(value);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[0-9.,;|'\t\n\"e -]{0,60}", skip in 0..4_u32) {
        if let Ok(rows) = csv(&text, skip) {
            prop_assert_eq!(rows.numbers.len(), 4 * rows.positions.len());
            prop_assert!(rows.numbers.iter().all(|number| number.is_finite()));
        }
    }
}
