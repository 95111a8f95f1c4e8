//! The commands for those who build and use FMUs.

pub mod importer;
mod new;

use std::path::PathBuf;

use anyhow::Result;

use crate::compile::source::{Compiled, Options};

/// The commands for users.
#[derive(clap::Subcommand)]
pub enum Command {
    #[command(flatten)]
    Source(fmu_commands::Command<Options>),
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
}

impl Command {
    /// Carries it out.
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Source(command) => command.run(&Compiled),
            Self::Fit { arguments } => importer::pass_on("fit", arguments),
            Self::New(arguments) => new::new(arguments),
            Self::Validate { files, options } => importer::validate(files, options),
            Self::Simulate { arguments } => importer::hand_over("simulate", arguments),
            Self::Sweep { arguments } => importer::hand_over("sweep", arguments),
        }
    }
}
