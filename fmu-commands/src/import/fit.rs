//! `fit`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::{Limit, Table};

/// A fit file for the help.
const EXAMPLE: &str = "A fit file:
  fmu = \"Train.fmu\"        # relative to this file
  model = \"train.toml\"     # its configuration, into which the values are written

  [parameters]             # what is to be found
  \"shaft.c\" = { start = 5e3, min = 1e3, max = 1e5, scale = \"log\" }

  [[experiments]]          # one for each measurement
  data = \"run.csv\"         # its columns, with units in the headings
  outputs = { \"motor.w\" = \"speed\" }
  inputs = { \"torque.tau\" = \"torque\" }";

/// Arguments of `fit`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Fit {
    /// A fit file (.toml), which names FMU, parameters and experiments; or, for the rubber of a bushing,
    /// tables of dynamic stiffness and loss angle over frequency, at several amplitudes, with one column for each quantity
    /// and its unit in the heading; a file is for all three translations, or for the axes before the equals sign, such as
    /// xy=radial.csv z=axial.csv, or 123=torsion.csv for the angles
    #[arg(required = true, value_name = "FIT.toml|[AXES=]FILE")]
    pub files: Vec<String>,
    /// File for the configuration
    #[arg(long, value_name = "FILE.toml")]
    pub output: PathBuf,
    /// Plot of the measured points and the curves, those of an FMU before and after the fit
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    /// Estimates, intervals, correlations, and the measured values beside the runs, of a fit file
    #[arg(long, value_name = "FILE.json")]
    pub results: Option<PathBuf>,
    /// Rubber: number of Maxwell elements; by default as many as the measurements support
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub maxwell: Option<u8>,
    /// Rubber: fit no friction
    #[arg(long)]
    pub no_friction: bool,
    /// The tables: frequency, amplitude, dynamic stiffness, loss angle.
    #[command(flatten)]
    pub table: Table,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
    /// Time limit.
    #[command(flatten)]
    pub limit: Limit,
}

impl Fit {
    /// Returns the fit file, if the only file is one.
    pub fn fit_file(&self) -> Option<&Path> {
        match &self.files[..] {
            [file] if file.ends_with(".toml") => Some(Path::new(file)),
            _ => None,
        }
    }

    /// Refuses options for the tables of rubber.
    ///
    /// # Errors
    ///
    /// When there is one.
    pub fn refuse_rubber(&self) -> Result<()> {
        let own = [("--maxwell", self.maxwell.is_some()), ("--no-friction", self.no_friction)];
        let own = own.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option);
        match own.or_else(|| self.table.given()) {
            Some(option) => bail!("{option} is for measurements of rubber; a fit file says all about its data itself"),
            None => Ok(()),
        }
    }
}
