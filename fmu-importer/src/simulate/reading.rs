//! Input signals from a text or a workbook.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, ensure};
use fmu_builder::ModelDescription;
use fmu_runtime::MAX_DATA_BYTES;
use spreadsheet::is_workbook;
use spreadsheet::table::{Record, records};

use super::input::{Input, InputTable};
use super::signals::{LINE, SignalReader};
use crate::values::file;

/// Size of the largest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Name of a text in messages that follow its real name.
const IT: &str = "it";

impl Input {
    /// Reads a text or a workbook; its columns are those of the times and of inputs, by their headings or as named.
    pub fn read(path: &Path, table: &InputTable, model: &ModelDescription) -> Result<Self> {
        let shown = path.to_string_lossy();
        let is_workbook = is_workbook(&shown);
        let content = file::read(path, if is_workbook { MAX_DATA_BYTES } else { MAX_BYTES })?;
        let (name, row) = if is_workbook { (shown.as_ref(), "row") } else { (IT, LINE) };
        let input = Self::of(name, &content, SignalReader::new(model, table, row));
        input.with_context(|| format!("{shown} cannot be used as input"))
    }

    /// Reads a text.
    pub fn from_reader(mut reader: impl Read, model: &ModelDescription) -> Result<Self> {
        let mut content = Vec::new();
        reader.read_to_end(&mut content)?;
        Self::of(IT, &content, SignalReader::new(model, &InputTable::default(), LINE))
    }

    fn of(name: &str, content: &[u8], mut reader: SignalReader<'_>) -> Result<Self> {
        let (table, is_text) = (reader.table, reader.row == LINE);
        ensure!(
            table.options.columns.is_empty(),
            "the columns of its options have no names: name_columns gives such to the columns of an input"
        );
        ensure!(
            table.columns.is_empty() || table.skip.is_empty(),
            "columns names all columns that are read, so `{}` need not be skipped",
            table.skip.join("`, `")
        );
        let read = &mut |record: &Record<'_>| reader.record(record).map_err(|error| format!("{error:#}"));
        let is_read = records(name, content, &table.options, read).map_err(|what| anyhow!(what));
        let mut input = is_read.and_then(|()| reader.finish()).map_err(|error| {
            let is_utf_8 = is_text && table.options.dialect.encoding.is_none();
            let is_garbled = is_utf_8 && error.to_string().contains(char::REPLACEMENT_CHARACTER);
            let right = "; its encoding is not UTF-8: set encoding to \"windows-1252\" or another one";
            anyhow!("{error:#}{}", if is_garbled { right } else { "" })
        })?;
        input.stops = input.bends();
        Ok(input)
    }
}
