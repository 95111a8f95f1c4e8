//! `frame_a = "leg1.frame_b"`: free connectors of a part that is a system, called by their last names alone.

use std::collections::{BTreeMap, BTreeSet};

use fmu_exchange::StructureKind;

use super::entry::{Entry, Section, Settings};
use super::location::Location;
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
    let of_file = |entry: &&Entry| entry.section == Section::Parts;
    let given: BTreeMap<_, _> =
        entries.iter().filter(of_file).map(|entry| (entry.name.clone(), entry.location.clone())).collect();
    // Those inside others first, whose free connectors may be free ones of these.
    let depth = |name: &String| name.matches('.').count();
    let depths: BTreeSet<_> = subsystems.keys().map(depth).collect();
    for level in depths.into_iter().rev() {
        let of_level = subsystems.keys().filter(|name| depth(name) == level).map(String::as_str).collect();
        let systems = Systems::new(entries, of_level, &connectors);
        for entry in entries.iter_mut().filter(|entry| matches!(entry.section, Section::Parts | Section::Command)) {
            if let Err(problem) = systems.complete(entry, &connectors, &given) {
                problems.push(entry.value.problem(&entry.name, &problem));
            }
        }
        if !problems.is_empty() {
            return;
        }
    }
}

/// The parts that are systems, with the connectors that nothing inside is connected to.
struct Systems<'a> {
    free: BTreeMap<String, Vec<String>>,
    names: BTreeSet<&'a str>,
}

impl<'a> Systems<'a> {
    fn new(entries: &[Entry], names: BTreeSet<&'a str>, connectors: &BTreeSet<&str>) -> Self {
        let mut free: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // The system that contains a name.
        let around = |name: &str| -> Option<String> {
            let mut ends = name.match_indices('.').map(|(end, _)| &name[..end]);
            ends.find(|system| names.contains(*system)).map(str::to_owned)
        };
        let mut inside: BTreeSet<&str> = BTreeSet::new();
        for entry in entries.iter().filter(|entry| connectors.contains(entry.name.as_str())) {
            let to = entry.value.plain();
            if around(&entry.name).is_some_and(|system| is_within(to, &system)) {
                inside.extend([entry.name.as_str(), to]);
            }
        }
        for connector in connectors.difference(&inside) {
            if let Some(system) = around(connector) {
                free.entry(system).or_default().push((*connector).to_owned());
            }
        }
        Self { free, names }
    }

    /// Replaces the names of an entry that are those of free connectors.
    fn complete(
        &self,
        entry: &mut Entry,
        connectors: &BTreeSet<&str>,
        given: &BTreeMap<String, Location>,
    ) -> Result<(), String> {
        let Data::Text(text) = &entry.value.data else { return Ok(()) };
        let name = self.full(&entry.name)?;
        if let Some(name) = name.as_deref().filter(|_| entry.section == Section::Parts)
            && let Some(location) = given.get(name)
        {
            return Err(format!("this is {name}, which is given at {location}"));
        }
        let name = name.unwrap_or_else(|| entry.name.clone());
        if connectors.contains(name.as_str())
            && let Some(text) = self.full(text)?
        {
            entry.value.data = Data::Text(text);
        }
        entry.name = name;
        Ok(())
    }

    /// Returns the full name of a free connector, if a name consists of a system and the last name of one.
    fn full(&self, name: &str) -> Result<Option<String>, String> {
        let Some((system, last)) = name.rsplit_once('.').filter(|(system, _)| self.names.contains(*system)) else {
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
