//! Universal, spherical and a driven joint: JointUSR, JointUSP, JointRRR, JointRRP.

use nalgebra::Vector3;

use crate::Scalar;
use crate::assembly::{
    Branch, ClosedLoop, CutLoads, DrivenJoint, InnerLoads, Rod2Lever, Singular, Universal, UniversalPose, close,
};
use crate::frame::Load;
use crate::motion::Motion;

/// A massless rod 1 between a universal joint at frame_a and a spherical joint on rod 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalSpherical<T: Scalar, J> {
    /// The universal joint.
    pub universal: Universal<T>,
    /// Length of rod 1, in m.
    pub length: T,
    /// The driven joint.
    pub joint: J,
}

/// The assembly in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalSphericalPose<T: Scalar> {
    /// The loop.
    pub closed: ClosedLoop<T>,
    /// The universal joint.
    pub universal: UniversalPose<T>,
}

impl<T: Scalar, J: DrivenJoint<T>> UniversalSpherical<T, J> {
    /// From axis 1 of the universal joint and the vector of rod 1, resolved in frame_ia.
    pub fn new(n1_a: &Vector3<T>, rod1_ia: &Vector3<T>, joint: J) -> Self {
        Self { universal: Universal::new(n1_a, rod1_ia), length: rod1_ia.norm(), joint }
    }

    /// The motion of coordinate and inner frames.
    #[inline(always)]
    pub fn pose(&self, a: &Motion<T>, b: &Motion<T>, branch: Branch) -> Result<UniversalSphericalPose<T>, Singular> {
        let closed = close(&self.joint, a, b, self.length, branch)?;
        let universal = self.universal.pose(a, &a.position_of(&closed.im))?;
        Ok(UniversalSphericalPose { closed, universal })
    }

    /// The loads at the outer frames, with the load `ia` at frame_ia.
    pub fn loads(
        &self,
        ends: [&Motion<T>; 2],
        pose: &UniversalSphericalPose<T>,
        ia: &Load<T>,
        inner: &InnerLoads<T>,
    ) -> CutLoads<T> {
        self.loads_with(&self.lever(ends[0], pose), ends[1], pose, ia, inner)
    }

    /// What the loads of one pose share.
    #[inline(always)]
    pub fn lever(&self, a: &Motion<T>, pose: &UniversalSphericalPose<T>) -> Rod2Lever<T> {
        Rod2Lever::new(&self.joint, a, &pose.closed, &pose.universal.eR)
    }

    /// The loads at the outer frames, for several loads in one pose.
    #[inline(always)]
    pub fn loads_with(
        &self,
        lever: &Rod2Lever<T>,
        b: &Motion<T>,
        pose: &UniversalSphericalPose<T>,
        ia: &Load<T>,
        inner: &InnerLoads<T>,
    ) -> CutLoads<T> {
        let u = &pose.universal;
        let (f, t) = (u.T.tr_mul(&ia.f), u.T.tr_mul(&ia.t));
        let across = u.force_against(&self.universal.n1_a, &t);
        let rod2 = lever.balance(&self.joint, b, &pose.closed, inner, (&across, false));
        let a = Load { f: -(rod2.on_rod1 + f), t: -(t + u.rho.cross(&rod2.on_rod1)) };
        CutLoads { a, b: rod2.b, f_rod: rod2.f_rod, aux: rod2.aux }
    }
}
