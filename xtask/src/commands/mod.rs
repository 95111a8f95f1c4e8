//! The commands for those who build and use FMUs.

pub mod build;
pub mod configurations;
pub mod convert;
pub mod importer;
pub mod info;
pub mod new;
pub mod ssp;

use std::path::PathBuf;

use anyhow::Result;

/// The commands for users.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Build FMUs of all components, or of those that are named
    Build(build::Arguments),
    /// List the components
    List,
    /// Print structure options and variables of a component or of an FMU
    Info(info::Arguments),
    /// Write a configuration of the property file of a bushing
    Convert(convert::Arguments),
    /// Identify the rubber parameters of a bushing from measured dynamic stiffness and loss angle
    #[command(disable_help_flag = true)]
    Fit {
        /// The measurements and options; `cargo xtask fit --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Create the package of a component of your own
    New(new::Arguments),
    /// Check FMUs and print every problem
    Validate {
        /// The FMUs
        #[arg(required = true, value_name = "FILE.fmu")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        options: importer::ValidateOptions,
    },
    /// Simulate an FMU; print, save or draw its outputs
    #[command(disable_help_flag = true)]
    Simulate {
        /// The FMU and options; `cargo xtask simulate --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Run an FMU many times with different parameters
    #[command(disable_help_flag = true)]
    Sweep {
        /// The sweep file and options; `cargo xtask sweep --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Combine several FMUs into a system (SSP)
    Ssp(ssp::Arguments),
}

impl Command {
    /// Carries it out.
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Build(arguments) => build::build(arguments),
            Self::List => info::list(),
            Self::Info(arguments) => info::info(arguments),
            Self::Convert(arguments) => convert::convert(arguments),
            Self::Fit { arguments } => importer::pass_on("fit", arguments),
            Self::New(arguments) => new::new(arguments),
            Self::Validate { files, options } => importer::validate(files, options),
            Self::Simulate { arguments } => importer::hand_over("simulate", arguments),
            Self::Sweep { arguments } => importer::hand_over("sweep", arguments),
            Self::Ssp(arguments) => ssp::ssp(arguments),
        }
    }
}
