//! Flanges of one-dimensional mechanics.

use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{Scalar, enumeration, group};
use mechanics::friction::AngularMotion;
use mechanics::motion::Coordinate;

enumeration! {
    /// The inputs at a flange.
    pub enum Coupling {
        torque_in = "the torque; the flange's inertia is inside and its motion is an output",
        motion_in = "the motion; the torque is an output",
    }
}

/// Options of a rotational flange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlangeOptions {
    /// The input at the flange: torque or motion.
    pub coupling: Coupling,
    /// True if phi and w are continuous-time states where they are computed.
    pub has_states: bool,
}

impl From<Coupling> for FlangeOptions {
    fn from(coupling: Coupling) -> Self {
        Self { coupling, has_states: false }
    }
}

group! {
    /// A rotational flange: torque or motion are given, and the other one follows.
    pub struct Flange<T>(o: FlangeOptions) {
        output motion: FlangeMotion<T> = MotionOptions::rates(o.has_states || o.coupling == Coupling::motion_in), "motion",
            name = "", input = o.coupling == Coupling::motion_in;
        output tau: T, N_M, "cut torque acting on the component; the negative acts on the attached shaft",
            input = o.coupling == Coupling::torque_in;
    }
}

/// Options of the motion of a rotational flange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MotionOptions {
    rates: bool,
    accelerations: bool,
}

impl Default for MotionOptions {
    fn default() -> Self {
        Self { rates: false, accelerations: true }
    }
}

impl MotionOptions {
    /// Makes options in which phi and w have their derivatives in this group, if `rates`: as outputs they are states,
    /// as inputs they move with their derivatives inside a step.
    pub fn rates(rates: bool) -> Self {
        Self { rates, ..Self::default() }
    }

    /// Makes options in which the acceleration is a variable, if `accelerations`.
    pub fn accelerations(accelerations: bool) -> Self {
        Self { accelerations, ..Self::default() }
    }
}

group! {
    /// Motion of a rotational flange.
    pub struct FlangeMotion<T>(o: MotionOptions) {
        phi: T, RAD, "angle", display = DEG, der = if o.rates { w } else { "" };
        w:   T, RAD_PER_S, "angular velocity, der(phi)", display = RPM, der = if o.rates { a } else { "" };
        a:   T, RAD_PER_S2, "angular acceleration, der(w)", when = o.accelerations;
    }
}

group! {
    /// Motion of a translational flange; the option is whether there is the acceleration.
    pub struct TranslationalMotion<T>(accelerations: bool) {
        s: T, M, "position of the flange";
        v: T, M_PER_S, "velocity, der(s)";
        a: T, M_PER_S2, "acceleration, der(v)", when = accelerations;
    }
}

group! {
    /// The housing of a rotational drive, which is at rest.
    pub struct RotationalBearing<T>(_o: ()) {
        phi: T, RAD, "angle of the flange, always 0", display = DEG, discrete = true;
        tau: T, N_M, "cut torque acting on the component: the reaction of the drive at axis";
    }
}

group! {
    /// The housing of a translational drive, which is at rest.
    pub struct TranslationalBearing<T>(_o: ()) {
        s: T, M, "position of the flange, always 0", discrete = true;
        f: T, N, "cut force acting on the component: the reaction of the drive at axis";
    }
}

impl<T: Scalar> Flange<T> {
    /// Writes the output: the motion if the torque is given, otherwise the cut torque.
    #[inline(always)]
    pub fn set_outputs(&mut self, coupling: Coupling, motion: AngularMotion<T>, tau: T) {
        match coupling {
            Coupling::torque_in => self.motion = motion.into(),
            Coupling::motion_in => self.tau = tau,
        }
    }
}

impl<T: Scalar> From<AngularMotion<T>> for FlangeMotion<T> {
    fn from(motion: AngularMotion<T>) -> Self {
        Self { phi: motion.phi, w: motion.w, a: motion.a }
    }
}

impl<T: Scalar> From<Coordinate<T>> for FlangeMotion<T> {
    fn from(coordinate: Coordinate<T>) -> Self {
        Self { phi: coordinate.x, w: coordinate.v, a: coordinate.a }
    }
}

impl<T: Scalar> From<Coordinate<T>> for TranslationalMotion<T> {
    fn from(coordinate: Coordinate<T>) -> Self {
        Self { s: coordinate.x, v: coordinate.v, a: coordinate.a }
    }
}

impl<T: Scalar> RotationalBearing<T> {
    /// Makes the bearing of a drive with the torque `tau`.
    pub fn of(tau: T) -> Self {
        Self { phi: T::zero(), tau: -tau }
    }
}

impl<T: Scalar> TranslationalBearing<T> {
    /// Makes the bearing of a drive with the force `f`.
    pub fn of(f: T) -> Self {
        Self { s: T::zero(), f: -f }
    }
}
