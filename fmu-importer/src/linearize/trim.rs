//! Steady states by Newton's method.

use anyhow::{Result, bail};
use fmu_builder::description::{Variable, VariableType};
use nalgebra::{DMatrix, DVector};

use super::plant::{Known, Plant};
use crate::load::Failure;
use crate::simulate::summary::short;

const MAX_STEPS: usize = 60;
/// Largest number of times that a step is halved.
const MAX_HALVES: usize = 30;
/// Distance to the steady state, as a fraction of the sizes of the variables.
const TOLERANCE: f64 = 1e-10;
/// Part of the largest singular value below which a direction has no effect.
const RANK: f64 = 1e-9;
/// Largest number of variables that a message names.
const MAX_NAMES: usize = 4;

/// The conditions of a steady state.
pub struct Trim {
    /// The variables that may change.
    pub free: Vec<Known>,
    /// The states whose derivatives are to be zero.
    pub steady: Vec<usize>,
    /// Positions of outputs, with the values that they are to have.
    pub targets: Vec<(usize, f64)>,
}

/// Residuals, one for each condition.
struct Conditions<'a> {
    plant: &'a Plant<'a>,
    trim: &'a Trim,
    targets: Vec<usize>,
}

impl Conditions<'_> {
    fn residuals(&self) -> Result<DVector<f64>, Failure> {
        let derivatives = self.plant.instance.derivatives()?;
        let outputs = self.plant.values(&self.targets)?;
        let steady = self.trim.steady.iter().map(|state| derivatives[*state]);
        let targets = self.trim.targets.iter().zip(outputs).map(|((_, wanted), value)| value - wanted);
        Ok(DVector::from_vec(steady.chain(targets).collect()))
    }

    fn jacobian(&self) -> Result<DMatrix<f64>> {
        let all = self.plant.jacobian(&self.trim.free, &self.targets)?;
        let states = self.plant.states.len();
        let rows: Vec<usize> = self.trim.steady.iter().copied().chain(states..all.nrows()).collect();
        Ok(all.select_rows(&rows))
    }

    fn set(&self, values: &DVector<f64>) -> Result<(), Failure> {
        let mut states = self.plant.instance.continuous_states()?;
        for (known, value) in self.trim.free.iter().zip(values.iter()) {
            match known {
                Known::State(state) => states[*state] = *value,
                Known::Input(_) => self.plant.set(*known, *value)?,
            }
        }
        self.plant.instance.set_continuous_states(&states)
    }

    /// Returns a condition in words, with what is left of it.
    fn told(&self, row: usize, residual: f64) -> String {
        let (name, unit, what) = match self.trim.steady.get(row) {
            Some(state) => {
                let derivative = self.plant.derivative(*state);
                let name = self.plant.state_name(*state);
                (format!("der({name})"), unit_of(derivative), "is")
            }
            None => {
                let variable = &self.plant.variables()[self.targets[row - self.trim.steady.len()]];
                (variable.name.clone(), unit_of(variable), "misses its target by")
            }
        };
        format!("`{name}` {what} {}{unit}", short(residual))
    }
}

fn unit_of(variable: &Variable) -> String {
    match &variable.kind {
        VariableType::Real { unit: Some(unit), .. } => format!(" {unit}"),
        _ => String::new(),
    }
}

