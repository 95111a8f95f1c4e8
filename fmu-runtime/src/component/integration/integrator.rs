//! The integrator, which moves states over a communication step.

use crate::component::integration::crossing::{Indicators, Span, too_frequent};
use crate::component::integration::dense::Dense;
use crate::component::integration::explicit::Explicit;
use crate::component::integration::kept::Knowledge;
use crate::component::integration::rosenbrock::Rosenbrock;
use crate::component::integration::short::Short;
use crate::component::integration::step_size;
use crate::component::integration::system::{Solver, System};
use crate::component::model_error::ModelError;

/// Relative tolerance where the importer gives none.
pub const TOLERANCE: f64 = 1e-6;
/// Largest number of steps inside a communication step.
const STEPS: usize = 100_000;
/// The weight of a step that the equations refuse, relative to an accepted one, and the total at which the integration gives
/// up: after some hundred steps of which every fourth one is refused.
const REFUSED: usize = 4;
const MAX_REFUSED_STEPS: usize = 300;
/// Largest number of events in immediate succession.
const EVENTS: usize = 100;
/// A time event this close before the end of a communication step, as a fraction of it, is at its end: times are rounded.
pub(super) const NEAR: f64 = 1e-9;
/// A step in which equations have changed after less than this part of it, without an event, is exact enough up to there.
const MAX_NEGLECTED_FRACTION: f64 = 1e-2;
/// The tolerance of a step inside which states are interpolated, as a part of that of others: the dense output is of order 4, the
/// end of a step of order 5.
const INTERPOLATED: f64 = 0.5;
/// Number of steps that decide that equations are stiff, or are not any more.
const DOUBTS: u8 = 15;

/// Progress of the integration that a step leaves for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The proposed step, in s; 0 before the first one.
    pub(super) h: f64,
    /// The error of the last step relative to the tolerance; 0 after an event.
    error: f64,
    /// True if the equations were found stiff.
    is_stiff: bool,
    /// Excess of the steps that have spoken against this over those that have spoken for it.
    doubts: u8,
}

impl Progress {
    /// Reads the numbers of [`to_reals`](Self::to_reals); numbers that it cannot have made count as nothing.
    pub fn from_reals([h, error, is_stiff, doubts]: [f64; 4]) -> Self {
        let positive = |value: f64| if value.is_finite() { value.max(0.0) } else { 0.0 };
        Self { h: positive(h), error: positive(error), is_stiff: is_stiff == 1.0, doubts: doubts as u8 }
    }

    /// Returns the progress as numbers that an FMU state can keep.
    pub fn to_reals(self) -> [f64; 4] {
        [self.h, self.error, f64::from(u8::from(self.is_stiff)), self.doubts.into()]
    }
}

/// The integrator of one instance: its progress, and buffers.
#[derive(Clone, Debug)]
pub struct Integrator {
    /// Progress that has to be remembered between steps.
    pub progress: Progress,
    /// Relative tolerance.
    pub tolerance: f64,
    /// True if the first event after the beginning ends a step and is left to the caller.
    pub stops_at_event: bool,
    /// The exact length of the next communication step, in s, if it is not the difference of its rounded times.
    pub length: Option<f64>,
    /// Time in s up to which steps may go beyond the end of a communication step, if they may.
    pub reach: Option<f64>,
    pub(super) solver: Solver,
    /// Magnitudes of the states below which errors count relative to these.
    pub(super) nominals: Vec<f64>,
    /// Time in s at which the next time event is due.
    pub(super) due: Option<f64>,
    /// The states and their derivatives where the open step begins, or else where the integrator is.
    pub(super) x: Vec<f64>,
    pub(super) dx: Vec<f64>,
    pub(super) error: Vec<f64>,
    pub(super) dense: Dense,
    /// Derivatives of the states at the end of the open step.
    pub(super) slopes: Vec<f64>,
    /// The last step, if its end has not been reached yet.
    pub(super) open: Option<OpenStep>,
    explicit: Explicit,
    rosenbrock: Rosenbrock,
    pub(super) short: Short,
    /// True if `rosenbrock` is linearised at the present point.
    is_linearised: bool,
    pub(super) indicators: Indicators,
    /// Time in s at which the limit of a step was asked for, and time up to which it need not be asked for again.
    pub(super) limit_known: Option<(f64, f64)>,
    steps: usize,
    /// Excess of recently refused steps over accepted ones, weighted.
    refused: usize,
}

impl Integrator {
    /// Makes an integrator for states with these nominal values.
    pub fn new(nominals: Vec<f64>, indicators: usize, solver: Solver) -> Self {
        let count = nominals.len();
        Self {
            progress: Progress::default(),
            tolerance: TOLERANCE,
            stops_at_event: false,
            length: None,
            reach: None,
            solver,
            due: None,
            x: vec![0.0; count],
            dx: vec![0.0; count],
            error: vec![0.0; count],
            dense: Dense::new(count),
            slopes: vec![0.0; count],
            open: None,
            explicit: Explicit::new(count),
            rosenbrock: Rosenbrock::new(count),
            short: Short::new(count),
            is_linearised: false,
            indicators: Indicators::new(indicators, count),
            limit_known: None,
            steps: 0,
            refused: 0,
            nominals,
        }
    }

