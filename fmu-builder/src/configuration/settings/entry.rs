//! The user's settings: entries with their locations.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::location::Location;
use super::value::Value;
use crate::archive::file_kind::FileKind;

/// The user's settings, which differ from the defaults.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub(super) entries: Vec<Entry>,
    /// The file after which the FMU is named unless an entry sets its name.
    pub(super) file: Option<PathBuf>,
    /// The parts that are systems, each with its file, once the settings are expanded.
    pub(super) subsystems: BTreeMap<String, String>,
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
    /// Replaces an alias at the beginning of the name by the name of the row; indices, or a key of a file, stay.
    pub(super) fn name_without_alias(&mut self, aliases: &BTreeMap<String, String>) {
        let ends = self.name.match_indices(['[', '.']).map(|(end, _)| end).chain([self.name.len()]);
        let alone = ends.into_iter().find_map(|end| {
            let (alias, rest) = self.name.split_at(end);
            aliases.get(alias).map(|name| format!("{name}{rest}"))
        });
        self.name = alone.unwrap_or_else(|| std::mem::take(&mut self.name));
    }
}

/// Section of the configuration in which an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// The entries before the first section.
    Top,
    Structure,
    /// Names for values, which expressions have.
    Constants,
    Parameters,
    /// The parts of a system, with all that belongs to each.
    Parts,
    /// `--set`, where all names share one namespace.
    Command,
}

/// The keys that may come before the first section.
pub const TOP_LEVEL_KEYS: [&str; 5] = ["component", "name", "description", "outputs", "fmi"];
pub(super) const SECTIONS: [&str; 4] = ["structure", "constants", "parameters", "parts"];

/// The kind of file that a configuration may replace.
pub const CONFIGURATION: FileKind = FileKind::Configuration([&TOP_LEVEL_KEYS, &SECTIONS]);

impl Settings {
    /// Returns the last entry of this name among those that are neither structure nor parameters.
    pub(super) fn head(&self, name: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .rfind(|entry| matches!(entry.section, Section::Top | Section::Command) && entry.name == name)
    }
}

/// Returns true if the name of a component is the folder of its package.
pub fn is_path(component: &str) -> bool {
    component.contains(['/', '\\', '.'])
}
