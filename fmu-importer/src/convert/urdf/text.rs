//! The lines of a configuration: one for each part.

use std::fmt::{Display, Write as _};

use nalgebra::Vector3;

/// Column in which comments begin behind settings.
const COMMENTS: usize = 33;

/// A configuration that grows.
#[derive(Debug, Default)]
pub struct Text {
    text: String,
    /// True if the last line is a part to which keys can be added.
    is_open: bool,
}

impl Text {
    /// Adds a line.
    pub fn line(&mut self, line: impl Display) {
        self.close();
        let _ = writeln!(self.text, "{line}");
    }

    /// Adds a setting with a comment.
    pub fn setting(&mut self, setting: &str, comment: &str) {
        self.line(format_args!("{setting:COMMENTS$}# {comment}"));
    }

    /// Begins a part.
    pub fn part(&mut self, name: &str, kind: &str) {
        self.close();
        let _ = write!(self.text, "{name} = {{ type = \"{kind}\"");
        self.is_open = true;
    }

    /// Adds a key of the part, with its value as TOML.
    pub fn key(&mut self, key: &str, value: impl Display) {
        let _ = write!(self.text, ", {key} = {value}");
    }

    /// Adds a number of the part.
    pub fn number(&mut self, key: &str, value: f64) {
        self.key(key, number(value));
    }

    /// Adds a vector of the part.
    pub fn vector(&mut self, key: &str, value: &Vector3<f64>) {
        self.key(key, vector(value));
    }

    /// Adds a connection of the part, or another word.
    pub fn word(&mut self, key: &str, word: &str) {
        self.key(key, format_args!("\"{word}\""));
    }

    /// Returns the configuration.
    pub fn finish(mut self) -> String {
        self.close();
        self.text
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.text.push_str(" }\n");
        }
    }
}

/// Returns a number as TOML.
pub fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 { format!("{}", value as i64) } else { format!("{value:?}") }
}

/// Returns a vector as TOML.
pub fn vector(value: &Vector3<f64>) -> String {
    let [x, y, z] = [value.x, value.y, value.z].map(number);
    format!("[{x}, {y}, {z}]")
}

/// Returns a text in quotation marks for a comment, in which no character ends the line.
pub fn quoted(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{shown}\"")
}
