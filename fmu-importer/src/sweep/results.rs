//! The section `[results]`: the results that are kept of each run.

use anyhow::Result;
use fmu_builder::description::VariableType;
use toml::Spanned;
use toml::de::DeValue;

use super::journal::Outcome;
use super::plan::Plan;
use super::reduction::Reduction;
use super::word::{self, SERIES, a_result};
use crate::values::toml_file::Entry;
use crate::values::variables;
use crate::{Simulation, Trajectory};

/// The results of a run.
#[derive(Default)]
pub struct Results {
    /// Positions of the variables to record, which are the columns of the trajectory.
    pub recorded: Vec<usize>,
    /// Names of the reduced results, such as `max(w)`.
    pub names: Vec<String>,
    /// Names of the variables whose curves are kept.
    pub series: Vec<String>,
    /// For each reduced result, the column of the trajectory and its reduction.
    reductions: Vec<(usize, Reduction)>,
    /// The columns of the curves.
    curves: Vec<usize>,
}

impl Results {
    pub fn read(plan: &Plan, simulation: &Simulation) -> Result<Self> {
        let mut results = Self::default();
        for entry in &plan.results {
            results.add(plan, simulation, entry)?;
        }
        Ok(results)
    }

    fn add(&mut self, plan: &Plan, simulation: &Simulation, entry: &Entry) -> Result<()> {
        let names = simulation.variables().iter().map(|variable| variable.name.as_str());
        let positions =
            variables::beginning(&entry.name, names).map_err(|error| plan.source.error(entry.span.clone(), error))?;
        for position in positions {
            let variable = &simulation.variables()[position];
            if let VariableType::String { .. } = variable.kind {
                let message = format!("`{}` is a String and cannot be recorded", variable.name);
                return Err(plan.source.error(entry.span.clone(), message));
            }
            let column = self.column(position);
            for word in words(&entry.value) {
                let at_word = |message: String| plan.source.error(word.span(), message);
                let text = word.get_ref().as_str().ok_or_else(|| at_word(a_result()))?;
                let kept = match text {
                    SERIES if self.curves.contains(&column) => false,
                    SERIES => {
                        self.series.push(variable.name.clone());
                        self.curves.push(column);
                        true
                    }
                    text => {
                        let (reduction, name) =
                            word::reduction(text, variable, simulation.enumerations()).map_err(at_word)?;
                        self.reduce(column, reduction, name)
                    }
                };
                if !kept {
                    return Err(at_word(format!("{text} of `{}` is listed twice", variable.name)));
                }
            }
        }
        Ok(())
    }

    /// Returns the column of a variable, which is recorded from now on.
    fn column(&mut self, position: usize) -> usize {
        self.recorded.iter().position(|other| *other == position).unwrap_or_else(|| {
            self.recorded.push(position);
            self.recorded.len() - 1
        })
    }

    /// Adds a reduction once; returns true if it was new.
    fn reduce(&mut self, column: usize, reduction: Reduction, name: String) -> bool {
        let entry = (column, reduction);
        let is_new = !self.reductions.contains(&entry);
        if is_new {
            self.reductions.push(entry);
            self.names.push(name);
        }
        is_new
    }

    /// Returns the unit of a reduced result.
    pub fn unit(&self, result: usize, simulation: &Simulation) -> Option<String> {
        let (column, reduction) = self.reductions[result];
        reduction.unit(simulation.variables()[self.recorded[column]].unit())
    }

    /// Returns the results that are kept of a run.
    pub fn of(&self, trajectory: &Trajectory) -> Outcome {
        let series = self.curves.iter().map(|column| trajectory.columns[*column].clone());
        // The sum turns -0 into 0.
        let reduced = |(column, reduction): &(usize, Reduction)| reduction.of(trajectory, *column) + 0.0;
        let values: Vec<_> = self.reductions.iter().map(reduced).collect();
        let is_wrong = |result: usize| {
            let may_lack = matches!(self.reductions[result].1, Reduction::When(..));
            !(values[result].is_finite() || may_lack && values[result].is_nan())
        };
        if let Some(wrong) = (0..values.len()).find(|result| is_wrong(*result)) {
            let (name, value) = (&self.names[wrong], values[wrong]);
            return Outcome { failure: Some(format!("{name} is {value}")), ..Outcome::default() };
        }
        Outcome {
            failure: None,
            values,
            series: match self.curves.is_empty() {
                true => Vec::new(),
                false => std::iter::once(trajectory.time.clone()).chain(series).collect(),
            },
        }
    }
}

/// Returns a single text, or those of a list.
fn words<'v, 'a>(value: &'v Spanned<DeValue<'a>>) -> Vec<&'v Spanned<DeValue<'a>>> {
    match value.get_ref().as_array() {
        Some(list) if !list.is_empty() => list.iter().collect(),
        _ => vec![value],
    }
}
