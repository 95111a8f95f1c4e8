//! `outputs = ["crank.phi"]` at the top of a system: the variables that are outputs.

use std::collections::HashMap;

use fmu_exchange::{SEPARATOR, StructureKind};

use super::entry::Settings;
use super::location::Location;
use super::value::{Data, Value};
use crate::description::{Causality, Description};
use crate::text::suggestion::did_you_mean;

/// Name of the entry, and of the structure option.
pub(super) const OUTPUTS: &str = "outputs";

/// Returns the structure option with the names of the outputs, if they are given.
pub(super) fn option(
    settings: &Settings,
    default: &Description,
    problems: &mut Vec<String>,
) -> Option<(String, String)> {
    let entry = settings.head(OUTPUTS)?;
    let wrong = |problem: &str| Some(entry.value.problem(OUTPUTS, problem));
    let problem = if !default.structure.iter().any(|option| option.kind == StructureKind::Outputs) {
        wrong("only systems, which have [parts], choose their outputs")
    } else if names(&entry.value).is_empty() {
        wrong(
            "must be an array of names, such as [\"part.variable\"]; without this line all computed variables are outputs",
        )
    } else {
        None
    };
    problems.extend(problem);
    let separator = SEPARATOR.to_string();
    let names: Vec<_> = names(&entry.value).iter().map(|value| value.text().unwrap_or_default()).collect();
    Some((OUTPUTS.to_owned(), names.join(&separator)))
}

fn names(value: &Value) -> Vec<Value> {
    if matches!(value.data, Data::Array(_) | Data::Text(_)) { value.entries() } else { Vec::new() }
}

/// Refuses names that no computed variable has, and those that are named twice.
pub(super) fn check(settings: &Settings, structured: &Description, problems: &mut Vec<String>) {
    let Some(entry) = settings.head(OUTPUTS) else { return };
    let variables: HashMap<_, _> =
        structured.variables.iter().map(|variable| (variable.name.as_str(), variable)).collect();
    let mut known = HashMap::new();
    for (i, value) in names(&entry.value).into_iter().enumerate() {
        let name = value.text().unwrap_or_default();
        let first = *known.entry(name.clone()).or_insert(i + 1);
        // In a file the element follows.
        let element = match value.location {
            Location::File { .. } => format!("{OUTPUTS}[{}]", i + 1),
            Location::Command { .. } => format!("{OUTPUTS}[{}] = \"{name}\":", i + 1),
        };
        let is_computed = |causality| matches!(causality, Causality::Output | Causality::Local);
        let problem = match variables.get(name.as_str()) {
            Some(variable) if is_computed(variable.causality) && first == i + 1 => continue,
            Some(variable) if is_computed(variable.causality) => {
                format!("is {OUTPUTS}[{first}] already: name each output once")
            }
            Some(variable) if variable.causality == Causality::Input => {
                "is an input, but an output is a computed variable".to_owned()
            }
            Some(_) => "is a parameter, but an output is a computed variable".to_owned(),
            None => {
                let computed = structured.variables.iter().filter(|variable| is_computed(variable.causality));
                format!("there is no such variable{}", did_you_mean(&name, computed.map(|one| one.name.as_str())))
            }
        };
        problems.push(value.problem(&element, &problem));
    }
}
