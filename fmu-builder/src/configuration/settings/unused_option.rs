//! Structure options that were set but have no effect.
//!
//! The builder does not know the meaning of an option. It asks the library for the same structure without
//! the option: neither variables nor computed values may differ. Some options act only where this
//! comparison does not look, such as at events. So there must also be a neighbouring structure, with
//! another value of one other option, in which the comparison finds a difference.

use std::collections::HashMap;
use std::sync::Arc;

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
    let mut warnings = Vec::new();
    for (option, _) in chosen {
        let Some(present) = structure.get(option.as_str()).copied() else { continue };
        let value = &present.value;
        if is_of_system(present) {
            continue;
        }
        if *value == present.default || differs(chosen, option) != Some(false) {
            continue;
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

fn but(chosen: &[(String, String)], option: &str) -> Vec<(String, String)> {
    chosen.iter().filter(|(name, _)| name != option).cloned().collect()
}

/// Returns true if two structures differ as far as is known; without signatures they might.
fn differ(a: &Description, b: &Description) -> bool {
    a.variables != b.variables || a.signature.is_none() || a.signature != b.signature
}
