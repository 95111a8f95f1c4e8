//! Flanges of one-dimensional mechanics.

use fmu_runtime::{Scalar, group};
use mechanics::motion::Coordinate;

group! {
    /// Motion of a rotational flange; the option is whether there is the acceleration.
    pub struct RotationalMotion<T>(accelerations: bool) {
        phi: T, RAD, "angle of the flange", display = fmu_runtime::unit::DEG;
        w:   T, RAD_PER_S, "angular velocity, der(phi)", display = fmu_runtime::unit::RPM;
        a:   T, RAD_PER_S2, "angular acceleration, der(w)", when = accelerations;
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
    /// The housing of a rotational drive, which stands still.
    pub struct RotationalBearing<T>(_o: ()) {
        phi: T, RAD, "angle of the flange, always 0", display = fmu_runtime::unit::DEG, discrete = true;
        tau: T, N_M, "cut torque acting on the component: the reaction of the drive at axis";
    }
}

group! {
    /// The housing of a translational drive, which stands still.
    pub struct TranslationalBearing<T>(_o: ()) {
        s: T, M, "position of the flange, always 0", discrete = true;
        f: T, N, "cut force acting on the component: the reaction of the drive at axis";
    }
}

impl<T: Scalar> From<Coordinate<T>> for RotationalMotion<T> {
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
    /// The bearing of a drive with the torque `tau`.
    pub fn of(tau: T) -> Self {
        Self { phi: T::zero(), tau: -tau }
    }
}

impl<T: Scalar> TranslationalBearing<T> {
    /// The bearing of a drive with the force `f`.
    pub fn of(f: T) -> Self {
        Self { s: T::zero(), f: -f }
    }
}
