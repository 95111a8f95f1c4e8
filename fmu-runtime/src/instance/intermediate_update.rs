//! Intermediate update: inside a step of Co-Simulation the importer is called, and the step goes on from there (FMI 3.0).
//!
//! Such a step is made in segments. Between two of them the instance is as at a communication point, so that the importer gets
//! values of this time and may set continuous inputs.

use std::sync::Arc;

use crate::instance::call_error::Outcome;

/// Number of equal segments of a step; there are further ones where events divide these.
const SEGMENTS: u32 = 8;
/// Number of events in one step after which further ones no longer divide it: they may follow one another without end.
pub(super) const EVENTS: usize = 1_000;

/// The importer's function: returns the time at which the step shall return early, in s, if it shall.
pub type Callback = Arc<dyn Fn(&Update) -> Option<f64> + Send + Sync>;

/// Request of an importer for intermediate updates, made when it makes an instance.
pub struct Request {
    /// The importer's function.
    pub callback: Callback,
    /// The variables that the importer gets and sets in the function, or the error in their array.
    pub variables: Outcome<Vec<u32>>,
    /// True if the importer can handle an early return.
    pub may_return_early: bool,
}

/// A checked request for intermediate updates.
pub struct Updates {
    pub(crate) callback: Callback,
    pub(super) may_return_early: bool,
    /// True if there are inputs among the variables.
    pub(super) sets_inputs: bool,
}

/// The arguments of a call of the importer inside a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Update {
    /// The time that is reached, in s.
    pub time: f64,
    /// True if inputs may be set for the rest of the step.
    pub takes_inputs: bool,
    /// True if the importer may ask for an early return.
    pub can_return_early: bool,
}

/// Progress of a step that is made in segments.
#[derive(Clone, Copy, Debug)]
pub struct StepProgress {
    /// The communication point, in s.
    pub(super) point: f64,
    /// The length of the step, in s.
    pub(super) h: f64,
    /// End of the step in s; earlier if the importer has asked for that.
    pub(super) end: f64,
    /// The number of the present segment.
    segment: u32,
    pub(super) events: usize,
    pub(super) is_begun: bool,
    pub(super) is_done: bool,
    pub(super) is_event: bool,
}

impl StepProgress {
    /// Makes the progress of a step from `point` to `point + h`, in s.
    pub fn new(point: f64, h: f64) -> Self {
        Self { point, h, end: point + h, segment: 1, events: 0, is_begun: false, is_done: false, is_event: false }
    }

    /// Returns none before the step has ended; then, true if there is an event that the importer is to handle.
    pub fn ended(&self) -> Option<bool> {
        self.is_done.then_some(self.is_event)
    }

    /// Returns true if a step that ends at this time, in s, ends early.
    pub fn is_early(&self, time: f64) -> bool {
        time < self.point + self.h
    }

    /// Returns the end of the next segment after `time`, in s.
    pub(super) fn next(&mut self, time: f64) -> f64 {
        loop {
            let end = self.point + self.h * f64::from(self.segment) / f64::from(SEGMENTS);
            if self.segment >= SEGMENTS || end >= self.end {
                return self.end;
            }
            if end > time {
                return end;
            }
            self.segment += 1;
        }
    }
}
