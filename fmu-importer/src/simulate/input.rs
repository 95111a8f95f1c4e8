//! Input signals from a table in a text or a workbook.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use csv::{ReaderBuilder, StringRecord, Trim};
use fmu_builder::description::{Causality, Enumeration, Variability, Variable, VariableType};
use fmu_runtime::LARGEST_DATA;
use spreadsheet::is_workbook;
use spreadsheet::numbers::{NotANumber, Numbers, readings};
use spreadsheet::text::{Dialect, Text};

use super::workbook::Rows;
use crate::values::value::Value;
use crate::values::{file, variables};

/// Larger files than these, in bytes, are not read.
const LARGEST: u64 = 1 << 30;

/// More characters than these of a wrong header are not quoted.
const QUOTED: usize = 40;

/// Communication points are computed, so that they may miss a time of the file by so much of it.
const NEAR: f64 = 4.0 * f64::EPSILON;

/// Values that miss a straight line by less than this fraction of them are on it.
const STRAIGHT: f64 = 1e-9;

/// Signals over a common time, for some of the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Times in seconds; two equal ones make a jump.
    pub time: Vec<f64>,
    /// The signals.
    pub signals: Vec<Signal>,
    /// The times at which a signal does not go on as a straight line, or a held one not as it was.
    stops: Vec<f64>,
}

/// What one input does.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Position of the input among the variables.
    pub position: usize,
    /// Whether it is interpolated linearly between the times; otherwise it is held.
    pub continuous: bool,
    /// One value for each time, Booleans as 0 or 1.
    pub values: Vec<f64>,
}

impl Input {
    /// Whether a signal is interpolated between the times.
    pub fn has_ramps(&self) -> bool {
        self.signals.iter().any(|signal| signal.continuous)
    }

    /// Reads a text or a workbook; its first column is `time`, the others have the names of inputs. An empty `sheet`
    /// means the only one with data.
    pub fn read(path: &Path, sheet: &str, variables: &[Variable], enumerations: &[Enumeration]) -> Result<Self> {
        let input = if is_workbook(&path.to_string_lossy()) {
            let content = file::read(path, LARGEST_DATA)?;
            let rows = Rows::read(path, &content, sheet);
            rows.and_then(|rows| Self::from_rows(&rows, variables, enumerations))
        } else if sheet.is_empty() {
            Self::from_reader(file::open(path, LARGEST)?, variables, enumerations)
        } else {
            Err(anyhow!("it has no sheets, so there is none named \"{sheet}\""))
        };
        input.with_context(|| format!("{} cannot be used as input", path.display()))
    }

    /// Takes the rows of a workbook.
    fn from_rows(rows: &Rows, variables: &[Variable], enumerations: &[Enumeration]) -> Result<Self> {
        let mut input = Self { time: Vec::new(), signals: signals(&rows.header, variables)?, stops: Vec::new() };
        for (number, record) in &rows.records {
            let place = ("row", u64::from(*number));
            input.push(record, place, rows.numbers, (&rows.header, variables, enumerations))?;
        }
        input.finished()
    }

