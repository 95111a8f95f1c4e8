//! Joints with one coordinate.

use std::marker::PhantomData;

use fmu_runtime::structure::Setting;
use fmu_runtime::unit::{N, N_M};
use fmu_runtime::{Connector, Scalar, Shape, Structure, group};
use mechanics::direction::unit;
use mechanics::drivetrain::{Preference, Relation};
use mechanics::tree::{Element, Joint, JointKind};
use nalgebra::Vector3;
use ports::FrameLoad;
use ports::assembly::look::shapes;

use super::super::domain::{Domain, InDomain};
use super::super::movement::{Movement, MovementOptions, MovementStructure, own_motion};
use super::frame::{frames, joint, no_direction, visit_closes};
use crate::part::{Kinematics, Multibody, Part, PartType, Solution};

/// A joint about or along an axis.
pub struct JointType<D>(PhantomData<D>);

/// The options of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointStructure {
    domain: Domain,
    movement: MovementStructure,
    closes: bool,
}

impl Structure for JointStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        self.movement.visit(visit);
        visit_closes(&mut self.closes, visit);
    }
}

/// Options of the rows of a joint.
#[derive(Clone, Copy, Debug, Default)]
pub struct JointOptions {
    domain: Domain,
    movement: MovementOptions,
}

impl JointOptions {
    const fn pick<V: Copy>(self, rotational: V, translational: V) -> V {
        self.domain.pick(rotational, translational)
    }
}

group! {
    /// ```text
    /// Revolute    frame_b is turned by phi about n, seen from frame_a;   axis.phi = phi,   support.phi = 0
    ///             tau = axis.tau = -n.frame_b.t
    /// Prismatic   frame_b is at s n, seen from frame_a, parallel to it;   axis.s = s,   support.s = 0
    ///             f = axis.f = -n.frame_b.f
    /// ```
    ///
    /// with n of length 1. Parts at the axis act on the mechanism with their load along n; their own inertia reacts on
    /// nothing else.
    ///
    /// Source: Revolute and Prismatic of Modelica.Mechanics.MultiBody.Joints, with useAxisFlange = true.
    pub struct JointPart<T>(o: JointOptions) {
        parameter n: Vector3<T> = o.pick([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]), ONE,
            "Axis, resolved in frame_a and the same in frame_b, of any length";
        group movement: Movement<T> = o.movement, "", name = "";
        output f: T, "Torque that drives the joint", name = o.pick("tau", "f"),
            text = o.pick("Torque that drives the joint", "Force that drives the joint"), unit = o.pick(N_M, N);
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl<D: InDomain> PartType for JointType<D> {
    const NAME: &'static str = D::DOMAIN.pick("Revolute", "Prismatic");
    const TEXT: &'static str = D::DOMAIN.pick("A joint that turns about an axis", "A joint that slides along an axis");
    type Structure = JointStructure;
    type In<T: Scalar> = JointPart<T>;

    fn shapes() -> Vec<Shape<'static>> {
        match D::DOMAIN {
            Domain::Rotational => shapes::revolute(["frame_a", "n"]),
            Domain::Translational => shapes::slide(["frame_a", "frame_b"]),
        }
    }

    fn connectors(_: &JointStructure) -> Vec<(&'static str, Connector)> {
        let mut connectors = frames();
        connectors.extend([("axis", D::DOMAIN.flange_a()), ("support", D::DOMAIN.flange_b())]);
        connectors
    }

    fn structure() -> JointStructure {
        JointStructure { domain: D::DOMAIN, movement: MovementStructure::new(D::DOMAIN), closes: false }
    }

    fn options(structure: &JointStructure, has_states: bool) -> JointOptions {
        let text = D::DOMAIN.pick("Angle of frame_b with respect to frame_a", "Distance from frame_a to frame_b");
        JointOptions { domain: D::DOMAIN, movement: structure.movement.rows(has_states, text) }
    }

    fn own(_: &JointStructure) -> &'static [Preference] {
        &[Preference::Preferred]
    }
}

/// Numbers of the positions of axis, of support, and of the joint itself.
const AXIS: usize = 0;
const SUPPORT: usize = 1;
const OWN: usize = 2;

crate::capabilities!(JointPart: Multibody);

impl<T: Scalar> Part<T> for JointPart<T> {
    type Structure = JointStructure;

    fn problem(&self) -> Option<String> {
        no_direction("n", &self.n)
    }

    fn relations(&self, _: &JointStructure) -> Vec<Relation<T>> {
        vec![Relation::equal(AXIS, OWN), Relation { terms: vec![(SUPPORT, T::one())], constant: T::zero() }]
    }

    own_motion!(movement, structure.movement, OWN);

    fn set_outputs(&mut self, _: &JointStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.movement.set_outputs(motion, OWN);
        if let Some(space) = solution.space {
            self.f = space.driving_load();
            for (frame, load) in [&mut self.frame_a, &mut self.frame_b].into_iter().zip(space.cut_loads()) {
                (frame.f, frame.t) = (load.f, load.t);
            }
        }
    }
}

impl<T: Scalar> Multibody<T> for JointPart<T> {
    fn elements(&self, structure: &JointStructure) -> Vec<Element<T>> {
        let kind = structure.domain.pick(JointKind::Revolute, JointKind::Prismatic);
        vec![joint(Joint { kind, e: unit(&self.n), position: OWN }, structure.closes)]
    }
}
