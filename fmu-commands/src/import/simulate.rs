//! `simulate`.

use std::path::PathBuf;

use super::Limit;

/// Arguments of `simulate`.
#[derive(clap::Args)]
// The comments are help texts, in which brackets are no links.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct Simulate {
    /// The FMU
    #[arg(value_name = "FILE.fmu")]
    pub file: PathBuf,
    /// How to run it; by default in Co-Simulation if the FMU offers that, else in Model Exchange
    #[arg(long, value_enum, value_name = "INTERFACE")]
    pub interface: Option<By>,
    /// Signals of inputs: a column `time`, and a column for each input by its name
    #[arg(long, value_name = "FILE.csv|.xlsx")]
    pub input: Option<PathBuf>,
    /// The sheet of the input, if that is a workbook with several
    #[arg(long, value_name = "NAME", requires = "input")]
    pub sheet: Option<String>,
    /// Start value of a parameter or an input, such as TS[1]=4e6 or TS=[4e6,4e6,2e6]; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub assignments: Vec<String>,
    /// Time of initialisation [s]; the FMU proposes one
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub start: Option<f64>,
    /// Time of the end [s]; by default that of the input, or what the FMU proposes
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub stop: Option<f64>,
    /// Communication step [s]; the FMU proposes one
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// Where to write the outputs over time; without, a summary is printed
    #[arg(long, value_name = "CSV")]
    pub output: Option<PathBuf>,
    /// Where to draw the outputs over time, an SVG or a PNG
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    /// What is plotted, instead of all continuous outputs: a variable or the beginning of a name up
    /// to a dot or a bracket; a variable that is no output is recorded as well; may be repeated
    #[arg(long, value_name = "NAME")]
    pub show: Vec<String>,
    /// Where to write a page that plays the motion of the shapes, or a picture of it
    #[arg(long, value_name = "FILE.html|.svg")]
    pub animate: Option<PathBuf>,
    /// Time of that picture [s]; by default that of the start
    #[arg(long, value_name = "T", requires = "animate", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Patience.
    #[command(flatten)]
    pub limit: Limit,
}

/// The interfaces of FMI.
#[derive(Clone, Copy, clap::ValueEnum)]
// Comments would become help, and make that of all options longer.
#[expect(missing_docs)]
pub enum By {
    CoSimulation,
    ModelExchange,
}
