//! All settings of a component, in all of its structures.

use std::collections::BTreeSet;
use std::ops::Range;
use std::slice;
use std::sync::Arc;

use fmu_exchange::StructureKind;

use crate::configuration::settings::{alternatives, lines};
use crate::description::arrays::group_arrays;
use crate::description::library::Describe;
use crate::description::{Causality, Description, Variable};
use crate::error::Error;

/// The default structure of a component, and neighbouring structures with additional settings.
#[derive(Clone, Debug)]
pub struct Catalogue {
    pub(crate) default: Description,
    others: Vec<Other>,
}

/// A structure with the options that differ from their defaults.
type Structure = (Vec<(String, String)>, Description);

/// A structure with settings that no structure before it has.
#[derive(Clone, Debug)]
struct Other {
    options: Vec<(String, String)>,
    description: Description,
    new: BTreeSet<String>,
}

/// A setting under `[parameters]`.
#[derive(Clone, Debug)]
pub(crate) struct Settable<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub causality: Causality,
    pub kind: SettableKind,
    /// The structure in which the setting exists.
    pub description: &'a Description,
    /// The options of that structure that differ from their defaults.
    pub options: &'a [(String, String)],
}

impl<'a> Settable<'a> {
    /// Returns the name, and others that configurations may use.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        let (description, name) = (self.description, self.name);
        let aliases = description.aliases.iter().filter(move |(_, known)| *known == name);
        std::iter::once(name).chain(aliases.map(|(alias, _)| alias.as_str()))
    }
}

/// The form of a value.
#[derive(Clone, Debug)]
pub(crate) enum SettableKind {
    /// A scalar, vector or matrix: sizes, and positions of the elements among the variables.
    Array(Vec<usize>, Range<usize>),
    /// Rows with this number of columns, and the positions of the current elements.
    Table(usize, Range<usize>),
    /// The path of a file.
    Attachment,
}

impl SettableKind {
    /// Returns the positions of the elements among the variables, if there are any.
    pub fn members(&self) -> Option<&Range<usize>> {
        match self {
            Self::Array(_, members) | Self::Table(_, members) => Some(members),
            Self::Attachment => None,
        }
    }
}

impl Catalogue {
    /// Asks a library for its default structure, and for those in which one or two options differ.
    pub fn new(library: &impl Describe) -> Result<Self, Error> {
        let default = Arc::unwrap_or_clone(library.outline("")?);
        let changes = alternatives(&default);
        // Some options exclude each other.
        let others = changes.into_iter().filter_map(|options| {
            let description = library.outline(&lines(&options)).ok()?;
            Some((options, Arc::unwrap_or_clone(description)))
        });
        Ok(Self::of(default, others))
    }

    /// Asks the library of systems for each type of part, as if it were a component: its options and connectors are the
    /// structure. Returns none for other libraries.
    pub fn of_parts(library: &impl Describe) -> Result<Vec<Self>, Error> {
        let none = library.outline("")?;
        let types = none.structure.iter().find_map(|option| match &option.kind {
            StructureKind::Part(types) => Some(types.as_slice()),
            _ => None,
        });
        let types = types.unwrap_or_default();
        // One part of each type needs no connections to be described.
        let name = |number: usize| format!("part{number}");
        let chosen: Vec<_> =
            types.iter().enumerate().map(|(i, word)| (format!("{}.type", name(i)), word.clone())).collect();
        let all = library.outline(&lines(&chosen))?;
        let mut others: Vec<Vec<Structure>> = types.iter().map(|_| Vec::new()).collect();
        for change in alternatives(&all).into_iter().flatten() {
            let Some(i) = (0..types.len()).find(|i| change.0.starts_with(&format!("{}.", name(*i)))) else { continue };
            let Ok(description) = library.outline(&lines(&[&chosen[..], slice::from_ref(&change)].concat())) else {
                continue;
            };
            let own = change.0[name(i).len() + 1..].to_owned();
            others[i].push((vec![(own, change.1)], part(&description, &name(i), &types[i])));
        }
        let catalogues = others.into_iter().enumerate();
        Ok(catalogues.map(|(i, others)| Self::of(part(&all, &name(i), &types[i]), others)).collect())
    }

    /// Returns the default structure, for printing.
    pub fn default(&self) -> &Description {
        &self.default
    }

