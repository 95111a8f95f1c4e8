//! Joints that slide and turn: cylindrical and planar.

use fmu_runtime::{Scalar, Shape, group};
use mechanics::direction::unit;
use mechanics::tree::{Joint, JointKind};
use nalgebra::Vector3;
use ports::assembly::look::shapes;

use super::super::movement::MovementStructure;
use super::frame::{no_direction, parallel};
use super::several::SeveralKind;

/// A joint that slides along an axis and turns about it.
pub struct Cylindrical;

group! {
    /// ```text
    /// frame_b is at s n, seen from frame_a, and turned by phi about n;   n.frame_a.f = 0,   n.frame_a.t = 0
    /// v = s',   a = v',   w = phi',   wd = w'
    /// ```
    ///
    /// with n of length 1. Source: Modelica.Mechanics.MultiBody.Joints.Cylindrical.
    pub struct CylindricalAxis<T>(_o: ()) {
        parameter n: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Axis, resolved in frame_a and the same in frame_b, of any length";
    }
}

impl SeveralKind<2> for Cylindrical {
    const NAME: &'static str = "Cylindrical";
    const TEXT: &'static str = "A joint that slides along an axis and turns about it";
    const POSITIONS: [&'static str; 2] =
        ["Distance from frame_a to frame_b", "Angle of frame_b with respect to frame_a"];
    type Axes<T: Scalar> = CylindricalAxis<T>;

    fn movements() -> [MovementStructure; 2] {
        MovementStructure::cylindrical()
    }

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::slide(["frame_a", "frame_b"]), shapes::revolute(["frame_a", "n"])].concat()
    }

    fn problem<T: Scalar>(CylindricalAxis { n }: &CylindricalAxis<T>) -> Option<String> {
        no_direction("n", n)
    }

    fn joints<T: Scalar>(CylindricalAxis { n }: &CylindricalAxis<T>) -> [Joint<T>; 2] {
        [(JointKind::Prismatic, 0), (JointKind::Revolute, 1)].map(|(kind, position)| Joint {
            kind,
            e: unit(n),
            position,
        })
    }
}

/// A joint that slides in a plane and turns about its normal.
pub struct Planar;

group! {
    /// ```text
    /// e = n / |n|,   e_y = e x n_x / |e x n_x|,   e_x = e_y x e
    /// frame_b is at s_x e_x + s_y e_y, seen from frame_a, and turned by phi about e
    /// e_x.frame_a.f = 0,   e_y.frame_a.f = 0,   e.frame_b.t = 0
    /// v_x = s_x',   a_x = v_x',   and so for y;   w = phi',   wd = w'
    /// ```
    ///
    /// Source: Modelica.Mechanics.MultiBody.Joints.Planar.
    pub struct PlanarAxes<T>(_o: ()) {
        parameter n: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Normal of the plane, resolved in frame_a and the same in frame_b, of any length";
        parameter n_x: Vector3<T> = [1.0, 0.0, 0.0], ONE, "Direction of s_x, resolved in frame_a, of any length; what it has along n is left out";
    }
}

impl SeveralKind<3> for Planar {
    const NAME: &'static str = "Planar";
    const TEXT: &'static str = "A joint that slides in a plane and turns about its normal";
    const POSITIONS: [&'static str; 3] = [
        "Distance from frame_a to frame_b along n_x",
        "Distance from frame_a to frame_b along n x n_x",
        "Angle of frame_b with respect to frame_a",
    ];
    type Axes<T: Scalar> = PlanarAxes<T>;

    fn movements() -> [MovementStructure; 3] {
        MovementStructure::planar()
    }

    fn shapes() -> Vec<Shape<'static>> {
        shapes::revolute(["frame_b", "n"])
    }

    fn problem<T: Scalar>(PlanarAxes { n, n_x }: &PlanarAxes<T>) -> Option<String> {
        no_direction("n", n).or_else(|| no_direction("n_x", n_x)).or_else(|| parallel(("n_x", n_x), ("n", n)))
    }

    fn joints<T: Scalar>(PlanarAxes { n, n_x }: &PlanarAxes<T>) -> [Joint<T>; 3] {
        let e = unit(n);
        let e_y = unit(&e.cross(n_x));
        [
            Joint { kind: JointKind::Prismatic, e: e_y.cross(&e), position: 0 },
            Joint { kind: JointKind::Prismatic, e: e_y, position: 1 },
            Joint { kind: JointKind::Revolute, e, position: 2 },
        ]
    }
}
