//! Links, and how they move.

use nalgebra::{Matrix3, Vector3};

use super::element::JointKind;
use super::pose::Pose;
use crate::Scalar;
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativeRotation};

/// A link, none for the world, with a pose there.
pub type Place<T> = (Option<usize>, Pose<T>);

/// A rigid part of the mechanism.
#[derive(Clone, Debug)]
#[allow(non_snake_case)]
pub struct Link<T: Scalar> {
    pub by: By<T>,
    pub m: T,
    pub c: Vector3<T>,
    pub I: Matrix3<T>,
}

/// What moves a link.
#[derive(Clone, Debug)]
pub enum By<T: Scalar> {
    Joint(Axis<T>),
    /// The assembly with this number; it is at frame_ib (0) or frame_ia (1).
    Closure {
        closure: usize,
        inner: usize,
    },
}

/// A joint of the tree.
#[derive(Clone, Debug)]
pub struct Axis<T: Scalar> {
    /// None for the world.
    pub parent: Option<usize>,
    /// Pose of the joint's nearer frame, seen from the parent.
    pub attachment: Pose<T>,
    pub kind: JointKind,
    pub e: Vector3<T>,
    pub position: usize,
    /// The links that accelerate with it, and those behind it to which their loads go, in rising order.
    pub touched: Vec<std::ops::Range<usize>>,
}

/// Accelerations of a link at rest, resolved in it, and the load on it from its joint.
#[derive(Clone, Copy, Debug)]
pub struct Unit<T: Scalar> {
    /// Whether it accelerates at all.
    pub moves: bool,
    pub s: Vector3<T>,
    pub z: Vector3<T>,
    pub load: Load<T>,
}

impl<T: Scalar> Unit<T> {
    /// Of a link that stays where it is.
    pub fn still() -> Self {
        let zero = Vector3::zeros();
        Self { moves: false, s: zero, z: zero, load: Load::none() }
    }

    /// Seen from a frame with this pose.
    pub fn at(&self, pose: &Pose<T>) -> [Vector3<T>; 2] {
        [pose.T * (self.s + self.z.cross(&pose.r)), pose.T * self.z]
    }
}

impl<T: Scalar> Axis<T> {
    /// The accelerations of its link if only its own coordinate accelerates, by 1.
    pub fn unit(&self) -> [Vector3<T>; 2] {
        match self.kind {
            JointKind::Revolute => [Vector3::zeros(), self.e],
            JointKind::Prismatic => [self.e, Vector3::zeros()],
        }
    }
}

impl<T: Scalar> Link<T> {
    /// What moves it, resolved in its frame: from its linear acceleration without gravity, and the angular one.
    pub fn load(&self, s: &Vector3<T>, z: &Vector3<T>) -> Load<T> {
        Load { f: s * self.m + z.cross(&self.c), t: self.I * z + self.c.cross(s) }
    }
}

impl<T: Scalar> Axis<T> {
    /// The part of a load that its coordinate takes.
    pub fn along(&self, load: &Load<T>) -> T {
        match self.kind {
            JointKind::Revolute => self.e.dot(&load.t),
            JointKind::Prismatic => self.e.dot(&load.f),
        }
    }

    /// The rotation from the parent, of which the joint's coordinate is a part, and the motion.
    pub fn moved(&self, parent: &Motion<T>, coordinate: &Coordinate<T>) -> (Pose<T>, Motion<T>) {
        let Pose { r, T: fixed } = self.attachment;
        let near = at(parent, &self.attachment);
        match self.kind {
            JointKind::Revolute => {
                let (sin, cos) = coordinate.x.sin_cos();
                let turn = RelativeRotation::about(&self.e, [sin, cos], coordinate.v, coordinate.a);
                (Pose { r, T: turn.T * fixed }, near.turned(&turn))
            }
            JointKind::Prismatic => {
                (Pose { r: r + fixed.tr_mul(&(self.e * coordinate.x)), T: fixed }, near.slid(&self.e, coordinate))
            }
        }
    }
}

/// The motion of a frame with this pose.
pub fn at<T: Scalar>(motion: &Motion<T>, pose: &Pose<T>) -> Motion<T> {
    let zero = Vector3::zeros();
    motion.translated(&pose.r).turned(&RelativeRotation { T: pose.T, w: zero, z: zero })
}

/// A load at the origin of a frame as a load at the one from which it has this pose.
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
