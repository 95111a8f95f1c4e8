//! The user's description of a table in a file.

use crate::encoding;
use crate::text::Dialect;

/// Properties of a table that the user gives; all others are recognised.
#[derive(Clone, Debug, Default)]
pub struct TableOptions {
    /// Encoding, delimiter and decimal sign of a text.
    pub dialect: Dialect,
    /// Name of the sheet; empty if there is only one with data.
    pub sheet: String,
    /// Rows and columns of the sheet that are read.
    pub area: Area,
    /// Columns that are wanted; none means all.
    pub columns: Vec<ColumnName>,
    /// Units of the columns, the last one of all further columns, too.
    pub units: Vec<String>,
}

impl TableOptions {
    /// The keys of [`Self::set`]; the sheet comes before the range, which may name it, too.
    pub const TEXT_KEYS: [&str; 5] = ["sheet", "range", "decimal", "delimiter", "encoding"];

    /// Sets the property with one of the keys that have a text.
    ///
    /// # Errors
    ///
    /// When `text` is not such a property; to be put behind the name of the key.
    pub fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        match key {
            "sheet" => text.clone_into(&mut self.sheet),
            "range" => self.set_range(text)?,
            _ => self.set_writing(key, text)?,
        }
        Ok(())
    }

    /// Sets the area from `B4:E60`, `B:E` or `4:60`, also with its sheet: `Fx!B4:E60`.
    ///
    /// # Errors
    ///
    /// When it is not a range, or the form has another sheet; the message goes behind the name of the key.
    fn set_range(&mut self, text: &str) -> Result<(), String> {
        let right = || "must be a range such as \"B4:E60\" or \"Sheet1!B4:E60\"".to_owned();
        let (sheet, area) = match text.rsplit_once('!') {
            Some((sheet, area)) => (Some(sheet.trim_matches('\'')), area),
            None => (None, text),
        };
        self.area = Area::parse(area).ok_or_else(right)?;
        if let Some(sheet) = sheet.filter(|sheet| *sheet != self.sheet) {
            if !self.sheet.is_empty() {
                return Err(format!("names the sheet \"{sheet}\", but sheet is \"{}\"", self.sheet));
            }
            sheet.clone_into(&mut self.sheet);
        }
        Ok(())
    }

    /// Sets the format of a text: its `decimal` sign, its `delimiter` (`\t` is a tab) or its `encoding`.
    ///
    /// # Errors
    ///
    /// When `text` is not such a format; to be put behind the name of the key.
    fn set_writing(&mut self, key: &str, text: &str) -> Result<(), String> {
        let mut characters = if text == "\\t" { "\t" } else { text }.chars();
        let one = characters.next().filter(|_| characters.next().is_none());
        match key {
            "decimal" => {
                let sign = one.filter(|sign| ".,".contains(*sign));
                self.dialect.decimal = Some(sign.ok_or("must be \".\" or \",\"")?);
            }
            "delimiter" => {
                let delimiter = one.filter(|character| character.is_ascii() && !character.is_alphanumeric());
                self.dialect.delimiter = Some(delimiter.ok_or("must be one character, such as \";\" or \"\\t\"")?);
            }
            _ => {
                let known = encoding(text).ok_or("must be an encoding such as \"utf-8\" or \"windows-1252\"")?;
                self.dialect.encoding = Some(known);
            }
        }
        Ok(())
    }
}

/// A column as the user names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnName {
    /// The heading of the column, with or without the unit.
    Heading(String),
    /// The number of the column, from 1.
    Number(usize),
}

/// Rows and columns of a sheet, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// First and last row.
    pub rows: (u32, u32),
    /// First and last column.
    pub columns: (usize, usize),
}

impl Default for Area {
    fn default() -> Self {
        Self { rows: (1, u32::MAX), columns: (1, usize::MAX) }
    }
}

impl Area {
    /// Reads `B4:E60`, `B:E` or `4:60`.
    pub fn parse(text: &str) -> Option<Self> {
        let (first, last) = text.split_once(':')?;
        let ((left, top), (right, bottom)) = (corner(first)?, corner(last)?);
        let area = Self {
            rows: (top.unwrap_or(1), bottom.unwrap_or(u32::MAX)),
            columns: (left.unwrap_or(1), right.unwrap_or(usize::MAX)),
        };
        let ordered = area.rows.0 >= 1 && area.rows.0 <= area.rows.1 && area.columns.0 <= area.columns.1;
        ordered.then_some(area)
    }

    /// Returns the number of columns, if both ends are given.
    pub(crate) fn width(&self) -> Option<usize> {
        (self.columns.1 != usize::MAX).then(|| self.columns.1 - self.columns.0 + 1)
    }
}

/// Reads column and row of a cell such as `$B$4`, where one of them may be missing.
fn corner(text: &str) -> Option<(Option<usize>, Option<u32>)> {
    let text = text.trim().replace('$', "");
    let (letters, digits) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let digit = |letter: u8| usize::from(letter.to_ascii_uppercase() - b'A') + 1;
    let column = letters.bytes().fold(0, |number, letter| 26 * number + digit(letter));
    if letters.len() > 3 || letters.len() + digits.len() == 0 {
        return None;
    }
    let row = if digits.is_empty() { None } else { Some(digits.parse().ok()?) };
    Some(((column > 0).then_some(column), row))
}
