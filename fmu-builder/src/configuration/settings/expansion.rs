//! A short file becomes the long one that says the same: expressions are computed, parts repeated, and files put in the place
//! of parts that are systems themselves.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::rc::Rc;

use fmu_exchange::is_file;
use fmu_exchange::structure::is_identifier;

use super::entry::{Entry, Section, Settings};
use super::expression::PI;
use super::part_names::{PartNames, TYPE, TYPE_KEY};
use super::repetition::{FOR, MAX_PARTS, Row, rows};
use super::required::{missing, required};
use super::scope::{Level, Scope};
use super::shared::PREFIX;
use super::value::{Data, Value};
use crate::error::Error;
use crate::text::suggestion::did_you_mean;

/// End of the type of a part that is a system itself.
const FILE: &str = ".toml";

/// Largest number of values, to which arrays of constants could grow as well.
const MAX_VALUES: usize = 2_000_000;

/// Returns the settings without constants, expressions, repetitions and files.
pub(super) fn expanded(settings: &Settings) -> Result<Settings, Error> {
    let (commands, entries): (Vec<_>, Vec<_>) =
        settings.entries.iter().cloned().partition(|entry| entry.section == Section::Command);
    let mut expansion = Expansion { commands, is_system: settings.has_parts(), ..Expansion::default() };
    expansion.open.extend(settings.entries.first().and_then(|entry| entry.location.file()));
    expansion.file(&entries, Level::default(), &BTreeMap::new());
    let names = PartNames::of_entries(&expansion.entries);
    if let Some((name, outer)) = names.nested() {
        let entry = expansion.entries.iter().find(|entry| entry.name.strip_suffix(TYPE) == Some(name));
        let location = entry.map(|entry| entry.location.to_string()).unwrap_or_default();
        expansion.problems.push(format!("{location}: \"{outer}\" is a part, so none can be named \"{name}\""));
    }
    if !expansion.problems.is_empty() {
        let mut known = BTreeSet::new();
        expansion.problems.retain(|problem| known.insert(problem.clone()));
        return Err(Error::Settings(expansion.problems));
    }
    let Expansion { mut entries, commands, used_commands, subsystems, .. } = expansion;
    entries.extend(commands.into_iter().filter(|entry| !used_commands.contains(&entry.name)));
    Ok(Settings { entries, file: settings.file.clone(), subsystems })
}

/// The lines of a section of a part, with their keys.
type Lines<'a> = Vec<(&'a str, &'a Entry)>;

#[derive(Default)]
struct Expansion {
    is_system: bool,
    entries: Vec<Entry>,
    problems: Vec<String>,
    /// The parts that are systems, each with its file.
    subsystems: BTreeMap<String, String>,
    /// Number of parts so far, those that are systems among them.
    parts: usize,
    /// Number of values so far.
    values: usize,
    /// Values of the command line, and the names there that parameters have.
    commands: Vec<Entry>,
    used_commands: BTreeSet<String>,
    /// Files that have been read.
    files: HashMap<PathBuf, Rc<Settings>>,
    /// The files that are being expanded, each used by the one before.
    open: Vec<PathBuf>,
}