/// Moves the free variables until the conditions hold; returns the names of those whose values they do not determine.
pub fn trim(plant: &Plant<'_>, trim: &Trim) -> Result<Vec<String>> {
    let targets = trim.targets.iter().map(|(position, _)| *position).collect();
    let conditions = Conditions { plant, trim, targets };
    let values: Result<Vec<f64>, Failure> = trim.free.iter().map(|known| plant.value(*known)).collect();
    let mut values = DVector::from_vec(values?);
    let sizes: Result<Vec<f64>, Failure> = trim.free.iter().map(|known| plant.size(*known)).collect();
    let sizes = DVector::from_vec(sizes?);
    let mut residuals = conditions.residuals()?;
    for step in 0..MAX_STEPS {
        let mut jacobian = conditions.jacobian()?;
        for (column, size) in sizes.iter().enumerate() {
            jacobian.column_mut(column).scale_mut(*size);
        }
        // In these units a residual is the distance to its zero, as a fraction of the sizes of the variables.
        let rows: Vec<f64> = jacobian.row_iter().map(|row| row.amax()).collect();
        let rows: Vec<f64> = rows.into_iter().map(|size| if size > 0.0 { size } else { 1.0 }).collect();
        let scaled = |residuals: &DVector<f64>| DVector::from_fn(rows.len(), |row, _| residuals[row] / rows[row]);
        for (row, size) in rows.iter().enumerate() {
            jacobian.row_mut(row).scale_mut(1.0 / size);
        }
        let wrong = scaled(&residuals);
        let svd = jacobian.clone().svd(true, true);
        let least = RANK * svd.singular_values.iter().copied().fold(0.0, f64::max);
        if wrong.amax() <= TOLERANCE {
            return Ok(undetermined(plant, trim, svd.v_t.as_ref(), &svd.singular_values, least));
        }
        let change = svd.solve(&-&wrong, least).map_err(anyhow::Error::msg)?;
        let mut part = 1.0;
        let mut moved = false;
        for _ in 0..MAX_HALVES {
            let tried = &values + change.component_mul(&sizes) * part;
            // An FMU may refuse values.
            let found = conditions.set(&tried).and_then(|()| conditions.residuals());
            if let Ok(found) = found
                && scaled(&found).norm() < wrong.norm()
            {
                (values, residuals, moved) = (tried, found, true);
                break;
            }
            part *= 0.5;
        }
        if !moved {
            conditions.set(&values)?;
            if wrong.amax() <= TOLERANCE.sqrt() * 1e-3 {
                return Ok(undetermined(plant, trim, svd.v_t.as_ref(), &svd.singular_values, least));
            }
            return fail(&conditions, &residuals, &wrong, step);
        }
    }
    let wrong = residuals.clone();
    fail(&conditions, &residuals, &wrong, MAX_STEPS)
}

fn fail<T>(conditions: &Conditions<'_>, residuals: &DVector<f64>, wrong: &DVector<f64>, steps: usize) -> Result<T> {
    let mut rows: Vec<usize> = (0..wrong.len()).filter(|row| wrong[*row].abs() > 1e-3 * wrong.amax()).collect();
    rows.sort_by(|one, other| wrong[*other].abs().total_cmp(&wrong[*one].abs()));
    let more = rows.len().saturating_sub(MAX_NAMES);
    let mut told: Vec<String> =
        rows.into_iter().take(MAX_NAMES).map(|row| conditions.told(row, residuals[row])).collect();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    bail!(
        "there is no steady state nearby: after {steps} steps of Newton's method {}; free other states or inputs with \
         --free, or name the states that shall be steady with --steady",
        told.join(", ")
    )
}

/// Returns the names of the free variables that may have other values in the steady state.
fn undetermined(
    plant: &Plant<'_>,
    trim: &Trim,
    directions: Option<&DMatrix<f64>>,
    singular: &DVector<f64>,
    least: f64,
) -> Vec<String> {
    let count = trim.free.len();
    // The part of each variable that the conditions determine.
    let determined = |column: usize| -> f64 {
        let rows = (0..singular.len()).filter(|row| singular[*row] > least);
        directions.map_or(0.0, |directions| rows.map(|row| directions[(row, column)].powi(2)).sum())
    };
    let name = |column: usize| match trim.free[column] {
        Known::State(state) => plant.state_name(state),
        Known::Input(position) => plant.variables()[position].name.clone(),
    };
    (0..count).filter(|column| determined(*column) < 1.0 - 1e-6).map(name).collect()
}
