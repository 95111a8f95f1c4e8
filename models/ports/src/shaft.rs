//! The flanges of a shaft.

use fmu_runtime::unit::{DEG, RPM};
use fmu_runtime::{Scalar, enumeration, group};

enumeration! {
    /// What an importer gives at a flange.
    pub enum Coupling {
        torque_in = "the torque; the flange's inertia is inside and its motion is an output",
        motion_in = "the motion; the torque is an output",
    }
}

/// Options of the motion of a flange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlangeOptions {
    /// Whether phi and w have their derivatives in this group: states if they are computed; as inputs
    /// they move with their derivatives inside a step.
    pub rates: bool,
}

group! {
    /// Angle, angular velocity and angular acceleration of a flange.
    pub struct FlangeMotion<T>(o: FlangeOptions) {
        phi: T, RAD, "angle", display = DEG, der = if o.rates { "w" } else { "" };
        w:   T, RAD_PER_S, "angular velocity", display = RPM, der = if o.rates { "a" } else { "" };
        a:   T, RAD_PER_S2, "angular acceleration";
    }
}

group! {
    /// Cut torque at a flange.
    pub struct FlangeLoad<T>(_o: ()) {
        tau: T, N_M, "cut torque acting on the component; on the attached shaft acts the negative";
    }
}

impl<T: Scalar> From<mechanics::friction::Motion<T>> for FlangeMotion<T> {
    fn from(motion: mechanics::friction::Motion<T>) -> Self {
        Self { phi: motion.phi, w: motion.w, a: motion.a }
    }
}
