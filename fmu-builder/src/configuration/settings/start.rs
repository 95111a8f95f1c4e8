//! One value for one variable: type and bounds.

use fmu_exchange::out_of_bounds;

use super::value::{Data, Value, has_controls};
use crate::description::{Enumeration, Variable, VariableType};
use crate::text::suggestion::{did_you_mean, spelled};

/// Magnitude below which a number is the zero of a spreadsheet.
const ROUNDING: f64 = 1e-12;

/// Returns the type of a variable with this start value, or what is allowed.
pub(super) fn with_start(
    variable: &Variable,
    enumerations: &[Enumeration],
    value: &Value,
) -> Result<VariableType, String> {
    let wrong = || format!("must be {}", noun(&variable.kind).0);
    let mut kind = variable.kind.clone();
    match &mut kind {
        VariableType::Real { start, .. } => {
            let has_comma = || value.plain().replacen(',', ".", 1).parse::<f64>().is_ok();
            let comma = || if has_comma() { "; the decimal sign is a point" } else { "" };
            let real = value.real().ok_or_else(|| wrong() + comma())?;
            check_real(variable, real)?;
            *start = Some(real);
        }
        VariableType::Integer { data_type, start } => {
            let whole = match value.data {
                Data::Integer(whole) => i128::from(whole),
                // An integer beyond those of TOML.
                Data::Real(number) if number.is_finite() && number.abs() >= i64::MAX as f64 => number as i128,
                _ => return Err(wrong()),
            };
            let [min, max] = variable.attributes.integer_bounds();
            let bounds = (min.unwrap_or(i128::MIN), max.unwrap_or(i128::MAX));
            if let Some(needed) = out_of_bounds(whole, bounds) {
                return Err(format!("must be {needed}"));
            }
            let (least, most) = data_type.limits();
            if !(least..=most).contains(&whole) {
                return Err(format!("must be from {} to {}", least.max(bounds.0), most.min(bounds.1)));
            }
            *start = Some(whole);
        }
        VariableType::Boolean { start } => match value.data {
            Data::Boolean(value) => *start = Some(value),
            _ => return Err(wrong()),
        },
        VariableType::String { start } => match value.text() {
            Some(text) if has_controls(&text) => return Err("must be a text without control characters".to_owned()),
            Some(text) => *start = Some(text),
            None => return Err(wrong()),
        },
        VariableType::Enumeration { declared_type, start } => {
            let text = value.text().unwrap_or_default();
            let enumeration = enumerations.iter().find(|enumeration| enumeration.name == *declared_type);
            let names = enumeration.map(Enumeration::names).unwrap_or_default();
            let aliases = enumeration.map(|enumeration| &*enumeration.aliases).unwrap_or_default();
            let words: Vec<_> = aliases.iter().map(|(alias, _)| alias.to_string()).collect();
            let alias = || {
                let (_, meant) = &aliases[spelled(&text, &words)?];
                enumeration?.position(meant)
            };
            match spelled(&text, &names).or_else(alias) {
                Some(position) => *start = Some(position as i32 + 1),
                None => {
                    let hint = did_you_mean(&text, names.iter().map(String::as_str));
                    return Err(format!("must be one of {}{hint}", names.join(", ")));
                }
            }
        }
    }
    Ok(kind)
}

/// Refuses a number that a Real cannot have as its start value; the error is what is allowed.
pub(super) fn check_real(variable: &Variable, real: f64) -> Result<(), String> {
    if !real.is_finite() {
        return Err("must be a finite number".to_owned());
    }
    let (min, max) = (variable.attributes.min, variable.attributes.max);
    let bounds = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
    let Some(needed) = out_of_bounds(real, bounds) else { return Ok(()) };
    // The unit 1 would read as another number.
    let unit = match &variable.kind {
        VariableType::Real { unit: Some(unit), .. } if unit != "1" => unit,
        _ => "",
    };
    let right = format!("must be {needed} {unit}").trim_end().to_owned();
    let is_rounded = bounds.0 == 0.0 && (-ROUNDING..0.0).contains(&real);
    Err(if is_rounded { format!("{right}, but is {real:e}: a rounded 0") } else { right })
}

/// Returns the name of a value of this type, singular and plural.
pub(super) fn noun(kind: &VariableType) -> (&'static str, &'static str) {
    match kind {
        VariableType::Real { .. } => ("a number", "numbers"),
        VariableType::Integer { .. } => ("a whole number", "whole numbers"),
        VariableType::Boolean { .. } => ("true or false", "Booleans"),
        VariableType::String { .. } => ("a string in quotation marks", "strings"),
        VariableType::Enumeration { .. } => ("a name", "names"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::location::Location;
    use super::*;
    use crate::description::{Causality, DataType, RowAttributes, Variability};

    /// Returns the start value of an integer of FMI 3.0 with a bound, or the message.
    fn start(data_type: DataType, min: Option<f64>, text: &str) -> Result<i128, String> {
        let variable = Variable {
            name: "count".to_owned(),
            value_reference: 0,
            description: String::new(),
            causality: Causality::Parameter,
            variability: Variability::Fixed,
            initial: None,
            attributes: Arc::new(RowAttributes { min, ..RowAttributes::default() }),
            kind: VariableType::Integer { data_type, start: None },
        };
        let location = Location::Command { option: "--set", text: text.into() };
        match with_start(&variable, &[], &Value::from_command(text, &location))? {
            VariableType::Integer { start: Some(start), .. } => Ok(start),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn whole_numbers_have_the_limits_of_their_type() {
        assert_eq!(start(DataType::Int64, None, "9223372036854775807"), Ok(i64::MAX.into()));
        assert_eq!(start(DataType::Int64, Some(-5e9), "-5000000000"), Ok(-5_000_000_000));
        assert_eq!(start(DataType::UInt32, None, "4294967295"), Ok(u32::MAX.into()));
        for (data_type, min, text, expected) in [
            (DataType::Int64, None, "9223372036854775808", "must be from -9223372036854775808 to 9223372036854775807"),
            (DataType::Int64, Some(-5e9), "-5000000001", "must be at least -5000000000"),
            (DataType::UInt32, None, "-1", "must be from 0 to 4294967295"),
            (DataType::Int32, None, "5000000000", "must be from -2147483648 to 2147483647"),
            (DataType::Int32, Some(1.0), "5000000000", "must be from 1 to 2147483647"),
            (DataType::Int8, Some(1.0), "0", "must be at least 1"),
        ] {
            assert_eq!(start(data_type, min, text), Err(expected.to_owned()), "{text}");
        }
    }
}
