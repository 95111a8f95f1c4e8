//! The parts of a system: their types, on which all other settings depend, and their connections.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use fmu_exchange::structure::is_identifier;
use fmu_exchange::{Connector, StructureKind};
use toml::de::DeTable;

use super::entry::{Entry, Section, Settings};
use super::location::{Location, SettingsFile};
use super::part_names::{PartNames, TYPE};
use super::structure::{chosen, is_of_system, word};
use crate::description::{Description, StructureOption};
use crate::text::suggestion::did_you_mean;

/// Returns the problems of parts without any entry, which nothing else would notice.
pub(super) fn empty(parts: &DeTable<'_>, source: &Arc<SettingsFile>) -> Vec<String> {
    let empty = parts.iter().filter(|(_, part)| part.get_ref().as_table().is_some_and(DeTable::is_empty));
    empty.map(|(name, _)| without_type(&Location::in_file(source, name.span()), name.get_ref())).collect()
}

fn without_type(location: &Location, part: &str) -> String {
    format!("{location}: part \"{part}\" has no type: add type = \"…\"")
}

/// Returns the types of the parts, as structure options. `default` is the system without parts.
pub(super) fn types(settings: &Settings, default: &Description, problems: &mut Vec<String>) -> Vec<(String, String)> {
    let kinds = default.structure.iter().find(|option| matches!(option.kind, StructureKind::Part(_)));
    let mut types: BTreeMap<&str, Vec<(String, String)>> = BTreeMap::new();
    let mut order = Vec::new();
    let names = PartNames::of_entries(&settings.entries);
    for entry in settings.entries.iter().filter(|entry| is_of_part(settings, entry)) {
        let Entry { name, location, .. } = entry;
        let Some((part, _)) = names.split(name) else {
            problems.push(format!("{location}: \"{name}\" must be a section: [parts.{name}]"));
            continue;
        };
        // The connection of a part that is a system.
        if !names.0.contains(part) && settings.subsystems.keys().any(|system| is_within(name, system)) {
            continue;
        }
        if !part.split('.').all(is_identifier) {
            problems.push(format!(
                "{location}: a part cannot be named \"{part}\": use letters, digits and underscores, starting with a letter"
            ));
            continue;
        }
        let Some(kinds) = kinds else {
            problems.push(format!("{location}: {} has no parts", default.component));
            return Vec::new();
        };
        if !types.contains_key(part) {
            order.push((part, location));
        }
        let of_part = types.entry(part).or_default();
        if name.strip_suffix(TYPE) == Some(part) {
            *of_part = Vec::new();
            match word(kinds, &entry.value) {
                Ok(word) => of_part.push((name.clone(), word)),
                Err(right) => {
                    let own = "; a part of your own needs the line component = \"…\" with the folder of its package";
                    let hint = if settings.component().is_none() { own } else { "" };
                    problems.push(entry.value.problem(name, &right) + hint);
                }
            }
        }
    }
    if !problems.is_empty() {
        return Vec::new();
    }
    for (part, location) in &order {
        if types[part].is_empty() {
            problems.push(without_type(location, part));
        }
    }
    order.into_iter().filter_map(|(part, _)| types.remove(part)).flatten().collect()
}

fn is_of_part(settings: &Settings, entry: &Entry) -> bool {
    match entry.section {
        Section::Parts => true,
        Section::Command => settings.has_parts() && entry.name.ends_with(TYPE),
        Section::Top | Section::Structure | Section::Constants | Section::Parameters => false,
    }
}

/// Returns the options of parts, apart from types and connections, as far as they are valid; errors are reported later.
/// `outline` is the system with the types.
pub(super) fn own_options(settings: &Settings, outline: &Description) -> Vec<(String, String)> {
    let of_part =
        |option: &&StructureOption| !is_of_system(option) && !matches!(option.kind, StructureKind::Initial(_));
    let known: HashSet<_> = outline.structure.iter().filter(of_part).map(|option| option.name.as_str()).collect();
    let is_own = |entry: &&Entry| known.contains(entry.name.as_str());
    let has_parts = settings.has_parts();
    let own: Vec<_> = settings.entries.iter().filter(|entry| has_parts && is_own(entry)).collect();
    chosen(&own, outline, &mut Vec::new())
}

