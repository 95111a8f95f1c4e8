//! One table, written in the ways of engineers and their programs: the same FMU, or a message.

use std::io::{Cursor, Write};

use fmu_exchange::DeclarationRequest;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::Settings;
use crate::description::{Causality, Description, VariableType};
use crate::example::describe;

/// The rows in m and N.
const ROWS: [f64; 8] = [0.0, 0.0, 0.0041, 1234.5, 0.0123, 4096.25, 0.02, 10000.0];

/// Returns the description with a parameter from the file, or the message without the folder.
fn resolved(parameter: &str, file: &str, content: &[u8], keys: &str) -> Result<Description, String> {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join(file), content).unwrap();
    let value = if keys == "as it is" { format!("\"{file}\"") } else { format!("{{ file = \"{file}\", {keys} }}") };
    let path = folder.path().join("front.toml");
    fs_err::write(&path, format!("[structure]\norder = 3\n[parameters]\n{parameter} = {value}")).unwrap();
    let result = Settings::from_toml(&path).and_then(|settings| settings.resolve(&describe));
    result.map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

/// Writes a sheet: a cell is a number if it can be one, and a text otherwise; an equals sign makes a text of a number.
fn sheet(rows: &str) -> String {
    let mut text = String::new();
    for (number, row) in rows.lines().enumerate() {
        text += &format!("<row r=\"{}\">", number + 1);
        for (column, cell) in row.split(';').enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let reference = format!("{}{}", char::from(b'A' + column as u8), number + 1);
            text += &match cell.parse::<f64>() {
                Ok(_) => format!("<c r=\"{reference}\"><v>{cell}</v></c>"),
                Err(_) if cell == "TRUE" => format!("<c r=\"{reference}\" t=\"b\"><v>1</v></c>"),
                Err(_) if cell == "#N/A" => format!("<c r=\"{reference}\" t=\"e\"><v>#N/A</v></c>"),
                Err(_) => format!("<c r=\"{reference}\" t=\"str\"><v>{}</v></c>", cell.trim_start_matches('=')),
            };
        }
        text += "</row>";
    }
    text
}

/// Makes a workbook of sheets with names.
fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{relations}/{kind}\" Target=\"{target}\"/>")
    };
    let (mut names, mut targets) = (String::new(), String::new());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut put = |name: &str, content: &str| {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    };
    for (number, (name, rows)) in sheets.iter().enumerate() {
        names += &format!("<sheet name=\"{name}\" sheetId=\"{0}\" r:id=\"r{0}\"/>", number + 1);
        targets += &relation(&format!("r{}", number + 1), "worksheet", &format!("worksheets/sheet{}.xml", number + 1));
        let content = format!("<worksheet><sheetData>{}</sheetData></worksheet>", sheet(rows));
        put(&format!("xl/worksheets/sheet{}.xml", number + 1), &content);
    }
    let root = relation("r1", "officeDocument", "xl/workbook.xml");
    put("_rels/.rels", &format!("<Relationships>{root}</Relationships>"));
    put("xl/workbook.xml", &format!("<workbook xmlns:r=\"{relations}\"><sheets>{names}</sheets></workbook>"));
    put("xl/_rels/workbook.xml.rels", &format!("<Relationships>{targets}</Relationships>"));
    writer.finish().unwrap().into_inner()
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// File, content and keys.
type Case = (&'static str, Vec<u8>, &'static str);

