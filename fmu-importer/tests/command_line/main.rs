//! The importer's command line: what its commands do, and their messages about mistakes.

mod archives;
mod convert;
mod ending;
mod fit;
mod foreign;
mod foreign_3;
mod gallery;
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
