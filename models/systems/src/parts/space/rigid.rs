//! Frames that do not move with respect to each other.

use fmu_runtime::{Connector, Scalar, Shape, enumeration, group, structure};
use mechanics::constant;
use mechanics::direction::unit;
use mechanics::motion::RelativeRotation;
use mechanics::rotation::about;
use mechanics::tree::{Element, Pose};
use nalgebra::{Matrix3, Vector3};

use super::frame::{Origin, axes, frames, no_direction, parallel, rod};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

/// A frame at rest.
pub struct FixedType;

group! {
    /// ```text
    /// frame_b.r_0 = r, parallel to the world frame
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.Fixed.
    pub struct Fixed<T>(_o: ()) {
        parameter r: Vector3<T>, M, "Position of frame_b, resolved in the world frame";
    }
}

impl PartType for FixedType {
    const NAME: &'static str = "MultiBody.Fixed";
    const TEXT: &'static str = "A fixed frame";
    type Structure = ();
    type In<T: Scalar> = Fixed<T>;

    fn shapes() -> Vec<Shape<'static>> {
        vec![Shape::sphere("shape", "frame_b", ["rodDiameter", "rodColor"])]
    }

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        vec![("frame_b", Connector::Frame_b)]
    }

    fn options((): &(), _: bool) {}
}

crate::capabilities!(Fixed: Multibody);

impl<T: Scalar> Part<T> for Fixed<T> {
    type Structure = ();
}

impl<T: Scalar> Multibody<T> for Fixed<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        vec![Element::Fixed { frame: 0, pose: Pose::translation(self.r) }]
    }
}

/// A rigid part whose frames are parallel.
pub struct FixedTranslationType;

group! {
    /// ```text
    /// frame_b is at r, seen from frame_a, and parallel to it
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.FixedTranslation.
    pub struct FixedTranslation<T>(_o: ()) {
        parameter r: Vector3<T>, M, "Position of frame_b, resolved in frame_a";
        output frame_b: Origin<T> = (), "Motion of frame_b";
    }
}

impl PartType for FixedTranslationType {
    const NAME: &'static str = "FixedTranslation";
    const TEXT: &'static str = "A rigid part without mass, whose frames are parallel";
    type Structure = ();
    type In<T: Scalar> = FixedTranslation<T>;

    fn shapes() -> Vec<Shape<'static>> {
        vec![rod("rodColor")]
    }

    fn connectors((): &()) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options((): &(), _: bool) {}
}

crate::capabilities!(FixedTranslation: Multibody);

impl<T: Scalar> Part<T> for FixedTranslation<T> {
    type Structure = ();

    fn set_outputs(&mut self, (): &(), _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            self.frame_b.set_outputs(&space.frame(1));
        }
    }
}

impl<T: Scalar> Multibody<T> for FixedTranslation<T> {
    fn elements(&self, (): &()) -> Vec<Element<T>> {
        vec![Element::Rigid { frames: [0, 1], pose: Pose::translation(self.r) }]
    }
}

enumeration! {
    /// How a rotation is given.
    pub enum RotationType {
        RotationAxis = "about the axis n by angle",
        TwoAxesVectors = "by the directions n_x and n_y",
        PlanarRotationSequence = "by three angles about axes in sequence",
    }
}

structure! {
    /// The options of a fixed rotation.
    pub struct RotationStructure {
        rotationType: RotationType = RotationType::RotationAxis, "How the rotation is given";
    }
}

/// A rigid part whose second frame is turned.
pub struct FixedRotationType;

group! {
    /// ```text
    /// frame_b is at r, seen from frame_a, and turned
    /// RotationAxis             about the axis n by angle
    /// TwoAxesVectors           its x-axis along n_x, its y-axis in the plane of n_x and n_y
    /// PlanarRotationSequence   about the axes sequence, of frame_a and of the frames turned so far, by angles
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.FixedRotation.
    pub struct FixedRotation<T>(o: RotationStructure) {
        parameter r: Vector3<T>, M, "Position of frame_b, resolved in frame_a";
        parameter n: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis of the rotation, of any length",
            when = o.rotationType == RotationType::RotationAxis;
        parameter angle: T = 0.0, DEGREE, "Angle of the rotation", when = o.rotationType == RotationType::RotationAxis;
        parameter n_x: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Direction of the x-axis of frame_b, resolved in frame_a, of any length",
            when = o.rotationType == RotationType::TwoAxesVectors;
        parameter n_y: Vector3<T> = [0.0, 1.0, 0.0], ONE, "A direction in the plane of the x- and y-axis of frame_b, resolved in frame_a",
            when = o.rotationType == RotationType::TwoAxesVectors;
        parameter sequence: [i32; 3] = [1, 2, 3], "Axes of the rotations", min = 1.0, max = 3.0,
            when = o.rotationType == RotationType::PlanarRotationSequence;
        parameter angles: Vector3<T> = [0.0, 0.0, 0.0], DEGREE, "Angles of the rotations",
            when = o.rotationType == RotationType::PlanarRotationSequence;
        output frame_b: Origin<T> = (), "Motion of frame_b";
    }
}

impl PartType for FixedRotationType {
    const NAME: &'static str = "FixedRotation";
    const TEXT: &'static str = "A rigid part without mass, whose second frame is turned";
    type Structure = RotationStructure;
    type In<T: Scalar> = FixedRotation<T>;

    fn shapes() -> Vec<Shape<'static>> {
        vec![rod("rodColor")]
    }

    fn connectors(_: &RotationStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &RotationStructure, _: bool) -> RotationStructure {
        structure.clone()
    }
}

impl<T: Scalar> FixedRotation<T> {
    fn rotation(&self, structure: &RotationStructure) -> Matrix3<T> {
        let radian = |degree: T| degree * constant::<T>(std::f64::consts::PI / 180.0);
        match structure.rotationType {
            RotationType::RotationAxis => {
                let (sin, cos) = radian(self.angle).sin_cos();
                RelativeRotation::about(&unit(&self.n), [sin, cos], T::zero(), T::zero()).T
            }
            RotationType::TwoAxesVectors => axes(&self.n_x, &self.n_y),
            RotationType::PlanarRotationSequence => {
                let turn = |i: usize| about((self.sequence[i].clamp(1, 3) - 1) as usize, radian(self.angles[i]));
                turn(2) * turn(1) * turn(0)
            }
        }
    }
}

crate::capabilities!(FixedRotation: Multibody);

impl<T: Scalar> Part<T> for FixedRotation<T> {
    type Structure = RotationStructure;

    fn problem(&self) -> Option<String> {
        let directions = [("n", &self.n), ("n_x", &self.n_x), ("n_y", &self.n_y)];
        directions
            .into_iter()
            .find_map(|(name, vector)| no_direction(name, vector))
            .or_else(|| parallel(("n_y", &self.n_y), ("n_x", &self.n_x)))
    }

    fn set_outputs(&mut self, _: &RotationStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        if let Some(space) = solution.space {
            self.frame_b.set_outputs(&space.frame(1));
        }
    }
}

impl<T: Scalar> Multibody<T> for FixedRotation<T> {
    fn elements(&self, structure: &RotationStructure) -> Vec<Element<T>> {
        vec![Element::Rigid { frames: [0, 1], pose: Pose { r: self.r, T: self.rotation(structure) } }]
    }
}
