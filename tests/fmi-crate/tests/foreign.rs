//! FMUs whose code ends the process, or never returns, by the `fmi` crate.

#![cfg(unix)]

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use fmu_tests::corpus::Corpus;
use fmu_tests::foreign::{VARIABLE, behaving};
use fmu_tests::foreign_3::CORRECT;
use tempfile::TempDir;

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

#[test]
fn what_fmi_allows_has_no_problem() {
    let stateless = Corpus::model_exchange("")
        .with("NO_STATES=1")
        .replaced("<Real derivative=\"1\"/>", "<Real/>")
        .replaced("<Derivatives><Unknown index=\"2\"/></Derivatives>\n", "");
    for corpus in
        [stateless, Corpus::co_simulation("").with("ENDS=1"), Corpus::co_simulation("").with("REFUSES_SIZES=1")]
    {
        let told = verdict(&corpus.write());
        assert!(told.contains("\"problems\":[],\"ran\":[\""), "{told}");
    }
}

#[test]
fn what_the_crate_does_not_support_is_a_note() {
    let root = "<fmiModelDescription ";
    let namespace = format!("{root}xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ");
    let told = verdict(&Corpus::co_simulation("").replaced(root, &namespace).write());
    assert!(told.contains("[{\"severity\":\"note\",\"text\":\"it cannot read the file: "), "{told}");
    assert!(!told.contains("\"error\""), "{told}");
}

/// Returns the verdict on an FMU with a behaviour.
fn told(behaviour: &str) -> String {
    verdict(&behaving(&[VARIABLE], behaviour))
}

/// Returns the verdict on an FMU in its folder.
fn verdict((folder, file): &(TempDir, PathBuf)) -> String {
    let told = folder.path().join("verdict");
    Command::new(env!("CARGO_BIN_EXE_fmi-crate"))
        .arg("1")
        .arg(&told)
        .arg(file)
        .env("TMPDIR", folder.path())
        .status()
        .unwrap();
    std::fs::read_to_string(told).unwrap_or_default()
}

/// Each of these FMUs offers what it claims, and nothing else.
#[test]
fn what_fmi_3_allows_has_no_problem() {
    for foreign in CORRECT {
        let told = verdict(&foreign.packed());
        assert!(told.contains("\"problems\":[],\"ran\":[\""), "{} {}: {told}", foreign.behaviour, foreign.states);
    }
}
