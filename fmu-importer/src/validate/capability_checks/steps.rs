//! Tests of the capabilities of Co-Simulation for steps, inputs and outputs.

use anyhow::Result;
use fmu_builder::ModelDescription;
use fmu_builder::description::{Causality, Variability, Variable};

use super::probe::{Run, difference, step, values};
use crate::load::{Instance, Loaded};
use crate::validate::finding::Finding;

/// Number of steps of a run.
pub const STEPS: usize = 3;
/// Ends of other steps over the same time.
const DIVIDED: [f64; 6] = [0.5, 0.75, 1.75, 2.0, 2.7, 3.0];
/// Tolerance of a result that depends on the steps, as that of a coarse solver does.
pub const COARSE_SOLVER_TOLERANCE: f64 = 0.05;
/// Relative tolerance of straight lines without a slope, which change nothing.
const SAME: f64 = 1e-6;

/// Tests that steps of other sizes lead to about the same values.
pub fn divided(loaded: &Loaded) -> Result<Option<Finding>> {
    let Some(expected) = undivided(loaded)? else { return Ok(None) };
    let instance = Instance::new(loaded)?;
    let Some(run) = Run::begin(loaded, &instance)? else { return Ok(None) };
    let mut begin = run.time(0.0);
    for count in DIVIDED {
        let end = run.time(count);
        if !step(&instance, (begin, end))? {
            return Ok(None);
        }
        begin = end;
    }
    let differs = difference(loaded, &values(&instance)?, &expected, COARSE_SOLVER_TOLERANCE);
    Ok(differs.map(|text| Finding::warning(format!("after steps of several sizes {text}"))))
}

/// Tests that input derivatives of 0 have the effect of held inputs.
pub fn interpolated(loaded: &Loaded) -> Result<Option<Finding>> {
    let continuous = |variable: &&Variable| variable.causality == Causality::Input;
    let references = references(loaded.model(), continuous);
    let Some(expected) = undivided(loaded)?.filter(|_| !references.is_empty()) else { return Ok(None) };
    let instance = Instance::new(loaded)?;
    let Some(run) = Run::begin(loaded, &instance)? else { return Ok(None) };
    for count in 0..STEPS {
        instance.set_slopes(&references, &vec![0.0; references.len()])?;
        if !step(&instance, (run.time(count as f64), run.time((count + 1) as f64)))? {
            return Ok(None);
        }
    }
    let differs = difference(loaded, &values(&instance)?, &expected, SAME);
    Ok(differs.map(|text| Finding::error(format!("with derivatives of 0 {text}"))))
}

/// Returns the values after steps of the usual size.
pub fn undivided(loaded: &Loaded) -> Result<Option<Vec<f64>>> {
    let instance = Instance::new(loaded)?;
    let Some(mut run) = Run::begin(loaded, &instance)? else { return Ok(None) };
    Ok(if run.proceed(&instance, 1..=STEPS)? { Some(values(&instance)?) } else { None })
}

/// Returns the continuous Reals among some variables.
pub fn references(model: &ModelDescription, among: impl Fn(&&Variable) -> bool) -> Vec<u32> {
    let continuous = |variable: &&Variable| variable.is_real() && variable.variability == Variability::Continuous;
    model.variables.iter().filter(among).filter(continuous).map(|variable| variable.value_reference).collect()
}
