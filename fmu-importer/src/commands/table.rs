//! The arguments for a table in a file.

use anyhow::{Result, anyhow};
use fmu_commands::import::Table;
use spreadsheet::table::{ColumnName, TableOptions};

/// Returns the options for reading the table.
pub fn form(options: &Table) -> Result<TableOptions> {
    let column = |text: &String| text.parse().map_or_else(|_| ColumnName::Heading(text.clone()), ColumnName::Number);
    let mut form = TableOptions {
        sheet: options.sheet.clone().unwrap_or_default(),
        columns: options.columns.iter().map(column).collect(),
        units: options.units.clone(),
        ..TableOptions::default()
    };
    if let Some(range) = &options.range {
        form.set_range(range).map_err(|what| anyhow!("--range {range}: {what}"))?;
    }
    let writing = [("decimal", &options.decimal), ("delimiter", &options.delimiter), ("encoding", &options.encoding)];
    for (key, text) in writing.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?))) {
        form.set_writing(key, text).map_err(|what| anyhow!("--{key} {text}: {what}"))?;
    }
    Ok(form)
}
