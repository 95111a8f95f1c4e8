//! Values that a table describes instead of a list: `{ from = …, to = …, … }`.

use anyhow::Result;
use toml::de::DeTable;

use super::distribution::Distribution;
use super::plan::SPREAD_KEYS;
use crate::values::toml_file::{Entry, Keys, TomlFile, number};

/// Largest number of values of one parameter; more are a mistake.
const MAX_VALUES: usize = 1_000_000;

/// The description of an entry's values.
pub struct Spread<'e, 'a> {
    source: &'e TomlFile,
    entry: &'e Entry<'a>,
    table: &'e DeTable<'a>,
}

impl<'e, 'a> Spread<'e, 'a> {
    /// Makes a description of values from a table with known keys only.
    pub fn new(source: &'e TomlFile, entry: &'e Entry<'a>, table: &'e DeTable<'a>) -> Result<Self> {
        Keys { source, table }.only(&SPREAD_KEYS)?;
        Ok(Self { source, entry, table })
    }

    /// Returns the values of a grid.
    pub fn range(&self) -> Result<Vec<f64>> {
        self.only(&["from", "to", "count", "spacing"], "a grid")?;
        let (from, to) = (self.required("from")?, self.required("to")?);
        let count = self.required("count")?;
        if count.fract() != 0.0 || !(2.0..=MAX_VALUES as f64).contains(&count) {
            return Err(self.error("count", format_args!("`count` must be a whole number from 2 to {MAX_VALUES}")));
        }
        let last = count - 1.0;
        let between = |i: f64, from: f64, to: f64| (from * (last - i) + to * i) / last;
        let steps = (0..count as usize).map(|i| i as f64);
        match self.word("spacing")?.as_deref() {
            None | Some("linear") => Ok(steps.map(|i| between(i, from, to)).collect()),
            Some("log") => {
                self.logarithmic(from, to)?;
                let middle = |i| from * libm::pow(to / from, i / last);
                // The ends are as in the file, without rounding.
                Ok(steps
                    .map(|i| {
                        if i == 0.0 {
                            from
                        } else if i == last {
                            to
                        } else {
                            middle(i)
                        }
                    })
                    .collect())
            }
            Some(other) => {
                Err(self.error("spacing", format_args!("unknown spacing `{other}`; available: \"linear\" and \"log\"")))
            }
        }
    }

    /// Returns the distribution of a Latin hypercube.
    pub fn distribution(&self) -> Result<Distribution> {
        self.only(&["from", "to", "distribution", "mean", "deviation"], "a Latin hypercube")?;
        match self.word("distribution")?.as_deref() {
            None | Some("uniform") => self.between(|from, to| Distribution::Uniform { from, to }),
            Some("logUniform") => {
                self.logarithmic(self.required("from")?, self.required("to")?)?;
                self.between(|from, to| Distribution::LogUniform { from, to })
            }
            Some("normal") => {
                let (mean, deviation) = (self.required("mean")?, self.required("deviation")?);
                if deviation <= 0.0 {
                    return Err(self.error("deviation", "`deviation` must be positive"));
                }
                let (from, to) = (self.number("from")?, self.number("to")?);
                if from.zip(to).is_some_and(|(from, to)| from >= to) {
                    return Err(self.error("to", "`to` must be larger than `from`"));
                }
                Distribution::normal(mean, deviation, from, to).ok_or_else(|| {
                    let message = "hardly any of the distribution lies between `from` and `to`";
                    self.source.error(self.entry.value.span(), message)
                })
            }
            Some(other) => {
                let message =
                    format!("unknown distribution `{other}`; available: \"uniform\", \"logUniform\" and \"normal\"");
                Err(self.error("distribution", message))
            }
        }
    }

    fn between(&self, make: impl Fn(f64, f64) -> Distribution) -> Result<Distribution> {
        self.only(&["from", "to", "distribution"], "a uniform distribution")?;
        let (from, to) = (self.required("from")?, self.required("to")?);
        if from >= to {
            return Err(self.error("to", "`to` must be larger than `from`"));
        }
        Ok(make(from, to))
    }

    /// Fails unless a logarithmic scale leads from one value to the other.
    fn logarithmic(&self, from: f64, to: f64) -> Result<()> {
        let message = match to / from {
            ratio if ratio.is_normal() && ratio > 0.0 => return Ok(()),
            _ if from != 0.0 && to != 0.0 && (from > 0.0) == (to > 0.0) => {
                "a logarithmic scale takes `from` and `to` whose ratio is below 1e308"
            }
            _ => "a logarithmic scale takes `from` and `to` both positive, or both negative",
        };
        Err(self.source.error(self.entry.value.span(), message))
    }

    fn only(&self, keys: &[&str], what: &str) -> Result<()> {
        match self.table.keys().find(|key| !keys.contains(&key.get_ref().as_ref())) {
            Some(key) => Err(self.source.error(key.span(), format_args!("{what} has no `{}`", key.get_ref()))),
            None => Ok(()),
        }
    }

    fn number(&self, key: &str) -> Result<Option<f64>> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let message = || self.source.error(value.span(), format_args!("`{key}` must be a finite number"));
        number(value.get_ref()).ok_or_else(message).map(Some)
    }

    fn required(&self, key: &str) -> Result<f64> {
        let message =
            || self.source.error(self.entry.value.span(), format_args!("`{}` lacks `{key}`", self.entry.name));
        self.number(key)?.ok_or_else(message)
    }

    fn word(&self, key: &str) -> Result<Option<String>> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let message = || self.source.error(value.span(), format_args!("`{key}` must be a string in quotation marks"));
        value.get_ref().as_str().map(str::to_owned).ok_or_else(message).map(Some)
    }

    fn error(&self, key: &str, message: impl std::fmt::Display) -> anyhow::Error {
        let span = self.table.get(key).map_or(self.entry.value.span(), |value| value.span());
        self.source.error(span, message)
    }
}
