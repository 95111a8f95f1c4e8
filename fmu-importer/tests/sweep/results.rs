//! The results of the runs.

use std::process::Command;

use fmu_tests::finished::{Fmu, root};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::{CLUTCH, Case, archive, numbers};

/// Both shafts together keep their momentum, and what the kinetic energy loses has become heat.
#[test]
fn each_run_has_its_own_parameters() {
    let table = Case::new("Clutch", CLUTCH).table();
    assert_eq!(table.len(), 1 + 12);
    let (inertia, speed) = (numbers(&table, "J_a"), numbers(&table, "w_a_start"));
    let (last, heat, peak) =
        (numbers(&table, "final(flange_a.w)"), numbers(&table, "mean(lossPower)"), numbers(&table, "max(lossPower)"));
    for run in 0..12 {
        // With 50 N.m, all shafts have come to the common speed long before the end.
        let common = inertia[run] * speed[run] / (inertia[run] + 1.0);
        assert!((last[run] - common).abs() < 1e-9 * speed[run], "run {run}: {} is not {common}", last[run]);
        assert_eq!(peak[run], 50.0 * speed[run]);
        let lost = 0.5 * inertia[run] * speed[run] * (speed[run] - common);
        // The power falls linearly and ends within a step of 10 ms, which the mean takes as a line.
        assert!((0.5 * heat[run] - lost).abs() < 0.01 * peak[run], "run {run}: {} is not {lost}", 0.5 * heat[run]);
    }
}

/// A constant torque of 50 N.m brings both shafts to one speed after a time that is known.
#[test]
fn times_and_integrals_are_those_of_the_closed_form() {
    let results = "[results]
        lossPower = 'integral'
        w_rel = ['when > -5', 'when > 1', 'settling', 'settling 1']
        mode = 'changes'
        locked = ['when = true', 'changes']";
    let (text, _) = CLUTCH.split_once("[results]").unwrap();
    let table = Case::new("Clutch", &format!("step = 1e-3{text}{results}")).table();
    let column = |name: &str| numbers(&table, name);
    for run in 0..12 {
        let (inertia, speed) = (column("J_a")[run], column("w_a_start")[run]);
        let slope = 50.0 / inertia + 50.0;
        let end = speed / slope;
        let heat = 0.5 * speed * speed * inertia / (inertia + 1.0);
        let close = |name: &str, expected: f64, error: f64| {
            let found = column(name)[run];
            assert!((found - expected).abs() < error, "{name} is {found}, not {expected}, in run {run}");
        };
        close("integral(lossPower)", heat, 50.0 * speed * 1e-3);
        close("when(w_rel > -5)", (speed - 5.0) / slope, 1e-9);
        close("settling(w_rel)", (speed - 0.02 * speed) / slope, 1e-3);
        close("settling(w_rel, 1)", (speed - 1.0) / slope, 1e-9);
        close("changes(mode)", 1.0, 0.5);
        close("changes(locked)", 1.0, 0.5);
        let locked = column("when(locked = true)")[run];
        assert!(end <= locked && locked < end + 1e-3 + 1e-12, "{locked} after {end}");
    }
    let never = table[0].iter().position(|name| name == "when(w_rel > 1)").unwrap();
    assert!(table[1..].iter().all(|row| row[never].is_empty()));
}

/// The numbers are those of `simulate`, which prints a trajectory.
#[test]
fn a_run_is_that_of_simulate() {
    let text = "
        input = 'drive.csv'
        step = 0.005
        [parameters]
        TS = [[1e6, 2e6, 3e6]]
        [results]
        'frame_b.f[1]' = ['series', 'rms', 'peak']
        'frame_a.f[1]' = 'series'";
    let case = Case::new("Bushing", text);
    fs_err::write(case.path("drive.csv"), "time,frame_b.r_0[1]\n0,0\n0.02,0.001\n0.05,-0.002\n").unwrap();
    let table = case.table();
    let simulated = Command::new(env!("CARGO_BIN_EXE_fmu-importer"))
        .args(["simulate", "--input", "drive.csv", "--step", "0.005", "--set", "TS=[1e6,2e6,3e6]"])
        .args(["--output", "one.csv"])
        .arg(archive("Bushing"))
        .current_dir(case.folder.path())
        .output()
        .unwrap();
    assert!(simulated.status.success());
    let (one, series) = (case.csv("one.csv"), case.csv("out.series.csv"));
    assert_eq!(series[0], ["run", "time", "frame_b.f[1]", "frame_a.f[1]"]);
    for name in ["time", "frame_b.f[1]", "frame_a.f[1]"] {
        assert_eq!(numbers(&series, name), numbers(&one, name), "{name}");
    }
    let force = numbers(&one, "frame_b.f[1]");
    assert_eq!(numbers(&table, "peak(frame_b.f[1])"), [force.iter().fold(0.0_f64, |peak, f| peak.max(f.abs()))]);
    // The integral of the square by Simpson's rule, which is exact for the square of a line.
    let square: f64 = force.windows(2).map(|f| f[0].powi(2) + (f[0] + f[1]).powi(2) + f[1].powi(2)).sum();
    let rms = (square / 6.0 / (force.len() - 1) as f64).sqrt();
    let found = numbers(&table, "rms(frame_b.f[1])")[0];
    assert!((found / rms - 1.0).abs() < 1e-12, "{found} is not {rms}");
}

