//! Constraints between two frames that other parts carry: they close rings without a coordinate of their own.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Connector, ModelError, Scalar, Shape, Source, Structure, group};
use mechanics::direction::unit;
use mechanics::tree::{Closing, Element, Joint, JointKind, Row};
use nalgebra::Vector3;
use ports::FrameLoad;
use ports::assembly::look::shapes;
use ports::assembly::shown;

use super::frame::{frames, no_direction};
use crate::part::{AnyPart, Kinematics, Multibody, Part, PartData, PartType, Solution, Typed, kinds};

/// The constraints, which are one type to the compiler.
pub struct ConstraintType;

kinds! {
    /// Kinds of constraints.
    pub enum Kind {
        Revolute = "Constraints.Revolute", "A constraint that lets a frame turn about an axis";
        Prismatic = "Constraints.Prismatic", "A constraint that lets a frame slide";
        Spherical = "Constraints.Spherical", "A constraint that lets a frame turn about its origin";
        Universal = "Constraints.Universal", "A constraint that lets a frame turn about two axes";
        PlanarLoop = "RevolutePlanarLoopConstraint",
            "A constraint in place of the last hinge of a planar ring, without the conditions that follow from others";
        Rod = "SphericalSpherical", "A rod between two spherical joints";
    }
}

/// The options of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintStructure {
    kind: Kind,
    /// True for each locked axis of frame_a.
    locked: [bool; 3],
}

impl Default for ConstraintStructure {
    fn default() -> Self {
        Self { kind: Kind::default(), locked: [true; 3] }
    }
}

impl Structure for ConstraintStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        if !matches!(self.kind, Kind::PlanarLoop | Kind::Rod) {
            for (name, locked) in ["x_locked", "y_locked", "z_locked"].into_iter().zip(&mut self.locked) {
                visit(name, "Whether frame_b cannot move along this axis of frame_a", locked);
            }
        }
    }
}

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    let structure = |kind| ConstraintStructure { kind, ..ConstraintStructure::default() };
    Kind::ALL.iter().map(move |kind| Typed::<ConstraintType>::named(kind.names(), structure(*kind)))
}

group! {
    /// With d the position of frame_b seen from frame_a, and directions of length 1:
    ///
    /// ```text
    /// locked axes      d[1] = 0, d[2] = 0, d[3] = 0, as x_locked, y_locked and z_locked say; no force along the others
    /// Revolute         n is the same in both frames;   n.frame_b.t = 0
    /// Prismatic        the frames are parallel
    /// Universal        n_a, fixed in frame_a, is perpendicular to n_b, fixed in frame_b;   n_a.frame_b.t = n_b.frame_b.t = 0
    /// Spherical        no condition on the orientation, no torques
    /// RevolutePlanarLoopConstraint   d = 0 across n, and no other condition; no torques
    /// SphericalSpherical             |d| = rodLength,   frame_a.f = f_rod d / |d|, no torques
    /// ```
    ///
    /// Source: Joints.Constraints, Joints.RevolutePlanarLoopConstraint and Joints.SphericalSpherical of
    /// Modelica.Mechanics.MultiBody; the rod without mass. With free axes the library has the torque at frame_a in these places,
    /// and the constraint does work.
    pub struct Constraint<T>(o: ConstraintStructure) {
        parameter n: Vector3<T> = if o.kind == Kind::Revolute { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] }, ONE,
            "Axis, resolved in frame_a and the same in frame_b, of any length",
            when = matches!(o.kind, Kind::Revolute | Kind::PlanarLoop);
        parameter n_a: Vector3<T> = [1.0, 0.0, 0.0], ONE, "First axis, resolved in frame_a, of any length",
            when = o.kind == Kind::Universal;
        parameter n_b: Vector3<T> = [0.0, 1.0, 0.0], ONE, "Second axis, resolved in frame_b and perpendicular to n_a, of any length",
            when = o.kind == Kind::Universal;
        parameter rodLength: T = 1.0, M, "Distance of the origins of frame_a and frame_b", min = 1e-6, when = o.kind == Kind::Rod;
        output f_rod: T, N, "Force in the rod, positive if it is pressed", when = o.kind == Kind::Rod;
        output frame_a: FrameLoad<T>, "Load at frame_a";
        output frame_b: FrameLoad<T>, "Load at frame_b";
    }
}

