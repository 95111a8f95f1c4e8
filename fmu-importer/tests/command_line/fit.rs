//! The command `fit`: rubber of a bushing from measurements.

use fmu_builder::Settings;
use fmu_tests::finished::resolve;

use crate::{refused_in, run_in};

const MEASURED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/bushing/reference/dynamic_stiffness.csv");

/// The example is from a walk along the path in small steps (`dynamic_stiffness.py`), with errors of 2 %.
#[test]
fn the_example_becomes_a_bushing_with_its_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let given = [MEASURED, "--output", "rubber.toml", "--plot", "rubber.svg"];
    let (success, printed, said) = run_in("fit", folder.path(), &given);
    assert!(success && !said.contains("warning"), "{said}");
    assert!(said.contains("4 \"Verlustwinkel\" in deg; 125 rows, from 2 to 126"), "{said}");
    assert!(printed.contains("rubber.toml\nrubber.svg\n") && printed.contains("standard error"), "{printed}");
    assert!(printed.contains(" % (root mean square, in which none counts more than 30.00 %)\n"), "{printed}");
    let text = fs_err::read_to_string(folder.path().join("rubber.toml")).unwrap();
    assert!(text.starts_with("# Fitted to dynamic_stiffness.csv (xyz).\n"), "{text}");
    let settings = Settings::from_toml(&folder.path().join("rubber.toml")).unwrap();
    let description = resolve("bushing", &settings).unwrap();
    let start = |name: &str| {
        let variable = description.variables.iter().find(|variable| variable.name == name);
        let variable = variable.unwrap_or_else(|| panic!("no {name}"));
        match &variable.kind {
            fmu_builder::description::VariableType::Real { start: Some(start), .. } => *start,
            other => panic!("{other:?}"),
        }
    };
    for (name, expected) in [
        ("TS", 3e6),
        ("TS_maxwell_1", 6e5),
        ("Ttau_maxwell_1", 0.05),
        ("TS_maxwell_2", 8e5),
        ("Ttau_maxwell_2", 0.002),
        ("TS_friction", 1.2e6),
        ("TF_friction", 60.0),
    ] {
        for axis in 1..=3 {
            let found = start(&format!("{name}[{axis}]"));
            assert!((found / expected - 1.0).abs() < 0.05, "{name}: {found}");
        }
    }
    let drawing = fs_err::read_to_string(folder.path().join("rubber.svg")).unwrap();
    // In both panels each amplitude has 25 filled and framed points, and a line, also in the legend.
    let colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"];
    assert_eq!(colours.map(|colour| drawing.matches(colour).count()), [2 * (2 * 25 + 1 + 1); 5]);
    // Nothing is replaced without --force.
    assert_eq!(refused_in("fit", folder.path(), &given), "rubber.toml: already exists; --force replaces it");
    let (success, again, _) = run_in("fit", folder.path(), &[&given[..], &["--force"]].concat());
    assert!(success && again == printed);
    assert_eq!(fs_err::read_to_string(folder.path().join("rubber.toml")).unwrap(), text);
}

#[test]
fn axes_have_measurements_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    // The measurements are in other units, columns and signs, and ten times as soft.
    let rows = fs_err::read_to_string(MEASURED).unwrap().replace(',', ".");
    let mut soft = "angle [rad],note,c [kN/m],A [µm],f [Hz]\n".to_owned();
    for row in rows.lines().skip(1) {
        let cells: Vec<f64> = row.split(';').map(|cell| cell.parse().unwrap()).collect();
        soft += &format!("{:.6},0,{:.2},{},{}\n", cells[3].to_radians(), cells[2] * 0.1, cells[1] * 1e3, cells[0]);
    }
    fs_err::write(folder.path().join("soft.csv"), soft).unwrap();
    let (success, printed, said) =
        run_in("fit", folder.path(), &["z=soft.csv", "--columns", "f,A,c,angle", "--output", "a.toml", "xy=soft.csv"]);
    assert!(success, "{said}");
    assert!(printed.contains("\n xy ") && printed.starts_with(" z "), "{printed}");
    let table = rows.replace(';', "\t");
    let torsion = "f / Hz\tA / deg\tk / N.m/deg\tdelta / deg\n".to_owned() + table.split_once('\n').unwrap().1;
    fs_err::write(folder.path().join("torsion.txt"), torsion).unwrap();
    let (success, _, said) = run_in("fit", folder.path(), &["123=torsion.txt", "--output", "b.toml", "--maxwell", "1"]);
    assert!(success, "{said}");
    let text = fs_err::read_to_string(folder.path().join("b.toml")).unwrap();
    assert!(text.contains("maxwell_R = 1\nfriction_R = true\n") && text.contains("\nRM_friction = ["), "{text}");
}

