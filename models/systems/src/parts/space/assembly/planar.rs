//! Assemblies of loops in a plane.

use assemblies::planar::{SlidingRods, TurningRods};
use fmu_runtime::{ModelError, Scalar, group};
use mechanics::motion::Motion;
use mechanics::tree::{Assembly, AssemblyFrames};
use nalgebra::Vector3;

use super::drive::{Slide, Swing};
use super::part::Kind;
use super::rods::{Rods, UNIVERSAL};

/// JointRRP.
pub struct Rrp;

/// JointRRR.
pub struct Rrr;

impl Kind for Rrp {
    const NAME: &'static str = "JointRRP";
    const TEXT: &'static str = "Two revolute joints and a prismatic one, which close a loop in a plane";
    const AXIS1: &'static str = "n_a";
    type Rods<T: Scalar> = SlidingRods<T>;
    type Drive<T: Scalar> = Slide<T>;
}

impl Kind for Rrr {
    const NAME: &'static str = "JointRRR";
    const TEXT: &'static str = "Three revolute joints, which close a loop in a plane";
    const AXIS1: &'static str = "n_a";
    type Rods<T: Scalar> = Turning<T>;
    type Drive<T: Scalar> = Swing<T>;
}

impl<T: Scalar> Rods<T> for SlidingRods<T> {
    const FRAMES: AssemblyFrames = UNIVERSAL;

    fn check(&self) -> Result<(), ModelError> {
        self.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Usp(self.assembly())
    }

    fn check_ends(&self, [a, b]: &[Motion<T>; 2]) -> Result<(), ModelError> {
        self.check_perpendicular(&(a.rotation_to(b) * self.axis()))
    }
}

group! {
    /// Rods that turn about the axes at the start.
    pub struct Turning<T>(_o: ()) {
        group rods: TurningRods<T> = (), "Rods", name = "";
        memory n_b: Vector3<T>, ONE, "Axes of the revolute joints at the start, of length 1, resolved in frame_b";
    }
}

impl<T: Scalar> Rods<T> for Turning<T> {
    const FRAMES: AssemblyFrames = UNIVERSAL;

    fn check(&self) -> Result<(), ModelError> {
        self.rods.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Rrr(self.rods.assembly(&self.rods.n_a))
    }

    fn check_ends(&self, [a, b]: &[Motion<T>; 2]) -> Result<(), ModelError> {
        self.rods.check_rod2(&(a.rotation_to(b) * self.rods.n_a))
    }

    fn begin(&mut self, n_b: &Vector3<T>) {
        self.n_b = *n_b;
    }

    fn n_b(&self) -> Vector3<T> {
        self.n_b
    }
}
