//! The text of a sweep file, with locations for messages.

use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, anyhow};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::values::file;

/// Larger files than these, in bytes, are not read.
const MAX_BYTES: u64 = 16 << 20;

/// A sweep file, in TOML.
pub struct SweepFile {
    path: PathBuf,
    text: String,
}

impl SweepFile {
    pub fn read(path: &Path) -> Result<Self> {
        let text = String::from_utf8(file::read(path, MAX_BYTES)?);
        let text = text.with_context(|| format!("{} is not UTF-8 text", path.display()))?;
        Ok(Self { path: path.to_owned(), text })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn parse(&self) -> Result<Spanned<DeTable<'_>>> {
        DeTable::parse(&self.text).map_err(|error| self.error(error.span().unwrap_or(0..0), error.message()))
    }

    /// A path given in the file, relative to the file's folder.
    pub fn beside(&self, given: &str) -> PathBuf {
        self.path.with_file_name(given)
    }

    /// `file:line:column: message`
    pub fn error(&self, span: Range<usize>, message: impl Display) -> Error {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        anyhow!("{}:{line}:{column}: {message}", self.path.display())
    }
}

/// A scalar as text, as on the command line; `None` if it is not a scalar.
pub fn scalar(value: &DeValue) -> Option<String> {
    match value {
        DeValue::Boolean(value) => Some(value.to_string()),
        DeValue::Integer(value) => match i64::from_str_radix(value.as_str(), value.radix()) {
            Ok(whole) => Some(whole.to_string()),
            Err(_) => Some(value.as_str().to_owned()),
        },
        DeValue::Float(value) => Some(value.as_str().to_owned()),
        DeValue::String(value) => Some(value.to_string()),
        DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_) => None,
    }
}
