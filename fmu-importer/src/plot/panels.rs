//! The assignment of curves to panels.

use anyhow::{Context, Result};

use crate::Trajectory;
use crate::values::variables;

/// Curves over one axis, of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Name of the array of the panel's elements, if it shows one.
    pub name: Option<String>,
    /// The unit of all curves.
    pub unit: Option<String>,
    /// True if all curves change in steps.
    pub discrete: bool,
    /// Positions of the columns.
    pub columns: Vec<usize>,
}

impl Panel {
    /// Returns the column, if there is only one and it is a scalar.
    pub fn alone(&self) -> Option<usize> {
        match (&self.name, &self.columns[..]) {
            (None, [column]) => Some(*column),
            _ => None,
        }
    }
}

/// Makes one panel for each array, one for the scalars of each unit, in the order of the columns.
///
/// Without names to show, loads come first, then angles and displacements, then the rest. Matrices and quaternions,
/// which are not read as curves, and panels that are zero throughout are left out.
pub fn panels(trajectory: &Trajectory, show: &[String]) -> Result<Vec<Panel>> {
    let columns = if show.is_empty() {
        let continuous: Vec<_> = (0..trajectory.names.len()).filter(|column| !trajectory.discrete[*column]).collect();
        let curves: Vec<_> =
            continuous.iter().copied().filter(|column| !is_orientation(&trajectory.names[*column])).collect();
        if curves.is_empty() { continuous } else { curves }
    } else {
        chosen(trajectory, show)?
    };
    let mut panels: Vec<Panel> = Vec::new();
    for column in columns {
        let base = variables::base(&trajectory.names[column]);
        let alone = Panel {
            name: (base != trajectory.names[column]).then(|| base.to_owned()),
            unit: trajectory.units[column].clone(),
            discrete: trajectory.discrete[column],
            columns: vec![column],
        };
        let key = |panel: &Panel| (panel.name.clone(), panel.unit.clone(), panel.discrete);
        match panels.iter_mut().find(|panel| key(panel) == key(&alone)) {
            Some(panel) => panel.columns.push(column),
            None => panels.push(alone),
        }
    }
    if show.is_empty() {
        let zero = |column: &usize| trajectory.columns[*column].iter().all(|value| *value == 0.0);
        let all = panels.clone();
        panels.retain(|panel| !panel.columns.iter().all(zero));
        // Flat lines tell more than an empty page.
        if panels.is_empty() {
            return Ok(all);
        }
        panels.sort_by_key(|panel| match panel.unit.as_deref() {
            Some("N" | "N.m") => 0,
            Some("rad" | "deg" | "m") if panel.name.as_ref().is_none_or(|name| !name.ends_with(".r_0")) => 1,
            _ => 2,
        });
    }
    Ok(panels)
}

/// Returns true if a variable is an element of a matrix or a quaternion.
fn is_orientation(name: &str) -> bool {
    name.contains(".Q[") || name.rsplit('[').next().is_some_and(|indices| name.ends_with(']') && indices.contains(','))
}

fn chosen(trajectory: &Trajectory, show: &[String]) -> Result<Vec<usize>> {
    let mut columns = Vec::new();
    for name in show {
        let names = trajectory.names.iter().map(String::as_str);
        for column in variables::beginning(name, names).context("nothing to show")? {
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    Ok(columns)
}
