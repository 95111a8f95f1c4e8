//! Variables and options that several components have, declared once.
//!
//! Names, frames and signs are those of Modelica.Mechanics.MultiBody.

mod accelerated;
mod angles;
pub mod assembly;
mod flange;
pub mod friction;
mod heat;
mod orientation;

use fmu_runtime::{ModelError, Number, Scalar, enumeration, group};
use mechanics::euler::Sequence;
use mechanics::frame::{self, Load};
use mechanics::motion::Motion;
use mechanics::rotation::{MAX_DEVIATION, RotationError, from_cardan, from_quaternion, nearest, to_quaternion};
use nalgebra::{Matrix3, Vector3};

pub use accelerated::{AcceleratedFrame, AcceleratedFrameOptions};
pub use angles::{AngleMemory, EulerAngles, MomentLaw};
pub use flange::{
    Coupling, Flange, FlangeMotion, FlangeOptions, MotionOptions, RotationalBearing, TranslationalBearing,
    TranslationalMotion,
};
pub use heat::HeatPort;
pub use orientation::{Quaternion, RotationMatrix};

enumeration! {
    /// How the orientation of a frame is given.
    pub enum Orientation {
        matrix = "rotation matrix R.T[3,3]",
        quaternion = "quaternion Q[4], scalar part last",
        cardan = "cardan angles phi[3] about x, y', z''",
    }
}

/// Options of the variables at a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrameOptions {
    /// Representation of the orientation.
    pub orientation: Orientation,
    /// Start value of the position, in m.
    pub r_0: [f64; 3],
}

impl From<Orientation> for FrameOptions {
    fn from(orientation: Orientation) -> Self {
        Self { orientation, ..Self::default() }
    }
}

group! {
    /// A frame whose motion is given: its load follows.
    pub struct Frame<T>(o: FrameOptions) {
        input  motion: FrameMotion<T> = o, "motion", name = "";
        output load: FrameLoad<T>, "load", name = "";
    }
}

group! {
    /// Position, orientation and velocities of a frame.
    pub struct FrameMotion<T>(o: FrameOptions) {
        r_0: Vector3<T> = o.r_0, M, "position of the origin, resolved in the world frame";
        R_T: RotationMatrix<T>, ONE, "rotation matrix from the world frame to this frame",
            name = "R.T", when = o.orientation == Orientation::matrix;
        Q:   Quaternion<T>, ONE, "quaternion of the rotation from the world frame to this frame, scalar part last",
            when = o.orientation == Orientation::quaternion;
        phi: Vector3<T>, RAD, "cardan angles about x, y', z'' from the world frame to this frame",
            display = fmu_runtime::unit::DEG, when = o.orientation == Orientation::cardan;
        v_0: Vector3<T>, M_PER_S, "velocity of the origin, resolved in the world frame";
        R_w: Vector3<T>, RAD_PER_S, "angular velocity relative to the world, resolved in this frame", name = "R.w";
    }
}

group! {
    /// Cut force and cut torque at a frame.
    pub struct FrameLoad<T>(_o: ()) {
        f: Vector3<T>, N, "cut force acting on the component, resolved in this frame; the negative acts on the attached body";
        t: Vector3<T>, N_M, "cut torque acting on the component, resolved in this frame; the negative acts on the attached body";
    }
}

impl<T: Scalar> FrameMotion<T> {
    /// Returns the frame, with its orientation corrected to an exact rotation; `name` is for the message.
    #[inline(always)]
    pub fn frame(&self, orientation: Orientation, name: &str) -> Result<frame::Frame<T>, ModelError> {
        Ok(frame::Frame { T: self.rotation(orientation, name)?, r_0: self.r_0, v_0: self.v_0, w: self.R_w })
    }

    /// Returns the orientation corrected to an exact rotation; `name` is for the message.
    // Not inlined, so that inlined code around it moves only a matrix.
    #[inline(never)]
    pub(crate) fn rotation(&self, orientation: Orientation, name: &str) -> Result<Matrix3<T>, ModelError> {
        match orientation {
            Orientation::matrix => nearest(&self.R_T.0).map_err(|wrong| match wrong {
                RotationError::Deviation(deviation) => ModelError::invalid(format!(
                    "{name}.R.T is not a rotation matrix: T'T deviates by {} from the identity; up to {} is corrected",
                    Number(deviation),
                    Number(MAX_DEVIATION)
                )),
                RotationError::Reflection => ModelError::invalid(format!(
                    "{name}.R.T is not a rotation matrix but a reflection: its determinant is negative"
                )),
            }),
            Orientation::quaternion => from_quaternion(&self.Q.0).map_err(|deviation| {
                ModelError::invalid(format!(
                    "{name}.Q is not a unit quaternion: its length deviates by {} from 1; up to {} is corrected",
                    Number(deviation.value()),
                    Number(MAX_DEVIATION)
                ))
            }),
            Orientation::cardan => Ok(from_cardan(&self.phi)),
        }
    }

    /// Stores the motion of a frame that the component computes. Variables that do not exist are left
    /// as they are.
    #[inline(always)]
    pub fn set_outputs(&mut self, frame: &Motion<T>, orientation: Orientation) {
        self.r_0 = frame.r_0;
        match orientation {
            Orientation::matrix => self.R_T.0 = frame.T,
            Orientation::quaternion => self.Q.0 = to_quaternion(&frame.T),
            Orientation::cardan => self.phi = Sequence::default().angles(&frame.T, T::zero()).theta,
        }
        self.v_0 = frame.v_0;
        self.R_w = frame.w;
    }
}

impl<T: Scalar> FrameLoad<T> {
    /// Returns the load.
    pub fn load(&self) -> Load<T> {
        Load { f: self.f, t: self.t }
    }
}

impl<T: Scalar> From<Load<T>> for FrameLoad<T> {
    fn from(load: Load<T>) -> Self {
        Self { f: load.f, t: load.t }
    }
}