fn good() -> Vec<Case> {
    let text = |file, content: &str, keys| (file, content.as_bytes().to_vec(), keys);
    let si = "0,0\n0.0041,1234.5\n0.0123,4096.25\n0.02,10000\n";
    let german = "Weg;Kraft\nmm;kN\n0;0\n4,1;1,2345\n12,3;4,09625\n20;10\n";
    let mm = "0;0\n4.1;1.2345\n12.3;4.09625\n20;10\n";
    let swap = |from: &str, to: &str| mm.replace(from, to);
    let headed = |heading: &str| format!("{heading}\n{mm}");
    let excel = |rows: &str| workbook(&[("Messung", rows)]);
    let latin = |heading: &str| headed(heading).chars().map(|c| c as u8).collect::<Vec<_>>();
    let mixed = workbook(&[
        ("Info", "Report\n1;2;3"),
        ("Prüfling 1", &format!("Messung\n\n;s [mm];F [kN]\n;{}", mm.replace('\n', "\n;"))),
    ]);
    vec![
        // Files that need no further keys.
        text("a.csv", si, ""),
        text("a.csv", si, "as it is"),
        text("a.txt", &si.replace(',', "\t"), ""),
        text("a.dat", &si.replace(',', "  "), ""),
        text("a.tsv", &si.replace(',', " \t "), ""),
        text("a.CSV", &si.replace(',', "|"), ""),
        text("a.csv", &si.replace('\n', "\r\n"), ""),
        text("a.csv", &si.replace('\n', "\r"), ""),
        text("a.csv", &si.replace('\n', "\n\n"), ""),
        text("a.csv", &si.replace(",", ";").replace('.', ","), ""),
        text("a.csv", &si.replace(",", "  ").replace('.', ","), ""),
        text("a.csv", &si.replace(",", "\t").replace('.', ","), ""),
        text("a.csv", "s[m] F[N]\n0 0\n0,0041 1234,5\n0,0123 4096,25\n0,02 10000\n", ""),
        text("a.csv", "0,0\n4.1e-3,1.2345E+3\n1.23D-2,4096.25\n+.02,10000.\n", ""),
        text("a.csv", "\"0\",\"0\"\n\"0,0041\",\"1234,5\"\n\"0,0123\",\"4096,25\"\n\"0,02\",\"10000\"\n", ""),
        // Headings, and units in them or below them.
        text("a.csv", german, ""),
        text("a.csv", german, "as it is"),
        text("a.csv", &german.replace("mm;kN", "[mm];[kN]"), ""),
        text("a.csv", &german.replace("mm;kN", "(mm);(kN)"), ""),
        text("a.csv", &format!("Prüfbericht 2024-11;\n\n{german}"), ""),
        text("a.csv", &headed("s [mm];F [kN]"), ""),
        text("a.csv", &headed("s (mm);F (kN)"), ""),
        text("a.csv", &headed("s / mm;F / kN"), ""),
        text("a.csv", &headed("s/mm;F/kN"), ""),
        text("a.csv", &headed("Weg in mm;Kraft in kN"), ""),
        text("a.csv", &headed("s, mm;F, kN"), ""),
        text("a.csv", &headed("s in mm.m/m;F in kN.m/m"), ""),
        text("a.csv", &headed("s, mm.m/m;F, kN.m/m"), ""),
        text("a.csv", &headed("s dyn. in mm.m / m;F / x in kN.m / m"), ""),
        text("a.csv", &headed("s / mm.m/m;F / kN.m / m"), ""),
        text("a.csv", &headed("s_mm;F_kN"), ""),
        text("a.csv", &headed("disp_front_mm;force_front_kN"), ""),
        text("a.csv", &headed("Weg in x in mm;Kraft / x / kN"), ""),
        text("a.csv", &headed("# measured\n# with care\ns [mm];F [kN]"), ""),
        text("a.csv", &headed("s [mm] (roh);F (kN) [gefiltert]"), ""),
        text("a.csv", &headed("# s;F\n# mm;kN"), ""),
        text("a.dat", &headed("# disp force\n# mm kN").replace(';', " "), ""),
        text("a.csv", &headed("s [mm];F [kN];").replace("0\n", "0;\n"), ""),
        text("a.csv", "s [in],F [lbf]\n0,0\n", "units = [\"in\", \"lbf\"], range = \"1:2\""),
        text("a.csv", "s;F\n0;0\n0,0041;1234,5\n0,0123;4096,25\n0,02;10000\n", ""),
        // Units given by keys.
        text("a.csv", mm, "units = [\"mm\", \"kN\"]"),
        text("a.csv", mm, "units = \"mm, kN\""),
        text("a.csv", &headed("s [mm];F [kN]"), "units = [\"mm\", \"kN\"]"),
        // Units in keys override a wrong heading, which the owner of the file cannot always change.
        text("a.csv", &headed("s [m];F [N]"), "units = [\"mm\", \"kN\"]"),
        text("a.csv", &headed("s [mm];c [N/mm]"), "units = [\"mm\", \"kN\"]"),
        text("a.csv", &headed("s;c\nmm;N/mm"), "units = [\"mm\", \"kN\"]"),
        // Words.
        text("a.csv", &headed("s [millimeter];F [kilonewton]"), ""),
        text("a.csv", &headed("s in Millimetres;F in kilonewtons"), ""),
        text("a.csv", &swap("4.1;1.2345", "4100e-3;12345e-4"), "units = [\"mm\", \"kN\"]"),
        text("a.csv", "0;0\n4100;1.2345\n12300;4.09625\n20000;10\n", "units = [\"µm\", \"kN\"]"),
        text("a.csv", "0;0\n0.41;123.45\n1.23;409.625\n2;1000\n", "units = [\"cm\", \"daN\"]"),
        text("a.csv", "0;0\n4.1;1234500\n12.3;4096250\n20;10000000\n", "units = [\"mm\", \"g·m/s²\"]"),
        // Columns.
        text(
            "a.csv",
            "t;F [kN];s [mm];note\n1;0;0;ok\n2;1,2345;4,1;\n3;4,09625;12,3;ok\n4;10;20;\n",
            "columns = [\"s\", \"F\"]",
        ),
        text(
            "a.csv",
            "t;F [kN];s [mm];note\n1;0;0;ok\n2;1,2345;4,1;\n3;4,09625;12,3;ok\n4;10;20;\n",
            "columns = [3, 2]",
        ),
        text("a.csv", "t;F;s\ns;kN;mm\n1;0;0\n2;1,2345;4,1\n3;4,09625;12,3\n4;10;20\n", "columns = \"s, F\""),
        text("a.csv", "F [kN];s [mm]\n0;0\n1,2345;4,1\n4,09625;12,3\n10;20\n", "columns = [\"s [mm]\", \"F [kN]\"]"),
        text(
            "a.txt",
            "MTS|ENU|1|2\n\nZeit:\t12,5\tSec\nZeit\tWeg\tKraft\nSec\tmm\tkN\n0,0\t0,0\t0,0\n0,1\t4,1\t1,2345\n0,2\t12,3\t4,09625\n\
             0,3\t20\t10\n",
            "columns = [\"Weg\", \"Kraft\"]",
        ),
        text("a.csv", "x;0;0\n;4,1;1,2345\n;12,3;4,09625\n;20;10\n", "columns = [2, 3], units = [\"mm\", \"kN\"]"),
        text(
            "a.csv",
            "date;s [mm];F [kN]\n01.02.24;0;0\n01.02.24;4,1;1,2345\n02.02.24;12,3;4,09625\n02.02.24;20;10\n",
            "columns = [\"s\", \"F\"]",
        ),
        text("a.csv", "2024;;\n;s [mm];F [kN]\n;0;0\n;4,1;1,2345\n;12,3;4,09625\n;20;10\n", ""),
        text("a.csv", "s [mm];F [kN]\n0;0;first\n4,1;1,2345\n12,3;4,09625\n20;10\n", ""),
        // Parts of a file.
        text("a.csv", &format!("{german}mean;\n"), "range = \"1:6\""),
        text("a.csv", &format!("1;2\n3;4\n{german}"), "range = \"3:8\""),
        text("a.csv", "n;s [mm];F [kN]\n1;0;0\n2;4,1;1,2345\n3;12,3;4,09625\n4;20;10\n", "range = \"B:C\""),
        text(
            "a.csv",
            "n;s [mm];F [kN];x\n1;0;0;\n2;4,1;1,2345;\n3;12,3;4,09625;7\n4;20;10;\n",
            "range = \"$B$1:$C$5\"",
        ),
        text("a.csv", &headed("s [mm];F [kN]"), "range = \"A2:B5\""),
        text("a.csv", &format!("m;N\n1;2\n{german}"), "range = \"5:8\""),
        // Characters that are ambiguous unless another cell or a key tells their meaning.
        text("a.csv", "s [m];F [N]\n0;0\n0,0041;1.234,5\n0,0123;4.096,25\n0,02;10.000\n", ""),
        text("a.csv", "s [m];F [N]\n0;0\n0.0041;1,234.5\n0.0123;4,096.25\n0.02;10,000\n", ""),
        text("a.csv", "s [m];F [N]\n0;0\n0.0041;1'234.5\n0.0123;4'096.25\n0.02;10'000\n", ""),
        text("a.csv", "s [m];F [N]\n0;0\n0,0041;1\u{202f}234,5\n0,0123;4\u{a0}096,25\n0,02;10 000\n", ""),
        text("a.csv", "s [µm];F [N]\n0;0\n4.100;1234,5\n12.300;4096,25\n20.000;10.000\n", "decimal = \",\""),
        text("a.csv", "s [mm];F [N]\n0;0\n4.100;1234.5\n12.300;4096.25\n20.000;10000\n", ""),
        // Programs' peculiarities.
        text("a.csv", &format!("sep=;\n{german}"), ""),
        text("a.csv", &format!("\"sep=;\"\r\n{german}"), ""),
        text("a.csv", &format!("\u{feff}{german}"), ""),
        ("a.csv", [b"\xff\xfe".as_slice(), &utf16(german, u16::to_le_bytes)].concat(), ""),
        ("a.csv", [b"\xfe\xff".as_slice(), &utf16(german, u16::to_be_bytes)].concat(), ""),
        ("a.csv", utf16(german, u16::to_le_bytes), "encoding = \"utf-16le\""),
        ("a.csv", latin("Länge [mm];Stärke [kN]"), "encoding = \"windows-1252\", columns = [\"Länge\", \"Stärke\"]"),
        ("a.csv", latin("Länge [mm];Stärke [kN]"), ""),
        ("a.csv", latin("s [mm·m²/m²];F [kN·m²/m²]"), "encoding = \"windows-1252\""),
        text("a.csv", &mm.replace(';', ":"), "delimiter = \":\", units = [\"mm\", \"kN\"]"),
        text("a.csv", &swap("4.1", "\u{2212}0"), "units = [\"mm\", \"kN\"], range = \"1:1\""),
        // Workbooks.
        ("a.xlsx", excel(&headed("s [mm];F [kN]")), ""),
        ("a.xlsx", excel(&headed("s;F\nmm;kN")), "as it is"),
        ("a.xlsx", excel(german), ""),
        ("a.xlsm", excel(mm), "units = [\"mm\", \"kN\"]"),
        ("a.xlsx", mixed.clone(), "range = \"Prüfling 1!B3:C7\""),
        ("a.xlsx", mixed.clone(), "range = \"'Prüfling 1'!B:C\""),
        ("a.xlsx", mixed, "sheet = \"Prüfling 1\", columns = [\"s\", \"F\"]"),
    ]
}

