//! One entry of `[parameters]`: a variable, or all elements of an array, with the values it takes.

use std::ops::Range;

use anyhow::Result;
use fmu_builder::description::{Causality, Enumeration, RowAttributes, Variable};
use fmu_runtime::out_of_bounds;
use toml::de::{DeTable, DeValue};

use super::distribution::Distribution;
use super::plan::DesignKind;
use super::spread::Spread;
use crate::simulate::trajectory;
use crate::values::assignment::{spoken, stacked};
use crate::values::toml_file::{Entry, TomlFile, scalar};
use crate::values::value::Value;
use crate::values::variables::{self, VariableElements};

/// A parameter with its values.
pub struct Axis {
    /// Shown names, one for each column, and the positions of the variables that get the value.
    pub columns: Vec<(String, Vec<usize>)>,
    /// Values of the parameter.
    pub values: Values,
    /// Location in the file.
    pub span: Range<usize>,
}

/// The values of an axis.
pub enum Values {
    /// Listed values, each with a value for each column.
    List(Vec<Vec<Value>>),
    /// Distribution from which values are drawn, for the only column.
    Distribution(Distribution),
}

/// Meaning of an entry: an axis, or the same value in all runs.
pub enum Setting {
    Axis(Axis),
    Constant(Vec<(usize, Value)>),
}

/// Reads entries against the variables of an FMU.
pub struct Reader<'a> {
    pub source: &'a TomlFile,
    pub variables: &'a [Variable],
    pub enumerations: &'a [Enumeration],
    pub design: DesignKind,
}

impl Reader<'_> {
    pub fn read(&self, entry: &Entry) -> Result<Setting> {
        let settable = |variable: &Variable| matches!(variable.causality, Causality::Parameter | Causality::Input);
        let found = variables::find(&entry.name, self.variables, settable).map_err(|error| {
            let message = format!("[parameters] takes parameters and inputs: {error:#}");
            self.source.error(entry.span.clone(), message)
        })?;
        let span = entry.value.span();
        if let Some(table) = entry.value.get_ref().as_table() {
            let values = self.spread(entry, table, &found)?;
            let columns = vec![(entry.name.clone(), found.positions)];
            return Ok(Setting::Axis(Axis { columns, values, span: entry.span.clone() }));
        }
        let (shape, cells) = cells(entry.value.get_ref()).ok_or_else(|| {
            self.source.error(span.clone(), "values must be numbers, strings, Booleans, or lists of these")
        })?;
        if shape == found.shape {
            let values = self.elements(&found, &cells).map_err(|error| self.source.error(span, error))?;
            return Ok(Setting::Constant(found.positions.into_iter().zip(values).collect()));
        }
        if shape.get(1..) != Some(&found.shape[..]) || shape[0] == 0 {
            let message = format!(
                "`{}` is {}, but the given value is {}; to sweep it, give a list of values of its own shape",
                entry.name,
                spoken(&found.shape),
                spoken(&shape)
            );
            return Err(self.source.error(span, message));
        }
        let list = (cells.chunks(found.positions.len()))
            .map(|cells| self.elements(&found, cells).map_err(|error| self.source.error(span.clone(), error)))
            .collect::<Result<_>>()?;
        let columns = found.positions.iter().map(|at| (self.variables[*at].name.clone(), vec![*at])).collect();
        Ok(Setting::Axis(Axis { columns, values: Values::List(list), span: entry.span.clone() }))
    }

    /// Returns values for the elements of an array, or for a scalar.
    fn elements(&self, found: &VariableElements, cells: &[String]) -> Result<Vec<Value>, String> {
        let variables = found.positions.iter().map(|at| &self.variables[*at]);
        variables.zip(cells).map(|(variable, cell)| self.value(variable, cell)).collect()
    }

    /// Reads a value within the variable's type and bounds; the error is a sentence.
    fn value(&self, variable: &Variable, text: &str) -> Result<Value, String> {
        let value = Value::parse(text, &variable.kind, self.enumerations)
            .map_err(|reason| format!("cannot set `{}`: {reason}", variable.name))?;
        match value.number().and_then(|number| bound_broken(variable, number)) {
            Some(broken) => Err(broken),
            None => Ok(value),
        }
    }

    fn spread(&self, entry: &Entry, table: &DeTable, found: &VariableElements) -> Result<Values> {
        let spread = Spread::new(self.source, entry, table)?;
        match self.design {
            DesignKind::Grid | DesignKind::Points => {
                let values = spread.range()?.into_iter().map(|number| {
                    let text = trajectory::number(number);
                    self.elements(&VariableElements { positions: vec![found.positions[0]], shape: Vec::new() }, &[text])
                });
                let values = values.collect::<Result<_, _>>();
                values.map(Values::List).map_err(|error| self.source.error(entry.value.span(), error))
            }
            DesignKind::LatinHypercube { .. } => {
                let variable = &self.variables[found.positions[0]];
                if !variable.is_real() {
                    let message = format!("`{}` is not Real: list its values, [ … ]", entry.name);
                    return Err(self.source.error(entry.value.span(), message));
                }
                let distribution = spread.distribution()?;
                for end in distribution.ends() {
                    if let Some(broken) = bound_broken(variable, end) {
                        return Err(self.source.error(entry.value.span(), broken));
                    }
                }
                Ok(Values::Distribution(distribution))
            }
        }
    }
}

/// Returns the error for a value outside of the variable's bounds.
pub fn bound_broken(variable: &Variable, value: f64) -> Option<String> {
    let RowAttributes { min, max, .. } = *variable.attributes;
    let needed = out_of_bounds(value, (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY)))?;
    Some(format!("`{}` cannot be {}, it must be {needed}", variable.name, trajectory::number(value)))
}

/// Returns the shape of a nested list and its elements; `None` unless it is rectangular.
fn cells(value: &DeValue) -> Option<(Vec<usize>, Vec<String>)> {
    let Some(items) = value.as_array() else {
        return scalar(value).map(|cell| (Vec::new(), vec![cell]));
    };
    stacked(items.iter().map(|item| cells(item.get_ref())))
}
