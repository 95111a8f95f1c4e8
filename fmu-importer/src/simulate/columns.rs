//! Input signals from columns of numbers and texts.

use anyhow::{Context, Result};
use fmu_builder::ModelDescription;
use spreadsheet::numbers::Numbers;
use spreadsheet::table::{Content, Record};

use super::input::{Input, InputTable};
use super::signals::{INDEX, SignalReader};

/// Columns of equal length, `time` the first.
pub(crate) struct NumberColumns<'a> {
    /// Number of values of each column.
    pub rows: usize,
    /// Headings, with the values where these are texts.
    pub columns: &'a [(String, Option<Vec<String>>)],
    /// The numbers of the other columns, one column after another.
    pub numbers: &'a [f64],
}

impl Input {
    /// Reads the rows of columns, as those of a file.
    pub(crate) fn of_columns(table: &NumberColumns<'_>, skip: &[String], model: &ModelDescription) -> Result<Self> {
        let options = InputTable { skip: skip.to_vec(), ..InputTable::default() };
        Self::read_columns(table, SignalReader::new(model, &options, INDEX)).context("the input cannot be used")
    }

    fn read_columns(table: &NumberColumns<'_>, mut reader: SignalReader<'_>) -> Result<Self> {
        let mut read = |number: usize, cells: &[(usize, Content)]| {
            let number = u32::try_from(number).context("it has too many values")?;
            reader.record(&Record { origin: "", number, is_above: false, cells, numbers: Numbers::POINT })
        };
        let text = |text: &str| Content::Text(text.into());
        let headings = table.columns.iter().enumerate();
        read(0, &headings.map(|(column, (name, _))| (column + 1, text(name))).collect::<Vec<_>>())?;
        let mut numbers = table.numbers.chunks_exact(table.rows.max(1));
        let columns: Vec<_> = (table.columns.iter())
            .map(|(_, texts)| match texts {
                Some(texts) => (&[][..], &texts[..]),
                None => (numbers.next().unwrap_or_default(), &[][..]),
            })
            .collect();
        for row in 0..table.rows {
            let cell = |(numbers, texts): &(&[f64], &[String])| match (numbers.get(row), texts.get(row)) {
                (Some(number), _) if number.is_finite() => Content::Number(*number),
                // The reader refuses it, as in a file.
                (Some(number), _) => text(&number.to_string().to_lowercase()),
                (None, Some(value)) => text(value),
                (None, None) => Content::Other("has no value"),
            };
            let cells: Vec<_> = columns.iter().enumerate().map(|(column, values)| (column + 1, cell(values))).collect();
            read(row, &cells)?;
        }
        let mut input = reader.finish()?;
        input.stops = input.bends();
        Ok(input)
    }
}
