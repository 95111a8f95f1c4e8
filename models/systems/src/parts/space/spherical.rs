//! Joints whose orientation is a quaternion.

use fmu_runtime::{Connector, Scalar, group, structure};
use mechanics::drivetrain::Preference;
use mechanics::tree::{Element, Joint, JointKind, Pose};
use nalgebra::Vector3;
use ports::FrameLoad;

use super::super::movement::own_motion;
use super::frame::{frames, joint};
use super::free::{Free, FreeOptions, FreeRotation, FreeStructure, W_REL_B, Z_REL_B};
use crate::part::{InitialCondition, Kinematics, Multibody, Part, PartType, Solution};

/// Returns a joint of this kind from frame_a to frame_b, with its first position at the beginning.
fn elements<T: Scalar>(kind: JointKind, closes: bool) -> Vec<Element<T>> {
    vec![joint(Joint { kind, e: Vector3::zeros(), position: 0 }, closes)]
}

/// A joint that lets its second frame turn.
pub struct SphericalType;

structure! {
    /// The options of a spherical joint.
    pub struct SphericalStructure {
        steady: bool = false, "Whether velocity and acceleration are 0 at the start";
        closes: bool = false, "Whether the joint closes a ring, so that its motion follows from that of the others";
    }
}

group! {
    /// ```text
    /// frame_b is at frame_a, turned by Q / |Q|;   frame_a.t = frame_b.t = 0
    /// Q' = 1/2 Q o (w_rel_b, 0) + 1/2 sqrt(w_rel_b.w_rel_b + (1e-6 1/s)^2) (1 - Q.Q) Q
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.Spherical.
    pub struct Spherical<T>(o: FreeOptions) {
        group rotation: FreeRotation<T> = o, "", name = "";
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl PartType for SphericalType {
    const NAME: &'static str = "Spherical";
    const TEXT: &'static str = "A joint that turns about its center";
    type Structure = SphericalStructure;
    type In<T: Scalar> = Spherical<T>;

    fn connectors(_: &SphericalStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &SphericalStructure, has_states: bool) -> FreeOptions {
        FreeStructure::of_joint(structure.steady).rows(has_states)
    }

    fn own(_: &SphericalStructure) -> &'static [Preference] {
        &[Preference::Preferred; 3]
    }
}

crate::capabilities!(Spherical: Multibody);

impl<T: Scalar> Part<T> for Spherical<T> {
    type Structure = SphericalStructure;

    fn problem(&self) -> Option<String> {
        self.rotation.problem()
    }

    fn start(&self, _: &SphericalStructure, own: usize) -> [T; 2] {
        self.rotation.start(own)
    }

    fn initial_conditions(&self, structure: &SphericalStructure, rests: bool) -> Vec<InitialCondition<T>> {
        let own = if rests || structure.steady { 0..3 } else { 0..0 };
        own.flat_map(|i| InitialCondition::at_rest(i, [W_REL_B[i], Z_REL_B[i]])).collect()
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.rotation.own(own)
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.rotation.set_own(own, motion);
    }

    fn set_velocity(&mut self, own: usize, velocity: T) {
        self.rotation.w[own] = velocity;
    }

    fn set_outputs(&mut self, _: &SphericalStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.rotation.set_outputs(motion, 0);
        if let Some(space) = solution.space {
            [self.frame_a, self.frame_b] = space.cut_loads().map(FrameLoad::from);
        }
    }
}

impl<T: Scalar> Multibody<T> for Spherical<T> {
    fn elements(&self, structure: &SphericalStructure) -> Vec<Element<T>> {
        elements(JointKind::Spherical, structure.closes)
    }

    fn pose(&self) -> Option<Pose<T>> {
        self.rotation.rotation().map(|rotation| Pose { r: Vector3::zeros(), T: rotation })
    }
}

/// A joint that lets its second frame move freely.
pub struct FreeMotionType;

group! {
    /// ```text
    /// frame_b is at r_rel_a, seen from frame_a, and turned by Q / |Q|;   no load at either frame
    /// Q' = 1/2 Q o (w_rel_b, 0) + 1/2 sqrt(w_rel_b.w_rel_b + (1e-6 1/s)^2) (1 - Q.Q) Q
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.FreeMotion.
    pub struct FreeMotion<T>(o: FreeOptions) {
        group motion: Free<T> = o, "", name = "";
    }
}

impl PartType for FreeMotionType {
    const NAME: &'static str = "FreeMotion";
    const TEXT: &'static str = "Two frames that move freely with respect to each other";
    type Structure = FreeStructure;
    type In<T: Scalar> = FreeMotion<T>;

    fn connectors(_: &FreeStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn structure() -> FreeStructure {
        FreeStructure::of_joint(false)
    }

    fn options(structure: &FreeStructure, has_states: bool) -> FreeOptions {
        structure.rows(has_states)
    }

    fn own(_: &FreeStructure) -> &'static [Preference] {
        &[Preference::Preferred; 6]
    }
}

crate::capabilities!(FreeMotion: Multibody);

impl<T: Scalar> Part<T> for FreeMotion<T> {
    type Structure = FreeStructure;

    fn problem(&self) -> Option<String> {
        self.motion.rotation.problem()
    }

    own_motion!(motion, structure, 0);

    fn set_outputs(&mut self, _: &FreeStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.motion.set_outputs(motion);
    }
}

impl<T: Scalar> Multibody<T> for FreeMotion<T> {
    fn elements(&self, _: &FreeStructure) -> Vec<Element<T>> {
        elements(JointKind::Free, false)
    }

    fn pose(&self) -> Option<Pose<T>> {
        self.motion.pose()
    }
}