#[test]
fn what_the_measurements_do_not_show_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs_err::read_to_string(MEASURED).unwrap();
    let heading = text.lines().next().unwrap();
    let some = |keep: &dyn Fn(&str) -> bool| {
        text.lines().skip(1).filter(|line| keep(line)).fold(heading.to_owned(), |all, line| all + "\n" + line)
    };
    fs_err::write(folder.path().join("one.csv"), some(&|line| line.contains(";0,1;"))).unwrap();
    let (success, printed, said) = run_in("fit", folder.path(), &["one.csv", "--output", "one.toml"]);
    assert!(success && !printed.contains("TS_friction"), "{printed}");
    let expected = "note: one.csv: all rows have about the same amplitude, so friction cannot be told from other losses and is left out\n";
    assert!(said.contains(expected), "{said}");
    fs_err::write(folder.path().join("slow.csv"), some(&|line| line.starts_with("0,"))).unwrap();
    let (success, _, said) = run_in("fit", folder.path(), &["slow.csv", "--output", "slow.toml", "--maxwell", "2"]);
    assert!(success && said.contains("warning: slow.csv: the measurements do not determine T"), "{said}");
}

/// The file has one row with another stiffness, and rubber that becomes softer with frequency.
#[test]
fn what_the_law_does_not_describe_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs_err::read_to_string(MEASURED).unwrap();
    let changed = |change: &dyn Fn(usize, [f64; 4]) -> f64| {
        let row = |(number, line): (usize, &str)| {
            let cells: Vec<f64> = line.split(';').map(|cell| cell.replace(',', ".").parse().unwrap()).collect();
            format!("{};{};{};{}\n", cells[0], cells[1], change(number, cells[..4].try_into().unwrap()), cells[3])
        };
        let rows: String = text.lines().enumerate().skip(1).map(row).collect();
        format!("{}\n{}", text.lines().next().unwrap(), rows)
    };
    let warned = |content: String| {
        fs_err::write(folder.path().join("a.csv"), content).unwrap();
        let given = ["a.csv", "--output", "a.toml", "--force", "--decimal", ".", "--maxwell", "2"];
        let (success, _, said) = run_in("fit", folder.path(), &given);
        assert!(success, "{said}");
        said
    };
    assert!(!warned(changed(&|_, [_, _, stiffness, _]| stiffness)).contains("warning"));
    let expected = "warning: a.csv: the law does not describe all measurements: row ";
    let said = warned(changed(&|number, [_, _, stiffness, _]| if number == 31 { 0.6 * stiffness } else { stiffness }));
    assert!(said.contains(&format!("{expected}32 deviates by ")), "{said}");
    let said = warned(changed(&|_, [frequency, _, stiffness, _]| stiffness * frequency.powf(-0.2)));
    assert!(said.contains(expected) && said.contains(" %, row "), "{said}");
}

