//! Moves states over a communication step.

use crate::component::integration::crossing::{Indicators, Span, too_frequent};
use crate::component::integration::dense::Dense;
use crate::component::integration::explicit::Explicit;
use crate::component::integration::rosenbrock::Rosenbrock;
use crate::component::integration::step_size;
use crate::component::integration::system::{Solver, System};
use crate::component::model_error::ModelError;

/// Relative tolerance where the importer gives none.
pub const TOLERANCE: f64 = 1e-6;
/// More steps inside a communication step than anyone would want.
const STEPS: usize = 100_000;
/// The weight of a step that the equations refuse, relative to an accepted one, and the total at which the integration gives
/// up: after some hundred steps of which every fourth one is refused.
const REFUSED: usize = 4;
const MAX_REFUSED_STEPS: usize = 300;
/// More events in immediate succession than anyone would want.
const EVENTS: usize = 100;
/// A time event this close before the end of a communication step, as a fraction of it, is at its end: times are rounded.
const NEAR: f64 = 1e-9;
/// A step in which equations have changed after less than this part of it, without an event, is exact enough up to there.
const MAX_NEGLECTED_FRACTION: f64 = 1e-2;
/// Steps that decide that equations are stiff, or are not any more.
const DOUBTS: u8 = 15;

/// What a step leaves for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The proposed step, in s; 0 before the first one.
    h: f64,
    /// The error of the last step relative to what was admitted; 0 after an event.
    error: f64,
    /// Whether the equations were found stiff.
    is_stiff: bool,
    /// How many more steps have spoken against this than for it.
    doubts: u8,
}

impl Progress {
    /// What was made of it by [`to_reals`](Self::to_reals); what that cannot have made counts as nothing.
    pub fn from_reals([h, error, is_stiff, doubts]: [f64; 4]) -> Self {
        let positive = |value: f64| if value.is_finite() { value.max(0.0) } else { 0.0 };
        Self { h: positive(h), error: positive(error), is_stiff: is_stiff == 1.0, doubts: doubts as u8 }
    }

    /// As numbers that an FMU state can keep.
    pub fn to_reals(self) -> [f64; 4] {
        [self.h, self.error, f64::from(u8::from(self.is_stiff)), self.doubts.into()]
    }
}

/// The integrator of one instance: what it has to remember, and room for its work.
#[derive(Clone, Debug)]
pub struct Integrator {
    /// What has to be remembered between steps.
    pub progress: Progress,
    /// Relative tolerance.
    pub tolerance: f64,
    /// Whether the first event after the beginning ends a step and is left to the caller.
    pub stops_at_event: bool,
    /// The exact length of the next communication step, in s, if it is not the difference of its rounded times.
    pub length: Option<f64>,
    solver: Solver,
    /// Magnitudes of the states below which errors count relative to these.
    nominals: Vec<f64>,
    /// When the next time event is due, in s.
    due: Option<f64>,
    x: Vec<f64>,
    dx: Vec<f64>,
    error: Vec<f64>,
    dense: Dense,
    explicit: Explicit,
    rosenbrock: Rosenbrock,
    /// Whether `rosenbrock` is linearised at the present point.
    is_linearised: bool,
    /// Where derivatives and indicators are those of the states: the end of the last step, unless there was an event.
    known_at: Option<f64>,
    indicators: Indicators,
    /// The times, in s, at which the limit of a step was asked for, and up to which it need not be asked for again.
    limit_known: Option<(f64, f64)>,
    steps: usize,
    /// By how much refused steps have recently outweighed accepted ones.
    refused: usize,
}

impl Integrator {
    /// An integrator for states with these nominal values.
    pub fn new(nominals: Vec<f64>, indicators: usize, solver: Solver) -> Self {
        let count = nominals.len();
        Self {
            progress: Progress::default(),
            tolerance: TOLERANCE,
            stops_at_event: false,
            length: None,
            solver,
            due: None,
            x: vec![0.0; count],
            dx: vec![0.0; count],
            error: vec![0.0; count],
            dense: Dense::new(count),
            explicit: Explicit::new(count),
            rosenbrock: Rosenbrock::new(count),
            is_linearised: false,
            known_at: None,
            indicators: Indicators::new(indicators, count),
            limit_known: None,
            steps: 0,
            refused: 0,
            nominals,
        }
    }

    /// Without looking for turns of the last indicators inside a step: they keep their sign behind an event.
    pub fn with_lasting_indicators(mut self, count: usize) -> Self {
        self.indicators.lasting = count;
        self
    }

    /// Moves the states `x` from `begin` to `end`, in s, with the events at `begin` and between, or to the first event.
    ///
    /// # Errors
    ///
    /// Those of the system, too many steps, or events that become infinitely frequent.
    pub fn advance(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        begin: f64,
        end: f64,
    ) -> Result<Reached, ModelError> {
        self.x.copy_from_slice(x);
        self.event(system, begin)?;
        let reached = self.proceed(system, begin, end)?;
        x.copy_from_slice(&self.x);
        Ok(reached)
    }

