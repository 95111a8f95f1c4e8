//! The loads of an assembly.

use nalgebra::Vector3;

use crate::Scalar;
use crate::assembly::{ClosedLoop, DrivenJoint};
use crate::frame::Load;
use crate::motion::Motion;

/// External loads on rod 2 and the driven joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InnerLoads<T: Scalar> {
    /// Load at frame_ib.
    pub ib: Load<T>,
    /// Load at frame_im.
    pub im: Load<T>,
    /// Torque in N.m or force in N that drives the joint.
    pub drive: T,
}

/// The cut loads at the outer frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CutLoads<T: Scalar> {
    /// Load at frame_a.
    pub a: Load<T>,
    /// Load at frame_b.
    pub b: Load<T>,
    /// Force in rod 1, positive in compression, in N.
    pub f_rod: T,
    /// The denominator of `f_rod`: the lever arm of rod 1 about a revolute joint, in m, or the part of its direction along
    /// a prismatic joint. It is zero at a dead centre.
    pub aux: T,
}

/// The balance of rod 2 along the driven joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod2Balance<T: Scalar> {
    /// Force in rod 1, positive in compression, in N.
    pub f_rod: T,
    /// The denominator of `f_rod`.
    pub aux: T,
    /// Force on rod 1 at the spherical joint, resolved in frame_a, in N.
    pub on_rod1: Vector3<T>,
    /// Cut load at frame_b.
    pub b: Load<T>,
}

impl<T: Scalar> InnerLoads<T> {
    /// No loads.
    pub fn none() -> Self {
        Self { ib: Load::none(), im: Load::none(), drive: T::zero() }
    }
}

impl<T: Scalar> Rod2Balance<T> {
    /// Solves the balance for the force in rod 1 along `along`, a unit vector resolved in frame_a;
    /// `across` is the rest of the force on rod 1 at the spherical joint. `neglected` omits it from the
    /// balance, which is wrong unless it is zero.
    pub fn new(
        joint: &impl DrivenJoint<T>,
        [a, b]: [&Motion<T>; 2],
        closed: &ClosedLoop<T>,
        inner: &InnerLoads<T>,
        [along, across]: [&Vector3<T>; 2],
        neglected: bool,
    ) -> Self {
        let to_im = a.rotation_to(&closed.im);
        // The load about the origin of frame_ib of a force at the spherical joint.
        let at_sphere = |f: Vector3<T>| Load { f, t: joint.rod2().cross(&f) };
        let given = at_sphere(inner.im.f);
        let given = Load { f: inner.ib.f + given.f, t: inner.ib.t + inner.im.t + given.t };
        let rest = at_sphere(to_im * across);
        let rod = at_sphere(to_im * along);
        let counted = if neglected { T::zero() } else { joint.along(&rest) };
        let aux = joint.along(&rod);
        let f_rod = (counted - inner.drive - joint.along(&given)) / aux;
        let on_rod1 = across - along * f_rod;
        let total = Load { f: given.f - rest.f + rod.f * f_rod, t: given.t - rest.t + rod.t * f_rod };
        Self { f_rod, aux, on_rod1, b: joint.cut_load(b, &closed.ib, closed.x.x, &total) }
    }
}
