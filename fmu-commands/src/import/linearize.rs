//! `linearize`.

use std::path::PathBuf;

use super::{Driven, Limit};

/// Arguments of `linearize`.
#[derive(clap::Args)]
// The comments are help texts, in which brackets are not links.
#[allow(rustdoc::broken_intra_doc_links)]
pub struct Linearize {
    /// The FMU, which must offer Model Exchange
    #[arg(value_name = "FILE.fmu")]
    pub file: PathBuf,
    /// Inputs, start values and start time.
    #[command(flatten)]
    pub driven: Driven,
    /// Time of the operating point [s], up to which the FMU is simulated; by default the start
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Inputs of the linear system, separated by commas; by default all continuous inputs. `s+v+a` says that the velocity v
    /// and the acceleration a are inputs as well, so that the response is one to s
    #[arg(long, value_name = "NAMES")]
    pub inputs: Option<String>,
    /// Outputs of the linear system, also local variables, separated by commas; by default all continuous outputs
    #[arg(long, value_name = "NAMES")]
    pub outputs: Option<String>,
    /// Derivatives by central differences, also where the FMU provides them
    #[arg(long)]
    pub differences: bool,
    /// Move on to a steady state: where the derivatives of the states are zero
    #[arg(long)]
    pub trim: bool,
    /// States and inputs that the steady state may change; by default all states
    #[arg(long, value_name = "NAMES", requires = "trim")]
    pub free: Option<String>,
    /// States whose derivatives are to be zero; by default all of them
    #[arg(long, value_name = "NAMES", requires = "trim")]
    pub steady: Option<String>,
    /// Value that an output is to have in the steady state; may be repeated
    #[arg(long, value_name = "NAME=VALUE", requires = "trim")]
    pub target: Vec<String>,
    /// File for the matrices and modes; without it, the modes are printed only; may be repeated
    #[arg(long, value_name = "FILE.json|.mat|.npz")]
    pub output: Vec<PathBuf>,
    /// CSV file for the frequency response from each input to each output
    #[arg(long, value_name = "CSV")]
    pub response: Option<PathBuf>,
    /// Plot of the frequency response, as SVG or PNG
    #[arg(long, value_name = "FILE.svg|.png")]
    pub plot: Option<PathBuf>,
    /// Lowest frequency of the response [Hz]; by default a tenth of that of the slowest mode
    #[arg(long, value_name = "F")]
    pub from: Option<f64>,
    /// Highest frequency of the response [Hz]; by default ten times that of the fastest oscillation
    #[arg(long, value_name = "F")]
    pub to: Option<f64>,
    /// Number of frequencies, equally spaced on a logarithmic scale
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub points: u32,
    /// HTML page that animates the shapes along a mode, or an SVG picture of its largest displacement
    #[arg(long, value_name = "FILE.html|.svg", requires = "mode")]
    pub animate: Option<PathBuf>,
    /// Number of the mode to animate, as it is printed
    #[arg(long, value_name = "N", requires = "animate")]
    pub mode: Option<usize>,
    /// Largest displacement of the animation, as a part of the size of the mechanism
    #[arg(long, value_name = "PART", requires = "animate", default_value_t = 0.1)]
    pub scale: f64,
    /// Time limit.
    #[command(flatten)]
    pub limit: Limit,
}