    /// Whether the last step ended at `t` with these states, without an event.
    pub fn is_at(&self, t: f64, x: &[f64]) -> bool {
        self.known_at == Some(t) && self.x == x
    }

    /// As [`advance`](Self::advance), with the same result, where the last step [ended](Self::is_at) and the event at
    /// `begin` changes nothing; the next time event is `due`.
    ///
    /// # Errors
    ///
    /// As for [`advance`](Self::advance).
    pub fn go_on(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        due: Option<f64>,
        (begin, end): (f64, f64),
    ) -> Result<Reached, ModelError> {
        self.due = due.filter(|due| *due > begin);
        system.nominals(&mut self.nominals);
        self.progress.error = 0.0;
        self.indicators.go_on();
        let reached = self.proceed(system, begin, end)?;
        x.copy_from_slice(&self.x);
        Ok(reached)
    }

    /// Moves the states from `begin`, where [`event`](Self::event) or this function left them, to `end`, in s, with the
    /// events between, or to the first one. An event at the time that is reached is left to the caller, as is the memory there.
    ///
    /// # Errors
    ///
    /// As for [`advance`](Self::advance).
    pub fn proceed(&mut self, system: &mut dyn System, begin: f64, end: f64) -> Result<Reached, ModelError> {
        (self.steps, self.refused) = (0, 0);
        self.known_at = None;
        let length = self.length.take().unwrap_or(end - begin);
        let mut t = begin;
        let mut last_event = t;
        let mut events = 0;
        let is_before = |due: &f64| *due < end - NEAR * (end - begin);
        loop {
            let stop = self.due.filter(is_before).unwrap_or(end);
            // Far from time zero, the difference of two times has large rounding errors.
            let rest = if t == begin && stop == end { length } else { stop - t };
            let next = self.step(system, t, (stop, rest), end - begin)?;
            t = next.t;
            let is_event = next.is_event || self.due.is_some_and(|due| due <= t);
            if t >= end {
                self.known_at = (!is_event && next.evaluated_at == t).then_some(t);
                return Ok(Reached { t, is_event });
            }
            let is_event = system.completed_step(t, &self.x)? || is_event;
            if self.stops_at_event && is_event {
                return Ok(Reached { t, is_event });
            }
            if is_event {
                events = if t - last_event <= 4.0 * f64::EPSILON * t.abs() { events + 1 } else { 0 };
                if events > EVENTS {
                    return Err(too_frequent(t));
                }
                last_event = t;
                self.event(system, t)?;
            }
        }
    }

