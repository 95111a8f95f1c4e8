//! The world frame, and gravity.

#![allow(clippy::enum_variant_names, reason = "Modelica's names")]

use fmu_runtime::{Connector, Scalar, Shape, enumeration, group, structure};
use mechanics::direction::unit;
use mechanics::tree::{Element, Gravity};
use nalgebra::Vector3;

use super::frame::no_direction;
use crate::part::{Multibody, Part, PartType};

enumeration! {
    /// Gravity field.
    pub enum GravityType {
        UniformGravity = "the acceleration g in the direction n, everywhere",
        PointGravity = "towards the origin, with the field constant mue",
        NoGravity = "nothing",
        InputGravity = "the acceleration g_0, an input, everywhere",
    }
}

structure! {
    /// The options of the world.
    pub struct WorldStructure {
        gravityType: GravityType = GravityType::UniformGravity, "What pulls the bodies";
    }
}

/// The world.
pub struct WorldType;

group! {
    /// ```text
    /// frame_b.r_0 = 0, at rest
    /// g_0 = g n / |n|                      UniformGravity
    /// g_0 = -mue r_CM / |r_CM|^3           PointGravity: at the center of mass of each body
    /// ```
    ///
    /// With InputGravity g_0 is an input. Source: Modelica.Mechanics.MultiBody.World.
    pub struct World<T>(o: WorldStructure) {
        parameter g: T = 9.80665, M_PER_S2, "Acceleration of gravity", when = o.gravityType == GravityType::UniformGravity;
        parameter n: Vector3<T> = [0.0, -1.0, 0.0], ONE, "Direction of gravity, resolved in the world frame, of any length",
            when = o.gravityType == GravityType::UniformGravity;
        parameter mue: T = 3.986_004_418e14, M3_PER_S2, "Field constant: gravitational constant times mass", min = 0.0,
            when = o.gravityType == GravityType::PointGravity;
        input g_0: Vector3<T> = [0.0, -9.80665, 0.0], M_PER_S2, "Acceleration of gravity, resolved in the world frame",
            when = o.gravityType == GravityType::InputGravity;
    }
}

impl PartType for WorldType {
    const NAME: &'static str = "World";
    const TEXT: &'static str = "The world frame, with gravity";
    type Structure = WorldStructure;
    type In<T: Scalar> = World<T>;

    fn shapes() -> Vec<Shape<'static>> {
        let axis = |name, at, color| Shape::arm(name, "frame_b", at, ["0.02", color]);
        vec![
            axis("x", "[0.3, 0, 0]", "[200, 60, 60]"),
            axis("y", "[0, 0.3, 0]", "[60, 160, 60]"),
            axis("z", "[0, 0, 0.3]", "[60, 60, 200]"),
        ]
    }

    fn connectors(_: &WorldStructure) -> Vec<(&'static str, Connector)> {
        vec![("frame_b", Connector::Frame_b)]
    }

    fn options(structure: &WorldStructure, _: bool) -> WorldStructure {
        structure.clone()
    }
}

crate::capabilities!(World: Multibody);

impl<T: Scalar> Part<T> for World<T> {
    type Structure = WorldStructure;

    fn problem(&self) -> Option<String> {
        no_direction("n", &self.n)
    }
}

impl<T: Scalar> Multibody<T> for World<T> {
    fn elements(&self, structure: &WorldStructure) -> Vec<Element<T>> {
        let gravity = match structure.gravityType {
            GravityType::UniformGravity => Gravity::Uniform(unit(&self.n) * self.g),
            GravityType::PointGravity => Gravity::Point(self.mue),
            GravityType::NoGravity | GravityType::InputGravity => Gravity::Uniform(Vector3::zeros()),
        };
        vec![Element::World { frame: 0, gravity }]
    }

    fn gravity(&self, structure: &WorldStructure) -> Option<Vector3<T>> {
        (structure.gravityType == GravityType::InputGravity).then_some(self.g_0)
    }
}
