//! Command line of the importer: `validate`, `simulate`, `sweep` and `fit` of `cargo xtask` and of the Python package.

mod commands;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory, FromArgMatches, Parser};
use commands::isolation::{self, End};
use commands::{fit, simulate, sweep, validate};
use fmu_builder::console::{note, say};

/// Runs and checks finished FMUs.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    #[command(flatten)]
    Isolated(Isolated),
    /// Find Maxwell elements and friction of a bushing from dynamic stiffness and loss angle.
    Fit(fit::Options),
}

/// The commands that run FMUs.
#[derive(clap::Subcommand)]
enum Isolated {
    /// Print every problem of the files.
    Validate {
        #[command(flatten)]
        options: validate::Options,
        #[command(flatten)]
        limit: Limit,
    },
    /// Simulate an FMU.
    Simulate {
        #[command(flatten)]
        options: simulate::Options,
        #[command(flatten)]
        limit: Limit,
    },
    /// Make many runs of an FMU with different parameters, as a file says.
    Sweep {
        #[command(flatten)]
        options: sweep::Options,
        #[command(flatten)]
        limit: Limit,
    },
}

/// The patience with an FMU.
#[derive(clap::Args)]
struct Limit {
    /// Longest time that a single call into the FMU may take [s].
    #[arg(long, value_name = "T", default_value = "60", value_parser = seconds)]
    timeout: Duration,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|limit| !limit.is_zero()).ok_or_else(|| "must be a positive number of seconds".to_owned())
}

/// The variable with the name of the program that calls this one, for the help.
const CALLER: &str = "FMU_IMPORTER_NAME";

fn main() -> ExitCode {
    let caller = std::env::var(CALLER).unwrap_or_else(|_| "cargo xtask".to_owned());
    let matches = Arguments::command().bin_name(caller).get_matches();
    let arguments = Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let command = match arguments.command {
        Command::Isolated(command) => command,
        Command::Fit(options) => return ExitCode::from(exit_status(fit::run(&options).map(|()| true))),
    };
    match isolation::scratch() {
        Some(folder) => {
            let (Isolated::Validate { limit, .. } | Isolated::Simulate { limit, .. } | Isolated::Sweep { limit, .. }) =
                &command;
            isolation::child(folder, limit.timeout, || exit_status(carry_out(&command)))
        }
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
fn supervise(command: &Isolated) -> anyhow::Result<u8> {
    let given = || std::env::args_os().skip(1);
    match command {
        Isolated::Simulate { options, .. } => Ok(isolation::run(given())?.report(&options.file)),
        Isolated::Sweep { options, .. } => Ok(isolation::run(given())?.report(&options.file)),
        Isolated::Validate { options, limit } => {
            let mut worst = 0;
            for file in &options.files {
                let status = match isolation::run(validation(file, options.strict, limit))? {
                    End::ByFmu(how) => {
                        let name = file.file_name().unwrap_or(file.as_os_str()).display();
                        say(format_args!("{name}: {}", isolation::by_fmu(how)))?;
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
    }
}

/// The arguments that validate one file.
fn validation(file: &Path, strict: bool, limit: &Limit) -> Vec<OsString> {
    let mut arguments = vec!["validate".into(), format!("--timeout={}", limit.timeout.as_secs_f64()).into()];
    arguments.extend(strict.then(|| "--strict".into()));
    arguments.extend(["--".into(), file.into()]);
    arguments
}

/// In the child. Whether all is well.
fn carry_out(command: &Isolated) -> anyhow::Result<bool> {
    match command {
        Isolated::Validate { options, .. } => validate::run(&options.files[0], options.strict),
        Isolated::Simulate { options, .. } => simulate::run(options).map(|()| true),
        Isolated::Sweep { options, .. } => sweep::run(options),
    }
}
