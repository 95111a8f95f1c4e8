//! The knowledge of an integrator about the motion between communication steps.

/// Index of what is known of the motion where the last communication step ended, a [`Knowledge`].
pub const KNOWLEDGE: usize = 5;

/// Knowledge of the motion where a communication step ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Knowledge {
    /// Nothing but the states: there may be an event.
    States = 0,
    /// Besides, the signs of the indicators.
    Signs = 1,
    /// Besides, the derivatives of the states, and the indicators.
    Slopes = 2,
    /// The motion up to the end of the open step.
    Motion = 3,
}

impl Knowledge {
    /// Reads the number that was kept; another one counts as nothing.
    #[inline]
    pub fn of(kept: &[f64]) -> Self {
        [Self::Signs, Self::Slopes, Self::Motion]
            .into_iter()
            .find(|knowledge| kept[KNOWLEDGE] == f64::from(*knowledge as u8))
            .unwrap_or(Self::States)
    }
}
