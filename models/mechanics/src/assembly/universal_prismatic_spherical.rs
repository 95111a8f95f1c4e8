//! Universal, prismatic and spherical joint: JointUPS.

use nalgebra::Vector3;

use crate::assembly::{Clearance, Singular, Universal, UniversalPose};
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativePosition};
use crate::{Scalar, constant, value};

/// Distance below which the line from frame_a to frame_b has no direction, in m.
const COINCIDENT: f64 = 1e-12;

/// A telescope between a universal joint at frame_a and a spherical joint at frame_b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalPrismatic<T: Scalar> {
    /// The universal joint.
    pub universal: Universal<T>,
}

/// The assembly in motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniversalPrismaticPose<T: Scalar> {
    /// Distance between the origins of frame_a and frame_b.
    pub x: Coordinate<T>,
    /// Frame fixed in the telescope's part at frame_b, parallel to frame_ia.
    pub ib: Motion<T>,
    /// The universal joint.
    pub universal: UniversalPose<T>,
}

/// The length of a telescope by that at the start, which is zero where its ends meet.
pub fn length_clearance<T: Scalar>(rho: &RelativePosition<T>, start_length: T) -> Clearance<T> {
    let RelativePosition { r, v, a } = rho;
    let two = constant::<T>(2.0);
    let square = [r.dot(r), two * r.dot(v), two * (v.dot(v) + r.dot(a))];
    Clearance::from_square(square.map(|order| order / (start_length * start_length)))
}

impl<T: Scalar> UniversalPrismatic<T> {
    /// The motion of distance and inner frames.
    #[inline(always)]
    pub fn pose(&self, a: &Motion<T>, b: &Motion<T>) -> Result<UniversalPrismaticPose<T>, Singular> {
        let distance = (b.r_0 - a.r_0).norm();
        #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "so it also rejects NaN")]
        if !(distance > constant(COINCIDENT)) {
            return Err(Singular::Coincident { distance: value(distance) });
        }
        let universal = self.universal.pose(a, &a.position_of(b))?;
        let [x, v, a] = universal.length;
        let ib = Motion { r_0: b.r_0, v_0: b.v_0, a_0: b.a_0, ..universal.ia };
        Ok(UniversalPrismaticPose { x: Coordinate { x, v, a }, ib, universal })
    }

    /// The loads at the outer frames, with the loads `ia` and `ib` at the inner frames and the force
    /// `drive` that pushes the ends apart.
    #[inline(always)]
    pub fn loads(
        &self,
        [a, b]: [&Motion<T>; 2],
        pose: &UniversalPrismaticPose<T>,
        ia: &Load<T>,
        ib: &Load<T>,
        drive: T,
    ) -> [Load<T>; 2] {
        let u = &pose.universal;
        let t = u.T.tr_mul(&(ia.t + ib.t));
        let (f_ia, f_ib) = (u.T.tr_mul(&ia.f), u.T.tr_mul(&ib.f));
        let f = u.force_against(&self.universal.n1_a, &t) - u.eR * drive;
        [
            Load { f: -(f_ia + f), t: -(t + u.rho.cross(&f)) },
            Load { f: a.rotation_to(b) * (f - f_ib), t: Vector3::zeros() },
        ]
    }
}
