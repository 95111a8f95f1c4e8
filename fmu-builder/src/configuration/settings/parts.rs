//! The parts of a system: their types, which decide what else can be set, and their connections.

use std::collections::BTreeMap;

use fmu_runtime::{Connector, StructureKind};

use super::entry::{Entry, Section, Settings};
use super::structure::chosen;
use crate::description::{Description, StructureOption};
use crate::text::suggestion::did_you_mean;

/// The entry with the type of a part.
const TYPE: &str = "type";

/// The types of the parts, as structure options. `default` is the system without parts.
pub(super) fn types(settings: &Settings, default: &Description, problems: &mut Vec<String>) -> Vec<(String, String)> {
    let kinds = default.structure.iter().find(|option| matches!(option.kind, StructureKind::Part(_)));
    let mut types: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    let mut order = Vec::new();
    for entry in settings.entries.iter().filter(|entry| entry.section == Section::Parts) {
        let Entry { name, place, .. } = entry;
        let Some((part, key)) = name.split_once('.') else {
            problems.push(format!("{place}: \"{name}\" must be a section: [parts.{name}]"));
            continue;
        };
        if !is_identifier(part) {
            problems.push(format!(
                "{place}: a part cannot be named \"{part}\": its name must be letters, digits and _, and begin with a letter"
            ));
            continue;
        }
        let Some(kinds) = kinds else {
            problems.push(format!("{place}: {} has no parts", default.component));
            return Vec::new();
        };
        if !types.contains_key(part) {
            order.push((part, place));
        }
        let of_part = types.entry(part).or_default();
        if key == TYPE {
            let option = StructureOption { name: name.clone(), ..kinds.clone() };
            let outline = Description { structure: vec![option], ..default.clone() };
            of_part.extend(chosen(&[entry], &outline, problems));
        }
    }
    if !problems.is_empty() {
        return Vec::new();
    }
    for (part, place) in &order {
        if types[part].is_empty() {
            problems.push(format!("{place}: part \"{part}\" has no type: add type = \"…\""));
        }
    }
    order.into_iter().filter_map(|(part, _)| types.remove(part)).flatten().collect()
}

/// A name of Modelica, without those in quotation marks.
fn is_identifier(name: &str) -> bool {
    let word = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
    word && name.starts_with(|first: char| first.is_ascii_alphabetic())
}

/// Refuses connections to what does not exist or does not fit, and parts without any connection.
pub(super) fn check_connections(entries: &[&Entry], outline: &Description, problems: &mut Vec<String>) {
    let connector = |name: &str| {
        let option = outline.structure.iter().find(|option| option.name == name)?;
        if let StructureKind::Connection(connector) = option.kind { Some(connector) } else { None }
    };
    let is_connector = |option: &&StructureOption| matches!(option.kind, StructureKind::Connection(_));
    let names = || outline.structure.iter().filter(is_connector).map(|option| option.name.as_str());
    let mut connected = Vec::new();
    for entry in entries {
        let (Some(own), Some(to)) = (connector(&entry.name), entry.value.text()) else { continue };
        connected.extend([part_of(&entry.name).to_owned(), part_of(&to).to_owned()]);
        let problem = match connector(&to) {
            None => {
                let hint = did_you_mean(&to, names());
                format!("there is no connector \"{to}\"{hint}")
            }
            Some(_) if part_of(&to) == part_of(&entry.name) => "both are connectors of one part".to_owned(),
            Some(other) if kind(own) != kind(other) => {
                format!("{} is {}, but {to} is {}", entry.name, kind(own), kind(other))
            }
            Some(_) => continue,
        };
        problems.push(entry.value.problem(&entry.name, &problem));
    }
    let parts: Vec<_> =
        outline.structure.iter().filter(|option| matches!(option.kind, StructureKind::Part(_))).collect();
    for option in parts.iter().filter(|_| parts.len() > 1) {
        let part = part_of(&option.name);
        if !connected.iter().any(|name| name == part)
            && let Some(entry) = entries.iter().find(|entry| entry.name == option.name)
        {
            let prefix = format!("{part}.");
            let own: Vec<_> = names().filter(|name| name.starts_with(&prefix)).collect();
            problems.push(format!(
                "{}: part \"{part}\" is connected to nothing: connect {} to another part",
                entry.place,
                own.join(" or ")
            ));
        }
    }
}

fn part_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(part, _)| part)
}

/// What can be connected to each other.
fn kind(connector: Connector) -> &'static str {
    match connector {
        Connector::Frame_a | Connector::Frame_b => "a frame",
        Connector::Flange_a | Connector::Flange_b | Connector::Support => "a rotational flange",
        Connector::TranslationalFlange_a | Connector::TranslationalFlange_b => "a translational flange",
        Connector::HeatPort_a | Connector::HeatPort_b => "a heat port",
    }
}
