//! The commands for those who work on this project.

mod bench;
mod checks;
mod conformance;
mod dask;
mod fuzz;
mod importers;
mod instructions;
mod release;
mod sequences;
mod site;
mod size;
mod supply;
mod test;
mod wheel;

use anyhow::Result;

/// The commands for maintainers.
#[derive(clap::Subcommand)]
pub enum Command {
    /// Run the tests
    Test(test::Arguments),
    /// Measure calls, archives and exact events beside other tools
    Bench(bench::Arguments),
    /// Fuzz the C interface and the file readers
    Fuzz(fuzz::Arguments),
    /// Call the finished libraries on many threads, under valgrind and with sanitizers
    Sequences(sequences::Arguments),
    /// Count the instructions of calls and compare with the saved counts
    Instructions(instructions::Arguments),
    /// Run the FMUs in other importers and update the table of docs/importers.md
    Importers,
    /// Update docs/conformance.md, the rules of FMI and their tests
    Conformance,
    /// Update docs/size.md, what FMUs consist of
    Size,
    /// Make the files of a release in target/release-files
    Release(release::Arguments),
    /// Make the documentation a website in target/site/html
    Site,
    /// Make the Python package, with the libraries of all components
    Wheel(wheel::Arguments),
}

impl Command {
    /// Carries it out.
    pub fn run(&self) -> Result<()> {
        match self {
            Self::Test(arguments) => test::test(arguments),
            Self::Bench(arguments) => bench::bench(arguments),
            Self::Fuzz(arguments) => fuzz::fuzz(arguments),
            Self::Sequences(arguments) => sequences::sequences(arguments),
            Self::Instructions(arguments) => instructions::instructions(arguments),
            Self::Importers => importers::write(),
            Self::Conformance => conformance::write(),
            Self::Size => size::write(),
            Self::Release(arguments) => release::release(arguments),
            Self::Site => site::write(),
            Self::Wheel(arguments) => wheel::wheel(arguments),
        }
    }
}
