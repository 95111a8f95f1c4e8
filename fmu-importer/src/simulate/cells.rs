//! Cells of the table of input signals, and their values.

use fmu_builder::description::{Enumeration, Variable, VariableType};
use spreadsheet::numbers::{NotANumber, Numbers, readings};
use spreadsheet::table::{Content, Heading, Record};

use crate::values::value::Value;

/// Largest number of characters of a wrong header that are quoted.
const MAX_QUOTED: usize = 40;

/// Returns the content of a cell, if it is not empty.
pub fn at<'r>(record: &'r Record<'_>, column: usize) -> Option<&'r Content> {
    let found = record.cells.binary_search_by_key(&column, |(column, _)| *column).ok()?;
    Some(&record.cells[found].1)
}

/// Returns true if a variable that is named is the time.
pub fn is_time_name(name: &str) -> bool {
    name.eq_ignore_ascii_case("time")
}

/// Returns true if a heading, which may have a unit, is that of the times.
pub fn is_time(heading: &str) -> bool {
    is_time_name(heading) || is_time_name(Heading::of(heading).name)
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
pub fn number(content: &Content, numbers: Numbers, has_options: bool) -> Result<f64, String> {
    let text = match content {
        Content::Number(number) => return Ok(*number),
        content => shown(content),
    };
    match numbers.read(&text) {
        Ok(number) if number.is_finite() => Ok(number),
        Err(NotANumber::Unclear) => Err(unclear(&text, has_options)),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// Says that a number has two readings, and how the user can choose.
fn unclear(text: &str, has_options: bool) -> String {
    let choice = if has_options { ", or set decimal" } else { "" };
    format!("{}; write it without a thousands separator{choice}", readings(text))
}

/// Returns the value of a cell for a variable, by the variable's type; the error is a sentence.
pub fn value(
    content: &Content,
    numbers: Numbers,
    has_options: bool,
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
        (_, Err(NotANumber::Unclear)) => Err(unclear(&text, has_options)),
        (VariableType::Real { .. }, Ok(number)) if number.is_finite() => Ok(Value::Real(number)),
        // Programs write integers and Booleans as 1.0.
        (VariableType::Boolean { .. }, Ok(number)) if [0.0, 1.0].contains(&number) => Ok(Value::Boolean(number == 1.0)),
        (VariableType::Integer { .. } | VariableType::Enumeration { .. }, Ok(number)) if number.fract() == 0.0 => {
            // Digits that a Real does not have count.
            parsed().or_else(|_| Value::parse(&number.to_string(), &variable.kind, enumerations))
        }
        _ => parsed(),
    }
}

/// Returns the beginning of a text that may be a whole line.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_have_a_decimal_sign_to_set() {
        let read = |has_options| number(&Content::Text("1,500".into()), Numbers::POINT, has_options).unwrap_err();
        let start = "\"1,500\" is 1500 with decimal points, but 1.5 with decimal commas";
        let right = "write it without a thousands separator";
        assert_eq!(read(true), format!("{start}; {right}, or set decimal"));
        assert_eq!(read(false), format!("{start}; {right}"));
    }
}
