//! Keys of a TOML file that say how a table in another file is read.

use anyhow::Result;
use spreadsheet::table::TableOptions;
use toml::de::DeValue;

use super::toml_file::Keys;

/// Returns the options that the keys give; none of them must be there.
pub fn table_options(keys: &Keys<'_, '_>) -> Result<TableOptions> {
    let units = |value: &DeValue| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|unit| unit.get_ref().as_str().map(str::to_owned)).collect()
    };
    let units = keys.get("units", "an array of units, such as [\"s\", \"kN\"]", units)?.unwrap_or_default();
    let mut options = TableOptions { units, ..TableOptions::default() };
    for key in TableOptions::TEXT_KEYS {
        let Some(text) = keys.text(key)? else { continue };
        options.set(key, &text).map_err(|what| keys.source.error(keys.span(key), format_args!("`{key}` {what}")))?;
    }
    Ok(options)
}
