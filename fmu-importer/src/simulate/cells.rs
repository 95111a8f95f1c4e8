//! Cells of the table of input signals, and their values.

use fmu_builder::description::{Enumeration, Variable, VariableType};
use spreadsheet::numbers::{NotANumber, Numbers, readings};
use spreadsheet::table::{Content, Heading, Record};

use crate::values::value::Value;

/// Largest number of characters of a wrong header that are quoted.
const QUOTED: usize = 40;

/// Returns the content of a cell, if it is not empty.
pub fn at<'r>(record: &'r Record<'_>, column: usize) -> Option<&'r Content> {
    let found = record.cells.binary_search_by_key(&column, |(column, _)| *column).ok()?;
    Some(&record.cells[found].1)
}

pub fn is_time(heading: &str) -> bool {
    heading.eq_ignore_ascii_case("time") || Heading::of(heading).name.eq_ignore_ascii_case("time")
}

pub fn text(content: &Content) -> Option<&str> {
    if let Content::Text(text) = content { Some(text) } else { None }
}

/// Returns a cell as a text.
pub fn shown(content: &Content) -> String {
    match content {
        Content::Number(number) => number.to_string(),
        Content::Text(text) => text.to_string(),
        Content::Boolean(truth) => truth.to_string(),
        Content::Other(what) => (*what).to_owned(),
    }
}

/// Reads a finite number; the error is a sentence.
pub fn number(content: &Content, numbers: Numbers) -> Result<f64, String> {
    let text = match content {
        Content::Number(number) => return Ok(*number),
        content => shown(content),
    };
    match numbers.read(&text) {
        Ok(number) if number.is_finite() => Ok(number),
        Err(NotANumber::Unclear) => Err(unclear(&text)),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// Says that a number has two readings.
fn unclear(text: &str) -> String {
    format!("{}; write it without a thousands separator, or set decimal", readings(text))
}

/// Returns the value of a cell for a variable, by the variable's type; the error is a sentence.
pub fn value(
    content: &Content,
    numbers: Numbers,
    variable: &Variable,
    enumerations: &[Enumeration],
) -> Result<Value, String> {
    let text = shown(content);
    let parsed = || Value::parse(&text, &variable.kind, enumerations);
    let read = match content {
        Content::Number(number) => Ok(*number),
        Content::Text(text) => numbers.read(text),
        _ => Err(NotANumber::Text),
    };
    match (&variable.kind, read) {
        (VariableType::String { .. }, _) => parsed(),
        (_, Err(NotANumber::Unclear)) => Err(unclear(&text)),
        (VariableType::Real { .. }, Ok(number)) if number.is_finite() => Ok(Value::Real(number)),
        // Programs write integers and Booleans as 1.0.
        (VariableType::Boolean { .. }, Ok(number)) if [0.0, 1.0].contains(&number) => Ok(Value::Boolean(number == 1.0)),
        (VariableType::Integer { .. } | VariableType::Enumeration { .. }, Ok(number)) if number.fract() == 0.0 => {
            Value::parse(&number.to_string(), &variable.kind, enumerations)
        }
        _ => parsed(),
    }
}

/// Returns the beginning of a text that may be a whole line.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