/// Chooses the domain of each part whose type several domains have, such as Spring: that of the connected parts.
/// Returns true if a type has changed. `outline` is the system with the types so far.
pub(super) fn choose_domains(
    settings: &Settings,
    types: &mut [(String, String)],
    none: &Description,
    outline: &Description,
) -> bool {
    let in_domain = |name: &str, domain: &str| {
        let full = format!("{domain}.{name}");
        kinds(none).iter().find(|kind| **kind == full).cloned()
    };
    let given: HashMap<_, _> = settings.entries.iter().map(|entry| (entry.name.as_str(), &entry.value)).collect();
    let given = |option: &str| given.get(option)?.text();
    let names = PartNames::of_entries(&settings.entries);
    let part_of = |name: &str| names.of(name).to_owned();
    // Their domains, as far as known.
    let mut open: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    for (option, _) in types.iter() {
        if given(option).is_some_and(|name| is_shared(none, &name)) {
            open.insert(part_of(option), None);
        }
    }
    if open.is_empty() {
        return false;
    }
    let connectors: BTreeMap<&str, Connector> = outline.structure.iter().filter_map(connection).collect();
    let text = |entry: &Entry| Some((entry.name.clone(), entry.value.text()?));
    let connections: Vec<_> = settings.entries.iter().filter_map(text).collect();
    loop {
        let mut has_changed = false;
        for (own, to) in &connections {
            let domain = |name: &str| match open.get(&part_of(name)) {
                Some(domain) => *domain,
                None => connectors.get(name).map(|connector| connector.domain()),
            };
            let (name, domain) = match (domain(own), domain(to)) {
                (None, Some(domain)) => (own, domain),
                (Some(domain), None) => (to, domain),
                _ => continue,
            };
            // Connectors of one name, such as flange, may be of several domains, but none of them is a frame or a heat port.
            let is_other =
                |domain: &str| [Connector::Frame_a, Connector::HeatPort_a].map(|other| domain == other.domain());
            if connectors.get(name.as_str()).is_some_and(|own| is_other(own.domain()) != is_other(domain)) {
                continue;
            }
            if let Some(open) = open.get_mut(&part_of(name)) {
                *open = Some(domain);
                has_changed = true;
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut has_changed = false;
    for (option, name) in types {
        let full = open.get(&part_of(option)).copied().flatten().and_then(|domain| in_domain(name, domain));
        has_changed |= full.is_some();
        full.into_iter().for_each(|full| *name = full);
    }
    has_changed
}

/// Returns the types that a part can have.
fn kinds(none: &Description) -> &[String] {
    let kinds = none.structure.iter().find_map(|option| match &option.kind {
        StructureKind::Part(kinds) => Some(kinds),
        _ => None,
    });
    kinds.map_or(&[], Vec::as_slice)
}

/// Returns true if several domains have a type of this name.
fn is_shared(none: &Description, name: &str) -> bool {
    let domains = [Connector::Frame_a, Connector::Flange_a, Connector::TranslationalFlange_a, Connector::HeatPort_a];
    let is_domain = |name: &str| domains.iter().any(|connector| connector.domain() == name);
    let is_of_domain =
        |kind: &String| kind.rsplit_once('.').is_some_and(|(first, last)| last == name && is_domain(first));
    kinds(none).iter().any(is_of_domain)
}

/// Returns the name of a connector that an option connects, and its kind.
fn connection(option: &StructureOption) -> Option<(&str, Connector)> {
    if let StructureKind::Connection(connector) = option.kind { Some((&option.name, connector)) } else { None }
}

/// Refuses connections to missing or unsuitable connectors, and parts without any connection.
pub(super) fn check_connections(
    entries: &[&Entry],
    none: &Description,
    outline: &Description,
    problems: &mut Vec<String>,
) {
    let connectors: BTreeMap<&str, Connector> = outline.structure.iter().filter_map(connection).collect();
    let connector = |name: &str| connectors.get(name).copied();
    let names = || outline.structure.iter().filter_map(connection).map(|(name, _)| name);
    // On the command line the last one counts.
    let on_command = entries.iter().enumerate().filter(|(_, entry)| entry.section == Section::Command);
    let last: HashMap<_, _> = on_command.map(|(i, entry)| (entry.name.as_str(), i)).collect();
    let known = PartNames::of_options(&outline.structure);
    let part_of = |name: &str| known.of(name).to_owned();
    let mut connected = HashSet::new();
    let mut nodes = Nodes::default();
    for (i, entry) in entries.iter().enumerate() {
        let (Some(own), Some(to)) = (connector(&entry.name), entry.value.text()) else { continue };
        if last.get(entry.name.as_str()).is_some_and(|last| *last > i) {
            continue;
        }
        connected.extend([part_of(&entry.name), part_of(&to)]);
        let problem = match connector(&to) {
            None => {
                let hint = did_you_mean(&to, names());
                format!("there is no connector \"{to}\"{hint}")
            }
            Some(_) if part_of(&to) == part_of(&entry.name) => "both are connectors of one part".to_owned(),
            Some(other) if kind(own) != kind(other) => {
                format!(
                    "{} is {}, but {to} is {}{}",
                    entry.name,
                    kind(own),
                    kind(other),
                    one_kind(entry, entries, none)
                )
            }
            Some(_) if !nodes.join(&entry.name, &to) => {
                "these are already connected: give each connection at one end only, without a circle".to_owned()
            }
            Some(_) => continue,
        };
        problems.push(entry.value.problem(&entry.name, &problem));
    }
    let parts: Vec<_> =
        outline.structure.iter().filter(|option| matches!(option.kind, StructureKind::Part(_))).collect();
    for option in parts.iter().filter(|_| parts.len() > 1) {
        let part = part_of(&option.name);
        let prefix = format!("{part}.");
        // A body may move freely; the library refuses other parts that cannot.
        let is_frame = |kind: &Connector| matches!(kind, Connector::Frame_a | Connector::Frame_b);
        let is_in_space = || connectors.iter().any(|(name, kind)| name.starts_with(&prefix) && is_frame(kind));
        if !connected.contains(&part)
            && !is_in_space()
            && let Some(entry) = entries.iter().find(|entry| entry.name == option.name)
        {
            let own: Vec<_> = names().filter(|name| name.starts_with(&prefix)).collect();
            // A block has signals only.
            if own.is_empty() {
                continue;
            }
            problems.push(format!(
                "{}: part \"{part}\" is connected to nothing: connect {} to another part",
                entry.location,
                own.join(" or ")
            ));
        }
    }
}

/// The nodes of connected connectors: each connector refers to another one of its node, the first to none.
#[derive(Default)]
struct Nodes(BTreeMap<String, String>);

impl Nodes {
    fn first<'a>(&'a self, mut name: &'a str) -> &'a str {
        while let Some(other) = self.0.get(name) {
            name = other;
        }
        name
    }

    /// Joins the nodes of two connectors; returns true if they were not connected yet.
    fn join(&mut self, one: &str, other: &str) -> bool {
        let [one, other] = [one, other].map(|name| self.first(name).to_owned());
        one != other && self.0.insert(one, other).is_none()
    }
}

/// Returns the location of the first item that a message of the library names: an entry, or a part, whose name stands
/// in quotation marks or before a point.
pub(super) fn location_of<'a>(entries: &'a [Entry], message: &str) -> Option<&'a Location> {
    let is_of_name = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '.');
    let find = |name: &str| entries.iter().rfind(|entry| entry.section == Section::Parts && entry.name == name);
    let names = PartNames::of_entries(entries);
    let mut rest = message;
    while let Some(begin) = rest.find(is_of_name) {
        let (before, after) = rest.split_at(begin);
        let (name, end) = after.split_at(after.find(|character| !is_of_name(character)).unwrap_or(after.len()));
        let is_quoted = before.ends_with('"') && end.starts_with('"');
        if is_quoted || name.contains('.') {
            let of_part = || find(&format!("{}{TYPE}", names.of(name)));
            if let Some(entry) = find(name).or_else(of_part) {
                return Some(&entry.location);
            }
        }
        rest = end;
    }
    None
}

/// Returns the problem of a part whose type several domains have.
fn one_kind(entry: &Entry, entries: &[&Entry], none: &Description) -> String {
    let option = format!("{}{TYPE}", PartNames::of_entries(entries.iter().copied()).of(&entry.name));
    let name = entries.iter().find(|entry| entry.name == option).and_then(|entry| entry.value.text());
    let shared = name.filter(|name| is_shared(none, name));
    shared.map_or_else(String::new, |name| format!("; a {name} connects two of the same kind"))
}

/// Returns true if a name begins with that of a part and a dot.
pub(super) fn is_within(name: &str, part: &str) -> bool {
    name.strip_prefix(part).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns the kind of a connector; connectors of one kind can be connected.
fn kind(connector: Connector) -> &'static str {
    match connector {
        Connector::Frame_a | Connector::Frame_b => "a frame",
        Connector::Flange_a | Connector::Flange_b | Connector::Support => "a rotational flange",
        Connector::TranslationalFlange_a | Connector::TranslationalFlange_b => "a translational flange",
        Connector::HeatPort_a | Connector::HeatPort_b => "a heat port",
    }
}
