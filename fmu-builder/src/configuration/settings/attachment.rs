//! Files that are copied into the FMU.

use std::collections::BTreeMap;

use fmu_runtime::{CONFIGURATION, LARGEST_DATA, read_limited};

use super::value::Value;
use crate::archive::writer::name_problem;
use spreadsheet::table::Table;

/// A file that the user gave for an attachment.
#[derive(Clone)]
pub(super) struct Attached {
    pub value: Value,
    pub file: String,
    pub content: Vec<u8>,
}

/// A table that the library does not see as it was given, for its messages.
pub(super) struct Given {
    /// The packed file or the table in the configuration, as the library calls it.
    pub called: String,
    /// What it is called for the user.
    pub origin: String,
    /// The number of each row in the file; none if rows have kept their numbers.
    pub rows: Vec<u32>,
    /// The number of each column in the file.
    pub columns: Vec<usize>,
}

impl Given {
    /// A message of the library, with the user's file, rows and columns.
    pub fn retold(&self, message: &str) -> String {
        let mut parts = message.split(self.called.as_str());
        let mut text = parts.next().unwrap_or_default().to_owned();
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        for part in parts {
            if text.ends_with(is_of_name) || part.starts_with(is_of_name) || part.starts_with('[') {
                text += &self.called;
                text += part;
                continue;
            }
            text += &self.origin;
            let (row, rest) = number_behind(part, ", row ");
            let (column, rest) = number_behind(rest, ", column ");
            if let Some(row) = row {
                // Spare rows repeat the last one.
                let of_file = row.checked_sub(1).and_then(|row| self.rows.get(row).or(self.rows.last()));
                text += &format!(", row {}", of_file.map_or(row, |row| *row as usize));
            }
            if let Some(column) = column {
                let of_file = column.checked_sub(1).and_then(|column| self.columns.get(column));
                text += &format!(", column {}", of_file.unwrap_or(&column));
            }
            text += rest;
        }
        text
    }
}

/// The number behind some words at the beginning of a text, and what follows.
fn number_behind<'a>(text: &'a str, words: &str) -> (Option<usize>, &'a str) {
    let Some(rest) = text.strip_prefix(words) else { return (None, text) };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    match rest[..digits].parse() {
        Ok(number) => (Some(number), &rest[digits..]),
        Err(_) => (None, text),
    }
}

/// Reads the file named by a value; the error says what is expected.
pub(super) fn attached(value: &Value) -> Result<Attached, String> {
    let path =
        value.text().map(|text| value.place.path(&text)).ok_or("must be the path of a file in quotation marks")?;
    let file = path.file_name().and_then(|name| name.to_str()).ok_or("must be the path of a file")?.to_owned();
    if let Some(problem) = name_problem(&file) {
        return Err(format!("the file must have another name, since \"{file}\" {problem}"));
    }
    Ok(Attached { value: value.clone(), content: read_limited(&path, LARGEST_DATA)?, file })
}

/// The rows of a table as a plain file, each on the line that it has in the file where it comes from.
pub(super) fn plain(name: &str, value: &Value, table: &Table, columns: usize) -> Attached {
    let mut content = String::new();
    let mut line = 1;
    for (row, position) in table.numbers.chunks(columns).zip(&table.positions) {
        content.extend(std::iter::repeat_n('\n', (position - line) as usize));
        let cell = |number: &f64| if number.is_nan() { String::new() } else { format!("{number:?}") };
        content += &row.iter().map(cell).collect::<Vec<_>>().join(",");
        line = *position;
    }
    content.push('\n');
    Attached { value: value.clone(), file: format!("{name}.csv"), content: content.into_bytes() }
}

/// Files by their names in the resources.
pub(super) type Resources = BTreeMap<String, Vec<u8>>;

/// The files, each of which may be attached several times.
pub(super) fn collect(given: BTreeMap<String, Attached>) -> Result<Resources, Vec<String>> {
    let (mut files, mut problems) = (Resources::new(), Vec::new());
    for (name, Attached { value, file, content, .. }) in given {
        let clash = |other: &str| other != file && other.eq_ignore_ascii_case(&file);
        let other_content = files.get(&file).is_some_and(|other| *other != content);
        if other_content || file.eq_ignore_ascii_case(CONFIGURATION) || files.keys().any(|other| clash(other)) {
            let right = format!("the file must have another name, since the FMU has another \"{file}\" already");
            problems.push(value.problem(&name, &right));
        }
        files.insert(file, content);
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
}
