//! Start values of computed variables: `w = 30` or `w = { start = 30, initial = "enforce" }`.

use fmu_runtime::{InitialValue, StructureKind};

use super::entry::{Entry, Section};
use super::value::{Data, Value};
use crate::description::Description;

/// The entries with such start values as structure options and start values: a start value of which nothing else is said is
/// a guess, as in Modelica; one that is ignored is that of a parameter.
pub(super) fn with_initial(entries: &[Entry], outline: &Description) -> Vec<Entry> {
    let mut entries = entries.to_vec();
    let kinds = outline.structure.iter().filter(|option| option.kind == StructureKind::Initial);
    for option in kinds {
        let Some(name) = option.name.strip_suffix(".initial") else { continue };
        let start = format!("{name}.start");
        let is_of_system = |entry: &&mut Entry| matches!(entry.section, Section::Parts | Section::Command);
        let said = entries.iter().rfind(|entry| entry.name == option.name).map(|entry| entry.value.plain().to_owned());
        let is_ignored = said.as_deref() == Some(InitialValue::WORDS[InitialValue::ignore as usize]);
        let mut place = None;
        for entry in entries.iter_mut().filter(is_of_system).filter(|entry| entry.name == name || entry.name == start) {
            entry.name = if is_ignored { format!("{name}_start") } else { name.to_owned() };
            place = Some(entry.place.clone());
        }
        if let (None, Some(place)) = (said, place) {
            let word = InitialValue::WORDS[InitialValue::guess as usize].to_owned();
            let value = Value { place: place.clone(), data: Data::Text(word) };
            entries.push(Entry { section: Section::Parts, name: option.name.clone(), place, value });
        }
    }
    entries
}
