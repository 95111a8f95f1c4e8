//! Links of a tree, and their motion.

use nalgebra::{Matrix3, Vector3};

use super::joint::JointKind;
use super::pose::Pose;
use super::rolling;
use crate::Scalar;
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativePosition, RelativeRotation};

/// A link, none for the world, with a pose seen from it.
pub type LinkPose<T> = (Option<usize>, Pose<T>);

/// A rigid part of the mechanism.
#[derive(Clone, Debug)]
pub struct Link<T: Scalar> {
    pub by: MovedBy<T>,
    pub own: Inertia<T>,
}

/// The inertia of something rigid about a point.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)]
pub struct Inertia<T: Scalar> {
    /// Mass.
    pub m: T,
    /// Mass times the position of the center of mass.
    pub c: Vector3<T>,
    /// Inertia tensor about the point.
    pub I: Matrix3<T>,
}

/// The joint or assembly that moves a link.
#[derive(Clone, Debug)]
pub enum MovedBy<T: Scalar> {
    Joint(Axis<T>),
    /// An assembly, by its number; the link is at frame_ib (0) or frame_ia (1).
    Closure {
        closure: usize,
        inner: usize,
    },
}

/// A joint of the tree.
#[derive(Clone, Debug)]
pub struct Axis<T: Scalar> {
    /// Index of the parent link; none for the world.
    pub parent: Option<usize>,
    /// Pose of the joint's nearer frame, seen from the parent.
    pub attachment: Pose<T>,
    pub kind: JointKind,
    pub e: Vector3<T>,
    /// Rotation from the parent to the link of a revolute joint: the sum of the first matrix, the second one times the cosine,
    /// and the third one times the sine of its angle.
    pub turns: [Matrix3<T>; 3],
    pub position: usize,
    /// Index of the joint's pose among those that are given, if it has one.
    pub given: usize,
    /// True if the link is at the joint's first frame; then the axis is reversed, too.
    pub is_reversed: bool,
    /// Number of velocities of the joints before this one.
    pub first: usize,
    /// True if no assembly depends on the joint.
    pub is_open: bool,
    /// Links that accelerate with the joint, and those behind it to which their loads go, in rising order.
    pub touched: Vec<std::ops::Range<usize>>,
}

/// Accelerations of a link at rest, resolved in it, and the load on it from its joint.
#[derive(Clone, Copy, Debug)]
pub struct UnitResponse<T: Scalar> {
    /// True if the link accelerates at all.
    pub moves: bool,
    pub s: Vector3<T>,
    pub z: Vector3<T>,
    pub load: Load<T>,
}

impl<T: Scalar> UnitResponse<T> {
    /// Makes the response of a link that stays where it is.
    pub fn still() -> Self {
        let zero = Vector3::zeros();
        Self { moves: false, s: zero, z: zero, load: Load::none() }
    }

    /// Returns the accelerations at a frame with this pose, resolved in it.
    pub fn at(&self, pose: &Pose<T>) -> [Vector3<T>; 2] {
        [pose.T * (self.s + self.z.cross(&pose.r)), pose.T * self.z]
    }
}

/// Returns the [`Axis::turns`] about a unit vector behind a fixed rotation.
pub fn turns<T: Scalar>(e: &Vector3<T>, fixed: &Matrix3<T>) -> [Matrix3<T>; 3] {
    let plane = e * e.transpose();
    [plane, Matrix3::identity() - plane, -e.cross_matrix()].map(|turn| turn * fixed)
}

impl<T: Scalar> Axis<T> {
    /// Returns the accelerations of the joint's link if only its velocity number `i` changes, by 1; `given` has the
    /// poses of links seen from the frames before them.
    pub fn unit(&self, i: usize, given: &[Pose<T>]) -> [Vector3<T>; 2] {
        let zero = Vector3::zeros();
        let pose = || &given[self.given];
        match (self.kind, i) {
            (JointKind::Revolute, _) => [zero, self.e],
            (JointKind::Prismatic, _) => [self.e, zero],
            (JointKind::Spherical, _) => [zero, self.spin(&direction(i), pose())],
            (JointKind::Free, 0..3) if self.is_reversed => [-direction(i), zero],
            (JointKind::Free, 0..3) => [pose().T.column(i).into_owned(), zero],
            (JointKind::Free, _) => {
                let z = self.spin(&direction(i - 3), pose());
                let s = if self.is_reversed { z.cross(&(pose().T * pose().r)) } else { zero };
                [s, z]
            }
            (JointKind::Wheel, _) => [rolling::wheel_unit(&self.e, pose(), &direction(i)), direction(i)],
            (JointKind::WheelSet, _) => rolling::wheel_set_unit(&self.e, i),
        }
    }

    /// Converts an angular velocity of the second frame with respect to the first one, resolved there, to that of the
    /// link.
    fn spin(&self, w: &Vector3<T>, pose: &Pose<T>) -> Vector3<T> {
        if self.is_reversed { -(pose.T * w) } else { *w }
    }
}

/// Returns the unit vector along coordinate `i`.
fn direction<T: Scalar>(i: usize) -> Vector3<T> {
    Vector3::ith(i, T::one())
}

/// Returns three components from index `first` on.
fn triple<T: Scalar>(all: &[T], first: usize) -> Vector3<T> {
    Vector3::from_column_slice(&all[first..first + 3])
}

