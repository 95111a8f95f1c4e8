//! Start values of computed variables: `w = 30` or `w = { start = 30, initial = "enforce" }`.

use std::collections::HashMap;

use fmu_exchange::{Choice, InitialValue, StructureKind};

use super::entry::{Entry, Section};
use super::value::{Data, Value};
use crate::description::Description;
use crate::text::suggestion::spelled;

/// Returns the entries with such start values as structure options and start values: a start value of which nothing
/// else is given is a guess, as in Modelica; one that is ignored is that of a parameter.
pub(super) fn with_initial(entries: &[Entry], outline: &Description) -> Vec<Entry> {
    let mut numbers: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, entry) in entries.iter().enumerate() {
        numbers.entry(&entry.name).or_default().push(number);
    }
    let mut entries = entries.to_vec();
    let named = |name: &str| numbers.get(name).map_or(&[][..], Vec::as_slice);
    for option in &outline.structure {
        let (StructureKind::Initial(words), Some(name)) = (&option.kind, option.name.strip_suffix(".initial")) else {
            continue;
        };
        let start = format!("{name}.start");
        let given = named(&option.name).last().map(|number| &entries[*number]);
        let word = given.and_then(|entry| spelled(entry.value.plain(), words)).map(|position| &words[position]);
        let (is_given, is_ignored) = (given.is_some(), word == Some(&InitialValue::ignore.text()));
        let mut location = None;
        let mut of_start = [named(name), named(&start)].concat();
        of_start.sort_unstable();
        for number in of_start {
            let entry = &mut entries[number];
            if !matches!(entry.section, Section::Parts | Section::Command) {
                continue;
            }
            entry.name = if is_ignored { format!("{name}_start") } else { name.to_owned() };
            location = Some(entry.location.clone());
        }
        if let (false, Some(location)) = (is_given, location) {
            let value = Value { location: location.clone(), data: Data::Text(InitialValue::guess.text()) };
            entries.push(Entry { section: Section::Parts, name: option.name.clone(), location, value });
        }
    }
    entries
}
