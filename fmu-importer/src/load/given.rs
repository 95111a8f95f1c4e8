//! The values that the variables of FMI 3.0 were given, since an array is set as a whole.

use fmu_builder::ArrayVariable;
use fmu_builder::description::DataType;

/// The values of all elements of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    Reals(Vec<f64>),
    /// Integers, items of enumerations, and Booleans as 0 or 1.
    Integers(Vec<i128>),
    Strings(Vec<String>),
}

/// The values that variables were given, at first their start values.
#[derive(Clone, Debug, Default)]
pub struct AssignedValues(pub Vec<Elements>);

impl AssignedValues {
    pub fn of(arrays: &[ArrayVariable]) -> Self {
        Self(arrays.iter().map(starts).collect())
    }
}

fn starts(array: &ArrayVariable) -> Elements {
    let texts = || (0..array.elements.len()).map(|i| array.start.get(i).map_or("", String::as_str));
    match array.data_type {
        kind if kind.is_real() => Elements::Reals(texts().map(|text| text.parse().unwrap_or(0.0)).collect()),
        DataType::String => Elements::Strings(texts().map(str::to_owned).collect()),
        DataType::Boolean => Elements::Integers(texts().map(|text| i128::from(matches!(text, "true" | "1"))).collect()),
        _ => Elements::Integers(texts().map(|text| text.parse().unwrap_or(0)).collect()),
    }
}
