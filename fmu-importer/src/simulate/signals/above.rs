//! The rows above the values of a table whose columns are given by numbers: titles, headings and units.

use anyhow::{Result, bail};
use spreadsheet::numbers::is_number;
use spreadsheet::table::{Content, Heading, Record};
use spreadsheet::units::Unit;

use super::{RowAbove, SignalReader, State};
use crate::simulate::cells::{at, text};

/// A unit in a cell above the values.
struct Written {
    unit: String,
    /// True if it stands in square brackets, so that it cannot be part of a name.
    is_bracketed: bool,
}

impl SignalReader<'_> {
    /// Takes a row of a table whose columns are given by numbers: the first values, or texts that may say units.
    pub(super) fn before_values(&mut self, record: &Record<'_>, is_comment: bool) -> Result<()> {
        let columns: Vec<_> = self.targets().map(|(column, _)| column).collect();
        let is_numeric = |content: &Content| match content {
            Content::Text(text) => is_number(text),
            content => matches!(content, Content::Number(_)),
        };
        if !is_comment && columns.iter().any(|column| at(record, *column).is_some_and(is_numeric)) {
            if record.is_above {
                // What is further above belongs to these numbers.
                self.state = State::BeforeValues(Vec::new());
                return Ok(());
            }
            self.use_units_above()?;
            self.state = State::Values;
            return self.values(record);
        }
        let bare = |text: &str| text.trim_start_matches('#').trim_start().to_owned();
        let texts: Vec<_> = columns.iter().map(|column| at(record, *column).and_then(text).map(bare)).collect();
        if let State::BeforeValues(rows) = &mut self.state
            && (!is_comment || texts.iter().all(Option::is_some))
        {
            // A range that begins with texts has its own units.
            rows.retain(|row| row.is_above == record.is_above);
            rows.push(RowAbove { number: record.number, is_above: record.is_above, texts });
        }
        Ok(())
    }

    /// Takes the units that the rows above the values say: of each column the lowest one.
    fn use_units_above(&mut self) -> Result<()> {
        let State::BeforeValues(rows) = std::mem::replace(&mut self.state, State::Values) else { return Ok(()) };
        let written: Vec<_> = rows.iter().rev().map(|row| (row.number, self.written(row))).collect();
        let targets: Vec<_> = self.targets().collect();
        for (index, (column, _)) in targets.into_iter().enumerate() {
            let mut units = written.iter().filter_map(|(number, units)| Some((number, units[index].as_ref()?)));
            let Some((_, Written { unit, .. })) = units.next() else { continue };
            let known = Unit::parse(unit);
            let is_other = |other: &Written| match (known, Unit::parse(&other.unit)) {
                (Some(one), Some(other)) => one.dimension == other.dimension && one != other,
                _ => false,
            };
            if !self.is_given(index)
                && let Some((number, other)) = units.find(|(_, other)| other.is_bracketed && is_other(other))
            {
                let place = format!("column {column} is in {unit}, but in {} by {} {number}", other.unit, self.row);
                bail!("{place}; only one of them can be right, which units can say");
            }
            self.use_unit_of_file(index, unit)?;
        }
        Ok(())
    }

    /// Finds the units in a row: one of nothing but units, or headings with units. A title does not fill all columns;
    /// what it ends in is a unit if it stands in square brackets, or fits.
    fn written(&self, row: &RowAbove) -> Vec<Option<Written>> {
        let cells: Vec<_> = row.texts.iter().map(Option::as_deref).zip(self.targets().map(|(_, unit)| unit)).collect();
        let texts = || cells.iter().filter_map(|(text, wanted)| Some(((*text)?, *wanted)));
        let is_of_units = texts().all(|(text, wanted)| Heading::only_unit(text, Some(wanted)).is_some());
        let is_full = row.texts.iter().all(Option::is_some);
        let dimension = |unit: &str| Unit::parse(unit).map(|unit| unit.dimension);
        let unit = |(text, wanted): &(Option<&str>, &str)| {
            let text = text.filter(|text| !self.is_known(text))?;
            let is_bracketed = text.ends_with(']');
            let unit = if is_of_units { Heading::only_unit(text, Some(wanted)) } else { Heading::of(text).unit }?;
            let counts = is_of_units || is_full || is_bracketed || dimension(unit) == dimension(wanted);
            counts.then(|| Written { unit: unit.to_owned(), is_bracketed })
        };
        cells.iter().map(unit).collect()
    }
}
