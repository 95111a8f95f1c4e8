//! `validate` of several files: one block of lines for each, a line for all, and a report for other programs.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use fmu_builder::console::{counted, say};
use fmu_builder::{Destination, FileKind};

use super::verdict::{ERROR, NOTE, Verdict};
use super::{ProgressLines, Validate};
use crate::junit::{Outcome, Suite, junit};

/// The verdicts on the files of a command, printed one by one.
pub struct Report<'a> {
    options: &'a Validate,
    junit: Option<Destination>,
    verdicts: Vec<Verdict>,
    progress: ProgressLines,
}

impl<'a> Report<'a> {
    /// Makes a report without verdicts.
    ///
    /// # Errors
    ///
    /// When the report for other programs cannot be written, or would replace one of the files or a file of another kind.
    pub fn new(options: &'a Validate) -> Result<Self> {
        let files: Vec<_> = options.files.iter().map(|file| ("an FMU", Some(file.as_path()))).collect();
        let destination = |file: &PathBuf| {
            anyhow::Ok(Destination::new(file)?.apart_from("--junit", files.iter().copied())?.of_kind(FileKind::Junit)?)
        };
        let junit = options.junit.as_ref().map(destination).transpose()?;
        Ok(Self { options, junit, verdicts: Vec::new(), progress: ProgressLines::default() })
    }

    /// Prints a verdict.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add(&mut self, verdict: Verdict) -> Result<()> {
        verdict.tell(self.options.json)?;
        self.verdicts.push(verdict);
        let files = &self.options.files;
        self.progress
            .part(files.iter().filter(|file| self.of(file).next().is_some()).count() as f64 / files.len() as f64);
        Ok(())
    }

    /// Prints the line for all files, if there are several, and writes the report; returns true if all files pass.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(self) -> Result<bool> {
        let files = &self.options.files;
        let passes = |file: &&PathBuf| self.of(file).all(|verdict| verdict.passes(self.options.strict));
        let (well, failed): (Vec<_>, Vec<_>) = files.iter().partition(passes);
        if files.len() > 1 && !self.options.json {
            let names: Vec<_> = failed.iter().map(|file| file.display().to_string()).collect();
            let failed = match names.len() {
                0 => String::new(),
                count => format!(", {count} not: {}", names.join(", ")),
            };
            say(format_args!("{}: {} accepted{failed}", counted(files.len(), "FMU"), well.len()))?;
        }
        if let Some(destination) = &self.junit {
            let suites: Vec<_> = files.iter().map(|file| self.suite(file)).collect();
            let report = junit(&suites)?;
            destination.write(|writer| writer.write_all(&report))?;
        }
        Ok(failed.is_empty())
    }

    fn of(&self, file: &Path) -> impl Iterator<Item = &Verdict> {
        let name = file.display().to_string();
        self.verdicts.iter().filter(move |verdict| verdict.file == name)
    }

    /// Returns the suite of a file, with a case for each importer.
    fn suite(&self, file: &Path) -> Suite {
        let case = |verdict: &Verdict| {
            let lines = |is: &dyn Fn(&str) -> bool| {
                let lines = verdict.problems.iter().filter(|problem| is(&problem.severity));
                lines.map(|problem| format!("{}: {}", problem.severity, problem.text)).collect::<Vec<_>>().join("\n")
            };
            let outcome = if !verdict.passes(self.options.strict) {
                Outcome::Failed(lines(&|severity| severity == ERROR || self.options.strict && severity != NOTE))
            } else if verdict.ran.is_empty() && verdict.problems.iter().any(|problem| problem.severity == NOTE) {
                Outcome::Skipped(lines(&|severity| severity == NOTE))
            } else {
                Outcome::Passed
            };
            (verdict.importer().to_owned(), outcome)
        };
        Suite { name: file.display().to_string(), seconds: None, cases: self.of(file).map(case).collect() }
    }
}
