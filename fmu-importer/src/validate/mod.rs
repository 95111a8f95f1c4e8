//! Validation of an FMU: by our own rules, and by running it in both interfaces.

mod capability_checks;
mod co_simulation;
mod excitation;
mod finding;
mod interfaces;
mod model_exchange;
mod reading;

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use fmu_builder::Archive;

pub use self::finding::{Finding, Severity};
use self::interfaces::Comparison;
use crate::load::{Fmu, Instance, Interface};
use crate::watch::watched;

/// The extent of the checks of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Number of facts that the rules have checked.
    pub facts: usize,
    /// The interfaces in which the FMU ran.
    pub interfaces: Vec<&'static str>,
    /// The time in s until which the interfaces were compared, if not to the end of the run.
    pub compared_until: Option<f64>,
}

/// Checks one FMU and reports each finding as it arises. A file that cannot be checked at all gives an error, too.
///
/// The code of the FMU runs: if the process must survive that, call this in another one.
pub fn file(path: &Path, found: impl FnMut(Finding)) -> Checked {
    file_with_progress(path, found, |_| ())
}

/// Checks one FMU and reports each finding as it arises; `trying` gets the capability that is tried next, empty for
/// none, since the process may end by it.
pub fn file_with_progress(path: &Path, mut found: impl FnMut(Finding), mut trying: impl FnMut(&str)) -> Checked {
    let mut checked = Checked::default();
    let errors = Cell::new(0);
    let mut tell = |severity, text: String| {
        errors.set(errors.get() + usize::from(severity == Severity::Error));
        found(Finding { severity, text });
    };
    let own_name = format!("{}: ", path.display());
    let anonymous = |text: String| text.strip_prefix(&own_name).map(str::to_owned).unwrap_or(text);
    let archive = match Archive::open(path) {
        Ok(archive) => archive,
        Err(error) => {
            tell(Severity::Error, anonymous(error.to_string()));
            return checked;
        }
    };
    if let Ok(Some(version)) = archive.fmi_version()
        && !version.starts_with("2.")
        && !version.starts_with("3.")
    {
        tell(Severity::Error, format!("it is for FMI {version}; only FMI 2.0 and FMI 3.0 are checked"));
        return checked;
    }
    // A library of this project is asked for its description.
    match watched("loading and describing the library", || fmu_builder::check(path)) {
        Ok(report) => {
            checked.facts = report.checked;
            let lists = [
                (Severity::Error, report.problems),
                (Severity::Warning, report.warnings),
                (Severity::Style, report.style),
            ];
            for (severity, list) in lists {
                list.into_iter().for_each(|text| tell(severity, text));
            }
        }
        Err(error) => tell(Severity::Error, anonymous(error.to_string())),
    }
    // Errors of reading the description have been reported by now.
    if archive.model().is_ok() {
        match Fmu::open(path) {
            Ok(fmu) => {
                for interface in [Interface::CoSimulation, Interface::ModelExchange] {
                    if interface.of(fmu.model()).is_some() {
                        let mut problem = |severity, text| tell(severity, format!("{}: {text}", interface.name()));
                        let ran = run(&fmu, interface, &mut problem)
                            .and_then(|()| capability_checks::check(&fmu, interface, &mut problem, &mut trying));
                        match ran {
                            Ok(()) => checked.interfaces.push(interface.name()),
                            Err(error) => problem(Severity::Error, anonymous(format!("{error:#}"))),
                        }
                    }
                }
                if checked.interfaces.len() == 2 {
                    compare(&fmu, &mut checked, &mut tell);
                }
            }
            Err(error) => tell(Severity::Error, anonymous(format!("{error:#}"))),
        }
    }
    if errors.get() == 0 && (checked.facts == 0 || checked.interfaces.is_empty()) {
        tell(Severity::Error, "nothing checked".to_owned());
    }
    checked
}

/// Compares the interfaces. Another tool's FMU may mean them to differ.
fn compare(fmu: &Arc<Fmu>, checked: &mut Checked, tell: &mut impl FnMut(Severity, String)) {
    let tool = fmu.model().generation_tool.as_deref();
    let is_ours = tool.is_some_and(|tool| tool.starts_with("mechanical-fmus "));
    let severity = if is_ours { Severity::Error } else { Severity::Warning };
    match interfaces::compare(fmu, is_ours) {
        Ok(Comparison::Same { values, until }) => {
            checked.facts += values;
            checked.compared_until = until;
        }
        Ok(Comparison::Different(text)) => tell(severity, format!("the interfaces differ: {text}")),
        Ok(Comparison::Impossible(reason)) if is_ours => {
            tell(Severity::Warning, format!("the interfaces cannot be compared: {reason}"));
        }
        // The FMU may reject these inputs; its proposed experiment ran before.
        Ok(Comparison::Impossible(_)) => {}
        Err(error) => tell(severity, format!("comparing the interfaces: {error:#}")),
    }
}

fn run(fmu: &Arc<Fmu>, interface: Interface, found: &mut impl FnMut(Severity, String)) -> anyhow::Result<()> {
    let loaded = fmu.load(interface)?;
    let missing = loaded.missing();
    if !missing.is_empty() {
        found(Severity::Warning, format!("the library has no {}", missing.join(", ")));
    }
    let mut problem = |text| found(Severity::Error, text);
    let instance = Instance::new(&loaded)?;
    match interface {
        Interface::CoSimulation => co_simulation::run(&instance, &mut problem),
        Interface::ModelExchange => model_exchange::run(&instance, &mut problem),
    }
}
