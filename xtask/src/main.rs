//! `cargo xtask`: builds the FMUs, tells about them, and tries them out.

mod bench;
mod build;
mod components;
mod configurations;
mod conformance;
mod dask;
mod environment;
mod fuzz;
mod importer;
mod importers;
mod info;
mod instructions;
mod maintain;
mod new;
mod origin;
mod paths;
mod platforms;
mod programs;
mod progress;
mod sequences;
mod size;
mod ssp;
mod supply;
mod targets;
mod toolchain;
mod venv;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fmu_builder::Destination;
use fmu_builder::console::note;
use paths::root;

/// What a shell reports of a program that was ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Turns mechanical components into FMUs.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build FMUs; all components without arguments
    Build(build::Arguments),
    /// List the components
    List,
    /// Print structure options and variables of a component, or the variables of a finished FMU
    Info(info::Arguments),
    /// Make the package of a component of your own
    New(new::Arguments),
    /// Print every problem of finished FMUs
    Validate {
        /// The FMUs
        #[arg(required = true, value_name = "FILE.fmu")]
        files: Vec<PathBuf>,
    },
    /// Simulate an FMU, print a summary of its outputs or draw them
    #[command(disable_help_flag = true)]
    Simulate {
        /// The FMU and options; `cargo xtask simulate --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Make many runs of an FMU with different parameters, as a file says
    #[command(disable_help_flag = true)]
    Sweep {
        /// The sweep file and options; `cargo xtask sweep --help` lists them
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Put several FMUs together to a system (SSP)
    Ssp(ssp::Arguments),
    /// Try the FMUs in importers of others, and write the README's table of them
    Importers,
    /// Write the page of the rules of FMI 2.0 and their tests, docs/conformance.md
    Conformance,
    /// Run sequences of calls on the finished libraries, on many threads, under valgrind and with sanitizers
    Sequences(sequences::Arguments),
    /// Print how many instructions calls take, counted by callgrind, beside the saved counts
    Instructions(instructions::Arguments),
    /// Write the page of what FMUs consist of, docs/size.md
    Size,
    /// Run the tests
    Test(maintain::test::Arguments),
    /// Give arbitrary calls and files to what takes them, as docs/fuzzing.md tells
    Fuzz(fuzz::Arguments),
    /// Measure calls, archives and exact events, beside other tools
    Bench(bench::Arguments),
}

fn main() -> ExitCode {
    // Where there can be no handler, the next command removes what Ctrl-C left.
    let _ = ctrlc::set_handler(|| {
        Destination::remove_drafts();
        std::process::exit(INTERRUPTED);
    });
    let result = match Arguments::parse().command {
        Command::Build(arguments) => build::build(&arguments),
        Command::List => info::list(),
        Command::Info(arguments) => info::info(&arguments),
        Command::New(arguments) => new::new(&arguments),
        Command::Validate { files } => importer::validate(&files),
        Command::Simulate { arguments } => importer::hand_over("simulate", &arguments),
        Command::Sweep { arguments } => importer::hand_over("sweep", &arguments),
        Command::Ssp(arguments) => ssp::ssp(&arguments),
        Command::Importers => importers::write(),
        Command::Conformance => conformance::write(),
        Command::Sequences(arguments) => sequences::sequences(&arguments),
        Command::Instructions(arguments) => instructions::instructions(&arguments),
        Command::Size => size::write(),
        Command::Test(arguments) => maintain::test::test(&arguments),
        Command::Fuzz(arguments) => fuzz::fuzz(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Never with a backtrace: what went wrong is the user's to mend, not ours.
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
