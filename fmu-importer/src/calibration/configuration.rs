//! The configuration from which an FMU was built, with the values that were found: everything else stays as it is written.

use std::ops::Range;

use anyhow::{Result, bail};
use fmu_builder::description::VariableType;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Calibration, Fitted};
use crate::simulate::trajectory::number;
use crate::values::toml_file::TomlFile;
use crate::values::variables;

/// The section of values of a component.
const PARAMETERS: &str = "parameters";
/// The sections of the parts of a system.
const PARTS: &str = "parts";

/// A text that takes the place of another.
type Edit = (Range<usize>, String);

impl Calibration {
    /// Returns the configuration with the values that were found; without one, these values alone.
    ///
    /// # Errors
    ///
    /// When the configuration has no place for a value.
    pub fn configuration(&self, fitted: &Fitted, origin: &str) -> Result<String> {
        let origin: String = origin.chars().filter(|character| !character.is_control()).collect();
        let Some(path) = &self.model else {
            let mut text = format!("# Fitted to {origin}.\n[{PARAMETERS}]\n");
            for (name, value) in self.found(fitted) {
                text += &format!("\"{name}\" = {}\n", written(value));
            }
            return Ok(text);
        };
        let source = TomlFile::read(path)?;
        let document = source.parse()?;
        let mut edits: Vec<Edit> = Vec::new();
        for (name, value) in self.found(fitted) {
            let edit = self.edit(&source, document.get_ref(), &name, value, fitted)?;
            // An array that the text does not have yet is written once.
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        edits.sort_by_key(|(range, _)| range.start);
        let mut text = format!("# Fitted to {origin}.\n");
        let mut end = 0;
        for (range, written) in edits {
            text += &source.text()[end..range.start];
            text += &written;
            end = range.end;
        }
        Ok(text + &source.text()[end..])
    }

    /// Returns the scalar variables with their values.
    fn found(&self, fitted: &Fitted) -> Vec<(String, f64)> {
        let all = self.runs.experiments[0].simulation.variables();
        let parameters = self.runs.parameters.iter().zip(&fitted.values);
        parameters
            .flat_map(|(parameter, value)| {
                parameter.positions.iter().map(|at| (all[*at].name.clone(), rounded(*value)))
            })
            .collect()
    }

    fn edit(&self, source: &TomlFile, top: &DeTable<'_>, name: &str, value: f64, fitted: &Fitted) -> Result<Edit> {
        let base = variables::base(name);
        let indices: Vec<usize> =
            name[base.len()..].trim_matches(['[', ']']).split(',').filter_map(|index| index.parse().ok()).collect();
        let keys: Vec<&str> = base.split('.').collect();
        let table = |name: &str| top.get(name).and_then(|value| value.get_ref().as_table());
        let place = table(PARTS).and_then(|parts| find(parts, &keys)).or_else(|| find(table(PARAMETERS)?, &keys));
        if let Some(place) = place {
            let element = indices.iter().try_fold(place, |value, index| value.get_ref().as_array()?.get(index - 1));
            if let Some(element) = element.filter(|element| element.get_ref().as_array().is_none()) {
                return Ok((element.span(), written(value)));
            }
            return Ok((place.span(), self.whole(base, fitted)));
        }
        let line = match &keys[..] {
            [part, rest @ ..] if table(PARTS).is_some_and(|parts| parts.contains_key(*part)) => {
                (format!("[{PARTS}.{part}]"), rest.join("."))
            }
            _ if table(PARAMETERS).is_some() => (format!("[{PARAMETERS}]"), quoted(base)),
            _ if table(PARTS).is_none() => {
                let end = source.text().len();
                return Ok((end..end, format!("\n[{PARAMETERS}]\n{} = {}\n", quoted(base), self.whole(base, fitted))));
            }
            _ => bail!(source.error(0..0, format_args!("there is no part with a parameter `{base}`"))),
        };
        let Some(end) = end_of_line(source.text(), &line.0) else {
            bail!(
                source.error(
                    0..0,
                    format_args!("there is no section {} for `{base}`: add one with `{}`", line.0, line.1)
                )
            )
        };
        Ok((end..end, format!("\n{} = {}", line.1, self.whole(base, fitted))))
    }

    /// Returns all elements of an array, or a scalar, as TOML: values that were found, and start values.
    fn whole(&self, base: &str, fitted: &Fitted) -> String {
        let simulation = &self.runs.experiments[0].simulation;
        let all = simulation.variables();
        let found = self.found(fitted);
        let value = |position: usize| {
            let own = found.iter().find(|(name, _)| *name == all[position].name).map(|(_, value)| *value);
            let start = || match all[position].kind {
                VariableType::Real { start, .. } => start,
                _ => None,
            };
            written(own.or_else(start).unwrap_or(0.0))
        };
        let Ok(elements) = variables::find(base, all, |_| true) else { return String::new() };
        let values: Vec<String> = elements.positions.iter().map(|position| value(*position)).collect();
        match elements.shape[..] {
            [_, columns] => {
                let rows: Vec<_> = values.chunks(columns).map(|row| format!("[{}]", row.join(", "))).collect();
                format!("[{}]", rows.join(", "))
            }
            [_] => format!("[{}]", values.join(", ")),
            _ => values.join(", "),
        }
    }
}

/// Finds the value of a name whose parts may be keys of their own, or belong to a key with dots.
fn find<'t, 'a>(table: &'t DeTable<'a>, keys: &[&str]) -> Option<&'t Spanned<DeValue<'a>>> {
    (1..=keys.len()).rev().find_map(|count| {
        let value = table.get(keys[..count].join(".").as_str())?;
        match (count == keys.len(), value.get_ref().as_table()) {
            // An initial value has its condition beside it.
            (true, Some(inner)) => inner.get("start"),
            (true, None) => Some(value),
            (false, inner) => find(inner?, &keys[count..]),
        }
    })
}

/// Returns the position behind the line that is this text.
fn end_of_line(text: &str, line: &str) -> Option<usize> {
    let mut begin = 0;
    text.split_inclusive('\n').find_map(|own| {
        let is_it = own.split('#').next().unwrap_or_default().trim() == line;
        begin += own.len();
        is_it.then(|| begin - own.len() + own.trim_end_matches(['\n', '\r']).len())
    })
}

fn quoted(name: &str) -> String {
    let is_bare = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    if is_bare { name.to_owned() } else { format!("\"{name}\"") }
}

fn written(value: f64) -> String {
    let text = number(value);
    if text.contains(['.', 'e']) { text } else { text + ".0" }
}

/// Returns a value with ten digits: more would not be known.
fn rounded(value: f64) -> f64 {
    format!("{value:.9e}").parse().unwrap_or(value)
}
