//! `for = { i = "1:6" }`: parts that a section repeats.

use fmu_exchange::structure::is_identifier;

use super::entry::Entry;
use super::expression::{Expression, PI};
use super::scope::Scope;
use super::value::{Data, Value};

/// Key of a part, with the names of a repetition behind it.
pub(crate) const FOR: &str = "for";

/// Largest number of parts: with repetitions in nested files, a few lines could exceed any memory.
pub(super) const MAX_PARTS: usize = 20_000;

/// A name with its values.
type Column = (String, Vec<Value>);

/// The values of the names of one part.
pub(super) type Row = Vec<(String, Value)>;

/// Returns the names with their values for each of the parts that a section makes, or nothing if it makes one. `entries` are
/// the lines of the section with their keys. Errors are messages with their locations.
pub(super) fn rows(entries: &[(&str, &Entry)], scope: &Scope<'_>) -> Result<Option<Vec<Row>>, String> {
    let mut columns: Vec<Column> = Vec::new();
    for (key, entry) in entries {
        let location = scope.location(&entry.location);
        let Some(name) = key.strip_prefix(FOR) else { continue };
        let Some(name) = name.strip_prefix('.') else {
            if name.is_empty() {
                return Err(entry.value.problem(key, "must be names with their values, such as { i = \"1:6\" }"));
            }
            continue;
        };
        if !is_identifier(name) || name == PI {
            return Err(format!("{location}: \"{name}\" cannot be the name of values: use letters and digits"));
        }
        let values = match &entry.value.data {
            Data::Array(values) => values.iter().map(|value| scope.value(key, value)).collect::<Result<Vec<_>, _>>()?,
            Data::Text(text) => range(text, &entry.value, scope).map_err(|reason| entry.value.problem(key, &reason))?,
            _ => return Err(entry.value.problem(key, "must be a range, such as \"1:6\", or an array")),
        };
        if let Some((first, others)) = columns.first()
            && others.len() != values.len()
        {
            return Err(format!(
                "{location}: {name} has {} values, but {first} has {}: each part takes one of both",
                values.len(),
                others.len()
            ));
        }
        columns.push((name.to_owned(), values));
    }
    let Some((_, first)) = columns.first() else { return Ok(None) };
    let row = |i: usize| columns.iter().map(|(name, values)| (name.clone(), values[i].clone())).collect();
    Ok(Some((0..first.len()).map(row).collect()))
}

/// Returns the numbers of `first:last`, or the elements of the array that a text names.
fn range(text: &str, value: &Value, scope: &Scope<'_>) -> Result<Vec<Value>, String> {
    if text.starts_with('=') {
        return match scope.value(FOR, value)?.data {
            Data::Array(values) => Ok(values),
            _ => Err("must be an array".to_owned()),
        };
    }
    let (first, last) = text.split_once(':').ok_or("must be a range, such as \"1:6\", or an array")?;
    let whole = |text: &str| {
        let number = Expression::parse(text)?.number(&|name| scope.named(name, value))?;
        if number.fract() == 0.0 { Ok(number) } else { Err(format!("{number} is not a whole number")) }
    };
    let (first, last) = (whole(first)?, whole(last)?);
    let count = last - first + 1.0;
    if count > MAX_PARTS as f64 {
        return Err(format!("{count} parts are too many: at most {MAX_PARTS} are made"));
    }
    let number = |i: i64| Value { location: value.location.computed(i.to_string()), data: Data::Integer(i) };
    Ok((first as i64..=last as i64).map(number).collect())
}
