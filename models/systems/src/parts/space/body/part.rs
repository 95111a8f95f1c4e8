//! A body as a part: it moves freely, or with the part that carries it.

use std::marker::PhantomData;

use fmu_runtime::{Attributes, Connector, ElementVisitor, Reader, Scalar, Shape, Size, Variable, Writer, group};
use mechanics::motion::Motion;
use mechanics::tree::Element;

use super::super::super::movement::own_motion;
use super::super::frame::{Origin, frames};
use super::super::free::{Free, FreeOptions, FreeStructure};
use super::kind::{BodyKind, Solid};
use crate::part::{Kinematics, Multibody, Part, PartType, Pose, Solution};

group! {
    /// The second frame, if there is one.
    pub struct FrameB<T>(exists: bool) {
        output frame_b: Origin<T> = (), "Motion of frame_b", when = exists;
    }
}

/// A kind of body as a type of part.
pub struct BodyType<K>(PhantomData<K>);

/// ```text
/// frame_a.f = m T (a_CM - g_0)
/// frame_a.t = I z_a + w_a x (I w_a) + r_CM x frame_a.f
/// ```
///
/// frame_b is at r, seen from frame_a, and parallel to it. Where nothing carries the body, it moves freely with r_0, v_0, Q / |Q|
/// and w_a as states: Q' = 1/2 Q o (w_a, 0) + 1/2 sqrt(w_a.w_a + (1e-6 1/s)^2) (1 - Q.Q) Q.
pub struct BodyPart<T: Scalar, K: BodyKind> {
    solid: K::Solid<T>,
    motion: Free<T>,
    end: FrameB<T>,
}

impl<T: Scalar, K: BodyKind> Variable<T> for BodyPart<T, K> {
    type Start = FreeOptions;
    const SIZE: Size =
        <K::Solid<T> as Variable<T>>::SIZE.plus(<Free<T> as Variable<T>>::SIZE).plus(<FrameB<T> as Variable<T>>::SIZE);

    fn declare(attributes: &Attributes<'_>, options: Option<FreeOptions>, visitor: &mut dyn ElementVisitor) {
        <K::Solid<T> as Variable<T>>::declare(attributes, None, visitor);
        <Free<T> as Variable<T>>::declare(attributes, options, visitor);
        <FrameB<T> as Variable<T>>::declare(attributes, Some(K::HAS_FRAME_B), visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self { solid: K::Solid::read(reader), motion: Free::read(reader), end: FrameB::read(reader) }
    }

    fn write(&self, writer: &mut Writer<'_, T>) {
        self.solid.write(writer);
        self.motion.write(writer);
        self.end.write(writer);
    }
}

impl<K: BodyKind> PartType for BodyType<K> {
    const NAME: &'static str = K::NAME;
    const TEXT: &'static str = K::TEXT;
    const CAN_BE_FREE: bool = true;
    type Structure = FreeStructure;
    type In<T: Scalar> = BodyPart<T, K>;

    fn shapes() -> Vec<Shape<'static>> {
        K::shapes()
    }

    fn connectors(_: &FreeStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        connectors.truncate(1 + usize::from(K::HAS_FRAME_B));
        connectors
    }

    fn options(structure: &FreeStructure, has_states: bool) -> FreeOptions {
        structure.rows(has_states)
    }
}

crate::capabilities!([K: BodyKind] BodyPart<T, K>: Multibody);

impl<T: Scalar, K: BodyKind> Part<T> for BodyPart<T, K> {
    type Structure = FreeStructure;

    fn problem(&self) -> Option<String> {
        self.solid.problem().or_else(|| self.motion.rotation.problem())
    }

    fn warning(&self) -> Option<String> {
        self.solid.warning()
    }

    own_motion!(motion, structure, 0);

    fn set_outputs(&mut self, _: &FreeStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.solid.set_outputs();
        if motion.count() > 0 {
            self.motion.set_outputs(motion);
        }
        let Some(space) = solution.space else { return };
        if motion.count() == 0 {
            self.motion.set_frame_b(&space.frame(0));
        }
        if K::HAS_FRAME_B {
            self.end.frame_b.set_outputs(&space.frame(1));
        }
    }
}

impl<T: Scalar, K: BodyKind> Multibody<T> for BodyPart<T, K> {
    fn pose(&self) -> Option<Pose<T>> {
        self.motion.pose()
    }

    fn elements(&self, _: &FreeStructure) -> Vec<Element<T>> {
        let mut elements = vec![Element::Body { frame: 0, body: self.solid.body() }];
        if K::HAS_FRAME_B {
            elements.push(Element::Rigid { frames: [0, 1], pose: Pose::translation(self.solid.r()) });
        }
        elements
    }
}

impl<T: Scalar> Free<T> {
    /// Sets the motion of frame_a to that of the part that carries the body.
    fn set_frame_b(&mut self, frame: &Motion<T>) {
        (self.translation.r, self.translation.v, self.translation.a) = (frame.r_0, frame.v_0, frame.a_0);
        (self.rotation.w, self.rotation.z) = (frame.w, frame.z);
    }
}
