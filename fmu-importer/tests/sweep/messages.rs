//! Messages about mistakes in a sweep file, before anything is run.

use std::io::Write;

use fmu_builder::Archive;

use crate::{CLUTCH, Case, archive};

const RESULTS: &str = "\n[results]\nflange_a.w = 'final'";

/// Returns the message about a clutch's sweep with this text; `fmu = …` is the first line.
fn said(text: &str) -> String {
    Case::new("Clutch", text).refused(&["--output", "out.csv"])
}

#[test]
fn every_mistake_has_its_message() {
    let cases = [
        ("stopp = 1", "2:1: unknown key `stopp`; did you mean `stop`?"),
        (
            "frequency = 1",
            "2:1: unknown key `frequency`; available: fmu, input, sheet, range, columns, units, decimal, delimiter, \
             encoding, skip, start, stop, step, design, samples, seed, parameters, results",
        ),
        ("stop = '1'", "2:8: `stop` must be a number"),
        ("stop = inf", "2:8: `stop` must be a number"),
        ("input = 1", "2:9: `input` must be a string in quotation marks"),
        ("sheet = 'A'", "1:1: sheet needs an input: add a line such as input = \"motion.xlsx\""),
        ("skip = ['A']", "1:1: skip needs an input: add a line such as input = \"motion.xlsx\""),
        ("input = 'a.csv'\nskip = 'A'", "3:8: `skip` must be an array of strings, such as [\"Temperature\"]"),
        ("decimal = ','", "1:1: decimal needs an input: add a line such as input = \"motion.xlsx\""),
        ("input = 'a.csv'\ndecimal = ';'", "3:11: `decimal` must be \".\" or \",\""),
        ("input = 'a.csv'\nunits = 'mm'", "3:9: `units` must be an array of units, such as [\"s\", \"kN\"]"),
        (
            "input = 'a.csv'\ncolumns = ['time=']",
            "3:11: columns: `time=` must be NAME=HEADING or NAME=NUMBER, such as time=Zeit or frame_a.f[1]=2",
        ),
        ("samples = 5", "2:11: `samples` needs design = \"latinHypercube\"; other designs have none"),
        ("seed = 5", "2:8: `seed` needs design = \"latinHypercube\"; other designs have none"),
        ("design = 'sobol'", "2:10: unknown design `sobol`; available: \"grid\", \"points\" and \"latinHypercube\""),
        ("design = 'latinHypercube'", "2:10: the number of points is missing: add a line such as samples = 100"),
        ("design = 'latinHypercube'\nsamples = 0", "3:11: `samples` must be a whole number from 1 on"),
        ("design = 'latinHypercube'\nsamples = 9\nseed = 0.5", "4:8: `seed` must be a whole number from 0 on"),
        ("", "1:1: the section [parameters] is missing"),
        ("parameters = 1", "2:14: `parameters` must be a section: [parameters]"),
        ("[parameters]", "2:1: the section [parameters] is empty"),
    ];
    for (text, expected) in cases {
        assert_eq!(said(text), format!("sweep.toml:{expected}"), "{text}");
    }
}

