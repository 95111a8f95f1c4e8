//! Bodies whose mass and inertia tensor are given.

use fmu_runtime::{Attributes, ElementVisitor, Number, Reader, Scalar, Shape, Size, Variable, Writer, group};
use mechanics::eigenvalues::principal_moments;
use mechanics::tree;
use nalgebra::{Matrix3, Vector3};

use super::super::frame::rod;
use super::kind::{BodyKind, Solid};

/// Fraction of the largest moment of inertia below which others are rounding.
const ROUNDING: f64 = 1e-9;

group! {
    /// Elements of a symmetric tensor.
    pub struct Elements<T>(_o: ()) {
        I_11: T = 0.001, KG_M2, "Element (1,1) of the inertia tensor about the center of mass, resolved in frame_a", min = 0.0;
        I_22: T = 0.001, KG_M2, "Element (2,2) of the inertia tensor", min = 0.0;
        I_33: T = 0.001, KG_M2, "Element (3,3) of the inertia tensor", min = 0.0;
        I_21: T = 0.0, KG_M2, "Element (2,1) of the inertia tensor";
        I_31: T = 0.0, KG_M2, "Element (3,1) of the inertia tensor";
        I_32: T = 0.0, KG_M2, "Element (3,2) of the inertia tensor";
    }
}

/// An inertia tensor.
#[derive(Clone, Copy)]
pub struct Tensor<T>(Matrix3<T>);

impl<T: Scalar> Variable<T> for Tensor<T> {
    type Start = ();
    const SIZE: Size = <Elements<T> as Variable<T>>::SIZE;

    fn declare(attributes: &Attributes<'_>, _: Option<()>, visitor: &mut dyn ElementVisitor) {
        <Elements<T> as Variable<T>>::declare(attributes, None, visitor);
        visitor.constrained(6, |reals| {
            // If each moment is larger than the others of its row together, all principal moments are positive.
            let products = reals[3..].iter().map(|product| product.abs()).sum::<f64>();
            reals[..3].iter_mut().for_each(|moment| *moment += products);
        });
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        let [xx, yy, zz, xy, xz, yz] = reader.reals::<6>();
        Self(Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz))
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        let Self(i) = self;
        writer.reals([i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(1, 0)], i[(2, 0)], i[(2, 1)]]);
    }
}

impl<T: Scalar> Tensor<T> {
    /// Returns the principal moments of inertia, the smallest first.
    fn moments(&self) -> [f64; 3] {
        principal_moments(&self.0.map(|element| element.value()))
    }
}

group! {
    /// Mass and moments of inertia.
    pub struct Inertia<T>(_o: ()) {
        parameter r_CM: Vector3<T>, M, "Center of mass, resolved in frame_a";
        parameter m: T = 1.0, KG, "Mass", min = 0.0;
        parameter I: Tensor<T> = (), "Inertia tensor", name = "";
    }
}

impl<T: Scalar> Solid<T> for Inertia<T> {
    fn body(&self) -> tree::Body<T> {
        tree::Body { m: self.m, r_CM: self.r_CM, I: self.I.0 }
    }

    fn problem(&self) -> Option<String> {
        let [least, _, most] = self.I.moments();
        (least < -ROUNDING * most.abs()).then(|| {
            format!(
                "I_11 to I_32 make an inertia tensor with the principal moment {} kg.m2, but none can be negative: the products \
                 of inertia I_21, I_31 and I_32 are too large for I_11, I_22 and I_33",
                Number(least)
            )
        })
    }

    fn warning(&self) -> Option<String> {
        let [one, other, most] = self.I.moments();
        (most > (one + other) * (1.0 + ROUNDING)).then(|| {
            format!(
                "I_11 to I_32 make an inertia tensor with the principal moments {}, {} and {} kg.m2, which no body has: the \
                 largest is at most the sum of the others",
                Number(one),
                Number(other),
                Number(most)
            )
        })
    }
}

/// Returns the shapes of a ball at the center of mass, and of the arm that holds it.
fn mass() -> Vec<Shape<'static>> {
    let arm = Shape::arm("arm", "frame_a", "r_CM", ["rodDiameter", "massColor"]);
    vec![arm, Shape::sphere("mass", "frame_a", ["massDiameter", "massColor"]).at("r_CM")]
}

/// A body with one frame.
///
/// Source: Modelica.Mechanics.MultiBody.Parts.Body.
pub struct Body;

impl BodyKind for Body {
    const NAME: &'static str = "Body";
    const TEXT: &'static str = "A rigid body with one frame";
    const HAS_FRAME_B: bool = false;
    type Solid<T: Scalar> = Inertia<T>;

    fn shapes() -> Vec<Shape<'static>> {
        mass()
    }
}

group! {
    /// A second frame, mass and moments of inertia.
    pub struct InertiaWithFrame<T>(_o: ()) {
        parameter r: Vector3<T>, M, "Position of frame_b, resolved in frame_a";
        group inertia: Inertia<T> = (), "", name = "";
    }
}

impl<T: Scalar> Solid<T> for InertiaWithFrame<T> {
    fn body(&self) -> tree::Body<T> {
        self.inertia.body()
    }

    fn r(&self) -> Vector3<T> {
        self.r
    }

    fn problem(&self) -> Option<String> {
        self.inertia.problem()
    }

    fn warning(&self) -> Option<String> {
        self.inertia.warning()
    }
}

/// A body with two frames.
///
/// Source: Modelica.Mechanics.MultiBody.Parts.BodyShape.
pub struct BodyShape;

impl BodyKind for BodyShape {
    const NAME: &'static str = "BodyShape";
    const TEXT: &'static str = "A rigid body with two frames, which are parallel";
    const HAS_FRAME_B: bool = true;
    type Solid<T: Scalar> = InertiaWithFrame<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [vec![rod("massColor")], mass()].concat()
    }
}
