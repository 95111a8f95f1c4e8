//! A rod between a universal and a spherical joint.

use fmu_runtime::{Connector, Scalar, Shape, group};
use mechanics::direction::unit;
use mechanics::drivetrain::Preference;
use mechanics::tree::{Closing, Element, Joint, JointKind, Pose};
use nalgebra::Vector3;
use ports::FrameLoad;

use super::super::movement::{MovementOptions, MovementStructure, own_motion};
use super::frame::{frames, no_direction, parallel, rod};
use super::movements::{Movements, MovementsStructure};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

/// A rod whose first end turns about two axes, and whose second end about its origin.
pub struct UniversalSphericalType;

group! {
    /// ```text
    /// frame_ia is at frame_a, turned by phi_a about n1_a and then by phi_b about n1_a x rRod_ia, fixed in frame_ia
    /// frame_b is at rRod_ia, seen from frame_ia
    /// f_rod = -rRod_ia.f / |rRod_ia|,   f: frame_b.f, resolved in frame_ia;   frame_b.t = 0
    /// ```
    ///
    /// Where all conditions hold, the angles follow from the places of frame_a and frame_b.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.UniversalSpherical.
    pub struct UniversalSpherical<T>(o: [MovementOptions; 2]) {
        parameter n1_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "First axis of the universal joint, resolved in frame_a, of any length";
        parameter rRod_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Position of frame_b, seen from frame_a and resolved in frame_ia";
        group movement: Movements<T, 2> = o, "", name = "";
        output f_rod: T, N, "Force in the rod, positive if it is pressed";
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl PartType for UniversalSphericalType {
    const NAME: &'static str = "UniversalSpherical";
    const TEXT: &'static str = "A rod between a universal and a spherical joint";
    const INNER_FRAMES: usize = 2;
    type Structure = MovementsStructure<2>;
    type In<T: Scalar> = UniversalSpherical<T>;

    fn structure() -> MovementsStructure<2> {
        MovementsStructure(MovementStructure::angles())
    }

    fn connectors(_: &MovementsStructure<2>) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        connectors.push(("frame_ia", Connector::Frame_a));
        connectors
    }

    fn shapes() -> Vec<Shape<'static>> {
        vec![rod("rodColor")]
    }

    fn options(structure: &MovementsStructure<2>, has_states: bool) -> [MovementOptions; 2] {
        structure.rows(has_states, ["Angle about n1_a", "Angle of frame_ia about the second axis"])
    }

    fn own(_: &MovementsStructure<2>) -> &'static [Preference] {
        &[Preference::Preferred; 2]
    }
}

/// Number of the element that holds the end of the rod at frame_b.
const END: usize = 3;

crate::capabilities!(UniversalSpherical: Multibody);

impl<T: Scalar> Part<T> for UniversalSpherical<T> {
    type Structure = MovementsStructure<2>;

    fn problem(&self) -> Option<String> {
        let Self { n1_a, rRod_ia, .. } = self;
        let no_direction =
            [("n1_a", n1_a), ("rRod_ia", rRod_ia)].into_iter().find_map(|(name, n)| no_direction(name, n));
        no_direction.or_else(|| parallel(("rRod_ia", rRod_ia), ("n1_a", n1_a)))
    }

    own_motion!(movement, structure, 0);

    fn set_outputs(&mut self, _: &MovementsStructure<2>, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.movement.set_outputs(motion, 0);
        if let Some(space) = solution.space {
            let [at_rod, at_b] = space.cuts_of(END);
            self.f_rod = unit(&self.rRod_ia).dot(&at_rod.f);
            self.frame_a = space.cuts_of(0)[0].into();
            self.frame_b = at_b.into();
        }
    }
}

impl<T: Scalar> Multibody<T> for UniversalSpherical<T> {
    fn elements(&self, _: &MovementsStructure<2>) -> Vec<Element<T>> {
        let (a, b, ia, between, tip) = (0, 1, 2, 3, 4);
        let joint = |kind, e: Vector3<T>, position| Joint { kind, e, position };
        let turn = |frames, n: &Vector3<T>, position| Element::Joint {
            frames,
            joint: joint(JointKind::Revolute, unit(n), position),
        };
        let held = Closing::of(joint(JointKind::Spherical, Vector3::zeros(), 0));
        vec![
            turn([a, between], &self.n1_a, 0),
            turn([between, ia], &self.n1_a.cross(&self.rRod_ia), 1),
            Element::Rigid { frames: [ia, tip], pose: Pose::translation(self.rRod_ia) },
            Element::Ring { frames: [tip, b], closing: Closing { joint: None, ..held } },
        ]
    }
}
