//! Signals over time, and their values between the times of a table.

#[cfg(feature = "commands")]
pub(crate) use super::columns::NumberColumns;
pub use super::input_table::InputTable;
use crate::values::value::Value;
pub use spreadsheet::table::{ColumnName, TableOptions};

/// Fraction of a time by which a communication point, which is computed, may miss a time of the file.
const NEAR: f64 = 4.0 * f64::EPSILON;

/// Fraction of a value by which it may miss a straight line and still be on it.
const STRAIGHT: f64 = 1e-9;

/// Signals over a common time, for some of the inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Input {
    /// Times in seconds; two equal ones make a jump.
    pub time: Vec<f64>,
    /// The signals.
    pub signals: Vec<Signal>,
    /// The times at which a signal does not go on as a straight line, or a held one changes.
    pub(super) stops: Vec<f64>,
    /// Notes on the reading of the file.
    pub notes: Vec<String>,
}

/// The signal of one input, or of a parameter that may change during a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    /// Position among the variables.
    pub position: usize,
    /// True if it is interpolated linearly between the times; otherwise it is held.
    pub continuous: bool,
    /// One value for each time, Booleans as 0 or 1, whole numbers and Strings as positions in `distinct`.
    pub values: Vec<f64>,
    /// The values of a whole number or a String, without those that repeat the one before.
    pub distinct: Vec<Value>,
}

impl Signal {
    /// Adds the value of the next time.
    pub(super) fn push(&mut self, value: Value) {
        self.values.push(match value {
            Value::Real(value) => value,
            Value::Boolean(value) => f64::from(value),
            value => {
                // Equal neighbours are one value, so that it does not change.
                if self.distinct.last() != Some(&value) {
                    self.distinct.push(value);
                }
                (self.distinct.len() - 1) as f64
            }
        });
    }
}

impl Input {
    /// Returns true if a signal is interpolated between the times.
    pub fn has_ramps(&self) -> bool {
        self.signals.iter().any(|signal| signal.continuous)
    }

    /// Returns the times of the rows at which a signal jumps or bends.
    pub(super) fn bends(&self) -> Vec<f64> {
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

    /// Returns the times inside of an interval at which a signal jumps or bends.
    pub fn stops_between(&self, from: f64, to: f64) -> &[f64] {
        let near = |one: f64, other: f64| (one - other).abs() <= NEAR * other.abs();
        let first = self.stops.partition_point(|stop| *stop <= from || near(*stop, from));
        let last = self.stops.partition_point(|stop| *stop < to && !near(*stop, to));
        &self.stops[first..last.max(first)]
    }

    /// Returns the value of a signal at a time, after the jump if there is one.
    pub fn after(&self, signal: &Signal, time: f64) -> f64 {
        let time = self.snap(time);
        let next = self.time.partition_point(|other| *other <= time);
        self.between(signal, next, time)
    }

    /// Returns the value of a signal towards a time, before the jump if there is one.
    pub fn before(&self, signal: &Signal, time: f64) -> f64 {
        let time = self.snap(time);
        let next = self.time.partition_point(|other| *other < time);
        match self.time.get(next) {
            // One that is held has the value of the row before.
            Some(other) if *other == time && signal.continuous => signal.values[next],
            _ => self.between(signal, next, time),
        }
    }

    /// Returns the part of a run that the signals do not cover, if there is any.
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

    /// Returns the time of the file that is meant.
    fn snap(&self, time: f64) -> f64 {
        let next = self.time.partition_point(|other| *other < time);
        let near = |other: &&f64| (*other - time).abs() <= NEAR * time.abs();
        let candidates = [next.checked_sub(1), Some(next)];
        let mut times = candidates.into_iter().flatten().filter_map(|at| self.time.get(at));
        times.find(near).copied().unwrap_or(time)
    }
}
