//! The calls of Co-Simulation.

use fmu_exchange::{Base, MAX_OUTPUT_DERIVATIVE_ORDER, Number};

use crate::component::component_model::Step;
use crate::component::layout::Rule;
use crate::component::polynomial::MAX_INPUT_DERIVATIVE_ORDER;
use crate::instance::arrays::ArrayType;
use crate::instance::call_error::{CallError, Outcome};
use crate::instance::instance::Instance;
use crate::instance::intermediate_update::{EVENTS, Request, StepProgress, Update, Updates};
use crate::instance::lifecycle::{EventHandling, State};

/// The gap or overlap of two steps, as a fraction of a step, that counts as rounding of the importer's clock: the results
/// are wrong by as much, which is the usual tolerance.
const NEAR: f64 = 1e-6;

/// The queries of the status functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusKind {
    /// `fmi2LastSuccessfulTime`
    LastSuccessfulTime,
    /// `fmi2Terminated`
    Terminated,
    /// The other queries, for asynchronous FMUs only.
    Other,
}

impl Instance {
    /// `fmi2DoStep`: from `point` to `point + h`. The importer's clock counts. Where the importer has allowed that, it
    /// ends at the first event; the time is then that of the event. Returns true if the importer is to handle one.
    #[inline]
    pub fn do_step(&mut self, point: f64, h: f64) -> Outcome<bool> {
        let end = point + h;
        let is_plain = (point - self.time).abs() <= NEAR * h && end > point && end.is_finite();
        if !is_plain || self.experiment.stop.is_some_and(|stop| end > stop) {
            self.check_step(point, h)?;
        }
        self.move_to((point, end, h), self.events == EventHandling::ByImporter)
    }

    /// Moves from a time to another, or to the first event if it `stops_at_event`; their difference is `h`, all in s.
    #[inline(always)]
    pub(super) fn move_to(&mut self, (point, end, h): (f64, f64, f64), stops_at_event: bool) -> Outcome<bool> {
        self.time = point;
        if self.data.is_none() {
            self.prepare()?;
        }
        self.outputs_valid = false;
        for (input, derivative) in self.layout.rates.iter().rev() {
            self.polynomials.follow(*input, *derivative, self.values.reals[*derivative]);
        }
        let limit = self.experiment.stop.unwrap_or(f64::INFINITY);
        let mut step = Step::new((point, end, h), limit, stops_at_event);
        let data = self.data.as_ref().expect("prepared");
        let (inputs, scratch) = (&mut self.polynomials, &mut self.scratch);
        let result = self.model.step(&mut self.values, data, &mut step, inputs, scratch, &mut self.diagnostics);
        self.time = step.end;
        let is_event = step.is_event && self.events != EventHandling::Inside;
        if result.is_ok() && self.diagnostics.warnings.is_empty() {
            self.outputs_valid = !step.is_stale;
            return Ok(is_event);
        }
        self.end_step(result)?;
        self.outputs_valid = !step.is_stale;
        Ok(is_event)
    }

    /// Stores the importer's request for intermediate updates.
    pub(super) fn accept(&mut self, request: Request) -> Outcome {
        let Request { callback, variables, may_return_early } = request;
        let mut sets_inputs = false;
        for variable in variables.map_err(not_available)? {
            let elements = self.elements(ArrayType::Float64, &[variable]).map_err(not_available)?;
            let rule = elements.first().map_or(Rule(0), |element| self.layout.reals[*element as usize]);
            if !rule.has(Rule::OUTPUT | Rule::SET_INTERMEDIATE) {
                let name = self.name(Base::Real, elements.first().copied().unwrap_or(variable));
                return Err(not_available(CallError::error(format!(
                    "\"{name}\" is neither an output nor a continuous input"
                ))));
            }
            sets_inputs |= rule.has(Rule::INPUT);
        }
        self.updates = Some(Updates { callback, may_return_early, sets_inputs });
        Ok(())
    }

