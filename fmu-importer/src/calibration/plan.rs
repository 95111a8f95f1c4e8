//! The content of a fit file, before it is known whether the FMU has such variables.

use std::num::NonZero;
use std::ops::Range;

use anyhow::Result;
use spreadsheet::table::{ColumnName, TableOptions};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::Interface;
use crate::values::table_keys::table_options;
use crate::values::toml_file::{Entry, Keys, TomlFile, number, scalar};

const KEYS: [&str; 9] =
    ["fmu", "model", "interface", "tolerance", "starts", "seed", "values", "parameters", "experiments"];

const EXPERIMENT_KEYS: [&str; 15] = [
    "name", "data", "sheet", "range", "units", "decimal", "delimiter", "encoding", "time", "frequency", "start",
    "outputs", "inputs", "input", "values",
];

/// The keys of a table that describes a parameter.
const PARAMETER_KEYS: [&str; 7] = ["start", "min", "max", "scale", "mean", "deviation", "variables"];

/// The keys of a table that describes an output.
const OUTPUT_KEYS: [&str; 2] = ["column", "deviation"];

/// The keys of a table that describes an output over frequency.
const RESPONSE_KEYS: [&str; 2] = ["magnitude", "phase"];

/// The word for a parameter whose logarithm is searched for.
const LOG: &str = "log";

/// The sections and settings of a fit file.
pub struct Plan<'a> {
    pub fmu: String,
    /// The configuration from which the FMU was built.
    pub model: Option<String>,
    pub interface: Option<Interface>,
    pub tolerance: Option<f64>,
    pub starts: usize,
    pub seed: u64,
    pub values: Vec<Entry<'a>>,
    pub parameters: Vec<ParameterPlan<'a>>,
    pub experiments: Vec<ExperimentPlan<'a>>,
}

/// A parameter to be found.
pub struct ParameterPlan<'a> {
    pub entry: Entry<'a>,
    /// Variables that get the value, if not the one with the name of the entry.
    pub variables: Vec<String>,
    pub start: Option<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub scale: Option<Scale>,
    /// Mean and standard deviation of what is known beforehand.
    pub prior: Option<[f64; 2]>,
}

/// The quantity in which a parameter is searched for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scale {
    /// The parameter as a multiple of this.
    Linear(f64),
    /// The logarithm of the parameter.
    Log,
}

/// A measurement.
pub struct ExperimentPlan<'a> {
    pub span: Range<usize>,
    pub name: Option<String>,
    pub data: String,
    /// The way in which the data are read, with the units of times or frequencies, outputs, and inputs.
    pub table: TableOptions,
    /// The column with the times.
    pub time: Option<ColumnName>,
    /// The experiment is one over frequency.
    pub response: Option<ResponsePlan>,
    pub start: Option<f64>,
    /// Variables with their columns.
    pub outputs: Vec<OutputPlan<'a>>,
    pub inputs: Vec<OutputPlan<'a>>,
    pub values: Vec<Entry<'a>>,
}

/// A measurement over frequency.
pub struct ResponsePlan {
    /// The column with the frequencies.
    pub frequency: ColumnName,
    /// The input, with plus signs before those that are its time derivatives.
    pub input: String,
}

/// A variable with its column.
pub struct OutputPlan<'a> {
    pub entry: Entry<'a>,
    pub quantity: Quantity,
    pub column: ColumnName,
    /// Standard deviation of the errors of measurement.
    pub deviation: Option<f64>,
}

/// Quantity of an output that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The value over time.
    Value,
    /// The absolute value of the response, in dB.
    Magnitude,
    /// The phase of the response, in degrees.
    Phase,
}

impl Quantity {
    /// Returns the name of the quantity of an output.
    pub fn of(self, output: &str) -> String {
        match self {
            Self::Value => output.to_owned(),
            Self::Magnitude => format!("{output} magnitude"),
            Self::Phase => format!("{output} phase"),
        }
    }
}

