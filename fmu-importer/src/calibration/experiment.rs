//! Measurements: the rows of a file beside the run of an FMU that has the same inputs.

use anyhow::{Context as _, Result, anyhow, bail};
use fmu_builder::description::{Causality, Variable, VariableType};
use spreadsheet::table::{ColumnName, NumericTable, TableOptions, table};

use super::plan::{ExperimentPlan, OutputPlan, Quantity};
use crate::Simulation;
use crate::input::{Input, NumberColumns};
use crate::simulate::trajectory::number;
use crate::values::toml_file::{Entry, TomlFile};
use crate::values::{file, variables};

/// Size of the largest file that is read, in bytes.
const MAX_BYTES: u64 = fmu_runtime::MAX_DATA_BYTES;

/// Heading of the column with the times, if the file names no other.
const TIME: &str = "time";

/// A measurement, with the settings of its run.
pub struct Experiment {
    pub name: String,
    pub simulation: Simulation,
    /// Times of the rows in s, or their frequencies in Hz.
    pub places: Vec<f64>,
    /// The input whose frequency response was measured, with those that are its time derivatives.
    pub input: Option<String>,
    pub outputs: Vec<Output>,
    /// Description in one line of how the file was read.
    pub found: String,
}

/// A measured output.
#[derive(Clone, Debug)]
pub struct Output {
    /// Name of the variable, with the quantity if it is not its value.
    pub name: String,
    /// Name of the variable.
    pub variable: String,
    pub quantity: Quantity,
    pub unit: Option<String>,
    /// The values of the rows; NaN where a cell is empty.
    pub measured: Vec<f64>,
    /// Standard deviation of the errors of measurement, if it is known.
    pub deviation: Option<f64>,
}

impl Experiment {
    /// Reads the data of an experiment against an FMU, whose runs begin as `simulation` says.
    pub fn read(
        source: &TomlFile,
        plan: &ExperimentPlan<'_>,
        number_of: usize,
        mut simulation: Simulation,
    ) -> Result<Self> {
        let recorded = recorded(source, plan, simulation.variables())?;
        let table = read_table(source, plan, simulation.variables())?;
        let input = plan.response.as_ref().map(|response| response.input.clone());
        let words = if input.is_some() { ["frequency", "frequencies", "Hz"] } else { ["time", "times", "s"] };
        let places = places(&table, width(plan), words)?;
        if input.is_some() && places[0] <= 0.0 {
            let (row, value) = (table.positions[0], number(places[0]));
            bail!("{}, row {row}: the frequency is {value} Hz, but must be above 0", table.origin);
        }
        let outputs = outputs(plan, simulation.variables(), &table)?;
        let driven = driven(plan, &table)?;
        simulation.start = plan.start.unwrap_or(simulation.start);
        if input.is_none() && simulation.start > places[0] {
            let (begin, start) = (number(places[0]), number(simulation.start));
            let message = format!(
                "the data begin at {begin} s, before the start of the run at {start} s: add a line such as start = {begin}"
            );
            return Err(source.error(plan.span.clone(), message));
        }
        assign(source, &plan.values, &mut simulation)?;
        if !driven.is_empty() {
            drive(&mut simulation, &places, &driven, &table.origin)?;
        }
        simulation.stop =
            if input.is_none() { places[places.len() - 1] } else { simulation.stop.max(simulation.start) };
        simulation.record_only(recorded);
        let name = plan.name.clone().unwrap_or_else(|| format!("experiment {number_of}"));
        Ok(Self { name, simulation, places, input, outputs, found: table.found })
    }

    /// Returns the quantity along which the rows are measured, with its unit.
    pub fn along(&self) -> &'static str {
        if self.input.is_some() { "frequency [Hz]" } else { "time [s]" }
    }

    /// Returns the number of measured values.
    pub fn count(&self) -> usize {
        self.outputs.iter().map(Output::count).sum()
    }
}

impl Output {
    /// Returns the number of measured values.
    pub fn count(&self) -> usize {
        self.measured.iter().filter(|value| !value.is_nan()).count()
    }

