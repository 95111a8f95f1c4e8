//! The settings and variables for programs: an array is one datum, with its values as numbers, Booleans and texts.

use fmu_exchange::structure::SEPARATOR;
use serde::Serialize;
use serde_json::{Number, Value, json};

use crate::description::arrays::group_arrays;
use crate::description::{Attachment, Causality, StructureKind, StructureOption, Variable, VariableType};

use super::rows::Described;

/// A structure option, a variable or an attachment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Datum {
    /// Name, without the sizes of an array: `frame_a.R.T`.
    pub name: String,
    /// `structure`, `parameter`, `input`, `output` or `attachment`.
    pub kind: &'static str,
    /// `Real`, `Integer`, `Boolean`, `String`, or the name of an enumeration.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Sizes of the array; none for a scalar.
    pub shape: Vec<usize>,
    /// Unit.
    pub unit: Option<String>,
    /// FMI's quantity, such as `Torque`.
    pub quantity: Option<String>,
    /// Start value, row by row for an array; null if there is none.
    pub value: Value,
    /// Smallest value.
    pub min: Value,
    /// Largest value.
    pub max: Value,
    /// Names of the items, if it is an enumeration.
    pub choices: Vec<String>,
    /// Description in one line.
    pub description: String,
}

impl Datum {
    fn scalar(name: &str, kind: &'static str, type_name: &str, description: &str) -> Self {
        let [name, type_name, description] = [name, type_name, description].map(str::to_owned);
        let (shape, choices) = (Vec::new(), Vec::new());
        let [value, min, max] = [const { Value::Null }; 3];
        Self { name, kind, type_name, shape, unit: None, quantity: None, value, min, max, choices, description }
    }

    /// Returns the datum of a structure option.
    pub fn of_option(option: &StructureOption) -> Self {
        let text = option.value.as_str();
        let (type_name, value) = match option.kind {
            StructureKind::Boolean => ("Boolean", json!(text == "true")),
            StructureKind::Integer { .. } => ("Integer", text.parse::<i64>().map_or(Value::Null, Value::from)),
            StructureKind::Positive => ("Real", text.parse::<f64>().map_or(Value::Null, Value::from)),
            StructureKind::Outputs => ("String", json!(text.split_terminator(SEPARATOR).collect::<Vec<_>>())),
            _ => ("String", json!(text)),
        };
        let scalar = Self::scalar(&option.name, "structure", type_name, &option.description);
        let datum = Self { value, ..scalar };
        match &option.kind {
            StructureKind::Integer { min, max } => Self { min: json!(min), max: json!(max), ..datum },
            StructureKind::Enumeration(items) | StructureKind::Initial(items) | StructureKind::Part(items) => {
                Self { choices: items.clone(), ..datum }
            }
            _ => datum,
        }
    }

    /// Returns the datum of an attachment, whose value is its file.
    pub fn of_attachment(Attachment { name, description, file, .. }: &Attachment) -> Self {
        Self { value: json!(file), ..Self::scalar(name, "attachment", "String", description) }
    }

    /// Returns the data of the parameters, inputs and outputs.
    pub fn of_variables(of: &impl Described) -> Vec<Self> {
        let mut data = Vec::new();
        for (kind, causality) in
            [("parameter", Causality::Parameter), ("input", Causality::Input), ("output", Causality::Output)]
        {
            for group in group_arrays(of.variables()) {
                let members = &of.variables()[group.members.clone()];
                if members[0].causality == causality {
                    let values = members.iter().map(|member| start(of, member)).collect();
                    let value = if group.dimensions.is_empty() { None } else { nested(values, &group.dimensions) };
                    let value = value.unwrap_or_else(|| start(of, &members[0]));
                    data.push(Self { shape: group.dimensions, value, ..variable(of, group.name, kind, &members[0]) });
                }
            }
        }
        data
    }
}

