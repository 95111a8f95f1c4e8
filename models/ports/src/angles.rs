//! Euler angles of components with moments, and their memory for singular poses.

use std::f64::consts::FRAC_PI_2;

use fmu_runtime::{Diagnostics, Number, Scalar, enumeration, group};
use mechanics::compliance::MomentRule;
use mechanics::euler::{Angles, Axes, Sequence, wrap};
use mechanics::value;
use nalgebra::Vector3;

/// Sine of the distance of the second angle from the singularity, below which first angles that change by more than a
/// quarter of a turn in a step have passed it.
const NEAR: f64 = 0.5;

enumeration! {
    /// How the moments of the Euler angles act.
    pub enum MomentLaw {
        literal = "moment i acts about the i-th axis of the sequence in frame_a",
        gimbal = "the moments do exactly the work of their angles",
    }
}

impl From<MomentLaw> for MomentRule {
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
        begun: bool, "whether a first angle is known";
    }
}

impl<T: Scalar> AngleMemory<T> {
    /// Updates the angles at the end of a step, while no spring acts on them, so that their jumps do not matter.
    pub fn follow_silently(&mut self, angles: &EulerAngles<T>) {
        if !angles.singular {
            self.theta1 = angles.theta[0];
            self.begun = true;
        }
        self.reported = false;
    }

    /// Updates the angles at the end of a step; logs one warning for each episode of singular poses.
    pub fn follow(&mut self, angles: &EulerAngles<T>, sequence: [i32; 3], diagnostics: &mut Diagnostics) {
        if !angles.singular {
            let jumps = || value(wrap(angles.theta[0] - self.theta1)).abs() > FRAC_PI_2;
            let theta2 = angles.theta[1].value();
            let is_near =
                || Sequence::new(sequence).is_ok_and(|sequence| sequence.distance_from_singularity(theta2) < NEAR);
            if self.begun && !self.reported && jumps() && is_near() {
                diagnostics.warn(format!(
                    "the Euler angles in the sequence {} have passed their singularity (theta_2 = {} rad): theta_1 jumps from {} rad \
                     to {} rad, and the moments of the springs jump with it",
                    Axes(sequence),
                    Number(theta2),
                    Number(self.theta1.value()),
                    Number(angles.theta[0].value())
                ));
            }
            self.theta1 = angles.theta[0];
            self.begun = true;
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
