//! Frames and the motion of one relative to another.

use nalgebra::{Matrix3, Vector3};

use crate::Scalar;

/// Position and velocity of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Frame<T: Scalar> {
    /// Position of the origin, resolved in the world frame, in m.
    pub r_0: Vector3<T>,
    /// Rotation matrix from the world frame to this frame.
    pub T: Matrix3<T>,
    /// Velocity of the origin, resolved in the world frame, in m/s.
    pub v_0: Vector3<T>,
    /// Angular velocity relative to the world, resolved in this frame, in rad/s.
    pub w: Vector3<T>,
}

/// Motion of frame_b as seen from frame_a.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Relative<T: Scalar> {
    /// Position of frame_b's origin, resolved in frame_a, in m.
    pub r: Vector3<T>,
    /// Rate of the components of `r`, in m/s: as seen by an observer who rotates with frame_a.
    pub v: Vector3<T>,
    /// Rotation matrix from frame_a to frame_b.
    pub T: Matrix3<T>,
    /// Angular velocity of frame_b relative to frame_a, resolved in frame_a, in rad/s.
    pub omega: Vector3<T>,
}

/// Force and torque on the component at a frame, resolved in it, in N and N.m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<T: Scalar> {
    /// Cut force.
    pub f: Vector3<T>,
    /// Cut torque.
    pub t: Vector3<T>,
}

impl<T: Scalar> Load<T> {
    /// Returns the zero load.
    pub fn none() -> Self {
        Self { f: Vector3::zeros(), t: Vector3::zeros() }
    }
}

impl<T: Scalar> Relative<T> {
    /// Computes the motion of frame `b` relative to frame `a`.
    #[inline]
    pub fn new(a: &Frame<T>, b: &Frame<T>) -> Self {
        let r = a.T * (b.r_0 - a.r_0);
        let rotation = b.T * a.T.transpose();
        Self { r, v: a.T * (b.v_0 - a.v_0) - a.w.cross(&r), T: rotation, omega: rotation.transpose() * b.w - a.w }
    }

    /// Returns the cut loads at frame_a and frame_b of a massless component that exerts the force `f` and the torque
    /// `m` on the body at frame_b, about frame_b's origin, resolved in frame_a.
    pub fn cut_loads(&self, f: &Vector3<T>, m: &Vector3<T>) -> (Load<T>, Load<T>) {
        let a = Load { f: *f, t: m + self.r.cross(f) };
        let b = Load { f: -(self.T * f), t: -(self.T * m) };
        (a, b)
    }
}
