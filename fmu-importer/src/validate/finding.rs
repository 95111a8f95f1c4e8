//! Something wrong with an FMU.

use std::fmt;

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Against the standard, or the FMU does not run.
    Error,
    /// Legal, but importers stumble over it.
    Warning,
    /// A habit of this project.
    Style,
}

impl Severity {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Style => "style",
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How serious it is.
    pub severity: Severity,
    /// One sentence.
    pub text: String,
}

impl Finding {
    /// Against the standard.
    pub(super) fn error(text: String) -> Self {
        Self { severity: Severity::Error, text }
    }

    /// Legal, but of little use.
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
