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

/// A location in a file, or an assignment: on the command line, or a keyword argument in Python.
#[derive(Clone, Debug)]
pub(super) enum Location {
    File { source: Arc<SettingsFile>, span: Range<usize> },
    Command { option: &'static str, text: Arc<str> },
}

impl Location {
    pub fn in_file(source: &Arc<SettingsFile>, span: Range<usize>) -> Self {
        Location::File { source: source.clone(), span }
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

    /// Returns the text at the location, shortened to one line.
    pub fn text(&self) -> String {
        let text = match self {
            Location::File { source, span } => source.text.get(span.clone()).unwrap_or_default(),
            Location::Command { text, .. } => text.split_once('=').map_or(&**text, |(_, value)| value.trim()),
        };
        shortened(&text.split_whitespace().collect::<Vec<_>>().join(" "), MAX_VALUE)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Location::File { source, span } => {
                let before = source.text.get(..span.start).unwrap_or(&source.text);
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
                write!(f, "{}:{line}:{column}", source.name)
            }
            Location::Command { option, text } => write!(f, "{option}{}", shortened(text, MAX_ASSIGNMENT)),
        }
    }
}
