//! FMUs of other tools: their freedoms, and code that ends the process, crashes, or never returns.

#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use fmu_commands::import::verdict::{ERROR, Verdict};
use fmu_importer::{Interface, Simulation};
use fmu_tests::foreign::{EXCHANGE, FIXED, VARIABLE, archive, behaving, made_by, stateless};

/// Runs the importer with temporary files in a folder, in which none may stay.
fn importer(command: &str, file: &Path, arguments: &[&str]) -> Output {
    let temporary = file.with_extension("tmp");
    fs_err::create_dir_all(&temporary).unwrap();
    let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
    importer.arg(command).arg(file).args(arguments).env("TMPDIR", &temporary);
    let output = importer.output().unwrap();
    assert_eq!(fs_err::read_dir(&temporary).unwrap().count(), 0, "temporary files stay");
    output
}

fn said(output: &[u8]) -> &str {
    std::str::from_utf8(output).unwrap()
}

#[test]
fn code_that_ends_the_process_is_an_error() {
    let (_folder, file) = archive(&[VARIABLE]);
    let csv = file.with_extension("csv");
    for (behaviour, how) in [(1, "exit status: 0"), (2, "signal: 6 (SIGABRT)")] {
        let set = format!("behaviour={behaviour}");
        let output = importer("simulate", &file, &["--set", &set, "--output", csv.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        let line = said(&output.stderr);
        let expected = format!("error: {}: the FMU terminated the process ({how}", file.display());
        assert!(line.starts_with(&expected), "{line}");
        assert!(!csv.exists());
    }
}

#[test]
fn a_call_that_does_not_return_ends_at_its_limit() {
    let (_folder, file) = archive(&[VARIABLE]);
    let begin = Instant::now();
    let output = importer("simulate", &file, &["--set", "behaviour=3", "--timeout", "0.5"]);
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said(&output.stderr), "error: fmi2DoStep has not returned after 0.5 s\n");
}

#[test]
fn each_file_has_a_verdict_however_its_validation_ends() {
    let examine = |(behaviour, problem): (&str, &str)| {
        let (folder, file) = behaving(&[VARIABLE], behaviour);
        let damaged = folder.path().join("Damaged.fmu");
        fs_err::write(&damaged, "no archive").unwrap();
        let arguments = [damaged.to_str().unwrap(), "--timeout", "1"];
        let output = importer("validate", &file, &arguments);
        assert_eq!((output.status.code(), said(&output.stderr)), (Some(1), ""));
        let expected = format!(
            "Foreign.fmu: error: {problem}\nDamaged.fmu: error: is truncated or not a zip archive\n\
             2 FMUs: 0 accepted, 2 not: {}, {}\n",
            file.display(),
            damaged.display()
        );
        assert!(said(&output.stdout).ends_with(&expected), "{}", said(&output.stdout));

        let output = importer("validate", &file, &[&arguments[..], &["--json"]].concat());
        assert_eq!((output.status.code(), said(&output.stderr)), (Some(1), ""));
        let lines = said(&output.stdout).lines();
        let verdicts: Vec<Verdict> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        let files: Vec<_> = verdicts.iter().map(|verdict| Path::new(&verdict.file)).collect();
        assert_eq!(files, [file.as_path(), &damaged]);
        let errors: Vec<_> = verdicts[0].problems.iter().filter(|problem| problem.severity == ERROR).collect();
        let [found] = &errors[..] else { panic!("{}", said(&output.stdout)) };
        assert_eq!((found.severity.as_str(), found.text.as_str()), (ERROR, problem));
    };
    thread::scope(|scope| {
        for case in [
            ("EXITS", "the FMU terminated the process (exit status: 0)"),
            ("HANGS", "fmi2DoStep has not returned after 1 s"),
            ("HANGS_IN_LOAD", "loading the library has not returned after 1 s"),
            ("HANGS_IN_FREE", "fmi2FreeInstance has not returned after 1 s"),
            ("HANGS_IN_UNLOAD", "unloading the library has not returned after 1 s"),
        ] {
            scope.spawn(move || examine(case));
        }
    });
}

#[test]
fn a_library_that_hangs_when_it_is_asked_for_its_description_is_an_error() {
    let (_folder, file) = made_by("mechanical-fmus 0.1.0", &[VARIABLE], "HANGS_IN_LOAD");
    let archive = fs_err::OpenOptions::new().read(true).write(true).open(&file).unwrap();
    let mut writer = zip::ZipWriter::new_append(archive).unwrap();
    writer.start_file("resources/configuration.txt", zip::write::SimpleFileOptions::default()).unwrap();
    writer.finish().unwrap();
    let output = importer("validate", &file, &["--timeout", "0.5"]);
    let expected = "Foreign.fmu: error: loading and describing the library has not returned after 0.5 s\n";
    assert_eq!((output.status.code(), said(&output.stdout)), (Some(1), expected));
}

#[test]
fn a_process_that_has_told_its_outcome_need_not_end() {
    let (_folder, file) = behaving(&[VARIABLE], "HANGS_AT_EXIT");
    let output = importer("validate", &file, &["--timeout", "0.5"]);
    assert!(output.status.success() && said(&output.stdout).contains("; ran Co-Simulation)"), "{output:?}");
}

#[test]
fn what_an_fmu_prints_is_not_among_the_verdicts() {
    let (_folder, file) = behaving(&[VARIABLE], "PRINTS");
    let output = importer("validate", &file, &["--json"]);
    assert!(said(&output.stderr).contains("{\"stepped\":{\"stepped\":"), "{}", said(&output.stderr));
    let verdict: Verdict = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(Path::new(&verdict.file), file);
    assert!(!verdict.problems.iter().any(|problem| problem.severity == ERROR), "{}", said(&output.stdout));
}

#[test]
fn a_sweep_that_the_fmu_ends_keeps_its_journal() {
    let (folder, file) = archive(&[VARIABLE]);
    let sweep = folder.path().join("sweep.toml");
    let text = "fmu = 'Foreign.fmu'\n[parameters]\nbehaviour = [0, 7, 4, 1]\n[results]\nx = 'final'\n";
    fs_err::write(&sweep, text).unwrap();
    let csv = folder.path().join("out.csv");
    let arguments = ["--jobs", "1", "--output", csv.to_str().unwrap()];
    let output = importer("sweep", &sweep, &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output.stderr));
    let journal = fs_err::read_to_string(folder.path().join("out.csv.partial")).unwrap();
    assert_eq!(journal.lines().count(), 4, "{journal}");
    // Without the last run, values that are not numbers and runs that ended early are in the rows.
    fs_err::remove_file(folder.path().join("out.csv.partial")).unwrap();
    fs_err::write(&sweep, text.replace(", 1]", "]")).unwrap();
    let output = importer("sweep", &sweep, &arguments);
    assert!(said(&output.stderr).ends_with("error: 2 runs failed; the column status of their rows says why\n"));
    let rows = fs_err::read_to_string(&csv).unwrap();
    assert!(rows.contains("2,7,,final(x) is NaN\n"), "{rows}");
    assert!(rows.contains("3,4,,the FMU ended the simulation at 0.5 s\n"), "{rows}");
    assert!(file.exists());
}

