//! Runs FMUs by the `fmi` crate, an importer that shares no code with ours, and tells what fails.

mod cosimulation;
mod messages;
mod model_exchange;
mod reading;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::Archive;
use fmu_builder::console::say;

/// Runs the files that are given.
fn main() -> ExitCode {
    messages::listen();
    let mut good = true;
    for file in std::env::args_os().skip(1) {
        let path = Path::new(&file);
        let name = path.file_name().unwrap_or(path.as_os_str()).display();
        // It panics where it meets what it does not expect.
        let imported = catch_unwind(AssertUnwindSafe(|| import(path)));
        let (ran, problems) = imported.unwrap_or_else(|_| (Vec::new(), vec!["it panicked".to_owned()]));
        let lines = problems.iter().map(|problem| format!("{name}: fmi crate: {problem}"));
        let ran = (!ran.is_empty()).then(|| format!("{name}: the fmi crate ran {}", ran.join(" and ")));
        for line in lines.chain(ran) {
            if say(line).is_err() {
                return ExitCode::FAILURE;
            }
        }
        good &= problems.is_empty();
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The interfaces that ran, and the problems.
fn import(path: &Path) -> (Vec<&'static str>, Vec<String>) {
    let archive = match Archive::open(path) {
        Ok(archive) => archive,
        Err(error) => return (Vec::new(), vec![error.to_string()]),
    };
    let import: Fmi2Import = match fmi::import::new(archive.content()) {
        Ok(import) => import,
        Err(error) => return (Vec::new(), vec![format!("it cannot read the file: {error}")]),
    };
    let model = import.model_description();
    type Run = fn(&Fmi2Import, &mut Vec<String>) -> Result<(), String>;
    let interfaces: [(_, _, Run); 2] = [
        ("Co-Simulation", model.co_simulation.is_some(), cosimulation::run),
        ("Model Exchange", model.model_exchange.is_some(), model_exchange::run),
    ];
    let (mut ran, mut problems) = (Vec::new(), Vec::new());
    for (name, _, run) in interfaces.into_iter().filter(|(_, offered, _)| *offered) {
        let mut found = Vec::new();
        if let Err(problem) = run(&import, &mut found) {
            found.push(problem);
        }
        messages::take();
        problems.extend(found.iter().map(|problem| format!("{name}: {problem}")));
        ran.push(name);
    }
    (ran, problems)
}