    /// Reads the text of such a file.
    pub fn from_reader(mut reader: impl Read, variables: &[Variable], enumerations: &[Enumeration]) -> Result<Self> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes)?;
        let text = Text::new(&bytes, Dialect::default()).map_err(|what| anyhow!("it {what}"))?;
        let mut reader = ReaderBuilder::new()
            .delimiter(text.separator())
            .flexible(true)
            .trim(Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.content.as_bytes());
        let header = reader.headers()?.clone();
        let mut input = Self { time: Vec::new(), signals: signals(&header, variables)?, stops: Vec::new() };
        let numbers = text.numbers().map_err(|what| anyhow!("{what}"))?;
        for record in reader.records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line) + u64::from(text.lines);
            input.push(&record, ("line", line), numbers, (&header, variables, enumerations))?;
        }
        input.finished()
    }

    fn finished(mut self) -> Result<Self> {
        if self.time.is_empty() {
            bail!("it holds no row of values");
        }
        self.stops = self.bends();
        Ok(self)
    }

    /// The rows at which a signal jumps or bends.
    fn bends(&self) -> Vec<f64> {
        let mut stops: Vec<f64> =
            (0..self.time.len()).filter(|row| self.bends_at(*row)).map(|row| self.time[row]).collect();
        stops.dedup();
        stops
    }

    fn bends_at(&self, row: usize) -> bool {
        let time = &self.time;
        self.signals.iter().any(|signal| {
            let value = &signal.values;
            // Before the first row and after the last one, values are held.
            let before = row.checked_sub(1).map_or((time[row] - 1.0, value[row]), |last| (time[last], value[last]));
            let after = value.get(row + 1).map_or((time[row] + 1.0, value[row]), |next| (time[row + 1], *next));
            if !signal.continuous {
                return before.1 != value[row];
            }
            if before.0 == time[row] || time[row] == after.0 {
                return true;
            }
            let straight = before.1 + (after.1 - before.1) * ((time[row] - before.0) / (after.0 - before.0));
            let largest = before.1.abs().max(after.1.abs()).max(value[row].abs());
            (straight - value[row]).abs() > STRAIGHT * largest
        })
    }

    /// The times inside of an interval at which a signal jumps or bends.
    pub fn stops_between(&self, from: f64, to: f64) -> &[f64] {
        let near = |one: f64, other: f64| (one - other).abs() <= NEAR * other.abs();
        let first = self.stops.partition_point(|stop| *stop <= from || near(*stop, from));
        let last = self.stops.partition_point(|stop| *stop < to && !near(*stop, to));
        &self.stops[first..last.max(first)]
    }

    /// The value of a signal at a time, after the jump if there is one.
    pub fn after(&self, signal: &Signal, time: f64) -> f64 {
        let time = self.snap(time);
        let next = self.time.partition_point(|other| *other <= time);
        self.between(signal, next, time)
    }

    /// The value of a signal towards a time, before the jump if there is one.
    pub fn before(&self, signal: &Signal, time: f64) -> f64 {
        let time = self.snap(time);
        let next = self.time.partition_point(|other| *other < time);
        match self.time.get(next) {
            Some(other) if *other == time => signal.values[next],
            _ => self.between(signal, next, time),
        }
    }

    /// What of a run the signals do not cover, if there is any.
    pub fn uncovered(&self, start: f64, stop: f64) -> Option<String> {
        let (first, last) = (*self.time.first()?, *self.time.last()?);
        let late = format!("begins at {first} s, after the start at {start} s: its first values hold until then");
        let early = format!("ends at {last} s, before the stop at {stop} s: its last values hold from then on");
        match (first > start, last < stop) {
            (false, false) => None,
            (true, false) => Some(format!("the input {late}")),
            (false, true) => Some(format!("the input {early}")),
            (true, true) => Some(format!("the input {late}; it {early}")),
        }
    }

    fn between(&self, signal: &Signal, next: usize, time: f64) -> f64 {
        let Some(last) = next.checked_sub(1) else {
            return signal.values[0];
        };
        let begin = signal.values[last];
        let Some(end) = signal.values.get(next).filter(|_| signal.continuous) else {
            return begin;
        };
        let (from, to) = (self.time[last], self.time[next]);
        if time == from {
            return begin;
        }
        begin + (end - begin) * ((time - from) / (to - from))
    }

    /// The time of the file that is meant.
    fn snap(&self, time: f64) -> f64 {
        let next = self.time.partition_point(|other| *other < time);
        let near = |other: &&f64| (*other - time).abs() <= NEAR * time.abs();
        let candidates = [next.checked_sub(1), Some(next)];
        let mut times = candidates.into_iter().flatten().filter_map(|at| self.time.get(at));
        times.find(near).copied().unwrap_or(time)
    }

    fn push(
        &mut self,
        record: &StringRecord,
        (what, line): (&str, u64),
        numbers: Numbers,
        (header, variables, enumerations): (&StringRecord, &[Variable], &[Enumeration]),
    ) -> Result<()> {
        if record.len() != header.len() {
            bail!("{what} {line} has {} instead of the header's {} cells", record.len(), header.len());
        }
        let time = match numbers.read(&record[0]) {
            Ok(time) if time.is_finite() => time,
            Err(NotANumber::Unclear) => bail!("{what} {line}, column `time`: {}", readings(&record[0])),
            _ if record[0].is_empty() => bail!("{what} {line}, column `time`: the value is missing"),
            _ => bail!("{what} {line}, column `time`: `{}` is not a number", &record[0]),
        };
        if let Some(last) = self.time.last().filter(|last| **last > time) {
            bail!("{what} {line}: time {time} comes after {last}; times must not decrease");
        }
        self.time.push(time);
        for (signal, cell) in self.signals.iter_mut().zip(record.iter().skip(1)) {
            let variable = &variables[signal.position];
            let value = match (&variable.kind, numbers.read(cell)) {
                (VariableType::Real { .. }, Ok(number)) if number.is_finite() => Ok(Value::Real(number)),
                (VariableType::Real { .. }, Err(NotANumber::Unclear)) => Err(readings(cell)),
                _ => Value::parse(cell, &variable.kind, enumerations),
            };
            let value = value.map_err(|reason| anyhow!("{what} {line}, column `{}`: {reason}", variable.name))?;
            signal.values.push(value.number().unwrap_or_default());
        }
        Ok(())
    }
}

fn signals(header: &StringRecord, variables: &[Variable]) -> Result<Vec<Signal>> {
    if header.is_empty() {
        bail!("it is empty; it must begin with a row of names, `time` and inputs");
    }
    let first = header.get(0).unwrap_or_default();
    if first != "time" {
        bail!("its first column must be `time`, not `{}`", cut(first));
    }
    let mut signals: Vec<Signal> = Vec::new();
    for (column, name) in header.iter().enumerate().skip(1) {
        let position =
            position(name, variables).with_context(|| format!("column {} must be an input of the FMU", column + 1))?;
        if signals.iter().any(|other| other.position == position) {
            bail!("column {} repeats `{name}`", column + 1);
        }
        signals.push(Signal {
            position,
            continuous: variables[position].variability == Variability::Continuous,
            values: Vec::new(),
        });
    }
    Ok(signals)
}

/// The beginning of a text that may be a whole line.
fn cut(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn position(name: &str, variables: &[Variable]) -> Result<usize> {
    let eligible = |variable: &Variable| variable.causality == Causality::Input;
    match variables.iter().position(|other| other.name == name) {
        Some(position) if eligible(&variables[position]) => Ok(position),
        Some(position) => {
            bail!("`{name}` is {}", variables::role(variables[position].causality))
        }
        None if name.contains('[') && !name.contains(']') => {
            bail!("`{name}` is cut off at a comma: enclose such a name in double quotes")
        }
        None => {
            let scalars = variables.iter().filter(|other| eligible(other));
            Err(variables::unknown(name, scalars.map(|other| other.name.as_str())))
        }
    }
}
