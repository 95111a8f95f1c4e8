//! The arguments for a table in a file.

use anyhow::{Result, anyhow};
use fmu_commands::import::Table;
use spreadsheet::table::{ColumnName, TableOptions};

use crate::input::InputTable;

/// Returns the options for reading the table.
pub fn form(options: &Table) -> Result<TableOptions> {
    let column = |text: &String| text.parse().map_or_else(|_| ColumnName::Heading(text.clone()), ColumnName::Number);
    let mut form = TableOptions {
        columns: unquoted(&options.columns)?.iter().map(column).collect(),
        units: options.units.clone(),
        ..TableOptions::default()
    };
    for (option, text) in options.texts() {
        let Some(text) = text else { continue };
        form.set(option.trim_start_matches('-'), text).map_err(|what| anyhow!("{option} {text}: {what}"))?;
    }
    Ok(form)
}

/// Returns the options for reading the signals of inputs, whose columns have names.
pub fn input_table(options: &Table, skip: &[String]) -> Result<InputTable> {
    let mut table = InputTable { skip: skip.to_vec(), ..InputTable::default() };
    table.name_columns(&options.columns).map_err(|what| anyhow!("--columns: {what}"))?;
    table.options = form(&Table { columns: Vec::new(), ..options.clone() })?;
    Ok(table)
}

/// Returns the texts of a command line between commas, other than those inside of brackets or of double quotes.
pub fn unquoted(parts: &[String]) -> Result<Vec<String>> {
    let is_open = |text: &str| match quoted(text) {
        Some((_, behind)) => behind.matches('"').count() % 2 == 0,
        None => text.matches('[').count() > text.matches(']').count(),
    };
    let mut texts: Vec<String> = Vec::new();
    for part in parts {
        match texts.last_mut().filter(|last| is_open(last)) {
            Some(last) => *last += &format!(",{part}"),
            None => texts.push(part.clone()),
        }
    }
    let bare = |text: String| {
        let Some((before, behind)) = quoted(&text) else { return Ok(text) };
        let inner = behind.strip_suffix('"').filter(|inner| !inner.replace("\"\"", "").contains('"'));
        let inner = inner.ok_or_else(|| {
            anyhow!("--columns: `{text}` must end in the double quote that closes it; one inside is written twice")
        })?;
        Ok(format!("{before}{}", inner.replace("\"\"", "\"")))
    };
    texts.into_iter().map(bare).collect()
}

/// Divides a text at the double quote with which it, or its part behind a name, begins.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let start = if text.starts_with('"') { 0 } else { text.find("=\"")? + 1 };
    Some((&text[..start], &text[start + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_with_commas_stand_in_brackets_or_quotes() {
        let read = |text: &str| {
            let parts: Vec<_> = text.split(',').map(str::to_owned).collect();
            unquoted(&parts).map_err(|error| error.to_string())
        };
        for (text, expected) in [
            ("time=1,R[1,2]=3", &["time=1", "R[1,2]=3"][..]),
            (r#"time=Zeit,x="Drehung, roh",y=2"#, &["time=Zeit", "x=Drehung, roh", "y=2"]),
            (r#""x=Drehung, ""roh""","y=a""#, &["x=Drehung, \"roh\"", "y=a"]),
            (r#"x=Rohr 3",y=2"#, &["x=Rohr 3\"", "y=2"]),
            (r#"x="",y=2"#, &["x=", "y=2"]),
        ] {
            assert_eq!(read(text).unwrap(), expected, "{text}");
        }
        for text in [r#"x="Drehung, roh"#, r#"x="Drehung" roh"#, r#"x="a"b""#] {
            assert_eq!(
                read(text).unwrap_err(),
                format!("--columns: `{text}` must end in the double quote that closes it; one inside is written twice")
            );
        }
    }

    #[test]
    fn arguments_are_the_keys_of_tables() {
        let keys = Table::default().texts().map(|(option, _)| option.trim_start_matches('-'));
        assert_eq!(keys, TableOptions::TEXT_KEYS);
    }
}
