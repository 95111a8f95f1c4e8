//! The examples of `docs/fit.md`.

use fmu_builder::description::VariableType;
use fmu_builder::{Settings, Standard};
use fmu_tests::finished::{packed, resolve};

use super::{Case, EXAMPLES, page};

/// The data have errors of 2 %, the result is a configuration that builds, and everything else in it is as it was.
#[test]
fn the_examples_find_their_truth() {
    // The page runs that of the train.
    for (name, component, truth) in EXAMPLES.into_iter().skip(1) {
        let case = Case::of_example(name, component);
        let files = fs_err::read_dir(page("")).unwrap().map(|entry| entry.unwrap().path());
        for file in files.filter(|file| file.extension().is_some_and(|extension| extension == "csv")) {
            fs_err::copy(&file, case.path(file.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        let (success, printed, said) =
            case.run(&["--output", "found.toml", "--plot", "found.svg", "--results", "found.json"]);
        assert!(success && !said.contains("warning"), "{said}");
        assert!(printed.contains("(from, to: 95 % interval)"), "{printed}");
        let text = fs_err::read_to_string(case.path("found.toml")).unwrap();
        let before = fs_err::read_to_string(page(&format!("{name}.toml"))).unwrap();
        assert!(text.starts_with("# Fitted to fit.toml.\n"), "{text}");
        let differing = text.lines().skip(1).zip(before.lines()).filter(|(after, before)| after != before).count();
        assert!(differing <= truth.len() && text.lines().count() == before.lines().count() + 1, "{text}");
        let settings = Settings::from_toml(&case.path("found.toml")).unwrap();
        let description = resolve(component, &settings).unwrap();
        for (name, expected) in truth {
            let variable = description.variables.iter().find(|variable| variable.name == *name).unwrap();
            let VariableType::Real { start: Some(found), .. } = variable.kind else { panic!("{name}") };
            assert!((found / expected - 1.0).abs() < 0.1, "{name}: {found}\n{printed}");
        }
        let results = fs_err::read_to_string(case.path("found.json")).unwrap();
        let results: serde_json::Value = serde_json::from_str(&results).unwrap();
        assert_eq!(results["parameters"].as_array().unwrap().len(), truth.len());
        for (row, (name, expected)) in results["parameters"].as_array().unwrap().iter().zip(truth) {
            let [low, high] = [0, 1].map(|end| row["interval"][end].as_f64().unwrap());
            // One of twenty is beside its interval, none far away.
            let is_near = low - (high - low) < *expected && *expected < high + (high - low);
            assert!(row["name"] == *name && is_near, "{row}");
        }
        let measured = &results["measurements"][0];
        assert_eq!(measured["measured"].as_array().unwrap().len(), measured["after"].as_array().unwrap().len());
        let drawing = fs_err::read_to_string(case.path("found.svg")).unwrap();
        // Points, both curves, and deviations.
        for colour in ["#009e73", "#999999", "#0072b2", "#d55e00"] {
            assert!(drawing.contains(colour), "{name}: {colour}");
        }
    }
}

/// Runs of FMI 3.0 are differentiated as those of FMI 2.0, also by elements of arrays.
#[test]
fn both_standards_have_exact_derivatives() {
    // The friction of the mount remembers what has no derivative.
    for (name, component, truth) in EXAMPLES.into_iter().take(2) {
        let case = Case::of_example(name, component);
        for file in fs_err::read_dir(page("")).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|extension| extension == "csv") {
                fs_err::copy(&file, case.path(file.file_name().unwrap().to_str().unwrap())).unwrap();
            }
        }
        let values = || {
            let (success, printed, said) = case.run(&["--output", "found.toml", "--results", "found.json", "--force"]);
            assert!(success && printed.contains("(exact derivatives of the runs)"), "{name}: {printed}{said}");
            let text = fs_err::read_to_string(case.path("found.json")).unwrap();
            let results: serde_json::Value = serde_json::from_str(&text).unwrap();
            let rows = results["parameters"].as_array().unwrap();
            rows.iter().map(|row| row["value"].as_f64().unwrap()).collect::<Vec<_>>()
        };
        let two = values();
        let description = resolve(component, &Settings::from_toml(&page(&format!("{name}.toml"))).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = packed(component, &description, Standard::Fmi3, folder.path());
        fs_err::copy(file, case.path("Model.fmu")).unwrap();
        for ((two, three), (parameter, _)) in two.iter().zip(values()).zip(truth) {
            assert!((two / three - 1.0).abs() < 1e-5, "{name}: {parameter} is {two} and {three}");
        }
    }
}
