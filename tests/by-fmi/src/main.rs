//! Runs FMUs by the `fmi` crate, an importer that shares no code with ours, and tells what fails.

mod cosimulation;
mod fmi3;
mod messages;
mod model_exchange;
mod reading;
mod reduced;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::Archive;
use fmu_builder::console::say;
use fmu_commands::import::verdict::Verdict;

/// Runs the files that are given; with `--json FILE` before them, the verdicts are written there.
fn main() -> ExitCode {
    messages::listen();
    let mut good = true;
    let mut files: Vec<_> = std::env::args_os().skip(1).collect();
    let mut json = None;
    if files.first().is_some_and(|first| first == "--json") {
        json = files.drain(..2).next_back();
    }
    for file in files {
        let path = Path::new(&file);
        // It panics where it meets what it does not expect.
        let imported = catch_unwind(AssertUnwindSafe(|| import(path)));
        let (ran, problems) = imported.unwrap_or_else(|_| (Vec::new(), vec!["it panicked".to_owned()]));
        good &= problems.is_empty();
        if tell(path, json.as_deref().map(Path::new), problems, ran).is_err() {
            return ExitCode::FAILURE;
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints the verdict on a file, or adds it to a file as a line of JSON.
fn tell(path: &Path, json: Option<&Path>, problems: Vec<String>, ran: Vec<&str>) -> io::Result<()> {
    if let Some(json) = json {
        let verdict = Verdict::of_errors(path, "fmi crate", problems);
        let line = Verdict { ran: ran.into_iter().map(str::to_owned).collect(), ..verdict }.line()?;
        return writeln!(std::fs::OpenOptions::new().append(true).create(true).open(json)?, "{line}");
    }
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    problems.iter().try_for_each(|problem| say(format_args!("{name}: fmi crate: {problem}")))?;
    match &ran[..] {
        [] => Ok(()),
        ran => say(format_args!("{name}: the fmi crate ran {}", ran.join(" and "))),
    }
}

/// The interfaces that ran, and the problems.
fn import(path: &Path) -> (Vec<&'static str>, Vec<String>) {
    let archive = match Archive::open(path) {
        Ok(archive) => archive,
        Err(error) => return (Vec::new(), vec![error.to_string()]),
    };
    if matches!(archive.fmi_version(), Ok(Some(version)) if version.starts_with("3.")) {
        return match reduced::open(&archive) {
            Ok(import) => {
                let model = import.model_description();
                let offers = [model.co_simulation.is_some(), model.model_exchange.is_some()];
                runs(&import, offers, [fmi3::co_simulation, fmi3::model_exchange])
            }
            Err(problem) => (Vec::new(), vec![problem]),
        };
    }
    let import: Fmi2Import = match fmi::import::new(archive.content()) {
        Ok(import) => import,
        Err(error) => return (Vec::new(), vec![format!("it cannot read the file: {error}")]),
    };
    let model = import.model_description();
    let offers = [model.co_simulation.is_some(), model.model_exchange.is_some()];
    runs(&import, offers, [cosimulation::run, model_exchange::run])
}

/// Runs an FMU in an interface, and adds problems.
type Run<I> = fn(&I, &mut Vec<String>) -> Result<(), String>;

/// Runs in Co-Simulation and Model Exchange, as far as offered.
fn runs<I>(import: &I, offers: [bool; 2], runs: [Run<I>; 2]) -> (Vec<&'static str>, Vec<String>) {
    let names = ["Co-Simulation", "Model Exchange"];
    let (mut ran, mut problems) = (Vec::new(), Vec::new());
    for ((name, run), _) in names.into_iter().zip(runs).zip(offers).filter(|(_, offered)| *offered) {
        let mut found = Vec::new();
        if let Err(problem) = run(import, &mut found) {
            found.push(problem);
        }
        messages::take();
        problems.extend(found.iter().map(|problem| format!("{name}: {problem}")));
        ran.push(name);
    }
    (ran, problems)
}
