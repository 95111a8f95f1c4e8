//! Shared by components with moments from Euler angles.

use fmu_runtime::{Diagnostics, Number, Scalar, enumeration, group};
use mechanics::compliance::Law;
use mechanics::euler::{Angles, Axes};
use nalgebra::Vector3;

enumeration! {
    /// How the moments of the Euler angles act.
    pub enum MomentLaw {
        literal = "moment i acts about the i-th axis of the sequence in frame_a",
        gimbal = "the moments do exactly the work of their angles",
    }
}

impl From<MomentLaw> for Law {
    fn from(law: MomentLaw) -> Self {
        match law {
            MomentLaw::literal => Self::Literal,
            MomentLaw::gimbal => Self::Gimbal,
        }
    }
}

group! {
    /// The Euler angles of the last evaluation.
    pub struct EulerAngles<T>(_o: ()) {
        theta: Vector3<T>, RAD, "Euler angles";
        singular: bool, "whether the first and the third angle cannot be told apart";
    }
}

impl<T: Scalar> From<Angles<T>> for EulerAngles<T> {
    fn from(angles: Angles<T>) -> Self {
        Self { theta: angles.theta, singular: angles.singular }
    }
}

group! {
    /// The memory of the Euler angles for singular poses.
    pub struct AngleMemory<T>(_o: ()) {
        theta1: T, RAD, "last regular first angle";
        reported: bool, "whether the present singularity was reported";
    }
}

impl<T: Scalar> AngleMemory<T> {
    /// Updates the angles at the end of a step; logs one warning for each episode of singular poses.
    pub fn follow(&mut self, angles: &EulerAngles<T>, sequence: [i32; 3], diagnostics: &mut Diagnostics) {
        if !angles.singular {
            self.theta1 = angles.theta[0];
        } else if !self.reported {
            diagnostics.warn(format!(
                "the Euler angles in the sequence {} are singular here (theta_2 = {} rad): theta_1 is kept at {} rad",
                Axes(sequence),
                Number(angles.theta[1].value()),
                Number(self.theta1.value())
            ));
        }
        self.reported = angles.singular;
    }
}
