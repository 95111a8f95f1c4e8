//! Two spherical joints and a driven joint, with a point mass on rod 1: JointSSR, JointSSP.

use nalgebra::Vector3;

use crate::assembly::{Branch, ClosedLoop, CutLoads, DrivenJoint, InnerLoads, Rod2Lever, Singular, close};
use crate::frame::Load;
use crate::motion::Motion;
use crate::{Scalar, constant};

/// Rod 1 between spherical joints at frame_a and on rod 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphericalSpherical<T: Scalar, J> {
    /// Length of rod 1, in m.
    pub length: T,
    /// Mass of rod 1.
    pub mass: PointMass<T>,
    /// The driven joint.
    pub joint: J,
}

/// A point mass in the middle of rod 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMass<T: Scalar> {
    /// Mass, in kg.
    pub m: T,
    /// Acceleration of gravity, resolved in the world frame, in m/s2.
    pub g: Vector3<T>,
    /// True if the balance along the driven joint omits the mass, as in the Modelica Standard Library's JointSSP. Force
    /// and power are then not balanced.
    pub neglected: bool,
}

/// Motion of the assembly: its loop and rod 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct SphericalSphericalPose<T: Scalar> {
    /// Motion of the closed loop.
    pub closed: ClosedLoop<T>,
    /// Unit vector along rod 1, resolved in frame_a.
    pub eR: Vector3<T>,
}

impl<T: Scalar, J: DrivenJoint<T>> SphericalSpherical<T, J> {
    /// Closes the loop and returns the motion of its coordinate and inner frames.
    #[inline(always)]
    pub fn pose(&self, a: &Motion<T>, b: &Motion<T>, branch: Branch) -> Result<SphericalSphericalPose<T>, Singular> {
        let closed = close(&self.joint, a, b, self.length, branch)?;
        let along = a.T * (closed.im.r_0 - a.r_0);
        Ok(SphericalSphericalPose { eR: along.normalize(), closed })
    }

    /// Returns the loads at the outer frames.
    #[inline(always)]
    pub fn loads(&self, ends: [&Motion<T>; 2], pose: &SphericalSphericalPose<T>, inner: &InnerLoads<T>) -> CutLoads<T> {
        let ([a, b], mass, lever) = (ends, &self.mass, self.lever(ends[0], pose));
        let half = constant::<T>(0.5);
        let inertial = a.T * ((a.a_0 + pose.closed.im.a_0) * half - mass.g) * mass.m;
        // Each end carries half of the force across the rod; frame_im carries all of the force along it.
        let across = (inertial + pose.eR * inertial.dot(&pose.eR)) * half;
        let rod2 = lever.balance(&self.joint, b, &pose.closed, inner, (&across, mass.neglected));
        let a = Load { f: inertial - rod2.on_rod1, t: Vector3::zeros() };
        CutLoads { a, b: rod2.b, f_rod: rod2.f_rod, aux: rod2.aux }
    }

    /// Returns rod 2 with the line of action of rod 1 on it, which all loads of one pose share.
    #[inline(always)]
    pub fn lever(&self, a: &Motion<T>, pose: &SphericalSphericalPose<T>) -> Rod2Lever<T> {
        Rod2Lever::new(&self.joint, a, &pose.closed, &pose.eR)
    }

    /// The loads at the outer frames of a load at frame_ib and an effort of the drive alone, without the mass.
    #[inline(always)]
    pub fn loads_of_ib(
        &self,
        lever: &Rod2Lever<T>,
        b: &Motion<T>,
        pose: &SphericalSphericalPose<T>,
        ib: &Load<T>,
        drive: T,
    ) -> CutLoads<T> {
        let rod2 = lever.balance_of(&self.joint, b, &pose.closed, ib, drive);
        let a = Load { f: -rod2.on_rod1, t: Vector3::zeros() };
        CutLoads { a, b: rod2.b, f_rod: rod2.f_rod, aux: rod2.aux }
    }
}

impl<T: Scalar, J: DrivenJoint<T> + Copy> SphericalSpherical<T, J> {
    /// The loads at the outer frames if only the acceleration of frame_a differs from zero.
    pub fn inertial_loads(
        &self,
        [a, b]: [&Motion<T>; 2],
        pose: &SphericalSphericalPose<T>,
        a_0: Vector3<T>,
    ) -> CutLoads<T> {
        let mut still = *pose;
        still.closed.im.a_0 = Vector3::zeros();
        let weightless = Self { mass: PointMass { g: Vector3::zeros(), ..self.mass }, ..*self };
        weightless.loads([&Motion { a_0, ..*a }, b], &still, &InnerLoads::none())
    }
}

impl<T: Scalar> PointMass<T> {
    /// Returns the power of gravity and inertia forces, with the ends of rod 1 at frames `a` and `im`, in W.
    pub fn power(&self, a: &Motion<T>, im: &Motion<T>) -> T {
        let half = constant::<T>(0.5);
        -self.m * ((a.a_0 + im.a_0) * half - self.g).dot(&((a.v_0 + im.v_0) * half))
    }
}
