//! The section `[geometry]`: friction surfaces that determine the parameter cgeo.

use super::value::{Data, Value};
use super::{Entry, Section};
use crate::description::Description;
use crate::text::nearest::did_you_mean;
use crate::text::number::number;

/// The parameter that it determines, in any component that has it.
const PARAMETER: &str = "cgeo";

/// What the section takes.
pub(crate) const SURFACES: [(&str, &str); 3] =
    [("N", "Number of friction surfaces"), ("r_o", "Outer radius in m"), ("r_i", "Inner radius in m")];
const NAMES: [&str; 3] = [SURFACES[0].0, SURFACES[1].0, SURFACES[2].0];

/// Whether a component has what follows from it.
pub(crate) fn fits(description: &Description) -> bool {
    description.variables.iter().any(|variable| variable.name == PARAMETER)
}

/// The parameter that follows from the entries of the section, `others` being those of all sections
/// but this: nothing without the section.
pub(super) fn parameter(
    entries: &[&Entry],
    others: &[&Entry],
    description: &Description,
) -> Result<Option<Entry>, Vec<String>> {
    let Some(first) = entries.first() else { return Ok(None) };
    let place = &first.place;
    if !fits(description) {
        let component = &description.component;
        return Err(vec![format!("{place}: [geometry] is for components with {PARAMETER}; {component} has none")]);
    }
    let mut problems: Vec<String> = Vec::new();
    if let Some(other) = others.iter().find(|other| other.name == PARAMETER) {
        problems.push(format!("{}: {PARAMETER} follows from [geometry] already, at {place}", other.place));
    }
    for entry in entries.iter().filter(|entry| !NAMES.contains(&entry.name.as_str())) {
        let Entry { name, place, .. } = entry;
        let hint = did_you_mean(name, NAMES);
        problems.push(format!("{place}: unknown \"{name}\" in [geometry], which takes N, r_o and r_i{hint}"));
    }
    // The last entry is that of the command line.
    let given = NAMES.map(|name| entries.iter().rfind(|entry| entry.name == name));
    let missing = NAMES.iter().zip(&given).filter(|(_, entry)| entry.is_none());
    problems.extend(missing.map(|(name, _)| format!("{place}: [geometry] lacks {name}; it takes N, r_o and r_i")));
    let values = given.map(|entry| {
        let value = entry.map(|entry| admissible(entry).map_err(|right| entry.value.problem(&entry.name, right)));
        value.transpose().map_err(|problem| problems.push(problem)).ok().flatten()
    });
    if let ([_, Some(r_o), Some(r_i)], [_, _, Some(inner)]) = (values, given)
        && r_i >= r_o
    {
        problems.push(inner.value.problem("r_i", &format!("must be less than r_o = {}", number(r_o))));
    }
    let [Some(n), Some(r_o), Some(r_i)] = values else { return Err(problems) };
    if !problems.is_empty() {
        return Err(problems);
    }
    let cgeo = n * (r_o + r_i) / 2.0;
    if !cgeo.is_finite() {
        return Err(vec![format!("{place}: {PARAMETER} = N (r_o + r_i) / 2 is too large; it must be a finite number")]);
    }
    Ok(Some(Entry {
        section: Section::Parameters,
        name: PARAMETER.to_owned(),
        place: place.clone(),
        value: Value { place: place.clone(), data: Data::Real(cgeo) },
    }))
}

fn admissible(entry: &Entry) -> Result<f64, &'static str> {
    let value = entry.value.real().filter(|value| value.is_finite()).unwrap_or(f64::NAN);
    match &entry.name[..] {
        "N" if value >= 1.0 && value.fract() == 0.0 => Ok(value),
        "N" => Err("must be a whole number of at least 1"),
        // A solid disc has an inner radius of 0.
        "r_i" if value >= 0.0 => Ok(value),
        "r_i" => Err("must be a finite number of at least 0"),
        _ if value > 0.0 => Ok(value),
        _ => Err("must be a finite number greater than 0"),
    }
}
