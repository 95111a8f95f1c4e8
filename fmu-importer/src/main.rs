//! Command line of the importer: `validate`, `simulate`, `sweep` and `fit` of `cargo xtask` and of the Python package.

mod commands;

use std::process::ExitCode;

use clap::Parser;
use commands::isolation::{self, Done, End};
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
        Import::Fit(options) => return exit_code(fit::run(options).map(|()| 0)),
    };
    match isolation::scratch() {
        Some(folder) => isolation::child(folder, limit.timeout(), || carry_out(&command)),
        None => exit_code(supervise(&command)),
    }
}

/// Prints what went wrong.
fn exit_code(status: anyhow::Result<u8>) -> ExitCode {
    status.map(ExitCode::from).unwrap_or_else(|error| {
        note(format_args!("error: {error:#}"));
        ExitCode::FAILURE
    })
}

/// In the parent: runs the command in a child process, each file of a validation in one of its own.
fn supervise(command: &Import) -> anyhow::Result<u8> {
    let Import::Validate(options) = command else {
        let end = isolation::run(std::env::args_os().skip(1), false)?;
        if let Some(problem) = end.problem() {
            let of_fmu = command.file().filter(|_| matches!(end, End::ByFmu(_)));
            let place = of_fmu.map(|file| format!("{}: ", file.display())).unwrap_or_default();
            note(format_args!("error: {place}{problem}"));
        }
        return Ok(end.status());
    };
    let mut worst = 0;
    for file in &options.files {
        let end = isolation::run(options.of_files(&[file]), options.json);
        let end = end.unwrap_or_else(|error| End::Failed(format!("{error:#}")));
        if let Some(problem) = end.problem() {
            let name = file.file_name().unwrap_or(file.as_os_str()).display();
            match options.json {
                true => Verdict::of_errors(file, GENERATOR, [problem]).say()?,
                false => say(format_args!("{name}: {problem}"))?,
            }
        }
        if let End::Interrupted = end {
            return Ok(end.status());
        }
        worst = worst.max(end.status());
    }
    Ok(worst)
}

/// In the child.
fn carry_out(command: &Import) -> anyhow::Result<Done> {
    let well = match command {
        Import::Validate(options) => return validate::run(&options.files[0], options.strict, options.json),
        Import::Simulate(options) => simulate::run(options).map(|()| true),
        Import::Sweep(options) => sweep::run(options),
        Import::Fit(options) => fit::run(options).map(|()| true),
    };
    Ok(Done { well: well?, text: None })
}