#[test]
fn every_wrong_parameter_has_its_message() {
    #[rustfmt::skip]
    let cases = [
        ("J_aa = [1]",
         "3:1: [parameters] takes parameters and inputs: there is no variable `J_aa`; did you mean `J_a`?"),
        ("lossPower = [1]", "3:1: [parameters] takes parameters and inputs: `lossPower` is an output"),
        ("J_a = [1, -2]", "3:7: `J_a` cannot be -2, it must be at least 1.0e-12"),
        ("J_a = -2", "3:7: `J_a` cannot be -2, it must be at least 1.0e-12"),
        ("J_a = [1, 'heavy']", "3:7: cannot set `J_a`: `heavy` is not a number"),
        ("J_a = [1, nan]", "3:7: cannot set `J_a`: `nan` is not a finite number"),
        (
            "J_a = []",
            "3:7: `J_a` is one value, but the given value is a vector of 0; to sweep it, give a list of values of \
             its own shape",
        ),
        (
            "J_a = [[1, 2], [3, 4]]",
            "3:7: `J_a` is one value, but the given value is a matrix of 2 × 2; to sweep it, give a list of values of its \
             own shape",
        ),
        ("J_a = [1, [2]]", "3:7: values must be numbers, strings, Booleans, or lists of these"),
        ("J_a = 1979-05-27", "3:7: values must be numbers, strings, Booleans, or lists of these"),
        ("J_a = { form = 1, to = 2, count = 3 }", "3:9: unknown key `form`; did you mean `from`?"),
        ("J_a = {}", "3:7: `J_a` lacks `from`"),
        ("J_a = { from = 1, count = 3 }", "3:7: `J_a` lacks `to`"),
        ("J_a = { from = 1, to = 2 }", "3:7: `J_a` lacks `count`"),
        ("J_a = { from = 1, to = 2, count = 1 }", "3:35: `count` must be a whole number from 2 to 1000000"),
        ("J_a = { from = 1, to = 2, count = 2.5 }", "3:35: `count` must be a whole number from 2 to 1000000"),
        ("J_a = { from = 'a', to = 2, count = 2 }", "3:16: `from` must be a finite number"),
        ("J_a = { from = -1, to = 2, count = 2 }", "3:7: `J_a` cannot be -1, it must be at least 1.0e-12"),
        ("J_a = { from = 0, to = 2, count = 2, spacing = 'log' }",
         "3:7: a logarithmic scale takes `from` and `to` both positive, or both negative"),
        ("J_a = { from = 1e-200, to = 1e200, count = 3, spacing = 'log' }",
         "3:7: a logarithmic scale takes `from` and `to` whose ratio is below 1e308"),
        ("J_a = { from = 1, to = 2, count = 1000000000000 }", "3:35: `count` must be a whole number from 2 to 1000000"),
        ("J_a = { from = 1, to = 2, count = 2, spacing = 'cubic' }",
         "3:48: unknown spacing `cubic`; available: \"linear\" and \"log\""),
        ("J_a = { from = 1, to = 2, count = 2, spacing = 3 }", "3:48: `spacing` must be a string in quotation marks"),
        ("J_a = { from = 1, to = 2, distribution = 'uniform' }", "3:27: a grid has no `distribution`"),
        ("J_a = [1]\n'J_a' = [1]", "4:1: duplicate key"),
        ("J_a = { from = 1, to = 2, count = 1000000 }\nJ_b = { from = 1, to = 2, count = 1000 }",
         "3:1: these are 1e9 runs; at most 10000000 are allowed"),
    ];
    for (text, expected) in cases {
        assert_eq!(said(&format!("[parameters]\n{text}{RESULTS}")), format!("sweep.toml:{expected}"), "{text}");
    }
}

#[test]
fn an_array_and_its_element_are_not_both_set() {
    let text = "[parameters]\nTS = [[1, 2, 3]]\n'TS[1]' = [1]\n[results]\nlossPower = 'max'";
    let said = Case::new("Bushing", text).refused(&["--output", "out.csv"]);
    assert_eq!(said, "sweep.toml:4:1: `TS[1]` is set twice");
    let text = "[parameters]\nTS = [1, 2]\n[results]\nlossPower = 'max'";
    let said = Case::new("Bushing", text).refused(&["--output", "out.csv"]);
    let expected = "`TS` is a vector of 3, but the given value is a vector of 2; to sweep it, give a list of values of \
                    its own shape";
    assert_eq!(said, format!("sweep.toml:3:6: {expected}"));
}