impl Expansion {
    /// Adds the entries of a file. `given` are the values that its parameters and inputs have where it is used.
    fn file(&mut self, entries: &[Entry], mut level: Level, given: &BTreeMap<String, Value>) {
        let groups = groups(entries);
        let known = self.problems.len();
        self.names_of_constants(entries);
        if self.is_system {
            self.problems.extend(missing(entries, &level, given, &self.commands));
        }
        if self.problems.len() > known {
            return;
        }
        // What texts mean depends on the names of parts, and these on constants.
        let scope = self.scope(entries, &level, given);
        self.problems.extend(scope.compute());
        if self.problems.len() > known {
            return;
        }
        let names: Vec<_> = groups.iter().map(|(part, lines)| self.repeated(part, lines, &scope)).collect();
        level.parts = Rc::new(names.into_iter().flatten().map(|(name, _)| name).collect());
        if self.problems.len() > known {
            return;
        }
        let scope = self.scope(entries, &level, given);
        self.problems.extend(scope.compute());
        let mut groups = groups.into_iter().peekable();
        let mut parameters = Vec::new();
        for entry in entries {
            match entry.section {
                Section::Parts => {
                    let is_next = |(_, lines): &(_, Lines<'_>)| {
                        lines.first().is_some_and(|(_, first)| std::ptr::eq(*first, entry))
                    };
                    if let Some((part, lines)) = groups.next_if(is_next) {
                        for (name, values) in self.repeated(part, &lines, &scope) {
                            self.part(&name, &lines, &Scope::inside(&scope, values));
                            // All others would have the same problems.
                            if self.problems.len() > known {
                                break;
                            }
                        }
                    } else if !entry.name.contains('.') {
                        self.entries.push(entry.clone());
                    }
                }
                Section::Constants | Section::Command => {}
                Section::Parameters => {
                    if let Some(name) = required(entry).filter(|_| self.is_system) {
                        parameters.push((None, name, entry));
                        continue;
                    }
                    if scope.has(&entry.name) {
                        parameters.push((Some(self.entries.len()), &*entry.name, entry));
                    }
                    self.add(&entry.name, entry, &scope);
                }
                Section::Top | Section::Structure => self.head(entry, &scope),
            }
        }
        for (place, name, entry) in parameters.into_iter().rev() {
            if scope.uses(name) {
                place.map(|place| self.entries.remove(place));
                self.used_commands.insert(format!("{}{name}", level.prefix));
            } else if level.used.is_some() && self.problems.len() == known {
                let location = scope.location(&entry.location);
                self.problems.push(format!("{location}: parameter \"{name}\" is not used in this file"));
            }
        }
    }

    /// Reports names that constants cannot have.
    fn names_of_constants(&mut self, entries: &[Entry]) {
        for Entry { name, location, .. } in entries.iter().filter(|entry| entry.section == Section::Constants) {
            if !is_identifier(name) || name == PI {
                self.problems.push(format!(
                    "{location}: a constant cannot be named \"{name}\": use letters, digits and underscores, starting with a letter{}",
                    if name == PI { "; pi is known" } else { "" }
                ));
            }
            let of_parameter =
                |other: &&Entry| other.section == Section::Parameters && required(other).unwrap_or(&other.name) == name;
            if let Some(other) = entries.iter().find(of_parameter) {
                self.problems.push(format!("{location}: \"{name}\" is a parameter, too, at {}", other.location));
            }
        }
    }

