//! The importer's command line: what its commands do, and their messages about mistakes.

mod archives;
mod convert;
mod ending;
mod fit;
mod foreign;
mod foreign_3;
mod gallery;
mod inputs;
#[path = "../support/lines.rs"]
mod lines;
mod other_tools;
mod robots;
mod simulate;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use fmu_tests::finished;

/// Returns the archive that `cargo xtask build` makes.
fn archive() -> PathBuf {
    finished::archive("bushing")
}

/// Runs the importer on an archive.
fn importer(command: &str, file: &Path, arguments: &[&str]) -> Output {
    let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
    importer.arg(command).arg(file).args(arguments).env("RUST_BACKTRACE", "1").output().unwrap()
}

/// Returns the message of a failed simulation, without its `error: `.
fn refused(file: &Path, arguments: &[&str]) -> String {
    let output = importer("simulate", file, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// Runs a command in a folder; returns true if it succeeds, its output, and its notes.
fn run_in(command: &str, folder: &Path, arguments: &[&str]) -> (bool, String, String) {
    let mut importer = Command::new(env!("CARGO_BIN_EXE_fmu-importer"));
    let output = importer.arg(command).args(arguments).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// Returns the message of a command that is refused in a folder, without its `error: `.
fn refused_in(command: &str, folder: &Path, arguments: &[&str]) -> String {
    let (success, _, said) = run_in(command, folder, arguments);
    assert!(!success, "{said}");
    said.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_else(|| panic!("{said}")).to_owned()
}