/// Returns the elements of the table in a configuration.
fn elements(description: &Description) -> Vec<f64> {
    let line = description.configuration.lines().find(|line| line.starts_with("table table ")).unwrap();
    line.split(' ').skip(4).map(|word| fmu_exchange::real(word).unwrap()).collect()
}

#[test]
fn sixty_ways_of_writing_a_table_are_the_same() {
    let cases = good();
    assert!(cases.len() >= 60, "{}", cases.len());
    let mut whole = 0;
    for (file, content, keys) in cases {
        let shown = || format!("{file}, {keys}\n{}", String::from_utf8_lossy(&content));
        let description =
            resolved("table", file, &content, keys).unwrap_or_else(|message| panic!("{message}\n{}", shown()));
        let elements = elements(&description);
        // Some cases read only a part of the rows.
        assert!(!elements.is_empty() && ROWS.starts_with(&elements), "{elements:?} in {}", shown());
        whole += usize::from(elements.len() == ROWS.len());
        assert_eq!(description.notes.len(), 1, "{}", shown());
        // An attached file has the same rows, in SI units.
        if keys != "as it is" {
            let attached = resolved("data", file, &content, keys).unwrap();
            let content = &attached.resources["data.csv"];
            let rows =
                spreadsheet::read("data.csv", content, spreadsheet::Selection { columns: 2, ..Default::default() });
            assert_eq!(rows.unwrap().numbers, elements, "{}", shown());
        }
    }
    assert!(whole >= 60, "{whole}");
}

