//! Points without mass where springs and dampers meet: no type of the configuration, but a part that a system adds for each.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Scalar, Structure, group};
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::{Element, Joint, JointKind};
use nalgebra::Vector3;

use super::frame::frames;
use crate::part::{AnyPart, Kinematics, Multibody, Part, PartType, Properties, Solution, Typed};

/// How the motion of a point without mass follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct PointStructure {
    /// True if its position is a state, by the dampers there; otherwise it follows from the springs.
    is_state: bool,
}

impl Structure for PointStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// Makes the part for a point, whose position may be a state.
pub fn point(is_state: bool) -> Box<dyn AnyPart> {
    let properties = Properties { is_massless: true, ..Properties::of::<PointType>() };
    Box::new(Typed::<PointType>::of_family(PointStructure { is_state }, properties))
}

/// A point without mass.
pub struct PointType;

group! {
    /// The motion of a point without mass, whose frame is parallel to the world frame: where the springs there balance, or with
    /// the velocity with which the springs and dampers do.
    pub struct Point<T>(o: PointStructure) {
        output r_0: Vector3<T>, M, "Position, resolved in the world frame", der = if o.is_state { "v_0" } else { "" };
        output v_0: Vector3<T>, M_PER_S, "Velocity, resolved in the world frame";
    }
}

impl PartType for PointType {
    const NAME: &'static str = "Point";
    const TEXT: &'static str = "A point without mass, where springs and dampers meet";
    const INNER_FRAMES: usize = 2;
    type Structure = PointStructure;
    type In<T: Scalar> = Point<T>;

    fn connectors(_: &PointStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &PointStructure, _: bool) -> PointStructure {
        *structure
    }

    fn own(_: &PointStructure) -> &'static [Preference] {
        use Preference::{Any, Given};
        &[Any, Any, Any, Given, Given, Given]
    }

    fn is_integrated(structure: &PointStructure) -> bool {
        structure.is_state
    }
}

crate::capabilities!(Point: Multibody);

impl<T: Scalar> Part<T> for Point<T> {
    type Structure = PointStructure;

    fn relations(&self, _: &PointStructure) -> Vec<Relation<T>> {
        (0..3).map(|i| Relation::equal(i, i + 3)).collect()
    }

    fn own(&self, own: usize) -> [T; 3] {
        [self.r_0[own % 3], T::zero(), T::zero()]
    }

    fn set_own(&mut self, own: usize, [x, _]: [T; 2]) {
        self.r_0[own % 3] = x;
    }

    fn set_outputs(&mut self, structure: &PointStructure, motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        if !structure.is_state {
            self.r_0 = Vector3::from_fn(|i, _| motion.x(i));
        }
        self.v_0 = Vector3::from_fn(|i, _| motion.v(i));
    }
}

impl<T: Scalar> Multibody<T> for Point<T> {
    fn elements(&self, _: &PointStructure) -> Vec<Element<T>> {
        let joint = |position: usize, frames| {
            let mut e = Vector3::zeros();
            e[position] = T::one();
            Element::Joint { frames, joint: Joint { kind: JointKind::Prismatic, e, position } }
        };
        vec![joint(0, [0, 2]), joint(1, [2, 3]), joint(2, [3, 1])]
    }
}
