//! Coulomb friction of one relative degree of freedom, integrated exactly from event to event.
//!
//! ```text
//! w = w_2 - w_1                                   relative velocity of side 2                    [rad/s]
//! n = cgeo fn                                     normal force times geometry                    [N.m]
//! Forward:  tau =  n mu(w)                        friction torque: on side 2 acts -tau           [N.m]
//! Backward: tau = -n mu(-w)
//! Stuck:    w' = 0, as long as |tau| <= peak n mu(0)
//! Free:     tau = 0, as long as n <= 0
//! ```
//!
//! Laws, modes and numbers of the modes are those of Modelica.Mechanics.Rotational.

mod at_rest;
mod by_temperature;
mod coefficient;
mod crossing;
mod dynamics;
mod elastic;
mod element;
mod exponential;
mod gear;
mod geared;
mod law;
mod load_path;
mod losses;
mod polynomial;
mod series;
mod slip;
mod steady;
mod stick_state;

pub use at_rest::AtRest;
pub use by_temperature::{CoefficientAt, CoefficientsByTemperature};
pub use coefficient::{Coefficient, CoefficientError, Extrapolation};
pub use dynamics::EventChanges;
pub use elastic::{Elastic, GivenMotion, SpringState};
pub use element::{AngularMotion, Computed, ElementLoad, ElementState, FrictionElement};
pub use gear::Gear;
pub use law::{FrictionLaw, INDICATORS, LawBranch, LawParameters, Line, Sliding, Transition};
pub use losses::{LossTable, LossTableError, Losses};
pub use polynomial::{MAX_ORDER, Polynomial};
pub use slip::{Slip, SlipLoad, SlipState, TooManyEvents};
pub use stick_state::{Limits, StickState, Unsolved};

/// A relative velocity, in rad/s, that counts as zero where a normal force appears: solvers find that instant only up to rounding.
const AT_REST: f64 = 1e-9;

/// Mode of friction: sliding and its direction, sticking, or no contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Sliding with w < 0.
    Backward,
    /// Sticking: not sliding.
    Stuck,
    /// Sliding with w > 0.
    Forward,
    /// Free: not pressed together.
    Free,
}

impl Mode {
    /// Returns the mode with Modelica's number; [`Stuck`](Self::Stuck) if there is none.
    #[inline]
    pub fn from_number(number: i32) -> Self {
        match number {
            -1 => Self::Backward,
            1 => Self::Forward,
            2 => Self::Free,
            _ => Self::Stuck,
        }
    }

    /// Returns Modelica's number of the mode.
    #[inline]
    pub fn number(self) -> i32 {
        match self {
            Self::Backward => -1,
            Self::Stuck => 0,
            Self::Forward => 1,
            Self::Free => 2,
        }
    }

    /// Returns 1 or -1 while sliding, the sign of w.
    #[inline]
    pub fn direction(self) -> Option<f64> {
        match self {
            Self::Forward => Some(1.0),
            Self::Backward => Some(-1.0),
            Self::Stuck | Self::Free => None,
        }
    }

    /// Returns the mode of sliding in the direction of a nonzero number.
    #[inline]
    pub fn sliding(direction: f64) -> Self {
        if direction > 0.0 { Self::Forward } else { Self::Backward }
    }
}
