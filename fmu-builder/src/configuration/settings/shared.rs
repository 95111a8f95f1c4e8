//! `f_normalized = "input.pedal"`, `f_normalized = "pedal.y"`: inputs of parts to which an input of the system, or a signal of
//! another part, gives their values.

use std::collections::{HashMap, HashSet};

use fmu_exchange::Standard;
use fmu_exchange::structure::{FLOWS, is_identifier, is_variable};

use super::entry::{Entry, Section, TOP_LEVEL_KEYS};
use super::part_names::PartNames;
use crate::description::{Causality, Description, Variable, VariableType};
use crate::text::suggestion::did_you_mean;

/// The prefix of the name of an input of the system.
pub(super) const PREFIX: &str = "input.";

/// Why an input of FMI 3.0 cannot give a motion.
const NO_DERIVATIVES_IN_FMI3: &str = "its rates are derivatives of the input, which FMI 3.0 has no function to set: build for FMI 2.0 \
                                      alone (fmi = 2), or let the motion have its own inputs";

/// Removes the entries with inputs of the system; returns the structure options. `outline` is the system with its
/// parts.
pub(super) fn take(
    entries: &mut Vec<Entry>,
    outline: &Description,
    standards: &[Standard],
    problems: &mut Vec<String>,
) -> Vec<(String, String)> {
    let variables = || outline.variables.iter().filter(|variable| !is_text(variable));
    let variables: HashMap<_, _> = variables().map(|variable| (variable.name.as_str(), variable)).collect();
    let is_of_part = |entry: &Entry| matches!(entry.section, Section::Parts | Section::Command);
    let mut options: Vec<(String, String)> = Vec::new();
    // The inputs, each with the first variable to which it gives its value.
    let mut inputs: Vec<(String, &Variable)> = Vec::new();
    let mut taken = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let text = entry.value.text().filter(|_| is_of_part(entry));
        let Some((from, variable)) = text.zip(variables.get(entry.name.as_str()).copied()) else { continue };
        let input = from.strip_prefix(PREFIX).map(str::to_owned);
        if input.is_none() && !is_signal(&from) {
            continue;
        }
        taken.push(i);
        // On the command line the last one counts.
        if entries[i + 1..].iter().any(|later| later.section == Section::Command && later.name == entry.name) {
            continue;
        }
        let Some(input) = input else {
            match signal_problem(&from, variable, outline) {
                Some(problem) => problems.push(entry.value.problem(&entry.name, &problem)),
                None => options.push((entry.name.clone(), from)),
            }
            continue;
        };
        let first = inputs.iter().find(|(name, _)| *name == input).map(|(_, first)| *first);
        let is_refused = variable.attributes.derivative.is_some() && standards.contains(&Standard::Fmi3);
        let problem = problem(&input, variable, first, outline);
        match problem.or_else(|| is_refused.then(|| NO_DERIVATIVES_IN_FMI3.to_owned())) {
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

/// Returns the reason why an input of the system cannot give a variable its value; `first` is another one to which it
/// does.
fn problem(input: &str, variable: &Variable, first: Option<&Variable>, outline: &Description) -> Option<String> {
    let name = &variable.name;
    if let Some(problem) = target_problem("an input of the FMU", variable, outline) {
        return Some(problem);
    }
    if !is_identifier(input) {
        return Some("the name of an input must be letters, digits and _, and begin with a letter".to_owned());
    }
    if PartNames::of_options(&outline.structure).0.contains(input) {
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

/// Why something cannot be connected to a variable.
fn target_problem(what: &str, variable: &Variable, outline: &Description) -> Option<String> {
    let name = &variable.name;
    if variable.causality != Causality::Input {
        return Some(format!("{what} can only be connected to inputs of parts, and {name} is not one"));
    }
    let is_member = |terminal: &&crate::description::Terminal| {
        terminal.members.iter().any(|member| format!("{}.{}", terminal.name, member.name) == *name)
    };
    let terminal = outline.terminals.iter().find(is_member)?;
    Some(format!("{name} belongs to the connector {}, which is connected as a whole", terminal.name))
}

/// Returns true if a text may be the name of a variable of a part.
fn is_signal(text: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(part, name)| part.split('.').all(is_identifier) && is_variable(name))
}

/// Why a signal cannot give a variable its value. Which variables are signals, the library knows.
fn signal_problem(from: &str, variable: &Variable, outline: &Description) -> Option<String> {
    if let Some(problem) = target_problem("a signal", variable, outline) {
        return Some(problem);
    }
    let outputs = || outline.variables.iter().filter(|other| other.causality == Causality::Output);
    let Some(signal) = outline.variables.iter().find(|other| other.name == from) else {
        let hint = did_you_mean(from, outputs().map(|output| output.name.as_str()));
        let number = match variable.kind {
            VariableType::Boolean { .. } => "true or false",
            VariableType::Integer { .. } => "a whole number",
            _ => "a number",
        };
        return Some(format!(
            "must be {number}, an input of the FMU such as \"input.pedal\", or a signal; there is no signal \"{from}\"{hint}"
        ));
    };
    let is_number = |one: &Variable| matches!(&one.kind, VariableType::Real { unit, .. } if unit.as_deref().is_none_or(|unit| unit == "1"));
    let is_real = |one: &Variable| matches!(one.kind, VariableType::Real { .. });
    // Most blocks have no unit.
    let fits = is_real(signal) && is_real(variable) && (is_number(signal) || is_number(variable));
    (!fits && what(signal) != what(variable))
        .then(|| format!("{from} is {}, but {} is {}", what(signal), variable.name, what(variable)))
}

fn is_text(variable: &Variable) -> bool {
    matches!(variable.kind, VariableType::String { .. })
}

/// Describes the values of a variable.
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
