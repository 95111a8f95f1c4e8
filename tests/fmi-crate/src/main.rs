//! Runs an FMU by the `fmi` crate, an importer that shares no code with ours, and tells what fails.

mod cosimulation;
mod fmi3;
mod messages;
mod model_exchange;
mod reading;
mod reduced;
mod watch;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::path::{Path, PathBuf};
use std::process::abort;
use std::sync::Once;
use std::time::Duration;

use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::Archive;
use fmu_commands::import::verdict::{Problem, Verdict};

/// Runs `FILE` and writes its verdict to the file `VERDICT`. A call may take `SECONDS`.
fn main() {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [seconds, told, file] = &arguments[..] else { panic!("usage: fmi-crate SECONDS VERDICT FILE") };
    let limit = seconds.to_str().and_then(|seconds| seconds.parse().ok()).expect("a number of seconds");
    let (told, path) = (told.clone(), file.clone());
    let tell = move |Found { ran, problems, limits }: Found| {
        static TOLD: Once = Once::new();
        TOLD.call_once(|| {
            let ran = ran.into_iter().map(str::to_owned).collect();
            let mut verdict = Verdict { ran, ..Verdict::of_errors(&path, "fmi crate", problems) };
            verdict.problems.extend(limits.into_iter().map(Problem::note));
            // A file that cannot be written has no verdict.
            let _ = verdict.line().and_then(|line| std::fs::write(&told, line));
        });
    };
    messages::listen();
    let expired = tell.clone();
    watch::start(Duration::from_secs_f64(limit), move |problem| {
        expired(Found { problems: vec![problem], ..Found::default() });
        // Also if the process hangs at its exit.
        abort();
    });
    // The crate panics where it meets what it does not expect; that is in the verdict.
    set_hook(Box::new(|_| ()));
    let mut found = Found::default();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| import(file, &mut found))) {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
        found.limits.push(format!("it panicked: {}", text.unwrap_or("without a message")));
    }
    tell(found);
}

/// The result of a run by the crate.
#[derive(Default)]
struct Found {
    /// The interfaces in which the FMU ran.
    ran: Vec<&'static str>,
    /// Problems of the FMU.
    problems: Vec<String>,
    /// What the crate does not support, which says nothing about the FMU.
    limits: Vec<String>,
}

/// Runs the FMU in the interfaces that it offers.
fn import(path: &Path, found: &mut Found) {
    let archive = match Archive::open(path) {
        Ok(archive) => archive,
        Err(error) => return found.problems.push(error.to_string()),
    };
    if matches!(archive.fmi_version(), Ok(Some(version)) if version.starts_with("3.")) {
        return match reduced::open(&archive) {
            Ok(import) => {
                let model = import.model_description();
                let offers = [model.co_simulation.is_some(), model.model_exchange.is_some()];
                runs(&import, offers, [fmi3::co_simulation, fmi3::model_exchange], found);
            }
            Err(limit) => found.limits.push(limit),
        };
    }
    let import: Fmi2Import = match fmi::import::new(archive.content()) {
        Ok(import) => import,
        Err(error) => return found.limits.push(format!("it cannot read the file: {error}")),
    };
    let model = import.model_description();
    let offers = [model.co_simulation.is_some(), model.model_exchange.is_some()];
    runs(&import, offers, [cosimulation::run, model_exchange::run], found);
}

/// Runs an FMU in an interface, and adds problems.
type Run<I> = fn(&I, &mut Vec<String>) -> Result<(), String>;

/// Runs in Co-Simulation and Model Exchange, as far as offered.
fn runs<I>(import: &I, offers: [bool; 2], runs: [Run<I>; 2], found: &mut Found) {
    let names = ["Co-Simulation", "Model Exchange"];
    watch::returned("reading the file");
    for ((name, run), _) in names.into_iter().zip(runs).zip(offers).filter(|(_, offered)| *offered) {
        let mut problems = Vec::new();
        if let Err(problem) = run(import, &mut problems) {
            problems.push(problem);
        }
        messages::take();
        found.problems.extend(problems.iter().map(|problem| format!("{name}: {problem}")));
        found.ran.push(name);
    }
}