    /// Handles an event at `t`, in s, and restarts there. The system may change the states.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn event(&mut self, system: &mut dyn System, t: f64) -> Result<(), ModelError> {
        let due = system.event(t, &mut self.x)?;
        self.due = due.filter(|due| *due > t);
        system.nominals(&mut self.nominals);
        self.progress.error = 0.0;
        self.restart(system, t)
    }

    /// Restarts at `t`, in s, where inputs go on with another slope.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn restart(&mut self, system: &mut dyn System, t: f64) -> Result<(), ModelError> {
        self.indicators.begin(system, t, &self.x, &mut self.dx)?;
        self.is_linearised = false;
        Ok(())
    }

    /// Nominal values of the states.
    pub fn nominals(&self) -> &[f64] {
        &self.nominals
    }

    /// The states.
    pub fn states(&self) -> &[f64] {
        &self.x
    }

    /// A step that is not too long to see a change of lasting indicators.
    fn limited(&mut self, system: &mut dyn System, t: f64, h: f64) -> f64 {
        let is_known = |(asked, until): (f64, f64)| asked <= t && t + h <= until;
        if self.indicators.lasting == 0 || self.limit_known.is_some_and(is_known) {
            return h;
        }
        let limit = system.step_limit(t, &self.x);
        // Speeds may change before. An infinite limit may only hold where it was asked for.
        self.limit_known = limit.is_finite().then_some((t, t + 0.5 * limit));
        h.min(limit)
    }

    /// One step with an error that is admitted, not beyond `stop`, which is `rest` away, up to the first event.
    fn step(
        &mut self,
        system: &mut dyn System,
        t: f64,
        (stop, rest): (f64, f64),
        longest: f64,
    ) -> Result<Stepped, ModelError> {
        let is_implicit = match self.solver {
            Solver::Auto => self.progress.is_stiff,
            Solver::Explicit => false,
            Solver::Implicit => true,
        };
        if is_implicit && !self.is_linearised {
            self.rosenbrock.linearise(system, t, &self.x)?;
            self.is_linearised = true;
        }
        if self.progress.h == 0.0 {
            let [near, slope] = [&mut self.dense.end, &mut self.error];
            let limits = (self.tolerance, longest);
            self.progress.h = step_size::first(system, t, (&self.x, &self.dx), &self.nominals, limits, [near, slope]);
        }
        let mut proposed = self.limited(system, t, self.progress.h.min(rest));
        if proposed == rest {
            proposed = proposed.max(self.progress.h);
        }
        let [mut is_repeated, mut is_cut] = [false; 2];
        loop {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(ModelError::singular(format!(
                    "the communication step needs more than {STEPS} steps of the integrator; the last one was \
                     {proposed} s long"
                )));
            }
            let is_last = proposed >= 0.999 * rest;
            let h = if is_last { rest } else { proposed.min(if is_cut { rest } else { 0.5 * rest }) };
            let (at, from) = ((t, h), (&*self.x, &*self.dx));
            let indicators = self.indicators.at_end();
            let result = if is_implicit {
                self.rosenbrock.step(system, at, from, &mut self.dense, &mut self.error, indicators)
            } else {
                self.explicit.step(system, at, from, &mut self.dense, &mut self.error, indicators)
            };
            let error = if result.is_ok() {
                let scale = &self.nominals;
                step_size::relative_error(&self.error, &self.x, &self.dense.end, scale, self.tolerance)
            } else {
                f64::INFINITY
            };
            if error <= 1.0 {
                let change = self.first_change(system, is_implicit, (t, h))?;
                let is_within =
                    |theta: &f64| (MAX_NEGLECTED_FRACTION..1.0).contains(theta) && self.indicators.is_lasting_change();
                if let Some(theta) = change.filter(|theta| !is_cut && is_within(theta)) {
                    // Behind such an event, equations are not those of the motion: the step must not go there.
                    (is_cut, proposed) = (true, theta * h);
                    self.indicators.begin(system, t, &self.x, &mut self.dx)?;
                    continue;
                }
                self.refused = self.refused.saturating_sub(1);
                let before = if self.progress.error == 0.0 { 1e-4 } else { self.progress.error };
                let largest = if is_repeated { 1.0 } else { 10.0 };
                let next = h * step_size::growth(error, before, largest);
                // A step that something else has cut short says less than the one proposed before.
                self.progress.h = if h < proposed { next.max(proposed) } else { next };
                self.progress.error = error.max(1e-4);
                self.judge_stiffness(is_implicit, h);
                return Ok(self.finish(is_implicit, (t, h), if is_last { stop } else { t + h }, change));
            }
            is_repeated = true;
            proposed = h * step_size::reduction(error);
            self.refused += if result.is_err() { REFUSED } else { 0 };
            if t + proposed <= t || self.refused > MAX_REFUSED_STEPS {
                return Err(result.err().unwrap_or_else(|| {
                    ModelError::singular(format!("the states change too fast at {t} s: no step is small enough"))
                }));
            }
        }
    }

    /// The part of a step after which an indicator has changed.
    fn first_change(
        &mut self,
        system: &mut dyn System,
        is_implicit: bool,
        (t, h): (f64, f64),
    ) -> Result<Option<f64>, ModelError> {
        let slopes = if is_implicit { self.rosenbrock.end() } else { self.explicit.end() };
        let span = Span { t, h, begin: &self.x, dense: &self.dense, slopes: [&self.dx, slopes] };
        self.indicators.first_change(system, &span)
    }

    /// Ends a step at its end, or at the first change inside.
    fn finish(&mut self, is_implicit: bool, (t, h): (f64, f64), end: f64, change: Option<f64>) -> Stepped {
        let slopes = if is_implicit { self.rosenbrock.end() } else { self.explicit.end() };
        self.is_linearised = false;
        if let Some(theta) = change.filter(|theta| *theta < 1.0) {
            // The coefficients are not needed any more once the states are known.
            self.dense.states(&self.x, theta, &mut self.error);
            self.x.copy_from_slice(&self.error);
            return Stepped { t: t + theta * h, evaluated_at: t, is_event: true };
        }
        self.x.copy_from_slice(&self.dense.end);
        self.dx.copy_from_slice(slopes);
        Stepped { t: end, evaluated_at: t + h, is_event: change.is_some() }
    }

    /// Counts steps that speak for stiff equations where they are held to be regular, and vice versa.
    fn judge_stiffness(&mut self, is_implicit: bool, h: f64) {
        let speaks_against = if is_implicit {
            h * self.rosenbrock.spectral_bound(&self.nominals) < 1.0
        } else {
            self.explicit.is_limited_by_stability(h, &self.dense, &self.nominals)
        };
        let Progress { is_stiff, doubts, .. } = &mut self.progress;
        *doubts = if speaks_against { *doubts + 1 } else { doubts.saturating_sub(1) };
        if *doubts >= DOUBTS {
            (*is_stiff, *doubts) = (!*is_stiff, 0);
        }
    }
}

/// Where the states have been moved to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The time, in s.
    pub t: f64,
    /// Whether there is an event.
    pub is_event: bool,
}

/// What a step has reached.
struct Stepped {
    /// The time, in s.
    t: f64,
    /// The time for which the derivatives were computed, in s: the same but for rounding.
    evaluated_at: f64,
    /// Whether there is a state event.
    is_event: bool,
}