impl<T: Scalar> Inertia<T> {
    /// Returns the inertia of nothing.
    pub fn none() -> Self {
        Self { m: T::zero(), c: Vector3::zeros(), I: Matrix3::zeros() }
    }

    /// Adds another inertia, given about a point at `r`.
    pub fn add(&mut self, other: &Self, r: &Vector3<T>) {
        let Self { m, c, I: inertia } = other;
        let shifted = c + r * *m;
        self.m += *m;
        self.c += shifted;
        // The inertia of the points x + r is the sum of (x + r)^2 1 - (x + r) (x + r)^T.
        self.I += inertia + Matrix3::from_diagonal_element(r.dot(c) + r.dot(&shifted))
            - r * c.transpose()
            - shifted * r.transpose();
    }

    /// Returns the load that moves the inertia, from the linear acceleration of the point without gravity, and the
    /// angular one.
    pub fn load(&self, s: &Vector3<T>, z: &Vector3<T>) -> Load<T> {
        Load { f: s * self.m + z.cross(&self.c), t: self.I * z + self.c.cross(s) }
    }
}

impl<T: Scalar> Axis<T> {
    /// Returns the part of a load that the joint's velocity number `i` takes.
    pub fn along(&self, i: usize, given: &[Pose<T>], load: &Load<T>) -> T {
        match self.kind {
            JointKind::Revolute => self.e.dot(&load.t),
            JointKind::Prismatic => self.e.dot(&load.f),
            JointKind::Spherical | JointKind::Free | JointKind::Wheel | JointKind::WheelSet => {
                let [s, z] = self.unit(i, given);
                s.dot(&load.f) + z.dot(&load.t)
            }
        }
    }

    /// Returns the pose of the link seen from the parent, and its motion; `motion` has positions, velocities and
    /// accelerations.
    pub fn moved(&self, parent: &Motion<T>, [x, v, a]: [&[T]; 3], given: &[Pose<T>]) -> (Pose<T>, Motion<T>) {
        let Pose { r, T: fixed } = self.attachment;
        let i = self.position;
        if self.kind == JointKind::Revolute {
            let (sin, cos) = x[i].sin_cos();
            let [constant, by_cos, by_sin] = &self.turns;
            let turn =
                RelativeRotation { T: constant + by_cos * cos + by_sin * sin, w: self.e * v[i], z: self.e * a[i] };
            return (Pose { r, T: turn.T }, parent.translated(&r).turned(&turn));
        }
        let near = at(parent, &self.attachment);
        if self.kind == JointKind::Prismatic {
            let coordinate = Coordinate { x: x[i], v: v[i], a: a[i] };
            let pose = Pose { r: r + fixed.tr_mul(&(self.e * coordinate.x)), T: fixed };
            return (pose, near.slid(&self.e, &coordinate));
        }
        let pose = &given[self.given];
        let turn = |i: usize| self.turn(pose, triple(v, i), triple(a, i));
        // The frame is shifted, then turned, then shifted.
        let (before, turn, behind) = match self.kind {
            JointKind::Free => {
                let (turn, v, a) = (turn(i + 3), triple(v, i), triple(a, i));
                if self.is_reversed {
                    (None, turn, Some(RelativePosition { r: pose.T * pose.r, v: -v, a: -a }))
                } else {
                    (Some(RelativePosition { r: pose.r, v, a }), turn, None)
                }
            }
            JointKind::Wheel => (Some(rolling::wheel(&self.e, pose, &triple(v, i), &triple(a, i))), turn(i), None),
            JointKind::WheelSet => {
                let (by, turn) = rolling::wheel_set(&self.e, pose, &v[i..i + 2], &a[i..i + 2]);
                (Some(by), turn, None)
            }
            JointKind::Spherical | JointKind::Revolute | JointKind::Prismatic => (None, turn(i), None),
        };
        let shift = |motion: Motion<T>, by: Option<RelativePosition<T>>| by.map_or(motion, |by| motion.shifted(&by));
        (self.attachment.then(pose), shift(shift(near, before).turned(&turn), behind))
    }

    /// Returns the rotation of the link with respect to the frame before it.
    fn turn(&self, pose: &Pose<T>, w: Vector3<T>, z: Vector3<T>) -> RelativeRotation<T> {
        RelativeRotation { T: pose.T, w: self.spin(&w, pose), z: self.spin(&z, pose) }
    }
}

/// Returns the motion of a frame with this pose, seen from a moving one.
pub fn at<T: Scalar>(motion: &Motion<T>, pose: &Pose<T>) -> Motion<T> {
    let zero = Vector3::zeros();
    motion.translated(&pose.r).turned(&RelativeRotation { T: pose.T, w: zero, z: zero })
}

/// Moves a load from the origin of a frame to that of the one from which it has this pose.
pub fn carried<T: Scalar>(load: &Load<T>, pose: &Pose<T>) -> Load<T> {
    let f = pose.T.tr_mul(&load.f);
    Load { f, t: pose.T.tr_mul(&load.t) + pose.r.cross(&f) }
}

pub fn add<T: Scalar>(sum: &mut Load<T>, load: &Load<T>) {
    sum.f += load.f;
    sum.t += load.t;
}

pub fn opposite<T: Scalar>(load: &Load<T>) -> Load<T> {
    Load { f: -load.f, t: -load.t }
}