#[test]
fn what_was_recognised_is_told_in_one_line() {
    let note = |file: &str, content: &[u8], keys: &str| resolved("table", file, content, keys).unwrap().notes.remove(0);
    assert_eq!(
        note("a.csv", "Weg;Kraft\nmm;kN\n0;0\n4,1;1,2345\n".as_bytes(), ""),
        "a.csv: UTF-8, cells between \";\", decimal commas; columns 1 \"Weg\" in mm, 2 \"Kraft\" in kN; 2 rows, from 3 to 4"
    );
    assert_eq!(
        note("a.txt", b"0\t0.5\n", ""),
        "a.txt: UTF-8, cells between tabs, decimal points; columns 1, 2; without units, so taken to be in m, N; row 1"
    );
    assert_eq!(
        note("a.xlsx", &workbook(&[("M", "t;s [mm];F [N]\n1;0;2")]), "columns = [\"s\", \"F\"]"),
        "a.xlsx, sheet \"M\": columns 2 \"s\" in mm, 3 \"F\" in N; row 2"
    );
}

#[test]
fn overridden_units_are_told() {
    let note = resolved("table", "a.csv", b"s [mm];F [kN]\n0;0\n", "units = [\"m\", \"kN\"]").unwrap().notes.remove(0);
    assert_eq!(
        note,
        "a.csv: UTF-8, cells between \";\", decimal points; columns 1 \"s\" in m, 2 \"F\" in kN; units overrides mm, which \
         the file says of column 1; row 2"
    );
}

#[test]
fn a_command_line_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs_err::write(&path, "t;F;s\n1;0;0\n2;1,2345;4,1\n").unwrap();
    let path = path.display();
    let run = |assignments: &[String]| {
        let mut settings = Settings::default();
        assignments.iter().for_each(|assignment| settings.set(assignment).unwrap());
        settings.resolve(&describe).map(|description| elements(&description)).map_err(|error| error.to_string())
    };
    let one = format!("table={{file='{path}', columns=['s','F'], units=['mm','kN']}}");
    let several = [
        format!("table={path}"),
        "table.columns=[s,F]".to_owned(),
        "table.units=[mm,kN]".to_owned(),
        "table.decimal=,".to_owned(),
    ];
    assert_eq!(run(std::slice::from_ref(&one)).unwrap(), ROWS[..4]);
    assert_eq!(run(&several).unwrap(), ROWS[..4]);
    // A whole value takes the place of all keys before it.
    assert_eq!(run(&[one, "table=[[1, 2]]".to_owned()]).unwrap(), [1.0, 2.0]);
    let message = run(&["table.units=[mm,kN]".to_owned()]).unwrap_err();
    assert_eq!(message, "--set table.units=[mm,kN]: needs the path of a file: file = \"…\"");
}

