//! Inputs, start values and start time of a run.

use std::path::PathBuf;

use super::Table;

/// The help on the columns of an input.
const COLUMNS: &str = "Columns of the input if its headings are not names, as `time` or an input, an equals sign, and \
                       the heading or number of its column; no others are read";

/// Input signals, start values and start time.
#[derive(clap::Args)]
#[command(
    mut_group("Table", |group| group.requires("input")),
    mut_arg("columns", |columns| columns.value_name("NAME=COLUMN,…").help(COLUMNS)),
)]
// The comments are help texts, in which brackets are not links.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct Driven {
    /// Input signals: a table with a column `time` and a column named after each input, with their units or without
    #[arg(long, value_name = "FILE.csv|.xlsx|.ods")]
    pub input: Option<PathBuf>,
    /// The table of the input.
    #[command(flatten)]
    pub table: Table,
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
