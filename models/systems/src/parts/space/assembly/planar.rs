//! Assemblies of loops in a plane.

use fmu_runtime::{ModelError, Number, Scalar, Shape, group};
use mechanics::direction::unit;
use mechanics::motion::Motion;
use mechanics::tree::{Assembly, AssemblyFrames};
use nalgebra::Vector3;
use ports::assembly::look::shapes;
use ports::assembly::planar::{SlidingRods, TurningRods};

use super::drive::{PrismaticDrive, RevoluteDrive};
use super::part::AssemblyKind;
use super::rods::{Rods, UNIVERSAL};

/// Fraction of the length of the rods below which the distance between their planes is rounding.
const ROUNDING: f64 = 1e-6;

/// JointRRP.
pub struct Rrp;

/// JointRRR.
pub struct Rrr;

impl AssemblyKind for Rrp {
    const NAME: &'static str = "JointRRP";
    const TEXT: &'static str = "Two revolute joints and a prismatic one, which close a loop in a plane";
    const AXIS1: &'static str = "n_a";
    type Rods<T: Scalar> = SlidingRods<T>;
    type Drive<T: Scalar> = PrismaticDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::planar("n_a", middle()), shapes::slide(["frame_b", "frame_ib"])].concat()
    }
}

impl AssemblyKind for Rrr {
    const NAME: &'static str = "JointRRR";
    const TEXT: &'static str = "Three revolute joints, which close a loop in a plane";
    const AXIS1: &'static str = "n_a";
    type Rods<T: Scalar> = PlanarTurningRods<T>;
    type Drive<T: Scalar> = RevoluteDrive<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [shapes::planar("n_a", middle()), shapes::third("e_b")].concat()
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

    fn check_ends(&self, [a, b]: &[Motion<T>; 2]) -> Result<(), ModelError> {
        let axis = a.rotation_to(b) * self.axis();
        self.check_perpendicular(&axis)?;
        check_plane([a, b], &axis, [&self.n_a, &self.rRod1_ia, &self.rRod2_ib], "JointUSP")
    }
}

/// Returns the shape of the joint between the rods, of which rod 1 has the axis.
fn middle() -> Shape<'static> {
    shapes::pin("shape_rev2", "frame_ia", "n_a").at("rRod1_ia")
}

group! {
    /// Rods that turn about the axes at the start.
    pub struct PlanarTurningRods<T>(_o: ()) {
        group rods: TurningRods<T> = (), "Rods", name = "";
        calculated e_b: Vector3<T>, ONE, "Unit vector along axes of rotations at the start, resolved in frame_b, frame_ib and frame_im";
    }
}

impl<T: Scalar> Rods<T> for PlanarTurningRods<T> {
    const FRAMES: AssemblyFrames = UNIVERSAL;

    fn check(&self) -> Result<(), ModelError> {
        self.rods.check()
    }

    fn assembly(&self) -> Assembly<T> {
        Assembly::Rrr(self.rods.assembly(&self.rods.n_a))
    }

    fn check_ends(&self, [a, b]: &[Motion<T>; 2]) -> Result<(), ModelError> {
        let rods = &self.rods;
        let axis = unit(&(a.rotation_to(b) * rods.n_a));
        rods.check_rod2(&axis)?;
        check_plane([a, b], &axis, [&rods.n_a, &rods.rRod1_ia, &rods.rRod2_ib], "JointUSR")
    }

    fn begin(&mut self, n_b: &Vector3<T>) {
        self.e_b = *n_b;
    }

    fn n_b(&self) -> Vector3<T> {
        self.e_b
    }
}

/// Refuses rods whose ends do not lie in one plane, which the axis, of length 1 and resolved in frame_b, is perpendicular to,
/// and ends that leave this plane; where `other` assembly closes the loop, they may.
fn check_plane<T: Scalar>(
    [a, b]: [&Motion<T>; 2],
    axis: &Vector3<T>,
    [n_a, rod1, rod2]: [&Vector3<T>; 3],
    other: &str,
) -> Result<(), ModelError> {
    let p = b.T * (a.r_0 - b.r_0);
    let apart = (axis.dot(&(rod2 - p)) - unit(n_a).dot(rod1)).value();
    if apart.abs() > ROUNDING * (rod1.norm() + rod2.norm()).value() {
        return Err(ModelError::invalid(format!(
            "rRod1_ia and rRod2_ib end {} m apart along n_a, but must end in one plane: move frame_a or frame_b along n_a, or put \
             a {other} in place of this assembly",
            Number(apart.abs())
        )));
    }
    let w = b.w - b.T * a.T.tr_mul(&a.w);
    let across = (w - axis * axis.dot(&w)).norm();
    let v = b.T * (a.v_0 - b.v_0) - b.w.cross(&p);
    let [turning, sliding] = [a.w.norm() + b.w.norm(), a.v_0.norm() + b.v_0.norm() + b.w.norm() * p.norm()];
    if across.value() <= ROUNDING * turning.value() && axis.dot(&v).abs().value() <= ROUNDING * sliding.value() {
        return Ok(());
    }
    Err(ModelError::invalid(format!(
        "n_a is not the axis about which frame_b can turn against frame_a, or frame_b can leave the plane across it: make the axes \
         of all revolute joints of the loop parallel to n_a and slides perpendicular to it, or put a {other} in place of this \
         assembly"
    )))
}
