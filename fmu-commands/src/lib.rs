//! The commands that build FMUs and describe components: the same for `cargo xtask`, which compiles the components'
//! libraries, and for the installed program, which brings them along. A [`LibrarySource`] has the libraries.

pub mod about;
pub mod build;
mod configurations;
pub mod examples;
pub mod import;
mod info;
pub mod junit;
mod memory;
pub mod paths;
pub mod progress;
pub mod source;
mod ssp;
pub mod systems;

use anyhow::Result;
pub use configurations::ensure_configuration;
use source::LibrarySource;

/// The commands. `O` are the options of the source of libraries.
#[derive(clap::Subcommand)]
pub enum Command<O: clap::Args> {
    /// Build FMUs of all components, or only of those named
    Build(build::Arguments<O>),
    /// List the components
    List(info::List),
    /// Print structure options and variables of a component or of an FMU
    Info(info::Arguments),
    /// Combine several FMUs into a system (SSP)
    Ssp(ssp::Arguments),
}

impl<O: clap::Args> Command<O> {
    /// Carries out the command with the libraries of a source.
    ///
    /// # Errors
    ///
    /// The user's errors.
    pub fn run(&self, source: &impl LibrarySource<Options = O>) -> Result<()> {
        match self {
            Self::Build(arguments) => build::build(source, arguments),
            Self::List(arguments) => info::list(source, arguments),
            Self::Info(arguments) => info::info(source, arguments),
            Self::Ssp(arguments) => ssp::ssp(arguments),
        }
    }
}
