//! Input signals of which the user names columns, units and number formats.

use crate::model::{message, model};
use fmu_importer::input::{ColumnName, Input, InputTable, TableOptions};

/// Options of a table, as the user gives them.
#[derive(Clone, Copy, Default)]
struct Given<'a> {
    columns: &'a [&'a str],
    units: &'a [&'a str],
    skip: &'a [&'a str],
    keys: &'a [(&'a str, &'a str)],
}

/// Columns, units, and columns to leave out, with the message.
type Case = (&'static [&'static str], &'static [&'static str], &'static [&'static str], &'static str);

/// Returns the input in a text, or the message behind the name of the file.
fn read(text: &str, given: Given<'_>) -> Result<Input, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    fs_err::write(&path, text).unwrap();
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut options = TableOptions { units: owned(given.units), ..TableOptions::default() };
    for (key, text) in given.keys {
        options.set(key, text).map_err(|what| format!("{key} {what}"))?;
    }
    let mut table = InputTable { options, skip: owned(given.skip), ..InputTable::default() };
    table.name_columns(&owned(given.columns))?;
    let start = format!("{} cannot be used as input: ", path.display());
    let input = Input::read(&path, &table, &model());
    input.map_err(|error| message::<Input>(Err(error)).strip_prefix(&start).expect("the name of the file").to_owned())
}

/// The signals are those of a table whose headings are names, in the units of the variables.
#[test]
fn columns_have_other_headings_or_none() {
    let plain = read("time,x,w\n0,0,0\n0.5,0.0625,2\n", Given::default()).unwrap();
    let columns = &["time=Zeit", "x=Weg", "w=Drehzahl"];
    let numbers = &["time=1", "x=3", "w=4"];
    let mixed = &["x=3", "w=Drehzahl", "time=Zeit"];
    for (text, columns) in [
        ("Zeit,Temperatur,Weg,Drehzahl\n0,20,0,0\n0.5,21,0.0625,2\n", &columns[..]),
        ("Zeit [ms],T,Weg [cm],Drehzahl\n0,20,0,0\n500,#N/A,6.25,2\n", columns),
        ("Road 7\n\n# Zeit,T,Weg,Drehzahl\nms,degC,cm,rad/s\n0,20,0,0\n500,21,6.25,2,,9\n", columns),
        ("Weg;Zeit;Drehzahl\n0;0;0,0\n0,0625;0,5;2,0\n", columns),
        ("0,20,0,0\n0.5,21,0.0625,2\n", numbers),
        ("Zeit [ms],T,Weg [mm],Drehzahl\n0,20,0,0\n500,21,62.5,2\n", numbers),
        ("A title\ns,degC,mm,rad/s\n# then\n0,20,0,0\n0.5,21,62.5,2\n", numbers),
        // A comment that fills the columns has headings, whatever its place; no other counts.
        ("Stand 7\n# t [ms];T;x [cm];w\n0;20;0;0,0\n500;21;6,25;2,0\n", numbers),
        ("# t [ms];T;x [cm];w\nStand 7\n0;20;0;0,0\n500;21;6,25;2,0\n", numbers),
        ("# Data in mm\nt;T;x [cm];w\n# Stand in ms;7\n0;20;0;0,0\n0,5;21;6,25;2,0\n", numbers),
        ("t,T,x,w\n#ms,degC,cm,rad/s\n0,20,0,0\n500,21,6.25,2\n", numbers),
        ("# Zeit,T,Weg,Drehzahl\n# in stone,then,,\n# ms,degC,cm,rad/s\n0,20,0,0\n500,21,6.25,2\n", columns),
        ("# time,w,x\n# ms,rad/s,cm\n0,0,0\n500,2,6.25\n", &[]),
        // The lowest unit of a column counts; the end of a title only if it fits.
        ("Test_mm\nt [ms],T,x [cm],w\n0,20,0,0\n500,21,6.25,2\n", numbers),
        ("Test_mm\nt,T,x,w\n0,20,0,0\n0.5,21,0.0625,2\n", numbers),
        ("t [ms],T,x in mm,w\n,,cm,\n0,20,0,0\n500,21,6.25,2\n", numbers),
        ("Zeit,,,Drehzahl\n0,20,0,0\n0.5,21,0.0625,2\n", mixed),
        ("x,time,w\n0,0,0\n0.0625,0.5,2\n", &["x", "w"]),
    ] {
        let input = read(text, Given { columns, ..Given::default() }).unwrap();
        let mut signals = input.signals;
        signals.sort_by_key(|signal| signal.position);
        assert_eq!((&input.time, &signals), (&plain.time, &plain.signals), "{text}");
    }
}

