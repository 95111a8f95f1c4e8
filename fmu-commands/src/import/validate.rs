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
    /// Time limit.
    #[command(flatten)]
    pub limit: Limit,
}

impl Validate {
    /// The arguments that validate some of the files.
    pub fn of_files<P: AsRef<Path>>(&self, files: &[P]) -> Vec<OsString> {
        let timeout = format!("--timeout={}", self.limit.timeout().as_secs_f64());
        let mut arguments = vec!["validate".into(), timeout.into()];
        arguments.extend(self.strict.then(|| "--strict".into()));
        arguments.extend(self.json.then(|| "--json".into()));
        arguments.push("--".into());
        arguments.extend(files.iter().map(|file| file.as_ref().into()));
        arguments
    }

    /// The files that can be opened and read, which importers of others may get.
    pub fn safe_files(&self) -> Vec<PathBuf> {
        let is_safe = |file: &&PathBuf| Archive::open(file).is_ok_and(|archive| archive.has_safe_description());
        self.files.iter().filter(is_safe).cloned().collect()
    }
}
