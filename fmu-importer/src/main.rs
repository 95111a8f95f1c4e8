//! Command line of the importer: `validate`, `simulate`, `sweep`, `linearize`, `fit` and `convert` of `cargo xtask`.

use std::process::{Command, ExitCode};

use clap::Parser;
use fmu_builder::console::note;
use fmu_commands::import::Import;

/// Runs and checks finished FMUs.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Import,
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            note(format_args!("error: cannot find this program: {error}"));
            return ExitCode::FAILURE;
        }
    };
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    ExitCode::from(fmu_importer::run(&command, &arguments, || Command::new(&program)))
}
