//! Points without mass where springs meet: no type of the configuration, but a part that a system adds for each.

use fmu_runtime::{Connector, Scalar, group};
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::{Element, Joint, JointKind};
use nalgebra::Vector3;

use super::frame::frames;
use crate::part::{AnyPart, Kinematics, Multibody, Part, PartType, Properties, Solution, Typed};

/// Makes the part for a point.
pub fn point() -> Box<dyn AnyPart> {
    let properties = Properties { is_massless: true, ..Properties::of::<PointType>() };
    Box::new(Typed::<PointType>::of_family((), properties))
}

/// A point without mass.
pub struct PointType;

group! {
    /// The motion of a point without mass, whose frame is parallel to the world frame: where the springs there balance.
    pub struct Point<T>(_o: ()) {
        output r_0: Vector3<T>, M, "Position, resolved in the world frame";
        output v_0: Vector3<T>, M_PER_S, "Velocity, resolved in the world frame";
    }
}

impl PartType for PointType {
    const NAME: &'static str = "Point";
    const TEXT: &'static str = "A point without mass, where springs meet";
    const INNER_FRAMES: usize = 2;
    type Structure = ();
    type In<T: Scalar> = Point<T>;

    fn connectors(_: &()) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options((): &(), _: bool) {}

    fn own(_: &()) -> &'static [Preference] {
        use Preference::{Any, Given};
        &[Any, Any, Any, Given, Given, Given]
    }
}

crate::capabilities!(Point: Multibody);

impl<T: Scalar> Part<T> for Point<T> {
    type Structure = ();

    fn relations(&self, (): &()) -> Vec<Relation<T>> {
        (0..3).map(|i| Relation::equal(i, i + 3)).collect()
    }

    fn set_outputs(&mut self, (): &(), motion: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.r_0 = Vector3::from_fn(|i, _| motion.x(i));
        self.v_0 = Vector3::from_fn(|i, _| motion.v(i));
    }
}

impl<T: Scalar> Multibody<T> for Point<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        let joint = |position: usize, frames| {
            let mut e = Vector3::zeros();
            e[position] = T::one();
            Element::Joint { frames, joint: Joint { kind: JointKind::Prismatic, e, position } }
        };
        vec![joint(0, [0, 2]), joint(1, [2, 3]), joint(2, [3, 1])]
    }
}
