//! What checks find: passed, failed, or skipped for a reason.

use std::fmt::Display;

use anyhow::{Result, bail};
use fmu_builder::console::say;

/// One check with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Passed,
    /// With the message.
    Failed(String),
    /// With the reason: a tool is absent.
    Skipped(String),
    /// With the reason: it needs a network that not everybody has, so that no run fails without it.
    Offline(String),
}

impl Check {
    /// A check that passed.
    pub fn passed(name: impl Display) -> Self {
        Self { name: name.to_string(), outcome: Outcome::Passed }
    }

    /// A check that failed, with the message.
    pub fn failed(name: impl Display, message: impl Display) -> Self {
        Self { name: name.to_string(), outcome: Outcome::Failed(message.to_string()) }
    }

    /// A check that cannot be made here, with the reason.
    pub fn skipped(name: impl Display, reason: impl Display) -> Self {
        Self { name: name.to_string(), outcome: Outcome::Skipped(reason.to_string()) }
    }

    /// Whether it failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// Takes a skip for a failure.
    pub fn refuse_skip(&mut self) {
        if let Outcome::Skipped(reason) = &self.outcome {
            self.outcome = Outcome::Failed(format!("skipped: {reason}"));
        }
    }

    /// A check that gives a result.
    pub fn of(name: impl Display, result: Result<()>) -> Self {
        match result {
            Ok(()) => Self::passed(name),
            Err(error) => Self::failed(name, format_args!("{error:#}")),
        }
    }
}

/// Prints what was skipped; fails with what failed.
pub fn conclude(checks: Vec<Check>) -> Result<()> {
    let mut failures = Vec::new();
    for Check { name, outcome } in checks {
        match outcome {
            Outcome::Passed => {}
            Outcome::Failed(message) => failures.push(format!("{name}: {message}")),
            Outcome::Skipped(reason) | Outcome::Offline(reason) => say(format_args!("skipped: {name}: {reason}"))?,
        }
    }
    if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    Ok(())
}

/// Whether `CI` is "true".
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}
