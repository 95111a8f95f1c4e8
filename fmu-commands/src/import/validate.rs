//! `validate`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use fmu_builder::Archive;

use super::Limit;

/// Arguments of `validate`.
#[derive(clap::Args, Clone, Default)]
pub struct Validate {
    /// The FMUs to check
    #[arg(required = true, value_name = "FILE.fmu")]
    pub files: Vec<PathBuf>,
    /// Fail on warnings and on matters of style, too
    #[arg(long)]
    pub strict: bool,
    /// Print a line of JSON for each file and each importer
    #[arg(long)]
    pub json: bool,
    /// Write a report in JUnit's format
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
    /// Time limit.
    #[command(flatten)]
    pub limit: Limit,
}

impl Validate {
    /// Returns the arguments with which the importer prints its verdict on one of the files.
    pub fn of_file(&self, file: &Path) -> Vec<OsString> {
        let timeout = format!("--timeout={}", self.limit.timeout().as_secs_f64());
        ["validate".into(), timeout.into(), "--json".into(), "--".into(), file.into()].into()
    }

    /// Returns the files that can be opened and read, which other projects' importers may get.
    pub fn safe_files(&self) -> Vec<PathBuf> {
        let is_safe = |file: &&PathBuf| {
            // FMI 1.0 is another format, on which one sentence is enough.
            let is_old =
                |archive: &Archive| matches!(archive.fmi_version(), Ok(Some(version)) if version.starts_with("1."));
            Archive::open(file).is_ok_and(|archive| archive.has_safe_description() && !is_old(&archive))
        };
        self.files.iter().filter(is_safe).cloned().collect()
    }
}