#[test]
fn every_wrong_distribution_has_its_message() {
    #[rustfmt::skip]
    let cases = [
        ("J_a = { from = 1, to = 2, count = 2 }", "5:27: a Latin hypercube has no `count`"),
        ("J_a = { from = 2, to = 1 }", "5:24: `to` must be larger than `from`"),
        ("J_a = { from = -2, to = 1 }", "5:7: `J_a` cannot be -2, it must be at least 1.0e-12"),
        ("J_a = { distribution = 'logUniform', from = 0, to = 1 }",
         "5:7: a logarithmic scale takes `from` and `to` both positive, or both negative"),
        ("J_a = { distribution = 'logUniform', from = 1e-300, to = 1e300 }",
         "5:7: a logarithmic scale takes `from` and `to` whose ratio is below 1e308"),
        ("J_a = { distribution = 'normal', mean = 1e308, deviation = 1e308, from = 1 }",
         "5:1: run 3: `J_a` cannot be inf, it must be finite; `from` and `to` cut a distribution"),
        ("J_a = { from = 1, to = 2, mean = 1 }", "5:27: a uniform distribution has no `mean`"),
        ("J_a = { distribution = 'cauchy', mean = 1 }",
         "5:24: unknown distribution `cauchy`; available: \"uniform\", \"logUniform\" and \"normal\""),
        ("J_a = { distribution = 'normal', mean = 1 }", "5:7: `J_a` lacks `deviation`"),
        ("J_a = { distribution = 'normal', mean = 1, deviation = 0 }", "5:56: `deviation` must be positive"),
        ("J_a = { distribution = 'normal', mean = 1, deviation = 1, from = 2, to = 1 }",
         "5:74: `to` must be larger than `from`"),
        ("J_a = { distribution = 'normal', mean = 1, deviation = 1, from = 9 }",
         "5:7: hardly any of the distribution lies between `from` and `to`"),
    ];
    let head = "design = 'latinHypercube'\nsamples = 4\n";
    for (text, expected) in cases {
        assert_eq!(said(&format!("{head}[parameters]\n{text}{RESULTS}")), format!("sweep.toml:{expected}"), "{text}");
    }
    let normal = "J_a = { distribution = 'normal', mean = 0, deviation = 1 }";
    let said = said(&format!("{head}[parameters]\n{normal}{RESULTS}"));
    let end = "it must be at least 1.0e-12; `from` and `to` cut a distribution";
    assert!(
        said.starts_with("sweep.toml:5:1: run ") && said.contains(": `J_a` cannot be -") && said.ends_with(end),
        "{said}"
    );
    let text = format!("{head}[parameters]\nRotSeq = {{ from = 1, to = 3 }}\n[results]\nlossPower = 'max'");
    let said = Case::new("Bushing", &text).refused(&["--output", "out.csv"]);
    assert_eq!(said, "sweep.toml:5:10: `RotSeq` is not Real: list its values, [ … ]");
}

#[test]
fn every_wrong_result_has_its_message() {
    let a_result = "a result is one or a list of final, min, max, peak, mean, rms, integral, changes, settling, series, \
                    and conditions such as \"when > 10\", as texts";
    #[rustfmt::skip]
    let cases = [
        ("los = 'max'", "5:1: there is no variable `los`; did you mean `lossPower`?".to_owned()),
        ("lossPower = 'maximum'", format!("5:13: {a_result}")),
        ("lossPower = ['max', 1]", format!("5:21: {a_result}")),
        ("lossPower = []", format!("5:13: {a_result}")),
        ("lossPower = ['max', 'max']", "5:21: max of `lossPower` is listed twice".to_owned()),
        ("lossPower = ['series', 'series']", "5:24: series of `lossPower` is listed twice".to_owned()),
        ("", "4:1: the section [results] is empty".to_owned()),
        ("lossPower = 'max 1'", format!("5:13: {a_result}")),
        ("lossPower = 'changes'",
         "5:13: `lossPower` is Real: changes are counted of an Integer, a Boolean or an enumeration".to_owned()),
        ("lossPower = 'settling none'",
         "5:13: the band of `settling none` must be a number above 0, such as \"settling 0.01\"".to_owned()),
        ("lossPower = 'settling -1'",
         "5:13: the band of `settling -1` must be a number above 0, such as \"settling 0.01\"".to_owned()),
        ("lossPower = 'when'",
         "5:13: a condition for `lossPower` is \"when > 10\" or \"when < 10\", not `when`".to_owned()),
        ("lossPower = 'when = 1'",
         "5:13: a condition for `lossPower` is \"when > 10\" or \"when < 10\", not `when = 1`".to_owned()),
        ("mode = 'when is 1'",
         "5:8: a condition for `mode` is \"when = 1\", \"when > 1\" or \"when < 1\", not `when is 1`".to_owned()),
        ("locked = 'when > true'",
         "5:10: a condition for `locked` is an equation such as \"when = true\", not `when > true`".to_owned()),
        ("locked = 'when = maybe'", "5:10: `when = maybe` of `locked`: `maybe` is neither true nor false".to_owned()),
        ("lossPower = 'when > much'", "5:13: `when > much` of `lossPower`: `much` is not a number".to_owned()),
        ("w_rel = ['when > 1', 'when  > 1']", "5:22: when  > 1 of `w_rel` is listed twice".to_owned()),
    ];
    for (text, expected) in cases {
        let found = said(&format!("[parameters]\nJ_a = [1]\n[results]\n{text}"));
        assert_eq!(found, format!("sweep.toml:{expected}"), "{text}");
    }
}