#[test]
fn units_override_those_of_the_file() {
    let plain = read("time,x,w\n0,0,0\n0.5,0.0625,2\n", Given::default()).unwrap();
    let units = &["ms", "cm", "rad/s"];
    for (text, columns, units, notes) in [
        ("time,x,w\n0,0,0\n500,6.25,2\n", &[][..], &units[..], &[][..]),
        ("time,x [mm],w\n0,0,0\n500,6.25,2\n", &[], units, &["units overrides mm, which the input says of column 2"]),
        ("time [ms],x [cm],w\n0,0,0\n500,6.25,2\n", &[], units, &[]),
        (
            "time,x,w\ns,cm,rad/s\n0,0,0\n500,6.25,2\n",
            &[],
            units,
            &["units overrides s, which the input says of column 1"],
        ),
        (
            "time,x [stone],w\n0,0,0\n500,6.25,2\n",
            &[],
            units,
            &["units overrides stone, which the input says of column 2"],
        ),
        // Without time among the columns, units are those of the others; the order is that of the columns.
        ("w,time [ms],x\n0,0,0\n2,500,6.25\n", &["x", "w"], &["cm", "rad/s"], &[]),
        ("0,0,0\n2,6.25,500\n", &["x=2", "time=3", "w=1"], &["cm", "ms", "rad/s"], &[]),
    ] {
        let input = read(text, Given { columns, units, ..Given::default() }).unwrap();
        let mut signals = input.signals;
        signals.sort_by_key(|signal| signal.position);
        assert_eq!((&input.time, &signals), (&plain.time, &plain.signals), "{text}");
        assert_eq!(input.notes, notes, "{text}");
    }
}

