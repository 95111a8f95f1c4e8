//! The content of a sweep file, before it is known whether the FMU has such variables.

use std::borrow::Cow;
use std::num::NonZero;
use std::ops::Range;
use std::str::FromStr;

use anyhow::{Result, bail};
use fmu_builder::suggestion;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::{SweepFile, scalar};

const KEYS: [&str; 12] =
    ["fmu", "input", "sheet", "skip", "start", "stop", "step", "design", "samples", "seed", "parameters", "results"];

/// The keys of a table that describes values.
pub const SPREAD_KEYS: [&str; 7] = ["from", "to", "count", "spacing", "distribution", "mean", "deviation"];

/// The sections and settings of a sweep file.
pub struct Plan<'a> {
    pub source: &'a SweepFile,
    pub fmu: String,
    pub input: Option<String>,
    /// Sheet of the input workbook, if it has several.
    pub sheet: Option<String>,
    /// Columns of the input that are left out.
    pub skip: Vec<String>,
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub step: Option<f64>,
    pub design: DesignKind,
    pub parameters: Vec<Entry<'a>>,
    pub results: Vec<Entry<'a>>,
}

/// Combination of the values of the parameters.
#[derive(Clone, Copy)]
pub enum DesignKind {
    /// Combines each value with each.
    Grid,
    /// Draws this number of points with this seed.
    LatinHypercube { samples: usize, seed: u64 },
}

/// An entry of a section, by its name.
pub struct Entry<'a> {
    pub name: String,
    pub span: Range<usize>,
    pub value: Spanned<DeValue<'a>>,
}

impl<'a> Plan<'a> {
    pub fn read(source: &'a SweepFile) -> Result<Self> {
        let document = source.parse()?;
        let table = document.get_ref();
        for (key, _) in table {
            known(source, key, &KEYS, "unknown key")?;
        }
        let top = Top { source, table };
        let Some(fmu) = top.text("fmu")? else {
            return Err(source.error(0..0, "no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\""));
        };
        for key in ["sheet", "skip"] {
            if table.contains_key(key) && !table.contains_key("input") {
                let message = format!("{key} needs an input: add a line such as input = \"motion.xlsx\"");
                return Err(source.error(0..0, message));
            }
        }
        Ok(Self {
            source,
            fmu,
            input: top.text("input")?,
            sheet: top.text("sheet")?,
            skip: top.texts("skip")?,
            start: top.real("start")?,
            stop: top.real("stop")?,
            step: top.real("step")?,
            design: top.design()?,
            parameters: top.section("parameters", |table| !is_spread(table))?,
            results: top.section("results", |_| true)?,
        })
    }
}

/// Returns true if a table describes values; otherwise it continues a name: `frame_a.r_0 = …`.
fn is_spread(table: &DeTable) -> bool {
    table.keys().any(|key| SPREAD_KEYS.contains(&key.get_ref().as_ref()))
}

/// Fails, with the nearest name, unless a key is one of those.
pub fn known(source: &SweepFile, key: &Spanned<Cow<str>>, keys: &[&str], what: &str) -> Result<()> {
    let name = key.get_ref();
    if keys.contains(&name.as_ref()) {
        return Ok(());
    }
    let help = match suggestion(name, keys.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("available: {}", keys.join(", ")),
    };
    Err(source.error(key.span(), format_args!("{what} `{name}`; {help}")))
}

/// The entries before the first section.
struct Top<'t, 'a> {
    source: &'a SweepFile,
    table: &'t DeTable<'a>,
}

impl<'a> Top<'_, 'a> {
    fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key, "a string in quotation marks", |value| value.as_str().map(str::to_owned))
    }

    fn texts(&self, key: &str) -> Result<Vec<String>> {
        let texts = |value: &DeValue| -> Option<Vec<String>> {
            value.as_array()?.iter().map(|text| text.get_ref().as_str().map(str::to_owned)).collect()
        };
        Ok(self.get(key, "an array of strings, such as [\"Temperature\"]", texts)?.unwrap_or_default())
    }

    fn real(&self, key: &str) -> Result<Option<f64>> {
        self.get(key, "a number", number)
    }

    fn whole<T: FromStr>(&self, key: &str, what: &str) -> Result<Option<T>> {
        self.get(key, what, |value| scalar(value)?.parse().ok().filter(|_| value.is_integer()))
    }

    fn get<T>(&self, key: &str, what: &str, read: impl Fn(&DeValue) -> Option<T>) -> Result<Option<T>> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        match read(value.get_ref()) {
            Some(read) => Ok(Some(read)),
            None => Err(self.source.error(value.span(), format_args!("`{key}` must be {what}"))),
        }
    }

    fn design(&self) -> Result<DesignKind> {
        let samples = self.whole::<NonZero<usize>>("samples", "a whole number from 1 on")?;
        let seed = self.whole("seed", "a whole number from 0 on")?;
        let design = self.text("design")?;
        let span = |key: &str| self.table.get(key).map_or(0..0, Spanned::span);
        match design.as_deref() {
            None | Some("grid") => {
                if let Some(key) = ["samples", "seed"].into_iter().find(|key| self.table.contains_key(*key)) {
                    let message = format!("`{key}` needs design = \"latinHypercube\"; a grid has none");
                    return Err(self.source.error(span(key), message));
                }
                Ok(DesignKind::Grid)
            }
            Some("latinHypercube") => match samples {
                Some(samples) => Ok(DesignKind::LatinHypercube { samples: samples.get(), seed: seed.unwrap_or(0) }),
                None => {
                    let message = "the number of points is missing: add a line such as samples = 100";
                    Err(self.source.error(span("design"), message))
                }
            },
            Some(other) => {
                let message = format!("unknown design `{other}`; available: \"grid\" and \"latinHypercube\"");
                Err(self.source.error(span("design"), message))
            }
        }
    }

    /// Returns the entries of a section in the order of the file; tables that `is_name` continue the name.
    fn section(&self, name: &str, is_name: impl Fn(&DeTable) -> bool) -> Result<Vec<Entry<'a>>> {
        let Some(value) = self.table.get(name) else {
            bail!(self.source.error(0..0, format_args!("the section [{name}] is missing")));
        };
        let Some(table) = value.get_ref().as_table() else {
            bail!(self.source.error(value.span(), format_args!("`{name}` must be a section: [{name}]")));
        };
        let mut entries = Vec::new();
        collect("", table, &is_name, &mut entries);
        entries.sort_by_key(|entry| entry.span.start);
        if entries.is_empty() {
            bail!(self.source.error(value.span(), format_args!("the section [{name}] is empty")));
        }
        Ok(entries)
    }
}

fn collect<'a>(prefix: &str, table: &DeTable<'a>, is_name: &impl Fn(&DeTable) -> bool, entries: &mut Vec<Entry<'a>>) {
    for (key, value) in table {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref().as_table() {
            Some(inner) if is_name(inner) && !inner.is_empty() => collect(&format!("{name}."), inner, is_name, entries),
            _ => entries.push(Entry { name, span: key.span(), value: value.clone() }),
        }
    }
}

/// Reads a finite number.
pub fn number(value: &DeValue) -> Option<f64> {
    let is_number = value.is_integer() || value.is_float();
    scalar(value).filter(|_| is_number)?.parse().ok().filter(|number: &f64| number.is_finite())
}
