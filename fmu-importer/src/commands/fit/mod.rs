//! The command `fit`: rubber from tables, or parameters of any FMU as a fit file says.

mod measurements;
mod rubber;

use std::path::Path;

use anyhow::{Result, bail};
use fmu_commands::import::Fit as Options;

/// Finds the parameters.
pub fn run(options: &Options) -> Result<()> {
    match &options.files[..] {
        [file] if options.fit_file().is_some() => measurements::run(options, Path::new(file)),
        files => match files.iter().find(|file| file.ends_with(".toml")) {
            Some(file) => bail!("{file} is a fit file, which stands alone"),
            None => rubber::run(options),
        },
    }
}
