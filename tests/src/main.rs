//! Command line of the importer, for `cargo xtask validate` and `cargo xtask simulate`.

mod simulate;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

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
    /// Run a file in Co-Simulation.
    Simulate(simulate::Options),
}

fn main() -> ExitCode {
    let result = match Command::parse() {
        Command::Validate { files } => Ok(validate(&files)),
        Command::Simulate(options) => simulate::run(&options).map(|()| true),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether no file has a problem.
fn validate(files: &[PathBuf]) -> bool {
    let mut good = true;
    for file in files {
        let name = file.file_name().unwrap_or(file.as_os_str()).display();
        let findings = fmu_tests::validate::file(file);
        for problem in &findings.problems {
            println!("{name}: {problem}");
        }
        if findings.problems.is_empty() {
            println!(
                "{name}: no problems ({} facts checked; the fmi importer ran {})",
                findings.facts,
                findings.interfaces.join(" and ")
            );
        }
        good &= findings.problems.is_empty();
    }
    good
}
