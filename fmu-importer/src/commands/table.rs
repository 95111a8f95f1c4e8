//! The arguments for a table in a file.

use anyhow::{Result, anyhow};
use fmu_commands::import::Table;
use spreadsheet::table::{ColumnName, TableOptions};

use crate::input::InputTable;

/// Returns the options for reading the table.
pub fn form(options: &Table) -> Result<TableOptions> {
    let column = |text: &String| text.parse().map_or_else(|_| ColumnName::Heading(text.clone()), ColumnName::Number);
    let mut form = TableOptions {
        columns: texts(&options.columns).iter().map(column).collect(),
        units: options.units.clone(),
        ..TableOptions::default()
    };
    let Table { sheet, range, decimal, delimiter, encoding, .. } = options;
    for (key, text) in TableOptions::TEXT_KEYS.into_iter().zip([sheet, range, decimal, delimiter, encoding]) {
        let Some(text) = text else { continue };
        form.set(key, text).map_err(|what| anyhow!("--{key} {text}: {what}"))?;
    }
    Ok(form)
}

/// Returns the options for reading the signals of inputs, whose columns have names.
pub fn input_table(options: &Table, skip: &[String]) -> Result<InputTable> {
    let mut table = InputTable { skip: skip.to_vec(), ..InputTable::default() };
    table.name_columns(&texts(&options.columns)).map_err(|what| anyhow!("--columns: {what}"))?;
    table.options = form(&Table { columns: Vec::new(), ..options.clone() })?;
    Ok(table)
}

/// Returns the texts between commas, other than those inside of brackets.
fn texts(parts: &[String]) -> Vec<String> {
    let is_open = |text: &String| text.matches('[').count() > text.matches(']').count();
    let mut texts: Vec<String> = Vec::new();
    for part in parts {
        match texts.last_mut().filter(|last| is_open(last)) {
            Some(last) => *last += &format!(",{part}"),
            None => texts.push(part.clone()),
        }
    }
    texts
}
