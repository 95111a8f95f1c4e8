//! The table of input signals: times and inputs in columns with their names, or in those that the user gives.

mod above;
mod units;

use anyhow::{Context, Result, anyhow, bail};
use fmu_builder::ModelDescription;
use fmu_builder::description::{Causality, Variability, Variable, VariableType};
use spreadsheet::numbers::is_number;
use spreadsheet::table::{ColumnName, Content, Heading, Record};
use spreadsheet::units::Conversion;

use crate::simulate::cells::{at, cut, is_time, is_time_name, number, shown, text, value};
use crate::simulate::input::{Input, InputTable, Signal};
use crate::simulate::input_table::BestRow;
use crate::values::value::Value;
use crate::values::variables;

/// Name of a row of a text in messages.
pub(in crate::simulate) const LINE: &str = "line";

/// Name of a row of arrays in messages.
pub(in crate::simulate) const INDEX: &str = "at index";

/// Reader of the rows of the table, one after another.
pub(in crate::simulate) struct SignalReader<'a> {
    pub model: &'a ModelDescription,
    pub table: &'a InputTable,
    /// Name of rows in messages.
    pub row: &'static str,
    input: Input,
    columns: Columns,
    state: State,
    best: BestRow,
}

/// Columns of the signals.
#[derive(Default)]
struct Columns {
    /// The first and the last column with a heading.
    first: usize,
    last: usize,
    /// Column and conversion of the times.
    time: (usize, Option<Conversion>),
    /// Column and conversion of each signal.
    signals: Vec<(usize, Option<Conversion>)>,
    skipped: Vec<usize>,
    /// Columns for which the user gives the units, with those that the file says.
    overridden: Vec<(usize, String)>,
}

/// A row above the values, with its texts in the columns of the times and the signals.
struct RowAbove {
    number: u32,
    /// True if it lies above the range that is read.
    is_above: bool,
    texts: Vec<Option<String>>,
}

enum State {
    /// The table has had nothing but comments so far.
    Empty {
        has_comments: bool,
    },
    /// The first row was not one of headings; this was its first column.
    Title(String),
    /// The row with headings was the last one.
    Headings,
    /// The columns are given by numbers, and these rows have come, but no values.
    BeforeValues(Vec<RowAbove>),
    Values,
}

impl<'a> SignalReader<'a> {
    pub fn new(model: &'a ModelDescription, table: &'a InputTable, row: &'static str) -> Self {
        let state = State::Empty { has_comments: false };
        let (input, columns, best) = (Input::default(), Columns::default(), BestRow::default());
        Self { model, table, row, input, columns, state, best }
    }

    /// Takes the next row: headings, units, values, or a comment.
    pub fn record(&mut self, record: &Record<'_>) -> Result<()> {
        // Headings stand in the range; units count above columns by number only.
        if record.is_above && !self.table.has_only_numbers() {
            return Ok(());
        }
        let Some((first, begin)) = record.cells.first() else { return Ok(()) };
        let comment = text(begin).and_then(|text| text.strip_prefix('#')).map(str::trim_start);
        match &mut self.state {
            State::Empty { .. } | State::Title(_) if !self.table.columns.is_empty() => {
                self.seek(record, comment.is_some())?;
            }
            State::BeforeValues(_) => self.before_values(record, comment.is_some())?,
            State::Empty { .. } | State::Title(_) if is_time(comment.or(text(begin)).unwrap_or_default()) => {
                self.columns.first = *first;
                self.headings(record)?;
                self.state = State::Headings;
            }
            State::Empty { has_comments } if comment.is_some() => *has_comments = true,
            // Units below the headings may be a comment, as these may be.
            State::Headings if comment.is_some() => {
                let is_full = self.targets().all(|(column, _)| at(record, column).is_some());
                if is_full && self.units(record)? {
                    self.state = State::Values;
                }
            }
            _ if comment.is_some() => {}
            State::Empty { .. } => self.state = State::Title(shown(begin)),
            State::Title(_) => {}
            State::Headings => {
                self.state = State::Values;
                if !self.units(record)? {
                    self.values(record)?;
                }
            }
            State::Values => self.values(record)?,
        }
        Ok(())
    }

    /// Returns all signals.
    pub fn finish(mut self) -> Result<Input> {
        let overridden = std::mem::take(&mut self.columns.overridden);
        self.input.notes = overridden.into_iter().filter_map(|(column, unit)| self.note(column, &unit)).collect();
        if matches!(self.state, State::Empty { .. } | State::Title(_))
            && let Some(message) = self.best.message()
        {
            bail!(message.to_owned());
        }
        match self.state {
            State::Empty { has_comments: false } => {
                bail!("it is empty; it must begin with a row of names, `time` and inputs")
            }
            State::Title(first) => {
                let choice =
                    if self.row == INDEX { "" } else { "; for other headings, give columns, such as time=Zeit" };
                bail!("its first column must be `time`, not `{}`{choice}", cut(&first))
            }
            _ if self.input.time.is_empty() => bail!("it holds no row of values"),
            _ => Ok(self.input),
        }
    }