    /// Makes the names of a file with their values: constants, parameters, and inputs.
    fn scope<'a>(&self, entries: &[Entry], level: &'a Level, given: &BTreeMap<String, Value>) -> Scope<'a> {
        let scope = Scope::new(level);
        for entry in entries {
            match entry.section {
                Section::Constants => scope.insert(&entry.name, entry.value.clone(), false),
                Section::Parameters if self.is_parameter(&entry.name, entries, level) => {
                    scope.insert(&entry.name, entry.value.clone(), false);
                }
                _ => {}
            }
        }
        given.iter().for_each(|(name, value)| scope.insert(name, value.clone(), true));
        for command in &self.commands {
            let is_required = |name: &str| entries.iter().any(|entry| required(entry) == Some(name));
            let own = command.name.strip_prefix(&level.prefix).filter(|name| scope.has(name) || is_required(name));
            if let Some(name) = own
                .filter(|name| !entries.iter().any(|entry| entry.section == Section::Constants && entry.name == *name))
            {
                scope.insert(name, command.value.clone(), true);
            }
        }
        scope
    }

    /// Returns true if a parameter is one of the file, and not of the FMU.
    fn is_parameter(&self, name: &str, entries: &[Entry], level: &Level) -> bool {
        self.is_system && is_identifier(name) && (level.used.is_some() || !inputs(entries).contains(name))
    }

    /// Returns the names of the parts that a section makes, each with the values of the repetition.
    fn repeated(&mut self, part: &str, lines: &Lines<'_>, scope: &Scope<'_>) -> Vec<(String, Row)> {
        let Some((_, entry)) = lines.first() else { return Vec::new() };
        let rows = match rows(lines, scope) {
            Ok(rows) => rows.unwrap_or_else(|| vec![Vec::new()]),
            Err(problem) => {
                self.problems.push(problem);
                return Vec::new();
            }
        };
        let location = scope.location(&entry.location);
        let mut parts: Vec<(String, _)> = Vec::new();
        let mut known = BTreeSet::new();
        for row in rows {
            match Scope::inside(scope, row.clone()).filled(part, &entry.value) {
                Ok(name) if !known.insert(name.clone()) => {
                    let name_of = row.first().map_or("i", |(name, _)| name);
                    self.problems.push(format!(
                        "{location}: part \"{name}\" is made twice: give each a name of its own, such as \"{part}{{{name_of}}}\""
                    ));
                    return Vec::new();
                }
                Ok(name) => parts.push((name, row)),
                Err(reason) => {
                    self.problems.push(format!("{location}: the name \"{part}\": {reason}"));
                    return Vec::new();
                }
            }
        }
        parts
    }

    /// Adds an entry, whose name is that within the file.
    fn add(&mut self, name: &str, entry: &Entry, scope: &Scope<'_>) {
        let name = format!("{}{name}", scope.level.prefix);
        match scope.value(&name, &entry.value) {
            Ok(value) => {
                let location = scope.location(&entry.location);
                self.values += value.count();
                if self.values > MAX_VALUES {
                    self.problems.push(format!("{location}: a system cannot have more than {MAX_VALUES} values"));
                    return;
                }
                self.entries.push(Entry { section: entry.section, name, location, value });
            }
            Err(problem) => self.problems.push(problem),
        }
    }

    /// Adds an entry that concerns the system as a whole.
    fn head(&mut self, entry: &Entry, scope: &Scope<'_>) {
        match (entry.section, &scope.level.used) {
            (Section::Structure, None) => self.add(&entry.name, entry, scope),
            (_, None) => self.entries.push(entry.clone()),
            (section, Some(_)) if section == Section::Structure || entry.name == "component" => {
                let location = scope.location(&entry.location);
                self.problems.push(format!(
                    "{location}: \"{}\" concerns the system as a whole: move the line to the file that is built",
                    entry.name
                ));
            }
            // Name, description and outputs are those of the FMU of this file alone.
            (_, Some(_)) => {}
        }
    }

    /// Adds a part with its lines.
    fn part(&mut self, name: &str, lines: &Lines<'_>, scope: &Scope<'_>) {
        let lines: Lines<'_> =
            lines.iter().copied().filter(|(key, _)| *key != FOR && !key.starts_with(&format!("{FOR}."))).collect();
        let kind = lines.iter().find(|(key, _)| *key == TYPE_KEY).map(|(_, entry)| *entry);
        let file = kind.filter(|entry| entry.value.plain().ends_with(FILE));
        self.parts += 1;
        if self.parts > MAX_PARTS {
            if let (true, Some((_, entry))) = (self.parts == MAX_PARTS + 1, lines.first()) {
                let location = scope.location(&entry.location);
                self.problems.push(format!("{location}: more than {MAX_PARTS} parts cannot be made"));
            }
            return;
        }
        match file {
            Some(entry) => self.subsystem(name, entry, &lines, scope),
            None => lines.iter().for_each(|(key, entry)| self.add(&format!("{name}.{key}"), entry, scope)),
        }
    }

    /// Adds the parts of a file, which is the type of a part.
    fn subsystem(&mut self, name: &str, kind: &Entry, lines: &Lines<'_>, scope: &Scope<'_>) {
        let full = format!("{}{name}", scope.level.prefix);
        let (settings, path, shown) = match self.read(&full, kind, scope) {
            Ok(read) => read,
            Err(problems) => return self.problems.extend(problems),
        };
        let mut names: BTreeSet<&str> = inputs(&settings.entries);
        let of_file = settings.entries.iter().filter(|entry| entry.section == Section::Parameters);
        names.extend(of_file.map(|entry| required(entry).unwrap_or(&entry.name)).filter(|name| is_identifier(name)));
        let (mut given, mut connections) = (BTreeMap::new(), Vec::new());
        let known = self.problems.len();
        for (key, entry) in lines.iter().filter(|(key, _)| *key != TYPE_KEY) {
            let own = format!("{full}.{key}");
            let value = match scope.value(&own, &entry.value) {
                Ok(value) => value,
                Err(problem) => {
                    self.problems.push(problem);
                    continue;
                }
            };
            if names.contains(key) {
                given.insert((*key).to_owned(), value);
            } else if matches!(&value.data, Data::Text(text) if text.contains('.')) {
                let location = scope.location(&entry.location);
                connections.push(Entry { section: Section::Parts, name: own, location, value });
            } else {
                let hint = did_you_mean(key, names.iter().copied());
                let inside = if key.contains('.') { "; what is inside follows from its parameters" } else { "" };
                let right = format!("{shown} has no parameter \"{key}\"{hint}{inside}");
                self.problems.push(value.problem(&own, &right));
            }
        }
        let outside = [&scope.level.outside[..], std::slice::from_ref(&scope.level.parts)].concat();
        let used = Some((full.clone(), scope.location(&kind.value.location)));
        let level = Level { prefix: format!("{full}."), used, parts: Rc::default(), outside };
        let begin = self.entries.len();
        // A line that is wrong may be the value of a parameter, which is not missing then.
        let is_wrong = self.problems.len() > known;
        if !is_wrong || missing(&settings.entries, &level, &given, &self.commands).is_empty() {
            self.open.push(path);
            self.file(&settings.entries, level, &given);
            self.open.pop();
        }
        for connection in connections {
            match self.entries[begin..].iter().find(|entry| entry.name == connection.name) {
                Some(inside) => {
                    let right = format!("this is given in the file already, at {}", inside.location);
                    self.problems.push(connection.value.problem(&connection.name, &right));
                }
                None => self.entries.push(connection),
            }
        }
        self.subsystems.insert(full, shown);
    }

    /// Reads the file of a part; returns it with its path, and as the user wrote it.
    fn read(
        &mut self,
        full: &str,
        kind: &Entry,
        scope: &Scope<'_>,
    ) -> Result<(Rc<Settings>, PathBuf, String), Vec<String>> {
        let name = format!("{full}{TYPE}");
        let value = scope.value(&name, &kind.value).map_err(|problem| vec![problem])?;
        let refused = |right: &str| vec![value.problem(&name, right)];
        let shown = value.plain().to_owned();
        let path = value.location.path(&shown);
        if !is_file(&path) {
            return Err(refused(&format!("there is no file {}", path.display())));
        }
        let same = |other: &PathBuf| same_file::is_same_file(other, &path).unwrap_or(*other == path);
        if self.open.iter().any(same) {
            let through: Vec<_> =
                self.open.iter().skip_while(|other| !same(other)).map(|path| path.display().to_string()).collect();
            let through =
                if through.len() > 1 { format!(", by {}", through[1..].join(" and ")) } else { String::new() };
            return Err(refused(&format!("a system cannot contain itself{through}")));
        }
        let settings = match self.files.get(&path) {
            Some(settings) => settings.clone(),
            None => {
                let settings = Settings::from_toml(&path).map_err(|error| match error {
                    Error::Settings(problems) => problems,
                    other => vec![other.to_string()],
                })?;
                let settings = Rc::new(settings);
                self.files.insert(path.clone(), settings.clone());
                settings
            }
        };
        if !settings.has_parts() {
            return Err(refused("this file has no [parts], and is no system"));
        }
        Ok((settings, path, shown))
    }
}

