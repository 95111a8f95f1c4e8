//! The arguments of `validate`, `simulate`, `sweep`, `linearize`, `fit` and `convert`.
//!
//! The importer carries them out, a program of its own that gets the same arguments: so all have the same help, and
//! mistakes in the arguments are reported before that program is compiled or started.

mod convert;
mod driven;
mod fit;
pub mod fmpy;
mod linearize;
mod progress_lines;
pub mod report;
mod simulate;
pub mod stopped;
mod sweep;
mod table_arguments;
mod validate;
pub mod verdict;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result};

pub use convert::Convert;
pub use driven::Driven;
pub use fit::Fit;
pub use linearize::Linearize;
pub use progress_lines::ProgressLines;
pub use simulate::{By, Simulate};
pub use sweep::Sweep;
pub use table_arguments::Table;
pub use validate::Validate;

/// The commands.
#[derive(clap::Subcommand)]
pub enum Import {
    /// Check FMUs and print every problem
    Validate(Validate),
    /// Simulate an FMU; print, save or draw its outputs
    Simulate(Simulate),
    /// Run an FMU many times with different parameters
    Sweep(Sweep),
    /// Find linear systems, modes and frequency responses of an FMU at an operating point
    Linearize(Box<Linearize>),
    /// Find parameters from measurements: of any FMU, or of the rubber of a bushing
    Fit(Box<Fit>),
    /// Convert the property file of a bushing, or a measured hysteresis loop, to a configuration
    Convert(Convert),
}

impl Import {
    /// Returns the one file that the command cannot do without.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Validate(Validate { files, .. }) => match &files[..] {
                [file] => Some(file),
                _ => None,
            },
            Self::Simulate(Simulate { file, .. }) | Self::Sweep(Sweep { file, .. }) => Some(file),
            Self::Linearize(options) => Some(&options.file),
            Self::Fit(options) => options.fit_file(),
            Self::Convert(_) => None,
        }
    }
}

/// Runs a program, such as the importer; returns its exit status.
///
/// # Errors
///
/// When it cannot be run, or a signal ended it, since it has then reported nothing itself.
pub fn ended(command: &mut Command) -> Result<i32> {
    let status = command.status().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    status.code().with_context(|| format!("{} ended by {status}", command.get_program().display()))
}

/// The time limit for the code of an FMU.
#[derive(clap::Args, Clone, Default)]
pub struct Limit {
    /// Time limit for a single call into the FMU, in s; 60 by default
    #[arg(long, value_name = "T", value_parser = seconds)]
    timeout: Option<Duration>,
}

impl Limit {
    /// Returns the longest time of a call.
    pub fn timeout(&self) -> Duration {
        self.timeout.unwrap_or(Duration::from_secs(60))
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|limit| !limit.is_zero()).ok_or_else(|| "must be a positive number of seconds".to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_a_signal_ends_has_crashed() {
        let shell = |script: &str| ended(Command::new("sh").args(["-c", script])).map_err(|error| format!("{error:#}"));
        assert_eq!(shell("exit 3"), Ok(3));
        assert_eq!(shell("kill -9 $$"), Err("sh ended by signal: 9 (SIGKILL)".to_owned()));
        let absent = ended(&mut Command::new("/no-such-program")).unwrap_err();
        assert!(format!("{absent:#}").starts_with("cannot run /no-such-program: "), "{absent:#}");
    }
}
