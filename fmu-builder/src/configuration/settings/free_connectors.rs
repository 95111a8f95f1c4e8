//! `frame_a = "leg1.frame_b"`: free connectors of a part that is a system, called by their last names alone.

use std::collections::{BTreeMap, BTreeSet};

use fmu_declaration::StructureKind;

use super::entry::{Entry, Section, Settings};
use super::parts::is_within;
use super::value::Data;
use crate::description::Description;

/// Replaces such names by the full ones. `outline` is the system with the types of its parts.
pub(super) fn find(settings: &mut Settings, outline: &Description, problems: &mut Vec<String>) {
    let Settings { entries, subsystems, .. } = settings;
    if subsystems.is_empty() {
        return;
    }
    let options = outline.structure.iter().filter(|option| matches!(option.kind, StructureKind::Connection(_)));
    let connectors: BTreeSet<&str> = options.map(|option| option.name.as_str()).collect();
    let systems = Systems::new(entries, subsystems, &connectors);
    let of_file = |entry: &&Entry| entry.section == Section::Parts;
    let given: BTreeMap<_, _> =
        entries.iter().filter(of_file).map(|entry| (entry.name.clone(), entry.location.clone())).collect();
    for entry in entries.iter_mut().filter(|entry| matches!(entry.section, Section::Parts | Section::Command)) {
        let Data::Text(text) = &entry.value.data else { continue };
        let found = systems.full(&entry.name).and_then(|name| Ok((name, systems.full(text)?)));
        match found {
            Ok((Some(name), _)) if entry.section == Section::Parts && given.contains_key(&name) => {
                let problem = format!("this is {name}, which is given at {}", given[&name]);
                problems.push(entry.value.problem(&entry.name, &problem));
            }
            Ok((name, text)) => {
                entry.name = name.unwrap_or_else(|| std::mem::take(&mut entry.name));
                if let Some(text) = text {
                    entry.value.data = Data::Text(text);
                }
            }
            Err(problem) => problems.push(entry.value.problem(&entry.name, &problem)),
        }
    }
}

/// The parts that are systems, with the connectors that nothing inside is connected to.
struct Systems<'a> {
    free: BTreeMap<String, Vec<String>>,
    files: &'a BTreeMap<String, String>,
}

impl<'a> Systems<'a> {
    fn new(entries: &[Entry], files: &'a BTreeMap<String, String>, connectors: &BTreeSet<&str>) -> Self {
        let mut free: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // The systems that contain a name, from the outermost on.
        let around = |name: &str| -> Vec<String> {
            let ends = name.match_indices('.').map(|(end, _)| &name[..end]);
            ends.filter(|system| files.contains_key(*system)).map(str::to_owned).collect()
        };
        let mut inside: BTreeSet<(String, &str)> = BTreeSet::new();
        for entry in entries.iter().filter(|entry| connectors.contains(entry.name.as_str())) {
            let to = entry.value.plain();
            for system in around(&entry.name).into_iter().filter(|system| is_within(to, system)) {
                inside.extend([entry.name.as_str(), to].map(|name| (system.clone(), name)));
            }
        }
        for connector in connectors {
            for system in around(connector) {
                if !inside.contains(&(system.clone(), *connector)) {
                    free.entry(system).or_default().push((*connector).to_owned());
                }
            }
        }
        Self { free, files }
    }

    /// Returns the full name of a free connector, if a name consists of a system and the last name of one.
    fn full(&self, name: &str) -> Result<Option<String>, String> {
        let Some((system, last)) = name.rsplit_once('.').filter(|(system, _)| self.files.contains_key(*system)) else {
            return Ok(None);
        };
        let free = self.free.get(system).map_or(&[][..], Vec::as_slice);
        let own = |names: &[&String]| {
            let names = names.iter().map(|name| name[system.len() + 1..].to_owned());
            names.collect::<Vec<_>>().join(", ")
        };
        let named: Vec<_> = free.iter().filter(|name| name.rsplit('.').next() == Some(last)).collect();
        match named[..] {
            [one] => Ok(Some(one.clone())),
            [] if free.is_empty() => Err(format!("{system} has no free connectors")),
            [] => {
                let all = own(&free.iter().collect::<Vec<_>>());
                Err(format!("{system} has no free connector \"{last}\"; its free ones are {all}"))
            }
            _ => Err(format!("{system} has several free connectors \"{last}\": name one of {}", own(&named))),
        }
    }
}
