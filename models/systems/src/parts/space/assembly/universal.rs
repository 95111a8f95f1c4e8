//! Assemblies with a universal and a spherical joint at rod 1.

use fmu_runtime::{ModelError, Scalar, Shape};
use mechanics::tree::{Assembly, AssemblyFrames};
use ports::assembly::look::shapes;
use ports::assembly::universal::{SlidingRods, TurningRods};

use super::drive::{PrismaticDrive, RevoluteDrive};
use super::part::AssemblyKind;
use super::rods::{Rods, UNIVERSAL};

/// JointUSR.
pub struct Usr;

/// JointUSP.
pub struct Usp;

impl AssemblyKind for Usr {
    const NAME: &'static str = "JointUSR";
    const TEXT: &'static str = "A universal, a spherical and a revolute joint, which close a loop";
    const AXIS1: &'static str = "n1_a";
    type Rods<T: Scalar> = TurningRods<T>;
    type Drive<T: Scalar> = RevoluteDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::rods("frame_ia"), shapes::universal(true), shapes::revolute(["frame_b", "n_b"])].concat()
    }
}

impl AssemblyKind for Usp {
    const NAME: &'static str = "JointUSP";
    const TEXT: &'static str = "A universal, a spherical and a prismatic joint, which close a loop";
    const AXIS1: &'static str = "n1_a";
    type Rods<T: Scalar> = SlidingRods<T>;
    type Drive<T: Scalar> = PrismaticDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::rods("frame_ia"), shapes::universal(true), shapes::slide(["frame_b", "frame_ib"])].concat()
    }
}

impl<T: Scalar> Rods<T> for TurningRods<T> {
    const FRAMES: AssemblyFrames = UNIVERSAL;

    fn check(&self) -> Result<(), ModelError> {
        self.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Usr(self.assembly())
    }

    fn set_outputs(&mut self) {
        self.rod1.set_outputs(&self.assembly());
    }
}

impl<T: Scalar> Rods<T> for SlidingRods<T> {
    const FRAMES: AssemblyFrames = UNIVERSAL;

    fn check(&self) -> Result<(), ModelError> {
        self.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Usp(self.assembly())
    }

    fn set_outputs(&mut self) {
        self.rod1.set_outputs(&self.assembly());
    }
}
