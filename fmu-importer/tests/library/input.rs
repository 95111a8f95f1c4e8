//! Input signals from texts and workbooks.

use crate::model::{message, model, variables};
use fmu_importer::input::{Input, InputTable, Signal, TableOptions};
use fmu_importer::value::Value;
use proptest::prelude::*;

fn read(text: &str) -> anyhow::Result<Input> {
    Input::from_reader(text.as_bytes(), &model())
}

fn refused(text: &str) -> String {
    message(read(text))
}

#[test]
fn continuous_inputs_are_interpolated_and_others_held() {
    let input = read("time,frame_a.f[1],on\n0,10,true\n1,20,false\n3,0,true\n").unwrap();
    let [force, on] = &input.signals[..] else { panic!("two signals") };
    let at = [-1.0, 0.0, 0.25, 1.0, 2.0, 3.0, 9.0];
    let forces = at.map(|time| input.after(force, time));
    assert_eq!(forces, [10.0, 10.0, 12.5, 20.0, 10.0, 0.0, 0.0]);
    let switches = at.map(|time| input.after(on, time));
    assert_eq!(switches, [1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    let before = at.map(|time| [input.before(force, time), input.before(on, time)]);
    assert_eq!(before[2..6], [[12.5, 1.0], [20.0, 1.0], [10.0, 0.0], [0.0, 0.0]]);
}

#[test]
fn texts_are_written_as_they_are() {
    let plain = read("time,frame_a.f[1],on\n0,10.5,true\n1.25,20,false\n").unwrap();
    for text in [
        "time;frame_a.f[1];on\n0;10,5;true\n1,25;20;false\n",
        "time\tframe_a.f[1]\ton\r\n0\t10,5\tWAHR\r\n1,25\t20\tFALSCH\r\n",
        "time frame_a.f[1]   on\n0 10.5 TRUE\n1.25 20 FALSE\n",
        "sep=|\ntime|frame_a.f[1]|on\n0|10,5|VRAI\n1,25|20,0|FAUX\n",
        "\u{feff}time;frame_a.f[1];on\n# measured\n0;10,5;1\n1,25;2e1;0\n",
        "time,frame_a.f[1],on\n0,\"10,5\",true\n\"1,25\",20,false\n",
    ] {
        assert_eq!(read(text).unwrap(), plain, "{text}");
    }
    let mut wide = vec![0xff, 0xfe];
    wide.extend("time;frame_a.f[1];on\n0;10,5;1\n1,25;20;0\n".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(Input::from_reader(&wide[..], &model()).unwrap(), plain);
}

/// Makes a workbook with these sheets; a cell is a number if it reads like one, a Boolean if it is TRUE or FALSE.
fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    use std::io::{Cursor, Write};
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relation = |id: &str, kind: &str, target: &str| {
        format!("<Relationship Id=\"{id}\" Type=\"{relations}/{kind}\" Target=\"{target}\"/>")
    };
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let mut put = |name: &str, content: String| {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    };
    let (mut names, mut targets) = (String::new(), String::new());
    for (at, (name, rows)) in sheets.iter().enumerate() {
        let (id, file) = (format!("r{}", at + 1), format!("worksheets/sheet{}.xml", at + 1));
        names += &format!("<sheet name=\"{name}\" sheetId=\"{}\" r:id=\"{id}\"/>", at + 1);
        targets += &relation(&id, "worksheet", &file);
        let mut data = String::new();
        for (row, line) in rows.lines().enumerate() {
            data += &format!("<row r=\"{}\">", row + 1);
            for (column, cell) in line.split(';').enumerate().filter(|(_, cell)| !cell.is_empty()) {
                let place = format!("r=\"{}{}\"", char::from(b'A' + column as u8), row + 1);
                data += &match (cell.parse::<f64>(), cell) {
                    (Ok(_), _) => format!("<c {place}><v>{cell}</v></c>"),
                    (_, "TRUE" | "FALSE") => format!("<c {place} t=\"b\"><v>{}</v></c>", u8::from(cell == "TRUE")),
                    (_, "#N/A") => format!("<c {place} t=\"e\"><v>#N/A</v></c>"),
                    _ => format!("<c {place} t=\"str\"><v>{cell}</v></c>"),
                };
            }
            data += "</row>";
        }
        put(&format!("xl/{file}"), format!("<worksheet><sheetData>{data}</sheetData></worksheet>"));
    }
    put(
        "_rels/.rels",
        format!("<Relationships>{}</Relationships>", relation("r1", "officeDocument", "xl/workbook.xml")),
    );
    put("xl/workbook.xml", format!("<workbook xmlns:r=\"{relations}\"><sheets>{names}</sheets></workbook>"));
    put("xl/_rels/workbook.xml.rels", format!("<Relationships>{targets}</Relationships>"));
    writer.finish().unwrap().into_inner()
}

fn of_sheet(sheet: &str) -> InputTable {
    InputTable { options: TableOptions { sheet: sheet.to_owned(), ..TableOptions::default() }, ..InputTable::default() }
}

/// Returns the input in a workbook, or the message behind the name of the file.
fn from_workbook(sheets: &[(&str, &str)], sheet: &str) -> Result<Input, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("motion.xlsx");
    fs_err::write(&path, workbook(sheets)).unwrap();
    let input = Input::read(&path, &of_sheet(sheet), &model());
    let shown = path.display().to_string();
    input.map_err(|error| {
        format!("{error:#}").replace(&format!("{shown} cannot be used as input: "), "").replace(&shown, "FILE")
    })
}

#[test]
fn workbooks_are_read_as_texts_are() {
    let plain = read("time,frame_a.f[1],on,gear\n0,10.5,true,1\n1.25,1e-20,false,-2\n").unwrap();
    for rows in [
        "time;frame_a.f[1];on;gear\n0;10.5;TRUE;1\n1.25;1e-20;FALSE;-2\n",
        "# measured\n\n;time;frame_a.f[1];on;gear\n;0;10.5;true;1\n;# then\n;1.25;1e-20;0;-2\n",
        // Numbers are written as texts.
        "time;frame_a.f[1];on;gear\n0;10,5;WAHR;1\n1.25;1e-20;FALSCH;-2\n",
    ] {
        assert_eq!(from_workbook(&[("M", rows)], "").unwrap(), plain, "{rows}");
        assert_eq!(from_workbook(&[("Info", "x"), ("M", rows)], "M").unwrap(), plain, "{rows}");
    }
}

#[test]
fn every_mistake_in_a_workbook_has_its_message() {
    for (rows, expected) in [
        ("t;on\n0;1", "its first column must be `time`, not `t`; for other headings, give columns, such as time=Zeit"),
        ("time;on\n0;#N/A", "row 2, column 2 is an error, but must be a number"),
        ("time;on\n\n0;maybe", "row 3, column `on`: `maybe` is neither true nor false"),
        ("time;frame_a.f[1]\n0", "row 2, column `frame_a.f[1]`: the value is missing"),
        ("time;frame_a.f[1]\n0;1;2", "row 2 has 3 instead of the header's 2 cells"),
        (";;time;on\n;;0;1\n;5;1;0", "row 3, column 2 is left of the headings, which begin in column 3"),
        ("time;frame_a.f[1]\n0;1\n;2", "row 3, column `time`: the value is missing"),
        ("time;frame_a.f[1]\n1;1\n0;2", "row 3: time 0 comes after 1; times must not decrease"),
        ("time;gear\n0;1.5", "row 2, column `gear`: `1.5` is not a whole number"),
        ("time;on", "it holds no row of values"),
        ("# nothing", "it holds no row of values"),
    ] {
        assert_eq!(from_workbook(&[("M", rows)], "").unwrap_err(), expected, "{rows}");
    }
    let two = [("A", "time;on\n0;1"), ("B", "time;on\n0;1")];
    assert_eq!(
        from_workbook(&two, "").unwrap_err(),
        "FILE has data in the sheets \"A\", \"B\": one of them must be chosen"
    );
    assert_eq!(from_workbook(&two, "C").unwrap_err(), "FILE has no sheet \"C\"; available: \"A\", \"B\"");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs_err::write(&path, "time,on\n0,1\n").unwrap();
    let message = message(Input::read(&path, &of_sheet("A"), &model()));
    assert!(message.ends_with(": it has no sheets, so there is none named \"A\""), "{message}");
    let path = folder.path().join("a.xlsx");
    fs_err::write(&path, "time,on\n0,1\n").unwrap();
    let message = self::message(Input::read(&path, &InputTable::default(), &model()));
    assert!(message.contains("a.xlsx cannot be read: "), "{message}");
}

/// Returns the values of a whole number, an item or a String.
fn values(signal: &Signal) -> Vec<Value> {
    signal.values.iter().map(|at| signal.distinct[*at as usize].clone()).collect()
}

/// The file has a column of each type, in each way in which programs write it.
#[test]
fn each_column_has_the_type_of_its_variable() {
    let input =
        read("time,gear,label,on,direction\n0,7,on,0.0,xAndY\n1,-1.0,on,1.0,1\n2,3,\"a, b\",true,2.0\n").unwrap();
    let [gear, label, on, direction] = &input.signals[..] else { panic!("four signals") };
    let text = |text: &str| Value::String(text.to_owned());
    assert_eq!(values(gear), [7, -1, 3].map(Value::Integer));
    assert_eq!(values(label), ["on", "on", "a, b"].map(text));
    assert_eq!((&label.values[..], label.distinct.len()), (&[0.0, 0.0, 1.0][..], 2));
    assert_eq!(on.values, [0.0, 1.0, 1.0]);
    assert_eq!(values(direction), [2, 1, 2].map(Value::Integer));
    let german = read("time;on;label\n0,0;0,0;\n0,5;1,0;x\n").unwrap();
    assert_eq!(german.signals[0].values, [0.0, 1.0]);
    assert_eq!(values(&german.signals[1]), ["", "x"].map(text));
    // A Real has 53 bits.
    let wide = read("time,serial\n0,9007199254740993\n1,1.8e19\n2,18446744073709551615\n3,7.0\n").unwrap();
    let expected = [9_007_199_254_740_993, 18_000_000_000_000_000_000, u64::MAX.into(), 7];
    assert_eq!(values(&wide.signals[0]), expected.map(Value::Integer));
    for (text, expected) in [
        ("time,on\n0,2\n", "line 2, column `on`: `2` is neither true nor false"),
        ("time,direction\n0,3\n", "line 2, column `direction`: `3` is not one of all, xAndY"),
        ("time,direction\n0,none\n", "line 2, column `direction`: `none` is not one of all, xAndY"),
        ("time,serial\n0,-1\n", "line 2, column `serial`: `-1` does not lie between 0 and 18446744073709551615"),
        ("time,camera\n0,ff\n", "column 2 must be an input of the FMU: `camera` is a Binary, which is not used"),
        ("time,gear\n0,3e9\n", "line 2, column `gear`: `3000000000` does not lie between -2147483648 and 2147483647"),
    ] {
        assert_eq!(refused(text), expected);
    }
    let sheet = "time;label;on\n0;7;TRUE\n1;7.5;0\n";
    let input = from_workbook(&[("M", sheet)], "").unwrap();
    assert_eq!(values(&input.signals[0]), ["7", "7.5"].map(text));
}

#[test]
fn headings_and_a_row_below_them_may_have_units() {
    let plain = read("time,x,w\n0,0,0\n0.5,0.0041,3.141592653589793\n").unwrap();
    for text in [
        "time [s],x [mm],w [1/min]\n0,0,0\n0.5,4.1,30\n",
        "Time (ms),x / mm,w in U/min\n0,0,0\n500,4.1,30\n",
        "time,x [cm],w\n0,0,0\n0.5,0.41,3.141592653589793\n",
        "time,x,w\ns,mm,rpm\n0,0,0\n0.5,4.1,30\n",
        "time,x,w\n[ms],[mm],[rad/s]\n0,0,0\n500,4.1,3.141592653589793\n",
        "Road load\nmeasured on a Monday\ntime,x,w\n0,0,0\n0.5,0.0041,3.141592653589793\n",
        "# time,x,w\n0,0,0\n0.5,0.0041,3.141592653589793\n",
        "\"time\", \"x\", \"w\"\n0, 0, 0\n0.5, 0.0041, 3.141592653589793\n",
        "time;x;w;\n0,0;0,0;0;\n0,5;0,0041;3,141592653589793;\n",
    ] {
        let input = read(text).unwrap();
        assert_eq!((&input.time, &input.signals[0]), (&plain.time, &plain.signals[0]), "{text}");
        let turns = input.signals[1].values[1] - plain.signals[1].values[1];
        assert!(turns.abs() < 1e-15 * 3.2, "{text}: {turns}");
    }
    for (text, expected) in [
        ("time [mm],x\n0,0\n", "column 1 is in mm, which cannot be converted to s"),
        (
            "time [s],x [mm]\ns,m\n0,1\n",
            "line 2, column 2 is in m, but in another unit by its heading; only one of them can be right, which units can say",
        ),
        ("time,x [kN]\n0,0\n", "column 2 is in kN, which cannot be converted to m"),
        ("time,x [stone]\n0,0\n", "column 2 is in \"stone\", which is not a known unit"),
        ("time,on [mm]\n0,0\n", "column 2 is in mm, which cannot be converted to 1"),
        ("time,x\ns,kN\n0,0\n", "column 2 is in kN, which cannot be converted to m"),
    ] {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn columns_may_be_left_out_and_parameters_may_change() {
    let read = |skip: &[&str], text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs_err::write(&path, text).unwrap();
        let skip: Vec<_> = skip.iter().map(|name| (*name).to_owned()).collect();
        let input = Input::read(&path, &InputTable { skip, ..InputTable::default() }, &model());
        input.map_err(|error| format!("{error:#}").split(" as input: ").last().unwrap_or_default().to_owned())
    };
    let text = "time,Temperature [degC],x\n0,20,0\n1,abc,1\n";
    let input = read(&["Temperature"], text).unwrap();
    assert_eq!((input.signals.len(), &input.signals[0].values[..]), (1, &[0.0, 1.0][..]));
    assert_eq!(
        read(&[], text).unwrap_err(),
        "column 2 must be an input of the FMU: there is no variable `Temperature [degC]`; --skip-column leaves a column out, --columns reads one with another heading"
    );
    assert_eq!(
        read(&["Pressure"], text).unwrap_err(),
        "there is no column `Pressure` to skip; available: `Temperature [degC]`, `x`"
    );
    assert_eq!(read(&[], "time,,x\n0,5,0\n").unwrap_err(), "line 2, column 2 has a value, but no heading");
    let input = read(&[], "time,tuned [N/mm]\n0,1\n1,2\n").unwrap();
    assert_eq!((input.signals[0].continuous, &input.signals[0].values[..]), (false, &[1000.0, 2000.0][..]));
    assert_eq!(
        read(&[], "time,m\n0,1\n").unwrap_err(),
        "column 2 must be an input of the FMU: `m` is a parameter, which cannot change during a run: set it once, not in a \
         column"
    );
}

#[test]
fn equal_times_make_a_jump() {
    let input = read("time,frame_a.f[1]\n0,0\n1,1\n1,5\n2,5\n").unwrap();
    let force = &input.signals[0];
    assert_eq!([input.before(force, 1.0), input.after(force, 1.0)], [1.0, 5.0]);
}

#[test]
fn a_computed_time_meets_the_time_of_the_file() {
    let input = read("time,on\n0,0\n0.3,1\n").unwrap();
    let just_before = 0.3_f64.next_down();
    assert_eq!(input.after(&input.signals[0], just_before), 1.0);
    assert_eq!(input.after(&input.signals[0], 0.1 * 3.0), 1.0);
    assert_eq!(input.after(&input.signals[0], 0.299), 0.0);
}

#[test]
fn names_with_a_comma_are_quoted() {
    let input = read("time,\"frame_a.R.T[1,2]\"\n0,0.5\n").unwrap();
    assert_eq!(variables()[input.signals[0].position].name, "frame_a.R.T[1,2]");
    assert_eq!(
        refused("time,frame_a.R.T[1,2]\n0,0.5\n"),
        "column 2 must be an input of the FMU: `frame_a.R.T[1` is cut off at a comma: enclose such a name in double quotes"
    );
}

#[test]
fn every_mistake_has_its_message() {
    #[rustfmt::skip]
    let cases = [
        ("", "it is empty; it must begin with a row of names, `time` and inputs"),
        ("t,on\n0,1\n", "its first column must be `time`, not `t`; for other headings, give columns, such as time=Zeit"),
        ("time;frame_a.f[1]\n0;1\n1;4.500\n", "\"4.500\" is 4.5 with decimal points, but 4500 with decimal commas; choose with decimal = \".\" or decimal = \",\""),
        ("time;frame_a.f[1]\n0,5;1\n1;4.500\n",
         "line 3, column `frame_a.f[1]`: \"4.500\" is 4.5 with decimal points, but 4500 with decimal commas; write it without a thousands separator, or set decimal"),
        ("time;frame_a.f[1]\n0;0,5\n4.500;1\n",
         "line 3, column `time`: \"4.500\" is 4.5 with decimal points, but 4500 with decimal commas; write it without a thousands separator, or set decimal"),
        ("time;frame_a.f[1]\n0,5;1.5\n", "\"1.5\" has a decimal point, and \"0,5\" a decimal comma; choose with decimal = \".\" or decimal = \",\""),
        ("sep=;\ntime;on\n0;JA\n", "line 3, column `on`: `JA` is neither true nor false"),
        ("time,on\n0,\0\n", "it is not a text file, or its encoding is not UTF-8"),
        (
            "time,frame_a.g[1]\n0,1\n",
            "column 2 must be an input of the FMU: there is no variable `frame_a.g[1]`; did you mean \
             `frame_a.f[1]`?",
        ),
        ("time,on,lossPower\n0,1,1\n", "column 3 must be an input of the FMU: `lossPower` is an output"),
        ("time,on,on\n0,1,1\n", "column 3 repeats `on`"),
        ("time,on\n", "it holds no row of values"),
        ("time,frame_a.f[1]\n0,1\n1,one\n", "line 3, column `frame_a.f[1]`: `one` is not a number"),
        ("time,frame_a.f[1]\n0,inf\n", "line 2, column `frame_a.f[1]`: `inf` is not a finite number"),
        ("time,gear\n0,1.5\n", "line 2, column `gear`: `1.5` is not a whole number"),
        ("time,on\nnow,1\n", "line 2, column `time`: `now` is not a number"),
        ("time,on\n0,1\n2,1\n1,1\n", "line 4: time 1 comes after 2; times must not decrease"),
        ("time [ms],on\ns,\n0,1\n",
         "line 2, column 1 is in s, but in another unit by its heading; only one of them can be right, which units can say"),
        ("time,on\n0,1\n1\n", "line 3 has 1 instead of the header's 2 cells"),
    ];
    for (text, expected) in cases {
        assert_eq!(refused(text), expected, "{text}");
    }
}

#[test]
fn times_outside_the_file_are_told() {
    let input = read("time,on\n0.5,0\n2,1\n").unwrap();
    assert_eq!(input.uncovered(0.5, 2.0), None);
    let late = "begins at 0.5 s, after the start at 0 s: its first values hold until then";
    let early = "ends at 2 s, before the stop at 3 s: its last values hold from then on";
    assert_eq!(input.uncovered(0.0, 2.0), Some(format!("the input {late}")));
    assert_eq!(input.uncovered(1.0, 3.0), Some(format!("the input {early}")));
    assert_eq!(input.uncovered(0.0, 3.0), Some(format!("the input {late}; it {early}")));
}

#[test]
fn messages_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drive.csv");
    fs_err::write(&path, "time,off\n0,1\n").unwrap();
    let message = message(Input::read(&path, &InputTable::default(), &model()));
    let expected = format!("{} cannot be used as input: column 2", path.display());
    assert!(message.starts_with(&expected), "{message}");
}

proptest! {
    #[test]
    fn values_stay_between_their_neighbours(
        rows in prop::collection::vec((0.0_f64..1.0, -1e6_f64..1e6), 1..30),
        time in -1.0_f64..20.0,
    ) {
        let mut now = 0.0;
        let mut text = "time,frame_a.f[1]\n".to_owned();
        for (step, value) in &rows {
            now += step;
            text.push_str(&format!("{now},{value}\n"));
        }
        let input = read(&text).unwrap();
        let signal = &input.signals[0];
        let (low, high) = rows.iter().fold((f64::MAX, f64::MIN), |(low, high), (_, value)| {
            (low.min(*value), high.max(*value))
        });
        for value in [input.before(signal, time), input.after(signal, time)] {
            prop_assert!(value >= low - 1e-6 && value <= high + 1e-6);
        }
        for (time, value) in input.time.iter().zip(&signal.values) {
            if input.time.iter().filter(|other| *other == time).count() == 1 {
                prop_assert_eq!(input.after(signal, *time), *value);
            }
        }
    }
}
