//! The canonical text: the values that differ from the defaults, in the order of the declaration. It is written here
//! only; the library reads it when the FMU is described, and each instance from the resources.

use std::collections::BTreeMap;
use std::fmt::Write;

use fmu_exchange::configuration::{canonical, escape, fingerprint};
use fmu_exchange::{StructureKind, real_text};

use super::attachment::{Attached, TableOrigin};
use crate::description::{Description, Enumeration, VariableType};

/// The user's values, and the structure with its defaults.
pub(super) struct Configuration<'a> {
    pub defaults: &'a Description,
    pub name: Option<String>,
    pub description: Option<String>,
    /// Types with the start values that were given, by the positions of the variables.
    pub starts: BTreeMap<usize, VariableType>,
    /// Elements of the tables that were given, row by row.
    pub tables: BTreeMap<String, Vec<f64>>,
    pub attachments: BTreeMap<String, Attached>,
    /// Messages about the reading of files with tables.
    pub notes: Vec<String>,
    /// Tables from files.
    pub given: Vec<TableOrigin>,
    /// True if each element of a table becomes a variable, as FMI 2.0 has no arrays.
    pub elements_are_variables: bool,
}

impl<'a> Configuration<'a> {
    /// Makes the configuration with the defaults of a structure.
    pub fn new(defaults: &'a Description) -> Self {
        Self {
            defaults,
            name: None,
            description: None,
            starts: BTreeMap::new(),
            tables: BTreeMap::new(),
            attachments: BTreeMap::new(),
            notes: Vec::new(),
            given: Vec::new(),
            elements_are_variables: true,
        }
    }

    /// Returns the canonical text without its fingerprint.
    pub fn text(&self) -> String {
        let defaults = self.defaults;
        let mut body = String::new();
        for option in defaults.structure.iter().filter(|option| option.value != option.default) {
            let value = &option.value;
            let bits = match option.kind {
                StructureKind::Positive => value.parse().map(real_text).expect("a decimal number") + " ",
                _ => String::new(),
            };
            let _ = writeln!(body, "structure {} {bits}{value}", option.name);
        }
        for (index, kind) in &self.starts {
            let variable = &defaults.variables[*index];
            let [default, start] = [&variable.kind, kind].map(|kind| word(kind, &defaults.enumerations));
            if let Some(start) = start.filter(|start| default.as_ref() != Some(start)) {
                let _ = writeln!(body, "start {} {start}", variable.name);
            }
        }
        for table in &defaults.tables {
            if let Some(elements) = self.tables.get(&table.name) {
                let _ = write!(body, "table {} {} {}", table.name, elements.len() / table.columns, table.columns);
                for element in elements {
                    body.push(' ');
                    body.push_str(&real_text(*element));
                }
                body.push('\n');
            }
        }
        for attachment in &defaults.attachments {
            if let Some(Attached { file, content, .. }) = self.attachments.get(&attachment.name) {
                let _ = writeln!(body, "attachment {} {} {file}", attachment.name, fingerprint(content));
            }
        }
        let packages: Vec<_> =
            defaults.versions.iter().map(|(name, version)| (name.as_str(), version.as_str())).collect();
        let name = self.name.as_deref().unwrap_or(&defaults.component);
        let description = self.description.as_deref().unwrap_or(&defaults.description);
        canonical(&defaults.component, &packages, name, description, &body)
    }
}

/// Returns a start value as the canonical text has it.
fn word(kind: &VariableType, enumerations: &[Enumeration]) -> Option<String> {
    match kind {
        VariableType::Real { start, .. } => start.map(|value| format!("{} {value:?}", real_text(value))),
        VariableType::Integer { start, .. } => start.map(|value| value.to_string()),
        VariableType::Boolean { start } => start.map(|value| value.to_string()),
        VariableType::String { start } => start.as_deref().map(escape),
        VariableType::Enumeration { declared_type, start } => {
            let enumeration = enumerations.iter().find(|other| other.name == *declared_type)?;
            Some(enumeration.item((*start)?)?.name.to_string())
        }
    }
}
