//! The command `simulate`: its options, and its files.

use std::collections::BTreeSet;
use std::path::Path;

use fmu_builder::description::{Causality, ModelStructure, VariableType};
use fmu_tests::finished::{Fmu, root};

use crate::archives::altered;
use crate::{archive, importer, refused};

#[test]
fn a_warning_is_printed_once() {
    let output = importer("simulate", &archive(), &["--set", "RotSeq=[3,1,3]", "--stop", "0.01"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("warning: Bushing: the Euler angles in the sequence [3, 1, 3] are singular"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_refused_value_is_told_without_repetition() {
    let message = refused(&archive(), &["--set", "TS=[1,2,-3]"]);
    assert_eq!(message, "fmi2SetReal returned fmi2Discard: \"TS[3]\" cannot be -3.0, it must be at least 0.0");
}

#[test]
fn what_is_given_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drive.csv");
    fs_err::write(&file, "time,frame_b.r_0[1]\n0,0\n1,0.001\n").unwrap();
    let drive = file.display().to_string();
    let message = refused(&archive(), &["--input", &drive, "--set", "frame_b.r_0=[1,0,0]"]);
    assert_eq!(message, "`frame_b.r_0[1]` cannot be set, since the input has a column for it");
    let message = refused(&archive(), &["--input", &drive, "--sheet", "Motion"]);
    assert!(
        message.ends_with("cannot be used as input: it has no sheets, so there is none named \"Motion\""),
        "{message}"
    );
    let message = refused(&archive(), &["--set", "TS=[1,2,3]", "--set", "TS[2]=5"]);
    assert_eq!(message, "`TS[2]` is set twice");
}

/// The run is that of the same signals in a table whose headings are names; the comma in a name separates no columns.
#[test]
fn columns_units_and_formats_of_the_input_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let [plain, bench] = ["plain.csv", "bench.csv"].map(|name| folder.path().join(name).display().to_string());
    fs_err::write(&plain, "time,\"frame_b.R.T[1,2]\",frame_b.r_0[1]\n0,0,0\n0.02,0.001,0.001\n0.05,0,-0.002\n")
        .unwrap();
    let written =
        "Prüfstand 7;;;\nZeit;Drehung, roh;Länge [µm];Öl [°C]\n0;0;0;20,5\n20;0,001;1;20,6\n50;0;-2;20,7\nEnde;;;\n";
    fs_err::write(&bench, written.chars().map(|letter| u8::try_from(letter).unwrap()).collect::<Vec<_>>()).unwrap();
    let run = |input: &str, options: &[&str]| {
        let csv = folder.path().join("out.csv").display().to_string();
        let all =
            [&["--input", input, "--stop", "0.05", "--set", "TS=[1e6,2e6,3e6]", "--output", &csv], options].concat();
        let output = importer("simulate", &archive(), &all);
        (fs_err::read_to_string(csv).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (expected, said) = run(&plain, &[]);
    assert_eq!(said, "");
    let form = ["--units", "ms,1,mm", "--encoding", "latin1", "--range", "A2:D5"];
    let columns = "time=Zeit,frame_b.R.T[1,2]=2,frame_b.r_0[1]=Länge";
    let (table, said) = run(&bench, &[&["--columns", columns], &form[..]].concat());
    assert_eq!(said, "note: units overrides µm, which the input says of column 3\n");
    assert!(table == expected);
    let parts = ["--columns", "time=1", "--columns", "frame_b.R.T[1,2]=2", "--columns", "frame_b.r_0[1]=3"];
    let (table, _) = run(&bench, &[&parts[..], &form[..], &["--decimal", ",", "--delimiter", ";"]].concat());
    assert!(table == expected);
    for (arguments, message) in [
        (
            &["--columns", "time=Zeit,frame_b.r_0[1]=Weg", "--encoding", "latin1"][..],
            "there is no column `Weg`; available: `Zeit`, `Drehung, roh`, `Länge [µm]`, `Öl [°C]`",
        ),
        (
            &["--columns", "time=Zeit,frame_b.r_0[1]=Weg"],
            "there is no column `Weg`; available: `Zeit`, `Drehung, roh`, `L\u{fffd}nge [\u{fffd}m]`, `\u{fffd}l [\u{fffd}C]`; its encoding is not UTF-8: set encoding to \"windows-1252\" or another one",
        ),
    ] {
        let message = format!("{bench} cannot be used as input: {message}");
        assert_eq!(refused(&archive(), &[&["--input", &bench], arguments].concat()), message);
    }
    let message = refused(&archive(), &["--input", &bench, "--decimal", "x"]);
    assert_eq!(message, "--decimal x: must be \".\" or \",\"");
    let message = refused(&archive(), &["--input", &bench, "--columns", "time="]);
    assert_eq!(message, "--columns: `time=` must be NAME=HEADING or NAME=NUMBER, such as time=Zeit or frame_a.f[1]=2");
    let output = importer("simulate", &archive(), &["--columns", "time=Zeit"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("required") && said.contains("--input <FILE.csv|.xlsx|.ods>"), "{said}");
}

#[cfg(unix)]
#[test]
fn what_never_ends_is_not_read() {
    for device in ["/dev/zero", "/dev/stdin"] {
        let message = refused(&archive(), &["--input", device]);
        assert_eq!(message, format!("{device} is not a file"));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.csv");
    fs_err::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    let shown = file.display();
    let message = refused(&archive(), &["--input", &shown.to_string()]);
    assert_eq!(message, format!("{shown} has 1099511627776 bytes; the limit is 1073741824"));
}

#[test]
fn what_only_the_animation_needs_is_not_listed() {
    let folder = tempfile::tempdir().unwrap();
    let [page, csv] = ["a.html", "a.csv"].map(|name| folder.path().join(name).display().to_string());
    let file = fmu_tests::finished::archive("joint-ssr");
    let output = importer("simulate", &file, &["--stop", "0.01", "--animate", &page, "--output", &csv]);
    assert!(output.status.success());
    let header = fs_err::read_to_string(csv).unwrap().lines().next().unwrap().to_owned();
    assert!(header.contains("frame_b.f[1]") && !header.contains("Color"), "{header}");
}

/// A torque of 1000 N.m acts for 8 ms on 1 kg.m2, inside of one communication step, in both interfaces.
#[test]
fn a_pulse_between_communication_points_turns_the_shaft() {
    let folder = tempfile::tempdir().unwrap();
    let drive = folder.path().join("pulse.csv");
    let pulse = "time,flange_a.tau\n0,0\n0.501,0\n0.501,1000\n0.509,1000\n0.509,0\n1,0\n";
    fs_err::write(&drive, pulse).unwrap();
    let file = fmu_tests::finished::archive("clutch");
    for interface in ["co-simulation", "model-exchange"] {
        let csv = folder.path().join(format!("{interface}.csv"));
        let [input, csv_name] = [&drive, &csv].map(|path| path.display().to_string());
        let arguments = ["--input", &input, "--step", "0.01", "--set", "J_a=1", "--output", &csv_name];
        let output = importer("simulate", &file, &[&arguments[..], &["--interface", interface]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = fs_err::read_to_string(&csv).unwrap();
        let header = table.lines().next().unwrap();
        let column = header.split(',').position(|name| name == "flange_a.w").unwrap();
        let last: f64 = table.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap();
        assert!((last - 8.0).abs() < 1e-6, "{interface}: {last}");
        assert_eq!(table.lines().count(), 102);
    }
}

#[test]
fn an_input_that_is_too_short_is_noted() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("drive.csv");
    fs_err::write(&file, "time,frame_b.r_0[1]\n0.5,0\n1,0.001\n").unwrap();
    let output = importer("simulate", &archive(), &["--input", &file.display().to_string(), "--stop", "2"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "note: the input begins at 0.5 s, after the start at 0 s: its first values hold until then; \
         it ends at 1 s, before the stop at 2 s: its last values hold from then on\n"
    );
}

#[test]
fn a_run_that_cannot_be_is_refused_with_one_that_could() {
    for (arguments, message) in [
        (&["--step", "0"][..], "the step must be a positive number, not 0 s"),
        (&["--step", "-1"], "the step must be a positive number, not -1 s"),
        (&["--step", "nan"], "the step must be a positive number, not NaN s"),
        (&["--step", "inf"], "the step must be a positive number, not inf s"),
        (&["--stop", "-1"], "the stop time -1 s must come after the start time 0 s"),
        (&["--stop", "inf"], "the stop time must be a finite number, not inf"),
        (&["--start", "nan"], "the start time must be a finite number, not NaN"),
        (&["--start", "-1e308", "--stop", "1.7e308"], "from -1e308 s to 1.7e308 s is too long"),
        (
            &["--step", "1e-8"],
            "10 s in steps of 1e-8 s are 1e9 steps of 14 values each, too many to record; steps of 2e-6 s would be large enough",
        ),
        (
            &["--step", "1e-300"],
            "steps of 1e-300 s are too small at 10 s, where they would be lost in rounding; 3e-12 s would be large enough",
        ),
        (
            &["--start", "1e9", "--stop", "1000000001", "--step", "1e-9"],
            "steps of 1e-9 s are too small at 1000000001 s, where they would be lost in rounding; 0.0003 s would be large \
             enough",
        ),
    ] {
        assert_eq!(refused(&archive(), arguments), message);
    }
}

#[test]
fn the_step_that_would_do_does() {
    let (start, stop) = (1e9, 1e9 + 1.0);
    let arguments = ["--start", &start.to_string(), "--stop", &stop.to_string(), "--step", "3e-4"];
    assert!(importer("simulate", &archive(), &arguments).status.success());
}

#[test]
fn too_large_numbers_are_called_so() {
    for (assignment, message) in [
        ("r0[1]=1e400", "cannot set `r0[1]`: `1e400` is too large, the largest number is about 1.8e308"),
        ("r0[1]=-inf", "cannot set `r0[1]`: `-inf` is not a finite number"),
        (
            "RotSeq[1]=3000000000",
            "cannot set `RotSeq[1]`: `3000000000` does not lie between -2147483648 and 2147483647",
        ),
    ] {
        assert_eq!(refused(&archive(), &["--set", assignment]), message);
    }
}

#[test]
fn a_single_row_of_input_holds_throughout() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.csv"), folder.path().join("out.csv"));
    fs_err::write(&input, "time,frame_b.r_0[1]\n0,-0.001\n").unwrap();
    let arguments = ["--input", input.to_str().unwrap(), "--output", output.to_str().unwrap(), "--step", "5"];
    let said = String::from_utf8(importer("simulate", &archive(), &arguments).stderr).unwrap();
    assert_eq!(said, "note: the input ends at 0 s, before the stop at 10 s: its last values hold from then on\n");
    let forces = fs_err::read_to_string(output).unwrap();
    let forces: Vec<_> = forces.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>()).collect();
    assert_eq!(forces, [["0", "4500"], ["5", "4500"], ["10", "4500"]]);
}

#[test]
fn an_input_that_ends_before_the_start_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.csv");
    fs_err::write(&input, "time,frame_b.r_0[1]\n0,0\n2,0\n").unwrap();
    let message = refused(&archive(), &["--input", input.to_str().unwrap(), "--start", "5"]);
    assert_eq!(message, "the stop time 2 s, where the input ends, must come after the start time 5 s");
}

#[test]
fn seconds_since_1970_need_a_start() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("logged.csv");
    fs_err::write(&input, "time,frame_b.r_0[1]\n1700000000,0\n1700000000.5,0.001\n").unwrap();
    let input = input.to_str().unwrap();
    let run = |further: &[&str]| {
        let arguments = [&["--input", input, "--step", "0.1"], further].concat();
        let output = importer("simulate", &archive(), &arguments);
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    };
    let (is_done, said) = run(&[]);
    let expected = "note: the input begins at 1700000000 s, after the start at 0 s: its first values hold until then\n\
                    error: 1700000000.5 s in steps of 0.1 s are 1.7e10 steps of 14 values each, too many to record; the input \
                    begins at 1700000000 s: so should the run, with --start\n";
    assert_eq!((is_done, said.as_str()), (false, expected));
    assert_eq!(run(&["--start", "1700000000"]), (true, String::new()));
}

#[test]
fn no_file_of_the_command_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (fmu, input, detour) = (path("Own.fmu"), path("in.csv"), path("../in.csv"));
    let detour = detour.replace("..", &format!("../{}", folder.path().file_name().unwrap().display()));
    fs_err::copy(archive(), &fmu).unwrap();
    fs_err::write(&input, "time,frame_b.r_0[1]\n0,0\n2,0\n").unwrap();
    let before = [fs_err::read(&fmu).unwrap(), fs_err::read(&input).unwrap()];
    let svg = path("x.svg");
    for (arguments, message) in [
        (vec!["--input", &input, "--output", &input], format!("--output would overwrite --input, {input}")),
        (vec!["--input", &input, "--output", &detour], format!("--output would overwrite --input, {input}")),
        (vec!["--output", &fmu], format!("--output would overwrite the FMU, {fmu}")),
        (vec!["--output", &svg, "--plot", &svg], format!("--plot would overwrite --output, {svg}")),
    ] {
        assert_eq!(refused(Path::new(&fmu), &arguments), message);
    }
    assert_eq!(before, [fs_err::read(&fmu).unwrap(), fs_err::read(&input).unwrap()]);
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn no_file_that_the_fmu_reads_is_overwritten() {
    let fmu = Fmu::new("bushing", &["nonlinear_TS=true", "DCM_TS=file"]);
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("stiffness.csv").to_str().unwrap().to_owned();
    let rows = "0,1e6,1e6,1e6\n0.01,2e6,2e6,2e6\n";
    fs_err::write(&table, rows).unwrap();
    let file = format!("TS_fileName={table}");
    let message = refused(&fmu.file, &["--set", &file, "--output", &table]);
    assert_eq!(message, format!("--output would overwrite a file that the FMU reads, {table}"));
    assert_eq!(fs_err::read_to_string(&table).unwrap(), rows);
}

#[test]
fn what_cannot_be_written_is_told_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let here = folder.path().display();
    // Such a run would take minutes.
    let long = ["--step", "2e-6"];
    fs_err::create_dir(path("folder.svg")).unwrap();
    for (option, file, reason) in [
        ("--output", path("no/out.csv"), format!("cannot be written: there is no folder {here}/no")),
        ("--output", path("."), "cannot be written: it is a folder".to_owned()),
        ("--plot", path("no/out.svg"), format!("cannot be written: there is no folder {here}/no")),
        ("--plot", path("folder.svg"), "cannot be written: it is a folder".to_owned()),
        ("--plot", path("out.pdf"), "a plot is an .svg or a .png file".to_owned()),
    ] {
        let message = refused(&archive(), &[&long[..], &[option, &file]].concat());
        assert_eq!(message, format!("{file}: {reason}"));
    }
}

#[test]
fn a_failed_run_leaves_the_old_results() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.csv");
    fs_err::write(&output, "time,old\n").unwrap();
    let arguments = ["--set", "frame_a.R.T[1,1]=2", "--output", output.to_str().unwrap()];
    assert!(refused(&archive(), &arguments).contains("frame_a.R.T is not a rotation matrix"));
    assert_eq!(fs_err::read(&output).unwrap(), b"time,old\n");
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_has_no_shapes_is_plotted_nevertheless() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (table, plot, page) = (path("out.csv"), path("out.svg"), path("out.html"));
    let fmu = fmu_tests::finished::archive("clutch");
    let message = format!("{} has no shapes to draw: no resources/shapes.json", fmu.display());
    assert_eq!(refused(&fmu, &["--animate", &page]), message);
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 0);
    let arguments = ["--output", &table, "--plot", &plot, "--show", "w_rel", "--animate", &page];
    assert_eq!(refused(&fmu, &arguments), message);
    assert!(Path::new(&table).exists() && Path::new(&plot).exists() && !Path::new(&page).exists());
}

#[test]
fn only_results_of_the_same_kind_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let kept = ["Other.fmu", "front.toml", "measured.csv", "front.svg", "front.html"].map(path);
    fs_err::copy(archive(), &kept[0]).unwrap();
    for file in &kept[1..] {
        fs_err::write(file, "t;F\n0;1\n").unwrap();
    }
    let table = "a table of this command, whose first column is time";
    for (option, file, kind) in [
        ("--output", &kept[0], table),
        ("--output", &kept[1], table),
        ("--output", &kept[2], table),
        ("--plot", &kept[3], "an SVG drawing"),
        ("--animate", &kept[3], "an SVG drawing"),
        ("--animate", &kept[4], "an HTML page"),
    ] {
        let before = fs_err::read(file).unwrap();
        let reason = format!("the existing file is not {kind}; delete it or choose another name");
        assert_eq!(refused(&archive(), &[option, file]), format!("{file}: cannot be written: {reason}"));
        assert_eq!(fs_err::read(file).unwrap(), before);
    }
    let own = path("own.csv");
    for _ in 0..2 {
        assert!(importer("simulate", &archive(), &["--output", &own]).status.success());
    }
}

