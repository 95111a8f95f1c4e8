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
    /// For a table that is not copied as it is: its origin, and the columns there.
    pub origin: Option<(String, Vec<usize>)>,
}

impl Attached {
    /// A message of the library, with the user's file and columns in place of the packed ones.
    pub fn as_given(&self, message: &str) -> String {
        let Some((origin, columns)) = &self.origin else { return message.to_owned() };
        let mut parts = message.split(self.file.as_str());
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text += origin;
            let (before, behind) = part.split_once(", column ").unwrap_or((part, ""));
            let is_place =
                before.is_empty() || before.strip_prefix(", row ").is_some_and(|row| row.parse::<u32>().is_ok());
            let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
            let column = behind[..digits].parse::<usize>().ok().and_then(|column| columns.get(column.checked_sub(1)?));
            match column.filter(|_| is_place) {
                Some(column) => text += &format!("{before}, column {column}{}", &behind[digits..]),
                None => text += part,
            }
        }
        text
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
    Ok(Attached { value: value.clone(), content: read_limited(&path, LARGEST_DATA)?, file, origin: None })
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
    let origin = Some((table.origin.clone(), table.columns.clone()));
    Attached { value: value.clone(), file: format!("{name}.csv"), content: content.into_bytes(), origin }
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
