//! `sweep`.

use std::num::NonZero;
use std::path::PathBuf;

use super::Limit;

/// A sweep file for the help.
const EXAMPLE: &str = "A sweep file:
  fmu = \"Front.fmu\"        # relative to this file; input, start, stop and step as for simulate

  [parameters]             # lists and ranges form a grid
  TS = { from = 5e5, to = 8e6, count = 9, spacing = \"log\" }
  TD = [2e3, 1e4, 5e4]

  [results]                # final, min, max, peak, mean, rms, integral, changes, settling, series
  \"frame_b.f\" = \"peak\"
  lossPower = [\"integral\", \"when > 1e3\"]";

/// Arguments of `sweep`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Sweep {
    /// The sweep: FMU, values of parameters, and results
    #[arg(value_name = "SWEEP.toml")]
    pub file: PathBuf,
    /// File for the results, one row for each run
    #[arg(long, value_name = "FILE.parquet|.csv", required_unless_present = "points")]
    pub output: Option<PathBuf>,
    /// CSV file for the parameter values, one row for each run; without --output, nothing is run
    #[arg(long, value_name = "CSV")]
    pub points: Option<PathBuf>,
    /// Plot the results of a grid over its first parameter, with one curve for each value of the second
    #[arg(long, value_name = "FILE.svg|.png", requires = "output")]
    pub plot: Option<PathBuf>,
    /// Draw the results of a grid over two parameters as colours
    #[arg(long, value_name = "FILE.svg|.png", requires = "output")]
    pub heat_map: Option<PathBuf>,
    /// Number of parallel runs; by default, the number of processors
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,
    /// Time limit.
    #[command(flatten)]
    pub limit: Limit,
}
