//! The driven prismatic joint.

use crate::{Orientation, TranslationalBearing, TranslationalMotion};
use fmu_runtime::{Connector, Diagnostics, ModelError, Scalar, group};
use mechanics::assembly::DrivenJoint;
use mechanics::motion::Coordinate;

use crate::assembly::Names;
use crate::assembly::branch_memory::{BranchMemory, DriveState, SolvedLoop};
use crate::assembly::frames::OuterFrames;
use crate::assembly::linear::DriveIndices;

group! {
    /// The displacement of a prismatic joint.
    pub struct PrismaticPosition<T>(_o: ()) {
        parameter s_offset: T, M, "Relative distance offset of prismatic joint (distance between the prismatic joint frames = s(t) + s_offset)";
        parameter s_guess:  T, M, "Select the configuration such that at initial time |s(t0) - s_guess| is minimal";
        output s:        T, M, "Displacement of the drive, distance - s_offset";
        output distance: T, M, "Displacement of the prismatic joint along its axis, from frame_b to frame_ib";
        local aux: T, ONE, "Denominator used to compute the force in rod 1, zero at a dead centre";
    }
}

group! {
    /// A prismatic joint that a flange drives; the option is whether there are accelerations.
    pub struct PrismaticJoint<T>(accelerations: bool) {
        group position: PrismaticPosition<T> = (), "Displacement", name = "";
        group drive: PrismaticDrive<T> = DriveOptions { accelerations, force: "force into the joint, along n_b on rod 2" }, "Flanges", name = "";
        group track: BranchMemory<T> = (), "Motion of the outer frames";
        memory positiveBranch: bool, "Whether the loop is in the configuration of the positive root";
    }
}

/// Options of the drive of a prismatic joint.
#[derive(Clone, Copy, Debug, Default)]
pub struct DriveOptions {
    /// True if accelerations are variables.
    pub accelerations: bool,
    /// Description of the force at the axis.
    pub force: &'static str,
}

group! {
    /// The flanges of the drive of a prismatic joint.
    pub struct PrismaticDrive<T>(o: DriveOptions) {
        group  axis:    PrismaticAxis<T> = o, "Flange that drives the prismatic joint", connector = Connector::TranslationalFlange_a;
        output bearing: TranslationalBearing<T>, "Flange of the drive's housing", connector = Connector::TranslationalFlange_b;
    }
}

group! {
    /// The flange whose force drives a prismatic joint.
    pub struct PrismaticAxis<T>(o: DriveOptions) {
        output motion: TranslationalMotion<T> = o.accelerations, "motion", name = "";
        input  f: T, N, "force into the joint", text = o.force;
    }
}

impl<T: Scalar> PrismaticDrive<T> {
    /// The indices of the drive's variables, which it holds in place of their values.
    pub fn indices(&self) -> DriveIndices {
        DriveIndices::new(self.axis.f, self.axis.motion.a, self.bearing.f)
    }

    /// Stores the displacement of the drive, which is smaller than the distance in the joint by the offset.
    pub fn set_outputs(&mut self, distance: Coordinate<T>, s_offset: T) {
        self.axis.motion = Coordinate { x: distance.x - s_offset, ..distance }.into();
        self.bearing = TranslationalBearing::of(self.axis.f);
    }
}

impl<T: Scalar> PrismaticJoint<T> {
    /// Chooses the configuration whose displacement is nearer to the guess, with this joint on rod 2 and this
    /// length of rod 1.
    pub fn begin(
        &mut self,
        names: &Names<'_>,
        outer: &OuterFrames<T>,
        orientation: Orientation,
        rod1: (&impl DrivenJoint<T>, T),
    ) -> Result<(), ModelError> {
        self.positiveBranch = outer.starts_positive(names, orientation, rod1, self.position.guess())?;
        Ok(())
    }

    /// The indices of the drive's variables, which it holds in place of their values.
    pub fn indices(&self) -> DriveIndices {
        self.drive.indices()
    }

    /// Returns the force of the drive, and the configuration.
    pub fn state(&self) -> DriveState<T> {
        DriveState { effort: self.drive.axis.f, positive_branch: self.positiveBranch, last: self.track.last() }
    }

    /// Stores the displacement, and the denominator of the force in rod 1.
    pub fn set_outputs(&mut self, solved: &SolvedLoop<T>) {
        self.track.set_outputs(&solved.p, solved.passes);
        self.position.set_outputs(solved.x.x, solved.aux);
        self.drive.set_outputs(solved.x, self.position.s_offset);
    }

    /// Stores the configuration at the end of a step.
    pub fn completed_step(&mut self, diagnostics: &mut Diagnostics) {
        self.track.completed_step(&mut self.positiveBranch, diagnostics);
    }
}

impl<T: Scalar> PrismaticPosition<T> {
    /// Returns the distance that is nearest in the configuration at the start.
    pub fn guess(&self) -> T {
        self.s_offset + self.s_guess
    }

    /// Stores the distance, and the denominator of the force in rod 1.
    pub fn set_outputs(&mut self, distance: T, aux: T) {
        (self.aux, self.distance, self.s) = (aux, distance, distance - self.s_offset);
    }
}
