//! Tests of intermediate updates in Co-Simulation of FMI 3.0: they come inside of steps, with the values of their times,
//! and let steps end early.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use anyhow::{Result, bail};
use c_interface::{Update, at_updates, at_updates_no_more};
use fmu_builder::description::{Causality, Variable};

use super::events::unclaimed_return;
use super::probe::{Run, difference, difference_of, step, values};
use super::steps::{COARSE_SOLVER_TOLERANCE, STEPS, references, undivided};
use crate::load::{Failure, Instance, Loaded, StepEnd};
use crate::simulate::model_exchange::MAX_ITERATIONS;
use crate::validate::finding::Finding;

/// Fraction of a step by which rounding may miss a time.
const ROUNDING: f64 = 1e-6;
/// Largest number of updates of a step that are kept: it may have updates for ever.
const MAX_UPDATES: usize = 100_000;

/// An update, with the outputs if these may be got.
struct Heard {
    update: Update,
    outputs: Option<Vec<f64>>,
}

/// An instance that calls the importer inside of its steps.
struct Updated {
    instance: Rc<Instance>,
    run: Run,
    outputs: Rc<[u32]>,
    /// The updates of the present step, up to a failure.
    heard: Rc<RefCell<Result<Vec<Heard>, Failure>>>,
    /// True if the next update that may end the step is to do so.
    returns: Rc<Cell<bool>>,
}

impl Drop for Updated {
    fn drop(&mut self) {
        at_updates_no_more();
    }
}

impl Updated {
    /// Initialises an instance; nothing if the FMU ends the run.
    fn begin(loaded: &Loaded, early_return: bool) -> Result<Option<Self>> {
        let model = loaded.model();
        let mut outputs = references(model, |variable: &&Variable| variable.causality == Causality::Output);
        outputs.retain(|element| {
            model.arrays.iter().any(|array| array.intermediate_update && array.elements.contains(&(*element as usize)))
        });
        let instance = Rc::new(Instance::with_updates(loaded, &outputs, early_return)?);
        let Some(run) = Run::begin(loaded, &instance)? else { return Ok(None) };
        let updated = Self {
            instance,
            run,
            outputs: outputs.into(),
            heard: Rc::new(RefCell::new(Ok(Vec::new()))),
            returns: Rc::default(),
        };
        let Self { instance, outputs, heard, returns, .. } = &updated;
        let (instance, outputs, heard, returns) = (instance.clone(), outputs.clone(), heard.clone(), returns.clone());
        at_updates(move |update| {
            let is_final = update.gives_outputs && update.is_finished;
            let got = is_final.then(|| instance.get_reals(&outputs)).transpose();
            let mut heard = heard.borrow_mut();
            let before = heard.as_mut().ok()?;
            match got {
                Ok(outputs) if before.len() < MAX_UPDATES => before.push(Heard { update: *update, outputs }),
                Ok(_) => {}
                Err(failure) => *heard = Err(failure),
            }
            (update.can_return_early && returns.take()).then_some(update.time)
        });
        Ok(Some(updated))
    }

    /// Makes a step.
    fn step(&self, (begin, end): (f64, f64)) -> Result<(StepEnd, Vec<Heard>)> {
        let done = self.instance.do_step(begin, end - begin);
        let heard = self.heard.replace(Ok(Vec::new()))?;
        Ok((done?, heard))
    }

    /// Returns the times of a communication step, counted from 0.
    fn times(&self, count: usize) -> (f64, f64) {
        (self.run.time(count as f64), self.run.time((count + 1) as f64))
    }
}

/// Tests that updates come, and have the values that steps to their times have.
pub fn values_inside(loaded: &Loaded) -> Result<Option<Finding>> {
    let Some(updated) = Updated::begin(loaded, false)? else { return Ok(None) };
    let mut all = Vec::new();
    let mut finished = f64::NEG_INFINITY;
    for count in 0..STEPS {
        let (begin, end) = updated.times(count);
        let (StepEnd::Completed | StepEnd::Event, heard) = updated.step((begin, end))? else { return Ok(None) };
        let rounding = ROUNDING * (end - begin);
        let is_inside = |heard: &&Heard| (begin - rounding..=end + rounding).contains(&heard.update.time);
        if let Some(Heard { update, .. }) = heard.iter().find(|heard| !is_inside(heard)) {
            let text = format!("an update comes at {} s, in the step from {begin} s to {end} s", update.time);
            return Ok(Some(Finding::error(text)));
        }
        for Heard { update: Update { time, is_finished, .. }, .. } in &heard {
            if *time < finished - rounding {
                let text = format!("an update comes at {time} s, after that of the finished step to {finished} s");
                return Ok(Some(Finding::error(text)));
            }
            finished = if *is_finished { *time } else { finished };
        }
        all.push(heard);
    }
    if all.iter().all(Vec::is_empty) {
        return Ok(Some(Finding::warning(format!("no update comes in {STEPS} steps"))));
    }
    let (outputs, reached) = (updated.outputs.clone(), values(&updated.instance)?);
    // There may be no other instance at the same time.
    drop(updated);
    let plain = Instance::new(loaded)?;
    let Some(run) = Run::begin(loaded, &plain)? else { return Ok(None) };
    for (count, heard) in all.into_iter().enumerate() {
        let times = (run.time(count as f64), run.time((count + 1) as f64));
        let found = match between(loaded, &plain, &outputs, times, heard)? {
            Compared::To(begin) if step(&plain, (begin, times.1))? => continue,
            Compared::To(_) | Compared::Ended => None,
            Compared::Different(finding) => Some(finding),
        };
        return Ok(found);
    }
    let differs = difference(loaded, &reached, &values(&plain)?, COARSE_SOLVER_TOLERANCE);
    Ok(differs.map(|text| Finding::warning(format!("after steps with updates {text}"))))
}

