//! Two revolute joints in one part.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, Scalar, Structure, group};
use mechanics::direction::unit;
use mechanics::drivetrain::Preference;
use mechanics::tree::{Element, Joint, JointKind};
use nalgebra::Vector3;
use ports::FrameLoad;

use super::super::movement::{Movement, MovementOptions, MovementStructure, visit_steady};
use super::frame::{frames, no_direction, parallel};
use crate::part::{InitialCondition, Kinematics, Multibody, Part, PartType, Solution};

/// A joint about two axes.
pub struct UniversalType;

/// The options of a universal joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalStructure {
    movements: [MovementStructure; 2],
}

impl Default for UniversalStructure {
    fn default() -> Self {
        Self { movements: MovementStructure::angles() }
    }
}

impl Structure for UniversalStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let [a, b] = &mut self.movements;
        a.visit_starts(visit);
        b.visit_starts(visit);
        visit_steady(&mut a.steady, visit);
        b.steady = a.steady;
    }
}

/// Options of the rows of a universal joint.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniversalOptions {
    movements: [MovementOptions; 2],
}

group! {
    /// ```text
    /// frame_b is at frame_a, turned by phi_a about n_a, resolved in frame_a, and then by phi_b about n_b, resolved in frame_b
    /// n_a.frame_a.t = 0,   n_b.frame_b.t = 0
    /// ```
    ///
    /// with n_a and n_b of length 1. Source: Modelica.Mechanics.MultiBody.Joints.Universal.
    pub struct Universal<T>(o: UniversalOptions) {
        parameter n_a: Vector3<T> = [1.0, 0.0, 0.0], ONE, "First axis, resolved in frame_a, of any length";
        parameter n_b: Vector3<T> = [0.0, 1.0, 0.0], ONE, "Second axis, resolved in frame_b, of any length";
        group first: Movement<T> = o.movements[0], "", name = "";
        group second: Movement<T> = o.movements[1], "", name = "";
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl PartType for UniversalType {
    const NAME: &'static str = "Universal";
    const TEXT: &'static str = "A joint that turns about two axes";
    const INNER_FRAMES: usize = 1;
    type Structure = UniversalStructure;
    type In<T: Scalar> = Universal<T>;

    fn connectors(_: &UniversalStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn options(structure: &UniversalStructure, has_states: bool) -> UniversalOptions {
        let [a, b] = structure.movements;
        let rows = [a.rows(has_states, "Angle about n_a"), b.rows(has_states, "Angle about n_b")];
        UniversalOptions { movements: rows }
    }

    fn own(_: &UniversalStructure) -> &'static [Preference] {
        &[Preference::Preferred; 2]
    }
}

crate::capabilities!(Universal: Multibody);

impl<T: Scalar> Part<T> for Universal<T> {
    type Structure = UniversalStructure;

    fn problem(&self) -> Option<String> {
        let parallel = || Some(parallel(("n_b", &self.n_b), ("n_a", &self.n_a))? + ", or use a Revolute");
        no_direction("n_a", &self.n_a).or_else(|| no_direction("n_b", &self.n_b)).or_else(parallel)
    }

    fn start(&self, structure: &UniversalStructure, own: usize) -> [T; 2] {
        self.movement(own).start(&structure.movements[own])
    }

    fn initial_conditions(&self, structure: &UniversalStructure, rests: bool) -> Vec<InitialCondition<T>> {
        let of = |own: usize| self.movement(own).initial_conditions(&structure.movements[own], own, rests);
        (0..2).flat_map(of).collect()
    }

    fn own(&self, own: usize) -> [T; 3] {
        self.movement(own).own()
    }

    fn set_own(&mut self, own: usize, motion: [T; 2]) {
        if own == 0 { self.first.set_own(motion) } else { self.second.set_own(motion) }
    }

    fn set_outputs(&mut self, _: &UniversalStructure, motion: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        self.first.set_outputs(motion, 0);
        self.second.set_outputs(motion, 1);
        if let Some(space) = solution.space {
            self.frame_a = space.cuts_of(0)[0].into();
            self.frame_b = space.cuts_of(1)[1].into();
        }
    }
}

impl<T: Scalar> Multibody<T> for Universal<T> {
    fn elements(&self, _: &UniversalStructure) -> Vec<Element<T>> {
        let joint = |frames, n: &Vector3<T>, position| Element::Joint {
            frames,
            joint: Joint { kind: JointKind::Revolute, e: unit(n), position },
        };
        vec![joint([0, 2], &self.n_a, 0), joint([2, 1], &self.n_b, 1)]
    }
}

impl<T: Scalar> Universal<T> {
    fn movement(&self, own: usize) -> &Movement<T> {
        if own == 0 { &self.first } else { &self.second }
    }
}