/// File, content, keys, and the part of the message behind the name of the file.
type Refusal = (&'static str, Vec<u8>, &'static str, &'static str);

#[rustfmt::skip]
fn bad() -> Vec<Refusal> {
    let text = |content: &str, keys, message| ("a.csv", content.as_bytes().to_vec(), keys, message);
    let excel = |rows: &str, keys, message| ("a.xlsx", workbook(&[("M", rows)]), keys, message);
    let latin = |content: &str| {
        let content = content.chars().map(|c| c as u8).collect();
        let right = "m\", which is not a known unit; set encoding to \"windows-1252\" or another one";
        ("a.csv", content, "", right)
    };
    let four = "0;0\n4,1;1,2345\n";
    vec![
        // Ambiguous numbers.
        text("0;0\n4.500;1\n", "",
         "a.csv: \"4.500\" is 4.5 with decimal points, but 4500 with decimal commas; choose with decimal = \".\" or decimal = \",\""),
        text("0;0\n1;1,234\n", "",
         "a.csv: \"1,234\" is 1234 with decimal points, but 1.234 with decimal commas; choose"),
        text("0\t0\n4.500\t1\n", "", "\"4.500\" is 4.5 with decimal points"),
        text("0 0\n4.500 1\n", "", "\"4.500\" is 4.5 with decimal points"),
        text("0|0\n4.500|1\n", "", "\"4.500\" is 4.5 with decimal points"),
        text("0,0\n\"4,500\",1\n", "", "\"4,500\" is 4500 with decimal points, but 4.5 with decimal commas"),
        text("0;0\n0,5;4.500\n", "", "a.csv, row 2, column 2 has two readings: \"4.500\" is 4.5"),
        text("0;0\n0.5;4,500\n", "", "a.csv, row 2, column 2 has two readings: \"4,500\" is 4500"),
        text("0;0\n0.5;1,25\n", "", "a.csv: \"0.5\" has a decimal point, and \"1,25\" a decimal comma"),
        excel("=0;=0\n=4.500;=1", "", "a.xlsx, sheet \"M\": \"4.500\" is 4.5 with decimal points"),
        // Cells that are not numbers.
        text("0;0\n1;x\n", "", "a.csv, row 2, column 2 is the text \"x\", but must be a number"),
        text("0;0\n1;\n", "", "a.csv, row 2, column 2 is empty, but must be a number"),
        text("0;0\n1;0x10\n", "", "column 2 is the text \"0x10\""),
        text("0;0\n1;nan\n", "", "column 2 is the text \"nan\""),
        text("0;0\n1;1e999\n", "", "a.csv, row 2, column 2 is too large, but must be a number"),
        text("0;0\n1;1e308\n", "units = [\"m\", \"MN\"]", "row 2, column 2 is too large"),
        text("0;0\n1;5 N\n", "", "is the text \"5 N\", but must be a number, with its unit in the heading or in units"),
        text("0;0\n1;5%\n", "", "is the text \"5%\""),
        text("0;0\n1;1.2.2024\n", "", "is the text \"1.2.2024\""),
        text("0;0\n1;1,5\n", "decimal = \".\"", "is the text \"1,5\""),
        text("0;0\n1;1.5\n", "decimal = \",\"", "is the text \"1.5\""),
        text("0;0\n1;2\nmean;1\n", "",
         "row 3, column 1 is the text \"mean\", but must be a number; use range to say where"),
        excel("0;0\n1;TRUE", "", "a.xlsx, sheet \"M\", row 2, column 2 is a Boolean, but must be a number"),
        excel("0;0\n1;#N/A", "", "a.xlsx, sheet \"M\", row 2, column 2 is an error, but must be a number"),
        excel("0;0\n1;", "", "row 2, column 2 is empty"),
        // Rows above the first complete one.
        text("0;\n1;2\n", "",
         "a.csv, row 1, column 2 is empty, but must be a number; use range to say where the table begins"),
        text("s;F\n0;#DIV/0!\n1;2\n", "",
         "a.csv, row 2, column 2 is the text \"#DIV/0!\", but must be a number; use range"),
        text("s;F\n0;#DIV/0!\n1;2\n", "columns = [\"s\", \"F\"]",
         "row 2, column 2 is the text \"#DIV/0!\", but must be"),
        text("x;1;2;3\ny;0;n\ny;1;2\n", "columns = [2, 3]", "a.csv, row 2, column 3 is the text \"n\", but must be"),
        text("0;0;x\n;s;F\n1;2\n", "", "a.csv, row 1, column 1 is a number above the table; use range to say where"),
        excel("0;#N/A\n1;2", "",
         "a.xlsx, sheet \"M\", row 1, column 2 is an error, but must be a number; use range to say"),
        text(&format!("0;0\n1;{}\n", "1".repeat(201)), "", "column 2 has more than 200 characters, but must be"),
        // Columns.
        text("0;1;2\n", "", "a.csv, row 1 has 3 columns, but must have 2: choose columns, by their numbers"),
        text("t;s;F\n0;1;2\n", "",
         "a.csv, row 2 has 3 columns, but must have 2: choose columns among \"t\", \"s\", \"F\""),
        text("0;1\n2;3;4\n", "", "a.csv, row 2 has 3 columns, but must have 2: choose columns, by their numbers"),
        text("t;s;F\n0;1\n2;3;4\n", "",
         "row 3 has 3 columns, but must have 2: choose columns among \"t\", \"s\", \"F\""),
        text("t;s;F\ns;mm;N\n0;1;2\n", "",
         "row 3 has 3 columns, but must have 2: choose columns among \"t\", \"s\", \"F\""),
        text("0;1\n2;;3\n", "", "a.csv, row 2 has 3 columns, but must have 2: choose columns, by their numbers"),
        text("0;1;2\n3;4\n", "", "a.csv, row 1 has 3 columns, but must have 2: choose columns"),
        text("1\n2\n", "", "a.csv, row 1 has 1 column, but must have 2"),
        text("s;F\n0;1\n", "columns = [\"s\", \"G\"]", "a.csv, row 1 has no column \"G\"; available: \"s\", \"F\""),
        text("s;F\n0;1\n", "columns = [\"x\", \"y\"]", "a.csv has no column \"x\": no row has such headings"),
        text("s;F;F\n0;1;2\n", "columns = [\"s\", \"F\"]", "a.csv, row 1 has several columns \"F\""),
        text("s;F\n0;1\n", "columns = [\"s\", \"s\"]", "a.csv: columns has column 1 twice"),
        text("s;F\n0;1\n", "columns = [\"s\"]", "a.csv: columns names 1, but must name 2"),
        text("s;F\n0;1\n", "columns = [1, 5]", "a.csv has no row with numbers in all of the columns 1, 5"),
        text("s;F\nx;y\n", "columns = [\"s\", \"F\"]", "a.csv has no row with numbers in all of the columns 1, 2"),
        text("s;F\n0;1\n", "columns = [0, 1]", "must be an array of headings, or of numbers from 1"),
        text("1;2\n0;1\n", "columns = [\"1\", \"2\"]",
         "must not have \"1\" in quotation marks: headings are not numbers"),
        text("s;F\n0;1\n", "columns = true", "must be an array of headings, or of numbers from 1"),
        text("0,5,1,5\n", "", "a.csv, row 1 has 4 columns, but must have 2"),
        // Units.
        text(four, "units = [\"mm\", \"kN/mm\"]", "a.csv, column 2 is in kN/mm, which cannot be converted to N"),
        text(four, "units = [\"N\", \"mm\"]", "a.csv, column 1 is in N, which cannot be converted to m"),
        text(four, "units = [\"mm\", \"stone\"]", "a.csv, column 2 is in \"stone\", which is not a known unit"),
        text(four, "units = [\"mm\", \"kN\", \"kN\"]", "a.csv: units has 3 entries for 2 columns"),
        text(four, "units = [\"mm\"]", "a.csv, column 2 is in mm, which cannot be converted to N"),
        text(four, "units = [1, 2]", "must be an array of units, such as [\"mm\", \"N\"]"),
        text("s [mm];F [kgs]\n0;0\n", "",
         "a.csv, column 2 is in \"kgs\", which is not a known unit; give the units with units"),
        text("s [mm];F (left)\n0;0\n", "", "a.csv, column 2 is in \"left\", which is not a known unit"),
        text("s [mm];F\n0;0\n", "",
         "a.csv: column 1 is in mm, but column 2 has no unit; give all units with units = […]"),
        text("s;F\nmm;\n0;0\n", "", "a.csv: column 1 is in mm, but column 2 has no unit"),
        text("s [mm];F [N/mm]\n0;0\n", "", "a.csv, column 2 is in N/mm, which cannot be converted to N"),
        text("s;F\n[mm];[kgs]\n0;0\n", "", "a.csv, column 2 is in \"kgs\", which is not a known unit"),
        latin("s;F\n[µm];[N]\n0;0\n"),
        latin("s;F\nµm;N\n0;0\n"),
        latin("s in µm;F in N\n0;0\n"),
        latin("s/µm;F/N\n0;0\n"),
        text("t [s];F [N]\n0;0\n", "", "a.csv, column 1 is in s, which cannot be converted to m"),
        // Parts and sheets.
        text(four, "range = \"B4\"", "must be a range such as \"B4:E60\" or \"Sheet1!B4:E60\""),
        text(four, "range = \"5:2\"", "must be a range such as"),
        text(four, "range = \"0:2\"", "must be a range such as"),
        text(four, "range = \"A:C\"", "a.csv: range has 3 instead of 2 columns"),
        text(four, "range = \"9:12\"", "a.csv has no rows"),
        text(four, "range = \"M!A1:B2\"", "a.csv has no sheets, so there is none named \"M\""),
        text(four, "sheet = \"M\"", "a.csv has no sheets, so there is none named \"M\""),
        excel("0;0", "sheet = \"N\"", "a.xlsx has no sheet \"N\"; available: \"M\""),
        excel("0;0", "sheet = \"M\", range = \"N!A:B\"", "names the sheet \"N\", but sheet is \"M\""),
        ("a.xlsx", workbook(&[("M", "0;0"), ("N", "1;1")]), "",
         "a.xlsx has data in the sheets \"M\", \"N\": one of them must be chosen"),
        // Texts and files.
        text("", "", "a.csv has no rows"),
        text("\n;;\n", "", "a.csv has no rows"),
        text("s;F\n", "", "a.csv, row 1, column 1 is the text \"s\", but must be a number"),
        text(four, "encoding = \"latin-99\"", "must be an encoding such as \"utf-8\" or \"windows-1252\""),
        text(four, "decimal = \"x\"", "must be \".\" or \",\""),
        text(four, "delimiter = \"ab\"", "must be one character, such as \";\""),
        text(four, "unit = [\"mm\", \"N\"]", "is unknown; did you mean \"units\"?"),
        ("a.csv", utf16(four, u16::to_le_bytes), "", "a.csv is not a text file, or its encoding is not UTF-8"),
        ("a.csv", format!("\u{feff}{four}").into_bytes(), "encoding = \"windows-1252\"",
         "a.csv is marked as UTF-8, not windows-1252"),
        ("a.odt", b"0,0".to_vec(), "", "a.odt is not a table: its name must end with .csv, .txt, .xls, .xlsx or .ods"),
        ("a.ods", b"0,0".to_vec(), "", "a.ods cannot be read: "),
        ("a.xlsx", b"0,0".to_vec(), "", "a.xlsx cannot be read: "),
        ("a.xls", b"0,0".to_vec(), "", "a.xls cannot be read: "),
    ]
}

#[test]
fn sixty_wrong_tables_have_a_message_each() {
    let cases = bad();
    assert!(cases.len() >= 60, "{}", cases.len());
    for (file, content, keys, expected) in cases {
        let shown = || format!("{keys}\n{}", String::from_utf8_lossy(&content));
        for parameter in ["table", "data"] {
            let message = resolved(parameter, file, &content, keys).err();
            // An attachment may have empty cells.
            let Some(message) = message else {
                assert!(parameter == "data" && expected.contains("is empty"), "{}", shown());
                continue;
            };
            assert!(message.starts_with("front.toml:4:"), "{message}\n{}", shown());
            assert!(message.contains(expected), "{message}\n{}", shown());
        }
    }
}

#[test]
fn rows_above_a_complete_one_belong_to_an_attached_table() {
    let rows = |content: &str| {
        let mut description = resolved("data", "a.csv", content.as_bytes(), "").unwrap();
        String::from_utf8(description.resources.remove("data.csv").unwrap()).unwrap()
    };
    assert_eq!(rows("-2;\n-1;3\n;4\n"), "-2.0,\n-1.0,3.0\n,4.0\n");
    assert_eq!(rows("s [mm];F [kN]\n-2;\n-1;3\n"), "\n-0.002,\n-0.001,3000.0\n");
}

#[test]
fn spare_rows_repeat_the_last_one() {
    let table = |value: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs_err::write(folder.path().join("a.csv"), "0,1\n2,3\n").unwrap();
        let path = folder.path().join("front.toml");
        fs_err::write(&path, format!("[structure]\norder = 3\n[parameters]\n{value}")).unwrap();
        let result = Settings::from_toml(&path).and_then(|settings| settings.resolve(&describe));
        let message = |error: crate::Error| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        result.map(|description| elements(&description)).map_err(message)
    };
    let rows = [0.0, 1.0, 2.0, 3.0, 2.0, 3.0, 2.0, 3.0];
    assert_eq!(table("table = { file = \"a.csv\", spare = 2 }").unwrap(), rows);
    assert_eq!(table("table = { rows = [[0, 1], [2, 3]], spare = 2 }").unwrap(), rows);
    assert_eq!(table("table.rows = [[0, 1], [2, 3]]").unwrap(), rows[..4]);
    assert_eq!(
        table("table = { rows = [[0, 1, 2]] }").unwrap_err(),
        "front.toml:4:19: table = [0, 1, 2]: must be an array of one or more rows of 2 numbers, but has 3 instead of 2 entries"
    );
    assert_eq!(
        table("table = { file = \"a.csv\", rows = [[0, 1]] }").unwrap_err(),
        "front.toml:4:34: table.rows = [[0, 1]]: are given in the configuration, but file is for a file"
    );
    assert_eq!(
        table("table = { file = \"a.csv\", spare = -1 }").unwrap_err(),
        "front.toml:4:35: table.spare = -1: must be a whole number from 0 to 10000"
    );
    assert_eq!(
        table("data = { file = \"a.csv\", spare = 1 }").unwrap_err(),
        "front.toml:4:34: data.spare = 1: has no spare rows: a file is read as it is"
    );
}

