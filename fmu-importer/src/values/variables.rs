//! Finding variables by the names that people give.

use anyhow::{Result, anyhow};
use fmu_builder::description::{Causality, Variable};

/// The variables of one name: a scalar, or all elements of a vector or matrix.
pub struct VariableElements {
    /// Positions in the list of variables; the last index runs fastest.
    pub positions: Vec<usize>,
    /// The number of elements along each index; empty for a scalar.
    pub shape: Vec<usize>,
}

/// Finds a scalar or an array among the variables that `eligible` admits.
pub fn find(name: &str, variables: &[Variable], eligible: impl Fn(&Variable) -> bool) -> Result<VariableElements> {
    if let Some(position) = variables.iter().position(|other| other.name == name) {
        return if eligible(&variables[position]) {
            Ok(VariableElements { positions: vec![position], shape: Vec::new() })
        } else {
            Err(anyhow!("`{name}` is {}", role(variables[position].causality)))
        };
    }
    let mut elements: Vec<_> = variables
        .iter()
        .enumerate()
        .filter_map(|(position, other)| Some((indices(&other.name, name)?, position)))
        .collect();
    elements.sort();
    let Some((last, position)) = elements.last() else {
        let others = variables.iter().filter(|other| eligible(other));
        let names = others.flat_map(|other| [base(&other.name), other.name.as_str()]);
        return Err(unknown(name, names));
    };
    if !eligible(&variables[*position]) {
        return Err(anyhow!("`{name}` is {}", role(variables[*position].causality)));
    }
    Ok(VariableElements { shape: last.clone(), positions: elements.iter().map(|(_, position)| *position).collect() })
}

/// Returns the positions of all names that are this one or begin with it up to a dot or a bracket.
pub fn beginning<'a>(name: &str, names: impl Iterator<Item = &'a str> + Clone) -> Result<Vec<usize>> {
    let matching = |other: &str| match other.strip_prefix(name) {
        Some(rest) => rest.is_empty() || rest.starts_with(['.', '[']) || name.ends_with('.'),
        None => false,
    };
    let positions: Vec<_> =
        (names.clone().enumerate()).filter(|(_, other)| matching(other)).map(|(position, _)| position).collect();
    if positions.is_empty() {
        return Err(unknown(name, names.flat_map(|other| [base(other), other])));
    }
    Ok(positions)
}

/// Returns the name of the array that an element belongs to; a scalar's own name.
pub fn base(name: &str) -> &str {
    match name.rfind('[') {
        Some(bracket) if name.ends_with(']') => &name[..bracket],
        _ => name,
    }
}

/// Returns the role of a variable, for the end of a sentence.
pub fn role(causality: Causality) -> &'static str {
    match causality {
        Causality::StructuralParameter => "a structural parameter, which gives the size of arrays",
        Causality::Parameter => "a parameter",
        Causality::CalculatedParameter => "a calculated parameter",
        Causality::Input => "an input",
        Causality::Output => "an output",
        Causality::Local => "a local variable",
        Causality::Independent => "the time",
    }
}

/// Returns the error for a name that no variable has, with the nearest of the candidates.
pub fn unknown<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> anyhow::Error {
    match fmu_builder::suggestion(name, candidates) {
        Some(nearest) => anyhow!("there is no variable `{name}`; did you mean `{nearest}`?"),
        None => anyhow!("there is no variable `{name}`"),
    }
}

/// Returns the indices of an element of the array `base`, such as `[1, 2]` of `T[1,2]`.
fn indices(element: &str, base: &str) -> Option<Vec<usize>> {
    element
        .strip_prefix(base)?
        .strip_prefix('[')?
        .strip_suffix(']')?
        .split(',')
        .map(|index| index.parse().ok())
        .collect()
}
