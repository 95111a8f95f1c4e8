//! The assembly with a telescope.

use fmu_runtime::{ModelError, Scalar, Shape, group};
use mechanics::motion::Coordinate;
use mechanics::tree::{Assembly, AssemblyFrames};
use ports::TranslationalMotion;
use ports::assembly::look::shapes;
use ports::assembly::telescope::{Telescope, TelescopeOffset, TelescopePosition};

use super::drive::Drive;
use super::part::AssemblyKind;
use super::rods::Rods;
use crate::parts::domain::Domain;

/// JointUPS.
pub struct Ups;

impl AssemblyKind for Ups {
    const NAME: &'static str = "JointUPS";
    const TEXT: &'static str = "A universal, a prismatic and a spherical joint, which close a loop: a telescope";
    const AXIS1: &'static str = "n1_a";
    type Rods<T: Scalar> = Line<T>;
    type Drive<T: Scalar> = Extension<T>;

    fn shapes() -> Vec<Shape<'static>> {
        shapes::telescope(false)
    }
}

group! {
    /// The line from frame_a to frame_b.
    pub struct Line<T>(_o: ()) {
        parameter telescope: Telescope<T>, "Telescope", name = "";
    }
}

group! {
    /// The prismatic joint on the line from frame_a to frame_b.
    pub struct Extension<T>(_o: ()) {
        parameter slide_offset: TelescopeOffset<T>, "Offset", name = "";
        output position: TelescopePosition<T>, "Length", name = "";
        output axis: TranslationalMotion<T> = true, "Flange that drives the prismatic joint";
        output f: T, N, "Force that drives the prismatic joint";
    }
}

impl<T: Scalar> Rods<T> for Line<T> {
    const FRAMES: AssemblyFrames = AssemblyFrames { outer: [0, 1], ia: Some(2), ib: 3, im: None };

    fn check(&self) -> Result<(), ModelError> {
        self.telescope.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Ups(self.telescope.assembly())
    }
}

impl<T: Scalar> Drive<T> for Extension<T> {
    const DOMAIN: Domain = Domain::Translational;
    const HAS_MEMORY: bool = false;

    fn guess(&self) -> T {
        T::zero()
    }

    fn offset(&self) -> T {
        self.slide_offset.s_offset
    }

    fn set_outputs(&mut self, x: Coordinate<T>, _: T, load: T) {
        let s_offset = self.slide_offset.s_offset;
        self.position.set_outputs(x.x, s_offset);
        self.axis = Coordinate { x: x.x - s_offset, ..x }.into();
        self.f = load;
    }
}
