//! The variables for readers: an array is one row.

use std::ops::Range;

use crate::description::arrays::group_arrays;
use crate::description::{Causality, Description, Enumeration, StructureKind, Variable, VariableType};
use crate::text::number::number;

/// Largest numbers of elements and items that are listed.
const MAX_ELEMENTS: usize = 16;
const MAX_ITEMS: usize = 40;

/// A source of variables: a configured component, or a finished FMU.
pub trait Described {
    /// Returns the variables in their order.
    fn variables(&self) -> &[Variable];
    /// Returns the enumeration types.
    fn enumerations(&self) -> &[Enumeration];
}

impl Described for Description {
    fn variables(&self) -> &[Variable] {
        &self.variables
    }

    fn enumerations(&self) -> &[Enumeration] {
        &self.enumerations
    }
}

/// The attributes of a scalar variable or an array, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Name, with the sizes of an array: `frame_a.R.T[3,3]`.
    pub name: String,
    /// Name of the type.
    pub type_name: String,
    /// Unit; empty if there is none, like all the following fields.
    pub unit: String,
    /// Start value; given once if it is the same for all elements.
    pub start: String,
    /// Smallest value.
    pub min: String,
    /// Largest value.
    pub max: String,
    /// Variability as in `modelDescription.xml`.
    pub variability: &'static str,
    /// Description, that of the first element.
    pub description: String,
}

impl Row {
    /// Returns the allowed values: the items of an enumeration, or an interval.
    pub fn admissible(&self, of: &impl Described) -> String {
        let enumeration = of.enumerations().iter().find(|enumeration| enumeration.name == self.type_name);
        if let Some(enumeration) = enumeration {
            let names: Vec<_> = enumeration.items.iter().take(MAX_ITEMS).map(|item| item.name.to_string()).collect();
            let more = if enumeration.items.len() > MAX_ITEMS { ", …" } else { "" };
            return names.join(", ") + more;
        }
        match (&self.min[..], &self.max[..]) {
            ("", "") => String::new(),
            (min, "") => format!("≥ {min}"),
            ("", max) => format!("≤ {max}"),
            (min, max) => format!("{min} … {max}"),
        }
    }
}

/// Returns the values that a structure option accepts, as text.
pub fn choices(kind: &StructureKind) -> String {
    match kind {
        StructureKind::Boolean => "true, false".to_owned(),
        StructureKind::Integer { min, max } => format!("{min} … {max}"),
        StructureKind::Positive => "greater than 0".to_owned(),
        StructureKind::Enumeration(items) | StructureKind::Initial(items) => items.join(", "),
        StructureKind::Part(_) => "a type of part".to_owned(),
        StructureKind::Connection(_) => "a connector of another part".to_owned(),
        StructureKind::Outputs => "names of variables".to_owned(),
        StructureKind::Input => "an input of the FMU, or a signal".to_owned(),
    }
}

/// Returns the rows of the variables with one of these causalities, in their order.
pub fn rows(of: &impl Described, causalities: &[Causality]) -> Vec<Row> {
    let groups = group_arrays(of.variables()).into_iter();
    let groups = groups.filter(|group| causalities.contains(&of.variables()[group.members.start].causality));
    groups.map(|group| row(of, group.name, &group.dimensions, group.members)).collect()
}

/// Returns the row of a scalar variable or an array.
pub(crate) fn row(of: &impl Described, name: &str, dimensions: &[usize], members: Range<usize>) -> Row {
    let members = &of.variables()[members];
    let first = &members[0];
    let (unit, min, max) = limits(first);
    Row {
        name: full_name(name, dimensions),
        type_name: type_name(first),
        unit,
        start: starts(of, dimensions, members),
        min,
        max,
        variability: first.variability.as_str(),
        description: first.description.clone(),
    }
}

