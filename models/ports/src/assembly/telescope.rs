//! The telescope of JointUPS.

use fmu_runtime::{ModelError, Scalar, group};
use mechanics::assembly::{Universal, UniversalPrismatic};
use nalgebra::Vector3;

use crate::assembly::check_rod1;

group! {
    /// Axis 1 of the universal joint, and the telescope.
    pub struct Telescope<T>(_o: ()) {
        n1_a: Vector3<T> = [0.0, 0.0, 1.0], ONE, "Axis 1 of universal joint resolved in frame_a (axis 2 is orthogonal to axis 1 and to line from universal to spherical joint)";
        nAxis_ia: Vector3<T> = [1.0, 0.0, 0.0], M, "Axis vector along line from origin of frame_a to origin of frame_b, resolved in frame_ia";
    }
}

group! {
    /// Offset of the drive: the distance between the ends at which its displacement is 0.
    pub struct TelescopeOffset<T>(_o: ()) {
        s_offset: T, M, "Relative distance offset (distance between frame_a and frame_b = s(t) + s_offset)";
    }
}

group! {
    /// Length of the telescope.
    pub struct TelescopePosition<T>(_o: ()) {
        s: T, M, "Displacement of the drive, axisLength - s_offset";
        axisLength: T, M, "Distance between frame_a and frame_b";
    }
}

impl<T: Scalar> Telescope<T> {
    /// Refuses vectors without length, and a telescope along axis 1.
    pub fn check(&self) -> Result<(), ModelError> {
        check_rod1(("n1_a", &self.n1_a), ("nAxis_ia", &self.nAxis_ia))
    }

    /// Returns the assembly of the telescope.
    pub fn assembly(&self) -> UniversalPrismatic<T> {
        UniversalPrismatic { universal: Universal::new(&self.n1_a, &self.nAxis_ia) }
    }
}

impl<T: Scalar> TelescopePosition<T> {
    /// Stores the distance between the ends, and the displacement of the drive.
    pub fn set_outputs(&mut self, distance: T, s_offset: T) {
        (self.axisLength, self.s) = (distance, distance - s_offset);
    }
}
