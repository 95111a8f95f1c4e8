//! What the importer's commands leave behind when any of their file operations fails.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use faults::{Fault, Tracer, contents};
use fmu_tests::finished::archive;

type Files = BTreeMap<String, Vec<u8>>;

const SWEEP: &str = "step = 0.01\n[parameters]\nJ_a = [1, 2]\n[results]\nw_rel = ['max', 'series']\n";

/// The commands, which write into a folder, each with the faults that are tried with it.
fn commands(folder: &Path, fmu: &Path, sweep: &Path) -> [(Command, &'static [Fault]); 2] {
    let importer = |arguments: &[&str], files: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_importer"));
        // A killed one leaves there what it unpacked.
        command.args(arguments).env("TMPDIR", sweep.parent().expect("a folder"));
        for file in files.chunks(2) {
            command.arg(file[0]).arg(folder.join(file[1]));
        }
        command
    };
    let files = ["--output", "out.csv", "--plot", "out.svg"];
    let mut simulate = importer(&["simulate", "--stop", "0.1"], &files);
    simulate.arg(fmu);
    let mut many = importer(&["sweep"], &["--output", "out.parquet", "--points", "points.csv"]);
    many.arg(sweep).args(["--jobs", "1"]);
    [(simulate, &[Fault::Once]), (many, &[Fault::Full, Fault::Killed])]
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
fn what_was_there_stays_until_the_new_is_complete() {
    let Some(tracer) = Tracer::new() else { return };
    let (input, output) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = output.path();
    let sweep = input.path().join("sweep.toml");
    fs_err::write(&sweep, format!("fmu = '{}'\n{SWEEP}", archive("clutch").display())).unwrap();
    for (mut command, faults) in commands(folder, &archive("clutch"), &sweep) {
        replace(folder, &Files::new());
        assert!(command.status().unwrap().success());
        let complete = contents(folder);
        let old: Files = complete.keys().map(|name| (name.clone(), b"old".to_vec())).collect();
        for &fault in faults {
            let mut number = 0;
            loop {
                number += 1;
                replace(folder, &old);
                let run = tracer.run(folder, number, fault, &command);
                let context = format!("{command:?}, {fault:?} at {:?}", run.place);
                let said = String::from_utf8_lossy(&run.output.stderr);
                let mut found = contents(folder);
                // A sweep goes on by its journal, which must not be lost with what failed.
                let journal = found.remove("out.parquet.partial").is_some();
                match run.output.status.code() {
                    Some(0) => assert!(found == complete, "{context}"),
                    Some(1) => {
                        assert!(said.contains(&folder.display().to_string()), "{context}: {said}");
                        assert!(said.starts_with("error: ") && said.lines().count() == 1, "{context}: {said}");
                    }
                    Some(137) => found.retain(|name, _| !(name.starts_with('.') && name.ends_with(".part"))),
                    _ => panic!("{context}: {:?}, {said}", run.output.status),
                }
                assert_eq!(found.keys().collect::<Vec<_>>(), complete.keys().collect::<Vec<_>>(), "{context}");
                for (name, content) in &found {
                    assert!([&old[name], &complete[name]].contains(&content), "{context}: {name}");
                }
                let Some(_) = run.place else { break };
                if fault == Fault::Killed || journal {
                    let again = command.output().unwrap();
                    assert!(again.status.success(), "{context}: {}", String::from_utf8_lossy(&again.stderr));
                    assert!(contents(folder) == complete, "{context}");
                }
            }
            assert!(number > 20, "{command:?}, {fault:?}: {number}");
            println!("{fault:?}: {}", number - 1);
        }
    }
}
