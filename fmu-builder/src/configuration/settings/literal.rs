//! One value for one variable: type, bounds, and how the configuration writes it.

use fmu_runtime::{escape, real_text};

use super::resolve::has_controls;
use super::value::{Data, Value};
use crate::description::{Enumeration, Kind, Variable};
use crate::text::nearest::did_you_mean;
use crate::text::number::number;

/// The value as the configuration writes it, or what would be right.
pub(super) fn literal(variable: &Variable, enumerations: &[Enumeration], value: &Value) -> Result<String, String> {
    let wrong = || format!("must be {}", noun(&variable.kind).0);
    match &variable.kind {
        Kind::Real { unit, min, max, .. } => {
            let real = value.real().ok_or_else(wrong)?;
            if !real.is_finite() {
                return Err("must be a finite number".to_owned());
            }
            // The unit 1 would read as another number.
            let unit = unit.as_deref().filter(|unit| *unit != "1").unwrap_or_default();
            bounds(real, *min, *max, |bound| number(*bound), unit)?;
            Ok(real_text(real))
        }
        Kind::Integer { min, max, .. } => {
            let number = match value.data {
                Data::Integer(number) => number,
                // Too large for any integer, but whole.
                Data::Real(number) if number.is_finite() && number.abs() > i64::MAX as f64 => number as i64,
                _ => return Err(wrong()),
            };
            let (min, max) = (min.unwrap_or(i32::MIN).into(), max.unwrap_or(i32::MAX).into());
            bounds(number, Some(min), Some(max), i64::to_string, "")?;
            Ok(number.to_string())
        }
        Kind::Boolean { .. } => match value.data {
            Data::Boolean(value) => Ok(value.to_string()),
            _ => Err(wrong()),
        },
        Kind::String { .. } => match value.text() {
            Some(text) if has_controls(&text) => Err("must be a text without control characters".to_owned()),
            Some(text) => Ok(escape(&text)),
            None => Err(wrong()),
        },
        Kind::Enumeration { declared_type, .. } => {
            let text = value.text().unwrap_or_default();
            let items: Vec<&str> = enumerations
                .iter()
                .filter(|enumeration| enumeration.name == *declared_type)
                .flat_map(|enumeration| enumeration.items.iter().map(|item| item.name.as_ref()))
                .collect();
            if items.contains(&text.as_str()) {
                return Ok(text);
            }
            let hint = did_you_mean(&text, items.iter().copied());
            Err(format!("must be one of {}{hint}", items.join(", ")))
        }
    }
}

/// What a value of this type is called, one and several.
pub(super) fn noun(kind: &Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Real { .. } => ("a number", "numbers"),
        Kind::Integer { .. } => ("a whole number", "whole numbers"),
        Kind::Boolean { .. } => ("true or false", "truth values"),
        Kind::String { .. } => ("a text in quotation marks", "texts"),
        Kind::Enumeration { .. } => ("a name", "names"),
    }
}

fn bounds<T: PartialOrd>(
    value: T,
    min: Option<T>,
    max: Option<T>,
    text: impl Fn(&T) -> String,
    unit: &str,
) -> Result<(), String> {
    let inside = min.as_ref().is_none_or(|min| value >= *min) && max.as_ref().is_none_or(|max| value <= *max);
    if inside {
        return Ok(());
    }
    let right = match (min.as_ref().map(&text), max.as_ref().map(&text)) {
        (Some(min), Some(max)) => format!("must lie between {min} and {max} {unit}"),
        (Some(min), None) => format!("must be at least {min} {unit}"),
        (_, max) => format!("must be at most {} {unit}", max.expect("one bound is violated")),
    };
    Err(right.trim_end().to_owned())
}
