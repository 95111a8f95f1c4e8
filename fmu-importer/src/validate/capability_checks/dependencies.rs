//! Test of the dependencies of elements in FMI 3.0: they are of elements that exist, and none that differences show is
//! missing.

use anyhow::Result;

use super::derivatives::{MAX_KNOWNS, reached, references};
use crate::load::{Instance, Loaded};
use crate::simulate::summary::short;
use crate::validate::finding::Finding;

pub fn check(loaded: &Loaded) -> Result<Option<Finding>> {
    let instance = Instance::new(loaded)?;
    let Some(mut jacobian) = reached(loaded, &instance)? else { return Ok(None) };
    let some = jacobian.knowns.len().div_ceil(MAX_KNOWNS).max(1);
    let columns: Vec<usize> = (0..jacobian.knowns.len()).step_by(some).collect();
    let knowns: Vec<u32> = columns.iter().map(|column| jacobian.knowns[*column].value_reference).collect();
    let declared = instance.dependencies(&references(&jacobian.unknowns), &knowns)?;
    jacobian.declared = declared.into_iter().map(Some).collect();
    for column in columns {
        // An FMU may refuse the changed values.
        let Ok(differences) = jacobian.differences(&instance, column) else { return Ok(None) };
        let slopes: Vec<f64> = differences.iter().map(|difference| difference.central).collect();
        if let Some(row) = jacobian.undeclared(column, &slopes, &differences) {
            return Ok(Some(Finding::error(format!(
                "a difference gives {2} for the derivative of `{0}` with respect to `{1}`, but fmi3GetVariableDependencies \
                 does not list `{1}` among the dependencies of `{0}`",
                jacobian.unknowns[row].name,
                jacobian.knowns[column].name,
                short(slopes[row]),
            ))));
        }
    }
    Ok(None)
}
