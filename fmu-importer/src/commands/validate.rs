//! The command `validate`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use fmu_builder::console::say;
use fmu_importer::validate::{self, Severity};

#[derive(Args)]
pub struct Options {
    /// The files.
    #[arg(required = true, value_name = "FILE.fmu")]
    pub files: Vec<PathBuf>,
    /// Let warnings and matters of style fail as well.
    #[arg(long)]
    pub strict: bool,
}

/// Checks one file and prints each finding as it arises. Whether it has no errors.
pub fn run(file: &Path, strict: bool) -> Result<bool> {
    let name = file.file_name().unwrap_or(file.as_os_str()).display();
    let mut counts = [0; 3];
    let mut printed = Ok(());
    let checked = validate::file(file, |finding| {
        counts[finding.severity as usize] += 1;
        if printed.is_ok() {
            printed = say(format_args!("{name}: {finding}"));
        }
    });
    printed?;
    let errors = counts[Severity::Error as usize];
    if errors == 0 {
        let none = if counts == [0; 3] { "no problems" } else { "no errors" };
        let ran = checked.interfaces.join(" and ");
        say(format_args!("{name}: {none} ({} facts checked; ran {ran})", checked.facts))?;
    }
    Ok(errors == 0 && (!strict || counts == [0; 3]))
}