    /// Makes the next part of a step, up to the first event at most, and waits in intermediate update mode.
    pub fn step_segment(&mut self, progress: &mut StepProgress) -> Outcome<Update> {
        let Some(updates) = &self.updates else {
            return Err(CallError::error("the instance was made without a function for intermediate updates"));
        };
        let (may_return_early, sets_inputs) = (updates.may_return_early, updates.sets_inputs);
        let begin = if std::mem::replace(&mut progress.is_begun, true) {
            self.time
        } else {
            self.check_step(progress.point, progress.h)?;
            progress.point
        };
        let end = progress.next(begin);
        let stops_at_event = self.events == EventHandling::ByImporter || progress.events < EVENTS;
        progress.is_event = self.move_to((begin, end, end - begin), stops_at_event)?;
        progress.events += usize::from(self.time < end);
        progress.is_done = self.time >= progress.end || progress.is_event && self.events == EventHandling::ByImporter;
        self.state = State::IntermediateUpdate;
        let is_open = !progress.is_done;
        Ok(Update {
            time: self.time,
            takes_inputs: sets_inputs && is_open,
            can_return_early: may_return_early && is_open,
        })
    }

    /// Returns true while the importer is being called.
    pub(crate) fn is_updating(&self) -> bool {
        self.state == State::IntermediateUpdate
    }

    /// Continues the step after the importer was called, which may have asked to return at a time, in s.
    pub fn end_update(&mut self, progress: &mut StepProgress, return_at: Option<f64>) {
        self.state = State::StepComplete;
        if let Some(time) = return_at.filter(|_| !progress.is_done) {
            progress.end = progress.end.min(time.max(self.time));
            progress.is_done = self.time >= progress.end;
        }
    }

    /// `fmi3EnterStepMode`
    pub fn enter_step_mode(&mut self) -> Outcome {
        self.prepare_late()?;
        self.state = State::StepComplete;
        Ok(())
    }

    /// Rejects an invalid step.
    #[cold]
    pub(super) fn check_step(&self, point: f64, h: f64) -> Outcome {
        if !(h.is_finite() && h > 0.0) {
            return Err(CallError::error(format!(
                "communicationStepSize is {}, but must be positive and finite",
                Number(h)
            )));
        }
        let rounding = 8.0 * f64::EPSILON * point.abs().max(self.experiment.start.abs());
        let near = (h / 2.0).min(rounding.max(NEAR * h));
        let gap = (point - self.time).abs();
        if gap.is_nan() || gap > near {
            return Err(CallError::error(format!(
                "currentCommunicationPoint is {} s, but the last step ended at {} s: steps must follow one another",
                Number(point),
                Number(self.time)
            )));
        }
        let end = point + h;
        if !end.is_finite() || end <= point {
            return Err(CallError::error(format!(
                "a step of {} s from {} s cannot be made in double precision",
                Number(h),
                Number(point)
            )));
        }
        if let Some(stop) = self.experiment.stop {
            let overshoot = (1e-9 * stop.abs().max(1.0)).max(1e-3 * h);
            if end > stop + overshoot {
                return Err(CallError::error(format!(
                    "the step would end at {} s, after stopTime {} s",
                    Number(end),
                    Number(stop)
                )));
            }
        }
        Ok(())
    }

