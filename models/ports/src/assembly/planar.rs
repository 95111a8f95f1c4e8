//! Rods of planar loops: between revolute joints with parallel axes, or one of them on a prismatic joint.

use fmu_runtime::{ModelError, Number, Scalar, group};
use mechanics::assembly::{Prismatic, Revolute, UniversalSpherical};
use mechanics::direction::unit;
use nalgebra::Vector3;

use crate::assembly::{check_length, check_rod1, check_rod2};

/// Largest deviation of the angle between n_a and n_b from a right one, in rad.
const MAX_SKEW: f64 = 1e-6;

group! {
    /// The rods of JointRRP.
    pub struct SlidingRods<T>(_o: ()) {
        parameter n_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axes of the two revolute joints resolved in frame_a (both axes are parallel to each other)";
        parameter n_b: Vector3<T> = [-1.0, 0.0, 0.0], ONE, "Axis of prismatic joint fixed and resolved in frame_b (must be orthogonal to revolute joint axes)";
        parameter rRod1_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from origin of frame_a to revolute joint in the middle, resolved in frame_ia";
        parameter rRod2_ib: Vector3<T> = [-1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to revolute joint in the middle, resolved in frame_ib (frame_ib is parallel to frame_b)";
    }
}

group! {
    /// The rods of JointRRR.
    pub struct TurningRods<T>(_o: ()) {
        parameter n_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axes of revolute joints resolved in frame_a (all axes are parallel to each other)";
        parameter rRod1_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Vector from origin of frame_a to revolute joint in the middle, resolved in frame_ia";
        parameter rRod2_ib: Vector3<T> = [-1.0, 0.0, 0.0], M, "Vector from origin of frame_ib to revolute joint in the middle, resolved in frame_ib";
    }
}

impl<T: Scalar> SlidingRods<T> {
    /// Refuses vectors without length, and a rod 1 along the axes.
    pub fn check(&self) -> Result<(), ModelError> {
        check_rod1(("n_a", &self.n_a), ("rRod1_ia", &self.rRod1_ia))?;
        check_length("n_b", &self.n_b)
    }

    /// Returns the unit vector along the axes of the revolute joints, resolved in frame_a.
    pub fn axis(&self) -> Vector3<T> {
        unit(&self.n_a)
    }

    /// Refuses an n_b that is not perpendicular to the axes of the revolute joints, of which `axis` is the unit vector
    /// resolved in frame_b.
    pub fn check_perpendicular(&self, axis: &Vector3<T>) -> Result<(), ModelError> {
        let tilt = axis.dot(&unit(&self.n_b)).value().clamp(-1.0, 1.0).asin();
        if tilt.abs() <= MAX_SKEW {
            return Ok(());
        }
        let angle = Number(90.0 - tilt.to_degrees());
        Err(ModelError::invalid(format!("n_b must be perpendicular to n_a, but the angle between them is {angle} deg")))
    }

    /// Returns the assembly of the rods and the prismatic joint.
    pub fn assembly(&self) -> UniversalSpherical<T, Prismatic<T>> {
        let joint = Prismatic { e: unit(&self.n_b), q: self.rRod2_ib };
        UniversalSpherical::new(&self.n_a, &self.rRod1_ia, joint)
    }
}

impl<T: Scalar> TurningRods<T> {
    /// Refuses vectors without length, and a rod 1 along the axes.
    pub fn check(&self) -> Result<(), ModelError> {
        check_length("rRod2_ib", &self.rRod2_ib)?;
        check_rod1(("n_a", &self.n_a), ("rRod1_ia", &self.rRod1_ia))
    }

    /// Refuses a rod 2 along the axes, which are resolved in frame_b.
    pub fn check_rod2(&self, n_b: &Vector3<T>) -> Result<(), ModelError> {
        check_rod2(("n_b", n_b), ("rRod2_ib", &self.rRod2_ib))
    }

    /// Returns the assembly of the rods and the revolute joint, with the axes resolved in frame_b.
    pub fn assembly(&self, n_b: &Vector3<T>) -> UniversalSpherical<T, Revolute<T>> {
        let joint = Revolute { e: unit(n_b), q: self.rRod2_ib };
        UniversalSpherical::new(&self.n_a, &self.rRod1_ia, joint)
    }
}
