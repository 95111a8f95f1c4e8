//! Errors and warnings with their places in the files.

use std::path::Path;

use anyhow::Error;
use fmu_exchange::{MAX_DATA_BYTES, read_limited};
use serde_json::{Value, json};

/// Returns an error as a text and as problems with their places.
pub fn of_error(error: &Error) -> Value {
    let text = format!("{error:#}");
    let problems: Vec<_> = match error.downcast_ref() {
        Some(fmu_builder::Error::Settings(messages)) => messages.iter().map(|message| placed(message)).collect(),
        _ => vec![placed(&text)],
    };
    json!({ "error": text, "problems": problems })
}

/// Splits the place off a message.
pub fn placed(message: &str) -> Value {
    let Some((file, line, column, rest)) = place(message) else {
        return json!({ "file": null, "line": null, "column": null, "length": null, "message": message });
    };
    let length = length(file, line, column);
    let message = rest.strip_prefix(": ").unwrap_or(rest);
    json!({ "file": file, "line": line, "column": column, "length": length, "message": message })
}

/// Returns file, line and column at the beginning of a message, and the rest.
fn place(message: &str) -> Option<(&str, usize, usize, &str)> {
    let number = |text: &str| {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        Some((text[..digits].parse().ok()?, digits))
    };
    message.match_indices(':').find_map(|(colon, _)| {
        let (line, digits) = number(&message[colon + 1..])?;
        let behind = message[colon + 1 + digits..].strip_prefix(':')?;
        let (column, digits) = number(behind)?;
        Some((&message[..colon], line, column, &behind[digits..]))
    })
}

/// Returns the number of characters of the key or the value at a place.
fn length(file: &str, line: usize, column: usize) -> usize {
    let text = read_limited(Path::new(file), MAX_DATA_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let text = text.unwrap_or_default();
    let rest = text.lines().nth(line - 1).unwrap_or_default().chars().skip(column - 1);
    let rest: String = rest.collect();
    let end = match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => rest[1..].find(quote).map(|end| end + 2),
        Some('[') => rest.find(']').map(|end| end + 1),
        _ => rest.find(['=', ',', '#', ']', '}', '{', ' ']),
    };
    rest[..end.unwrap_or(rest.len())].trim_end().chars().count().max(1)
}
