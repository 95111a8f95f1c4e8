//! Frames with accelerations.

use fmu_runtime::{ModelError, Scalar, group};
use mechanics::motion::Motion;
use nalgebra::Vector3;

use crate::{FrameMotion, FrameOptions, Orientation};

/// Options of a frame with accelerations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AcceleratedFrameOptions {
    /// Whether the accelerations are variables; otherwise they are zero.
    pub accelerations: bool,
    /// All other options.
    pub frame: FrameOptions,
}

group! {
    /// Position, orientation, velocities and accelerations of a frame.
    pub struct AcceleratedFrame<T>(o: AcceleratedFrameOptions) {
        motion: FrameMotion<T> = o.frame, "position, orientation and velocities", name = "";
        a_0: Vector3<T>, M_PER_S2, "acceleration of the origin, der(v_0), resolved in the world frame",
            when = o.accelerations;
        z:   Vector3<T>, RAD_PER_S2, "angular acceleration, der(R.w) by components, resolved in this frame",
            when = o.accelerations;
    }
}

impl<T: Scalar> AcceleratedFrame<T> {
    /// The motion, with the orientation corrected to an exact rotation; `name` is for the message.
    #[inline(always)]
    pub fn motion(&self, orientation: Orientation, name: &str) -> Result<Motion<T>, ModelError> {
        let FrameMotion { r_0, v_0, R_w, .. } = self.motion;
        Ok(Motion { T: self.motion.rotation(orientation, name)?, r_0, v_0, w: R_w, a_0: self.a_0, z: self.z })
    }

    /// Stores the motion of a frame that the component computes.
    #[inline(never)]
    pub fn set_outputs(&mut self, motion: &Motion<T>, orientation: Orientation) {
        self.motion.set_outputs(motion, orientation);
        self.a_0 = motion.a_0;
        self.z = motion.z;
    }
}
