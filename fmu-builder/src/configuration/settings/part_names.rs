//! Names of parts, some of which have dots: `leg1.foot` is a part, and `leg1.foot.m` its mass.

use std::collections::BTreeSet;

use super::entry::{Entry, Section};
use crate::description::{StructureKind, StructureOption};

/// Key of the type of a part.
pub(super) const TYPE_KEY: &str = "type";

/// End of the name of a part's type, behind the name of the part.
pub(super) const TYPE: &str = ".type";

/// The names of the parts of a system.
#[derive(Debug, Default)]
pub(super) struct PartNames(pub BTreeSet<String>);

impl PartNames {
    /// Returns the names of parts that have types.
    pub fn of_entries<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let of_part = |entry: &&Entry| matches!(entry.section, Section::Parts | Section::Command);
        let entries = entries.into_iter().filter(of_part);
        Self(entries.filter_map(|entry| entry.name.strip_suffix(TYPE)).map(str::to_owned).collect())
    }

    /// Returns the names of the parts that a system has.
    pub fn of_options(options: &[StructureOption]) -> Self {
        let parts = options.iter().filter(|option| matches!(option.kind, StructureKind::Part(_)));
        Self(parts.filter_map(|option| option.name.strip_suffix(TYPE)).map(str::to_owned).collect())
    }

    /// Returns the part to which a name belongs; that before the first dot if none is known.
    pub fn of<'a>(&self, name: &'a str) -> &'a str {
        let ends = name.match_indices('.').map(|(end, _)| &name[..end]);
        ends.into_iter().find(|part| self.0.contains(*part)).unwrap_or_else(|| name.split('.').next().unwrap_or(name))
    }

    /// Returns the part and the rest of a name, if there is a dot between them.
    pub fn split<'a>(&self, name: &'a str) -> Option<(&'a str, &'a str)> {
        let part = self.of(name);
        Some((part, name[part.len()..].strip_prefix('.')?))
    }

    /// Returns the first part that has a name within that of another part, with that part.
    pub fn nested(&self) -> Option<(&str, &str)> {
        self.0.iter().find_map(|name| {
            let outer = name.match_indices('.').map(|(end, _)| &name[..end]).find(|outer| self.0.contains(*outer))?;
            Some((name.as_str(), outer))
        })
    }
}