impl PartType for ConstraintType {
    const NAME: &'static str = "Constraint";
    const TEXT: &'static str = "A constraint between two frames";
    type Structure = ConstraintStructure;
    type In<T: Scalar> = Constraint<T>;

    fn connectors(_: &ConstraintStructure) -> Vec<(&'static str, Connector)> {
        frames()
    }

    fn shapes_of(structure: &ConstraintStructure) -> Vec<Shape<'static>> {
        match structure.kind {
            Kind::Rod => vec![super::frame::rod("rodColor")],
            Kind::Revolute | Kind::PlanarLoop => shapes::revolute(["frame_a", "n"]),
            _ => Vec::new(),
        }
    }

    fn options(structure: &ConstraintStructure, _: bool) -> ConstraintStructure {
        *structure
    }
}

/// Cosine of the angle between axes up to which they count as perpendicular.
const PERPENDICULAR: f64 = 1e-12;

crate::capabilities!(Constraint: Multibody);

impl<T: Scalar> Part<T> for Constraint<T> {
    type Structure = ConstraintStructure;

    fn problem(&self) -> Option<String> {
        let Self { n, n_a, n_b, .. } = self;
        let inclined = || {
            let cosine = unit(n_a).dot(&unit(n_b)).value();
            (cosine.abs() > PERPENDICULAR)
                .then(|| format!("n_b is {}, but must be perpendicular to n_a = {}", shown(n_b), shown(n_a)))
        };
        let no_direction =
            [("n", n), ("n_a", n_a), ("n_b", n_b)].into_iter().find_map(|(name, n)| no_direction(name, n));
        no_direction.or_else(inclined)
    }

    fn prepare(&self, source: &Source<'_, ConstraintStructure>) -> Result<Box<PartData>, ModelError> {
        if self.rows(source.structure).is_empty() {
            return Err(ModelError::invalid(
                "x_locked is false, and so are y_locked and z_locked: the constraint then holds nothing, so set one to true"
                    .to_owned(),
            ));
        }
        Ok(Box::new(()))
    }

    fn set_outputs(&mut self, _: &ConstraintStructure, _: &Kinematics<'_, T>, solution: Solution<'_, T>) {
        let Some(space) = solution.space else { return };
        let [a, b] = space.cut_loads();
        let [from, to] = [0, 1].map(|frame| space.frame(frame));
        let way = from.T * (to.r_0 - from.r_0);
        self.f_rod = a.f.dot(&way) / self.rodLength;
        (self.frame_a, self.frame_b) = (a.into(), b.into());
    }
}

impl<T: Scalar> Constraint<T> {
    fn rows(&self, structure: &ConstraintStructure) -> Vec<Row<T>> {
        let of_joint = |kind, n: &Vector3<T>| Closing::of(Joint { kind, e: unit(n), position: 0 }).rows;
        let along = [Vector3::x(), Vector3::y(), Vector3::z()].into_iter().zip(structure.locked);
        let locked = along.filter(|(_, locked)| *locked).map(|(axis, _)| Row::Along(axis));
        let turning = |row: &Row<T>| matches!(row, Row::Across(..));
        let turns = |kind, n| of_joint(kind, n).into_iter().flatten().filter(turning);
        match structure.kind {
            Kind::Revolute => locked.chain(turns(JointKind::Revolute, &self.n)).collect(),
            Kind::Prismatic => locked.chain(turns(JointKind::Prismatic, &Vector3::z())).collect(),
            Kind::Spherical => locked.collect(),
            Kind::Universal => locked.chain([Row::Across(unit(&self.n_a), unit(&self.n_b))]).collect(),
            Kind::PlanarLoop => {
                of_joint(JointKind::Prismatic, &self.n).into_iter().flatten().filter(|row| !turning(row)).collect()
            }
            Kind::Rod => vec![Row::Distance(self.rodLength)],
        }
    }
}

impl<T: Scalar> Multibody<T> for Constraint<T> {
    fn elements(&self, structure: &ConstraintStructure) -> Vec<Element<T>> {
        let mut closing = Closing { rows: [None; _], joint: None };
        closing.rows.iter_mut().zip(self.rows(structure)).for_each(|(to, row)| *to = Some(row));
        vec![Element::Ring { frames: [0, 1], closing }]
    }
}
