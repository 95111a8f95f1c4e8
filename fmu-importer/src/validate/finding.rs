//! A mistake in an FMU.

use std::fmt;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A violation of the standard, or an FMU that does not run.
    Error,
    /// A legal property that importers have problems with.
    Warning,
    /// A violation of a convention of this project.
    Style,
}

impl Severity {
    /// Returns the name of the severity.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Style => "style",
        }
    }
}

/// A mistake in an FMU, with its severity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Severity of the mistake.
    pub severity: Severity,
    /// Description in one sentence.
    pub text: String,
}

impl Finding {
    /// Makes a finding of a violation of the standard.
    pub(super) fn error(text: String) -> Self {
        Self { severity: Severity::Error, text }
    }

    /// Makes a finding of a legal property that is of little use.
    pub(super) fn warning(text: String) -> Self {
        Self { severity: Severity::Warning, text }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.severity {
            Severity::Error => write!(f, "{}", self.text),
            severity => write!(f, "{}: {}", severity.name(), self.text),
        }
    }
}
