//! The words of `[results]`: what is kept of a variable.

use fmu_builder::description::{Enumeration, Variable, VariableType};

use super::reduction::{REDUCTIONS, Reduction, Relation};
use crate::simulate::trajectory::number;
use crate::values::value::Value;

/// Name of a whole curve among the reductions.
pub const SERIES: &str = "series";

/// Reads a reduction of a variable; returns it with the name of its column, or an error as a sentence.
pub fn reduction(text: &str, variable: &Variable, enumerations: &[Enumeration]) -> Result<(Reduction, String), String> {
    let name = &variable.name;
    let (word, rest) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let rest = rest.trim();
    if word == "when" {
        let (relation, sign, limit) = condition(rest, variable, enumerations)?;
        let shown = rest[1..].trim();
        return Ok((Reduction::When(relation, limit), format!("when({name} {sign} {shown})")));
    }
    let Some((_, reduction)) = REDUCTIONS.iter().find(|(known, _)| *known == word) else { return Err(a_result()) };
    match reduction {
        Reduction::Changes if variable.is_real() => {
            Err(format!("`{name}` is Real: changes are counted of an Integer, a Boolean or an enumeration"))
        }
        Reduction::Settling(_) if !rest.is_empty() => match rest.parse::<f64>() {
            Ok(band) if band > 0.0 && band.is_finite() => {
                Ok((Reduction::Settling(Some(band)), format!("settling({name}, {})", number(band))))
            }
            _ => Err(format!("the band of `{text}` must be a number above 0, such as \"settling 0.01\"")),
        },
        _ if !rest.is_empty() => Err(a_result()),
        reduction => Ok((*reduction, format!("{word}({name})"))),
    }
}

/// Returns what results are.
pub fn a_result() -> String {
    let words = REDUCTIONS.map(|(word, _)| word).join(", ");
    format!("a result is one or a list of {words}, {SERIES}, and conditions such as \"when > 10\", as texts")
}

fn condition<'a>(
    text: &'a str,
    variable: &Variable,
    enumerations: &[Enumeration],
) -> Result<(Relation, &'a str, f64), String> {
    let is_number = matches!(variable.kind, VariableType::Real { .. } | VariableType::Integer { .. });
    let (relation, sign) = match text.get(..1) {
        Some(">") if is_number => (Relation::Above, ">"),
        Some("<") if is_number => (Relation::Below, "<"),
        Some("=") if !variable.is_real() => (Relation::Equal, "="),
        _ => {
            let signs = match variable.kind {
                VariableType::Real { .. } => "\"when > 10\" or \"when < 10\"",
                VariableType::Integer { .. } => "\"when = 1\", \"when > 1\" or \"when < 1\"",
                _ => "an equation such as \"when = true\"",
            };
            let given = format!("when {text}");
            return Err(format!("a condition for `{}` is {signs}, not `{}`", variable.name, given.trim_end()));
        }
    };
    let value = Value::parse(&text[1..], &variable.kind, enumerations);
    match value.map(|value| value.number()) {
        Ok(Some(limit)) if limit.is_finite() => Ok((relation, sign, limit)),
        Ok(_) => Err(format!("`when {text}` must have a finite number")),
        Err(reason) => Err(format!("`when {text}` of `{}`: {reason}", variable.name)),
    }
}
