//! A universal joint.

use fmu_runtime::{Scalar, group};
use mechanics::direction::unit;
use mechanics::tree::{Joint, JointKind};
use nalgebra::Vector3;

use super::super::movement::MovementStructure;
use super::frame::{no_direction, parallel};
use super::several::SeveralKind;

/// A joint about two axes.
pub struct Universal;

group! {
    /// ```text
    /// frame_b is at frame_a, turned by phi_a about n_a, resolved in frame_a, and then by phi_b about n_b, resolved in frame_b
    /// n_a.frame_a.t = 0,   n_b.frame_b.t = 0
    /// ```
    ///
    /// with n_a and n_b of length 1. Source: Modelica.Mechanics.MultiBody.Joints.Universal.
    pub struct UniversalAxes<T>(_o: ()) {
        parameter n_a: Vector3<T> = [1.0, 0.0, 0.0], ONE, "First axis, resolved in frame_a, of any length";
        parameter n_b: Vector3<T> = [0.0, 1.0, 0.0], ONE, "Second axis, resolved in frame_b, of any length";
    }
}

impl SeveralKind<2> for Universal {
    const NAME: &'static str = "Universal";
    const TEXT: &'static str = "A joint that turns about two axes";
    const POSITIONS: [&'static str; 2] = ["Angle about n_a", "Angle about n_b"];
    type Axes<T: Scalar> = UniversalAxes<T>;

    fn movements() -> [MovementStructure; 2] {
        MovementStructure::angles()
    }

    fn problem<T: Scalar>(UniversalAxes { n_a, n_b }: &UniversalAxes<T>) -> Option<String> {
        let parallel = || Some(parallel(("n_b", n_b), ("n_a", n_a))? + ", or use a Revolute");
        no_direction("n_a", n_a).or_else(|| no_direction("n_b", n_b)).or_else(parallel)
    }

    fn joints<T: Scalar>(UniversalAxes { n_a, n_b }: &UniversalAxes<T>) -> [Joint<T>; 2] {
        let joint = |(n, position)| Joint { kind: JointKind::Revolute, e: unit(n), position };
        [(n_a, 0), (n_b, 1)].map(joint)
    }
}
