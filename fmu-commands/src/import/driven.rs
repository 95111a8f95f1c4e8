//! Inputs, start values and start time of a run.

use std::path::PathBuf;

/// Input signals, start values and start time.
#[derive(clap::Args)]
// The comments are help texts, in which brackets are not links.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct Driven {
    /// Input signals: a table with a column `time` and a column named after each input, with their units or without
    #[arg(long, value_name = "FILE.csv|.xlsx|.ods")]
    pub input: Option<PathBuf>,
    /// Sheet of the input workbook, if it has several
    #[arg(long, value_name = "NAME", requires = "input")]
    pub sheet: Option<String>,
    /// Column of the input table to leave out; may be repeated
    #[arg(long, value_name = "HEADING", requires = "input")]
    pub skip_column: Vec<String>,
    /// Start value of a parameter or an input, such as TS[1]=4e6 or TS=[4e6,4e6,2e6]; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub assignments: Vec<String>,
    /// Start time [s]; by default the FMU's
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub start: Option<f64>,
}
