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
use crate::simulate::model_exchange::ITERATIONS;
use crate::validate::finding::Finding;

/// Fraction of a step by which rounding may miss a time.
const ROUNDING: f64 = 1e-6;

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
                Ok(outputs) => before.push(Heard { update: *update, outputs }),
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
    for count in 0..STEPS {
        let (begin, end) = updated.times(count);
        let (StepEnd::Whole | StepEnd::Event, heard) = updated.step((begin, end))? else { return Ok(None) };
        let rounding = ROUNDING * (end - begin);
        let is_inside = |heard: &&Heard| (begin - rounding..=end + rounding).contains(&heard.update.time);
        if let Some(Heard { update, .. }) = heard.iter().find(|heard| !is_inside(heard)) {
            let text = format!("an update comes at {} s, in the step from {begin} s to {end} s", update.time);
            return Ok(Some(Finding::error(text)));
        }
        all.push(heard);
    }
    if all.iter().all(Vec::is_empty) {
        return Ok(Some(Finding::warning(format!("no update comes in {STEPS} steps"))));
    }
    let plain = Instance::new(loaded)?;
    let Some(run) = Run::begin(loaded, &plain)? else { return Ok(None) };
    let mut reached = run.time(0.0);
    for (count, heard) in all.into_iter().enumerate() {
        let (begin, end) = updated.times(count);
        let is_same = |one: f64, other: f64| (one - other).abs() <= ROUNDING * (end - begin);
        let mut heard = heard.into_iter().peekable();
        while let Some(Heard { update: Update { time, .. }, outputs }) = heard.next() {
            if is_same(time, end) || !loaded.flag("canHandleVariableCommunicationStepSize") {
                break;
            }
            if time > reached && !is_same(time, reached) {
                if !step(&plain, (reached, time))? {
                    return Ok(None);
                }
                reached = time;
            }
            // The last one of several at this time is after its events.
            let is_last = heard.peek().is_none_or(|next| !is_same(next.update.time, time));
            let Some(outputs) = outputs.filter(|_| is_last) else { continue };
            let variables = updated.outputs.iter().map(|element| &loaded.model().variables[*element as usize]);
            let expected = plain.get_reals(&updated.outputs)?;
            if let Some(text) = difference_of(variables, &outputs, &expected, COARSE_SOLVER_TOLERANCE) {
                return Ok(Some(Finding::warning(format!("in the update at {time} s {text}"))));
            }
        }
        if !step(&plain, (reached, end))? {
            return Ok(None);
        }
        reached = end;
    }
    let differs = difference(loaded, &values(&updated.instance)?, &values(&plain)?, COARSE_SOLVER_TOLERANCE);
    Ok(differs.map(|text| Finding::warning(format!("after steps with updates {text}"))))
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
                StepEnd::Whole | StepEnd::Event => end,
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
            if round == ITERATIONS {
                bail!("fmi3DoStep returns early more than {ITERATIONS} times between two communication points");
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
