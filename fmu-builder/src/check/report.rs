//! The result of a check of an FMU.

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Number of facts that were checked.
    pub checked: usize,
    /// Violations of the standard, each with its subject and its rule in docs/conformance.md.
    pub problems: Vec<String>,
    /// Legal facts that cause problems in some importers, in the same form as the problems.
    pub warnings: Vec<String>,
    /// Violations of this project's conventions only, in the same form as the problems.
    pub style: Vec<String>,
}

impl Report {
    /// Returns true if something was checked and nothing violates the standard.
    pub fn passed(&self) -> bool {
        self.checked > 0 && self.problems.is_empty()
    }

    /// Checks one fact; the message is formatted only if it is violated.
    pub(super) fn expect(&mut self, holds: bool, rule: &str, problem: impl FnOnce() -> String) {
        self.checked += 1;
        self.problems.extend((!holds).then(|| format!("{} ({rule})", problem())));
    }

    /// Checks a fact that the standard does not demand but some importers need.
    pub(super) fn prefer(&mut self, holds: bool, rule: &str, problem: impl FnOnce() -> String) {
        self.checked += 1;
        self.warnings.extend((!holds).then(|| format!("{} ({rule})", problem())));
    }

    /// Checks a convention of this project.
    pub(super) fn house_rule(&mut self, holds: bool, rule: &str, problem: impl FnOnce() -> String) {
        self.checked += 1;
        self.style.extend((!holds).then(|| format!("{} ({rule})", problem())));
    }
}
