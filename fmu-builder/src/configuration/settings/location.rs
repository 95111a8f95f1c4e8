//! Locations of settings, for the messages.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::text::shortened;

/// Largest numbers of characters of a value and of an assignment in a message: a table may have thousands.
const MAX_VALUE: usize = 60;
const MAX_ASSIGNMENT: usize = 120;

/// A file with settings.
#[derive(Debug)]
pub(super) struct SettingsFile {
    pub name: String,
    pub text: String,
}

/// The way of a value from its location in a file to the configuration.
#[derive(Debug)]
pub(super) struct Note {
    /// The value that an expression has there.
    computed: Option<String>,
    /// How the location is used, and where: `, as leg1 of stewart.toml:3:8`.
    used: Option<(String, Location)>,
}

/// A location in a file, or an assignment: on the command line, or a keyword argument in Python.
#[derive(Clone, Debug)]
pub(super) enum Location {
    File { source: Arc<SettingsFile>, span: Range<usize>, note: Option<Arc<Note>> },
    Command { option: &'static str, text: Arc<str> },
}

impl Location {
    pub fn in_file(source: &Arc<SettingsFile>, span: Range<usize>) -> Self {
        Location::File { source: source.clone(), span, note: None }
    }

    /// Returns the location with what the value is there.
    pub fn computed(&self, value: String) -> Self {
        let used = self.note().and_then(|note| note.used.clone());
        self.noted(Note { computed: Some(value), used })
    }

    /// Returns the location with words for how it is used, and where.
    pub fn used(&self, how: &str, location: &Location) -> Self {
        let computed = self.note().and_then(|note| note.computed.clone());
        self.noted(Note { computed, used: Some((how.to_owned(), location.clone())) })
    }

    fn noted(&self, note: Note) -> Self {
        match self {
            Location::File { source, span, .. } => {
                Location::File { source: source.clone(), span: span.clone(), note: Some(Arc::new(note)) }
            }
            command => command.clone(),
        }
    }

    fn note(&self) -> Option<&Note> {
        match self {
            Location::File { note, .. } => note.as_deref(),
            Location::Command { .. } => None,
        }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Location::File { source, .. } => Some(source.name.clone().into()),
            Location::Command { .. } => None,
        }
    }

    /// Returns the position in the file, for sorting.
    pub fn offset(&self) -> usize {
        match self {
            Location::File { span, .. } => span.start,
            Location::Command { .. } => usize::MAX,
        }
    }

    /// Returns a path given there: in a file, relative to the file's folder.
    pub fn path(&self, given: &str) -> PathBuf {
        match self {
            Location::File { source, .. } => Path::new(&source.name).with_file_name(given),
            Location::Command { .. } => given.into(),
        }
    }

    /// Returns the text at the location, shortened to one line, and what it is if it is computed.
    pub fn text_and_value(&self) -> String {
        let computed = self.note().and_then(|note| note.computed.as_deref());
        self.text() + &computed.map(|value| format!(", which is {value}")).unwrap_or_default()
    }

    /// Returns the text at the location, shortened to one line.
    pub fn text(&self) -> String {
        let text = match self {
            Location::File { source, span, .. } => source.text.get(span.clone()).unwrap_or_default(),
            Location::Command { text, .. } => text.split_once('=').map_or(&**text, |(_, value)| value.trim()),
        };
        shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "), MAX_VALUE)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File { source, span, note } => {
                let before = source.text.get(..span.start).unwrap_or(&source.text);
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                write!(f, "{}:{line}:{column}", source.name)?;
                match note.as_deref() {
                    Some(Note { used: Some((how, location)), .. }) => write!(f, ", {how} {location}"),
                    _ => Ok(()),
                }
            }
            Location::Command { option, text } => write!(f, "{option}{}", shortened(text, MAX_ASSIGNMENT)),
        }
    }
}
