//! What an importer says of an FMU, as lines for readers or as JSON for scripts.

use std::io;
use std::path::Path;

use fmu_builder::console::say;
use serde::{Deserialize, Serialize};

/// The severity of a problem because of which the command fails.
pub const ERROR: &str = "error";
/// The severity of what says nothing about the FMU, such as a limit of an importer.
pub const NOTE: &str = "note";

/// The verdict of one importer on one FMU: a line of JSON.
#[derive(Serialize, Deserialize)]
pub struct Verdict {
    /// The path of the FMU, as it was given.
    pub file: String,
    /// The importer, with its version.
    pub by: String,
    /// What it has found.
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
#[derive(Serialize, Deserialize)]
pub struct Problem {
    /// `error`, `warning`, `style` or `note`.
    pub severity: String,
    /// One sentence.
    pub text: String,
}

impl Problem {
    /// A note, which never makes a command fail.
    pub fn note(text: String) -> Self {
        Self { severity: NOTE.to_owned(), text }
    }
}

impl Verdict {
    /// A verdict with errors only.
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

    /// Prints it as a line of JSON, or a line for each problem and one for the end.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn tell(&self, json: bool, importer: &str, end: Option<String>) -> io::Result<()> {
        if json {
            return self.say();
        }
        let name = Path::new(&self.file).file_name().unwrap_or_default().display();
        self.problems.iter().try_for_each(|problem| say(format_args!("{name}: {importer}: {}", problem.text)))?;
        end.map_or(Ok(()), |end| say(format_args!("{name}: {end}")))
    }

    /// Prints it as a line of JSON.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn say(&self) -> io::Result<()> {
        say(self.line()?)
    }

    /// This verdict as a line of JSON.
    ///
    /// # Errors
    ///
    /// Those of JSON, which a verdict has none of.
    pub fn line(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}
