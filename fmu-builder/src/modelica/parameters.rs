//! The parameters of an FMU as parameters of the model, passed on to the imported block.

use super::names::{array, elements, identifier, of_block, real, sizes, text};
use crate::description::arrays::group_arrays;
use crate::description::{Causality, Description, Variability, Variable, VariableType};

/// The declarations and modifications of the parameters.
#[derive(Default)]
pub(super) struct Parameters {
    /// Declarations, without semicolon.
    pub declarations: Vec<String>,
    /// Modifications of the imported block.
    pub modifications: Vec<String>,
    /// Those that OpenModelica does not pass to an FMU: enumerations.
    pub fixed: Vec<String>,
}

/// The parameters of an FMU.
pub(super) fn parameters(description: &Description) -> Parameters {
    let mut parameters = Parameters::default();
    for group in group_arrays(&description.variables) {
        let members = &description.variables[group.members.clone()];
        if members[0].causality != Causality::Parameter {
            continue;
        }
        if let VariableType::Enumeration { .. } = members[0].kind {
            parameters.fixed.push(group.name.to_owned());
            continue;
        }
        let name = identifier(group.name);
        let is_table = description.tables.iter().any(|table| table.name == group.name);
        parameters.declarations.push(declaration(&name, &group.dimensions, members, is_table));
        for (variable, element) in members.iter().zip(elements(&name, &group.dimensions)) {
            // OpenModelica declares tunable parameters with `fixed = false`.
            let fixed = if variable.variability == Variability::Tunable { "(fixed = true)" } else { "" };
            parameters.modifications.push(format!("{}{fixed} = {element}", of_block(&variable.name)));
        }
    }
    parameters
}

fn declaration(name: &str, dimensions: &[usize], members: &[Variable], is_table: bool) -> String {
    let values: Vec<String> = members.iter().map(|variable| start(&variable.kind)).collect();
    let (kind, attributes) = attributes(&members[0].kind);
    let each = if dimensions.is_empty() { "" } else { "each " };
    let attributes: Vec<String> = attributes.into_iter().map(|attribute| format!("{each}{attribute}")).collect();
    let attributes = if attributes.is_empty() { String::new() } else { format!("({})", attributes.join(", ")) };
    let dialog = match &members[0].kind {
        _ if is_table => "Dialog(tab = \"Tables\")",
        VariableType::Boolean { .. } => "Dialog(group = \"Options\"), choices(checkBox = true)",
        VariableType::Real { .. } => "Dialog(group = \"Parameters\")",
        _ => "Dialog(group = \"Options\")",
    };
    format!(
        "parameter {kind} {name}{}{attributes} = {} {}\n    annotation ({dialog})",
        sizes(dimensions),
        array(&values, dimensions),
        text(&members[0].description),
    )
}

/// Name of the type, and its attributes.
fn attributes(kind: &VariableType) -> (&'static str, Vec<String>) {
    let quoted = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("{name} = {}", text(value)));
    let bound = |name: &str, value: Option<String>| value.map(|value| format!("{name} = {value}"));
    match kind {
        VariableType::Real { unit, display_unit, min, max, .. } => {
            let units = [quoted("unit", unit), quoted("displayUnit", display_unit)];
            let bounds = [bound("min", min.map(real)), bound("max", max.map(real))];
            ("Real", units.into_iter().chain(bounds).flatten().collect())
        }
        VariableType::Integer { min, max, .. } => {
            let bounds = [("min", min), ("max", max)];
            (
                "Integer",
                bounds.into_iter().filter_map(|(name, value)| bound(name, value.map(|v| v.to_string()))).collect(),
            )
        }
        VariableType::Boolean { .. } => ("Boolean", Vec::new()),
        VariableType::String { .. } | VariableType::Enumeration { .. } => ("String", Vec::new()),
    }
}

fn start(kind: &VariableType) -> String {
    match kind {
        VariableType::Real { start, .. } => real(start.unwrap_or_default()),
        VariableType::Integer { start, .. } | VariableType::Enumeration { start, .. } => {
            start.unwrap_or_default().to_string()
        }
        VariableType::Boolean { start } => start.unwrap_or_default().to_string(),
        VariableType::String { start } => text(start.as_deref().unwrap_or_default()),
    }
}
