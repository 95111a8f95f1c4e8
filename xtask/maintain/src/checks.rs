//! Checks and their outcomes: passed, failed, or skipped for a reason.

use std::fmt::Display;

use anyhow::{Result, bail};
use fmu_builder::console::say;

/// One check with its outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Name of the check.
    pub name: String,
    /// Outcome of the check.
    pub outcome: Outcome,
}

/// Outcome of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Passed,
    /// Failed, with the message.
    Failed(String),
    /// Skipped since a tool is absent, with the reason.
    Skipped(String),
    /// Skipped since it needs a network that not everybody has, with the reason; no run fails without it.
    Offline(String),
}

impl Check {
    /// Makes a check that passed.
    pub fn passed(name: impl Display) -> Self {
        Self { name: name.to_string(), outcome: Outcome::Passed }
    }

    /// Makes a check that failed, with the message.
    pub fn failed(name: impl Display, message: impl Display) -> Self {
        Self { name: name.to_string(), outcome: Outcome::Failed(message.to_string()) }
    }

    /// Makes a check that cannot be made here, with the reason.
    pub fn skipped(name: impl Display, reason: impl Display) -> Self {
        Self { name: name.to_string(), outcome: Outcome::Skipped(reason.to_string()) }
    }

    /// True if the check failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.outcome, Outcome::Failed(_))
    }

    /// Turns a skip into a failure.
    pub fn refuse_skip(&mut self) {
        if let Outcome::Skipped(reason) = &self.outcome {
            self.outcome = Outcome::Failed(format!("skipped: {reason}"));
        }
    }

    /// Makes a check of a result: passed or failed.
    pub fn of(name: impl Display, result: Result<()>) -> Self {
        match result {
            Ok(()) => Self::passed(name),
            Err(error) => Self::failed(name, format_args!("{error:#}")),
        }
    }
}

/// Prints the skipped checks; returns an error with the failed ones.
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

/// True if the variable `CI` is "true".
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}