#[test]
fn what_has_no_curve_is_told_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(
        refused(&archive(), &["--show", "lossPowr"]),
        "there is no variable `lossPowr`; did you mean `lossPower`?"
    );
    let file = altered(&folder, |description| {
        description.model_structure = ModelStructure::default();
        for variable in description.variables.iter_mut().filter(|variable| variable.causality == Causality::Output) {
            variable.causality = Causality::Local;
        }
        description.variables[0].kind = VariableType::String { start: None };
    });
    let plot = folder.path().join("x.svg").to_str().unwrap().to_owned();
    let message = refused(&file, &["--plot", &plot]);
    assert_eq!(message, "nothing to plot: the FMU has no continuous output; choose others with --show");
    assert_eq!(refused(&file, &["--show", "RotSeq"]), "`RotSeq[1]` is a String and cannot be recorded");
}

/// The first example of docs/python.md as it stands there: its shafts come to the speed of their common momentum, and no
/// panel of its drawing has flat lines only.
#[test]
fn the_first_example_for_python_draws_motion() {
    let page = fs_err::read_to_string(root().join("docs/python.md")).unwrap();
    let commands = page.lines().filter_map(|line| line.strip_prefix("    mechanical-fmus "));
    let commands: Vec<Vec<&str>> = commands.map(|command| command.split_whitespace().collect()).collect();
    let [build, simulate] = &commands[..] else { panic!("{commands:?}") };
    let ["build", component, settings @ ..] = &build[..] else { panic!("{build:?}") };
    let ["simulate", _, arguments @ ..] = &simulate[..] else { panic!("{simulate:?}") };
    let settings: Vec<&str> = settings.iter().copied().filter(|word| *word != "--set").collect();
    let fmu = Fmu::new(component, &settings);

    let folder = tempfile::tempdir().unwrap();
    let [plot, table] = ["plot.svg", "table.csv"].map(|name| folder.path().join(name).display().to_string());
    let mut arguments = arguments.to_vec();
    let of_plot = arguments.iter().position(|word| *word == "--plot").unwrap() + 1;
    arguments[of_plot] = &plot;
    arguments.extend(["--output", &table]);
    let output = importer("simulate", &fmu.file, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let table = fs_err::read_to_string(&table).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    let speeds = |row: &[&str]| {
        ["flange_a.w", "flange_b.w"].map(|name| {
            let column = rows[0].iter().position(|heading| *heading == name).unwrap();
            row[column].parse::<f64>().unwrap()
        })
    };
    let given = |name: &str| -> f64 {
        let mut words = build.iter().chain(simulate);
        words.find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok()).unwrap()
    };
    let (inertias, start) = ([given("J_a"), given("J_b")], given("w_a_start"));
    let common = inertias[0] * start / (inertias[0] + inertias[1]);
    assert_eq!(speeds(&rows[1]), [start, 0.0]);
    let end = speeds(rows.last().unwrap());
    assert!(end.iter().all(|w| (w / common - 1.0).abs() < 1e-9), "{end:?} instead of {common}");

    let drawing = fs_err::read_to_string(&plot).unwrap();
    // The curves of a panel are in a group of their own, which clips them.
    let panels: Vec<&str> =
        drawing.split("<g clip-path=").skip(1).filter_map(|rest| rest.split("</g>").next()).collect();
    let moves = |path: &str| {
        let points = path.split('"').next().unwrap_or_default().trim_start_matches('M').split(" L");
        let heights: BTreeSet<&str> = points.filter_map(|point| Some(point.split_once(',')?.1)).collect();
        heights.len() > 1
    };
    for panel in &panels {
        assert!(panel.split("<path d=\"").skip(1).any(moves), "{panel}");
    }
    assert!(panels.len() > 1, "{drawing}");
}
