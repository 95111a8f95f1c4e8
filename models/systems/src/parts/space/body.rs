//! Bodies.

use fmu_runtime::{
    Attributes, Connector, ElementVisitor, Number, Reader, Scalar, Shape, Size, Variable, Writer, group,
};
use mechanics::tree::{self, Element};
use nalgebra::{Matrix3, Vector3};

use super::frame::{Origin, frames, rod};
use super::free::{Free, FreeOptions, FreeStructure};
use crate::part::{Found, Motion, Part, PartType, Pose, Space, Wanted};

/// Moments of inertia below this fraction of the largest one are rounding.
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
            // Where each moment is larger than the others of its row together, all principal moments are positive.
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
    /// The principal moments of inertia, the smallest first.
    fn moments(&self) -> [f64; 3] {
        let mut moments: [f64; 3] = self.0.map(|element| element.value()).symmetric_eigenvalues().into();
        moments.sort_unstable_by(f64::total_cmp);
        moments
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

impl<T: Scalar> Inertia<T> {
    fn element(&self) -> Element<T> {
        Element::Body { frame: 0, body: tree::Body { m: self.m, r_CM: self.r_CM, I: self.I.0 } }
    }

    fn fault(&self) -> Option<String> {
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

impl<T: Scalar> Free<T> {
    /// The motion of a body's frame: its own, or as what carries it moves.
    fn put_body(&mut self, motion: &Motion<'_, T>, space: Option<&Space<'_, T>>) {
        if motion.count() > 0 {
            self.put(motion);
        } else if let Some(space) = space {
            let frame = space.frame(0);
            (self.shift.r, self.shift.v, self.shift.a) = (frame.r_0, frame.v_0, frame.a_0);
            (self.turn.w, self.turn.z) = (frame.w, frame.z);
        }
    }
}

/// A ball at the center of mass, and what holds it.
fn mass() -> Vec<Shape<'static>> {
    let arm = Shape::arm("arm", "frame_a", "r_CM", ["rodDiameter", "massColor"]);
    vec![arm, Shape::sphere("mass", "frame_a", ["massDiameter", "massColor"]).at("r_CM")]
}

/// A body with one frame.
pub struct BodyType;

group! {
    /// ```text
    /// frame_a.f = m T (a_CM - g_0)
    /// frame_a.t = I z_a + w_a x (I w_a) + r_CM x frame_a.f
    /// ```
    ///
    /// Where nothing carries it, it moves freely with r_0, v_0, Q / |Q| and w_a as states:
    /// Q' = 1/2 Q o (w_a, 0) + 1/2 sqrt(w_a.w_a + (1e-6 1/s)^2) (1 - Q.Q) Q.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.Body.
    pub struct Body<T>(o: FreeOptions) {
        group inertia: Inertia<T> = (), "", name = "";
        group motion: Free<T> = o, "", name = "";
    }
}

impl PartType for BodyType {
    const NAME: &'static str = "Body";
    const TEXT: &'static str = "A rigid body with one frame";
    const HAS_LOADS: bool = false;
    const IS_IN_SPACE: bool = true;
    const CAN_BE_FREE: bool = true;
    type Structure = FreeStructure;
    type In<T: Scalar> = Body<T>;

    fn shapes() -> Vec<Shape<'static>> {
        mass()
    }

    fn connectors(_: &FreeStructure) -> Vec<(&'static str, Connector)> {
        vec![("frame_a", Connector::Frame_a)]
    }

    fn options(structure: &FreeStructure, has_states: bool) -> FreeOptions {
        structure.rows(has_states)
    }
}

impl<T: Scalar> Part<T> for Body<T> {
    type Structure = FreeStructure;

    fn fault(&self) -> Option<String> {
        self.inertia.fault().or_else(|| self.motion.turn.fault())
    }

    fn warning(&self) -> Option<String> {
        self.inertia.warning()
    }

    fn pose(&self) -> Option<Pose<T>> {
        self.motion.pose()
    }

    fn start(&self, structure: &FreeStructure, own: usize) -> [T; 2] {
        self.motion.start(structure, own)
    }

    fn wanted(&self, structure: &FreeStructure, rests: bool) -> Vec<Wanted<T>> {
        self.motion.wanted(structure, rests)
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.motion.own(own)
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.motion.set_own(own, motion);
    }

    fn set_velocity(&mut self, own: usize, velocity: T) {
        self.motion.set_velocity(own, velocity);
    }

    fn elements(&self, _: &FreeStructure) -> Vec<Element<T>> {
        vec![self.inertia.element()]
    }

    fn put(&mut self, _: &FreeStructure, motion: &Motion<'_, T>, found: Found<'_, T>) {
        self.motion.put_body(motion, found.space.as_ref());
    }
}

/// A body with two frames.
pub struct BodyShapeType;

group! {
    /// The equations of `Body`; frame_b is at r, seen from frame_a, and parallel to it.
    ///
    /// Source: Modelica.Mechanics.MultiBody.Parts.BodyShape.
    pub struct BodyShape<T>(o: FreeOptions) {
        parameter r: Vector3<T>, M, "Position of frame_b, resolved in frame_a";
        group inertia: Inertia<T> = (), "", name = "";
        group motion: Free<T> = o, "", name = "";
        output frame_b: Origin<T> = (), "Motion of frame_b";
    }
}

impl PartType for BodyShapeType {
    const NAME: &'static str = "BodyShape";
    const TEXT: &'static str = "A rigid body with two frames, which are parallel";
    const HAS_LOADS: bool = false;
    const IS_IN_SPACE: bool = true;
    const CAN_BE_FREE: bool = true;
    type Structure = FreeStructure;
    type In<T: Scalar> = BodyShape<T>;

    fn shapes() -> Vec<Shape<'static>> {
        [vec![rod("massColor")], mass()].concat()
    }

    fn connectors(_: &FreeStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &FreeStructure, has_states: bool) -> FreeOptions {
        structure.rows(has_states)
    }
}

impl<T: Scalar> Part<T> for BodyShape<T> {
    type Structure = FreeStructure;

    fn fault(&self) -> Option<String> {
        self.inertia.fault().or_else(|| self.motion.turn.fault())
    }

    fn warning(&self) -> Option<String> {
        self.inertia.warning()
    }

    fn pose(&self) -> Option<Pose<T>> {
        self.motion.pose()
    }

    fn start(&self, structure: &FreeStructure, own: usize) -> [T; 2] {
        self.motion.start(structure, own)
    }

    fn wanted(&self, structure: &FreeStructure, rests: bool) -> Vec<Wanted<T>> {
        self.motion.wanted(structure, rests)
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.motion.own(own)
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        self.motion.set_own(own, motion);
    }

    fn set_velocity(&mut self, own: usize, velocity: T) {
        self.motion.set_velocity(own, velocity);
    }

    fn elements(&self, _: &FreeStructure) -> Vec<Element<T>> {
        vec![self.inertia.element(), Element::Rigid { frames: [0, 1], pose: Pose::translation(self.r) }]
    }

    fn put(&mut self, _: &FreeStructure, motion: &Motion<'_, T>, found: Found<'_, T>) {
        self.motion.put_body(motion, found.space.as_ref());
        if let Some(space) = found.space {
            self.frame_b.put(&space.frame(1));
        }
    }
}
