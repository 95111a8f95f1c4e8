//! Two sides with friction between them, whichever of the two is given as motion or as torque.
//!
//! ```text
//! J_1 a_1 = tau_1 + tau,   J_2 a_2 = tau_2 - tau      sides with an inertia
//! w_1, a_1 or w_2, a_2 given                          sides whose motion is prescribed
//! sa: the torque tau with which a_rel = a_2 - a_1 = 0
//! J a_rel = sa - tau,      1 / J = 1 / J_1 + 1 / J_2
//! ```

use super::Mode;
use super::coefficient::Coefficient;
use super::law::FrictionLaw;
use crate::{Scalar, constant, value};

/// Angle, angular velocity and angular acceleration of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngularMotion<T> {
    /// Angle, in rad.
    pub phi: T,
    /// Angular velocity, in rad/s.
    pub w: T,
    /// Angular acceleration, in rad/s2.
    pub a: T,
}

/// Loads on a friction element, linear in the inputs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementLoad<T> {
    /// The torque on a side with an inertia, the acceleration of a side whose motion is given.
    pub sides: [T; 2],
    /// Normal force times geometry, in N.m.
    pub n: T,
}

/// States and discrete memory of a friction element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementState<T> {
    /// Relative angle.
    pub phi_rel: T,
    /// Relative velocity.
    pub w_rel: T,
    /// Angle of the reference side, if it has an inertia.
    pub phi: T,
    /// Angular velocity of the reference side, if it has an inertia.
    pub w: T,
    /// The mode.
    pub mode: Mode,
    /// Angle at which the spring between two given motions is at rest.
    pub anchor: T,
    /// Angle and angular velocity of the side opposite to a given motion, which keeps them where the given motion jumps
    /// from one step to the next.
    pub opposite: [T; 2],
    /// True if `opposite` is in use.
    pub keeps_opposite: bool,
    /// True if static friction was exceeded and w_rel does not yet have the direction of sliding.
    pub breaks: bool,
}

/// Values computed from states, memory and inputs of a friction element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Computed<T> {
    /// Friction torque: tau acts on side 1, -tau on side 2.
    pub tau: T,
    /// Relative acceleration.
    pub a_rel: T,
    /// Power turned into heat.
    pub loss_power: T,
    /// Parameter of the friction law's curve.
    pub sa: T,
    /// Motion of both sides.
    pub sides: [AngularMotion<T>; 2],
}

/// Constants of the relative motion that follow from the inertias.
#[derive(Clone, Copy, Debug)]
pub(super) struct InertiaSplit<T> {
    /// The inertia of the relative motion.
    pub relative: T,
    /// Each side's fraction of the total inertia; zero unless both have one.
    pub shares: [T; 2],
    /// Reciprocal of the total inertia.
    pub inverse: T,
}

/// A friction element with its inputs and its memory.
#[allow(non_snake_case, reason = "Modelica's names")]
#[derive(Clone, Copy, Debug)]
pub struct FrictionElement<'a, T> {
    /// The friction law.
    pub law: FrictionLaw<&'a Coefficient, T>,
    /// Stiffness of the spring between two given motions, in N.m/rad.
    pub c_stuck: T,
    /// Damping of the spring between two given motions, in N.m.s/rad.
    pub d_stuck: T,
    /// Inertia of each side; none where its motion is given.
    pub inertia: [Option<T>; 2],
    /// The side whose absolute motion is known: a given one, or the one in the memory.
    pub reference: usize,
    /// Given angle and angular velocity of each side.
    pub given: [[T; 2]; 2],
    /// Zero, with the derivative of time.
    pub time_derivative: T,
    /// The loads.
    pub load: ElementLoad<T>,
    /// States and memory.
    pub x: ElementState<T>,
}

