//! Parameters that the start determines: `c = { start = 100, initial = "find" }`.

use super::entry::{Entry, Section};
use crate::description::{Causality, Description, VariableType};

/// The word for that.
const FIND: &str = "find";

/// Takes the entries that let the start determine parameters; returns the structure options. `outline` is the system with its
/// parts.
pub(super) fn take(
    entries: &mut Vec<Entry>,
    outline: &Description,
    problems: &mut Vec<String>,
) -> Vec<(String, String)> {
    let is_parameter = |name: &str| {
        outline.variables.iter().any(|variable| {
            let is_real = matches!(variable.kind, VariableType::Real { .. });
            variable.name == name && variable.causality == Causality::Parameter && is_real
        })
    };
    let mut options = Vec::new();
    entries.retain(|entry| {
        let of_part = Some(&entry.name).filter(|_| matches!(entry.section, Section::Parts | Section::Command));
        let Some(_) = of_part.and_then(|name| name.strip_suffix(".initial")).filter(|name| is_parameter(name)) else {
            return true;
        };
        if entry.value.plain() == FIND {
            options.push((entry.name.clone(), FIND.to_owned()));
        } else {
            let right = "must be \"find\", or leave it out: then the value holds";
            problems.push(entry.value.problem(&entry.name, right));
        }
        false
    });
    for entry in entries {
        let name = entry.name.strip_suffix(".start");
        if let Some(name) =
            name.filter(|name| options.iter().any(|(option, _)| option.strip_suffix(".initial") == Some(name)))
        {
            entry.name = name.to_owned();
        }
    }
    options
}
