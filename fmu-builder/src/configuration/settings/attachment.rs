//! Files that are copied into the FMU.

use std::collections::BTreeMap;

use fmu_exchange::{CONFIGURATION, MAX_DATA_BYTES, read_limited};

use super::value::Value;
use crate::archive::writer::name_problem;
use spreadsheet::table::NumericTable;

/// A file that the user gave for an attachment.
#[derive(Clone)]
pub(super) struct Attached {
    pub value: Value,
    pub file: String,
    pub content: Vec<u8>,
}

/// A table that differs from the one that the user gave, to translate the library's messages.
pub(super) struct TableOrigin {
    /// Name of the packed file, or of the table in the configuration, in the library's messages.
    pub called: String,
    /// Name for the user.
    pub origin: String,
    /// The number of each row in the file; none if rows have kept their numbers.
    pub rows: Vec<u32>,
    /// The number of each column in the file.
    pub columns: Vec<usize>,
}

impl TableOrigin {
    /// Translates a message of the library to the user's files, rows and columns; names in a replacement are not
    /// translated again.
    pub fn rewrite_message(tables: &[Self], message: &str) -> String {
        let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
        let (mut text, mut rest) = (String::new(), message);
        while let Some(next) = rest.chars().next() {
            let begins = !message[..message.len() - rest.len()].ends_with(is_of_name);
            let is_here = |table: &&Self| {
                let behind = rest.strip_prefix(table.called.as_str());
                begins && behind.is_some_and(|behind| !behind.starts_with(is_of_name) && !behind.starts_with('['))
            };
            match tables.iter().filter(is_here).max_by_key(|table| table.called.len()) {
                Some(table) => {
                    text += &table.origin;
                    rest = table.write_location(&rest[table.called.len()..], &mut text);
                }
                None => {
                    text.push(next);
                    rest = &rest[next.len_utf8()..];
                }
            }
        }
        text
    }

    /// Writes the row and the column at the beginning of a text as those of the file; returns the rest of the text.
    fn write_location<'a>(&self, rest: &'a str, text: &mut String) -> &'a str {
        let (row, rest) = number_behind(rest, ", row ");
        let (column, rest) = number_behind(rest, ", column ");
        if let Some(row) = row {
            // Spare rows repeat the last one.
            let of_file = row.checked_sub(1).and_then(|row| self.rows.get(row).or(self.rows.last()));
            *text += &format!(", row {}", of_file.map_or(row, |row| *row as usize));
        }
        if let Some(column) = column {
            let of_file = column.checked_sub(1).and_then(|column| self.columns.get(column));
            *text += &format!(", column {}", of_file.unwrap_or(&column));
        }
        rest
    }
}

/// Returns the number behind some words at the beginning of a text, and the rest of the text.
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
        value.text().map(|text| value.location.path(&text)).ok_or("must be the path of a file in quotation marks")?;
    let file = path.file_name().and_then(|name| name.to_str()).ok_or("must be the path of a file")?.to_owned();
    if let Some(problem) = name_problem(&file) {
        return Err(format!("the file must have another name, since \"{file}\" {problem}"));
    }
    Ok(Attached { value: value.clone(), content: read_limited(&path, MAX_DATA_BYTES)?, file })
}

/// Writes the rows of a table as a plain file, each on the line that it has in the file where it comes from.
pub(super) fn plain(name: &str, value: &Value, table: &NumericTable, columns: usize) -> Attached {
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

/// Collects the files, each of which may be attached several times.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table(called: &str, origin: &str) -> TableOrigin {
        let (called, origin) = (called.to_owned(), origin.to_owned());
        TableOrigin { called, origin, rows: vec![4, 6], columns: vec![2, 1] }
    }

    #[test]
    fn a_path_is_not_searched_for_other_tables() {
        let tables =
            [table("TS_table", "TS_table of /a/TD_table.csv"), table("TD_table", "TD_table of /b/TS_table.csv")];
        let rewrite_message = |message| TableOrigin::rewrite_message(&tables, message);
        let message = "TS_table, row 2, column 1: -1, less than in row 1 of TD_table";
        let expected =
            "TS_table of /a/TD_table.csv, row 6, column 2: -1, less than in row 1 of TD_table of /b/TS_table.csv";
        assert_eq!(rewrite_message(message), expected);
        for message in ["TS_table[1,2] = ä", "TS_tables, row 1", "of xTS_table, row 1"] {
            assert_eq!(rewrite_message(message), message);
        }
    }

    #[test]
    fn the_longest_name_counts() {
        let tables = [table("TS", "a"), table("TS.csv", "b")];
        assert_eq!(TableOrigin::rewrite_message(&tables, "TS.csv, row 1: TS"), "b, row 4: a");
    }
}
