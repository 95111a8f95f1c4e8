//! Command line of the importer, for `cargo xtask validate`, `simulate` and `sweep`.

mod commands;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use fmu_builder::console::{note, say};

/// Runs and checks finished FMUs as an importer does.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
enum Command {
    /// Print every problem of the files.
    Validate {
        /// The files.
        #[arg(required = true, value_name = "FILE.fmu")]
        files: Vec<PathBuf>,
    },
    /// Simulate an FMU by Co-Simulation.
    Simulate(commands::simulate::Options),
    /// Make many runs of an FMU by Co-Simulation with different parameters, as a file says.
    Sweep(commands::sweep::Options),
}

fn main() -> ExitCode {
    let command = Command::parse();
    let result = commands::scratch::Scratch::new().and_then(|_scratch| match &command {
        Command::Validate { files } => validate(files),
        Command::Simulate(options) => commands::simulate::run(options).map(|()| true),
        Command::Sweep(options) => commands::sweep::run(options),
    });
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            note(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Whether no file has a problem.
fn validate(files: &[PathBuf]) -> anyhow::Result<bool> {
    let mut good = true;
    for file in files {
        let name = file.file_name().unwrap_or(file.as_os_str()).display();
        let findings = fmu_importer::validate::file(file);
        for problem in &findings.problems {
            say(format_args!("{name}: {problem}"))?;
        }
        if findings.problems.is_empty() {
            say(format_args!(
                "{name}: no problems ({} facts checked; the fmi importer ran {})",
                findings.facts,
                findings.interfaces.join(" and ")
            ))?;
        }
        good &= findings.problems.is_empty();
    }
    Ok(good)
}