    /// Looks for no turns of the last indicators inside a step: they keep their sign behind an event.
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
        self.copy_states(reached.t, x);
        Ok(reached)
    }

    /// Restarts with the states `x` at `t`, in s, where inputs have changed; returns true if that has changed the sign of an
    /// indicator, which is an event.
    ///
    /// # Errors
    ///
    /// Those of the system.
    #[inline]
    pub fn restart_at(&mut self, system: &mut dyn System, x: &[f64], t: f64) -> Result<bool, ModelError> {
        self.open = None;
        self.x.copy_from_slice(x);
        self.is_linearised = false;
        self.indicators.begin_again(system, t, &self.x, &mut self.dx)
    }

    /// Moves the states as [`advance`](Self::advance), where there is no event at the beginning, and the slopes there or the
    /// open step are known; says what is known at the end.
    ///
    /// # Errors
    ///
    /// As for [`advance`](Self::advance).
    #[inline]
    pub fn go_on(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        begin: f64,
        end: f64,
    ) -> Result<(Reached, Knowledge), ModelError> {
        let is_short = self.open.is_none() && self.reach.is_none() && self.try_short(system, begin, end)?;
        if is_short {
            x.copy_from_slice(&self.x);
            return Ok((Reached { t: end, is_event: false }, Knowledge::Signs));
        }
        let reached = self.proceed(system, begin, end)?;
        self.copy_states(reached.t, x);
        Ok((reached, Knowledge::Slopes))
    }

    /// Copies the states at a time, in s, of the open step, or those where the integrator is.
    #[inline]
    fn copy_states(&self, t: f64, x: &mut [f64]) {
        match self.open {
            Some(OpenStep { begin, h, .. }) => self.dense.states(&self.x, (t - begin) / h, x),
            None => x.copy_from_slice(&self.x),
        }
    }

    /// Returns true if the end of the last step has not been reached.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Moves the states from `begin`, where [`event`](Self::event) or this function left them, to `end`, in s, with the
    /// events between, or to the first one. An event at the time that is reached is left to the caller, as is the memory there.
    ///
    /// # Errors
    ///
    /// As for [`advance`](Self::advance).
    pub fn proceed(&mut self, system: &mut dyn System, begin: f64, end: f64) -> Result<Reached, ModelError> {
        (self.steps, self.refused) = (0, 0);
        let length = self.length.take().unwrap_or(end - begin);
        let mut t = begin;
        let mut last_event = t;
        let mut events = 0;
        let last_before = end - NEAR * (end - begin);
        let reach = self.reach.take().map_or(end, |reach| reach.max(end));
        loop {
            let open = match self.open {
                Some(open) => open,
                None => {
                    let is_before = |due: &f64| if reach > end { *due < reach } else { *due < last_before };
                    let stop = self.due.filter(is_before).unwrap_or(reach);
                    // Far from time zero, the difference of two times has large rounding errors.
                    let rest = if t == begin && stop == end { length } else { stop - t };
                    self.step(system, t, (stop, rest), (end, end - begin))?
                }
            };
            if end < open.end {
                return Ok(Reached { t: end, is_event: false });
            }
            self.close(&open);
            t = open.end;
            let is_due = self.due.is_some_and(|due| due <= t);
            let is_event = open.is_event || is_due;
            if t >= end || is_due && t >= last_before {
                return Ok(Reached { t: end, is_event });
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
        self.open = None;
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
        self.open = None;
        self.indicators.begin(system, t, &self.x, &mut self.dx)?;
        self.is_linearised = false;
        Ok(())
    }

    /// Returns the nominal values of the states.
    pub fn nominals(&self) -> &[f64] {
        &self.nominals
    }

    /// Returns the states, where no step is open.
    pub fn states(&self) -> &[f64] {
        &self.x
    }

    /// Returns a step that is not too long to see a change of lasting indicators.
    #[inline]
    pub(super) fn limited(&mut self, system: &mut dyn System, t: f64, h: f64) -> f64 {
        let is_known = |(asked, until): (f64, f64)| asked <= t && t + h <= until;
        if self.indicators.lasting == 0 || self.limit_known.is_some_and(is_known) {
            return h;
        }
        let limit = system.step_limit(t, &self.x);
        // Speeds may change before. An infinite limit may only hold where it was asked for.
        self.limit_known = limit.is_finite().then_some((t, t + 0.5 * limit));
        h.min(limit)
    }

    /// Returns true if steps are made by the method for stiff equations.
    #[inline]
    pub(super) fn is_implicit(&self) -> bool {
        match self.solver {
            Solver::Auto => self.progress.is_stiff,
            Solver::Explicit => false,
            Solver::Implicit => true,
        }
    }

    /// Makes one step within the tolerance, not beyond `stop`, which is `rest` away, up to the first event. It need not go
    /// beyond `end`, the end of a communication step of the length `longest`.
    fn step(
        &mut self,
        system: &mut dyn System,
        t: f64,
        (mut stop, mut rest): (f64, f64),
        (end, longest): (f64, f64),
    ) -> Result<OpenStep, ModelError> {
        let is_implicit = self.is_implicit();
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
            // Within a communication step, it is the importer who says how far apart events may be seen.
            let is_beyond = stop > end && t + h > end;
            let looks_inside = is_beyond && self.indicators.has_turning();
            let (inside, at_end) = self.indicators.of_step();
            let result = if is_implicit {
                self.rosenbrock.step(system, at, from, &mut self.dense, &mut self.error, at_end)
            } else {
                let indicators = (looks_inside.then_some(inside), at_end);
                self.explicit.step(system, at, from, &mut self.dense, &mut self.error, indicators)
            };
            let error = if result.is_ok() {
                let tolerance = if is_beyond { INTERPOLATED * self.tolerance } else { self.tolerance };
                step_size::relative_error(&self.error, &self.x, &self.dense.end, &self.nominals, tolerance)
            } else {
                f64::INFINITY
            };
            if error <= 1.0 {
                let uncertainty = if looks_inside { self.uncertainty(system, is_implicit, (t, h))? } else { 0.0 };
                if uncertainty > 1.0 {
                    is_repeated = true;
                    proposed = 0.5 * h;
                    if proposed <= end - t {
                        (stop, rest) = (end, end - t);
                        proposed = rest;
                    }
                    continue;
                }
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
                let next = h * step_size::growth(error, before, largest).min(step_size::certain_growth(uncertainty));
                // A step that something else has cut short says less than the one proposed before.
                self.progress.h = if h < proposed { next.max(proposed) } else { next };
                self.progress.error = error.max(1e-4);
                self.judge_stiffness(is_implicit, h);
                return Ok(self.accept(is_implicit, (t, h), if is_last { stop } else { t + h }, change));
            }
            is_repeated = true;
            if result.is_err() && stop > end {
                // Beyond the end of the communication step, nobody asks for anything.
                (stop, rest) = (end, end - t);
                proposed = proposed.min(rest);
                continue;
            }
            proposed = h * step_size::reduction(error);
            self.refused += if result.is_err() { REFUSED } else { 0 };
            if t + proposed <= t || self.refused > MAX_REFUSED_STEPS {
                return Err(result.err().unwrap_or_else(|| {
                    ModelError::singular(format!("the states change too fast at {t} s: no step is small enough"))
                }));
            }
        }
    }

    /// Returns how [uncertain](Indicators::uncertainty) the indicators are inside a step.
    fn uncertainty(
        &mut self,
        system: &mut dyn System,
        is_implicit: bool,
        (t, h): (f64, f64),
    ) -> Result<f64, ModelError> {
        let slopes = if is_implicit { self.rosenbrock.end() } else { self.explicit.end() };
        let span = Span { t, h, begin: &self.x, dense: &self.dense, slopes: [&self.dx, slopes] };
        if is_implicit {
            self.indicators.look_inside(system, &span)?;
        }
        self.indicators.uncertainty(system, &span)
    }

    /// Returns the part of a step after which an indicator has changed.
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

    /// Opens a step, up to its end or to the first change inside.
    fn accept(&mut self, is_implicit: bool, (t, h): (f64, f64), end: f64, change: Option<f64>) -> OpenStep {
        self.slopes.copy_from_slice(if is_implicit { self.rosenbrock.end() } else { self.explicit.end() });
        self.is_linearised = false;
        let part = change.filter(|part| *part < 1.0);
        let open = OpenStep {
            begin: t,
            h,
            part: part.unwrap_or(1.0),
            end: part.map_or(end, |part| t + part * h),
            is_event: change.is_some(),
        };
        self.open = Some(open);
        open
    }

    /// Moves the states to the end of a step.
    fn close(&mut self, open: &OpenStep) {
        self.open = None;
        if open.part < 1.0 {
            // The coefficients are not needed any more once the states are known.
            self.dense.states(&self.x, open.part, &mut self.error);
            self.x.copy_from_slice(&self.error);
            return;
        }
        self.x.copy_from_slice(&self.dense.end);
        self.dx.copy_from_slice(&self.slopes);
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

/// Point to which the states have been moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The time, in s.
    pub t: f64,
    /// True if there is an event.
    pub is_event: bool,
}

/// An accepted step, whose end may not have been reached yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenStep {
    /// Time where it begins, in s.
    pub begin: f64,
    /// Its length, in s.
    pub h: f64,
    /// The part of it that ends at the first event; 1 if there is none before its end.
    pub part: f64,
    /// Time at the end of this part, in s.
    pub end: f64,
    /// True if there is a state event at the end.
    pub is_event: bool,
}
