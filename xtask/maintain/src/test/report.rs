//! Results of a run of steps: the summary, and reports for other programs.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use fmu_builder::console::say;
use fmu_commands::junit;
use serde_json::{Value, json};

use super::steps::Done;
use crate::checks::{Check, Outcome};

/// Counts the checks that passed, failed and were skipped.
fn counts<'a>(checks: impl Iterator<Item = &'a Check>) -> [usize; 3] {
    checks.fold([0; 3], |[passed, failed, skipped], check| match check.outcome {
        Outcome::Passed => [passed + 1, failed, skipped],
        Outcome::Failed(_) => [passed, failed + 1, skipped],
        Outcome::Skipped(_) | Outcome::Offline(_) => [passed, failed, skipped + 1],
    })
}

/// Prints the failed and the skipped checks, and their numbers; returns true if none failed.
pub fn summary(steps: &[Done]) -> Result<bool> {
    let all = || steps.iter().flat_map(|step| &step.checks);
    for check in all() {
        if let Outcome::Skipped(reason) | Outcome::Offline(reason) = &check.outcome {
            say(format_args!("skipped: {}: {reason}", check.name))?;
        }
    }
    for check in all() {
        if let Outcome::Failed(message) = &check.outcome {
            say(format_args!("failed: {}: {message}", check.name))?;
        }
    }
    let mut times = String::new();
    for step in steps {
        write!(times, "{}{} {:.0} s", if times.is_empty() { "" } else { ", " }, step.name, step.seconds)?;
    }
    say(times)?;
    let [passed, failed, skipped] = counts(all());
    say(format_args!("{passed} passed, {failed} failed, {skipped} skipped"))?;
    Ok(failed == 0)
}

/// Returns the report as JSON.
pub fn json(steps: &[Done]) -> Value {
    let of_check = |check: &Check| match &check.outcome {
        Outcome::Passed => json!({ "name": check.name, "outcome": "passed" }),
        Outcome::Failed(message) => json!({ "name": check.name, "outcome": "failed", "message": message }),
        Outcome::Skipped(reason) | Outcome::Offline(reason) => {
            json!({ "name": check.name, "outcome": "skipped", "message": reason })
        }
    };
    let of_step = |step: &Done| {
        let checks: Vec<_> = step.checks.iter().map(of_check).collect();
        json!({ "name": step.name, "seconds": step.seconds, "checks": checks })
    };
    let [passed, failed, skipped] = counts(steps.iter().flat_map(|step| &step.checks));
    let steps: Vec<_> = steps.iter().map(of_step).collect();
    json!({ "passed": passed, "failed": failed, "skipped": skipped, "steps": steps })
}

/// Returns the report in JUnit's format: a suite for each step.
pub fn junit(steps: &[Done]) -> Result<Vec<u8>> {
    let outcome = |check: &Check| match &check.outcome {
        Outcome::Passed => junit::Outcome::Passed,
        Outcome::Failed(message) => junit::Outcome::Failed(message.clone()),
        Outcome::Skipped(reason) | Outcome::Offline(reason) => junit::Outcome::Skipped(reason.clone()),
    };
    let suites: Vec<_> = (steps.iter())
        .map(|step| junit::Suite {
            name: step.name.to_owned(),
            seconds: Some(step.seconds),
            cases: step.checks.iter().map(|check| (check.name.clone(), outcome(check))).collect(),
        })
        .collect();
    Ok(junit::junit(&suites)?)
}

/// Writes the reports that are asked for.
pub fn write(steps: &[Done], junit_file: Option<&Path>, json_file: Option<&Path>) -> Result<()> {
    if let Some(file) = junit_file {
        fs_err::write(file, junit(steps)?)?;
    }
    if let Some(file) = json_file {
        fs_err::write(file, format!("{:#}\n", json(steps)))?;
    }
    Ok(())
}
