//! Shapes that a viewer draws, without mass.

use fmu_runtime::{Connector, Scalar, Shape, enumeration, group, structure};
use mechanics::constant;
use mechanics::direction::unit;
use mechanics::tree::{Body, Element};
use nalgebra::{Matrix3, Vector3};

use super::frame::{no_direction, parallel};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

enumeration! {
    /// Forms of a shape.
    pub enum ShapeType {
        Box | "box" = "a box",
        Cylinder | "cylinder" = "a cylinder of the diameter width",
        Sphere | "sphere" = "a sphere of the diameter length",
    }
}

structure! {
    /// The options of a shape.
    pub struct FixedShapeStructure {
        shapeType: ShapeType = ShapeType::Box, "Form of the shape";
    }
}

/// A shape that is fixed to a frame.
pub struct FixedShapeType;

group! {
    /// ```text
    /// the shape extends from r_shape by length along lengthDirection
    /// ```
    ///
    /// It has no mass, and nothing depends on it.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Visualizers.FixedShape.
    pub struct FixedShape<T>(o: FixedShapeStructure) {
        parameter r_shape: Vector3<T>, M, "Where the shape begins, resolved in frame_a";
        parameter lengthDirection: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Direction of the length, resolved in frame_a, of any length";
        parameter widthDirection: Vector3<T> = [0.0, 1.0, 0.0], ONE,
            "A direction in the plane of length and width, resolved in frame_a", when = o.shapeType == ShapeType::Box;
        parameter length: T = 0.1, M, "Length of the shape", min = 0.0;
        parameter width: T = 0.1, M, "Width of a box, diameter of a cylinder", min = 0.0,
            when = o.shapeType != ShapeType::Sphere;
        parameter height: T = 0.1, M, "Height, perpendicular to length and width", min = 0.0,
            when = o.shapeType == ShapeType::Box;
        parameter color: [i32; 3] = [0, 128, 255], "Color (red, green, blue)", min = 0.0, max = 255.0;
        calculated r_middle: Vector3<T>, M, "Middle of the shape, resolved in frame_a";
    }
}

impl PartType for FixedShapeType {
    const NAME: &'static str = "FixedShape";
    const TEXT: &'static str = "A shape that a viewer draws, without mass";
    type Structure = FixedShapeStructure;
    type In<T: Scalar> = FixedShape<T>;

    fn shapes_of(structure: &FixedShapeStructure) -> Vec<Shape<'static>> {
        let shape = match structure.shapeType {
            ShapeType::Box => {
                let look = ["lengthDirection", "length", "widthDirection", "width", "height", "color"];
                Shape::block("shape", "frame_a", look)
            }
            ShapeType::Cylinder => Shape::axis("shape", "frame_a", ["lengthDirection", "length", "width", "color"]),
            ShapeType::Sphere => Shape::sphere("shape", "frame_a", ["length", "color"]),
        };
        vec![shape.at("r_middle")]
    }

    fn connectors(_: &FixedShapeStructure) -> Vec<(&'static str, Connector)> {
        vec![("frame_a", Connector::Frame_a)]
    }

    fn options(structure: &FixedShapeStructure, _: bool) -> FixedShapeStructure {
        structure.clone()
    }
}

crate::capabilities!(FixedShape: Multibody);

impl<T: Scalar> Part<T> for FixedShape<T> {
    type Structure = FixedShapeStructure;

    fn problem(&self) -> Option<String> {
        let [along, across] = [("lengthDirection", &self.lengthDirection), ("widthDirection", &self.widthDirection)];
        no_direction(along.0, along.1).or_else(|| no_direction(across.0, across.1)).or_else(|| parallel(across, along))
    }

    fn set_outputs(&mut self, _: &FixedShapeStructure, _: &Kinematics<'_, T>, _: Solution<'_, T>) {
        self.r_middle = self.r_shape + unit(&self.lengthDirection) * (self.length * constant::<T>(0.5));
    }
}

impl<T: Scalar> Multibody<T> for FixedShape<T> {
    /// Returns a body without mass, which ties the shape to its frame and costs nothing.
    fn elements(&self, _: &FixedShapeStructure) -> Vec<Element<T>> {
        let body = Body { m: T::zero(), r_CM: Vector3::zeros(), I: Matrix3::zeros() };
        vec![Element::Body { frame: 0, body }]
    }
}
