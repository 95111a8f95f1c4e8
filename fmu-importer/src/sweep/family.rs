//! A sweep over one or two parameters as a picture.

use anyhow::{Result, ensure};
use fmu_builder::description::VariableType;

use super::axis::{Axis, Values};
use super::{Journal, Sweep};
use crate::plot::PANELS;
use crate::plot::family::Family;
use crate::simulate::summary::short;
use crate::values::value::Value;

/// Largest number of curves; more cannot be told apart.
const CURVES: usize = 7;

impl Sweep {
    /// Fails unless the sweep is a grid over one or two parameters, the first of them a number, with results.
    pub fn has_family(&self) -> Result<()> {
        let axes = &self.design.axes;
        let is_number = |axis: &Axis| match &axis.values {
            Values::List(list) => axis.columns.len() == 1 && list.iter().all(|value| value[0].number().is_some()),
            Values::Distribution(_) => false,
        };
        ensure!(
            self.design.is_grid() && (1..=2).contains(&axes.len()) && is_number(&axes[0]),
            "only a grid over one or two parameters can be plotted, and the first must be a number"
        );
        let curves = axes.get(1).map_or(1, |axis| axis.values.len());
        ensure!(
            curves <= CURVES,
            "a plot has {CURVES} curves at most, not {curves}: one for each value of the second parameter"
        );
        ensure!(!self.results.names.is_empty(), "there are no results to plot other than series");
        Ok(())
    }

    /// Returns the finished runs as curves over the first parameter, one for each value of the second; at most as many
    /// panels as can be read.
    ///
    /// # Errors
    ///
    /// When there is no such picture, see [`Self::has_family`].
    pub fn family(&self, journal: &mut Journal) -> Result<Family> {
        self.has_family()?;
        let axes = &self.design.axes;
        let curves = axes.get(1).map_or(1, |axis| axis.values.len());
        let places = self.runs() / curves;
        let number = |run: usize| self.design.point(run)[0].number().unwrap_or(f64::NAN);
        let titled = |name: &str, position: usize| match &self.simulation.variables()[position].kind {
            VariableType::Real { unit: Some(unit), .. } => format!("{name} [{unit}]"),
            _ => name.to_owned(),
        };
        let mut panels: Vec<_> = (self.results.names.iter().enumerate())
            .map(|(at, name)| (titled(name, self.results.variable(at)), vec![vec![f64::NAN; places]; curves]))
            .take(PANELS)
            .collect();
        for run in 0..self.runs() {
            let outcome = journal.read(run)?;
            for ((_, panel), value) in panels.iter_mut().zip(outcome.values) {
                panel[run % curves][run / curves] = value;
            }
        }
        let (along, positions) = &axes[0].columns[0];
        Ok(Family {
            title: self.simulation.name().to_owned(),
            along: titled(along, positions[0]),
            places: (0..places).map(|place| number(place * curves)).collect(),
            names: axes.get(1).map_or(Vec::new(), |axis| (0..curves).map(|curve| named(axis, curve)).collect()),
            panels,
        })
    }
}

/// Returns a value of an axis with its name, that of the array for an array.
fn named(axis: &Axis, at: usize) -> String {
    let Values::List(list) = &axis.values else { return String::new() };
    let shown = list[at].iter().map(|value| match value {
        Value::String(text) => text.clone(),
        value => value.number().map_or(String::new(), short),
    });
    let shown: Vec<_> = shown.collect();
    match &axis.columns[..] {
        [(name, _)] => format!("{name} = {}", shown[0]),
        columns => format!("{} = [{}]", crate::values::variables::base(&columns[0].0), shown.join(", ")),
    }
}
