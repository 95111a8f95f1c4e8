//! The table of input signals: a column `time`, and columns that are named after inputs, with their units or without.

use anyhow::{Context, Result, anyhow, bail};
use fmu_builder::description::{Causality, Enumeration, Variability, Variable, VariableType};
use spreadsheet::numbers::{NotANumber, Numbers, is_number, readings};
use spreadsheet::table::{Content, Heading, Record};
use spreadsheet::units::{Conversion, Unit};

use super::input::{Input, Signal};
use crate::values::value::Value;
use crate::values::variables;

/// Largest number of characters of a wrong header that are quoted.
const QUOTED: usize = 40;

/// Name of a row of a text in messages.
pub(super) const LINE: &str = "line";

/// The unit of times.
const SECOND: &str = "s";

/// Reader of the rows of the table, one after another.
pub(super) struct SignalReader<'a> {
    pub variables: &'a [Variable],
    pub enumerations: &'a [Enumeration],
    /// Headings of columns that are left out.
    pub skip: &'a [String],
    /// Name of rows in messages.
    pub row: &'static str,
    input: Input,
    columns: Columns,
    state: State,
}

/// Columns of the signals.
#[derive(Default)]
struct Columns {
    /// The first and the last column with a heading.
    first: usize,
    last: usize,
    time: Option<Conversion>,
    /// Column and conversion of each signal.
    signals: Vec<(usize, Option<Conversion>)>,
    skipped: Vec<usize>,
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
    Values,
}

impl<'a> SignalReader<'a> {
    pub fn new(
        variables: &'a [Variable],
        enumerations: &'a [Enumeration],
        skip: &'a [String],
        row: &'static str,
    ) -> Self {
        let state = State::Empty { has_comments: false };
        Self { variables, enumerations, skip, row, input: Input::default(), columns: Columns::default(), state }
    }

    /// Takes the next row: headings, units, values, or a comment.
    pub fn record(&mut self, record: &Record<'_>) -> Result<()> {
        let Some((first, begin)) = record.cells.first() else { return Ok(()) };
        let comment = text(begin).and_then(|text| text.strip_prefix('#')).map(str::trim_start);
        match &mut self.state {
            State::Empty { .. } | State::Title(_) if is_time(comment.or(text(begin)).unwrap_or_default()) => {
                self.columns.first = *first;
                self.headings(record)?;
                self.state = State::Headings;
            }
            State::Empty { has_comments } if comment.is_some() => *has_comments = true,
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
    pub fn finish(self) -> Result<Input> {
        match self.state {
            State::Empty { has_comments: false } => {
                bail!("it is empty; it must begin with a row of names, `time` and inputs")
            }
            State::Title(first) => bail!("its first column must be `time`, not `{}`", cut(&first)),
            _ if self.input.time.is_empty() => bail!("it holds no row of values"),
            _ => Ok(self.input),
        }
    }

    fn headings(&mut self, record: &Record<'_>) -> Result<()> {
        let heading = |content| text(content).map_or_else(|| shown(content), str::to_owned);
        let headings: Vec<_> = record.cells.iter().map(|(column, content)| (*column, heading(content))).collect();
        for name in self.skip {
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
                let unit = Heading::of(text.trim_start_matches('#')).unit;
                self.columns.time = unit.map(|unit| conversion(unit, SECOND, *column)).transpose()?;
                continue;
            }
            if self.columns.skipped.contains(column) {
                continue;
            }
            let (name, unit) = self.name_and_unit(text);
            let position =
                self.position(name).with_context(|| format!("column {column} must be an input of the FMU"))?;
            if self.input.signals.iter().any(|other| other.position == position) {
                bail!("column {column} repeats `{name}`");
            }
            let wanted = unit_of(&self.variables[position]);
            let conversion = unit.map(|unit| conversion(unit, wanted, *column)).transpose()?;
            self.columns.signals.push((*column, conversion));
            self.input.signals.push(Signal {
                position,
                continuous: self.variables[position].variability == Variability::Continuous,
                values: Vec::new(),
                texts: Vec::new(),
            });
        }
        Ok(())
    }

    /// Splits a heading where the name of a variable ends: brackets may be those of an index.
    fn name_and_unit<'t>(&self, text: &'t str) -> (&'t str, Option<&'t str>) {
        let is_known = |name: &str| self.variables.iter().any(|variable| variable.name == name);
        let heading = Heading::of(text);
        if !is_known(text) && is_known(heading.name) { (heading.name, heading.unit) } else { (text, None) }
    }

