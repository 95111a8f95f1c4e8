//! Values as a person writes them.

use std::path::PathBuf;

use fmu_builder::description::{DataType, Enumeration, VariableType};

use crate::values::file;

/// A value for a variable, of the variable's type; an enumeration's item is its number.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A value for a Real.
    Real(f64),
    /// A value for an Integer or an Enumeration.
    Integer(i128),
    /// A value for a Boolean.
    Boolean(bool),
    /// A value for a String.
    String(String),
}

impl Value {
    /// Reads a value of a type; the error is a sentence on the text.
    pub fn parse(text: &str, kind: &VariableType, enumerations: &[Enumeration]) -> Result<Self, String> {
        let text = text.trim();
        match kind {
            VariableType::String { .. } => Ok(Self::String(text.trim_matches('"').to_owned())),
            _ if text.is_empty() => Err("the value is missing".to_owned()),
            VariableType::Real { .. } => real(text).map(Self::Real),
            VariableType::Integer { data_type, .. } => whole(text, *data_type).map(Self::Integer),
            // Booleans are read as programs for spreadsheets write them, too, in English, German, French, Italian and
            // Spanish.
            VariableType::Boolean { .. } => match text.to_lowercase().as_str() {
                "true" | "1" | "wahr" | "vrai" | "vero" | "verdadero" => Ok(Self::Boolean(true)),
                "false" | "0" | "falsch" | "faux" | "falso" => Ok(Self::Boolean(false)),
                _ => Err(format!("`{text}` is neither true nor false")),
            },
            VariableType::Enumeration { declared_type, .. } => {
                let declared = enumerations.iter().find(|enumeration| &enumeration.name == declared_type);
                item(text, declared).map(|value| Self::Integer(value.into()))
            }
        }
    }

    /// Returns the value as a number, a Boolean as 0 or 1; a text has none.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Real(value) => Some(*value),
            Self::Integer(value) => Some(*value as f64),
            Self::Boolean(value) => Some(f64::from(*value)),
            Self::String(_) => None,
        }
    }

    /// Returns the value as messages show it.
    pub fn shown(&self) -> String {
        match self {
            Self::Real(value) if value.abs() >= 1e16 => format!("{value:e}"),
            Self::Real(value) => value.to_string(),
            Self::Integer(value) => value.to_string(),
            Self::Boolean(value) => value.to_string(),
            Self::String(text) => format!("\"{text}\""),
        }
    }

    /// Returns the file that a String names, if there is one.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Self::String(text) => file::named(text),
            _ => None,
        }
    }
}

fn real(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) if text.contains(|character: char| character.is_ascii_digit()) => {
            Err(format!("`{text}` is too large, the largest number is about 1.8e308"))
        }
        Ok(_) => Err(format!("`{text}` is not a finite number")),
        Err(_) if text.replacen(',', ".", 1).parse::<f64>().is_ok() => {
            Err(format!("`{text}` is not a number (decimal point)"))
        }
        Err(_) => Err(format!("`{text}` is not a number")),
    }
}

fn whole(text: &str, kind: DataType) -> Result<i128, String> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    let (min, max) = kind.limits();
    match text.parse() {
        Ok(value) if (min..=max).contains(&value) => Ok(value),
        Err(error) if !matches!(error.kind(), NegOverflow | PosOverflow) => {
            Err(format!("`{text}` is not a whole number"))
        }
        _ => Err(format!("`{text}` does not lie between {min} and {max}")),
    }
}

/// Returns the value of an item that is given by its name or its value.
fn item(text: &str, declared: Option<&Enumeration>) -> Result<i32, String> {
    let items = || declared.into_iter().flat_map(|declared| declared.items.iter().zip(declared.values()));
    let number = text.parse().ok();
    let found = items().find(|(item, value)| item.name == text || Some(*value) == number);
    found.map(|(_, value)| value).ok_or_else(|| {
        let names: Vec<_> = items().map(|(item, _)| item.name.as_ref()).collect();
        format!("`{text}` is not one of {}", names.join(", "))
    })
}