impl<T: Scalar> FrictionElement<'_, T> {
    /// Returns 1 if phi_rel counts from the reference side to the other one, else -1.
    pub(super) fn sign(&self) -> T {
        if self.reference == 0 { T::one() } else { -T::one() }
    }

    /// Returns true between two given motions, where static friction is that of a spring.
    pub fn is_elastic(&self) -> bool {
        self.inertia == [None, None]
    }

    /// True if the motion of the reference side is given and the other one has an inertia.
    pub(super) fn is_driven(&self) -> bool {
        self.inertia[self.reference].is_none() && self.inertia[1 - self.reference].is_some()
    }

    /// Computes the constants that follow from the inertias.
    #[inline]
    pub(super) fn split(&self) -> InertiaSplit<T> {
        let zero = [T::zero(); 2];
        match self.inertia {
            [Some(j_1), Some(j_2)] => {
                let inverse = T::one() / (j_1 + j_2);
                InertiaSplit { relative: j_1 * j_2 * inverse, shares: [j_1 * inverse, j_2 * inverse], inverse }
            }
            [Some(j), None] | [None, Some(j)] => InertiaSplit { relative: j, shares: zero, inverse: T::zero() },
            [None, None] => InertiaSplit { relative: T::zero(), shares: zero, inverse: T::zero() },
        }
    }

    /// Computes the torque with which the relative acceleration is zero.
    #[inline]
    pub(super) fn locking_torque(&self, split: &InertiaSplit<T>, [side_1, side_2]: [T; 2]) -> T {
        match self.inertia {
            [Some(_), Some(_)] => side_2 * split.shares[0] - side_1 * split.shares[1],
            [None, Some(j_2)] => side_2 - j_2 * side_1,
            [Some(j_1), None] => j_1 * side_2 - side_1,
            [None, None] => T::zero(),
        }
    }

    /// Computes the acceleration of the centre of both inertias, or of the given side.
    #[inline]
    pub(super) fn common_acceleration(&self, split: &InertiaSplit<T>, sides: [T; 2]) -> T {
        match self.inertia {
            [Some(_), Some(_)] => (sides[0] + sides[1]) * split.inverse,
            _ => sides[self.reference],
        }
    }

    /// Returns the lever from the centre of both inertias, or from the given side, to the reference side, as a fraction
    /// of phi_rel.
    #[inline]
    pub(super) fn lever(&self, split: &InertiaSplit<T>) -> T {
        self.sign() * split.shares[1 - self.reference]
    }

    /// Returns angle and angular velocity of the reference side.
    pub(super) fn reference_motion(&self) -> [T; 2] {
        match self.inertia[self.reference] {
            Some(_) => [self.x.phi, self.x.w],
            None => self.given[self.reference],
        }
    }

    /// Sets the memory at the initial point. `start` holds angles and angular velocities of the sides with inertias.
    pub fn initialise(&mut self, start: [[T; 2]; 2]) {
        let [side_1, side_2] = [0, 1].map(|k| if self.inertia[k].is_some() { start[k] } else { self.given[k] });
        [self.x.phi, self.x.w] = start[self.reference];
        self.x.phi_rel = side_2[0] - side_1[0];
        self.x.w_rel = side_2[1] - side_1[1];
        self.x.anchor = self.x.phi_rel;
        self.x.keeps_opposite = false;
        self.x.opposite = [T::zero(); 2];
        let sa = value(self.locking_torque(&self.split(), self.load.sides));
        let limit = value(self.law.tau0_max(self.load.n));
        self.x.mode = if value(self.load.n) <= 0.0 {
            Mode::Free
        } else if value(self.x.w_rel) != 0.0 {
            Mode::sliding(value(self.x.w_rel))
        } else if sa.abs() > limit {
            Mode::sliding(sa)
        } else {
            Mode::Stuck
        };
        self.x.breaks = value(self.x.w_rel) == 0.0 && self.x.mode.direction().is_some();
    }

    /// Begins the steps of a simulation: from here on, the side opposite to a given one keeps its motion when that
    /// jumps.
    pub fn begin_steps(&mut self) {
        self.x.keeps_opposite = self.is_driven();
        self.remember();
    }

    /// Stores the motion of the side opposite to a given one.
    #[inline]
    pub(super) fn remember(&mut self) {
        if self.is_driven() {
            let [phi, w] = self.given[self.reference];
            self.x.opposite = [phi + self.sign() * self.x.phi_rel, w + self.sign() * self.x.w_rel];
        }
    }

    /// Computes the relative motion from the given ones, where it follows from them.
    #[inline]
    pub(super) fn follow(&mut self) {
        if self.is_elastic() {
            let [side_1, side_2] = self.given;
            [self.x.phi_rel, self.x.w_rel] = [0, 1].map(|k| side_2[k] - side_1[k]);
        } else if self.is_driven() && self.x.keeps_opposite && self.x.mode != Mode::Stuck {
            let given = self.given[self.reference];
            // Remembered values have no derivatives: those of the states for which they stand are restored, and they
            // continue with the given motion.
            let [rates, states] = [[given[1], self.load.sides[self.reference]], [self.x.phi_rel, self.x.w_rel]];
            [self.x.phi_rel, self.x.w_rel] = [0, 1].map(|k| {
                let apart = self.x.opposite[k] + rates[k] * self.time_derivative - given[k];
                self.sign() * apart + (states[k] - constant(value(states[k])))
            });
        }
    }

    /// Computes torque and motions at this point, in the mode of the memory.
    #[inline(always)]
    pub fn evaluate(&mut self) -> Computed<T> {
        self.follow();
        let ElementState { phi_rel, w_rel, mode, .. } = self.x;
        let elastic = self.is_elastic();
        let split = self.split();
        let sa = if elastic {
            self.c_stuck * (phi_rel - self.x.anchor) + self.d_stuck * w_rel
        } else {
            self.locking_torque(&split, self.load.sides)
        };
        // If a spring yields against w_rel, the torque is that at rest.
        let is_against = |direction: f64| elastic && direction * value(w_rel) < 0.0;
        let w = if mode.direction().is_some_and(is_against) { T::zero() } else { w_rel };
        let line = self.law.line(mode, w, self.load.n, self.time_derivative);
        let tau = line.ta * sa + line.tb;
        let a_rel = match mode {
            _ if elastic => self.load.sides[1] - self.load.sides[0],
            Mode::Stuck => line.cb,
            _ => (sa - tau) / split.relative,
        };
        let loss_power = match mode {
            Mode::Stuck if elastic => self.d_stuck * w_rel * w_rel,
            // Zero, and not tau w_rel, whose derivative by the torque would count rounding of w_rel.
            Mode::Stuck => T::zero(),
            // A spring that yields against the motion returns its stored energy.
            _ if elastic && value(tau) * value(w_rel) < 0.0 => T::zero(),
            _ => tau * w_rel,
        };

        let [phi, w] = self.reference_motion();
        let a = match self.inertia[self.reference] {
            // While stuck, both sides have exactly the same acceleration, not only to rounding.
            Some(_) => self.common_acceleration(&split, self.load.sides) - self.lever(&split) * a_rel,
            None => self.load.sides[self.reference],
        };
        let own = AngularMotion { phi, w, a };
        let sign = self.sign();
        let other = match self.inertia[1 - self.reference] {
            None => {
                let [phi, w] = self.given[1 - self.reference];
                AngularMotion { phi, w, a: self.load.sides[1 - self.reference] }
            }
            Some(_) => AngularMotion { phi: phi + sign * phi_rel, w: w + sign * w_rel, a: a + sign * a_rel },
        };
        let sides = if self.reference == 0 { [own, other] } else { [other, own] };
        let sa = if mode == Mode::Stuck { tau } else { a_rel - line.cb };
        Computed { tau, a_rel, loss_power, sa, sides }
    }
}