#[test]
fn rows_in_the_configuration_have_units_too() {
    let table = |value: &str| {
        let mut settings = Settings::default();
        for assignment in ["order=3", value] {
            settings.set(assignment).unwrap();
        }
        settings.resolve(&describe).map(|description| elements(&description)).map_err(|error| error.to_string())
    };
    assert_eq!(table("table={ rows = [[0, 0], [4.1, 1.2345]], units = ['mm', 'kN'] }").unwrap(), ROWS[..4]);
    for (value, expected) in [
        ("table={ rows = [[0, 0]], units = ['kN'] }", "column 1 is in kN, which cannot be converted to m"),
        ("table={ rows = [[0, 0]], units = ['mm', 'kgs'] }", "column 2 is in \"kgs\", which is not a known unit"),
        ("table={ rows = [[0, 0]], units = ['m', 'N', 'N'] }", "units has 3 entries for 2 columns"),
        ("table={ rows = [[0, 0, 0]], units = ['m', 'N'] }", "must be an array of one or more rows of 2 numbers"),
        (
            "table={ rows = [[0, 0]], units = ['m', 'N'], sheet = 'A' }",
            "are given in the configuration, but sheet is for a file",
        ),
    ] {
        let message = table(value).unwrap_err();
        assert!(message.contains(expected), "{value}: {message}");
    }
}

