//! A sweep over one or two parameters as a picture: curves, or a heat map.

use anyhow::{Result, ensure};

use super::axis::{Axis, Values};
use super::{Journal, Sweep};
use crate::plot::MAX_PANELS;
use crate::plot::family::Family;
use crate::plot::heat_map::HeatMap;
use crate::simulate::summary::short;
use crate::values::value::Value;

/// Largest number of curves; more cannot be told apart.
const MAX_CURVES: usize = 32;
/// Largest number of cells of a heat map.
const MAX_CELLS: usize = 10_000;

impl Sweep {
    /// Fails unless the sweep is a grid over one or two parameters, the first of them a number, with results.
    pub fn has_family(&self) -> Result<()> {
        let axes = &self.design.axes;
        ensure!(
            self.design.is_grid() && (1..=2).contains(&axes.len()) && is_number(&axes[0]),
            "only a grid over one or two parameters can be plotted, and the first must be a number"
        );
        let curves = axes.get(1).map_or(1, |axis| axis.values.len());
        ensure!(
            curves <= MAX_CURVES,
            "a plot has {MAX_CURVES} curves at most, not {curves}: one for each value of the second parameter"
        );
        self.has_reductions()
    }

    /// Fails unless the sweep is a grid over two parameters that are numbers, with results.
    pub fn has_heat_map(&self) -> Result<()> {
        let axes = &self.design.axes;
        ensure!(
            self.design.is_grid() && axes.len() == 2 && axes.iter().all(is_number),
            "only a grid over two parameters that are numbers has a heat map"
        );
        ensure!(
            self.runs() <= MAX_CELLS,
            "a heat map has {MAX_CELLS} cells at most, not {}: one for each run",
            self.runs()
        );
        self.has_reductions()
    }

    fn has_reductions(&self) -> Result<()> {
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
        let panels = self.panels(journal, curves)?;
        let number = |place: usize| self.design.point(place * curves)[0].number().unwrap_or(f64::NAN);
        Ok(Family {
            title: self.simulation.name().to_owned(),
            along: self.title(&axes[0]),
            places: (0..places).map(number).collect(),
            names: axes.get(1).map_or(Vec::new(), |axis| (0..curves).map(|curve| self.named(axis, curve)).collect()),
            panels: panels.into_iter().map(|(title, values)| (title, transposed(&values))).collect(),
        })
    }

    /// Returns the finished runs as colours over both parameters, at most as many panels as can be read.
    ///
    /// # Errors
    ///
    /// When there is no such picture, see [`Self::has_heat_map`].
    pub fn heat_map(&self, journal: &mut Journal) -> Result<HeatMap> {
        self.has_heat_map()?;
        let axis = |at: usize| {
            let axis = &self.design.axes[at];
            let Values::List(list) = &axis.values else { return (String::new(), Vec::new()) };
            (self.title(axis), list.iter().map(|value| value[0].number().unwrap_or(f64::NAN)).collect())
        };
        Ok(HeatMap {
            title: self.simulation.name().to_owned(),
            axes: [axis(0), axis(1)],
            panels: self.panels(journal, self.design.axes[1].values.len())?,
        })
    }

    /// Returns a title for each result, and for each value of the first parameter the numbers of all those of the second.
    fn panels(&self, journal: &mut Journal, second: usize) -> Result<Vec<(String, Vec<Vec<f64>>)>> {
        let mut panels: Vec<_> = (self.results.names.iter().enumerate())
            .map(|(at, name)| (with_unit(name, self.results.unit(at, &self.simulation)), Vec::new()))
            .take(MAX_PANELS)
            .collect();
        for run in 0..self.runs() {
            let outcome = journal.read(run)?;
            for (at, (_, panel)) in panels.iter_mut().enumerate() {
                if run % second == 0 {
                    panel.push(Vec::with_capacity(second));
                }
                let value = outcome.values.get(at).copied().unwrap_or(f64::NAN);
                panel.last_mut().into_iter().for_each(|column| column.push(value));
            }
        }
        Ok(panels)
    }

    /// Returns the name of an axis with its unit.
    fn title(&self, axis: &Axis) -> String {
        let (name, positions) = &axis.columns[0];
        with_unit(name, self.unit(positions[0]))
    }

    fn unit(&self, position: usize) -> Option<String> {
        self.simulation.variables()[position].unit().map(str::to_owned)
    }

    /// Returns a value of an axis with its name and unit, that of the array for an array.
    fn named(&self, axis: &Axis, at: usize) -> String {
        let Values::List(list) = &axis.values else { return String::new() };
        let shown = list[at].iter().map(|value| match value {
            Value::String(text) => text.clone(),
            value => value.number().map_or(String::new(), short),
        });
        let shown: Vec<_> = shown.collect();
        let unit = self.unit(axis.columns[0].1[0]).filter(|unit| unit != "1");
        let unit = unit.map_or(String::new(), |unit| format!(" {unit}"));
        match &axis.columns[..] {
            [(name, _)] => format!("{name} = {}{unit}", shown[0]),
            columns => format!("{} = [{}]{unit}", crate::values::variables::base(&columns[0].0), shown.join(", ")),
        }
    }
}

fn is_number(axis: &Axis) -> bool {
    match &axis.values {
        Values::List(list) => axis.columns.len() == 1 && list.iter().all(|value| value[0].number().is_some()),
        Values::Distribution(_) => false,
    }
}

fn with_unit(name: &str, unit: Option<String>) -> String {
    unit.map_or_else(|| name.to_owned(), |unit| format!("{name} [{unit}]"))
}

fn transposed(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = rows.first().map_or(0, Vec::len);
    (0..columns).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
}