#[test]
fn what_simulate_refuses_is_refused() {
    let parameters = format!("[parameters]\nJ_a = [1]{RESULTS}");
    assert_eq!(said(&format!("step = 0\n{parameters}")), "the step must be a positive number, not 0 s");
    let missing = said(&format!("input = 'nowhere.csv'\n{parameters}"));
    assert!(missing.contains("nowhere.csv"), "{missing}");
    let case = Case::new("Clutch", "");
    fs_err::write(case.path("sweep.toml"), "fmu = 'nowhere.fmu'\n[parameters]\nx = 1\n[results]\ny = 'max'").unwrap();
    let missing = case.refused(&["--output", "out.csv"]);
    assert!(missing.contains("nowhere.fmu"), "{missing}");
    fs_err::write(case.path("sweep.toml"), "[parameters]\n").unwrap();
    let expected = "sweep.toml:1:1: no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\"";
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
}

#[test]
fn an_input_is_driven_or_constant() {
    let case = Case::new("Clutch", &format!("input = 'drive.csv'\n{CLUTCH}"));
    fs_err::write(case.path("drive.csv"), "time,f_normalized\n0,0\n0.3,1\n").unwrap();
    let expected = "sweep.toml:9:1: `f_normalized` cannot be a constant, since the input has a column for it";
    assert_eq!(case.refused(&["--output", "out.csv"]), expected);
    let text = CLUTCH.replace("f_normalized = 1\n", "");
    let case = Case::new("Clutch", &format!("input = 'drive.csv'\n{text}"));
    fs_err::write(case.path("drive.csv"), "time,f_normalized\n0,0\n0.3,1\n").unwrap();
    let output = case.run(&["--output", "out.csv"]);
    let note = "note: the input ends at 0.3 s, before the stop at 0.5 s: its last values hold from then on\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), note);
}

#[test]
fn no_file_of_the_command_is_overwritten() {
    let text = CLUTCH.replace("f_normalized = 1\n", "").replace("'final'", "'series'");
    let case = Case::new("Clutch", &format!("input = 'drive.csv'\n{text}"));
    fs_err::write(case.path("drive.csv"), "time,f_normalized\n0,0\n0.5,1\n").unwrap();
    let before = case.entries();
    for (arguments, expected) in [
        (&["--output", "drive.csv"][..], "--output would overwrite the input, drive.csv"),
        (&["--points", "drive.csv"], "--points would overwrite the input, drive.csv"),
        (&["--output", "a.csv", "--points", "a.csv"], "--points would overwrite --output, a.csv"),
        (&["--output", "a.csv", "--points", "a.csv.partial"], "--points would overwrite the journal, a.csv.partial"),
        (&["--output", "a.csv", "--points", "a.series.csv"], "--points would overwrite the series, a.series.csv"),
        (&["--output", "a.csv", "--plot", "drive.csv"], "drive.csv: a plot is an .svg or a .png file"),
        (&["--output", "a.xlsx"], "a.xlsx: results are a .parquet or a .csv file"),
    ] {
        assert_eq!(case.refused(arguments), expected);
    }
    let said = case.refused(&["--output", "no/a.csv"]);
    assert!(said.starts_with("no/a.csv: cannot be written: there is no folder "), "{said}");
    assert_eq!(case.entries(), before);
}

