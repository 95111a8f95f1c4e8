//! The names of the variables.

use std::collections::{HashMap, HashSet};

use super::report::Report;
use crate::read::ModelDescription;

/// Simulink's limit for the names of imported parameters.
const MAX_LENGTH: usize = 55;

pub(super) fn check(model: &ModelDescription, report: &mut Report) {
    let structured = model.variable_naming_convention == "structured";
    let mut exact = HashSet::new();
    let mut folded: HashMap<String, &str> = HashMap::new();
    for variable in &model.variables {
        let name = variable.name.as_str();
        if !exact.insert(name) {
            report.expect(false, "4.6", || format!("variable \"{name}\" exists twice"));
        } else if let Some(other) = folded.insert(name.to_lowercase(), name) {
            report.prefer(false, "N-6", || {
                format!("variables \"{other}\" and \"{name}\" differ only in upper and lower case")
            });
        }
        let legal =
            if structured { is_structured(name) } else { !name.is_empty() && !name.contains(['\r', '\n', '\t']) };
        report.expect(legal, "4.7", || format!("variable \"{name}\" has an illegal name"));
        report.prefer(name.chars().count() <= MAX_LENGTH, "N-5", || {
            format!("variable \"{name}\" has a name of more than {MAX_LENGTH} characters")
        });
        if name.starts_with("der(") {
            report.expect(variable.is_real(), "N-2", || format!("variable \"{name}\" is a derivative but not Real"));
            // Other tools name derivatives of variables that are no states in this way.
            report.house_rule(variable.derivative_of().is_some() || !variable.is_real(), "N-2", || {
                format!("variable \"{name}\" is not declared as a derivative")
            });
        }
    }
    if structured {
        check_arrays(model, report);
    }
}

/// Checks that elements of an array follow one another, the last index fastest.
fn check_arrays(model: &ModelDescription, report: &mut Report) {
    let mut seen = HashSet::new();
    let mut last: Option<(&str, Vec<u64>)> = None;
    for variable in &model.variables {
        let element = variable.name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        let current =
            element.map(|(base, indices)| (base, indices.split(',').filter_map(|i| i.parse().ok()).collect()));
        if let Some((base, indices)) = &current {
            let in_order = match &last {
                Some((other, before)) if other == base => before < indices,
                _ => seen.insert(*base),
            };
            report.expect(in_order, "N-3", || format!("variable \"{}\" is out of order in its array", variable.name));
        }
        last = current;
    }
}

/// Returns true if a name follows the grammar of the structured naming convention.
fn is_structured(name: &str) -> bool {
    match name.strip_prefix("der(").and_then(|name| name.strip_suffix(')')) {
        Some(inner) => match inner.rsplit_once(',') {
            // A comma may also belong to indices.
            Some((state, order)) if is_number(order) && is_structured_path(state) => true,
            _ => is_structured_path(inner),
        },
        None => is_structured_path(name),
    }
}

/// Returns true for parts separated by dots, each with indices where it is an array.
fn is_structured_path(mut text: &str) -> bool {
    loop {
        let Some(rest) = part(text) else { return false };
        let Some(rest) = indices(rest) else {
            return false;
        };
        match rest.strip_prefix('.') {
            Some(rest) => text = rest,
            None => return rest.is_empty(),
        }
    }
}

/// Returns the text after one part.
fn part(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('\'') {
        let mut characters = quoted.char_indices();
        while let Some((position, character)) = characters.next() {
            match character {
                '\'' if position > 0 => return Some(&quoted[position + 1..]),
                '\\' if !characters.next().is_some_and(|(_, escaped)| "'\"?\\abfnrtv".contains(escaped)) => {
                    return None;
                }
                '\'' | '"' | '`' => return None,
                ' '..='~' => {}
                _ => return None,
            }
        }
        return None;
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    (end > 0 && !text.starts_with(|c: char| c.is_ascii_digit())).then(|| &text[end..])
}

/// Returns the text after indices in brackets, if there are any.
fn indices(text: &str) -> Option<&str> {
    match text.strip_prefix('[') {
        None => Some(text),
        Some(rest) => {
            let (list, rest) = rest.split_once(']')?;
            list.split(',').all(is_number).then_some(rest)
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n1_the_grammar_is_that_of_the_standard() {
        for name in [
            "a", "_a1", "frame_a.R.T[1,2]", "a[1].b[2,3]", "der(x)", "der(x,2)", "der(a.b[1])", "der(a[1,2],2)",
            "'a b'", "'\\''.c", "'der('", "der",
        ] {
            assert!(is_structured(name), "{name}");
        }
        for name in [
            "", "1a", "a..b", "a.", ".a", "a[1, 2]", "a[]", "a[1", "a(1)", "a/b", "ä", "der(der(x))", "a.der(b)",
            "previous(x)", "''", "'ä'", "'a", "'\\x'", "der(x", "der(x,)", "a[1]b", "a b",
        ] {
            assert!(!is_structured(name), "{name}");
        }
    }
}
