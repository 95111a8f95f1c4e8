//! The friction law alone, without inertias: for equations around it that give the acceleration or the torque.
//!
//! As in Modelica's PartialFriction, a curve parameter sa stands for the acceleration while the sides slide and for
//! the torque while they are stuck. Between two events both are linear in it:
//!
//! ```text
//! a_rel = ca sa + cb,   tau = ta sa + tb
//!            ca   cb             ta   tb
//! Stuck      0    -K_locked w    1    0                   |sa| <= tau0_max = peak n mu(0)
//! Forward    1    -tau0_max      0    n mu(w)             sa > tau0_max at w = 0
//! Backward   1    tau0_max       0    -n mu(-w)           sa < -tau0_max at w = 0
//! Free       1    0              0    0
//! ```

use super::coefficient::Coefficient;
use super::{AT_REST, Mode};
use crate::{Scalar, constant, value};

/// The parameters of the friction law.
#[allow(non_snake_case, reason = "Modelica's names")]
#[derive(Clone, Copy, Debug)]
pub struct LawParameters<T> {
    /// Ratio of static friction to sliding friction at w = 0.
    pub peak: T,
    /// Rate at which a relative velocity decays while stuck, in 1/s.
    pub K_locked: T,
    /// Largest overshoot of w through zero that counts as an arrival at zero, in rad/s.
    pub w_small: T,
}

/// A coefficient of sliding friction mu(u), u >= 0, at one point.
pub trait Sliding<T>: Copy {
    /// Returns the coefficient at rest.
    fn at_rest(self) -> T;

    /// Evaluates mu(u), at a kink with the slope on the side from which u approaches. `time_derivative` is 0 and has
    /// the derivative of the time.
    fn directional(self, u: T, time_derivative: T) -> T;

    /// Evaluates an event indicator that changes its sign wherever the slope changes, continuously.
    fn kinks(self, u: T) -> T;
}

impl<T: Scalar> Sliding<T> for &Coefficient {
    #[inline(always)]
    fn at_rest(self) -> T {
        self.mu_at(0, T::zero())
    }

    #[inline(always)]
    fn directional(self, u: T, time_derivative: T) -> T {
        self.mu_directional(u, time_derivative)
    }

    #[inline(always)]
    fn kinks(self, u: T) -> T {
        Coefficient::kinks(self, u)
    }
}

/// The friction law with a coefficient `C`, such as `&Coefficient`.
#[derive(Clone, Copy, Debug)]
pub struct FrictionLaw<C, T> {
    /// The coefficient of sliding friction.
    pub coefficient: C,
    /// Parameters of the law.
    pub parameters: LawParameters<T>,
}

/// The part of the curve on which an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LawBranch {
    /// The mode.
    pub mode: Mode,
    /// True if the element broke away at w = 0 and does not move yet: Modelica's startForward or startBackward.
    pub breaks: bool,
}

/// The coefficients of a branch: `a_rel = ca sa + cb`, `tau = ta sa + tb`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<T> {
    /// Slope of the acceleration by sa.
    pub ca: T,
    /// Constant part of the acceleration, in rad/s2.
    pub cb: T,
    /// Slope of the torque by sa.
    pub ta: T,
    /// Constant part of the torque, in N.m.
    pub tb: T,
}

/// Changes that an event makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The branch after the event.
    pub branch: LawBranch,
    /// True if w must become 0, without a change of momentum.
    pub stops: bool,
}

/// Number of event indicators.
pub const INDICATORS: usize = 4;

/// Size of an indicator that no mode can reach: a solver that stops exactly at zero must not miss the next event. It is
/// large enough that the product of two indicators, by which some solvers look for a change of sign, is not 0.
pub(super) const INDICATOR_OFFSET: f64 = 1e-150;

/// Fraction by which static friction must be exceeded, so that rounding causes no breakaway at exactly the limit.
const MARGIN: f64 = 4.0 * f64::EPSILON;

/// Fraction of the limit that an element which broke away may lack in the iteration of an event without holding again:
/// equations around it that are solved again differ by rounding.
const HYSTERESIS: f64 = 1e-9;