fn variable(of: &impl Described, name: &str, kind: &'static str, first: &Variable) -> Datum {
    let datum = |type_name| Datum::scalar(name, kind, type_name, &first.description);
    let attributes = &first.attributes;
    match &first.kind {
        VariableType::Real { unit, .. } => {
            let (unit, quantity) = (unit.clone(), attributes.quantity.clone());
            Datum { unit, quantity, min: json!(attributes.min), max: json!(attributes.max), ..datum("Real") }
        }
        VariableType::Integer { .. } => {
            let [min, max] = attributes.integer_bounds().map(whole);
            Datum { min, max, ..datum("Integer") }
        }
        VariableType::Boolean { .. } => datum("Boolean"),
        VariableType::String { .. } => datum("String"),
        VariableType::Enumeration { declared_type, .. } => {
            let enumeration = of.enumerations().iter().find(|other| other.name == *declared_type);
            let items = enumeration.into_iter().flat_map(|enumeration| enumeration.items.iter());
            Datum { choices: items.map(|item| item.name.to_string()).collect(), ..datum(declared_type) }
        }
    }
}

/// Returns the start values, by rows; nothing if none has one.
fn nested(values: Vec<Value>, sizes: &[usize]) -> Option<Value> {
    if values.iter().all(Value::is_null) {
        return None;
    }
    // From the last index to the second one.
    let rows = sizes[1..]
        .iter()
        .rev()
        .fold(values, |values, size| values.chunks((*size).max(1)).map(|row| Value::Array(row.to_vec())).collect());
    Some(Value::Array(rows))
}

/// Returns a whole number, nothing if it is beyond 64 bits.
fn whole(value: Option<i128>) -> Value {
    json!(value.and_then(Number::from_i128))
}

fn start(of: &impl Described, variable: &Variable) -> Value {
    match &variable.kind {
        VariableType::Real { start, .. } => json!(start),
        VariableType::Integer { start, .. } => whole(*start),
        VariableType::Boolean { start } => json!(start),
        VariableType::String { start } => json!(start),
        VariableType::Enumeration { declared_type, start } => {
            let enumeration = of.enumerations().iter().find(|other| other.name == *declared_type);
            let item = enumeration.and_then(|enumeration| enumeration.item((*start)?));
            json!(item.map(|item| item.name.to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::description;

    #[test]
    fn values_have_their_types_and_shapes() {
        let data = Datum::of_variables(&description());
        let datum = |name: &str| data.iter().find(|datum| datum.name == name).unwrap();
        let c = datum("c");
        assert_eq!((c.kind, &*c.type_name, c.unit.as_deref()), ("parameter", "Real", Some("N/m")));
        assert_eq!((&c.shape[..], &c.value, &c.min), (&[2][..], &json!([1000.0, 2000.0]), &json!(0.0)));
        assert_eq!((&*datum("count").type_name, &datum("count").value), ("Integer", &json!(2)));
        let table = datum("table");
        assert_eq!((&table.shape[..], &table.value), (&[2, 2][..], &json!([[0.0, 0.0], [1.0, 10.0]])));
        // Each declared item can be its value.
        let of_type = data.iter().find(|datum| !datum.choices.is_empty()).unwrap();
        assert!(of_type.choices.contains(&of_type.value.as_str().unwrap().to_owned()), "{of_type:?}");
    }

    #[test]
    fn rows_of_three_indices_are_nested_twice() {
        let values = (0..6).map(Value::from).collect();
        assert_eq!(nested(values, &[1, 2, 3]), Some(json!([[[0, 1, 2], [3, 4, 5]]])));
        assert_eq!(nested(vec![Value::Null; 2], &[2]), None);
    }

    #[test]
    fn options_are_not_texts_only() {
        let option = |kind, value: &str| {
            let (name, value) = ("o".to_owned(), value.to_owned());
            let (aliases, default, description) = (Vec::new(), value.clone(), String::new());
            Datum::of_option(&StructureOption { name, description, kind, aliases, default, value })
        };
        assert_eq!(option(StructureKind::Boolean, "true").value, json!(true));
        assert_eq!(option(StructureKind::Positive, "0.0001").value, json!(1e-4));
        let count = option(StructureKind::Integer { min: 0, max: 3 }, "2");
        assert_eq!((count.value, count.min, count.max), (json!(2), json!(0), json!(3)));
        let choice = option(StructureKind::Enumeration(vec!["a".to_owned()]), "a");
        assert_eq!((choice.value, choice.choices), (json!("a"), vec!["a".to_owned()]));
        assert_eq!(option(StructureKind::Outputs, "a;b").value, json!(["a", "b"]));
        assert_eq!(option(StructureKind::Outputs, "").value, json!([]));
    }
}