impl<'a> Plan<'a> {
    pub fn read(source: &'a TomlFile) -> Result<Self> {
        let document = source.parse()?;
        let top = Keys { source, table: document.get_ref() };
        top.only(&KEYS)?;
        let Some(fmu) = top.text("fmu")? else {
            return Err(source.error(0..0, "no FMU is given: add a line such as fmu = \"target/fmu/Clutch.fmu\""));
        };
        let parameters = top.section("parameters", |table| !has(table, &PARAMETER_KEYS))?;
        let parameters = parameters.into_iter().map(|entry| parameter(source, entry)).collect::<Result<Vec<_>>>()?;
        let tolerance = positive(&top, "tolerance")?;
        Ok(Self {
            fmu,
            model: top.text("model")?,
            interface: top.get("interface", "\"co-simulation\" or \"model-exchange\"", |value| {
                match value.as_str()? {
                    "co-simulation" => Some(Interface::CoSimulation),
                    "model-exchange" => Some(Interface::ModelExchange),
                    _ => None,
                }
            })?,
            tolerance,
            starts: top.whole::<NonZero<usize>>("starts", "a whole number from 1 on")?.map_or(1, Into::into),
            seed: top.whole("seed", "a whole number from 0 on")?.unwrap_or(0),
            values: section(&top, "values")?,
            parameters,
            experiments: experiments(&top)?,
        })
    }
}

fn has(table: &DeTable, keys: &[&str]) -> bool {
    table.keys().any(|key| keys.contains(&key.get_ref().as_ref()))
}

fn positive(keys: &Keys<'_, '_>, key: &str) -> Result<Option<f64>> {
    keys.get(key, "a number above 0", |value| number(value).filter(|value| *value > 0.0))
}

/// Returns the entries of a section that may be missing.
fn section<'a>(keys: &Keys<'_, 'a>, name: &str) -> Result<Vec<Entry<'a>>> {
    if keys.table.contains_key(name) { keys.section(name, |_| true) } else { Ok(Vec::new()) }
}

fn parameter<'a>(source: &TomlFile, entry: Entry<'a>) -> Result<ParameterPlan<'a>> {
    let what = "a table such as { start = 1.0, min = 0.1, max = 10.0 }";
    let error = || source.error(entry.value.span(), format_args!("`{}` must be {what}", entry.name));
    let table = entry.value.get_ref().as_table().ok_or_else(error)?;
    let keys = Keys { source, table };
    keys.only(&PARAMETER_KEYS)?;
    let scale = keys.get("scale", "\"log\" or a number above 0", |value| match value.as_str() {
        Some(LOG) => Some(Scale::Log),
        _ => number(value).filter(|value| *value > 0.0).map(Scale::Linear),
    })?;
    let prior = match (keys.real("mean")?, positive(&keys, "deviation")?) {
        (None, None) => None,
        (Some(mean), Some(deviation)) => Some([mean, deviation]),
        (mean, _) => {
            let (there, missing) = if mean.is_some() { ("mean", "deviation") } else { ("deviation", "mean") };
            let message =
                format!("`{}` has a {there}, but no {missing}: what is known beforehand needs both", entry.name);
            return Err(source.error(keys.span(there), message));
        }
    };
    let (variables, start, min, max) =
        (keys.texts("variables")?, keys.real("start")?, keys.real("min")?, keys.real("max")?);
    Ok(ParameterPlan { variables, start, min, max, scale, prior, entry })
}

fn experiments<'a>(top: &Keys<'_, 'a>) -> Result<Vec<ExperimentPlan<'a>>> {
    let source = top.source;
    let tables = |value: &Spanned<DeValue<'a>>| value.get_ref().as_array().filter(|all| !all.is_empty()).is_some();
    let Some(value) = top.table.get("experiments").filter(|value| tables(value)) else {
        let message = "no experiment is given: add a section [[experiments]] with data and outputs";
        return Err(source.error(top.span("experiments"), message));
    };
    let each = value.get_ref().as_array().into_iter().flat_map(|array| array.iter());
    each.map(|value| match value.get_ref().as_table() {
        Some(table) => experiment(&Keys { source, table }, value.span()),
        None => Err(source.error(value.span(), "an experiment must be a section [[experiments]]")),
    })
    .collect()
}

