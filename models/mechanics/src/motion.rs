//! Motion of a frame up to accelerations, and its propagation through joints.

use nalgebra::{Matrix3, Vector3};

use crate::frame::{Frame, Load};
use crate::{Scalar, compact, constant};

/// Position, velocity and acceleration of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Motion<T: Scalar> {
    /// Position of the origin, resolved in the world frame, in m.
    pub r_0: Vector3<T>,
    /// Rotation matrix from the world frame to this frame.
    pub T: Matrix3<T>,
    /// Velocity of the origin, resolved in the world frame, in m/s.
    pub v_0: Vector3<T>,
    /// Angular velocity relative to the world, resolved in this frame, in rad/s.
    pub w: Vector3<T>,
    /// Acceleration of the origin, resolved in the world frame, in m/s2.
    pub a_0: Vector3<T>,
    /// Rate of the components of `w`, in rad/s2.
    pub z: Vector3<T>,
}

/// A coordinate of a joint with its first two rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate<T> {
    /// Angle in rad or distance in m.
    pub x: T,
    /// Velocity, in rad/s or m/s.
    pub v: T,
    /// Acceleration, in rad/s2 or m/s2.
    pub a: T,
}

/// Position of a point relative to a moving frame, resolved in it, with the rates of its components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativePosition<T: Scalar> {
    /// The vector, in m.
    pub r: Vector3<T>,
    /// First rate of its components, in m/s.
    pub v: Vector3<T>,
    /// Second rate of its components, in m/s2.
    pub a: Vector3<T>,
}

/// Rotation of one frame relative to another, with rates resolved in the rotated frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct RelativeRotation<T: Scalar> {
    /// Rotation matrix.
    pub T: Matrix3<T>,
    /// Angular velocity, in rad/s.
    pub w: Vector3<T>,
    /// Rate of the components of `w`, in rad/s2.
    pub z: Vector3<T>,
}

impl<T: Scalar> Motion<T> {
    /// Makes a frame at rest that is parallel to the world frame.
    pub fn at_rest(r_0: Vector3<T>) -> Self {
        let zero = Vector3::zeros();
        Self { r_0, T: Matrix3::identity(), v_0: zero, w: zero, a_0: zero, z: zero }
    }

    /// Resolves in the world frame a vector that is resolved in this frame.
    fn to_world(self, vector: Vector3<T>) -> Vector3<T> {
        self.T.tr_mul(&vector)
    }

    /// Returns the motion of a frame fixed to this one, with its origin at `r`, resolved in this frame.
    #[inline(always)]
    pub fn translated(&self, r: &Vector3<T>) -> Self {
        compact!(T, Self::translated_by, (self, r))
    }

    #[inline(always)]
    fn translated_by((this, r): (&Self, &Vector3<T>)) -> Self {
        let wxr = this.w.cross(r);
        Self {
            r_0: this.r_0 + this.to_world(*r),
            v_0: this.v_0 + this.to_world(wxr),
            a_0: this.a_0 + this.to_world(this.z.cross(r) + this.w.cross(&wxr)),
            ..*this
        }
    }

    /// Returns the motion of a frame that slides along the unit vector `e` of this frame.
    pub fn slid(&self, e: &Vector3<T>, d: &Coordinate<T>) -> Self {
        self.shifted(&RelativePosition { r: e * d.x, v: e * d.v, a: e * d.a })
    }

    /// Returns the motion of a parallel frame with its origin at a point that moves with respect to this frame.
    #[inline(always)]
    pub fn shifted(&self, by: &RelativePosition<T>) -> Self {
        compact!(T, Self::shifted_by, (self, by))
    }

    #[inline(always)]
    fn shifted_by((this, RelativePosition { r, v, a }): (&Self, &RelativePosition<T>)) -> Self {
        let wxr = this.w.cross(r);
        let coriolis = this.w.cross(&(v + v));
        Self {
            r_0: this.r_0 + this.to_world(*r),
            v_0: this.v_0 + this.to_world(v + wxr),
            a_0: this.a_0 + this.to_world(a + coriolis + this.z.cross(r) + this.w.cross(&wxr)),
            ..*this
        }
    }

    /// Returns the motion of a frame that turns about this frame's origin.
    #[inline(always)]
    pub fn turned(&self, turn: &RelativeRotation<T>) -> Self {
        compact!(T, Self::turned_by, (self, turn))
    }

    #[inline(always)]
    fn turned_by((this, turn): (&Self, &RelativeRotation<T>)) -> Self {
        let w = turn.T * this.w;
        Self { T: turn.T * this.T, w: w + turn.w, z: turn.T * this.z - turn.w.cross(&w) + turn.z, ..*this }
    }

    /// Returns position and velocity of the frame, without accelerations.
    pub fn frame(&self) -> Frame<T> {
        Frame { r_0: self.r_0, T: self.T, v_0: self.v_0, w: self.w }
    }

    /// Returns the position of the origin of `other` relative to this frame.
    #[inline(always)]
    pub fn position_of(&self, other: &Self) -> RelativePosition<T> {
        compact!(T, Self::seen, (self, other))
    }

    #[inline(always)]
    fn seen((this, other): (&Self, &Self)) -> RelativePosition<T> {
        let r = this.T * (other.r_0 - this.r_0);
        let v = this.T * (other.v_0 - this.v_0) - this.w.cross(&r);
        let two = constant::<T>(2.0);
        let inertial = this.T * (other.a_0 - this.a_0);
        let a = inertial - this.z.cross(&r) - this.w.cross(&v) * two - this.w.cross(&this.w.cross(&r));
        RelativePosition { r, v, a }
    }

    /// Returns the rotation matrix from this frame to `other`.
    pub fn rotation_to(&self, other: &Self) -> Matrix3<T> {
        other.T * self.T.transpose()
    }

    /// Returns the power that flows in where a load acts at this frame, in W.
    pub fn power(&self, load: &Load<T>) -> T {
        load.f.dot(&(self.T * self.v_0)) + load.t.dot(&self.w)
    }
}

impl<T: Scalar> RelativeRotation<T> {
    /// Makes the rotation about the unit vector `e` by an angle with the given sine, cosine and rates.
    pub fn about(e: &Vector3<T>, [sin, cos]: [T; 2], v: T, a: T) -> Self {
        let plane = e * e.transpose();
        let rotation = plane + (Matrix3::identity() - plane) * cos - e.cross_matrix() * sin;
        Self { T: rotation, w: e * v, z: e * a }
    }
}