    /// Makes a catalogue of a default structure, and others with the options that differ.
    fn of(default: Description, structures: impl IntoIterator<Item = Structure>) -> Self {
        let mut known: BTreeSet<String> = settables(&default, &[]).iter().map(key).collect();
        let mut others = Vec::new();
        for (options, description) in structures {
            let new = settables(&description, &[]);
            let new: BTreeSet<_> = new.iter().map(key).filter(|key| !known.contains(key)).collect();
            if !new.is_empty() {
                known.extend(new.iter().cloned());
                others.push(Other { options, description, new });
            }
        }
        Self { default, others }
    }

    /// Returns the settings of the default structure.
    pub(crate) fn defaults(&self) -> Vec<Settable<'_>> {
        settables(&self.default, &[])
    }

    /// Returns additional settings of other structures, as close to the defaults as possible.
    pub(crate) fn others(&self) -> Vec<Settable<'_>> {
        let mut all = Vec::new();
        for Other { options, description, new } in &self.others {
            all.extend(settables(description, options).into_iter().filter(|settable| new.contains(&key(settable))));
        }
        all
    }
}

/// Returns the description of a part of a system as if it were a component, without the part's name before variables.
fn part(system: &Description, name: &str, type_name: &str) -> Description {
    let prefix = format!("{name}.");
    let mut part = Description { component: type_name.to_owned(), ..system.clone() };
    let is_own = |name: &mut String| {
        let own = name.strip_prefix(&prefix).map(str::to_owned);
        own.is_some_and(|own| {
            *name = own;
            true
        })
    };
    part.structure.retain_mut(|option| is_own(&mut option.name));
    part.tables.retain_mut(|table| is_own(&mut table.name));
    part.attachments.retain_mut(|attachment| is_own(&mut attachment.name));
    part.variables.retain_mut(|variable| is_own(&mut variable.name));
    let own_pair = |(mut alias, mut name)| (is_own(&mut alias) && is_own(&mut name)).then_some((alias, name));
    part.aliases = part.aliases.into_iter().filter_map(own_pair).collect();
    let heading = format!("{name}: ");
    for text in part.variables.iter_mut().map(|variable| &mut variable.description) {
        *text = text.strip_prefix(&heading).unwrap_or(text).to_owned();
    }
    if let Some(option) = part.structure.iter().position(|option| matches!(option.kind, StructureKind::Part(_))) {
        part.description = part.structure.remove(option).description;
    }
    part
}

/// Returns name and form as a key: two structures may have different variables of one name.
fn key(settable: &Settable<'_>) -> String {
    let form = match &settable.kind {
        SettableKind::Array(sizes, _) => format!("{sizes:?}"),
        SettableKind::Table(columns, _) => format!("table {columns}"),
        SettableKind::Attachment => "file".to_owned(),
    };
    format!("{} {form}", settable.name)
}

/// Returns the parameters, the attachments, then the inputs of a structure.
fn settables<'a>(description: &'a Description, options: &'a [(String, String)]) -> Vec<Settable<'a>> {
    let of = |causality: Causality| {
        let groups = group_arrays(&description.variables).into_iter();
        let groups = groups.filter(move |group| first(description, &group.members).causality == causality);
        groups.map(move |group| {
            let table = description.tables.iter().find(|table| table.name == group.name);
            let text = first(description, &group.members).description.as_str();
            let kind = match table {
                Some(table) => SettableKind::Table(table.columns, group.members),
                None => SettableKind::Array(group.dimensions, group.members),
            };
            Settable { name: group.name, text, causality, kind, description, options }
        })
    };
    let attachments = description.attachments.iter().map(move |attachment| Settable {
        name: &attachment.name,
        text: &attachment.description,
        causality: Causality::Parameter,
        kind: SettableKind::Attachment,
        description,
        options,
    });
    of(Causality::Parameter).chain(attachments).chain(of(Causality::Input)).collect()
}

fn first<'a>(description: &'a Description, members: &Range<usize>) -> &'a Variable {
    &description.variables[members.start]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::describe;

    #[test]
    fn what_other_structures_have_comes_with_its_options() {
        let catalogue = Catalogue::new(&describe).unwrap();
        let names: Vec<_> = catalogue.defaults().iter().map(|settable| settable.name.to_owned()).collect();
        assert_eq!(names, ["c", "count", "linear", "file", "dir", "angle", "table", "s"]);
        let others = catalogue.others();
        let others: Vec<_> = others.iter().map(|settable| (settable.name, settable.options.len())).collect();
        assert_eq!(others, [("T_start", 1), ("data", 1), ("more", 1), ("c_in", 2)]);
    }
}
