//! The driven revolute joint.

use crate::{FlangeMotion, MotionOptions, Orientation, RotationalBearing};
use fmu_runtime::unit::DEG;
use fmu_runtime::{Connector, Diagnostics, ModelError, Scalar, group};
use mechanics::assembly::{DrivenJoint, unwrapped};
use mechanics::constant;
use mechanics::motion::Coordinate;

use crate::assembly::Names;
use crate::assembly::branch_memory::{BranchMemory, DriveState, SolvedLoop};
use crate::assembly::frames::OuterFrames;
use crate::assembly::linear::DriveIndices;

group! {
    /// The angle of a revolute joint.
    pub struct RevolutePosition<T>(_o: ()) {
        parameter phi_offset: T, DEGREE, "Relative angle offset of revolute joint (angle = phi(t) + from_deg(phi_offset))";
        parameter phi_guess:  T, DEGREE, "Select the configuration such that at initial time |phi(t0) - from_deg(phi_guess)| is minimal";
        output phi:     T, RAD, "Angle of the drive, angle - phi_offset", display = DEG;
        output angle:   T, RAD, "Angle of the revolute joint", display = DEG, remembered = true;
        local  aux:     T, M, "Denominator used to compute the force in rod 1, zero at a dead centre";
    }
}

group! {
    /// A revolute joint that a flange drives; the option is whether there are accelerations.
    pub struct RevoluteJoint<T>(accelerations: bool) {
        group position: RevolutePosition<T> = (), "Angle", name = "";
        group  axis:    RevoluteAxis<T> = accelerations, "Flange that drives the revolute joint", connector = Connector::Flange_a;
        output bearing: RotationalBearing<T>, "Flange of the drive's housing", connector = Connector::Flange_b;
        group track: BranchMemory<T> = (), "Motion of the outer frames";
        memory positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
        memory last_angle: T, RAD, "Angle where the last step ended";
    }
}

group! {
    /// The flange whose torque drives a revolute joint; the option is whether there is the acceleration.
    pub struct RevoluteAxis<T>(acceleration: bool) {
        output motion: FlangeMotion<T> = MotionOptions::accelerations(acceleration), "motion", name = "";
        input  tau: T, N_M, "torque into the joint, along its axis on rod 2";
    }
}

impl<T: Scalar> RevoluteJoint<T> {
    /// The indices of the drive's variables, which it holds in place of their values.
    pub fn indices(&self) -> DriveIndices {
        DriveIndices::new(self.axis.tau, self.axis.motion.a, self.bearing.tau)
    }

    /// Returns the torque of the drive, and the configuration.
    pub fn state(&self) -> DriveState<T> {
        DriveState { effort: self.axis.tau, positive_branch: self.positiveBranch, last: self.track.last() }
    }

    /// Chooses the configuration whose angle is nearer to the guess, in its first turn, with this joint on rod 2
    /// and this length of rod 1.
    pub fn begin(
        &mut self,
        names: &Names<'_>,
        outer: &OuterFrames<T>,
        orientation: Orientation,
        rod1: (&impl DrivenJoint<T>, T),
    ) -> Result<(), ModelError> {
        self.positiveBranch = outer.starts_positive(names, orientation, rod1, self.position.guess())?;
        self.last_angle = T::zero();
        Ok(())
    }

    /// Stores the angle, and the denominator of the force in rod 1; if turns are counted, the angle continues from the
    /// last one.
    pub fn set_outputs(&mut self, solved: &SolvedLoop<T>, counts_turns: bool) {
        let (angle, aux) = (solved.x, solved.aux);
        self.track.set_outputs(&solved.p, solved.passes);
        self.position.set_outputs(if counts_turns { unwrapped(angle.x, self.last_angle) } else { angle.x }, aux);
        self.axis.motion = Coordinate { x: self.position.phi, ..angle }.into();
        self.bearing = RotationalBearing::of(self.axis.tau);
    }

    /// Stores angle and configuration at the end of a step.
    pub fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        self.track.completed_step(&mut self.positiveBranch, diagnostics);
        self.last_angle = self.position.angle;
    }
}

impl<T: Scalar> RevolutePosition<T> {
    /// Returns the angle that is nearest in the configuration at the start, in rad.
    pub fn guess(&self) -> T {
        radians(self.phi_offset + self.phi_guess)
    }

    /// Returns the angle where that of the drive is zero, in rad.
    pub fn offset(&self) -> T {
        radians(self.phi_offset)
    }

    /// Stores the angle, and the denominator of the force in rod 1.
    pub fn set_outputs(&mut self, angle: T, aux: T) {
        (self.aux, self.angle, self.phi) = (aux, angle, angle - self.offset());
    }
}

fn radians<T: Scalar>(degrees: T) -> T {
    degrees * constant::<T>(1.0_f64.to_radians())
}
