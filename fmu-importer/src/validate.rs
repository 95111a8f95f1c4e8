//! Finding all that is wrong with an FMU, by our own rules and by an independent importer.

mod cosimulation;
mod model_exchange;
mod reading;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;
use fmu_builder::Archive;

use crate::load::{messages, platforms};

/// What the checks of one file gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Number of facts that our own rules checked.
    pub facts: usize,
    /// The interfaces through which the importer ran the FMU.
    pub interfaces: Vec<&'static str>,
    /// All problems.
    pub problems: Vec<String>,
}

/// Checks one FMU by all means; a file that nothing could be checked of has a problem, too.
pub fn file(path: &Path) -> Findings {
    messages::listen();
    let mut findings = Findings::default();
    match fmu_builder::check(path) {
        Ok(report) => {
            findings.facts = report.checked;
            let problems = report.problems.iter().map(ToString::to_string);
            findings.problems.extend(problems);
        }
        Err(error) => {
            let problem = error.to_string();
            let own_name = format!("{}: ", path.display());
            let problem = problem.strip_prefix(&own_name).unwrap_or(&problem);
            findings.problems.push(problem.to_owned());
        }
    }
    // What cannot be opened or read has been said by now, and is given to no importer.
    if let Some(archive) = Archive::open(path).ok().filter(Archive::has_safe_description) {
        match archive.model().map_or(Ok(()), |model| platforms::require_own(&archive, &model)) {
            Ok(()) => guarded(&archive, &mut findings),
            Err(error) => findings.problems.push(error.to_string()),
        }
    }
    if findings.problems.is_empty() && (findings.facts == 0 || findings.interfaces.is_empty()) {
        findings.problems.push("nothing checked".to_owned());
    }
    findings
}

/// The importer panics where it meets what it does not expect.
fn guarded(archive: &Archive, findings: &mut Findings) {
    let imported = catch_unwind(AssertUnwindSafe(|| import(archive, findings)));
    if imported.is_err() {
        findings.problems.push("the fmi importer panicked".to_owned());
    }
}

fn import(archive: &Archive, findings: &mut Findings) {
    let import: Fmi2Import = match fmi::import::new(archive.content()) {
        Ok(import) => import,
        Err(error) => {
            let problem = format!("the fmi importer cannot read it: {error}");
            findings.problems.push(problem);
            return;
        }
    };
    let model = import.model_description();
    type Run = fn(&Fmi2Import, &mut Vec<String>) -> Result<(), String>;
    let interfaces: [(_, _, Run); 2] = [
        ("Co-Simulation", model.co_simulation.is_some(), cosimulation::run),
        ("Model Exchange", model.model_exchange.is_some(), model_exchange::run),
    ];
    for (name, _, run) in interfaces.into_iter().filter(|(_, offered, _)| *offered) {
        let mut problems = Vec::new();
        if let Err(problem) = run(&import, &mut problems) {
            problems.push(problem);
        }
        messages::take();
        let problems = problems.iter().map(|problem| format!("fmi importer, {name}: {problem}"));
        findings.problems.extend(problems);
        findings.interfaces.push(name);
    }
}