/// From 0.5 s on an integrator needs steps of some nanoseconds.
#[test]
fn interfaces_are_compared_as_far_as_the_evaluations_reach() {
    let (_folder, file) = behaving(&[VARIABLE, EXCHANGE], "JITTERS");
    let output = importer("validate", &file, &[]);
    assert!(said(&output.stdout).contains("; ran Co-Simulation and Model Exchange, compared until 0.49"), "{output:?}");
    let verdict: Verdict = serde_json::from_slice(&importer("validate", &file, &["--json"]).stdout).unwrap();
    assert!(verdict.compared_until.is_some_and(|time| (0.49..0.5).contains(&time)), "{:?}", verdict.compared_until);
}

#[test]
fn findings_have_severities_and_only_errors_fail() {
    let (_folder, file) = archive(&[EXCHANGE, VARIABLE]);
    let output = importer("validate", &file, &[]);
    let lines = said(&output.stdout);
    assert!(output.status.success(), "{lines}");
    for line in lines.lines().rev().skip(1) {
        assert!(line.starts_with("Foreign.fmu: style: ") || line.starts_with("Foreign.fmu: warning: "), "{line}");
    }
    assert!(lines.contains("Foreign.fmu: style: there are no LogCategories (L-5)\n"), "{lines}");
    assert!(lines.contains("ran Co-Simulation and Model Exchange"), "{lines}");
    assert!(!importer("validate", &file, &["--strict"]).status.success());
}

