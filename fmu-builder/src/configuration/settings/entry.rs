//! What the user gave: entries with their locations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::location::Location;
use super::value::Value;

/// The user's settings, which differ from the defaults.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub(super) entries: Vec<Entry>,
    /// The file after which the FMU is named unless an entry sets its name.
    pub(super) file: Option<PathBuf>,
}

/// A value that the user gave.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub section: Section,
    pub name: String,
    pub location: Location,
    pub value: Value,
}

impl Entry {
    /// Gives it the name of the row that it has another name of, with what follows: indices, or a key of a file.
    pub(super) fn name_without_alias(&mut self, aliases: &BTreeMap<String, String>) {
        let ends = self.name.match_indices(['[', '.']).map(|(end, _)| end).chain([self.name.len()]);
        let alone = ends.into_iter().find_map(|end| {
            let (alias, rest) = self.name.split_at(end);
            aliases.get(alias).map(|name| format!("{name}{rest}"))
        });
        self.name = alone.unwrap_or_else(|| std::mem::take(&mut self.name));
    }
}

/// Where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// The entries before the first section.
    Top,
    Structure,
    Parameters,
    /// The parts of a system, with all that belongs to each.
    Parts,
    /// `--set`, where all names share one namespace.
    Command,
}

/// The keys that may come before the first section.
pub(super) const TOP_LEVEL_KEYS: [&str; 5] = ["component", "name", "description", "outputs", "fmi"];
pub(super) const SECTIONS: [&str; 3] = ["structure", "parameters", "parts"];

impl Settings {
    /// The last entry of this name among those that are neither structure nor parameters.
    pub(super) fn head(&self, name: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .rfind(|entry| matches!(entry.section, Section::Top | Section::Command) && entry.name == name)
    }
}

/// Whether the name of a component is the folder of its package.
pub fn is_path(component: &str) -> bool {
    component.contains(['/', '\\', '.'])
}