#[test]
fn each_mistake_has_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let heading = "f [Hz];A [mm];K [N/mm];d [deg]";
    let rows: Vec<String> = (1..=10).map(|row| format!("{row};0.{row};{}.5;5.5", 1000 + row)).collect();
    let with = |heading: &str, changed: &str| {
        let mut rows = rows.clone();
        if !changed.is_empty() {
            rows[3] = changed.to_owned();
        }
        format!("{heading}\n{}\n", rows.join("\n"))
    };
    #[rustfmt::skip]
    let cases = [
        (with("f [Hz];A [mm];K [N/mm]", "").replace(";5.5", ""), "a.csv, row 2 has 3 columns, but must have 4"),
        (with("A [mm];f [Hz];K [N/mm];d [deg]", ""), "a.csv, column 1 is in mm, which cannot be converted to Hz"),
        (with("f [Hz];A [mm];K [N];d [deg]", ""), "a.csv, column 3 is in N, which cannot be converted to N/m"),
        (with("f [Hz];A [mm];K [N/mm];tan delta [-]", ""), "a.csv, column 4 is in -, which cannot be converted to rad"),
        (with("f [Hz];A [furlong];K [N/mm];d [deg]", ""),
         "a.csv, column 2 is in \"furlong\", which is not a known unit"),
        (with("f;A;K;d", ""),
         "a.csv gives no units: use headings such as \"amplitude [mm]\", or --units Hz,mm,N/mm,deg"),
        (with(heading, "4;0.4;1004.5;x"), "a.csv, row 5, column 4 is the text \"x\", but must be a number"),
        (with(heading, "4;;1004.5;5"), "a.csv, row 5, column 2 is empty, but must be a number"),
        (with(heading, "0;0.4;1004.5;5"), "a.csv, row 5, column 1: the frequency is 0.0, but must be above 0"),
        (with(heading, "4;-0.4;1004.5;5"), "a.csv, row 5, column 2: the amplitude is -0.0004, but must be above 0"),
        (with(heading, "4;0;1004.5;5"), "a.csv, row 5, column 2: the amplitude is 0.0, but must be above 0"),
        (with(heading, "4;0.4;-1004.5;5"),
         "a.csv, row 5, column 3: the dynamic stiffness is -1004500.0, but must be above 0"),
        (with(heading, "4;0.4;1004.5;-5"),
         "a.csv, row 5, column 4: the loss angle is -5.0000 deg, but must be at least 0: the load leads the deflection"),
        (with(heading, "4;0.4;1004.5;95"),
         "a.csv, row 5, column 4: the loss angle is 95.0000 deg, but must be below 90 deg"),
        (with(heading, "").lines().take(6).collect::<Vec<_>>().join("\n"),
         "at least 8 rows are needed, but a.csv has 5"),
        (String::new(), "a.csv has no rows"),
    ];
    for (content, expected) in cases {
        fs_err::write(folder.path().join("a.csv"), &content).unwrap();
        let message = refused_in("fit", folder.path(), &["a.csv", "--output", "a.toml"]);
        assert!(message.contains(expected), "{message} is not {expected}");
        assert!(!folder.path().join("a.toml").exists());
    }
    fs_err::write(folder.path().join("a.csv"), with(heading, "")).unwrap();
    for (arguments, expected) in [
        (&["none.csv"][..], "none.csv"),
        (&["x=a.csv", "xy=a.csv"], "axis x has measurements twice"),
        (&["x=a.csv", "z=a.csv"], "axis y has no measurements: give y=FILE, or add y to the axes of another file"),
        (&["123=a.csv"], "a.csv, column 2 is in mm, which cannot be converted to rad"),
        (&["a.csv", "--columns", "f,A,K,e"], "a.csv, row 1 has no column \"e\"; available: \"f [Hz]\""),
        (&["a.csv", "--units", "Hz,kN,N/mm,deg"], "a.csv, column 2 is in kN, which cannot be converted to m"),
        (&["a.csv", "--sheet", "s"], "a.csv has no sheets, so there is none named \"s\""),
        (&["a.csv", "--plot", "a.pdf"], "a.pdf: a plot is an .svg or a .png file"),
        (&["a.csv", "--plot", "a.toml"], "a.toml: a plot is an .svg or a .png file"),
    ] {
        let message = refused_in("fit", folder.path(), &[arguments, &["--output", "a.toml"]].concat());
        assert!(message.contains(expected), "{message} is not {expected}");
    }
    // The file can be read in two ways, of which one is reported; and a part of it is chosen.
    fs_err::write(folder.path().join("b.csv"), with(heading, "4;0.4;1,004;5.5")).unwrap();
    let given = ["b.csv", "--output", "b.toml"];
    let message = refused_in("fit", folder.path(), &given);
    assert!(message.contains("b.csv") && message.contains("decimal"), "{message}");
    let (success, _, said) =
        run_in("fit", folder.path(), &[&given[..], &["--decimal", ".", "--range", "A1:D11"]].concat());
    assert!(success && said.contains("10 rows, from 2 to 11"), "{said}");
    for (option, value, expected) in [
        ("--range", "B", "--range B: must be a range such as \"B4:E60\" or \"Sheet1!B4:E60\""),
        ("--range", "S1!A1:D11", "error: a.csv has no sheets, so there is none named \"S1\""),
        ("--decimal", ";", "--decimal ;: must be \".\" or \",\""),
        ("--delimiter", "tab", "--delimiter tab: must be one character, such as \";\" or \"\\t\""),
        ("--encoding", "latin", "--encoding latin: must be an encoding such as \"utf-8\" or \"windows-1252\""),
        ("--maxwell", "4", "4 is not in 0..=3"),
    ] {
        let (success, _, said) = run_in("fit", folder.path(), &["a.csv", "--output", "c.toml", option, value]);
        assert!(!success && said.contains(expected), "{said}");
    }
    // The file is written as by old programs, with another character between the cells.
    let old = with("f [Hz]|A [µm]|K [N/mm]|Winkel [°]", "").replace(';', "|");
    let old: Vec<u8> = old.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect();
    fs_err::write(folder.path().join("old.csv"), old).unwrap();
    let given = ["old.csv", "--output", "old.toml", "--encoding", "windows-1252", "--delimiter", "|"];
    let (success, _, said) = run_in("fit", folder.path(), &given);
    assert!(success && said.contains("\"A\" in µm") && said.contains("\"Winkel\" in °"), "{said}");
    let message = refused_in("fit", folder.path(), &["a.csv", "--output", "a.csv", "--force"]);
    assert_eq!(message, "a.csv: a configuration is a .toml file");
    fs_err::copy(folder.path().join("a.csv"), folder.path().join("a.svg")).unwrap();
    let message = refused_in("fit", folder.path(), &["a.svg", "--output", "a.toml", "--plot", "a.svg", "--force"]);
    assert_eq!(message, "--plot would overwrite the measurements, a.svg");
    for (file, kind) in [("e.toml", "a configuration"), ("e.svg", "an SVG drawing")] {
        fs_err::write(folder.path().join(file), "mine").unwrap();
        let given = ["a.csv", "--output", "e.toml", "--plot", "e.svg", "--force"];
        let expected = format!("the existing file is not {kind}; delete it or choose another name");
        assert_eq!(refused_in("fit", folder.path(), &given), format!("{file}: cannot be written: {expected}"));
        fs_err::write(folder.path().join("e.toml"), "[parameters]\n").unwrap();
    }
    // Messages name columns only, and measurements of angles are known by their units.
    let message = refused_in("fit", folder.path(), &["a.csv", "--output", "d.toml", "--sheet", "s"]);
    assert!(message.starts_with("a.csv has no sheets"), "{message}");
    let message = refused_in("fit", folder.path(), &["a.csv", "--output", "d.toml", "--columns", "f,A,K,e"]);
    assert!(
        message.starts_with("the columns must be frequency, amplitude, dynamic stiffness and loss angle"),
        "{message}"
    );
    fs_err::write(folder.path().join("t.csv"), with("f [Hz];A [deg];K [N.m/deg];d [deg]", "")).unwrap();
    let message = refused_in("fit", folder.path(), &["t.csv", "--output", "d.toml"]);
    let expected = "t.csv, column 2 is in deg, which cannot be converted to m; those of angles are given as 123=t.csv";
    assert_eq!(message, expected);
    let message = refused_in("fit", folder.path(), &["123=a.csv", "--output", "d.toml"]);
    assert!(message.ends_with("converted to rad; those of translations are given as xyz=a.csv"), "{message}");
}

