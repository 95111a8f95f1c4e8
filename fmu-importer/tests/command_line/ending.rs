//! Ends of the importer when the FMU or the reader of its output ends first.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::archive;

fn importer(arguments: &[&str]) -> Command {
    let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
    importer.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    importer
}

fn entries(folder: &Path) -> usize {
    fs_err::read_dir(folder).unwrap().count()
}

#[test]
fn nobody_has_to_read_what_is_printed() {
    let archive = archive();
    for command in [&["validate"][..], &["simulate", "--stop", "0.1"]] {
        let mut importer = importer(command).arg(&archive).spawn().unwrap();
        drop(importer.stdout.take());
        let output = importer.wait_with_output().unwrap();
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
        assert!(output.status.success());
    }
}

#[test]
fn a_failure_is_one_whoever_reads() {
    let mut importer = importer(&["validate", "nowhere.fmu"]).spawn().unwrap();
    drop((importer.stdout.take(), importer.stderr.take()));
    assert_eq!(importer.wait().unwrap().code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = fs_err::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = importer(&["validate"]).arg(archive()).stdout(full.into_file()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: cannot write to the standard output: No space left"), "{said}");
}

#[test]
fn a_run_that_is_ended_leaves_nothing_behind() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("out.csv");
        let temporary = folder.path().join("tmp");
        fs_err::create_dir(&temporary).unwrap();
        let mut importer = importer(&["simulate", "--stop", "1e4", "--step", "2e-3", "--output"]);
        // The warning tells that the run has begun.
        importer.arg(&output).arg(archive()).args(["--set", "RotSeq=[3,1,3]"]).env("TMPDIR", &temporary);
        let mut importer = importer.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(importer.stderr.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("warning: "), "{line}");
        assert_eq!(entries(&temporary), 1);
        sleep(Duration::from_millis(10));
        let kill = Command::new("kill").args([&format!("-{signal}"), &importer.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(importer.wait().unwrap().code(), Some(130), "it must not end before");
        assert_eq!(entries(&temporary), 0);
        assert!(!output.exists());
        assert_eq!(entries(folder.path()), 1);
    }
}