    fn headings(&mut self, record: &Record<'_>) -> Result<()> {
        let heading = |content| text(content).map_or_else(|| shown(content), str::to_owned);
        let headings: Vec<_> = record.cells.iter().map(|(column, content)| (*column, heading(content))).collect();
        for name in &self.table.skip {
            let found = headings.iter().skip(1).find(|(_, text)| text == name || Heading::of(text).name == name);
            let Some((column, _)) = found else {
                let texts: Vec<_> = headings.iter().skip(1).map(|(_, text)| format!("`{}`", cut(text))).collect();
                bail!("there is no column `{name}` to skip; available: {}", texts.join(", "));
            };
            self.columns.skipped.push(*column);
        }
        for (at, (column, text)) in headings.iter().enumerate() {
            self.columns.last = *column;
            if at == 0 {
                self.columns.time.0 = *column;
                if let Some(unit) = Heading::of(text.trim_start_matches('#')).unit {
                    self.use_unit_of_file(0, unit)?;
                }
                continue;
            }
            if self.columns.skipped.contains(column) {
                continue;
            }
            let (name, unit) = self.name_and_unit(text);
            self.add(name, *column, unit)?;
        }
        self.use_given_units()
    }

    /// Takes the row as that of the headings of the named columns, if it has them.
    fn seek(&mut self, record: &Record<'_>, is_comment: bool) -> Result<()> {
        let table = self.table;
        let named = table.named();
        let Some(columns) = self.best.of(&named, record)? else { return Ok(()) };
        let has_headings = named.iter().any(|(_, column)| matches!(column, ColumnName::Heading(_)));
        for ((name, _), (column, heading)) in named.iter().zip(columns) {
            let heading = heading.filter(|text| has_headings && !self.is_known(text));
            let unit = heading.and_then(|text| Heading::of(text).unit);
            match is_time_name(name) {
                true => {
                    self.columns.time.0 = column;
                    unit.map_or(Ok(()), |unit| self.use_unit_of_file(0, unit))?;
                }
                false => self.add(name, column, unit)?,
            }
        }
        self.use_given_units()?;
        if has_headings {
            self.state = State::Headings;
            return Ok(());
        }
        self.state = State::BeforeValues(Vec::new());
        self.before_values(record, is_comment)
    }

    /// Adds the signal in a column.
    fn add(&mut self, name: &str, column: usize, unit: Option<&str>) -> Result<()> {
        let position = self.position(name).with_context(|| format!("column {column} must be an input of the FMU"))?;
        if self.input.signals.iter().any(|other| other.position == position) {
            bail!("column {column} repeats `{name}`");
        }
        self.columns.signals.push((column, None));
        self.input.signals.push(Signal {
            position,
            continuous: self.model.variables[position].variability == Variability::Continuous,
            values: Vec::new(),
            distinct: Vec::new(),
        });
        unit.map_or(Ok(()), |unit| self.use_unit_of_file(self.columns.signals.len(), unit))
    }