    fn position(&self, name: &str) -> Result<usize> {
        let eligible = |variable: &Variable| {
            let changes = variable.causality == Causality::Parameter && variable.variability == Variability::Tunable;
            variable.causality == Causality::Input || changes
        };
        match self.variables.iter().position(|other| other.name == name) {
            Some(position) if eligible(&self.variables[position]) => Ok(position),
            Some(position) if self.variables[position].causality == Causality::Parameter => {
                bail!("`{name}` is a parameter, which cannot change during a run: set it once, not in a column")
            }
            Some(position) => bail!("`{name}` is {}", variables::role(self.variables[position].causality)),
            None if name.contains('[') && !name.contains(']') => {
                bail!("`{name}` is cut off at a comma: enclose such a name in double quotes")
            }
            None => {
                let scalars = self.variables.iter().filter(|other| eligible(other));
                if let Some(element) = scalars.clone().find(|other| variables::base(&other.name) == name) {
                    bail!("`{name}` is an array, whose elements have a column each, such as `{}`", element.name);
                }
                let unknown = variables::unknown(cut(name).as_str(), scalars.map(|other| other.name.as_str()));
                let has_hint = unknown.to_string().contains("did you mean");
                Err(if has_hint { unknown } else { anyhow!("{unknown}; --skip-column leaves a column out") })
            }
        }
    }

    /// Reads a row of units below the headings; returns true if it is one.
    fn units(&mut self, record: &Record<'_>) -> Result<bool> {
        let unit = |column: usize, wanted: &str| match at(record, column) {
            None => Some(None),
            Some(content) => {
                let text = text(content).filter(|text| !is_number(text))?;
                Heading::only_unit(text, Some(wanted)).map(|unit| Some(unit.to_owned()))
            }
        };
        let wanted = self.input.signals.iter().map(|signal| unit_of(&self.variables[signal.position]));
        let columns = std::iter::once((self.columns.first, SECOND))
            .chain(self.columns.signals.iter().map(|(column, _)| *column).zip(wanted));
        let columns: Vec<_> = columns.collect();
        let Some(units) = columns.iter().map(|(column, wanted)| unit(*column, wanted)).collect::<Option<Vec<_>>>()
        else {
            return Ok(false);
        };
        if units.iter().all(Option::is_none) {
            return Ok(false);
        }
        let mut conversions = Vec::new();
        for (unit, (column, wanted)) in units.iter().zip(&columns) {
            conversions.push(unit.as_ref().map(|unit| conversion(unit, wanted, *column)).transpose()?);
        }
        let said = std::iter::once(self.columns.time).chain(self.columns.signals.iter().map(|(_, unit)| *unit));
        for ((own, found), (unit, (column, _))) in said.zip(&conversions).zip(units.iter().zip(&columns)) {
            if let (Some(own), Some(found), Some(unit)) = (own, found, unit)
                && [0.0, 1.0].into_iter().any(|value| own.apply(value) != found.apply(value))
            {
                let place = format!("{} {}, column {column}", self.row, record.number);
                bail!("{place} is in {unit}, but in another unit by its heading; only one of them can be right");
            }
        }
        self.columns.time = conversions[0].or(self.columns.time);
        for ((_, own), found) in self.columns.signals.iter_mut().zip(&conversions[1..]) {
            *own = found.or(*own);
        }
        Ok(true)
    }

