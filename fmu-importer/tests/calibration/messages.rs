//! Each message of a fit file and its data.

use std::path::Path;

use fmu_tests::finished::archive;

use super::Case;

/// A fit file without mistakes.
const FILE: &str = "fmu = \"Model.fmu\"
values = { J_a = 1.0, w_a_start = 30.0, f_normalized = 1.0 }
[parameters]
fn_max = { start = 12.0, min = 1.0, max = 100.0 }
[[experiments]]
data = \"data.csv\"
outputs = { \"flange_a.w\" = \"speed\" }
";

/// Its data.
const DATA: &str = "time [s],speed [rad/s],torque [N.m]\n0,30,0\n0.1,29,0\n0.2,28,\n0.3,27,0\n";

fn case() -> Case {
    let case = Case { folder: tempfile::tempdir().unwrap() };
    fs_err::copy(archive("clutch"), case.path("Model.fmu")).unwrap();
    fs_err::write(case.path("data.csv"), DATA).unwrap();
    fs_err::write(case.path("fit.toml"), FILE).unwrap();
    case
}

/// Returns the message of the file with a change, without the folder.
fn message(case: &Case, from: &str, to: &str) -> String {
    assert!(FILE.contains(from), "{from}");
    fs_err::write(case.path("fit.toml"), FILE.replacen(from, to, 1)).unwrap();
    case.refusal()
}

#[test]
fn mistakes_in_the_file_are_named() {
    let case = case();
    for (from, to, expected) in [
        (
            "fmu = \"Model.fmu\"\n",
            "",
            "fit.toml:1:1: no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\"",
        ),
        ("values", "value", "fit.toml:2:1: unknown key `value`; did you mean `values`?"),
        ("data =", "date =", "fit.toml:6:1: unknown key `date`; did you mean `data`?"),
        (
            "data = \"data.csv\"\n",
            "",
            "fit.toml:5:1: the experiment has no data: add a line such as data = \"run.csv\"",
        ),
        ("outputs = { \"flange_a.w\" = \"speed\" }\n", "", "fit.toml:1:1: the section [outputs] is missing"),
        (
            "min = 1.0",
            "least = 1.0",
            "fit.toml:4:26: unknown key `least`; available: start, min, max, scale, mean, deviation, variables",
        ),
        (
            "{ start = 12.0, min = 1.0, max = 100.0 }",
            "12.0",
            "fit.toml:4:10: `fn_max` must be a table such as { start = 1.0, min = 0.1, max = 10.0 }",
        ),
        (
            "\"speed\"",
            "0",
            "fit.toml:7:28: `flange_a.w` must be the heading or number of a column, or { column = \"…\", deviation = … }",
        ),
        (
            "max = 100.0",
            "mean = 9.0",
            "fit.toml:4:44: `fn_max` has a mean, but no deviation: what is known beforehand needs both",
        ),
        (
            "max = 100.0",
            "deviation = 9.0",
            "fit.toml:4:49: `fn_max` has a deviation, but no mean: what is known beforehand needs both",
        ),
        ("max = 100.0", "scale = \"ln\"", "fit.toml:4:45: `scale` must be \"log\" or a number above 0"),
        ("max = 100.0", "mean = 9, deviation = 0", "fit.toml:4:59: `deviation` must be a number above 0"),
        ("values", "tolerance = -1\nvalues", "fit.toml:2:13: `tolerance` must be a number above 0"),
        ("values", "starts = 0\nvalues", "fit.toml:2:10: `starts` must be a whole number from 1 on"),
        (
            "values",
            "interface = \"cosim\"\nvalues",
            "fit.toml:2:13: `interface` must be \"co-simulation\" or \"model-exchange\"",
        ),
        (
            "[[experiments]]",
            "[experiments]",
            "fit.toml:5:1: no experiment is given: add a section [[experiments]] with data and outputs",
        ),
        (
            "data =",
            "range = \"x\"\ndata =",
            "fit.toml:6:9: `range` must be a range such as \"B4:E60\" or \"Sheet1!B4:E60\"",
        ),
        ("data =", "units = \"s\"\ndata =", "fit.toml:6:9: `units` must be an array of units, such as [\"s\", \"kN\"]"),
        ("data =", "decimal = \";\"\ndata =", "fit.toml:6:11: `decimal` must be \".\" or \",\""),
        (
            "data =",
            "units = [\"s\", \"mm\"]\ndata =",
            "data.csv, column 2 is in mm, which cannot be converted to rad/s",
        ),
        ("data =", "time = 0\ndata =", "fit.toml:6:8: `time` must be the heading of a column, or its number from 1"),
    ] {
        assert_eq!(message(&case, from, to), expected);
    }
}

#[test]
fn mistakes_in_names_and_values_are_named() {
    let case = case();
    for (from, to, expected) in [
        (
            "fn_max =",
            "fn_mx =",
            "fit.toml:4:1: Real parameters can be found: there is no variable `fn_mx`; did you mean `fn_max`?",
        ),
        ("fn_max =", "tau =", "fit.toml:4:1: Real parameters can be found: `tau` is an output"),
        (
            "\"flange_a.w\"",
            "\"flange_a.x\"",
            "fit.toml:7:13: there is no variable `flange_a.x`; did you mean `flange_a.w`?",
        ),
        ("\"flange_a.w\"", "cgeo", "fit.toml:7:13: `cgeo` is a parameter"),
        ("min = 1.0", "min = -1.0", "fit.toml:4:1: `fn_max` cannot be -1, it must be at least 0.0"),
        ("start = 12.0", "start = 0.5", "fit.toml:4:1: start of `fn_max` is 0.5, which must be from 1 to 100"),
        ("max = 100.0", "max = 1.0", "fit.toml:4:1: min of `fn_max` is 1, which must be below max, 1"),
        (
            "start = 12.0, min = 1.0",
            "start = 0, min = 0, scale = \"log\"",
            "fit.toml:4:1: start of `fn_max` is 0, but must be above 0 for scale = \"log\"",
        ),
        (
            "min = 1.0",
            "min = 0, scale = \"log\"",
            "fit.toml:4:1: min of `fn_max` is 0, but must be above 0 for scale = \"log\"",
        ),
        ("fn_max =", "J_a =", "fit.toml:4:1: `J_a` is to be found, but experiment 1 gives its value"),
        ("J_a = 1.0", "J_a = \"x\"", "fit.toml:2:12: cannot set `J_a`: `\"x\"` is not a number"),
        (
            "outputs",
            "inputs = { \"flange_a.tau\" = \"torque\" }\noutputs",
            "data.csv, row 4, column 3 is empty, but the input `flange_a.tau` needs all values",
        ),
        (
            "outputs",
            "inputs = { \"flange_a.tau\" = { column = \"torque\", deviation = 1 } }\noutputs",
            "fit.toml:7:12: the input `flange_a.tau` has a deviation: inputs are taken as they are",
        ),
        (
            "data =",
            "start = 1\ndata =",
            "fit.toml:5:1: the data begin at 0 s, before the start of the run at 1 s: add a line such as start = 0",
        ),
        (", max = 100.0", "", "`fn_max` needs min and max, since there are 2 starts"),
    ] {
        if expected.contains("2 starts") {
            fs_err::write(case.path("fit.toml"), format!("starts = 2\n{}", FILE.replacen(from, to, 1))).unwrap();
            assert_eq!(case.refusal(), expected);
        } else {
            assert_eq!(message(&case, from, to), expected);
        }
    }
}

#[test]
fn mistakes_in_data_are_named() {
    let case = case();
    for (text, expected) in [
        (
            "time [s],speed [rad/s]\n0,30\n0.2,29\n0.1,28\n",
            "data.csv, row 4: time 0.1 s comes after 0.2 s; times must increase",
        ),
        (
            "time [s],speed [rad/s]\n0,30\n,29\n0.1,28\n",
            "data.csv, row 3, column 1 is empty, but each row needs its time",
        ),
        ("time [s],speed [rad/s]\n0,30\n", "data.csv has one row only; a measurement needs several"),
        ("time [s],speed [rad/s]\n0,30\n0.1,29\n", "too few measured values: 3 are needed, but there are 2"),
    ] {
        fs_err::write(case.path("data.csv"), text).unwrap();
        assert_eq!(case.refusal(), expected);
    }
}

/// A run that fails at the start values says so.
#[test]
fn failing_runs_are_told() {
    let case = case();
    let text = message(&case, "w_a_start = 30.0", "w_a_start = 1e308");
    assert!(text.starts_with("experiment 1: "), "{text}");
}

#[test]
fn options_and_files_are_checked_first() {
    let case = case();
    let refused = |arguments: &[&str]| {
        let (success, _, said) = case.run(arguments);
        assert!(!success, "{said}");
        said.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    assert_eq!(refused(&["--output", "a.txt"]), "a.txt: a configuration is a .toml file");
    let output = ["--output", "a.toml"];
    let with = |more: &[&str]| refused(&[&output[..], more].concat());
    assert_eq!(with(&["--plot", "a.pdf"]), "a.pdf: a plot is an .svg or a .png file");
    assert_eq!(with(&["--results", "a.csv"]), "a.csv: results are a .json file");
    let rubber = ["--maxwell", "1", "--results", "a.json"];
    let (_, _, said) = case.run_with("data.csv", &[&output[..], &rubber].concat());
    assert_eq!(said, "error: --results a.json: results are those of a fit file, not of tables of rubber\n");
    for option in [&["--maxwell", "1"][..], &["--no-friction"], &["--sheet", "a"]] {
        let expected =
            format!("{} is for measurements of rubber; a fit file says all about its data itself", option[0]);
        assert_eq!(with(option), expected);
    }
    assert_eq!(with(&["xy=a.csv"]), "fit.toml is a fit file, which stands alone");
    assert_eq!(refused(&["--output", "fit.toml", "--force"]), "--output would overwrite the fit file, fit.toml");
    for (option, file, kind) in [
        ("--output", "old.toml", "a configuration"),
        ("--results", "mine.json", "a file with the results of a fit"),
        ("--plot", "old.svg", "an SVG drawing"),
    ] {
        // A fit file is none.
        fs_err::copy(case.path("fit.toml"), case.path(file)).unwrap();
        let given = if option == "--output" { vec![option, file] } else { vec![output[0], output[1], option, file] };
        let expected = format!("the existing file is not {kind}; delete it or choose another name");
        assert_eq!(refused(&[&given[..], &["--force"]].concat()), format!("{file}: cannot be written: {expected}"));
    }
    fs_err::remove_file(case.path("Model.fmu")).unwrap();
    fs_err::write(case.path("old.json"), "").unwrap();
    assert_eq!(with(&["--results", "old.json"]), "old.json: already exists; --force replaces it");
    assert!(!Path::new(&case.path("a.toml")).exists());
}

/// Warnings name what the data do not tell.
#[test]
fn doubtful_results_are_told() {
    let case = case();
    let warned = |text: String| {
        fs_err::write(case.path("fit.toml"), text).unwrap();
        let (success, printed, said) = case.run(&["--output", "a.toml", "--force"]);
        assert!(success, "{said}");
        (
            printed,
            said.lines()
                .filter_map(|line| line.strip_prefix("warning: fit.toml: ").map(str::to_owned))
                .collect::<Vec<_>>(),
        )
    };
    // Only the product of both is a torque.
    let more = "cgeo = { start = 1.0, min = 0.1 }\n[[experiments]]";
    let (printed, warnings) = warned(FILE.replace("[[experiments]]", more));
    assert_eq!(
        warnings,
        ["the data cannot tell apart `fn_max`, `cgeo`: only a combination of them is determined"],
        "{printed}"
    );
    assert!(printed.contains("undetermined"), "{printed}");
    // With one of them known beforehand, both are determined, but together.
    let more = more.replace("min = 0.1", "min = 0.1, mean = 1.0, deviation = 0.1");
    let rough = "{ column = \"speed\", deviation = 0.01 }";
    let (printed, warnings) = warned(FILE.replace("[[experiments]]", &more).replace("\"speed\"", rough));
    let expected = "the data hardly tell `fn_max` from `cgeo`: their correlation is -";
    assert!(warnings.len() == 1 && warnings[0].starts_with(expected), "{warnings:?}\n{printed}");
    let (printed, warnings) =
        warned(FILE.replace("[[experiments]]", "K_locked = { start = 1.0, min = 0.1, max = 10.0 }\n[[experiments]]"));
    assert_eq!(warnings, ["the data do not depend on `K_locked`"], "{printed}");
    let (printed, warnings) = warned(FILE.replace("max = 100.0", "max = 15.0"));
    assert_eq!(warnings, ["`fn_max` is at its bound, 15"], "{printed}");
}

/// While the clutch slides, the inertia behind it has no effect; the data have errors of measurement, which rounding must not
/// explain.
#[test]
fn a_parameter_without_influence_leaves_the_others_as_they_are() {
    let case = case();
    fs_err::write(case.path("data.csv"), "time [s],speed [rad/s]\n0,30.2\n0.1,28.8\n0.2,28.1\n0.3,27\n").unwrap();
    let more = "J_b = { start = 1.0, min = 0.1, max = 10.0, scale = \"log\" }\n[[experiments]]";
    let found = [FILE.to_owned(), FILE.replace("[[experiments]]", more)].map(|text| {
        fs_err::write(case.path("fit.toml"), text).unwrap();
        let (success, printed, said) = case.run(&["--output", "a.toml", "--force"]);
        assert!(success, "{said}");
        let line = printed.lines().find(|line| line.starts_with("fn_max")).expect("a line");
        let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        (numbers, printed, said)
    });
    let [(alone, ..), (both, printed, said)] = found;
    // Half of it is the slope of the straight line through the data.
    assert!((alone[1] - 20.0).abs() < 1e-4 && (both[1] - 20.0).abs() < 1e-4, "{printed}");
    assert!(said.contains("warning: fit.toml: the data do not depend on `J_b`\n"), "{said}");
    assert!(printed.contains("(exact derivatives of the runs)"), "{printed}");
}

/// A configuration without a place for a value.
#[test]
fn models_without_a_place_are_told() {
    let case = case();
    for (model, expected) in [
        (
            "component = \"clutch\"\nparameters = { J_a = 1.0 }\n",
            "model.toml:1:1: there is no section [parameters] for `fn_max`: add one with `fn_max`",
        ),
        ("[parts.a]\ntype = \"Inertia\"\nJ = 1.0\n", "model.toml:1:1: there is no part with a parameter `fn_max`"),
    ] {
        fs_err::write(case.path("model.toml"), model).unwrap();
        fs_err::write(case.path("fit.toml"), format!("model = \"model.toml\"\n{FILE}")).unwrap();
        let (success, _, said) = case.run(&["--output", "a.toml"]);
        assert!(!success && said.ends_with(&format!("error: {expected}\n")), "{said}");
        assert!(!case.path("a.toml").exists());
    }
}

#[test]
fn shapes_of_entries_are_checked() {
    let case = case();
    let (before, _) = FILE.split_once("[[").unwrap();
    fs_err::write(case.path("fit.toml"), format!("experiments = [1]\n{before}")).unwrap();
    assert_eq!(case.refusal(), "fit.toml:1:16: an experiment must be a section [[experiments]]");
    fs_err::copy(archive("bushing"), case.path("Model.fmu")).unwrap();
    let text = "fmu = \"Model.fmu\"\nparameters = { \"TS[1]\" = {} }\n[[experiments]]\ndata = \"data.csv\"\n";
    fs_err::write(case.path("fit.toml"), format!("{text}outputs = {{ \"frame_b.f\" = \"speed\" }}\n")).unwrap();
    assert_eq!(case.refusal(), "fit.toml:5:13: `frame_b.f` is an array: name one element");
}
