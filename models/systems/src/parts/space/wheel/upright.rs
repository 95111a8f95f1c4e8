//! An upright wheel that others hold, as a constraint.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Scalar, Structure, group};
use mechanics::tree::{Closing, Element, Row};
use nalgebra::Vector3;
use ports::FrameLoad;

use super::{ground, not_positive};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

/// The rolling of an upright wheel.
pub struct RollingConstraintType;

/// The options of the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RollingConstraintStructure {
    lateral: bool,
}

impl Default for RollingConstraintStructure {
    fn default() -> Self {
        Self { lateral: true }
    }
}

impl Structure for RollingConstraintStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("lateralSlidingConstraint", "Whether the wheel cannot slide along its axis either", &mut self.lateral);
    }
}

group! {
    /// With y, the axis of the wheel, which is the y-axis of frame_a, and n = (0, 0, 1):
    ///
    /// ```text
    /// e_long = y x n / |y x n|,   e_lat = n x e_long,   r = -radius n         r: from the center, frame_a, to the contact
    /// e_long.(v_0 + w_0 x r) = 0                                              and, with lateralSlidingConstraint,
    /// e_lat.(v_0 + w_0 x r) = 0
    /// f_wheel_0 = f_long e_long + f_lat e_lat,   t_0 = r x f_wheel_0          on the wheel
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.Internal.RollingConstraintVerticalWheel.
    pub struct RollingConstraint<T>(o: RollingConstraintStructure) {
        parameter radius: T = 0.3, M, "Radius of the wheel", min = 0.0;
        output f_wheel_0: Vector3<T>, N, "Force of the ground on the wheel, resolved in the world frame";
        output f_lat: T, N, "Its component along the axis", when = o.lateral;
        output f_long: T, N, "Its component across the axis";
        output frame_a: FrameLoad<T>, "Load at frame_a";
    }
}

impl PartType for RollingConstraintType {
    const NAME: &'static str = "RollingConstraintVerticalWheel";
    const TEXT: &'static str = "Rolling of an upright wheel on a plane z = constant of the world";
    const INNER_FRAMES: usize = 1;
    type Structure = RollingConstraintStructure;
    type In<T: Scalar> = RollingConstraint<T>;

    fn connectors(_: &RollingConstraintStructure) -> Vec<(&'static str, Connector)> {
        vec![("frame_a", Connector::Frame_a)]
    }

    fn options(structure: &RollingConstraintStructure, _: bool) -> RollingConstraintStructure {
        *structure
    }
}

crate::capabilities!(RollingConstraint: Multibody);

impl<T: Scalar> Part<T> for RollingConstraint<T> {
    type Structure = RollingConstraintStructure;

    fn problem(&self) -> Option<String> {
        not_positive("radius", self.radius)
    }

    fn set_outputs(&mut self, _: &RollingConstraintStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let Some(space) = solution.space else { return };
        let [_, load] = space.cut_loads();
        let (rotation, n) = (space.frame(0).T, Vector3::z_axis().into_inner());
        let along = rotation.row(1).transpose().cross(&n).normalize();
        self.f_wheel_0 = -rotation.tr_mul(&load.f);
        self.f_long = self.f_wheel_0.dot(&along);
        self.f_lat = self.f_wheel_0.dot(&n.cross(&along));
        self.frame_a = load.into();
    }
}

impl<T: Scalar> Multibody<T> for RollingConstraint<T> {
    fn elements(&self, structure: &RollingConstraintStructure) -> Vec<Element<T>> {
        let row = |is_lateral| Row::Rolling { radius: self.radius, is_lateral };
        let mut closing = Closing { rows: [None; _], joint: None };
        closing.rows[0] = Some(row(false));
        closing.rows[1] = structure.lateral.then(|| row(true));
        vec![Element::Ring { frames: [1, 0], closing }, ground(1)]
    }
}
