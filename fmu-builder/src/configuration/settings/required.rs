//! Parameters of a system without a default, which have to be given where the file is used: `m = { required = true }`.

use std::collections::BTreeMap;

use fmu_exchange::structure::is_identifier;

use super::entry::{Entry, Section};
use super::scope::{Level, Scope};
use super::value::{Data, Value};

/// End of the name of the entry that says that a parameter has no default.
const REQUIRED: &str = ".required";

/// Returns the name of a parameter without a default.
pub(super) fn required(entry: &Entry) -> Option<&str> {
    let name = entry.name.strip_suffix(REQUIRED).filter(|_| entry.section == Section::Parameters)?;
    is_identifier(name).then_some(name)
}

/// Describes the parameters without a default that have neither a value where the file is used nor one of the command line.
pub(super) fn missing(
    entries: &[Entry],
    level: &Level,
    given: &BTreeMap<String, Value>,
    commands: &[Entry],
) -> Vec<String> {
    let problem = |entry: &Entry| {
        let name = required(entry)?;
        if !matches!(entry.value.data, Data::Boolean(true)) {
            let right = format!("must be true; a parameter with a default is {name} = 1.0");
            return Some(entry.value.problem(&entry.name, &right));
        }
        let full = format!("{}{name}", level.prefix);
        // A constant with its name is another mistake.
        if entries.iter().any(|other| other.section == Section::Constants && other.name == name) {
            return None;
        }
        if given.contains_key(name) || commands.iter().any(|command| command.name == full) {
            return None;
        }
        let right = match &level.used {
            Some((part, _)) => format!("write {name} = … in the section of {part}"),
            None => format!("give it by --set {name}=…, or use the file as a part"),
        };
        let location = Scope::new(level).location(&entry.location);
        Some(format!("{location}: parameter \"{name}\" has no default: {right}"))
    };
    entries.iter().filter_map(problem).collect()
}