/// The file has the same measurements with twice the amplitude under a heading that says so.
#[test]
fn a_path_between_turning_points_is_halved() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs_err::read_to_string(MEASURED).unwrap();
    let (headings, rows) = text.split_once('\n').unwrap();
    let delimiter = if headings.contains(';') { ';' } else { ',' };
    let decimal = if delimiter == ';' { "," } else { "." };
    let mut doubled = String::new();
    for (number, heading) in headings.split(delimiter).enumerate() {
        doubled += &if number == 1 {
            format!("{delimiter}p-p {heading}")
        } else if number == 0 {
            heading.to_owned()
        } else {
            format!("{delimiter}{heading}")
        };
    }
    for row in rows.lines() {
        let cells: Vec<_> = row.split(delimiter).collect();
        let amplitude = match cells[1].replace(decimal, ".").parse::<f64>() {
            Ok(amplitude) => (2.0 * amplitude).to_string().replace('.', decimal),
            Err(_) => cells[1].to_owned(),
        };
        let others = cells[2..].join(&delimiter.to_string());
        doubled += &format!("\n{}{delimiter}{amplitude}{delimiter}{others}", cells[0]);
    }
    fs_err::write(folder.path().join("doubled.csv"), doubled).unwrap();
    let fitted = |file: &str, output: &str| {
        let (success, _, said) = run_in("fit", folder.path(), &[file, "--output", output, "--maxwell", "2"]);
        assert!(success, "{said}");
        let text = fs_err::read_to_string(folder.path().join(output)).unwrap();
        (text.split_once('\n').unwrap().1.to_owned(), said)
    };
    let (plain, said) = fitted(MEASURED, "plain.toml");
    assert!(!said.contains("turning points"), "{said}");
    let (halved, said) = fitted("doubled.csv", "halved.toml");
    assert!(
        said.contains("note: doubled.csv: column 2 \"p-p ") && said.contains("half of it is the amplitude"),
        "{said}"
    );
    assert_eq!(halved, plain);
}
