//! Test of `fmi2GetNominalsOfContinuousStates`: positive numbers, those of the description.

use anyhow::Result;

use super::probe::Run;
use crate::load::{Instance, Loaded};
use crate::validate::finding::Finding;

/// Relative difference of numbers that are written with few digits.
const DIGITS: f64 = 1e-6;

pub fn check(loaded: &Loaded) -> Result<Option<Finding>> {
    let instance = Instance::new(loaded)?;
    if Run::begin(loaded, &instance)?.is_none() {
        return Ok(None);
    }
    let model = loaded.model();
    for (unknown, given) in model.model_structure.derivatives.iter().zip(instance.nominals()?) {
        let Some(state) = model.variables[unknown.index].derivative_of() else { continue };
        let state = &model.variables[state];
        if !(given > 0.0 && given.is_finite()) {
            return Ok(Some(Finding::error(format!(
                "`{}` has the nominal value {given}, which is not positive",
                state.name
            ))));
        }
        if let Some(nominal) = state.attributes.nominal
            && (given - nominal).abs() > DIGITS * nominal.abs()
        {
            let name = &state.name;
            let text = format!("`{name}` has the nominal value {given}, but {nominal} in the description");
            return Ok(Some(Finding::warning(text)));
        }
    }
    Ok(None)
}
