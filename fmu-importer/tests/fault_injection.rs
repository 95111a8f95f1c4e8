//! What the importer's commands leave behind when any of their file operations fails.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use fault_injection::{Fault, Run, Tracer, contents};
use fmu_tests::finished::archive;

type Files = BTreeMap<String, Vec<u8>>;

const SWEEP: &str = "step = 0.01\n[parameters]\nJ_a = [1, 2]\n[results]\nw_rel = ['max', 'series']\n";

/// A command that writes files into a folder, given by their options and names.
fn importer(arguments: &[&str], folder: &Path, files: &[[&str; 2]], fmu: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
    command.args(arguments);
    for [option, file] in files {
        command.arg(option).arg(folder.join(file));
    }
    command.arg(fmu);
    command
}

fn replace(folder: &Path, files: &Files) {
    for name in contents(folder).keys() {
        fs_err::remove_file(folder.join(name)).unwrap();
    }
    for (name, content) in files {
        fs_err::write(folder.join(name), content).unwrap();
    }
}

#[test]
#[ignore = "expensive: fails each file operation"]
fn what_a_simulation_writes_stays_until_the_new_is_complete() {
    let arguments = ["simulate", "--stop", "0.1"];
    let files = [["--output", "out.csv"], ["--plot", "out.svg"]];
    examine(Fault::Once, |folder, _| importer(&arguments, folder, &files, &archive("clutch")));
}

#[test]
#[ignore = "expensive: fails each file operation"]
fn what_a_sweep_writes_stays_until_the_new_is_complete() {
    examine(Fault::Full, sweep);
}

#[test]
#[ignore = "expensive: fails each file operation"]
fn what_a_sweep_writes_stays_when_it_is_killed() {
    examine(Fault::Killed, sweep);
}

fn sweep(folder: &Path, input: &Path) -> Command {
    let sweep = input.join("sweep.toml");
    fs_err::write(&sweep, format!("fmu = '{}'\n{SWEEP}", archive("clutch").display())).unwrap();
    let files = [["--output", "out.parquet"], ["--points", "points.csv"]];
    importer(&["sweep", "--jobs", "1"], folder, &files, &sweep)
}

/// Tries a fault at each file operation of a command, which is made for a folder to write to and one to read from.
fn examine(fault: Fault, command: impl Fn(&Path, &Path) -> Command) {
    let Some(tracer) = Tracer::new() else { return };
    let (input, output) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = output.path();
    let command = || {
        let mut command = command(folder, input.path());
        // A killed one leaves there what it unpacked.
        command.env("TMPDIR", input.path());
        command
    };
    assert!(command().output().unwrap().status.success());
    let complete = contents(folder);
    // Only files of the kind are replaced.
    let old: Files = complete.iter().map(|(name, content)| (name.clone(), [content, &b"old"[..]].concat())).collect();
    let shown = format!("{:?}", command());
    let start = || {
        replace(folder, &old);
        command()
    };
    let faults = tracer.everywhere(folder, fault, start, |Run { place, output }| {
        let context = format!("{shown}, {fault:?} at {place:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        let mut found = contents(folder);
        // A sweep goes on by its journal, which must not be lost with what failed.
        let journal = found.remove("out.parquet.partial").is_some();
        match output.status.code() {
            Some(0) => assert!(found == complete, "{context}"),
            Some(1) => {
                assert!(said.contains(&folder.display().to_string()), "{context}: {said}");
                assert!(said.starts_with("error: ") && said.lines().count() == 1, "{context}: {said}");
            }
            Some(137) => found.retain(|name, _| !(name.starts_with('.') && name.ends_with(".part"))),
            _ => panic!("{context}: {:?}, {said}", output.status),
        }
        assert_eq!(found.keys().collect::<Vec<_>>(), complete.keys().collect::<Vec<_>>(), "{context}");
        for (name, content) in &found {
            assert!([&old[name], &complete[name]].contains(&content), "{context}: {name}");
        }
        if place.is_some() && (fault == Fault::Killed || journal) {
            let again = command().output().unwrap();
            assert!(again.status.success(), "{context}: {}", String::from_utf8_lossy(&again.stderr));
            assert!(contents(folder) == complete, "{context}");
        }
    });
    assert!(faults >= 20, "{fault:?}: {faults}");
}