#[test]
fn an_fmu_for_one_instance_runs_one_at_a_time() {
    let case = Case::new("Clutch", CLUTCH);
    let original = Archive::open(&archive("Clutch")).unwrap();
    let mut writer = zip::ZipWriter::new(std::fs::File::create(case.path("Single.fmu")).unwrap());
    for entry in original.entries() {
        let mut bytes = original.read(&entry.name).unwrap();
        if entry.name == "modelDescription.xml" {
            let xml = String::from_utf8(bytes).unwrap();
            let flag = "<CoSimulation canBeInstantiatedOnlyOncePerProcess=\"true\"";
            bytes = xml.replacen("<CoSimulation", flag, 1).into_bytes();
        }
        let options = zip::write::SimpleFileOptions::default().unix_permissions(0o755);
        writer.start_file(&entry.name, options).unwrap();
        writer.write_all(&bytes).unwrap();
    }
    writer.finish().unwrap();
    case.complete(&["--output", "several.csv", "--jobs", "3"]);
    fs_err::write(case.path("sweep.toml"), format!("fmu = 'Single.fmu'\n{CLUTCH}")).unwrap();
    let output = case.run(&["--output", "single.csv", "--jobs", "3"]);
    let note = "note: the FMU allows only one instance per process, so its runs are sequential\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), note);
    assert_eq!(case.csv("single.csv"), case.csv("several.csv"));
}

#[test]
fn a_warning_is_shown_once_with_its_run() {
    let text = "stop = 0.01\n[parameters]\nRotSeq = [[1, 2, 3], [3, 1, 3]]\n[results]\nlossPower = 'max'";
    let output = Case::new("Bushing", text).run(&["--output", "out.csv"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("run 2: warning: Bushing: the Euler angles in the sequence [3, 1, 3] are singular"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn what_has_no_plot_is_told_before_the_run() {
    let one_number = "only a grid over one or two parameters can be plotted, and the first must be a number";
    let results = "[results]\nw_rel = 'max'";
    for (text, expected) in [
        (format!("[parameters]\nJ_a = 1\n{results}"), one_number),
        (format!("[parameters]\nJ_a = [1]\nJ_b = [1]\ncgeo = [1]\n{results}"), one_number),
        (format!("[parameters]\nmue_pos = [[[0, 0.1]], [[0, 0.2]]]\n{results}"), one_number),
        (format!("design = 'latinHypercube'\nsamples = 3\n[parameters]\nJ_a = [1]\n{results}"), one_number),
        (
            format!("[parameters]\nJ_a = [1]\nJ_b = {{ from = 1, to = 2, count = 33 }}\n{results}"),
            "a plot has 32 curves at most, not 33: one for each value of the second parameter",
        ),
        (
            "[parameters]\nJ_a = [1]\n[results]\nw_rel = 'series'".to_owned(),
            "there are no results to plot other than series",
        ),
    ] {
        let case = Case::new("Clutch", &text);
        assert_eq!(case.refused(&["--output", "out.csv", "--plot", "out.svg"]), expected, "{text}");
        assert_eq!(case.entries(), ["sweep.toml"]);
    }
}

#[test]
fn what_has_no_heat_map_is_told_before_the_run() {
    let two_numbers = "only a grid over two parameters that are numbers has a heat map";
    let results = "[results]\nw_rel = 'max'";
    for (text, expected) in [
        (format!("[parameters]\nJ_a = [1, 2]\n{results}"), two_numbers),
        (format!("design = 'points'\n[parameters]\nJ_a = [1]\nJ_b = [1]\n{results}"), two_numbers),
        (format!("[parameters]\nJ_a = [1]\nmue_pos = [[[0, 0.1]], [[0, 0.2]]]\n{results}"), two_numbers),
        (
            format!("[parameters]\nJ_a = {{ from = 1, to = 2, count = 5001 }}\nJ_b = [1, 2]\n{results}"),
            "a heat map has 10000 cells at most, not 10002: one for each run",
        ),
        (
            "[parameters]\nJ_a = [1]\nJ_b = [1]\n[results]\nw_rel = 'series'".to_owned(),
            "there are no results to plot other than series",
        ),
    ] {
        let case = Case::new("Clutch", &text);
        assert_eq!(case.refused(&["--output", "out.csv", "--heat-map", "out.svg"]), expected, "{text}");
        assert_eq!(case.entries(), ["sweep.toml"]);
    }
}
