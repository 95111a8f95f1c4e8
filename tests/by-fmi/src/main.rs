//! Runs an FMU by the `fmi` crate, an importer that shares no code with ours, and tells what fails.

mod cosimulation;
mod fmi3;
mod messages;
mod model_exchange;
mod reading;
mod reduced;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::abort;
use std::sync::Once;
use std::time::Duration;

use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::Archive;
use fmu_commands::import::verdict::Verdict;

/// Runs `FILE` and writes its verdict to the file `VERDICT`. A call may take `SECONDS`.
fn main() {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [seconds, told, file] = &arguments[..] else { panic!("usage: by-fmi SECONDS VERDICT FILE") };
    let limit = seconds.to_str().and_then(|seconds| seconds.parse().ok()).expect("a number of seconds");
    let (told, path) = (told.clone(), file.clone());
    let tell = move |ran: Vec<&str>, problems| {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            let ran = ran.into_iter().map(str::to_owned).collect();
            let verdict = Verdict { ran, ..Verdict::of_errors(&path, "fmi crate", problems) };
            // A file that cannot be written has no verdict.
            let _ = verdict.line().and_then(|line| std::fs::write(&told, line));
        });
    };
    messages::listen();
    let expired = tell.clone();
    watch::start(Duration::from_secs_f64(limit), move |problem| {
        expired(Vec::new(), vec![problem]);
        // Also if the process hangs at its exit.
        abort();
    });
    // It panics where it meets what it does not expect.
    let imported = catch_unwind(AssertUnwindSafe(|| import(file)));
    let (ran, problems) = imported.unwrap_or_else(|_| (Vec::new(), vec!["it panicked".to_owned()]));
    tell(ran, problems);
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
    watch::returned("reading the file");
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
