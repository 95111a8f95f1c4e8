//! Test of the evaluation of discrete states in FMI 3.0: it prepares an update, and changes nothing that remains.

use anyhow::Result;

use super::probe::{difference, values};
use crate::load::{Instance, Interface, Loaded};
use crate::validate::finding::Finding;
use crate::validate::reading::{experiment, initialise};

/// Relative tolerance of values that are computed twice.
const SAME: f64 = 1e-9;

pub fn evaluated(loaded: &Loaded) -> Result<Option<Finding>> {
    if loaded.interface() == Interface::CoSimulation && !loaded.flag("hasEventMode") {
        return Ok(None);
    }
    let found = updated(loaded, true)?;
    let differs = difference(loaded, &found, &updated(loaded, false)?, SAME);
    let text = |text| format!("after fmi3EvaluateDiscreteStates and fmi3UpdateDiscreteStates {text}");
    Ok(differs.map(|differs| Finding::error(text(differs))))
}

/// Returns the values after the first update, with or without evaluations before it.
fn updated(loaded: &Loaded, evaluates: bool) -> Result<Vec<f64>> {
    let instance = match loaded.interface() {
        Interface::CoSimulation => Instance::with_event_mode(loaded)?,
        Interface::ModelExchange => Instance::new(loaded)?,
    };
    initialise(&instance, &experiment(loaded.model()))?;
    if evaluates {
        // An importer that iterates a loop at an event evaluates more than once.
        for _ in 0..2 {
            instance.evaluate_discrete_states()?;
            values(&instance)?;
        }
    }
    instance.new_discrete_states()?;
    values(&instance)
}