#[test]
fn a_run_that_the_fmu_ends_keeps_its_output() {
    for (interfaces, interface) in [([VARIABLE], "co-simulation"), ([EXCHANGE], "model-exchange")] {
        let (_folder, file) = archive(&interfaces);
        let csv = file.with_extension("csv");
        let arguments = ["--interface", interface, "--set", "behaviour=4", "--output", csv.to_str().unwrap()];
        let output = importer("simulate", &file, &arguments);
        assert!(output.status.success());
        assert_eq!(said(&output.stderr), "note: the FMU ended the simulation at 0.5 s\n");
        let rows = fs_err::read_to_string(&csv).unwrap();
        let last: Vec<f64> = rows.lines().last().unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
        assert!((last[0] - 0.5).abs() < 1e-12 && (last[1] - 0.5).abs() < 1e-12, "{last:?}");
    }
}

#[test]
fn an_asynchronous_step_is_an_error() {
    let (_folder, file) = archive(&[VARIABLE]);
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.set("behaviour=5").unwrap();
    let message = format!("{:#}", simulation.run().unwrap_err());
    let expected = "fmi2DoStep returned fmi2Pending, although steps are synchronous: the FMU gave no reason";
    assert!(message.ends_with(expected), "{message}");
}

#[test]
fn steps_of_one_size_stay_so() {
    let (_folder, file) = archive(&[FIXED]);
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.set("behaviour=6").unwrap();
    let trajectory = simulation.run().unwrap();
    assert!((trajectory.time.last().unwrap() - 0.9).abs() < 1e-12);
    assert_eq!(simulation.notes(), ["the FMU has a fixed step size: the run ends at 0.9 s"]);
    simulation.stop = 0.05;
    let expected = "the FMU has a fixed step size, which is longer than the run of 0.05 s";
    assert_eq!(simulation.run().unwrap_err().to_string(), expected);
}

/// The pulse is inside of one communication step.
#[test]
fn inputs_between_communication_points_count() {
    for (interfaces, interface) in [([VARIABLE], Interface::CoSimulation), ([EXCHANGE], Interface::ModelExchange)] {
        let (folder, file) = archive(&interfaces);
        let pulse = folder.path().join("pulse.csv");
        fs_err::write(&pulse, "time,u\n0,-1\n0.52,-1\n0.52,9\n0.56,9\n0.56,-1\n0.9,-1\n").unwrap();
        let mut simulation = Simulation::load_as(&file, interface).unwrap();
        simulation.read_inputs(&pulse).unwrap();
        let trajectory = simulation.run().unwrap();
        assert_eq!(trajectory.time.len(), 10, "communication points are those that were asked for");
        let x = *trajectory.column("x").unwrap().last().unwrap();
        assert!((x - 0.4).abs() < 1e-9, "{interface:?}: {x}");
    }
}

#[test]
fn model_exchange_is_integrated_with_its_events() {
    let (_folder, file) = archive(&[EXCHANGE]);
    let mut simulation = Simulation::load(&file).unwrap();
    simulation.stop = 2.5;
    let trajectory = simulation.run().unwrap();
    for (time, x) in trajectory.time.iter().zip(trajectory.column("x").unwrap()) {
        let away = (x - time.fract()).abs();
        assert!(away < 1e-9 || (away - 1.0).abs() < 1e-9, "{time}: {x}");
    }
}

/// Some FMUs of other tools end the process when they are asked for the nominal values of no states.
#[test]
fn what_an_fmu_without_states_does_not_have_is_not_asked_for() {
    let (_folder, file) = stateless();
    let output = importer("simulate", &file, &[]);
    assert!(output.status.success(), "{}", said(&output.stderr));
    let output = importer("validate", &file, &[]);
    assert!(!said(&output.stdout).contains("ended"), "{}", said(&output.stdout));
}