/// Returns the lines of each part, in the order of their first ones.
fn groups(entries: &[Entry]) -> Vec<(&str, Lines<'_>)> {
    let of_parts = || entries.iter().filter(|entry| entry.section == Section::Parts);
    let names = PartNames::of_entries(of_parts());
    let mut places = HashMap::new();
    let mut groups: Vec<(&str, Lines<'_>)> = Vec::new();
    for entry in of_parts() {
        let Some((part, key)) = names.split(&entry.name) else { continue };
        let place = *places.entry(part).or_insert(groups.len());
        if place == groups.len() {
            groups.push((part, Vec::new()));
        }
        groups[place].1.push((key, entry));
    }
    groups
}

/// Returns the names of the inputs that a file has.
fn inputs(entries: &[Entry]) -> BTreeSet<&str> {
    fn add<'a>(value: &'a Value, inputs: &mut BTreeSet<&'a str>) {
        match &value.data {
            Data::Text(text) => inputs.extend(text.strip_prefix(PREFIX)),
            Data::Array(values) => values.iter().for_each(|value| add(value, inputs)),
            _ => {}
        }
    }
    let mut inputs = BTreeSet::new();
    let of_file = entries.iter().filter(|entry| matches!(entry.section, Section::Parts | Section::Constants));
    of_file.for_each(|entry| add(&entry.value, &mut inputs));
    inputs
}