    fn values(&mut self, record: &Record<'_>) -> Result<()> {
        let Columns { first, last, time, signals, skipped } = &self.columns;
        let place = format!("{} {}", self.row, record.number);
        for (column, content) in record.cells.iter().filter(|(column, _)| !skipped.contains(column)) {
            if column < first {
                bail!("{place}, column {column} is left of the headings, which begin in column {first}");
            }
            if let Content::Other(what) = content {
                bail!("{place}, column {column} {what}, but must be a number");
            }
            let has_heading = column == first || signals.binary_search_by_key(column, |(column, _)| *column).is_ok();
            if !has_heading && column < last {
                bail!("{place}, column {column} has a value, but no heading");
            }
        }
        let end = record.cells.last().map_or(0, |(column, _)| *column);
        let counts = |end: usize| {
            let [found, headings] = [end, *last].map(|column| column + 1 - first);
            anyhow!("{place} has {found} instead of the header's {headings} cells")
        };
        if end > *last {
            return Err(counts(end));
        }
        let cell = |column: usize| at(record, column);
        let now = match cell(*first) {
            None => bail!("{place}, column `time`: the value is missing"),
            Some(content) => number(content, record.numbers)
                .map_err(|reason| anyhow!("{place}, column `time`: {reason}"))
                .map(|value| time.map_or(value, |unit| unit.apply(value)))?,
        };
        if let Some(last) = self.input.time.last().filter(|last| **last > now) {
            bail!("{place}: time {now} comes after {last}; times must not decrease");
        }
        for (signal, (column, unit)) in self.input.signals.iter_mut().zip(signals) {
            let variable = &self.variables[signal.position];
            let located = |reason: String| anyhow!("{place}, column `{}`: {reason}", variable.name);
            let is_text = matches!(variable.kind, VariableType::String { .. });
            let value = match cell(*column) {
                None if is_text => Value::String(String::new()),
                // A row of a text without its last cells is cut off.
                None if *column > end && self.row == LINE => return Err(counts(end)),
                None => return Err(located("the value is missing".to_owned())),
                Some(content) => value(content, record.numbers, variable, self.enumerations).map_err(located)?,
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

/// Returns the content of a cell, if it is not empty.
fn at<'r>(record: &'r Record<'_>, column: usize) -> Option<&'r Content> {
    let found = record.cells.binary_search_by_key(&column, |(column, _)| *column).ok()?;
    Some(&record.cells[found].1)
}

fn is_time(heading: &str) -> bool {
    heading.eq_ignore_ascii_case("time") || Heading::of(heading).name.eq_ignore_ascii_case("time")
}

fn text(content: &Content) -> Option<&str> {
    if let Content::Text(text) = content { Some(text) } else { None }
}

/// Returns a cell as a text.
fn shown(content: &Content) -> String {
    match content {
        Content::Number(number) => number.to_string(),
        Content::Text(text) => text.to_string(),
        Content::Boolean(truth) => truth.to_string(),
        Content::Other(what) => (*what).to_owned(),
    }
}

fn unit_of(variable: &Variable) -> &str {
    match &variable.kind {
        VariableType::Real { unit: Some(unit), .. } => unit,
        _ => "1",
    }
}

/// Returns the conversion of a column to the unit of its variable.
fn conversion(unit: &str, wanted: &str, column: usize) -> Result<Conversion> {
    let Some(from) = Unit::parse(unit) else {
        bail!("column {column} is in \"{}\", which is not a known unit", cut(unit));
    };
    // A unit of another tool must be the same.
    let to = Unit::parse(wanted).or((unit == wanted).then_some(from));
    let conversion = to.and_then(|to| from.to(&to));
    conversion.ok_or_else(|| anyhow!("column {column} is in {unit}, which cannot be converted to {wanted}"))
}

/// Reads a finite number; the error is a sentence.
fn number(content: &Content, numbers: Numbers) -> Result<f64, String> {
    let text = match content {
        Content::Number(number) => return Ok(*number),
        content => shown(content),
    };
    match numbers.read(&text) {
        Ok(number) if number.is_finite() => Ok(number),
        Err(NotANumber::Unclear) => Err(readings(&text)),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// Returns the value of a cell for a variable, by the variable's type; the error is a sentence.
fn value(
    content: &Content,
    numbers: Numbers,
    variable: &Variable,
    enumerations: &[Enumeration],
) -> Result<Value, String> {
    let text = shown(content);
    let parsed = || Value::parse(&text, &variable.kind, enumerations);
    let read = match content {
        Content::Number(number) => Ok(*number),
        Content::Text(text) => numbers.read(text),
        _ => Err(NotANumber::Text),
    };
    match (&variable.kind, read) {
        (VariableType::String { .. }, _) => parsed(),
        (_, Err(NotANumber::Unclear)) => Err(readings(&text)),
        (VariableType::Real { .. }, Ok(number)) if number.is_finite() => Ok(Value::Real(number)),
        // Programs write integers and Booleans as 1.0.
        (VariableType::Boolean { .. }, Ok(number)) if [0.0, 1.0].contains(&number) => Ok(Value::Boolean(number == 1.0)),
        (VariableType::Integer { .. } | VariableType::Enumeration { .. }, Ok(number)) if number.fract() == 0.0 => {
            Value::parse(&number.to_string(), &variable.kind, enumerations)
        }
        _ => parsed(),
    }
}

/// Returns the beginning of a text that may be a whole line.
fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
