//! Assemblies with spherical joints at both ends of rod 1, which can have a mass in the middle.

use fmu_runtime::{ModelError, Scalar, Shape};
use mechanics::tree::{Assembly, AssemblyFrames};
use ports::assembly::look::shapes;
use ports::assembly::spherical::{SlidingRods, TurningRods};

use super::drive::{PrismaticDrive, RevoluteDrive};
use super::part::AssemblyKind;
use super::rods::Rods;

const SPHERICAL: AssemblyFrames = AssemblyFrames { outer: [0, 1], ia: None, ib: 2, im: Some(3) };

/// JointSSR.
pub struct Ssr;

/// JointSSP.
pub struct Ssp;

impl AssemblyKind for Ssr {
    const NAME: &'static str = "JointSSR";
    const TEXT: &'static str = "Two spherical joints and a revolute one, which close a loop";
    const AXIS1: &'static str = "";
    type Rods<T: Scalar> = TurningRods<T>;
    type Drive<T: Scalar> = RevoluteDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::rods("frame_a"), shapes::spherical(), shapes::revolute(["frame_b", "n_b"]), shapes::mass(true)]
            .concat()
    }
}

impl AssemblyKind for Ssp {
    const NAME: &'static str = "JointSSP";
    const TEXT: &'static str = "Two spherical joints and a prismatic one, which close a loop";
    const AXIS1: &'static str = "";
    type Rods<T: Scalar> = SlidingRods<T>;
    type Drive<T: Scalar> = PrismaticDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::rods("frame_a"), shapes::spherical(), shapes::slide(["frame_b", "frame_ib"]), shapes::mass(true)]
            .concat()
    }
}

impl<T: Scalar> Rods<T> for TurningRods<T> {
    const FRAMES: AssemblyFrames = SPHERICAL;

    fn check(&self) -> Result<(), ModelError> {
        self.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Ssr(self.assembly())
    }
}

impl<T: Scalar> Rods<T> for SlidingRods<T> {
    const FRAMES: AssemblyFrames = SPHERICAL;

    fn check(&self) -> Result<(), ModelError> {
        if self.mslRodForce {
            return Err(ModelError::invalid(
                "mslRodForce is true, but must be false in a system: forces would not be balanced, and with them the mass matrix \
                 of the mechanism not symmetric",
            ));
        }
        self.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Ssp(self.assembly())
    }
}