fn experiment<'a>(keys: &Keys<'_, 'a>, span: Range<usize>) -> Result<ExperimentPlan<'a>> {
    keys.only(&EXPERIMENT_KEYS)?;
    let Some(data) = keys.text("data")? else {
        return Err(keys.source.error(span, "the experiment has no data: add a line such as data = \"run.csv\""));
    };
    let response = response(keys)?;
    let own: &[&str] = if response.is_some() { &RESPONSE_KEYS } else { &OUTPUT_KEYS };
    let outputs = keys.section("outputs", |table| !has(table, own))?;
    let inputs = match keys.table.contains_key("inputs") {
        true => keys.section("inputs", |table| !has(table, &OUTPUT_KEYS))?,
        false => Vec::new(),
    };
    let columns = |entries: Vec<Entry<'a>>| -> Result<Vec<OutputPlan<'a>>> {
        entries.into_iter().map(|entry| column(keys.source, entry)).collect()
    };
    let inputs = columns(inputs)?;
    if let Some(input) = inputs.iter().find(|input| input.deviation.is_some()) {
        let message = format!("the input `{}` has a deviation: inputs are taken as they are", input.entry.name);
        return Err(keys.source.error(input.entry.span.clone(), message));
    }
    Ok(ExperimentPlan {
        span,
        name: keys.text("name")?,
        data,
        table: table_options(keys)?,
        time: column_of(keys, "time")?,
        start: keys.real("start")?,
        outputs: match &response {
            None => columns(outputs)?,
            Some(_) => outputs
                .iter()
                .map(|entry| responses(keys.source, entry))
                .collect::<Result<Vec<_>>>()?
                .into_iter()
                .flatten()
                .collect(),
        },
        response,
        inputs,
        values: section(keys, "values")?,
    })
}

/// Reads how a measurement over frequency was made, if it is one.
fn response(keys: &Keys<'_, '_>) -> Result<Option<ResponsePlan>> {
    let (frequency, input) = (column_of(keys, "frequency")?, keys.text("input")?);
    let error = |key: &str, message: &str| Err(keys.source.error(keys.span(key), message));
    match (frequency, input) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            error("input", "an experiment with one input is over frequency: add a line such as frequency = \"f\"")
        }
        (Some(_), None) => error(
            "frequency",
            "an experiment over frequency has one input: add a line such as input = \"frame_b.r_0[1]+frame_b.v_0[1]\"",
        ),
        (Some(frequency), Some(input)) => match ["time", "inputs"].iter().find(|key| keys.table.contains_key(**key)) {
            Some(key) => error(key, &format!("`{key}` is for time series, but the experiment is over frequency")),
            None => Ok(Some(ResponsePlan { frequency, input })),
        },
    }
}

/// Reads the headings of magnitude and phase of an output.
fn responses<'a>(source: &TomlFile, entry: &Entry<'a>) -> Result<Vec<OutputPlan<'a>>> {
    let error = || {
        let what = "a table such as { magnitude = \"K\", phase = \"delta\" }, since the experiment is over frequency";
        source.error(entry.value.span(), format_args!("`{}` must be {what}", entry.name))
    };
    let keys = Keys { source, table: entry.value.get_ref().as_table().ok_or_else(error)? };
    keys.only(&RESPONSE_KEYS)?;
    let mut plans = Vec::new();
    for (key, quantity) in [("magnitude", Quantity::Magnitude), ("phase", Quantity::Phase)] {
        if let Some(column) = column_of(&keys, key)? {
            plans.push(OutputPlan { column, quantity, deviation: None, entry: entry.clone() });
        }
    }
    if plans.is_empty() { Err(error()) } else { Ok(plans) }
}

/// Reads the heading or the number of a column.
fn column_of(keys: &Keys<'_, '_>, key: &str) -> Result<Option<ColumnName>> {
    keys.get(key, "the heading of a column, or its number from 1", name_of)
}

fn name_of(value: &DeValue) -> Option<ColumnName> {
    match value.as_str() {
        Some(heading) => Some(ColumnName::Heading(heading.to_owned())),
        None if value.is_integer() => {
            Some(ColumnName::Number(scalar(value)?.parse().ok().filter(|number| *number > 0)?))
        }
        None => None,
    }
}

/// Reads the heading or the number of a column, or a table with it.
fn column<'a>(source: &TomlFile, entry: Entry<'a>) -> Result<OutputPlan<'a>> {
    let value = entry.value.get_ref();
    if let Some(column) = name_of(value) {
        return Ok(OutputPlan { column, quantity: Quantity::Value, deviation: None, entry });
    }
    let what = "the heading or number of a column, or { column = \"…\", deviation = … }";
    let error = || source.error(entry.value.span(), format_args!("`{}` must be {what}", entry.name));
    let keys = Keys { source, table: value.as_table().ok_or_else(error)? };
    keys.only(&OUTPUT_KEYS)?;
    let (column, deviation) = (column_of(&keys, "column")?.ok_or_else(error)?, positive(&keys, "deviation")?);
    Ok(OutputPlan { column, quantity: Quantity::Value, deviation, entry })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_of_tables_are_known() {
        assert!(TableOptions::TEXT_KEYS.iter().all(|key| EXPERIMENT_KEYS.contains(key)));
    }
}
