//! The verdict of an importer on an FMU, as lines for readers or as JSON for scripts.

use std::io;
use std::path::Path;

use fmu_builder::console::{counted, say};
use serde::{Deserialize, Serialize};

/// The severity of a problem because of which the command fails.
pub const ERROR: &str = "error";
/// The severity of a note that does not concern the FMU, such as a limit of an importer.
pub const NOTE: &str = "note";

/// Name of our own importer and rules.
pub const OWN: &str = "own rules";
/// Name of the crate of Rust.
pub const FMI_CRATE: &str = "fmi crate";
/// Name of the package of Python, which has no version where it could not tell it.
pub const FMPY: &str = "FMPy";

/// The verdict of one importer on one FMU: a line of JSON.
#[derive(Clone, Serialize, Deserialize)]
pub struct Verdict {
    /// The path of the FMU, as it was given.
    pub file: String,
    /// The importer, with its version.
    pub by: String,
    /// Problems that the importer has found.
    pub problems: Vec<Problem>,
    /// Number of facts that were checked, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<usize>,
    /// The interfaces in which the FMU ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<String>,
    /// The time in s until which both interfaces were compared, if not to the end of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compared_until: Option<f64>,
}

/// A problem of an FMU.
#[derive(Clone, Serialize, Deserialize)]
pub struct Problem {
    /// `error`, `warning`, `style` or `note`.
    pub severity: String,
    /// Description in one sentence.
    pub text: String,
}

impl Problem {
    /// Makes a note, which never makes a command fail.
    pub fn note(text: String) -> Self {
        Self { severity: NOTE.to_owned(), text }
    }
}

impl Verdict {
    /// Makes a verdict with errors only.
    pub fn of_errors(file: &Path, by: &str, errors: impl IntoIterator<Item = String>) -> Self {
        let problem = |text| Problem { severity: ERROR.to_owned(), text };
        let problems = errors.into_iter().map(problem).collect();
        Self {
            file: file.display().to_string(),
            by: by.to_owned(),
            problems,
            facts: None,
            ran: Vec::new(),
            compared_until: None,
        }
    }

    /// Returns true if there is no error, and with `strict` no warning and no matter of style.
    pub fn passes(&self, strict: bool) -> bool {
        let fails = |problem: &Problem| problem.severity == ERROR || strict && problem.severity != NOTE;
        !self.problems.iter().any(fails)
    }

    /// Prints the verdict as a line of JSON, or a line for each problem and one for the end.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn tell(&self, json: bool) -> io::Result<()> {
        if json {
            return say(self.line()?);
        }
        let name = Path::new(&self.file).file_name().unwrap_or(self.file.as_ref()).display();
        // Our own verdicts are printed without a name.
        let by = match self.importer() {
            OWN => String::new(),
            other => format!("{other}: "),
        };
        for Problem { severity, text } in &self.problems {
            say(format_args!("{name}: {severity}: {by}{text}"))?;
        }
        self.end().map_or(Ok(()), |end| say(format_args!("{name}: {end}")))
    }

    /// Returns the importer without its version.
    pub fn importer(&self) -> &str {
        [FMI_CRATE, FMPY].into_iter().find(|known| self.by.starts_with(known)).unwrap_or(OWN)
    }

    /// Returns the last line.
    fn end(&self) -> Option<String> {
        let ran = self.ran.join(" and ");
        match self.importer() {
            FMPY if self.by == FMPY => None,
            FMPY => Some(match self.problems.len() {
                0 => format!("{}: no problems", self.by),
                count => format!("{}: {}", self.by, counted(count, "problem")),
            }),
            FMI_CRATE => (!ran.is_empty()).then(|| format!("the fmi crate ran {ran}")),
            _ if !self.passes(false) => None,
            _ => {
                let none = if self.problems.is_empty() { "no problems" } else { "no errors" };
                let until = self.compared_until.map(|time| format!(", compared until {} s", rounded(time)));
                let facts = self.facts.unwrap_or_default();
                Some(format!("{none} ({facts} facts checked; ran {ran}{})", until.unwrap_or_default()))
            }
        }
    }

    /// Returns this verdict as a line of JSON.
    ///
    /// # Errors
    ///
    /// Those of JSON, which a verdict has none of.
    pub fn line(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

/// Returns a time to six digits.
fn rounded(time: f64) -> f64 {
    format!("{time:.5e}").parse().unwrap_or(time)
}
