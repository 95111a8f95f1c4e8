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
    /// Whether the balance along the driven joint omits the mass, as the Modelica Standard
    /// Library's JointSSP does. Force and power are then not balanced.
    pub neglected: bool,
}

/// The assembly in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct SphericalSphericalPose<T: Scalar> {
    /// The loop.
    pub closed: ClosedLoop<T>,
    /// Unit vector along rod 1, resolved in frame_a.
    pub eR: Vector3<T>,
}

impl<T: Scalar, J: DrivenJoint<T>> SphericalSpherical<T, J> {
    /// The motion of coordinate and inner frames.
    #[inline(always)]
    pub fn pose(&self, a: &Motion<T>, b: &Motion<T>, branch: Branch) -> Result<SphericalSphericalPose<T>, Singular> {
        let closed = close(&self.joint, a, b, self.length, branch)?;
        let along = a.T * (closed.im.r_0 - a.r_0);
        Ok(SphericalSphericalPose { eR: along.normalize(), closed })
    }

    /// The loads at the outer frames.
    #[inline(always)]
    pub fn loads(&self, ends: [&Motion<T>; 2], pose: &SphericalSphericalPose<T>, inner: &InnerLoads<T>) -> CutLoads<T> {
        self.loads_with(&Rod2Lever::new(&self.joint, ends[0], &pose.closed, &pose.eR), ends, pose, inner)
    }

    #[inline(always)]
    fn loads_with(
        &self,
        lever: &Rod2Lever<T>,
        [a, b]: [&Motion<T>; 2],
        pose: &SphericalSphericalPose<T>,
        inner: &InnerLoads<T>,
    ) -> CutLoads<T> {
        let mass = &self.mass;
        let half = constant::<T>(0.5);
        let inertial = a.T * ((a.a_0 + pose.closed.im.a_0) * half - mass.g) * mass.m;
        // Each end carries half of the force across the rod; frame_im carries all of the force along it.
        let across = (inertial + pose.eR * inertial.dot(&pose.eR)) * half;
        let rod2 = lever.balance(&self.joint, b, &pose.closed, inner, (&across, mass.neglected));
        let a = Load { f: inertial - rod2.on_rod1, t: Vector3::zeros() };
        CutLoads { a, b: rod2.b, f_rod: rod2.f_rod, aux: rod2.aux }
    }
}

impl<T: Scalar, J: DrivenJoint<T> + Copy> SphericalSpherical<T, J> {
    /// The loads at the outer frames without the mass, for any loads in one pose.
    #[inline(always)]
    pub fn massless_loads<'a>(
        &self,
        ends: [&'a Motion<T>; 2],
        pose: &'a SphericalSphericalPose<T>,
    ) -> impl Fn(&InnerLoads<T>) -> CutLoads<T> + use<'a, T, J> {
        let massless = Self { mass: PointMass { m: T::zero(), ..self.mass }, ..*self };
        let lever = Rod2Lever::new(&massless.joint, ends[0], &pose.closed, &pose.eR);
        move |inner| massless.loads_with(&lever, ends, pose, inner)
    }

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
    /// The power of gravity and inertia forces, with the ends of rod 1 at frames `a` and `im`, in W.
    pub fn power(&self, a: &Motion<T>, im: &Motion<T>) -> T {
        let half = constant::<T>(0.5);
        -self.m * ((a.a_0 + im.a_0) * half - self.g).dot(&((a.v_0 + im.v_0) * half))
    }
}
