//! A value as the user wrote it.

use std::sync::Arc;

use toml::Spanned;
use toml::de::DeValue;

use super::location::{Location, SettingsFile};

/// A value with its location.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub location: Location,
    pub data: Data,
}

#[derive(Clone, Debug)]
pub(super) enum Data {
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Text(String),
    Array(Vec<Value>),
    /// A date or a table in an array, which no setting accepts.
    Other,
}

impl Value {
    pub fn from_toml(value: &Spanned<DeValue<'_>>, source: &Arc<SettingsFile>) -> Self {
        Self::new(value, &|value| Location::in_file(source, value.span()))
    }

    /// Reads a value from the command line: TOML, or a text without quotation marks.
    pub fn from_command(text: &str, location: &Location) -> Self {
        match DeValue::parse(text) {
            Ok(value) => Self::new(&value, &|_| location.clone()),
            Err(_) => Self { location: location.clone(), data: Data::Text(text.to_owned()) },
        }
    }

    pub fn new(value: &Spanned<DeValue<'_>>, location: &dyn Fn(&Spanned<DeValue<'_>>) -> Location) -> Self {
        let real = |text: &str| text.parse().map_or(Data::Other, Data::Real);
        let data = match value.get_ref() {
            DeValue::Boolean(value) => Data::Boolean(*value),
            DeValue::Integer(value) => match i64::from_str_radix(value.as_str(), value.radix()) {
                Ok(value) => Data::Integer(value),
                Err(_) if value.radix() == 10 => real(value.as_str()),
                Err(_) => Data::Other,
            },
            DeValue::Float(value) => real(value.as_str()),
            DeValue::String(value) => Data::Text(value.to_string()),
            DeValue::Array(values) => Data::Array(values.iter().map(|value| Self::new(value, location)).collect()),
            DeValue::Datetime(_) | DeValue::Table(_) => Data::Other,
        };
        Self { location: location(value), data }
    }

    /// Returns the text, if it is one; on the command line, where quotation marks may be missing, anything.
    pub fn text(&self) -> Option<String> {
        match (&self.data, &self.location) {
            (Data::Text(text), _) => Some(text.clone()),
            (Data::Array(_), _) | (_, Location::File { .. }) => None,
            (_, Location::Command { .. }) => Some(self.location.text()),
        }
    }

    /// Returns the elements of an array, or of a text with commas, in brackets or not, as the command line may have it.
    pub fn entries(&self) -> Vec<Value> {
        match &self.data {
            Data::Array(values) => values.clone(),
            Data::Text(text) => {
                let part = |part: &str| {
                    let text = || Data::Text(part.trim().to_owned());
                    let data = part.trim().parse().map_or_else(|_| text(), Data::Integer);
                    Self { location: self.location.clone(), data }
                };
                without_brackets(text).split(',').map(part).collect()
            }
            _ => vec![self.clone()],
        }
    }

    /// Returns the number of values in an array, in arrays in it, or 1.
    pub fn count(&self) -> usize {
        match &self.data {
            Data::Array(values) => values.iter().map(Self::count).sum(),
            _ => 1,
        }
    }

    /// Returns the number, if it is one.
    pub fn real(&self) -> Option<f64> {
        match self.data {
            Data::Integer(value) => Some(value as f64),
            Data::Real(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the text, or nothing.
    pub fn plain(&self) -> &str {
        match &self.data {
            Data::Text(text) => text,
            _ => "",
        }
    }

    /// Returns the message `location: name = value: what is expected`.
    pub fn problem(&self, name: &str, right: &str) -> String {
        match &self.location {
            Location::File { .. } => {
                format!("{}: {name} = {}: {right}", self.location, self.location.text_and_value())
            }
            // The command line shows name and value, but not the element.
            Location::Command { text, .. } if text.split('=').next().map(str::trim) == Some(name) => {
                format!("{}: {right}", self.location)
            }
            Location::Command { .. } => format!("{}: {name} {right}", self.location),
        }
    }
}

/// Returns the inside of the brackets around a text; those of `s [mm], F [N]` are not around it.
fn without_brackets(text: &str) -> &str {
    let Some(inside) = text.trim().strip_prefix('[').and_then(|text| text.strip_suffix(']')) else { return text };
    let depth = |depth: i32, character| depth + i32::from(character == '[') - i32::from(character == ']');
    let mut depths = inside.chars().scan(0, |sum, character| {
        *sum = depth(*sum, character);
        Some(*sum)
    });
    if depths.all(|depth| depth >= 0) { inside } else { text }
}

/// Returns true if a text has characters that the configuration or XML cannot carry.
pub(super) fn has_controls(text: &str) -> bool {
    text.contains(|character: char| character.is_control() && character != '\n')
}
