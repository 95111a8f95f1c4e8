//! `fit`.

use std::path::PathBuf;

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
    /// Headings or numbers of the columns: frequency, amplitude, dynamic stiffness, loss angle
    #[arg(long, value_name = "A,B,C,D", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Units of these columns, if the file does not give them
    #[arg(long, value_name = "A,B,C,D", value_delimiter = ',')]
    pub units: Vec<String>,
    /// Sheet, if the workbook has several
    #[arg(long, value_name = "NAME")]
    pub sheet: Option<String>,
    /// Part of the sheet with the table, such as B4:E60 or Sheet1!B4:E60
    #[arg(long, value_name = "RANGE")]
    pub range: Option<String>,
    /// Decimal sign, . or a comma, where numbers are ambiguous
    #[arg(long, value_name = "SIGN")]
    pub decimal: Option<String>,
    /// Cell delimiter, such as ";" or "\t", if it is not detected
    #[arg(long, value_name = "CHARACTER")]
    pub delimiter: Option<String>,
    /// Encoding, if it is not UTF-8, such as windows-1252
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}
