//! Command line of the importer: `validate`, `simulate`, `sweep` and `fit` of `cargo xtask` and of the Python package.

mod commands;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use commands::isolation::{self, End};
use commands::{fit, simulate, sweep, validate};
use fmu_builder::GENERATOR;
use fmu_builder::console::{note, say};
use fmu_commands::import::verdict::Verdict;
use fmu_commands::import::{Import, Simulate, Sweep, Validate};

/// Runs and checks finished FMUs.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Import,
}

fn main() -> ExitCode {
    let Arguments { command } = Arguments::parse();
    let limit = match &command {
        Import::Validate(Validate { limit, .. }) | Import::Simulate(Simulate { limit, .. }) => limit,
        Import::Sweep(Sweep { limit, .. }) => limit,
        Import::Fit(options) => return ExitCode::from(exit_status(fit::run(options).map(|()| true))),
    };
    match isolation::scratch() {
        Some(folder) => isolation::child(folder, limit.timeout(), || exit_status(carry_out(&command))),
        None => ExitCode::from(match supervise(&command) {
            Ok(status) => status,
            Err(error) => exit_status(Err(error)),
        }),
    }
}

/// Prints what went wrong.
fn exit_status(result: anyhow::Result<bool>) -> u8 {
    match result {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            1
        }
    }
}

/// In the parent: runs the command in a child process, each file of a validation in one of its own.
fn supervise(command: &Import) -> anyhow::Result<u8> {
    let Import::Validate(options) = command else {
        let end = isolation::run(std::env::args_os().skip(1))?;
        return Ok(end.report(command.file().unwrap_or(Path::new("the FMU"))));
    };
    let mut worst = 0;
    for file in &options.files {
        let status = match isolation::run(options.of_files(&[file]))? {
            End::ByFmu(how) => {
                let name = file.file_name().unwrap_or(file.as_os_str()).display();
                match options.json {
                    true => Verdict::of_errors(file, GENERATOR, [isolation::by_fmu(how)]).say()?,
                    false => say(format_args!("{name}: {}", isolation::by_fmu(how)))?,
                }
                1
            }
            end => end.report(file),
        };
        if status > 1 {
            return Ok(status);
        }
        worst = worst.max(status);
    }
    Ok(worst)
}

/// In the child. Whether all is well.
fn carry_out(command: &Import) -> anyhow::Result<bool> {
    match command {
        Import::Validate(options) => validate::run(&options.files[0], options.strict, options.json),
        Import::Simulate(options) => simulate::run(options).map(|()| true),
        Import::Sweep(options) => sweep::run(options),
        Import::Fit(options) => fit::run(options).map(|()| true),
    }
}