    /// Splits a heading where the name of a variable ends: brackets may be those of an index.
    fn name_and_unit<'t>(&self, text: &'t str) -> (&'t str, Option<&'t str>) {
        let heading = Heading::of(text);
        if !self.is_known(text) && self.is_known(heading.name) { (heading.name, heading.unit) } else { (text, None) }
    }

    fn is_known(&self, name: &str) -> bool {
        self.model.variables.iter().any(|variable| variable.name == name)
    }

    fn position(&self, name: &str) -> Result<usize> {
        let eligible = |variable: &Variable| {
            let changes = variable.causality == Causality::Parameter && variable.variability == Variability::Tunable;
            variable.causality == Causality::Input || changes
        };
        match self.model.variables.iter().position(|other| other.name == name) {
            Some(position) if eligible(&self.model.variables[position]) => Ok(position),
            Some(position) if self.model.variables[position].causality == Causality::Parameter => {
                bail!("`{name}` is a parameter, which cannot change during a run: set it once, not in a column")
            }
            Some(position) => bail!("`{name}` is {}", variables::role(self.model.variables[position].causality)),
            None if name.contains('[') && !name.contains(']') => {
                bail!("`{name}` is cut off at a comma: enclose such a name in double quotes")
            }
            None => {
                if let Some(reason) = self.model.left_out(name) {
                    bail!("{reason}");
                }
                let scalars = self.model.variables.iter().filter(|other| eligible(other));
                if let Some(element) = scalars.clone().find(|other| variables::base(&other.name) == name) {
                    bail!("`{name}` is an array, whose elements have a column each, such as `{}`", element.name);
                }
                let unknown = variables::unknown(cut(name).as_str(), scalars.map(|other| other.name.as_str()));
                let has_hint = unknown.to_string().contains("did you mean");
                let is_chosen = !self.table.columns.is_empty();
                Err(match (has_hint || is_chosen, self.row) {
                    (true, _) => unknown,
                    (false, INDEX) => anyhow!("{unknown}; --skip-column leaves a column out"),
                    (false, _) => anyhow!(
                        "{unknown}; --skip-column leaves a column out, --columns reads one with another heading"
                    ),
                })
            }
        }
    }

    /// Reads a row of units below the headings; returns true if it is one.
    fn units(&mut self, record: &Record<'_>) -> Result<bool> {
        let unit = |column: usize, wanted: &str| match at(record, column) {
            None => Some(None),
            Some(content) => {
                let text = text(content)?.trim_start_matches('#').trim_start();
                let text = Some(text).filter(|text| !is_number(text))?;
                Heading::only_unit(text, Some(wanted)).map(|unit| Some(unit.to_owned()))
            }
        };
        let columns: Vec<_> = self.targets().collect();
        let Some(units) = columns.iter().map(|(column, wanted)| unit(*column, wanted)).collect::<Option<Vec<_>>>()
        else {
            return Ok(false);
        };
        if units.iter().all(Option::is_none) {
            return Ok(false);
        }
        for (index, (unit, (column, _))) in units.iter().zip(&columns).enumerate() {
            let Some(unit) = unit else { continue };
            let own = *self.conversion(index);
            self.use_unit_of_file(index, unit)?;
            if let (Some(own), Some(found)) = (own, *self.conversion(index))
                && [0.0, 1.0].into_iter().any(|value| own.apply(value) != found.apply(value))
            {
                let place = format!("{} {}, column {column}", self.row, record.number);
                bail!(
                    "{place} is in {unit}, but in another unit by its heading; only one of them can be right, which units \
                     can say"
                );
            }
        }
        Ok(true)
    }

    fn values(&mut self, record: &Record<'_>) -> Result<()> {
        let Columns { first, last, time, signals, skipped, .. } = &self.columns;
        let place = format!("{} {}", self.row, record.number);
        let reads_all = self.table.columns.is_empty();
        // Arrays are no file, of which the user could give the format.
        let has_options = self.row != INDEX;
        let is_read = |column: &usize| match reads_all {
            true => !skipped.contains(column),
            false => *column == time.0 || signals.iter().any(|(other, _)| other == column),
        };
        for (column, content) in record.cells.iter().filter(|(column, _)| is_read(column)) {
            if column < first {
                bail!("{place}, column {column} is left of the headings, which begin in column {first}");
            }
            if let Content::Other(what) = content {
                bail!("{place}, column {column} {what}, but must be a number");
            }
            let has_heading =
                !reads_all || column == first || signals.binary_search_by_key(column, |(column, _)| *column).is_ok();
            if !has_heading && column < last {
                bail!("{place}, column {column} has a value, but no heading");
            }
        }
        let end = record.cells.last().map_or(0, |(column, _)| *column);
        let counts = |end: usize| {
            let [found, headings] = [end, *last].map(|column| column + 1 - first);
            anyhow!("{place} has {found} instead of the header's {headings} cells")
        };
        if reads_all && end > *last {
            return Err(counts(end));
        }
        let cell = |column: usize| at(record, column);
        let now = match cell(time.0) {
            None => bail!("{place}, column `time`: the value is missing"),
            Some(content) => number(content, record.numbers, has_options)
                .map_err(|reason| anyhow!("{place}, column `time`: {reason}"))
                .map(|value| time.1.map_or(value, |unit| unit.apply(value)))?,
        };
        if let Some(last) = self.input.time.last().filter(|last| **last > now) {
            bail!("{place}: time {now} comes after {last}; times must not decrease");
        }
        for (signal, (column, unit)) in self.input.signals.iter_mut().zip(signals) {
            let variable = &self.model.variables[signal.position];
            let located = |reason: String| anyhow!("{place}, column `{}`: {reason}", variable.name);
            let is_text = matches!(variable.kind, VariableType::String { .. });
            let value = match cell(*column) {
                None if is_text => Value::String(String::new()),
                // A row of a text without its last cells is cut off.
                None if reads_all && *column > end && self.row == LINE => return Err(counts(end)),
                None => return Err(located("the value is missing".to_owned())),
                Some(content) => {
                    value(content, record.numbers, has_options, variable, &self.model.enumerations).map_err(located)?
                }
            };
            signal.push(match (value, unit) {
                (Value::Real(value), Some(unit)) => Value::Real(unit.apply(value)),
                (value, _) => value,
            });
        }
        self.input.time.push(now);
        Ok(())
    }
}
