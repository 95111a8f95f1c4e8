//! The integrator, which moves states over a communication step.

use crate::component::integration::crossing::{Indicators, too_frequent};
use crate::component::integration::dense::Dense;
use crate::component::integration::explicit::Explicit;
use crate::component::integration::knowledge::Knowledge;
use crate::component::integration::open_step::OpenStep;
use crate::component::integration::progress::Progress;
use crate::component::integration::rosenbrock::Rosenbrock;
use crate::component::integration::short::Short;
use crate::component::integration::system::{Solver, System};
use crate::component::model_error::ModelError;

/// Relative tolerance where the importer gives none.
pub const TOLERANCE: f64 = 1e-6;
/// Largest number of events in immediate succession.
const MAX_EVENTS: usize = 100;
/// A time event this close before the end of a communication step, as a fraction of it, is at its end: times are rounded.
pub(super) const NEAR: f64 = 1e-9;

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
    pub(super) explicit: Explicit,
    pub(super) rosenbrock: Rosenbrock,
    pub(super) short: Short,
    /// True if `rosenbrock` is linearised at the present point.
    pub(super) is_linearised: bool,
    pub(super) indicators: Indicators,
    /// Time in s at which the limit of a step was asked for, and time up to which it need not be asked for again.
    pub(super) limit_known: Option<(f64, f64)>,
    pub(super) steps: usize,
    /// Excess of recently refused steps over accepted ones, weighted.
    pub(super) refused: usize,
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

    /// Looks for no turns of the `lasting` last indicators inside a step: they keep their sign behind an event. No step goes
    /// beyond an event of the `bounding` last ones.
    pub fn with_lasting_indicators(mut self, lasting: usize, bounding: usize) -> Self {
        (self.indicators.lasting, self.indicators.bounding) = (lasting, bounding);
        self
    }

    /// Returns the number of indicators beyond whose events no step goes.
    pub fn bounding_indicators(&self) -> usize {
        self.indicators.bounding
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
                if events > MAX_EVENTS {
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
}

/// Point to which the states have been moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// The time, in s.
    pub t: f64,
    /// True if there is an event.
    pub is_event: bool,
}
