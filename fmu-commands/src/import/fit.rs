//! `fit`.

use std::path::PathBuf;

use super::Table;

/// Arguments of `fit`.
#[derive(clap::Args)]
pub struct Fit {
    /// Tables of dynamic stiffness and loss angle over frequency, at several amplitudes, with one column for each quantity
    /// and its unit in the heading; a file is for all three translations, or for the axes before the equals sign, such as
    /// xy=radial.csv z=axial.csv, or 123=torsion.csv for the angles
    #[arg(required = true, value_name = "[AXES=]FILE")]
    pub files: Vec<String>,
    /// File for the configuration
    #[arg(long, value_name = "FILE.toml")]
    pub output: PathBuf,
    /// Plot of the measured points and the fitted curves
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    /// Number of Maxwell elements; by default as many as the measurements support
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    pub maxwell: Option<u8>,
    /// Fit no friction
    #[arg(long)]
    pub no_friction: bool,
    /// The tables: frequency, amplitude, dynamic stiffness, loss angle.
    #[command(flatten)]
    pub table: Table,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}