impl<T: Scalar, C: Sliding<T>> FrictionLaw<C, T> {
    /// Returns the sliding torque at w = 0, for the normal force times geometry `n`, in N.m.
    #[inline]
    pub fn tau0(&self, n: T) -> T {
        n * self.coefficient.at_rest()
    }

    /// Returns the largest torque while stuck, in N.m.
    #[inline]
    pub fn tau0_max(&self, n: T) -> T {
        self.parameters.peak * self.tau0(n)
    }

    /// Returns the sliding torque in a direction. `time_derivative` is 0 and has the derivative of time, which decides
    /// at kinks.
    #[inline(always)]
    pub fn sliding(&self, direction: f64, w: T, n: T, time_derivative: T) -> T {
        let direction = constant::<T>(direction);
        direction * n * self.coefficient.directional(direction * w, time_derivative)
    }

    /// Returns the coefficients in a mode at the relative velocity `w`.
    #[inline(always)]
    pub fn line(&self, mode: Mode, w: T, n: T, time_derivative: T) -> Line<T> {
        let (zero, one) = (T::zero(), T::one());
        match mode.direction() {
            Some(direction) => {
                let cb = -constant::<T>(direction) * self.tau0_max(n);
                Line { ca: one, cb, ta: zero, tb: self.sliding(direction, w, n, time_derivative) }
            }
            None if mode == Mode::Stuck => Line { ca: zero, cb: -self.parameters.K_locked * w, ta: one, tb: zero },
            None => Line { ca: one, cb: zero, ta: zero, tb: zero },
        }
    }
}

impl<C: Sliding<f64>> FrictionLaw<C, f64> {
    /// Returns the branch after an event, from the velocity, the normal force times geometry and the curve parameter.
    ///
    /// Where w arrives at 0 the element sticks first: accelerations and torques around it still belong to sliding. The
    /// equations are solved again while the branch changes, and it breaks away from the torque that they give then.
    pub fn next(&self, at: LawBranch, w: f64, n: f64, sa: f64) -> Transition {
        let to = |mode, breaks, stops| Transition { branch: LawBranch { mode, breaks }, stops };
        if n <= 0.0 {
            return to(Mode::Free, false, false);
        }
        if !self.is_at_rest(at.mode, w) {
            return to(Mode::sliding(w), false, false);
        }
        let limit = self.tau0_max(n);
        let exceeds = |direction: &f64, margin: f64| direction * sa > limit * (1.0 + margin);
        let direction = match at.mode.direction() {
            Some(direction) => Some(direction).filter(|direction| at.breaks && exceeds(direction, -HYSTERESIS)),
            None if at.mode == Mode::Stuck => [1.0, -1.0].into_iter().find(|direction| exceeds(direction, MARGIN)),
            None => None,
        };
        to(direction.map_or(Mode::Stuck, Mode::sliding), direction.is_some(), w != 0.0)
    }
}

impl<T: Scalar, C: Sliding<T>> FrictionLaw<C, T> {
    /// True if w has arrived at 0, or is there already.
    pub fn is_at_rest(&self, mode: Mode, w: f64) -> bool {
        match mode.direction() {
            Some(direction) => direction * w <= 0.0 && w.abs() <= value(self.parameters.w_small),
            None => mode == Mode::Stuck || w.abs() <= AT_REST,
        }
    }

    /// Evaluates the event indicators. A branch ends when one of the first three rises above zero (for the third: or
    /// falls to it). The fourth changes its sign where the slope of mu changes. None is zero right after an event that
    /// it has caused.
    pub fn indicators(&self, at: LawBranch, w: T, n: T, sa: T) -> [T; INDICATORS] {
        let (one, gap) = (T::one(), constant::<T>(INDICATOR_OFFSET));
        let mut indicators = [-one, -one, n, one];
        match at.mode.direction() {
            Some(direction) => {
                let kinks = self.coefficient.kinks(w.abs());
                indicators[0] = -constant::<T>(direction) * w - gap;
                indicators[3] = if value(kinks) == 0.0 { -gap } else { kinks };
            }
            None if at.mode == Mode::Stuck => {
                indicators[1] = sa.abs() - self.tau0_max(n) * constant(1.0 + MARGIN) - gap;
            }
            None => indicators[2] -= gap,
        }
        indicators
    }
}
