//! A file in TOML that a person writes, with locations for messages.

use std::borrow::Cow;
use std::fmt::Display;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Error, Result, anyhow, bail};
use fmu_builder::suggestion;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::values::file;

/// Size of the largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// A file in TOML.
pub struct TomlFile {
    path: PathBuf,
    text: String,
}

impl TomlFile {
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

    /// Returns a path given in the file, relative to the file's folder.
    pub fn beside(&self, given: &str) -> PathBuf {
        self.path.with_file_name(given)
    }

    /// Returns an error `file:line:column: message`.
    pub fn error(&self, span: Range<usize>, message: impl Display) -> Error {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        anyhow!("{}:{line}:{column}: {message}", self.path.display())
    }
}

/// A table of a file, of which some keys are known.
#[derive(Clone, Copy)]
pub struct Keys<'t, 'a> {
    pub source: &'t TomlFile,
    pub table: &'t DeTable<'a>,
}

impl<'t, 'a> Keys<'t, 'a> {
    /// Fails, with the nearest name, unless all keys are among these.
    pub fn only(&self, keys: &[&str]) -> Result<()> {
        self.table.keys().try_for_each(|key| known(self.source, key, keys, "unknown key"))
    }

    pub fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key, "a string in quotation marks", |value| value.as_str().map(str::to_owned))
    }

    pub fn texts(&self, key: &str) -> Result<Vec<String>> {
        let texts = |value: &DeValue| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|text| text.get_ref().as_str().map(str::to_owned)).collect()
        };
        Ok(self.get(key, "an array of strings, such as [\"Temperature\"]", texts)?.unwrap_or_default())
    }

    pub fn real(&self, key: &str) -> Result<Option<f64>> {
        self.get(key, "a number", number)
    }

    pub fn whole<T: FromStr>(&self, key: &str, what: &str) -> Result<Option<T>> {
        self.get(key, what, |value| scalar(value)?.parse().ok().filter(|_| value.is_integer()))
    }

    /// Returns the value of a key by `read`; the error says that it must be `what`.
    pub fn get<T>(&self, key: &str, what: &str, read: impl Fn(&'t DeValue<'a>) -> Option<T>) -> Result<Option<T>> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match read(value.get_ref()) {
            Some(read) => Ok(Some(read)),
            None => Err(self.source.error(value.span(), format_args!("`{key}` must be {what}"))),
        }
    }

    /// Returns the entries of a section in the order of the file; tables that `is_name` continue the name.
    pub fn section(&self, name: &str, is_name: impl Fn(&DeTable) -> bool) -> Result<Vec<Entry<'a>>> {
        let Some(value) = self.table.get(name) else {
            bail!(self.source.error(0..0, format_args!("the section [{name}] is missing")));
        };
        let Some(table) = value.get_ref().as_table() else {
            bail!(self.source.error(value.span(), format_args!("`{name}` must be a section: [{name}]")));
        };
        let mut entries = Vec::new();
        collect("", table, &is_name, &mut entries);
        entries.sort_by_key(|entry| entry.span.start);
        if entries.is_empty() {
            bail!(self.source.error(value.span(), format_args!("the section [{name}] is empty")));
        }
        Ok(entries)
    }

    /// Returns the location of the value of a key.
    pub fn span(&self, key: &str) -> Range<usize> {
        self.table.get(key).map_or(0..0, Spanned::span)
    }
}

/// An entry of a section, by its name.
#[derive(Clone)]
pub struct Entry<'a> {
    pub name: String,
    pub span: Range<usize>,
    pub value: Spanned<DeValue<'a>>,
}

fn collect<'a>(prefix: &str, table: &DeTable<'a>, is_name: &impl Fn(&DeTable) -> bool, entries: &mut Vec<Entry<'a>>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref().as_table() {
            Some(inner) if is_name(inner) && !inner.is_empty() => collect(&format!("{name}."), inner, is_name, entries),
            _ => entries.push(Entry { name, span: key.span(), value: value.clone() }),
        }
    }
}

/// Fails, with the nearest name, unless a key is one of those.
fn known(source: &TomlFile, key: &Spanned<Cow<str>>, keys: &[&str], what: &str) -> Result<()> {
    let name = key.get_ref();
    if keys.contains(&name.as_ref()) {
        return Ok(());
    }
    let help = match suggestion(name, keys.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("available: {}", keys.join(", ")),
    };
    Err(source.error(key.span(), format_args!("{what} `{name}`; {help}")))
}

/// Reads a finite number.
pub fn number(value: &DeValue) -> Option<f64> {
    let is_number = value.is_integer() || value.is_float();
    scalar(value).filter(|_| is_number)?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns a scalar as text, as on the command line; `None` if it is not a scalar.
pub fn scalar(value: &DeValue) -> Option<String> {
    match value {
        DeValue::Boolean(value) => Some(value.to_string()),
        DeValue::Integer(value) => match i128::from_str_radix(value.as_str(), value.radix()) {
            Ok(whole) => Some(whole.to_string()),
            Err(_) => Some(value.as_str().to_owned()),
        },
        DeValue::Float(value) => Some(value.as_str().to_owned()),
        DeValue::String(value) => Some(value.to_string()),
        DeValue::Array(_) | DeValue::Table(_) | DeValue::Datetime(_) => None,
    }
}
