//! Line forces with point masses: assemblies whose axis is the line between both frames.

use fmu_runtime::{ModelError, Scalar, Shape, group};
use mechanics::assembly::{Line, MassOnLine};
use mechanics::motion::Coordinate;
use mechanics::tree::{Assembly, AssemblyFrames};
use ports::TranslationalMotion;

use super::drive::Drive;
use super::part::AssemblyKind;
use super::rods::Rods;
use crate::parts::domain::Domain;

/// Numbers of the frames: the inner one is not a connector.
const FRAMES: AssemblyFrames = AssemblyFrames { outer: [0, 1], ia: None, ib: 2, im: None };

const FLANGES: [&str; 2] = ["flange_b", "flange_a"];

fn shapes() -> Vec<Shape<'static>> {
    vec![Shape::rod("line", ["frame_a", "frame_b"], ["0.035", "[255, 255, 0]"])]
}

group! {
    /// ```text
    /// r_CM = r_a + lengthFraction (r_b - r_a)
    /// ```
    pub struct OneMass<T>(_o: ()) {
        parameter m: T = 0.0, KG, "Mass of the point mass on the line", min = 0.0;
        parameter lengthFraction: T = 0.5, ONE, "Place of the mass, as the fraction of the line from frame_a", min = 0.0, max = 1.0;
    }
}

/// LineForceWithMass: a line between two frames, with a mass.
///
/// Source: Modelica.Mechanics.MultiBody.Forces.LineForceWithMass.
pub struct WithMass;

impl AssemblyKind for WithMass {
    const NAME: &'static str = "LineForceWithMass";
    const TEXT: &'static str = "A line between two frames for springs, dampers and forces, with a point mass";
    const AXIS1: &'static str = "";
    const LINE: Option<[&'static str; 2]> = Some(FLANGES);
    type Rods<T: Scalar> = OneMass<T>;
    type Drive<T: Scalar> = LineDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        shapes()
    }
}

impl<T: Scalar> Rods<T> for OneMass<T> {
    const FRAMES: AssemblyFrames = FRAMES;

    fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    fn assembly(&self) -> Assembly<T> {
        let none = MassOnLine { m: T::zero(), h: T::zero(), along: T::zero() };
        Assembly::Line(Line { masses: [MassOnLine { m: self.m, h: self.lengthFraction, along: T::zero() }, none] })
    }
}

group! {
    /// ```text
    /// r_CM1 = r_a + L_a e,   r_CM2 = r_b - L_b e,   e = (r_b - r_a) / length
    /// ```
    pub struct TwoMasses<T>(_o: ()) {
        parameter m_a: T = 0.0, KG, "Mass of the point mass near frame_a", min = 0.0;
        parameter m_b: T = 0.0, KG, "Mass of the point mass near frame_b", min = 0.0;
        parameter L_a: T = 0.0, M, "Distance of the mass m_a from frame_a, towards frame_b";
        parameter L_b: T = 0.0, M, "Distance of the mass m_b from frame_b, towards frame_a";
    }
}

/// LineForceWithTwoMasses: the same with two masses at fixed distances from the frames.
///
/// Source: Modelica.Mechanics.MultiBody.Forces.LineForceWithTwoMasses.
pub struct WithTwoMasses;

impl AssemblyKind for WithTwoMasses {
    const NAME: &'static str = "LineForceWithTwoMasses";
    const TEXT: &'static str = "A line between two frames for springs, dampers and forces, with two point masses";
    const AXIS1: &'static str = "";
    const LINE: Option<[&'static str; 2]> = Some(FLANGES);
    type Rods<T: Scalar> = TwoMasses<T>;
    type Drive<T: Scalar> = LineDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        shapes()
    }
}

impl<T: Scalar> Rods<T> for TwoMasses<T> {
    const FRAMES: AssemblyFrames = FRAMES;

    fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }

    fn assembly(&self) -> Assembly<T> {
        let mass = |m, h, along| MassOnLine { m, h, along };
        let masses = [mass(self.m_a, T::zero(), self.L_a), mass(self.m_b, T::one(), -self.L_b)];
        Assembly::Line(Line { masses })
    }
}

group! {
    /// The length of a line: flange_a.s = 0, flange_b.s = length.
    pub struct LineDrive<T>(_o: ()) {
        output length: T, M, "Distance from frame_a to frame_b";
        output flange_b: TranslationalMotion<T> = true, "Flange that moves with frame_b";
        output f: T, N, "Force that pushes the frames apart";
    }
}

impl<T: Scalar> Drive<T> for LineDrive<T> {
    const DOMAIN: Domain = Domain::Translational;
    const HAS_MEMORY: bool = false;

    fn guess(&self) -> T {
        T::zero()
    }

    fn offset(&self) -> T {
        T::zero()
    }

    fn set_outputs(&mut self, x: Coordinate<T>, _: T, load: T) {
        self.length = x.x;
        self.flange_b = x.into();
        self.f = load;
    }
}
