//! The command `validate`.

use std::path::Path;

use crate::simulate::summary::short;
use crate::validate::{self, Severity};
use anyhow::Result;
use fmu_builder::GENERATOR;
use fmu_builder::console::say;
use fmu_commands::import::verdict::{Problem, Verdict};

use super::isolation::Done;

/// Checks one file and prints each finding as it arises, or gives all as JSON.
pub fn run(file: &Path, strict: bool, json: bool) -> Result<Done> {
    let name = file.file_name().unwrap_or(file.as_os_str()).display();
    let mut counts = [0; 3];
    let mut printed = Ok(());
    let mut problems = Vec::new();
    let checked = validate::file(file, |finding| {
        counts[finding.severity as usize] += 1;
        if json {
            problems.push(Problem { severity: finding.severity.name().to_owned(), text: finding.text });
        } else if printed.is_ok() {
            printed = say(format_args!("{name}: {finding}"));
        }
    });
    printed?;
    let errors = counts[Severity::Error as usize];
    let ran: Vec<_> = checked.interfaces.iter().map(|interface| (*interface).to_owned()).collect();
    let mut text = None;
    if json {
        let (file, by) = (file.display().to_string(), GENERATOR.to_owned());
        let (facts, compared_until) = (Some(checked.facts), checked.compared_until);
        text = Some(Verdict { file, by, problems, facts, ran, compared_until }.line()?);
    } else if errors == 0 {
        let none = if counts == [0; 3] { "no problems" } else { "no errors" };
        let until = checked.compared_until.map(|time| format!(", compared until {} s", short(time)));
        let (ran, until) = (ran.join(" and "), until.unwrap_or_default());
        say(format_args!("{name}: {none} ({} facts checked; ran {ran}{until})", checked.facts))?;
    }
    Ok(Done { well: errors == 0 && (!strict || counts == [0; 3]), text })
}