/// Returns the name with sizes, such as `frame_a.R.T[3,3]`.
fn full_name(name: &str, dimensions: &[usize]) -> String {
    if dimensions.is_empty() {
        return name.to_owned();
    }
    let sizes: Vec<String> = dimensions.iter().map(usize::to_string).collect();
    format!("{name}[{}]", sizes.join(","))
}

fn type_name(variable: &Variable) -> String {
    match &variable.kind {
        VariableType::Real { .. } => "Real",
        VariableType::Integer { .. } => "Integer",
        VariableType::Boolean { .. } => "Boolean",
        VariableType::String { .. } => "String",
        VariableType::Enumeration { declared_type, .. } => declared_type,
    }
    .to_owned()
}

/// Returns unit, smallest and largest value.
fn limits(variable: &Variable) -> (String, String, String) {
    let attributes = &variable.attributes;
    let bounds = |[min, max]: [Option<String>; 2]| (min.unwrap_or_default(), max.unwrap_or_default());
    let (unit, (min, max)) = match &variable.kind {
        VariableType::Real { unit, .. } => {
            (unit.clone().unwrap_or_default(), bounds([attributes.min, attributes.max].map(|bound| bound.map(number))))
        }
        VariableType::Integer { .. } => {
            (String::new(), bounds(attributes.integer_bounds().map(|bound| bound.map(|bound| bound.to_string()))))
        }
        _ => Default::default(),
    };
    (unit, min, max)
}

/// Returns the start value; given once if it is the same for all elements.
fn starts(of: &impl Described, dimensions: &[usize], members: &[Variable]) -> String {
    let values = || members.iter().map(|variable| start(of, variable));
    let first = start(of, &members[0]);
    if values().all(|value| value == first) {
        return first;
    }
    if members.len() > MAX_ELEMENTS {
        return format!("{} values", members.len());
    }
    let values: Vec<String> = values().collect();
    match dimensions.last() {
        Some(columns) if dimensions.len() > 1 => {
            let rows: Vec<String> = values.chunks(*columns).map(|row| format!("[{}]", row.join(", "))).collect();
            format!("[{}]", rows.join(", "))
        }
        _ => format!("[{}]", values.join(", ")),
    }
}

fn start(of: &impl Described, variable: &Variable) -> String {
    match &variable.kind {
        VariableType::Real { start, .. } => start.map(number),
        VariableType::Integer { start, .. } => start.map(|value| value.to_string()),
        VariableType::Boolean { start } => start.map(|value| value.to_string()),
        VariableType::String { start } => start.as_ref().map(|value| format!("\"{value}\"")),
        VariableType::Enumeration { declared_type, start } => start.and_then(|value| {
            let enumeration = of.enumerations().iter().find(|other| other.name == *declared_type)?;
            enumeration.item(value).map(|item| item.name.to_string())
        }),
    }
    .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::description;

    #[test]
    fn an_array_is_one_row() {
        let rows = rows(&description(), &[Causality::Parameter]);
        let shown: Vec<_> =
            rows.iter().map(|row| [&row.name, &row.unit, &row.start, &row.min].map(String::as_str)).collect();
        assert_eq!(shown[..2], [["c[2]", "N/m", "[1000, 2000]", "0"], ["count", "", "2", "1"]]);
        assert_eq!(shown[6][..3], ["table[2,2]", "N", "[[0, 0], [1, 10]]"]);
    }

    #[test]
    fn not_all_items_of_a_long_enumeration_are_listed() {
        let mut description = description();
        let enumeration = &mut description.enumerations[0];
        enumeration.items = vec![enumeration.items[0].clone(); MAX_ITEMS + 1].into();
        let name = enumeration.name.clone();
        let rows = rows(&description, &[Causality::Parameter]);
        let row = rows.iter().find(|row| row.type_name == name).unwrap();
        let listed = row.admissible(&description);
        assert!(listed.ends_with(", …") && listed.matches(", ").count() == MAX_ITEMS, "{listed}");
    }
}
