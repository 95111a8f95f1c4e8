//! Values that a step of the integrator leaves for the next one.

/// Number of explicit steps after which the implicit method is taken, at first and at most.
const EXPLICIT: [u8; 2] = [15, 240];

/// Number of implicit steps after which the explicit method is taken: few, since one costs as much as many explicit steps.
const IMPLICIT: u8 = 5;

/// Progress of the integration that a step leaves for the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The proposed step, in s; 0 before the first one.
    pub(super) h: f64,
    /// The error of the last step relative to the tolerance; 0 after an event.
    pub(super) error: f64,
    /// True if the method for stiff equations was found to cost less.
    pub(super) is_implicit: bool,
    /// Excess of the steps that have spoken for the other method over those that have spoken for this one.
    doubts: u8,
    /// Number of explicit steps after which the implicit method is taken next time: doubled where it was no gain.
    patience: u8,
}

impl Default for Progress {
    fn default() -> Self {
        Self { h: 0.0, error: 0.0, is_implicit: false, doubts: 0, patience: EXPLICIT[0] }
    }
}

impl Progress {
    /// Reads the numbers of [`to_reals`](Self::to_reals); numbers that it cannot have made count as nothing.
    pub fn from_reals([h, error, is_implicit, doubts, patience]: [f64; 5]) -> Self {
        let positive = |value: f64| if value.is_finite() { value.max(0.0) } else { 0.0 };
        Self {
            h: positive(h),
            error: positive(error),
            is_implicit: is_implicit == 1.0,
            doubts: (doubts as u8).min(EXPLICIT[1]),
            patience: (patience as u8).max(EXPLICIT[0]),
        }
    }

    /// Returns the progress as numbers that an FMU state can keep.
    pub fn to_reals(self) -> [f64; 5] {
        [self.h, self.error, f64::from(u8::from(self.is_implicit)), self.doubts.into(), self.patience.into()]
    }

    /// Counts a step after which the other method would cost less, or would not; changes the method after enough of them.
    pub(super) fn count_step(&mut self, other_costs_less: bool) {
        if self.is_implicit && !other_costs_less {
            self.patience = EXPLICIT[0];
        }
        self.doubts = if other_costs_less { self.doubts + 1 } else { self.doubts.saturating_sub(1) };
        if self.doubts >= if self.is_implicit { IMPLICIT } else { self.patience } {
            if self.is_implicit {
                self.patience = 2 * self.patience.min(EXPLICIT[1] / 2);
            }
            (self.is_implicit, self.doubts) = (!self.is_implicit, 0);
        }
    }
}
