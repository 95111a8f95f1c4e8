//! Two instances at the same time give what one alone gives.

use anyhow::{Context, Result};

use super::probe::{Run, difference, values};
use crate::load::{Instance, Loaded};
use crate::validate::finding::Finding;

/// The steps that are compared.
const STEPS: usize = 3;
/// Both compute the same.
const SAME: f64 = 1e-9;

pub fn check(loaded: &Loaded) -> Result<Option<Finding>> {
    let alone = {
        let instance = Instance::new(loaded)?;
        let Some(mut run) = Run::begin(loaded, &instance)? else { return Ok(None) };
        if !run.proceed(&instance, 1..=STEPS)? {
            return Ok(None);
        }
        values(&instance)?
    };
    let first = Instance::new(loaded)?;
    let Some(mut run) = Run::begin(loaded, &first)? else { return Ok(None) };
    run.proceed(&first, 1..=1)?;
    let second = Instance::new(loaded).context("the second instance")?;
    let Some(mut other) = Run::begin(loaded, &second).context("the second instance")? else { return Ok(None) };
    // Further than the first one, whose next step would otherwise hide a state that both have.
    other.proceed(&second, 1..=2)?;
    run.proceed(&first, 2..=STEPS)?;
    let text = difference(loaded, &values(&first)?, &alone, SAME);
    Ok(text.map(|text| Finding::error(format!("{text} while there is another instance"))))
}