#[test]
fn formats_and_ranges_are_chosen() {
    fn force(text: &str, keys: &[(&str, &str)]) -> Result<Vec<f64>, String> {
        read(text, Given { keys, ..Given::default() }).map(|input| input.signals[0].values.clone())
    }
    let unclear = "time;x\n0;1.500\n1;2.500\n";
    assert_eq!(force(unclear, &[("decimal", ".")]).unwrap(), [1.5, 2.5]);
    assert_eq!(force(unclear, &[("decimal", ",")]).unwrap(), [1500.0, 2500.0]);
    assert_eq!(
        force(unclear, &[]).unwrap_err(),
        "\"1.500\" is 1.5 with decimal points, but 1500 with decimal commas; choose with decimal = \".\" or decimal = \",\""
    );
    assert_eq!(force("time:x\n0:1.5\n1:2.5\n", &[("delimiter", ":")]).unwrap(), [1.5, 2.5]);
    assert_eq!(force("made,by\ntime,x,9\n0,3,9\n1,4,9\nend,end\n", &[("range", "A2:B4")]).unwrap(), [3.0, 4.0]);
    // Units right above a range count for columns by number, those above other numbers do not; a range has its own headings.
    let numbers = &["time=1", "x=2"];
    for (text, range, columns, expected) in [
        ("Stand 7\nt [ms],x [mm],T\n0,3,9\n1,4,9\n", "A3:C4", &numbers[..], Ok([0.003, 0.004])),
        ("Stand 7\n# t,x\nms,mm,degC\n0,3,9\n1,4,9\n", "A4:C5", numbers, Ok([0.003, 0.004])),
        ("t [ms],x [mm]\n7,8\n0,3,9\n1,4,9\n", "A3:C4", numbers, Ok([3.0, 4.0])),
        ("t [ms],x [mm]\nt,x\n0,3,9\n1,4,9\n", "A2:C4", numbers, Ok([3.0, 4.0])),
        (
            "t [h],x [stone]\n0,3,9\n1,4,9\n",
            "A2:C3",
            numbers,
            Err("column 2 is in \"stone\", which is not a known unit"),
        ),
        (
            "Zeit,x [mm]\n0,3,9\n1,4,9\n",
            "A2:C3",
            &["time=Zeit", "x=2"],
            Err("there is no column `Zeit`; available: `0`, `3`, `9`"),
        ),
    ] {
        let input = read(text, Given { keys: &[("range", range)], columns, ..Given::default() });
        let values = input.map(|input| input.signals[0].values.clone());
        assert_eq!(values, expected.map(|values| values.to_vec()).map_err(str::to_owned), "{text}");
    }
    for (keys, expected) in [
        (("decimal", ";"), "decimal must be \".\" or \",\""),
        (("delimiter", "ab"), "delimiter must be one character, such as \";\" or \"\\t\""),
        (("encoding", "x"), "encoding must be an encoding such as \"utf-8\" or \"windows-1252\""),
        (("range", "4"), "range must be a range such as \"B4:E60\" or \"Sheet1!B4:E60\""),
    ] {
        assert_eq!(force(unclear, &[keys]).unwrap_err(), expected);
    }
}

#[test]
fn every_mistake_has_its_message() {
    let text = "Zeit,Weg [mm],Weg [m]\n0,1,2\n1,none,2\n";
    #[rustfmt::skip]
    let cases: &[Case] = &[
        (&["time=Zeit", "x=Kraft"], &[], &[], "there is no column `Kraft`; available: `Zeit`, `Weg [mm]`, `Weg [m]`"),
        (&["x=2"], &[], &[], "there is no column `time`; available: `Zeit`, `Weg [mm]`, `Weg [m]`"),
        (&["time=Zeit", "x=Weg"], &[], &[], "columns 2 and 3 are both headed `Weg`: give the number"),
        (&["time=Zeit", "x=Weg [mm]"], &[], &[], "line 3, column `x`: `none` is not a number"),
        (&["time=1", "x=2"], &[], &[], "line 3, column `x`: `none` is not a number"),
        (&["time=1", "x=4"], &[], &[], "line 2, column `x`: the value is missing"),
        (&["time=1", "lossPower=2"], &[], &[], "column 2 must be an input of the FMU: `lossPower` is an output"),
        (&["time=1", "y=2"], &[], &[], "column 2 must be an input of the FMU: there is no variable `y`; did you mean `x`?"),
        (&["time=1", "x="], &[], &[], "`x=` must be NAME=HEADING or NAME=NUMBER, such as time=Zeit or frame_a.f[1]=2"),
        (&["time=1", "x=0"], &[], &[], "`x=0` must be NAME=HEADING or NAME=NUMBER, such as time=Zeit or frame_a.f[1]=2"),
        (&["time=1"], &[], &[], "no column is named but `time`: name those of the inputs, too"),
        (&["x=2", "x=3"], &[], &[], "`x` is given twice"),
        (&["time=1", "Time=2", "x=3"], &[], &[], "`Time` is given twice"),
        (&["time=1", "time_ms=2"], &[], &[], "column 2 must be an input of the FMU: there is no variable `time_ms`"),
        (&["time=1", "x=3"], &["s", "m", "m"], &[], "units has 3 entries for 2 columns"),
        (&["time=1", "x=3"], &["s", "kN"], &[], "column 3 is in kN, which cannot be converted to m"),
        (&["time=1", "x=3"], &["s", "stone"], &[], "column 3 is in \"stone\", which is not a known unit"),
        (&["time=1", "x=3"], &[], &["Weg"], "columns names all columns that are read, so `Weg` need not be skipped"),
        (&[], &[], &[], "its first column must be `time`, not `Zeit`; for other headings, give columns, such as time=Zeit"),
    ];
    for (columns, units, skip, expected) in cases {
        let given = Given { columns, units, skip, keys: &[] };
        let message = read(text, given).unwrap_err();
        assert_eq!(message.split("; available: lossPower").next(), Some(*expected));
    }
    let titled = "Prüfstand 7\nZeit;Weg\n0;1\n";
    let given = Given { columns: &["time=Uhr", "x=Kraft"], ..Given::default() };
    assert_eq!(read(titled, given).unwrap_err(), "there is no column `Uhr`; available: `Zeit`, `Weg`");
}

