//! The command `simulate --input` with columns and files of each kind: runs show that the values reach the FMU.

#![cfg(unix)]

use std::io::Write as _;
use std::path::Path;

use fmu_tests::corpus::{Corpus, interface};
use fmu_tests::foreign_3::PLAIN;

use crate::importer;

const INTERFACES: [&str; 2] = ["co-simulation", "model-exchange"];

/// Returns the table that a run writes.
fn simulated(file: &Path, arguments: &[&str]) -> String {
    let table = file.with_extension("out.csv");
    let output = importer("simulate", file, &[arguments, &["--output", table.to_str().unwrap()]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs_err::read_to_string(table).unwrap()
}

/// Returns the value of a column at a time.
fn value(table: &str, name: &str, time: f64) -> f64 {
    let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    let column = names.iter().position(|known| *known == name).unwrap_or_else(|| panic!("no {name} in {names:?}"));
    let row = rows.find(|row| (row[0].parse::<f64>().unwrap() - time).abs() < 1e-9);
    row.unwrap_or_else(|| panic!("no {time} s in {table}"))[column].parse().unwrap()
}

/// Returns a workbook of OpenDocument with these rows of numbers or texts.
fn open_document(rows: &[[&str; 2]]) -> Vec<u8> {
    let cell = |text: &&str| match text.parse::<f64>() {
        Ok(_) => format!("<table:table-cell office:value-type=\"float\" office:value=\"{text}\"/>"),
        Err(_) => {
            format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
        }
    };
    let row = |cells: &[&str; 2]| {
        format!("<table:table-row>{}</table:table-row>", cells.iter().map(cell).collect::<String>())
    };
    let names = ["office", "table", "text"].map(|name| format!("xmlns:{name}=\"urn:{name}\"")).join(" ");
    let content = format!(
        "<office:document-content {names}><office:body><office:spreadsheet><table:table table:name=\"Motion\">{}\
         </table:table></office:spreadsheet></office:body></office:document-content>",
        rows.iter().map(row).collect::<String>()
    );
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in
        [("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), ("content.xml", content.as_str())]
    {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The FMU adds 1 to its output as long as the text is "on".
#[test]
fn texts_of_a_column_reach_an_fmu_of_fmi_2() {
    let label = "<ScalarVariable name=\"label\" valueReference=\"0\" causality=\"input\" variability=\"discrete\">\
                 <String start=\"off\"/></ScalarVariable>\n</ModelVariables>";
    let corpus = Corpus::new(&[interface("ModelExchange", ""), interface("CoSimulation", "")]);
    let (folder, file) = corpus.replaced("</ModelVariables>", label).write();
    let input = folder.path().join("input.csv");
    fs_err::write(&input, "time,label\n0,off\n0.4,on\n0.6,\"on, too\"\n1,off\n").unwrap();
    for name in INTERFACES {
        let table = simulated(&file, &["--input", input.to_str().unwrap(), "--interface", name]);
        assert_eq!([0.2, 0.5, 0.8].map(|time| value(&table, "y", time)), [1.5, 2.5, 1.5], "{name}");
    }
}

#[test]
fn an_open_document_drives_an_fmu_as_a_text_does() {
    let (folder, file) = Corpus::co_simulation("").write();
    let rows = [["time [ms]", "u"], ["0", "0.25"], ["400", "1.5"], ["1000", "-2"]];
    let [text, workbook] = ["input.csv", "input.ods"].map(|name| folder.path().join(name));
    fs_err::write(&text, rows.map(|row| row.join(",")).join("\n")).unwrap();
    fs_err::write(&workbook, open_document(&rows)).unwrap();
    let [of_text, of_workbook] = [text, workbook].map(|input| simulated(&file, &["--input", input.to_str().unwrap()]));
    assert_eq!(of_workbook, of_text);
    assert!((value(&of_text, "y", 0.4) - 4.5).abs() < 1e-12, "{of_text}");
}

/// The rate of the output is one more than the parameter, which is 1 and from 0.4 s on 3.
#[test]
fn a_tunable_parameter_with_a_column_changes_during_the_run() {
    let (folder, file) = PLAIN.packed_with(&|text| {
        let gain = "name=\"gain\" valueReference=\"4\" causality=\"parameter\" variability=";
        text.replace(&format!("{gain}\"fixed\""), &format!("{gain}\"tunable\""))
    });
    let input = folder.path().join("input.csv");
    fs_err::write(&input, "time,u[1],gain\n0,1,1\n0.4,1,3\n0.9,1,3\n").unwrap();
    for name in INTERFACES {
        let table = simulated(&file, &["--input", input.to_str().unwrap(), "--interface", name]);
        assert!((value(&table, "x[2]", 0.4) - 0.8).abs() < 1e-6, "{name}: {table}");
        assert!((value(&table, "x[2]", 0.9) - 2.8).abs() < 1e-6, "{name}: {table}");
    }
}
