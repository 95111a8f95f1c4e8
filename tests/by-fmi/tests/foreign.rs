//! FMUs whose code ends the process, or never returns, by the `fmi` crate.

#![cfg(unix)]

use std::process::Command;
use std::thread;

use fmu_tests::foreign::{VARIABLE, behaving};

#[test]
fn code_that_does_not_return_ends_at_the_limit() {
    let hangs = |behaviour: &str, last: &str| {
        let told = told(behaviour);
        assert!(told.contains(&format!("\"no call has returned for 1 s after {last}\"")), "{told}");
    };
    thread::scope(|scope| {
        for (behaviour, last) in [
            ("HANGS_IN_LOAD", "reading the file"),
            ("HANGS", "fmi2DoStep from 0.4 s to 0.5 s"),
            ("HANGS_IN_FREE", "fmi2Terminate"),
            ("HANGS_IN_UNLOAD", "fmi2Terminate"),
        ] {
            scope.spawn(move || hangs(behaviour, last));
        }
    });
    assert!(told("HANGS_AT_EXIT").ends_with("\"problems\":[],\"ran\":[\"Co-Simulation\"]}"));
}

#[test]
fn code_that_ends_the_process_leaves_no_verdict() {
    assert_eq!(told("EXITS"), "");
}

/// The verdict on an FMU with a behaviour.
fn told(behaviour: &str) -> String {
    let (folder, file) = behaving(&[VARIABLE], behaviour);
    let told = folder.path().join("verdict");
    Command::new(env!("CARGO_BIN_EXE_by-fmi"))
        .arg("1")
        .arg(&told)
        .arg(file)
        .env("TMPDIR", folder.path())
        .status()
        .unwrap();
    std::fs::read_to_string(told).unwrap_or_default()
}
