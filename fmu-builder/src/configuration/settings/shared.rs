//! `f_normalized = "input.pedal"`: inputs of parts that an input of the system gives their values.

use std::collections::{HashMap, HashSet};

use fmu_declaration::structure::{FLOWS, is_identifier};

use super::entry::{Entry, Section, TOP_LEVEL_KEYS};
use super::parts::part_of;
use crate::description::{Causality, Description, Variable, VariableType};

/// The prefix of the name of an input of the system.
const PREFIX: &str = "input.";

/// Takes the entries that say so; returns the structure options. `outline` is the system with its parts.
pub(super) fn take(
    entries: &mut Vec<Entry>,
    outline: &Description,
    problems: &mut Vec<String>,
) -> Vec<(String, String)> {
    let variables = || outline.variables.iter().filter(|variable| !is_text(variable));
    let variables: HashMap<_, _> = variables().map(|variable| (variable.name.as_str(), variable)).collect();
    let is_of_part = |entry: &Entry| matches!(entry.section, Section::Parts | Section::Command);
    let mut options: Vec<(String, String)> = Vec::new();
    // Each input with the first variable to which it gives its value.
    let mut inputs: Vec<(String, &Variable)> = Vec::new();
    let mut taken = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let input = entry.value.text().and_then(|text| text.strip_prefix(PREFIX).map(str::to_owned));
        let input = input.filter(|_| is_of_part(entry));
        let Some((input, variable)) = input.zip(variables.get(entry.name.as_str()).copied()) else { continue };
        taken.push(i);
        // On the command line the last one counts.
        if entries[i + 1..].iter().any(|later| later.section == Section::Command && later.name == entry.name) {
            continue;
        }
        let first = inputs.iter().find(|(name, _)| *name == input).map(|(_, first)| *first);
        match problem(&input, variable, first, outline) {
            Some(problem) => problems.push(entry.value.problem(&entry.name, &problem)),
            None if first.is_none() => inputs.push((input.clone(), variable)),
            None => {}
        }
        options.push((entry.name.clone(), format!("{PREFIX}{input}")));
    }
    let given: HashSet<_> = options.iter().map(|(option, _)| option.as_str()).collect();
    let is_given = |entry: &Entry| is_of_part(entry) && given.contains(entry.name.as_str());
    let mut numbers = 0..;
    entries.retain(|entry| {
        let is_taken = numbers.next().is_some_and(|number| taken.binary_search(&number).is_ok());
        !is_taken && !is_given(entry)
    });
    options
}

/// Why an input of the system cannot give a variable its value; `first` is another one to which it does.
fn problem(input: &str, variable: &Variable, first: Option<&Variable>, outline: &Description) -> Option<String> {
    let name = &variable.name;
    if variable.causality != Causality::Input {
        return Some(format!("an input of the FMU can only be connected to inputs of parts, and {name} is not one"));
    }
    let is_member = |terminal: &&crate::description::Terminal| {
        terminal.members.iter().any(|member| format!("{}.{}", terminal.name, member.name) == *name)
    };
    if let Some(terminal) = outline.terminals.iter().find(is_member) {
        return Some(format!("{name} belongs to the connector {}, which is connected as a whole", terminal.name));
    }
    if !is_identifier(input) {
        return Some("the name of an input must be letters, digits and _, and begin with a letter".to_owned());
    }
    if outline.structure.iter().any(|option| part_of(&option.name) == input && option.name != input) {
        return Some(format!("a part is named \"{input}\": give the input another name"));
    }
    if TOP_LEVEL_KEYS.contains(&input) || ["time", FLOWS].contains(&input) {
        return Some(format!("an input cannot be named \"{input}\": this name is reserved"));
    }
    let first = first.filter(|first| what(first) != what(variable))?;
    Some(format!(
        "{name} is {}, but {}, to which the same input gives its value, is {}",
        what(variable),
        first.name,
        what(first)
    ))
}

fn is_text(variable: &Variable) -> bool {
    matches!(variable.kind, VariableType::String { .. })
}

/// What values a variable has.
fn what(variable: &Variable) -> String {
    match &variable.kind {
        VariableType::Real { unit, .. } => match unit.as_deref() {
            None | Some("1") => "a number without unit".to_owned(),
            Some(unit) => format!("in {unit}"),
        },
        VariableType::Integer { .. } => "a whole number".to_owned(),
        VariableType::Boolean { .. } => "true or false".to_owned(),
        VariableType::String { .. } => "a text".to_owned(),
        VariableType::Enumeration { declared_type, .. } => format!("a {declared_type}"),
    }
}