#[test]
fn brackets_of_units_are_not_those_of_an_array() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs_err::write(&path, "t;F [kN];s [mm]\n1;0;0\n2;1,2345;4,1\n").unwrap();
    for columns in ["s [mm],F [kN]", "[s [mm],F [kN]]", "['s [mm]', 'F [kN]']", "[s,F]", "[3,2]", "3,2"] {
        let mut settings = Settings::default();
        for assignment in ["order=3", &format!("table={}", path.display()), &format!("table.columns={columns}")] {
            settings.set(assignment).unwrap();
        }
        let description = settings.resolve(&describe).unwrap_or_else(|error| panic!("{columns}: {error}"));
        assert_eq!(elements(&description), ROWS[..4], "{columns}");
    }
}

/// Messages of the library about the packed file are translated to the file that the user gave.
#[test]
fn messages_of_converted_files_are_about_the_file_that_was_given() {
    let answer = |request: DeclarationRequest<'_>| {
        let Some(folder) = request.resources else { return describe(request) };
        let file = std::path::Path::new(folder).join("data.csv");
        let rows = fs_err::read_to_string(file).map_or(0, |text| text.lines().count());
        let mut description = describe(request)?;
        description.warnings.push(format!("data.csv, row {rows}, column 2 falls; data.csv, column 1 rises"));
        description.warnings.push("data.csv has columns 1 and 2, column 1".to_owned());
        if rows > 3 { Err(crate::Error::Refused(description.warnings.remove(0))) } else { Ok(description) }
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.csv");
    let mut settings = Settings::default();
    let value = format!("data={{ file = '{}', columns = ['s', 'F'] }}", path.display());
    for assignment in ["order=3", &value] {
        settings.set(assignment).unwrap();
    }
    let shown = path.display();
    fs_err::write(&path, "F;t;s\n0;1;2\n1;3;4\n").unwrap();
    let expected = format!("{shown}, row 3, column 1 falls; {shown}, column 3 rises");
    let warnings = settings.resolve(&answer).unwrap().warnings;
    assert_eq!(warnings, [expected.clone(), format!("{shown} has columns 1 and 2, column 1")]);
    fs_err::write(&path, "F;t;s\n0;1;2\n1;3;4\n2;5;6\n").unwrap();
    assert_eq!(settings.resolve(&answer).unwrap_err().to_string(), expected.replace("row 3", "row 4"));
}

