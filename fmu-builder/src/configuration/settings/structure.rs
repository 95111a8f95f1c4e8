//! The structure options that the user chose.

use std::collections::{BTreeMap, HashMap};

use fmu_exchange::real_text;
use fmu_exchange::structure::words;

use super::entry::Entry;
use super::parameters;
use super::value::{Data, Value};
use crate::description::{Description, StructureKind, StructureOption};
use crate::text::suggestion::{did_you_mean, spelled};

/// Returns each chosen option once, with its value as the library spells it.
pub(super) fn chosen(entries: &[&Entry], default: &Description, problems: &mut Vec<String>) -> Vec<(String, String)> {
    let options: HashMap<_, _> = default.structure.iter().map(|option| (option.name.as_str(), option)).collect();
    // The last entry of each option decides, at its own position.
    let mut chosen: BTreeMap<usize, (String, String)> = BTreeMap::new();
    let mut positions = HashMap::new();
    for (position, entry) in entries.iter().enumerate() {
        let Some(option) = options.get(entry.name.as_str()) else {
            problems.push(unknown(entry, default));
            continue;
        };
        match word(option, &entry.value) {
            Ok(word) => {
                if let Some(former) = positions.insert(option.name.as_str(), position) {
                    chosen.remove(&former);
                }
                chosen.insert(position, (option.name.clone(), word));
            }
            Err(right) => problems.push(entry.value.problem(&option.name, &right)),
        }
    }
    chosen.into_values().collect()
}

/// Returns true if an option belongs to a system: types of parts, connections, and outputs.
pub(super) fn is_of_system(option: &StructureOption) -> bool {
    matches!(
        option.kind,
        StructureKind::Part(_) | StructureKind::Connection(_) | StructureKind::Outputs | StructureKind::Input
    )
}

/// Returns the lines of a configuration that choose these options.
pub fn lines(chosen: &[(String, String)]) -> String {
    chosen.iter().map(|(option, value)| format!("structure {option} {value}\n")).collect()
}

/// Returns all other values of one Boolean or enumerated option, and the largest of a number; then those of two
/// options.
pub(crate) fn alternatives(current: &Description) -> Vec<Vec<(String, String)>> {
    let values = |option: &StructureOption| match &option.kind {
        StructureKind::Boolean => vec!["true".to_owned(), "false".to_owned()],
        StructureKind::Enumeration(items) | StructureKind::Initial(items) => items.clone(),
        // The largest number has all settings of smaller ones.
        StructureKind::Integer { max, .. } => vec![max.to_string()],
        StructureKind::Positive
        | StructureKind::Part(_)
        | StructureKind::Connection(_)
        | StructureKind::Outputs
        | StructureKind::Input => vec![],
    };
    let changes = |option: &StructureOption| -> Vec<(String, String)> {
        let others = values(option).into_iter().filter(|value| *value != option.value);
        others.map(|value| (option.name.clone(), value)).collect()
    };
    let options: Vec<_> = current.structure.iter().map(changes).collect();
    let mut all: Vec<_> = options.iter().flatten().map(|change| vec![change.clone()]).collect();
    // A system has too many options for pairs.
    if current.structure.iter().any(is_of_system) {
        return all;
    }
    for (position, first) in options.iter().enumerate() {
        let later = || options[position + 1..].iter().flatten();
        all.extend(first.iter().flat_map(|one| later().map(|two| vec![one.clone(), two.clone()])));
    }
    all
}

fn unknown(entry: &Entry, default: &Description) -> String {
    let Entry { name, location, .. } = entry;
    let known = default.structure.iter().map(|option| option.name.as_str());
    if let Some(role) = parameters::roles(default).get(name) {
        format!("{location}: \"{name}\" is {role}; it belongs under [parameters]")
    } else if default.structure.is_empty() {
        format!("{location}: unknown structure option \"{name}\"; {} has none", default.component)
    } else {
        format!("{location}: unknown structure option \"{name}\"{}", did_you_mean(name, known))
    }
}

/// The library's spelling of a value; the error says what is allowed.
pub(super) fn word(option: &StructureOption, value: &Value) -> Result<String, String> {
    let right = || format!("must be {}", words(&option.kind));
    match &option.kind {
        StructureKind::Boolean => match value.data {
            Data::Boolean(value) => Ok(value.to_string()),
            _ => Err(right()),
        },
        StructureKind::Integer { .. } => match value.data {
            Data::Integer(value) if option.kind.admits(value as f64) => Ok(value.to_string()),
            _ => Err(right()),
        },
        StructureKind::Positive => match value.real() {
            Some(value) if option.kind.admits(value) => Ok(real_text(value)),
            _ => Err("must be a finite number greater than 0".to_owned()),
        },
        StructureKind::Connection(_) => {
            value.text().ok_or_else(|| "must be the connector of another part in quotation marks".to_owned())
        }
        StructureKind::Input => {
            Err("must be an input of the FMU, such as \"input.pedal\", or a signal, such as \"sine.y\"".to_owned())
        }
        StructureKind::Outputs => Err("belongs before the first section".to_owned()),
        StructureKind::Enumeration(items) | StructureKind::Part(items) | StructureKind::Initial(items) => {
            let text = match value.data {
                Data::Boolean(value) => value.to_string(),
                _ => value.text().unwrap_or_default(),
            };
            let alias = option.aliases.iter().find(|(alias, _)| *alias == text).map(|(_, word)| word);
            match spelled(&text, items).map(|position| &items[position]).or(alias) {
                Some(word) => Ok(word.clone()),
                None => {
                    let hint = did_you_mean(&text, items.iter().map(String::as_str));
                    Err(format!("must be one of {}{hint}", items.join(", ")))
                }
            }
        }
    }
}