/// Columns of tables in general have no names.
#[test]
fn columns_of_the_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    fs_err::write(&path, "time,x\n0,1\n").unwrap();
    let options = TableOptions { columns: vec![ColumnName::Number(2)], ..TableOptions::default() };
    let table = InputTable { options, ..InputTable::default() };
    let reason = "the columns of its options have no names: name_columns gives such to the columns of an input";
    assert_eq!(
        message(Input::read(&path, &table, &model())),
        format!("{} cannot be used as input: {reason}", path.display())
    );
}

/// Neither of two rows is taken in silence where they say different units.
#[test]
fn units_of_rows_that_differ_are_refused_unless_the_user_gives_them() {
    let text = "t [ms];x [mm]\nZeit;Weg in m\n0;0,5\n";
    let given = Given { columns: &["time=1", "x=2"], ..Given::default() };
    assert_eq!(
        read(text, given).unwrap_err(),
        "column 2 is in m, but in mm by line 1; only one of them can be right, which units can say"
    );
    let input = read(text, Given { units: &["ms", "cm"], ..given }).unwrap();
    assert_eq!(input.signals[0].values, [0.005]);
    assert_eq!(input.notes, ["units overrides m, which the input says of column 2"]);
    assert_eq!(
        read("Messung in m;Prüfer\n0;0,5\n", given).unwrap_err(),
        "column 1 is in m, which cannot be converted to s"
    );
}

/// Programs of Windows write one byte for each letter.
#[test]
fn a_file_that_is_not_utf_8_is_read_in_its_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    fs_err::write(&path, b"Zeit [s];L\xe4nge [\xb5m]\n0;1,5\n").unwrap();
    let read = |column: &str, encoding: Option<&str>| {
        let mut options = TableOptions::default();
        encoding.iter().for_each(|name| options.set("encoding", name).unwrap());
        let mut table = InputTable { options, ..InputTable::default() };
        table.name_columns(&["time=Zeit".to_owned(), format!("x={column}")]).unwrap();
        Input::read(&path, &table, &model())
    };
    for (column, reason) in [
        ("Länge", "there is no column `Länge`; available: `Zeit [s]`, `L\u{fffd}nge [\u{fffd}m]`"),
        ("2", "column 2 is in \"\u{fffd}m\", which is not a known unit"),
    ] {
        let hint = "; its encoding is not UTF-8: set encoding to \"windows-1252\" or another one";
        let expected = format!("{} cannot be used as input: {reason}{hint}", path.display());
        assert_eq!(message(read(column, None)), expected);
    }
    // Who has given the encoding needs no hint.
    let given = message(read("2", Some("utf-8")));
    assert!(given.ends_with("column 2 is in \"\u{fffd}m\", which is not a known unit"), "{given}");
    let signals = read("Länge", Some("windows-1252")).unwrap().signals;
    assert!((signals[0].values[0] - 1.5e-6).abs() < 1e-21, "{signals:?}");
}
