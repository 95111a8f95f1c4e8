//! The loads of an assembly.

use nalgebra::{Matrix3, Vector3};

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
    /// The denominator of `f_rod`: see [`CutLoads::aux`].
    pub aux: T,
    /// Force on rod 1 at the spherical joint, resolved in frame_a, in N.
    pub on_rod1: Vector3<T>,
    /// Cut load at frame_b.
    pub b: Load<T>,
}

impl<T: Scalar> InnerLoads<T> {
    /// Returns zero loads.
    pub fn none() -> Self {
        Self { ib: Load::none(), im: Load::none(), drive: T::zero() }
    }
}

/// Rod 2 with the line of action of rod 1 on it: common to the balances of all loads in one pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rod2Lever<T: Scalar> {
    /// Rotation from frame_a to frame_im.
    to_im: Matrix3<T>,
    /// Unit vector along rod 1, resolved in frame_a.
    along: Vector3<T>,
    /// The load about the origin of frame_ib of a unit force along rod 1.
    rod: Load<T>,
    /// The component of that load along the coordinate: the denominator of the force in rod 1.
    aux: T,
}

impl<T: Scalar> Rod2Lever<T> {
    /// Makes the lever from the unit vector along rod 1, resolved in frame_a.
    #[inline(always)]
    pub fn new(joint: &impl DrivenJoint<T>, a: &Motion<T>, closed: &ClosedLoop<T>, along: &Vector3<T>) -> Self {
        let to_im = a.rotation_to(&closed.im);
        let rod = at_sphere(joint, to_im * along);
        Self { to_im, along: *along, aux: joint.along(&rod), rod }
    }

    /// Solves the balance for the force in rod 1; `across` is the rest of the force on rod 1 at the spherical joint,
    /// resolved in frame_a. `neglected` omits it from the balance, which is wrong unless it is zero.
    #[inline(always)]
    pub fn balance(
        &self,
        joint: &impl DrivenJoint<T>,
        b: &Motion<T>,
        closed: &ClosedLoop<T>,
        inner: &InnerLoads<T>,
        (across, neglected): (&Vector3<T>, bool),
    ) -> Rod2Balance<T> {
        let Self { to_im, along, rod, aux } = self;
        let given = at_sphere(joint, inner.im.f);
        let given = Load { f: inner.ib.f + given.f, t: inner.ib.t + inner.im.t + given.t };
        let rest = at_sphere(joint, to_im * across);
        let counted = if neglected { T::zero() } else { joint.along(&rest) };
        let f_rod = (counted - inner.drive - joint.along(&given)) / *aux;
        let on_rod1 = across - along * f_rod;
        let total = Load { f: given.f - rest.f + rod.f * f_rod, t: given.t - rest.t + rod.t * f_rod };
        Rod2Balance { f_rod, aux: *aux, on_rod1, b: joint.cut_load(b, &closed.ib, closed.x.x, &total) }
    }

    /// The balance of a load about the origin of frame_ib and an effort of the drive, where rod 1 carries a force along it only.
    #[inline(always)]
    pub fn balance_of(
        &self,
        joint: &impl DrivenJoint<T>,
        b: &Motion<T>,
        closed: &ClosedLoop<T>,
        given: &Load<T>,
        drive: T,
    ) -> Rod2Balance<T> {
        let Self { along, rod, aux, .. } = self;
        let f_rod = (-drive - joint.along(given)) / *aux;
        let total = Load { f: given.f + rod.f * f_rod, t: given.t + rod.t * f_rod };
        let b = joint.cut_load(b, &closed.ib, closed.x.x, &total);
        Rod2Balance { f_rod, aux: *aux, on_rod1: -along * f_rod, b }
    }

    /// The balance of a force on rod 1 at the spherical joint, resolved in frame_a, which rod 2 carries.
    #[inline(always)]
    pub fn balance_across(
        &self,
        joint: &impl DrivenJoint<T>,
        b: &Motion<T>,
        closed: &ClosedLoop<T>,
        across: &Vector3<T>,
    ) -> Rod2Balance<T> {
        let given = at_sphere(joint, -(self.to_im * across));
        let rod2 = self.balance_of(joint, b, closed, &given, T::zero());
        Rod2Balance { on_rod1: across + rod2.on_rod1, ..rod2 }
    }
}

/// Returns the load about the origin of frame_ib of a force at the spherical joint.
fn at_sphere<T: Scalar>(joint: &impl DrivenJoint<T>, f: Vector3<T>) -> Load<T> {
    Load { f, t: joint.rod2().cross(&f) }
}