/// The results are those of the same signals in a table whose headings are names.
#[test]
fn columns_units_and_formats_of_the_input_are_given() {
    let results = "stop = 0.05\n[parameters]\nTS = [[1e6, 2e6, 3e6]]\n[results]\n'frame_b.f[1]' = ['peak', 'final']\n";
    let plain = Case::new("Bushing", &format!("input = 'drive.csv'\n{results}"));
    fs_err::write(plain.path("drive.csv"), "time,frame_b.r_0[1]\n0,0\n0.02,0.001\n0.05,-0.002\n").unwrap();
    let expected = plain.table();
    let bench = b"Pr\xfcfstand;7;\nZeit;Temperatur;L\xe4nge [\xb5m]\n0;20,5;0\n20;20,6;1\n50;20,7;-2\nEnde;;\n";
    for keys in [
        "columns = ['time=Zeit', 'frame_b.r_0[1]=Länge']\nunits = ['ms', 'mm']\nrange = 'A2:C5'\nencoding = 'latin1'",
        "columns = ['frame_b.r_0[1]=3', 'time=1']\nunits = ['mm', 'ms']\nrange = 'A3:C5'\ndelimiter = ';'\ndecimal = ','",
    ] {
        let case = Case::new("Bushing", &format!("input = 'bench.csv'\n{keys}\n{results}"));
        fs_err::write(case.path("bench.csv"), bench).unwrap();
        assert_eq!(case.table(), expected, "{keys}");
    }
}

/// Makes a sweep whose second run fails, since the friction surfaces have no width there.
fn failing(head: &str, results: &str) -> Case {
    Case::with_surfaces(&format!("{head}[parameters]\nr_i = [0.1, 0.6, 0.2]\n[results]\n{results}\n"))
}

#[test]
fn a_failed_run_is_told_in_its_row_and_stops_no_other() {
    let case = failing("", "flange_a.w = ['final', 'series']");
    assert_eq!(case.refused(&["--output", "out.csv"]), "1 run failed; the column status of its row says why");
    let table = case.csv("out.csv");
    let rows: Vec<_> = table.iter().map(|row| row.join("|")).collect();
    assert_eq!(rows[..2], ["run|r_i|final(flange_a.w)|status", "1|0.1|0|ok"]);
    assert!(
        rows[2].starts_with("2|0.6||fmi2ExitInitializationMode returned fmi2Error: ") && rows[2].contains("r_i"),
        "{}",
        rows[2]
    );
    assert_eq!(rows[3], "3|0.2|0|ok");
    let runs = numbers(&case.csv("out.series.csv"), "run");
    assert_eq!([1.0, 2.0, 3.0].map(|run| runs.iter().filter(|other| **other == run).count()), [101, 0, 101]);
    assert_eq!(case.entries(), ["Surfaces.fmu", "out.csv", "out.series.csv", "sweep.toml"]);
}

