//! FMU states: a step that is repeated from a saved state gives the same.

use anyhow::Result;

use super::probe::{Run, difference, values};
use crate::load::{Instance, Loaded, Saved};
use crate::validate::finding::Finding;

/// The steps before a state is saved.
const BEFORE: usize = 2;
/// A state that is read back has the same values.
const SAME: f64 = 1e-9;
/// So far may a step differ whose solver begins anew.
const STEP: f64 = 1e-4;

/// A run up to a state and one step further.
struct Reached {
    /// As it was when the state was saved.
    run: Run,
    at_state: Vec<f64>,
    after_step: Vec<f64>,
}

impl Reached {
    /// Saves a state, and makes a step; nothing if the FMU ends the run.
    fn by<'i>(loaded: &Loaded, instance: &'i Instance) -> Result<Option<(Self, Saved<'i>)>> {
        let Some(mut run) = Run::begin(loaded, instance)? else { return Ok(None) };
        if !run.proceed(instance, 1..=BEFORE)? {
            return Ok(None);
        }
        let (kept, at_state, saved) = (run.clone(), values(instance)?, instance.save()?);
        if !run.proceed(instance, BEFORE + 1..=BEFORE + 1)? {
            return Ok(None);
        }
        let after_step = values(instance)?;
        Ok(Some((Self { run: kept, at_state, after_step }, saved)))
    }

    /// A sentence about what differs in an instance after a state was restored, and after the step from there.
    fn difference(&self, loaded: &Loaded, instance: &Instance, saved: &Saved) -> Result<Option<String>> {
        saved.restore()?;
        let restore = instance.name(["fmi2SetFMUstate", "fmi3SetFMUState"]);
        if let Some(text) = difference(loaded, &values(instance)?, &self.at_state, SAME) {
            return Ok(Some(format!("after {restore} {text}")));
        }
        if !self.run.clone().proceed(instance, BEFORE + 1..=BEFORE + 1)? {
            return Ok(Some(format!("the step after {restore} ends the simulation, as it did not before")));
        }
        let differs = difference(loaded, &values(instance)?, &self.after_step, STEP);
        Ok(differs.map(|text| format!("after {restore} and the same step {text}")))
    }
}

/// Saves, steps, restores twice, and steps again.
pub fn saved(loaded: &Loaded) -> Result<Option<Finding>> {
    let instance = Instance::new(loaded)?;
    let Some((reached, saved)) = Reached::by(loaded, &instance)? else { return Ok(None) };
    for _ in 0..2 {
        if let Some(text) = reached.difference(loaded, &instance, &saved)? {
            return Ok(Some(Finding::error(text)));
        }
    }
    Ok(None)
}

/// The same by the bytes of the state, in this instance and in another one.
pub fn serialized(loaded: &Loaded) -> Result<Option<Finding>> {
    let instance = Instance::new(loaded)?;
    let Some((reached, saved)) = Reached::by(loaded, &instance)? else { return Ok(None) };
    let bytes = saved.serialize()?;
    drop(saved);
    let read_back = instance.deserialize(&bytes)?;
    if let Some(text) = reached.difference(loaded, &instance, &read_back)? {
        return Ok(Some(Finding::error(format!("from its bytes, {text}"))));
    }
    drop(read_back);
    drop(instance);
    let other = Instance::new(loaded)?;
    if Run::begin(loaded, &other)?.is_none() {
        return Ok(None);
    }
    let read_back = other.deserialize(&bytes)?;
    let differs = reached.difference(loaded, &other, &read_back)?;
    Ok(differs.map(|text| Finding::error(format!("from its bytes in another instance, {text}"))))
}
