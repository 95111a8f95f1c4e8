//! Test that an FMU that needs no call after the steps of the importer computes the same without it.

use anyhow::Result;

use super::probe::{Run, difference, values};
use crate::load::{Instance, Loaded};
use crate::validate::finding::Finding;

/// Number of steps of a run.
const STEPS: usize = 100;
/// Relative tolerance of equal results.
const SAME: f64 = 1e-9;

pub fn not_needed(loaded: &Loaded) -> Result<Option<Finding>> {
    let [Some(with), Some(without)] = [reached(loaded, true)?, reached(loaded, false)?] else { return Ok(None) };
    let call = if loaded.is_of_fmi_3() { "fmi3CompletedIntegratorStep" } else { "fmi2CompletedIntegratorStep" };
    let differs = difference(loaded, &without, &with, SAME);
    Ok(differs.map(|text| Finding::error(format!("without {call} {text}"))))
}

/// Returns the values after a run, which calls the function after its steps or not; nothing if the FMU ends it.
fn reached(loaded: &Loaded, completes_steps: bool) -> Result<Option<Vec<f64>>> {
    let instance = Instance::new(loaded)?;
    let Some(mut run) = Run::begin(loaded, &instance)? else { return Ok(None) };
    if !completes_steps {
        run.complete_no_steps();
    }
    Ok(if run.proceed(&instance, 1..=STEPS)? { Some(values(&instance)?) } else { None })
}
