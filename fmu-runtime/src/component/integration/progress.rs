//! Values that a step of the integrator leaves for the next one.

/// Number of steps that decide that equations are stiff, or are not any more.
const DOUBTS: u8 = 15;

/// Progress of the integration that a step leaves for the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// The proposed step, in s; 0 before the first one.
    pub(super) h: f64,
    /// The error of the last step relative to the tolerance; 0 after an event.
    pub(super) error: f64,
    /// True if the equations were found stiff.
    pub(super) is_stiff: bool,
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

    /// Counts a step that speaks for stiff equations where they are held to be regular, or vice versa, and one that does not.
    pub(super) fn count_stiffness(&mut self, speaks_against: bool) {
        self.doubts = if speaks_against { self.doubts + 1 } else { self.doubts.saturating_sub(1) };
        if self.doubts >= DOUBTS {
            (self.is_stiff, self.doubts) = (!self.is_stiff, 0);
        }
    }
}