#[test]
fn parquet_holds_what_csv_does() {
    let case = failing("stop = 0.1\n", "flange_a.w = ['final', 'when > 1']\nmode = ['max', 'series']");
    case.refused(&["--output", "out.csv"]);
    case.refused(&["--output", "out.parquet"]);
    for file in ["out", "out.series"] {
        let csv = case.csv(&format!("{file}.csv"));
        let reader = SerializedFileReader::try_from(case.path(&format!("{file}.parquet")).as_path()).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(|row| {
            let row = row.unwrap();
            let shown = |(_, field): (&String, &Field)| match field {
                Field::Long(value) => value.to_string(),
                Field::Double(value) => value.to_string(),
                Field::Str(text) => text.clone(),
                Field::Null => String::new(),
                other => panic!("{other:?}"),
            };
            row.get_column_iter().map(shown).collect::<Vec<_>>()
        });
        assert_eq!(rows.collect::<Vec<_>>(), csv[1..]);
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let names: Vec<_> = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        assert_eq!(names, csv[0]);
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let text = CLUTCH.replace("'final'", "['final', 'series']");
    let tables = ["1", "2", "7"].map(|jobs| {
        let case = Case::new("Clutch", &text);
        case.complete(&["--output", "out.parquet", "--jobs", jobs]);
        [case.path("out.parquet"), case.path("out.series.parquet")].map(|path| fs_err::read(path).unwrap())
    });
    assert!(tables[0] == tables[1] && tables[1] == tables[2]);
}

#[test]
fn it_is_quiet_where_nobody_looks() {
    let output = Case::new("Clutch", CLUTCH).run(&["--output", "out.csv"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("out.csv: 12 runs in ") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_grid_has_a_picture() {
    let case = Case::new("Clutch", CLUTCH);
    case.complete(&["--output", "out.csv", "--plot", "out.svg"]);
    let svg = fs_err::read_to_string(case.path("out.svg")).unwrap();
    // In each of three panels, each curve has a line and four filled and framed markers, and so has its legend with one.
    let colours = ["#0072b2", "#d55e00", "#009e73"].map(|colour| svg.matches(colour).count());
    assert_eq!(colours, [3 * (1 + 2 * 4 + 1 + 2); 3]);
}

/// Eight values have eight colours in an order, told by a legend with units.
#[test]
fn many_curves_have_an_order_of_colours() {
    let text = CLUTCH.replace("[10, 20, 30]", "{ from = 10, to = 80, count = 8 }");
    let case = Case::new("Clutch", &text);
    case.complete(&["--output", "out.csv", "--plot", "out.svg"]);
    let svg = fs_err::read_to_string(case.path("out.svg")).unwrap();
    assert!(svg.contains("#440154") && svg.contains("#bddf26") && !svg.contains("#0072b2"));
}

/// Each cell of each panel has the colour of its value: the power at the start rises with the speed.
#[test]
fn two_axes_have_a_heat_map() {
    let case = Case::new("Clutch", CLUTCH);
    case.complete(&["--output", "out.csv", "--heat-map", "out.svg"]);
    let svg = fs_err::read_to_string(case.path("out.svg")).unwrap();
    let count = |colour: &str| svg.matches(colour).count();
    // Four inertias each with the smallest, the middle and the largest power.
    assert!([count("#440154"), count("#21918c"), count("#bddf26")].iter().all(|count| *count >= 4), "{svg}");
    let said = case.refused(&["--output", "out.csv", "--heat-map", "sweep.toml"]);
    assert_eq!(said, "sweep.toml: a plot is an .svg or a .png file");
}

/// The sweep files are those that the documentation shows.
#[test]
fn the_sweeps_shown_can_be_run() {
    let root = root();
    let page = fs_err::read_to_string(root.join("docs/many-runs.md")).unwrap();
    let blocks: Vec<_> = page.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 2);
    for block in blocks {
        let case = Case::new("Clutch", "");
        fs_err::write(case.path("sweep.toml"), block.replace("\"../", &format!("\"{}/", root.display()))).unwrap();
        let output = case.run(&["--points", "points.csv"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    for file in ["bushing-sweep.toml", "engagement-sweep.toml", "clutch-sweep.toml"] {
        assert!(page.contains(&fs_err::read_to_string(root.join("docs").join(file)).unwrap()), "{file} is not shown");
    }
}

#[test]
fn items_of_enumerations_are_shown_by_their_names() {
    let fmu = Fmu::new("bushing", &["nonlinear_TS=true"]);
    let case = Case::new("Bushing", "");
    let write = |items: &str| {
        let text = format!("stop = 0.01\n[parameters]\nsm_TS = {items}\n[results]\nlossPower = 'max'");
        fs_err::write(case.path("sweep.toml"), format!("fmu = '{}'\n{text}", fmu.file.display())).unwrap();
    };
    write("['spline', 1]");
    let table = case.table();
    assert_eq!(table.iter().map(|row| row[1].as_str()).collect::<Vec<_>>(), ["sm_TS", "spline", "linear"]);
    write("['cubic']");
    let expected = "sweep.toml:4:9: cannot set `sm_TS`: `cubic` is not one of linear, spline, akima";
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
}