/// Messages of the library about a table in the configuration are translated to the file, whose columns and rows have
/// another order.
#[test]
fn messages_of_tables_are_about_the_file_that_was_given() {
    let answer = |request: DeclarationRequest<'_>| {
        let mut description = describe(request)?;
        description
            .warnings
            .push("table, row 2, column 2 falls; table, column 1 rises; table, row 4 is odd".to_owned());
        description
            .warnings
            .push("table has 2 rows, not tables or table[1,2] or mytable, and table is even".to_owned());
        Ok(description)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.csv");
    fs_err::write(&path, "F;t;s\n0;1;2\n\n1;3;4\n").unwrap();
    let mut settings = Settings::default();
    let value = format!("table={{ file = '{}', columns = ['s', 'F'], spare = 2 }}", path.display());
    for assignment in ["order=3", &value] {
        settings.set(assignment).unwrap();
    }
    let of = format!("table of {}", path.display());
    let expected = [
        format!("{of}, row 4, column 1 falls; {of}, column 3 rises; {of}, row 4 is odd"),
        format!("{of} has 2 rows, not tables or table[1,2] or mytable, and {of} is even"),
    ];
    assert_eq!(settings.resolve(&answer).unwrap().warnings, expected);
}

#[test]
fn a_file_in_other_units_is_not_copied_as_it_is() {
    let message = resolved("data", "a.csv", b"s [mm];F [N]\n0;0\n", "as it is").unwrap_err();
    assert_eq!(
        message,
        "front.toml:4:8: data = \"a.csv\": column 1 is in mm, but a file that is copied as it is must be in m, N; \
         data = { file = \"a.csv\" } converts it"
    );
    // Headings without all units, titles, and further columns do not hide a unit.
    for rows in ["s [mm];F\n0;0\n", "Test;2024;x\ns;F\nmm;N\n0;;1\n", "s [m];F / kN\n(left);(right)\n"] {
        let message = resolved("data", "a.csv", rows.as_bytes(), "as it is").unwrap_err();
        assert!(message.contains(", but a file that is copied as it is must be in m, N"), "{message}\n{rows}");
    }
    // A unit of another quantity, unless it may be a name: s are seconds, or a displacement.
    for rows in ["s [m];F [N/m]\n0;0\n", "s;F\nm;m\n0;0\n", "s [s];F [N]\n0;0\n"] {
        let message = resolved("data", "a.csv", rows.as_bytes(), "as it is").unwrap_err();
        assert!(message.contains(", but a file that is copied as it is must be in m, N"), "{message}\n{rows}");
    }
    for rows in ["s;N\n0;0\n", "s;F\n0;0\n", "s_m;F / m\n0;0\n"] {
        resolved("data", "a.csv", rows.as_bytes(), "as it is").unwrap();
    }
    // The sheet that is chosen counts, in any order of the entries.
    let with_sheet = |request: DeclarationRequest<'_>| {
        let mut description = describe(request)?;
        let mut sheet = description.variables[0].clone();
        sheet.name = "data_sheet".to_owned();
        (sheet.causality, sheet.kind) = (Causality::Parameter, VariableType::String { start: Some(String::new()) });
        description.variables.push(sheet);
        Ok(description)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xlsx");
    fs_err::write(&path, workbook(&[("Info", "s [m];F [N]\n0;0"), ("Fx", "s;F\nmm;N\n0;0")])).unwrap();
    let mut settings = Settings::default();
    settings.set("order=3").unwrap();
    settings.set(&format!("data={}", path.display())).unwrap();
    settings.set("data_sheet=Fx").unwrap();
    let message = settings.resolve(&with_sheet).unwrap_err().to_string();
    assert!(message.contains("column 1 is in mm, but a file that is copied as it is must be in m, N"), "{message}");
    let description = resolved("data", "a.csv", b"s [m];F [N]\n0;0\n", "as it is").unwrap();
    assert_eq!(description.resources["a.csv"], b"s [m];F [N]\n0;0\n");
}