    /// Returns the root mean square of the measured values about their mean, or of these if they are all alike; 1 for
    /// zeros.
    pub fn size(&self) -> f64 {
        let values = || self.measured.iter().filter(|value| !value.is_nan());
        let count = self.count().max(1) as f64;
        let mean = values().sum::<f64>() / count;
        let spread = (values().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
        if spread > 1e-9 * mean.abs() {
            spread
        } else if mean != 0.0 {
            mean.abs()
        } else {
            1.0
        }
    }
}

/// Returns the positions of the measured outputs among all variables, and checks that they and the inputs can be.
fn recorded(source: &TomlFile, plan: &ExperimentPlan<'_>, all: &[Variable]) -> Result<Vec<usize>> {
    let is_output = |variable: &Variable| {
        variable.is_real() && !matches!(variable.causality, Causality::Parameter | Causality::Input)
    };
    let recorded = plan.outputs.iter().map(|output| scalar(source, output, all, is_output)).collect::<Result<_>>()?;
    for input in &plan.inputs {
        scalar(source, input, all, |variable| variable.causality == Causality::Input && variable.is_real())?;
    }
    Ok(recorded)
}

/// Returns the number of columns that are read: times or frequencies, outputs, inputs.
fn width(plan: &ExperimentPlan<'_>) -> usize {
    1 + plan.outputs.len() + plan.inputs.len()
}

fn read_table(source: &TomlFile, plan: &ExperimentPlan<'_>, all: &[Variable]) -> Result<NumericTable> {
    let columns = || plan.outputs.iter().chain(&plan.inputs);
    let heading = match &plan.response {
        Some(response) => response.frequency.clone(),
        None => plan.time.clone().unwrap_or_else(|| ColumnName::Heading(TIME.to_owned())),
    };
    let mut units = vec![if plan.response.is_some() { "Hz" } else { "s" }.to_owned()];
    units.extend(columns().map(|column| match column.quantity {
        Quantity::Value => unit(column, all).filter(|unit| unit != "1").unwrap_or_default(),
        Quantity::Magnitude => {
            let response = plan.response.as_ref();
            response.and_then(|response| ratio(unit(column, all), &response.input, all)).unwrap_or_default()
        }
        Quantity::Phase => "deg".to_owned(),
    }));
    let form = TableOptions {
        columns: std::iter::once(heading).chain(columns().map(|column| column.column.clone())).collect(),
        ..plan.table.clone()
    };
    let path = source.beside(&plan.data);
    let content = file::read(&path, MAX_BYTES)?;
    let units: Vec<&str> = units.iter().map(String::as_str).collect();
    table(&path.to_string_lossy(), &content, &form, &units, true).map_err(|problem| anyhow!(problem.message))
}

fn column(plan: &ExperimentPlan<'_>, table: &NumericTable, at: usize) -> Vec<f64> {
    table.numbers.iter().skip(at).step_by(width(plan)).copied().collect()
}

/// Returns the measured outputs, magnitudes in decibels.
fn outputs(plan: &ExperimentPlan<'_>, all: &[Variable], table: &NumericTable) -> Result<Vec<Output>> {
    let mut outputs = Vec::with_capacity(plan.outputs.len());
    for (at, output) in (1..).zip(&plan.outputs) {
        let mut measured = column(plan, table, at);
        if output.quantity == Quantity::Magnitude {
            if let Some(row) = measured.iter().position(|value| *value <= 0.0) {
                let (row, column, value) = (table.positions[row], table.columns[at], measured[row]);
                let (origin, name) = (&table.origin, &output.entry.name);
                bail!(
                    "{origin}, row {row}, column {column}: the magnitude of `{name}` is {value}, but must be above 0"
                );
            }
            measured.iter_mut().for_each(|value| *value = decibels(*value));
        }
        outputs.push(Output {
            name: output.quantity.of(&output.entry.name),
            variable: output.entry.name.clone(),
            quantity: output.quantity,
            unit: match output.quantity {
                Quantity::Value => unit(output, all),
                Quantity::Magnitude => Some("dB".to_owned()),
                Quantity::Phase => Some("deg".to_owned()),
            },
            measured,
            deviation: output.deviation,
        });
    }
    Ok(outputs)
}

/// Returns the inputs that the table gives, with their values.
fn driven(plan: &ExperimentPlan<'_>, table: &NumericTable) -> Result<Vec<(String, Vec<f64>)>> {
    let values = |(at, input): (usize, &OutputPlan<'_>)| {
        let (name, values) = (input.entry.name.clone(), column(plan, table, at));
        if let Some(row) = values.iter().position(|value| value.is_nan()) {
            let (origin, row, column) = (&table.origin, table.positions[row], table.columns[at]);
            bail!("{origin}, row {row}, column {column} is empty, but the input `{name}` needs all values");
        }
        Ok((name, values))
    };
    (1 + plan.outputs.len()..).zip(&plan.inputs).map(values).collect()
}

/// Lets inputs follow their values at these times.
fn drive(simulation: &mut Simulation, times: &[f64], driven: &[(String, Vec<f64>)], origin: &str) -> Result<()> {
    let names = [TIME].into_iter().chain(driven.iter().map(|(name, _)| name.as_str()));
    let names: Vec<_> = names.map(|name| (name.to_owned(), None)).collect();
    let numbers: Vec<&[f64]> = [times].into_iter().chain(driven.iter().map(|(_, values)| &values[..])).collect();
    let columns = NumberColumns { rows: times.len(), columns: &names, numbers: &numbers.concat() };
    let input = Input::of_columns(&columns, &[], simulation.model())?;
    simulation.drive(input).with_context(|| origin.to_owned())
}

/// Returns the unit of a column's variable.
fn unit(plan: &OutputPlan<'_>, all: &[Variable]) -> Option<String> {
    let variable = all.iter().find(|variable| variable.name == plan.entry.name)?;
    variable.unit().map(str::to_owned)
}

/// Gives start values as the entries of a section say.
pub fn assign(source: &TomlFile, entries: &[Entry<'_>], simulation: &mut Simulation) -> Result<()> {
    entries.iter().try_for_each(|entry| {
        let text = source.text().get(entry.value.span()).unwrap_or_default();
        let set = simulation.set(&format!("{}={text}", entry.name));
        set.map_err(|error| source.error(entry.span.clone(), format_args!("{error:#}")))
    })
}

/// Returns the position of the one variable that an entry names.
fn scalar(
    source: &TomlFile,
    column: &OutputPlan<'_>,
    all: &[Variable],
    eligible: impl Fn(&Variable) -> bool,
) -> Result<usize> {
    let entry = &column.entry;
    let found = variables::find(&entry.name, all, eligible);
    let found = found.map_err(|error| source.error(entry.span.clone(), format_args!("{error:#}")))?;
    match found.positions[..] {
        [position] if found.shape.is_empty() => Ok(position),
        _ => Err(source.error(entry.span.clone(), format_args!("`{}` is an array: name one element", entry.name))),
    }
}

/// Returns a magnitude in dB.
pub fn decibels(magnitude: f64) -> f64 {
    20.0 * magnitude.log10()
}

/// Returns the unit of an output over an input, where both have simple ones.
fn ratio(output: Option<String>, input: &str, all: &[Variable]) -> Option<String> {
    let name = input.split('+').next()?.trim();
    let VariableType::Real { unit: Some(under), .. } = &all.iter().find(|variable| variable.name == name)?.kind else {
        return None;
    };
    let over = output.filter(|_| !under.contains(['.', '/']) && under != "1")?;
    if over == *under { None } else { Some(format!("{over}/{under}")) }
}

/// Returns the times or frequencies of the rows, which must increase; their name is given, for one and for several, and
/// their unit.
fn places(table: &NumericTable, width: usize, [one, several, unit]: [&str; 3]) -> Result<Vec<f64>> {
    let places: Vec<f64> = table.numbers.iter().step_by(width).copied().collect();
    let place = |row: usize| format!("{}, row {}", table.origin, table.positions[row]);
    if let Some(row) = places.iter().position(|place| place.is_nan()) {
        bail!("{}, column {} is empty, but each row needs its {one}", place(row), table.columns[0]);
    }
    if let Some(row) = places.windows(2).position(|pair| pair[1] <= pair[0]) {
        let [before, after] = [number(places[row]), number(places[row + 1])];
        bail!("{}: {one} {after} {unit} comes after {before} {unit}; {several} must increase", place(row + 1));
    }
    anyhow::ensure!(places.len() > 1, "{} has one row only; a measurement needs several", table.origin);
    Ok(places)
}
