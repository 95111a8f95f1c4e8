//! The part of a file with the signals of the inputs, and the columns that the user names in it.

use anyhow::{Result, bail};
use spreadsheet::numbers::is_number;
use spreadsheet::table::{ColumnName, Heading, Record, TableOptions};

use super::cells::{cut, is_time, is_time_name, shown, text};

/// The way in which the file with the signals is read.
#[derive(Clone, Debug, Default)]
pub struct InputTable {
    /// Sheet, range, format of a text, and units in the order of the columns; its own columns, which have no names, are refused.
    pub options: TableOptions,
    /// Names of `time` and of variables with their columns; none if the headings are these names.
    pub columns: Vec<(String, ColumnName)>,
    /// Headings of columns that are left out.
    pub skip: Vec<String>,
}

impl InputTable {
    /// Names the columns: `NAME=HEADING`, `NAME=NUMBER`, or `NAME` if that is the heading.
    ///
    /// # Errors
    ///
    /// A sentence, when a text is none of these, or names no variable beside `time`.
    pub fn name_columns(&mut self, texts: &[String]) -> Result<(), String> {
        for given in texts {
            let (name, column) = given.split_once('=').unwrap_or((given, given));
            let (name, column) = (name.trim(), column.trim());
            let number = column.parse().ok().filter(|number| *number > 0);
            if name.is_empty() || column.is_empty() || number.is_none() && column.parse::<f64>().is_ok() {
                return Err(format!(
                    "`{given}` must be NAME=HEADING or NAME=NUMBER, such as time=Zeit or frame_a.f[1]=2"
                ));
            }
            let is_same = |other: &str| other == name || is_time_name(other) && is_time_name(name);
            if self.columns.iter().any(|(other, _)| is_same(other)) {
                return Err(format!("`{name}` is given twice"));
            }
            let column = number.map_or_else(|| ColumnName::Heading(column.to_owned()), ColumnName::Number);
            self.columns.push((name.to_owned(), column));
        }
        match texts.is_empty() || self.columns.iter().any(|(name, _)| !is_time_name(name)) {
            true => Ok(()),
            false => Err("no column is named but `time`: name those of the inputs, too".to_owned()),
        }
    }

    /// Returns the columns that are named, `time` among them.
    pub(super) fn named(&self) -> Vec<(&str, ColumnName)> {
        let mut columns: Vec<_> = self.columns.iter().map(|(name, column)| (name.as_str(), column.clone())).collect();
        if !columns.is_empty() && !self.names_time() {
            columns.insert(0, ("time", ColumnName::Heading("time".to_owned())));
        }
        columns
    }

    /// Returns true if the columns are named by numbers, so that no row of headings is needed.
    pub(super) fn has_only_numbers(&self) -> bool {
        let named = self.named();
        !named.is_empty() && named.iter().all(|(_, column)| matches!(column, ColumnName::Number(_)))
    }

    /// Returns true if `units` count for the times, too.
    pub(super) fn names_time(&self) -> bool {
        self.columns.is_empty() || self.columns.iter().any(|(name, _)| is_time_name(name))
    }
}

/// The number of a column, with its heading if there is one.
type Headed<'r> = (usize, Option<&'r str>);

/// The row of headings that fits the named columns best so far.
#[derive(Default)]
pub(super) struct BestRow {
    /// Numbers of the headings that it has and of its texts, with the message about the first heading that it lacks.
    found: Option<((usize, usize), String)>,
}

impl BestRow {
    /// Returns the numbers of the columns, with their headings where the row has them, if it has all headings that are
    /// named.
    pub fn of<'r>(&mut self, named: &[(&str, ColumnName)], record: &'r Record<'_>) -> Result<Option<Vec<Headed<'r>>>> {
        let texts = || record.cells.iter().filter_map(|(column, content)| Some((*column, text(content)?)));
        let bare = |text: &'r str| text.trim_start_matches('#').trim_start();
        let same = |text: &str, name: &str| {
            text == name || Heading::of(text).name == name || is_time_name(name) && is_time(text)
        };
        let (mut columns, mut missing, mut hits) = (Vec::new(), None, 0);
        for (_, column) in named {
            let (number, heading) = match column {
                ColumnName::Number(number) => (*number, texts().find(|(column, _)| column == number)),
                ColumnName::Heading(name) => {
                    let mut found = texts().filter(|(_, text)| same(bare(text), name));
                    let Some(first) = found.next() else {
                        missing.get_or_insert(name);
                        continue;
                    };
                    if let Some((second, _)) = found.next() {
                        bail!("columns {} and {second} are both headed `{}`: give the number", first.0, cut(name));
                    }
                    hits += 1;
                    (first.0, Some(first))
                }
            };
            columns.push((number, heading.map(|(_, text)| bare(text))));
        }
        let Some(missing) = missing else { return Ok(Some(columns)) };
        // Of rows without a heading that is named, that of headings has more texts than titles have.
        let fit = (hits, texts().filter(|(_, text)| !is_number(text)).count());
        if self.found.as_ref().is_none_or(|(best, _)| fit > *best) {
            let there: Vec<_> = record.cells.iter().map(|(_, content)| format!("`{}`", cut(&shown(content)))).collect();
            let message = format!("there is no column `{}`; available: {}", cut(missing), there.join(", "));
            self.found = Some((fit, message));
        }
        Ok(None)
    }

    /// Returns the message about the first heading that is missing.
    pub fn message(&self) -> Option<&str> {
        self.found.as_ref().map(|(_, message)| message.as_str())
    }
}