    /// `fmi2SetRealInputDerivatives`: all or nothing, for the next step. Derivatives of an input that follow from
    /// another input are ignored, since masters send the slopes of all continuous inputs; a warning says if the other one
    /// contradicts them. Those of an input that gives a motion are values at once.
    pub fn set_real_input_derivatives(&mut self, references: &[u32], orders: &[i32], values: &[f64]) -> Outcome {
        for ((reference, order), value) in references.iter().zip(orders).zip(values) {
            let rule = self.layout.reals.get(*reference as usize).copied().unwrap_or(Rule(0));
            let name = || self.name(Base::Real, *reference);
            if !rule.has(Rule::INPUT) {
                return Err(CallError::error(format!("\"{}\" is not a Real input", name())));
            }
            if !rule.has(Rule::SET_CONTINUOUS) {
                return Err(CallError::error(format!("\"{}\" is a discrete input and has no derivatives", name())));
            }
            if !(1..=MAX_INPUT_DERIVATIVE_ORDER).contains(order) {
                return Err(CallError::error(format!(
                    "order of the derivative of \"{}\" is {order}, but must be from 1 to {MAX_INPUT_DERIVATIVE_ORDER}",
                    name()
                )));
            }
            if !value.is_finite() {
                return Err(CallError::error(format!(
                    "derivative of \"{}\" cannot be {}; a finite number is needed",
                    name(),
                    Number(*value)
                )));
            }
        }
        for ((reference, order), value) in references.iter().zip(orders).zip(values) {
            let input = *reference as usize;
            let Some(derivative) = self.derivative_of(input) else {
                self.polynomials.give(input, order.unsigned_abs(), *value);
                continue;
            };
            let changes = |input: usize| {
                self.values.reals[input] != 0.0
                    || references.iter().zip(values).any(|(other, slope)| *other as usize == input && *slope != 0.0)
            };
            let second = self.derivative_of(derivative);
            // A velocity of which only the loads of springs and dampers depend needs no acceleration.
            let is_of_motion = second.is_some() || self.layout.rates.iter().any(|(_, rate)| *rate == input);
            let is_contradicted = *order == 1 && *value != 0.0 && !changes(derivative) && !second.is_some_and(changes);
            if is_of_motion && is_contradicted && !self.warned_of_derivatives {
                self.warned_of_derivatives = true;
                let [name, derivative] = [*reference, derivative as u32].map(|vr| self.name(Base::Real, vr));
                self.warn(&format!(
                    "\"{name}\" changes by {} per second, but its derivative, the input \"{derivative}\", is 0, and the FMU follows \
                     that: connect both",
                    Number(*value)
                ));
            }
        }
        self.outputs_valid &= !self.model.take_derivatives(&mut self.values, &mut self.polynomials);
        Ok(())
    }

    /// Returns the input that is the derivative of an input, if there is one.
    fn derivative_of(&self, input: usize) -> Option<usize> {
        self.layout.rates.iter().find(|(of, _)| *of == input).map(|(_, derivative)| *derivative)
    }

    /// `fmi2GetRealOutputDerivatives`: from the left, along the inputs of the last step.
    pub fn get_real_output_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
    ) -> Outcome<impl Iterator<Item = f64>> {
        for (reference, order) in references.iter().zip(orders) {
            let rule = self.layout.reals.get(*reference as usize).copied().unwrap_or(Rule(0));
            if !rule.has(Rule::OUTPUT) {
                return Err(CallError::error(format!(
                    "\"{}\" is not a Real output",
                    self.name(Base::Real, *reference)
                )));
            }
            if !(1..=MAX_OUTPUT_DERIVATIVE_ORDER).contains(order) {
                let name = self.name(Base::Real, *reference);
                return Err(CallError::error(format!(
                    "order of the derivative of \"{name}\" is {order}, but can only be {MAX_OUTPUT_DERIVATIVE_ORDER}"
                )));
            }
        }
        let rates = self.output_rates()?;
        Ok(references.iter().map(move |reference| rates[*reference as usize].eps))
    }

    /// `fmi2GetRealStatus`
    pub fn real_status(&self, kind: StatusKind) -> Outcome<f64> {
        match kind {
            StatusKind::LastSuccessfulTime => Ok(self.time),
            _ => Err(no_status()),
        }
    }

    /// `fmi2GetBooleanStatus`
    pub fn boolean_status(&self, kind: StatusKind) -> Outcome<bool> {
        match kind {
            StatusKind::Terminated => Ok(false),
            _ => Err(no_status()),
        }
    }

    /// Rejects the status functions, which have no result.
    pub fn no_status(&self) -> Outcome {
        Err(no_status())
    }
}

fn no_status() -> CallError {
    CallError::discard("there is no such status, since no step is asynchronous")
}

fn not_available(why: CallError) -> CallError {
    CallError::error(format!("requiredIntermediateVariables: {}", why.message))
}
