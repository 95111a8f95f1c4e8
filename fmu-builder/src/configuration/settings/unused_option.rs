//! Structure options that were set but have no effect.
//!
//! The builder does not know the meaning of an option. It asks the library for the same structure without
//! the option: neither variables nor computed values may differ. Some options act only where this
//! comparison does not look, such as at events. So there must also be a neighbouring structure, with
//! another value of one other option, in which the comparison finds a difference.
//!
//! Parts of a system that are alike are compared until the option acts in one of them: a robot may have hundreds.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use fmu_exchange::structure::StructureKind;

use super::structure::{alternatives, is_of_system};
use crate::description::Description;
use crate::error::Error;

/// Returns a warning for each option without effect; `describe` describes the structure of chosen options.
pub(super) fn warnings(
    chosen: &[(String, String)],
    current: &Description,
    describe: impl Fn(&[(String, String)]) -> Result<Arc<Description>, Error>,
) -> Vec<String> {
    let differs = |chosen: &[(String, String)], option: &str| {
        let (with, without) = (describe(chosen).ok()?, describe(&but(chosen, option)));
        // A structure that exists only with the option needs it.
        Some(without.map_or(true, |without| differ(&with, &without)))
    };
    let structure: HashMap<_, _> = current.structure.iter().map(|option| (option.name.as_str(), option)).collect();
    let alike = alike(current);
    let (mut warnings, mut active) = (Vec::new(), HashSet::new());
    for (option, _) in chosen {
        let Some(present) = structure.get(option.as_str()).copied() else { continue };
        let value = &present.value;
        if is_of_system(present) {
            continue;
        }
        let own = option.split_once('.').and_then(|(part, own)| Some((own, alike.get(part)?)));
        if *value == present.default || own.is_some_and(|own| active.contains(&own)) {
            continue;
        }
        match differs(chosen, option) {
            Some(false) => {}
            acts => {
                active.extend(own.filter(|_| acts.is_some()));
                continue;
            }
        }
        let others = alternatives(current).into_iter().filter(|changes| changes.len() == 1).flatten();
        let needed = others.filter(|(other, _)| other != option).find(|change| {
            let mut changed = but(chosen, &change.0);
            changed.push(change.clone());
            differs(&changed, option) == Some(true)
        });
        if let Some((other, word)) = needed {
            warnings.push(format!("{option} = {value} has no effect here; it would have one with {other} = {word}"));
        }
    }
    warnings
}

/// Returns for each part of a system its options, with their values unless these are connections: those of parts that are alike
/// are the same.
fn alike(current: &Description) -> HashMap<&str, Vec<(&str, &str)>> {
    let mut alike = HashMap::<_, Vec<_>>::new();
    if !current.structure.iter().any(is_of_system) {
        return alike;
    }
    for option in current.structure.iter().filter(|option| option.value != option.default) {
        if let Some((part, own)) = option.name.split_once('.') {
            let is_connection = matches!(option.kind, StructureKind::Connection(_));
            alike.entry(part).or_default().push((own, if is_connection { "" } else { &*option.value }));
        }
    }
    alike
}

fn but(chosen: &[(String, String)], option: &str) -> Vec<(String, String)> {
    chosen.iter().filter(|(name, _)| name != option).cloned().collect()
}

/// Returns true if two structures differ as far as is known; without signatures they might.
fn differ(a: &Description, b: &Description) -> bool {
    a.variables != b.variables || a.signature.is_none() || a.signature != b.signature
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use fmu_exchange::structure::StructureOption;

    use super::*;
    use crate::configuration::settings::Settings;
    use crate::example;

    #[test]
    fn parts_that_are_alike_are_compared_until_the_option_acts() {
        let option = |name: String, kind, value: &str| StructureOption {
            name,
            description: String::new(),
            kind,
            aliases: Vec::new(),
            default: "off".to_owned(),
            value: value.to_owned(),
        };
        let parts = [("a", "on"), ("b", "on"), ("c", "high")];
        let mut current = Settings::default().resolve(&example::describe).unwrap();
        current.structure = Vec::new();
        for (part, mode) in parts {
            current.structure.push(option(format!("{part}.type"), StructureKind::Part(Vec::new()), "Spring"));
            current.structure.push(option(format!("{part}.mode"), StructureKind::Boolean, mode));
        }
        let chosen = parts.map(|(part, mode)| (format!("{part}.mode"), mode.to_owned()));
        // How often the library is asked if the option acts, or not.
        let asked = |acts: bool| {
            let count = Cell::new(0);
            let found = warnings(&chosen, &current, |chosen| {
                count.set(count.get() + 1);
                let mut description = current.clone();
                description.signature = Some(if acts { chosen.len() as u64 } else { 0 });
                Ok(Arc::new(description))
            });
            assert!(found.is_empty(), "{found:?}");
            count.get()
        };
        assert_eq!(asked(true), 4);
        assert!(asked(false) > 6);
    }
}
