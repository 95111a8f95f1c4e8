//! `name=value` as on the command line.

use anyhow::{Context, Result, anyhow, bail};
use fmu_builder::description::{Causality, Enumeration, Variable, VariableType};
use fmu_builder::shortened;

use crate::values::value::Value;
use crate::values::variables;

/// Largest number of characters of an assignment in a message.
pub(crate) const MAX_SHOWN: usize = 120;

/// Reads `name=value`; an array takes `name=[1,2,3]` or, by rows, `name=[[1,2],[3,4]]`.
///
/// Gives the positions of the variables with their values.
pub fn parse(text: &str, variables: &[Variable], enumerations: &[Enumeration]) -> Result<Vec<(usize, Value)>> {
    let (name, value) = text.split_once('=').ok_or_else(|| anyhow!("`{text}` is not of the form name=value"))?;
    let name = name.trim();
    // A table may have thousands of numbers.
    let text = shortened(text, MAX_SHOWN);
    let settable = |variable: &Variable| matches!(variable.causality, Causality::Parameter | Causality::Input);
    let found = variables::find(name, variables, settable)
        .with_context(|| format!("cannot set `{text}` (only parameters and inputs can be set)"))?;
    let value = value.trim();
    let is_list = value.starts_with('[');
    let is_text = |position: &usize| matches!(variables[*position].kind, VariableType::String { .. });
    let given = if found.shape.is_empty() && (!is_list || is_text(&found.positions[0])) {
        // Commas may belong to a text.
        Some((Vec::new(), vec![value]))
    } else {
        elements(value)
    };
    let (shape, values) = given.ok_or_else(|| match is_list {
        true => anyhow!("cannot set `{text}`: the brackets do not match"),
        false => anyhow!("cannot set `{text}`: `{name}` is {}, in brackets: {name}=[…]", spoken(&found.shape)),
    })?;
    if shape != found.shape {
        let wrong = format!(
            "cannot set `{text}`: `{name}` is {}, but the given value is {}",
            spoken(&found.shape),
            spoken(&shape)
        );
        match (&found.shape[..], &values[..]) {
            ([rows], [value]) if shape.is_empty() => {
                bail!("{wrong}; all alike: {name}=[{}]", shortened(&vec![*value; *rows].join(","), MAX_SHOWN))
            }
            _ => bail!("{wrong}"),
        }
    }
    (found.positions.into_iter().zip(values))
        .map(|(position, value)| {
            let variable = &variables[position];
            let value = Value::parse(value, &variable.kind, enumerations)
                .map_err(|reason| anyhow!("cannot set `{}`: {reason}", variable.name))?;
            Ok((position, value))
        })
        .collect()
}

/// Returns the shape of a nested list and its elements; `None` unless it is rectangular.
fn elements(text: &str) -> Option<(Vec<usize>, Vec<&str>)> {
    let Some(inner) = text.strip_prefix('[') else {
        return (!text.contains([',', ']']) || text.starts_with('"')).then(|| (Vec::new(), vec![text]));
    };
    let rows = split(inner.strip_suffix(']')?)?;
    stacked(rows.into_iter().map(|row| elements(row.trim())))
}

/// Returns the shape and the elements of a list of rows; `None` if one is `None` or of another shape.
pub(crate) fn stacked<T>(rows: impl Iterator<Item = Option<(Vec<usize>, Vec<T>)>>) -> Option<(Vec<usize>, Vec<T>)> {
    let rows: Vec<_> = rows.collect::<Option<_>>()?;
    let inner = rows.first().map(|(shape, _)| shape.clone()).unwrap_or_default();
    if rows.iter().any(|(shape, _)| *shape != inner) {
        return None;
    }
    let shape = [vec![rows.len()], inner].concat();
    Some((shape, rows.into_iter().flat_map(|(_, row)| row).collect()))
}

/// Splits at the commas outside of brackets.
pub(crate) fn split(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut depth, mut begin) = (0_i32, 0);
    for (position, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[begin..position]);
                begin = position + 1;
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    parts.push(&text[begin..]);
    (depth == 0).then_some(parts)
}

/// Returns a shape in words.
pub(crate) fn spoken(shape: &[usize]) -> String {
    match shape {
        [] => "one value".to_owned(),
        [rows] => format!("a vector of {rows}"),
        _ => {
            let sizes: Vec<_> = shape.iter().map(usize::to_string).collect();
            format!("a matrix of {}", sizes.join(" × "))
        }
    }
}
