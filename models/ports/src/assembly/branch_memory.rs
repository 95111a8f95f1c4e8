//! The memory with which an assembly follows its loop from step to step.

use fmu_runtime::{Diagnostics, Scalar, group};
use mechanics::assembly::{Clearance, DrivenJoint, has_passed};
use mechanics::motion::RelativePosition;
use nalgebra::Vector3;

group! {
    /// Position of frame_a relative to frame_b, now and at the end of the last step.
    pub struct BranchMemory<T>(_o: ()) {
        memory   has_begun: bool, "Whether the initialisation has ended";
        memory   has_last: bool, "Whether a step has ended";
        memory   last_r: Vector3<T>, M, "Position of frame_a relative to frame_b where the last step ended";
        memory   last_v: Vector3<T>, M_PER_S, "Velocity of frame_a relative to frame_b where the last step ended";
        internal r: Vector3<T>, M, "Position of frame_a relative to frame_b";
        internal v: Vector3<T>, M_PER_S, "Velocity of frame_a relative to frame_b";
        internal passes: bool, "Whether the loop has passed its dead centre since the last step";
    }
}

impl<T: Scalar> BranchMemory<T> {
    /// Returns the relative position at the end of the last step. Functions that are called without steps, as in
    /// Modelica, have none.
    pub fn last(&self) -> Option<RelativePosition<T>> {
        let last = || RelativePosition { r: self.last_r, v: self.last_v, a: Vector3::zeros() };
        self.has_last.then(last)
    }

    /// Stores the present position, and `passes`: true if the loop has passed its dead centre since the last step.
    pub fn set_outputs(&mut self, p: &RelativePosition<T>, passes: bool) {
        (self.r, self.v, self.passes) = (p.r, p.v, passes);
    }

    /// Returns the present position. Its acceleration is left out.
    pub fn now(&self) -> RelativePosition<T> {
        RelativePosition { r: self.r, v: self.v, a: Vector3::zeros() }
    }

    /// Evaluates the event indicator of a loop with this driven joint and this length of rod 1.
    pub fn indicator(&self, joint: &impl DrivenJoint<T>, length: T) -> T {
        Clearance::from_square(joint.clearance_square(&self.now(), length)).indicator()
    }

    /// Stores the present position and the configuration, at the end of a step.
    pub fn completed_step(&mut self, positive_branch: &mut bool, diagnostics: &mut Diagnostics) {
        if self.passes {
            self.passes = false;
            *positive_branch = !*positive_branch;
            diagnostics.warn(
                "the loop has passed its dead centre, where both configurations meet, since the step before: it goes on in the \
                 other configuration",
            );
        }
        self.remember();
    }

    /// Stores the present position.
    pub fn remember(&mut self) {
        (self.last_r, self.last_v) = (self.r, self.v);
        self.has_last = self.has_begun;
        self.has_begun = true;
    }
}

/// The state of a driven joint before its loop is closed.
#[derive(Clone, Copy, Debug)]
pub struct DriveState<T: Scalar> {
    /// The torque in N.m or the force in N.
    pub effort: T,
    /// True if the loop was in the configuration of the positive root at the end of the last step.
    pub positive_branch: bool,
    /// Position of frame_a relative to frame_b at the end of the last step.
    pub last: Option<RelativePosition<T>>,
}

impl<T: Scalar> DriveState<T> {
    /// True if the loop has passed its dead centre since the last step.
    pub fn passes(&self, joint: &impl DrivenJoint<T>, length: T, now: &RelativePosition<T>) -> bool {
        self.last.is_some_and(|last| has_passed(joint, length, [&last, now]))
    }
}

/// The solution of a closed loop.
#[derive(Clone, Copy, Debug)]
pub struct SolvedLoop<T: Scalar> {
    /// The coordinate of the driven joint.
    pub x: mechanics::motion::Coordinate<T>,
    /// The denominator of the force in rod 1.
    pub aux: T,
    /// Position of frame_a relative to frame_b.
    pub p: RelativePosition<T>,
    /// True if the loop has passed its dead centre since the last step.
    pub passes: bool,
}