/// Result of the comparison of the updates of a step.
enum Compared {
    /// The outputs are the same, up to this time.
    To(f64),
    Different(Finding),
    /// The FMU ended the run.
    Ended,
}

/// Compares the outputs in the updates of a communication step with those of steps to their times.
fn between(
    loaded: &Loaded,
    plain: &Instance,
    outputs: &[u32],
    (begin, end): (f64, f64),
    heard: Vec<Heard>,
) -> Result<Compared> {
    let mut reached = begin;
    if !loaded.flag("canHandleVariableCommunicationStepSize") {
        return Ok(Compared::To(reached));
    }
    let is_same = |one: f64, other: f64| (one - other).abs() <= ROUNDING * (end - begin);
    let finished = heard.into_iter().filter_map(|heard| Some((heard.update.time, heard.outputs?)));
    let mut finished = finished.take_while(|(time, _)| !is_same(*time, end)).peekable();
    while let Some((time, found)) = finished.next() {
        if !is_same(time, reached) {
            if !step(plain, (reached, time))? {
                return Ok(Compared::Ended);
            }
            reached = time;
        }
        // The last one of several at this time is after its events.
        if finished.peek().is_some_and(|(next, _)| is_same(*next, time)) {
            continue;
        }
        let variables = outputs.iter().map(|element| &loaded.model().variables[*element as usize]);
        let expected = plain.get_reals(outputs)?;
        if let Some(text) = difference_of(variables, &found, &expected, COARSE_SOLVER_TOLERANCE) {
            return Ok(Compared::Different(Finding::warning(format!("in the update at {time} s {text}"))));
        }
    }
    Ok(Compared::To(reached))
}

/// Tests that steps end at an update that asks for it, and that the run goes on from there.
pub fn early_return(loaded: &Loaded) -> Result<Option<Finding>> {
    let Some(expected) = undivided(loaded)? else { return Ok(None) };
    let Some(updated) = Updated::begin(loaded, true)? else { return Ok(None) };
    let mut returned = false;
    for count in 0..STEPS {
        let (mut begin, end) = updated.times(count);
        updated.returns.set(true);
        for round in 0.. {
            let (done, heard) = updated.step((begin, end))?;
            let asked = heard.iter().find(|heard| round == 0 && heard.update.can_return_early);
            let reached = match done {
                StepEnd::Completed | StepEnd::Event => end,
                StepEnd::Early(reached, _) => reached,
                StepEnd::Ended(_) => return Ok(None),
            };
            if let Some(Update { time, .. }) = asked.map(|heard| heard.update) {
                returned = true;
                if (reached - time).abs() > ROUNDING * (end - begin) {
                    let text = format!("asked in an update to return at {time} s, fmi3DoStep returns at {reached} s");
                    return Ok(Some(Finding::error(text)));
                }
            } else if reached < end && !loaded.flag("mightReturnEarlyFromDoStep") {
                return Ok(Some(unclaimed_return(reached)));
            }
            if reached >= end {
                break;
            }
            if !loaded.flag("canHandleVariableCommunicationStepSize") {
                return Ok(None);
            }
            if round == MAX_ITERATIONS {
                bail!("fmi3DoStep returns early more than {MAX_ITERATIONS} times between two communication points");
            }
            begin = reached;
        }
    }
    if !returned {
        return Ok(Some(Finding::warning(format!("no update in {STEPS} steps lets fmi3DoStep return early"))));
    }
    let differs = difference(loaded, &values(&updated.instance)?, &expected, COARSE_SOLVER_TOLERANCE);
    Ok(differs.map(|text| Finding::warning(format!("after early returns {text}"))))
}
