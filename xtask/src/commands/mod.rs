//! The commands for users, who build and use FMUs.

mod new;

use anyhow::Result;
use fmu_commands::import::Import;
use xtask::importer;

use xtask::source::{Compiled, Options};

/// The commands for users.
#[derive(clap::Subcommand)]
pub enum Command {
    #[command(flatten)]
    Source(fmu_commands::Command<Options>),
    #[command(flatten)]
    Import(Box<Import>),
    /// Create a package for your own component
    New(new::Arguments),
}

impl Command {
    /// Runs the command.
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Source(command) => command.run(&Compiled),
            Self::Import(command) => importer::import(command),
            Self::New(arguments) => new::new(arguments),
        }
    }
}
