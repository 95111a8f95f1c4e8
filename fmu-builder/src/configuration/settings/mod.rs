//! The user's configuration: a TOML file and `--set name=value`, resolved against a library.

mod attachment;
mod canonical;
mod entry;
mod expansion;
mod expression;
mod form;
mod found;
mod free_connectors;
mod initial;
mod location;
mod outputs;
mod parameters;
mod part_names;
mod parts;
mod repetition;
mod required;
mod resolve;
mod scope;
mod shared;
mod standards;
mod start;
mod structure;
mod unused_option;
mod value;

use std::path::Path;
use std::sync::Arc;

use fmu_exchange::{MAX_DATA_BYTES, read_limited};
use toml::de::{DeTable, DeValue};

use crate::description::Description;
use crate::description::library::Describe;
use crate::error::Error;
use crate::text::suggestion::did_you_mean;
pub use entry::{CONFIGURATION, Settings, TOP_LEVEL_KEYS, is_path};
use entry::{Entry, SECTIONS, Section};
use location::{Location, SettingsFile};
use outputs::OUTPUTS;
pub(crate) use repetition::FOR;
use standards::FMI;
pub(crate) use structure::alternatives;
pub use structure::lines;
use value::{Data, Value};

impl Settings {
    /// Reads a TOML file.
    pub fn from_toml(path: &Path) -> Result<Settings, Error> {
        let name = path.display().to_string();
        let bytes = read_limited(path, MAX_DATA_BYTES).map_err(|reason| Error::Settings(vec![reason]))?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|_| Error::Settings(vec![format!("{name} is not UTF-8 text")]))?;
        Self::from_text(name, text)
    }

    /// Reads a text in TOML; messages give it this name.
    ///
    /// # Errors
    ///
    /// All mistakes in the text, each with its location.
    pub fn from_text(name: String, text: String) -> Result<Settings, Error> {
        let source = Arc::new(SettingsFile { name, text });
        let document = DeTable::parse(&source.text).map_err(|error| {
            let location = Location::in_file(&source, error.span().unwrap_or(0..0));
            Error::Settings(vec![format!("{location}: {}", error.message())])
        })?;
        let mut settings = Settings::default();
        let mut problems = Vec::new();
        for (key, value) in document.get_ref() {
            let location = Location::in_file(&source, key.span());
            let name = key.get_ref().as_ref();
            let section = match name {
                "structure" => Section::Structure,
                "constants" => Section::Constants,
                "parameters" => Section::Parameters,
                "parts" => Section::Parts,
                _ => Section::Top,
            };
            match (section, value.get_ref().as_table()) {
                (Section::Top, Some(_)) => {
                    problems.push(format!("{location}: unknown section \"{name}\"{}", did_you_mean(name, SECTIONS)))
                }
                (Section::Parts, Some(table)) if table.is_empty() => {
                    problems.push(format!("{location}: a system has no parts: add [parts.name]"));
                }
                (_, Some(table)) => {
                    if section == Section::Parts {
                        problems.extend(parts::empty(table, &source));
                    }
                    settings.collect(section, "", table, &source);
                }
                (Section::Parts, None) => {
                    problems.push(format!("{location}: \"parts\" must be sections: [parts.name]"));
                }
                (Section::Structure | Section::Constants | Section::Parameters, None) => {
                    problems.push(format!("{location}: \"{name}\" must be a section: [{name}]"));
                }
                (_, None) => {
                    let value = Value::from_toml(value, &source);
                    let is_text = TOP_LEVEL_KEYS.contains(&name) && ![OUTPUTS, FMI].contains(&name);
                    if is_text && !matches!(value.data, Data::Text(_)) {
                        problems.push(value.problem(name, "must be a string in quotation marks"));
                    }
                    settings.entries.push(Entry { section, name: name.to_owned(), location, value });
                }
            }
        }
        settings.entries.sort_by_key(|entry| entry.location.offset());
        if problems.is_empty() { Ok(settings) } else { Err(Error::Settings(problems)) }
    }

    /// Adds `name=value` from the command line; it overrides all earlier entries.
    pub fn set(&mut self, assignment: &str) -> Result<(), Error> {
        self.assign("--set ", assignment)
    }

    /// Adds `name=value` of a keyword argument, where messages name no option of the command.
    ///
    /// # Errors
    ///
    /// As for [`set`](Self::set).
    pub fn set_keyword(&mut self, assignment: &str) -> Result<(), Error> {
        self.assign("", assignment)
    }

    fn assign(&mut self, option: &'static str, assignment: &str) -> Result<(), Error> {
        let location = Location::Command { option, text: assignment.into() };
        let (name, given) = assignment
            .split_once('=')
            .map(|(name, value)| (name.trim(), value.trim()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| Error::Settings(vec![format!("{location}: must be name=value")]))?;
        if let Ok(inline) = DeValue::parse(given)
            && let Some(table) = inline.get_ref().as_table()
        {
            for (key, value) in table {
                let name = format!("{name}.{}", key.get_ref());
                let value = Value::new(value, &|_| location.clone());
                self.entries.push(Entry { section: Section::Command, name, location: location.clone(), value });
            }
            return Ok(());
        }
        let value = Value::from_command(given, &location);
        self.entries.push(Entry { section: Section::Command, name: name.to_owned(), location, value });
        Ok(())
    }

    /// Names the FMU after a file unless the settings set its name: `front-lower.toml` gives `FrontLower`.
    pub fn name_after(&mut self, file: &Path) {
        self.file = Some(file.to_owned());
    }

    /// Returns the name of the component, or path of its package, if the settings give it, and its location.
    pub fn component(&self) -> Option<(String, String)> {
        let value = &self.head("component")?.value;
        let (name, location) = (value.plain(), &value.location);
        let path = || location.path(name).display().to_string();
        Some((if is_path(name) { path() } else { name.to_owned() }, location.to_string()))
    }

    /// Returns true if the settings give the parts of a system.
    pub fn has_parts(&self) -> bool {
        self.entries.iter().any(|entry| entry.section == Section::Parts)
    }

    /// Returns true if a library knows the types of all parts.
    pub fn has_parts_of(&self, library: &impl Describe) -> Result<bool, Error> {
        let mut problems = Vec::new();
        parts::types(&expansion::expanded(self)?, &*library.outline("")?, &mut problems);
        Ok(problems.is_empty())
    }

    /// Returns the description of the component with these settings.
    pub fn resolve(&self, library: &impl Describe) -> Result<Description, Error> {
        resolve::resolve(expansion::expanded(self)?, library)
    }

    /// Adds a section; `frame_a.r_0 = …` is a table of tables in TOML and one name here.
    fn collect(&mut self, section: Section, prefix: &str, table: &DeTable<'_>, source: &Arc<SettingsFile>) {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            match value.get_ref().as_table() {
                Some(inner) => self.collect(section, &format!("{name}."), inner, source),
                None => self.entries.push(Entry {
                    section,
                    name,
                    location: Location::in_file(source, key.span()),
                    value: Value::from_toml(value, source),
                }),
            }
        }
    }
}

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod tests;
