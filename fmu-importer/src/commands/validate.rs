//! The command `validate`.

use std::path::Path;
use std::process::Command;

use crate::validate::{self, Finding, Severity};
use anyhow::Result;
use fmu_builder::GENERATOR;
use fmu_commands::import::Validate;
use fmu_commands::import::verdict::{Problem, Verdict};

use super::isolation::{self, Done, Ended, Termination};

/// Checks one file, in a child, and returns the verdict as JSON. The parent gets each finding as it arises.
pub fn run(file: &Path) -> Result<Done> {
    let mut problems = Vec::new();
    let mut broken = Ok(());
    let found = |Finding { severity, text }: Finding| {
        let problem = Problem { severity: severity.name().to_owned(), text };
        match serde_json::to_string(&problem) {
            Ok(line) => isolation::line(&line),
            Err(error) => broken = Err(error),
        }
        problems.push(problem);
    };
    let checked = validate::file_with_progress(file, found, isolation::trying);
    broken?;
    let ran = checked.interfaces.iter().map(|interface| (*interface).to_owned()).collect();
    let (facts, compared_until) = (Some(checked.facts), checked.compared_until);
    let verdict = Verdict { problems, facts, ran, compared_until, ..Verdict::of_errors(file, GENERATOR, []) };
    Ok(Done { well: verdict.passes(false), text: Some(verdict.line()?) })
}

/// Returns the verdict on one file, in the parent, from a child process; nothing if the user interrupted it.
pub fn verdict(options: &Validate, file: &Path, again: impl Fn() -> Command) -> Option<Verdict> {
    let ended = isolation::run(again().args(options.of_file(file)), options.limit.timeout(), true);
    let Ended { end, lines } =
        ended.unwrap_or_else(|error| Ended { end: Termination::Failed(format!("{error:#}")), lines: Vec::new() });
    if let Termination::Regular(Done { text: Some(text), .. }) = &end
        && let Ok(verdict) = serde_json::from_str(text)
    {
        return Some(verdict);
    }
    let problem = match end {
        Termination::Interrupted => return None,
        end => end.problem().unwrap_or_else(|| "the process has given no verdict".to_owned()),
    };
    let mut verdict = Verdict::of_errors(file, GENERATOR, []);
    verdict.problems = lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect();
    verdict.problems.push(Problem { severity: Severity::Error.name().to_owned(), text: problem });
    Some(verdict)
}
