//! A gear between two shafts in space, with its reaction on the bearing.

use fmu_runtime::{Connector, Scalar, group};
use mechanics::direction::unit;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::{Element, Joint, JointKind, Pose};
use nalgebra::Vector3;
use ports::FrameLoad;

use super::super::gear::RATIO_IS_0;
use super::super::movement::{MovementOptions, MovementStructure, own_motion};
use super::frame::{frames, no_direction};
use super::movements::{Movements, MovementsStructure};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

/// An ideal gear between frames that turn in bearings.
pub struct GearConstraintType;

group! {
    /// ```text
    /// frame_a is at r_a, seen from bearing, and turned by phi_a about n_a;   frame_b is at r_b, turned by phi_b about n_b
    /// phi_a = ratio phi_b,   w_b = phi_b',   a_b = w_b'
    /// 0 = ratio n_a.frame_a.t + n_b.frame_b.t
    /// ```
    ///
    /// with n_a and n_b of length 1. Source: Modelica.Mechanics.MultiBody.Joints.GearConstraint.
    pub struct GearConstraint<T>(o: [MovementOptions; 1]) {
        parameter ratio: T = 2.0, ONE, "Transmission ratio phi_a / phi_b";
        parameter n_a: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of frame_a, resolved in bearing, of any length";
        parameter n_b: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of frame_b, resolved in bearing, of any length";
        parameter r_a: Vector3<T>, M, "Position of frame_a, resolved in bearing";
        parameter r_b: Vector3<T>, M, "Position of frame_b, resolved in bearing";
        group movement: Movements<T, 1> = o, "", name = "";
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl PartType for GearConstraintType {
    const NAME: &'static str = "GearConstraint";
    const TEXT: &'static str = "An ideal gear between two frames that turn in a bearing";
    const INNER_FRAMES: usize = 2;
    type Structure = MovementsStructure<1>;
    type In<T: Scalar> = GearConstraint<T>;

    fn structure() -> MovementsStructure<1> {
        let [_, b] = MovementStructure::angles();
        MovementsStructure([b])
    }

    fn connectors(_: &MovementsStructure<1>) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        connectors.push(("bearing", Connector::Frame_a));
        connectors
    }

    fn options(structure: &MovementsStructure<1>, has_states: bool) -> [MovementOptions; 1] {
        structure.rows(has_states, ["Angle of frame_b with respect to bearing"])
    }

    fn own(_: &MovementsStructure<1>) -> &'static [Preference] {
        &[Preference::Preferred, Preference::Any]
    }
}

/// Numbers of the angles.
const PHI_B: usize = 0;
const PHI_A: usize = 1;

crate::capabilities!(GearConstraint: Multibody);

impl<T: Scalar> Part<T> for GearConstraint<T> {
    type Structure = MovementsStructure<1>;

    fn problem(&self) -> Option<String> {
        let ratio = (self.ratio.value() == 0.0).then(|| RATIO_IS_0.to_owned());
        ratio.or_else(|| no_direction("n_a", &self.n_a)).or_else(|| no_direction("n_b", &self.n_b))
    }

    fn relations(&self, _: &MovementsStructure<1>) -> Vec<Relation<T>> {
        vec![Relation { terms: vec![(PHI_A, T::one()), (PHI_B, -self.ratio)], constant: T::zero() }]
    }

    own_motion!(movement, structure, PHI_B);

    fn set_outputs(&mut self, _: &MovementsStructure<1>, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.movement.set_outputs(motion, PHI_B);
        if let Some(space) = solution.space {
            self.frame_a = space.cuts_of(0)[1].into();
            self.frame_b = space.cuts_of(1)[1].into();
        }
    }
}

impl<T: Scalar> Multibody<T> for GearConstraint<T> {
    fn elements(&self, _: &MovementsStructure<1>) -> Vec<Element<T>> {
        let (bearing, places) = (2, [3, 4]);
        let joint = |place, frame, n: &Vector3<T>, position| Element::Joint {
            frames: [place, frame],
            joint: Joint { kind: JointKind::Revolute, e: unit(n), position },
        };
        let place = |place, r: &Vector3<T>| Element::Rigid { frames: [bearing, place], pose: Pose::translation(*r) };
        vec![
            joint(places[0], 0, &self.n_a, PHI_A),
            joint(places[1], 1, &self.n_b, PHI_B),
            place(places[0], &self.r_a),
            place(places[1], &self.r_b),
        ]
    }
}
