//! `simulate`.

use std::path::PathBuf;

use super::{Driven, Limit};

/// Arguments of `simulate`.
#[derive(clap::Args)]
// The comments are help texts, in which brackets are not links.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct Simulate {
    /// The FMU
    #[arg(value_name = "FILE.fmu")]
    pub file: PathBuf,
    /// Interface to use; by default Co-Simulation if the FMU supports it, else Model Exchange
    #[arg(long, value_enum, value_name = "INTERFACE")]
    pub interface: Option<By>,
    /// In Co-Simulation of FMI 3.0, stop at events inside of steps and handle them in event mode
    #[arg(long)]
    pub event_mode: bool,
    /// Inputs, start values and start time.
    #[command(flatten)]
    pub driven: Driven,
    /// Stop time [s]; by default the end of the input, or the FMU's stop time
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub stop: Option<f64>,
    /// Communication step size [s]; by default the FMU's
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// CSV file for the outputs over time; without it, a summary is printed
    #[arg(long, value_name = "CSV")]
    pub output: Option<PathBuf>,
    /// Plot of the outputs over time, as SVG or PNG
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    /// Outputs to plot instead of all continuous ones: a variable, or the beginning of its name up to a dot or a
    /// bracket; variables that are not outputs are recorded as well; may be repeated
    #[arg(long, value_name = "NAME")]
    pub show: Vec<String>,
    /// HTML page that animates the shapes, or an SVG picture of them
    #[arg(long, value_name = "FILE.html|.svg")]
    pub animate: Option<PathBuf>,
    /// Time of the picture [s]; by default the start time
    #[arg(long, value_name = "T", requires = "animate", allow_negative_numbers = true)]
    pub at: Option<f64>,
    /// Time limit.
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
