//! The universal joint at frame_a: axis 1 fixed in frame_a, axis 2 perpendicular to it and to rod 1.

use nalgebra::{Matrix3, Vector3};

use crate::assembly::Singular;
use crate::direction::unit;
use crate::motion::{Motion, RelativePosition, RelativeRotation};
use crate::{Scalar, compact, constant, value};

/// Squared sine of the angle between axis 1 and the rod, below which axis 2 has no direction.
pub const PARALLEL: f64 = 1e-10;

/// The constants of a universal joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct Universal<T: Scalar> {
    /// Unit vector along axis 1, resolved in frame_a.
    pub n1_a: Vector3<T>,
    /// Unit vector along the rod, resolved in frame_ia.
    pub eR_ia: Vector3<T>,
    /// Unit vector along axis 2, resolved in frame_ia.
    pub e2_ia: Vector3<T>,
    /// Unit vector perpendicular to rod and axis 2, resolved in frame_ia.
    pub e3_ia: Vector3<T>,
}

/// Motion of a universal joint at frame_a whose rod ends at a known spherical joint.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)]
pub struct UniversalPose<T: Scalar> {
    /// Frame fixed in the rod at the origin of frame_a.
    pub ia: Motion<T>,
    /// Rotation matrix from frame_a to frame_ia.
    pub T: Matrix3<T>,
    /// Vector from frame_a to the spherical joint, resolved in frame_a, in m.
    pub rho: Vector3<T>,
    /// Length of that vector with its rates, in m, m/s, m/s2.
    pub length: [T; 3],
    /// Unit vector along the rod, resolved in frame_a.
    pub eR: Vector3<T>,
    /// Unit vector along axis 2, resolved in frame_a.
    pub e2: Vector3<T>,
    /// Unit vector perpendicular to both, resolved in frame_a.
    pub e3: Vector3<T>,
}

impl<T: Scalar> Universal<T> {
    /// Makes the joint from axis 1 and a vector along the rod, of any length but zero and not parallel.
    pub fn new(n1_a: &Vector3<T>, rod_ia: &Vector3<T>) -> Self {
        let (n1_a, along) = (unit(n1_a), unit(rod_ia));
        let e2_ia = n1_a.cross(&along).normalize();
        Self { n1_a, eR_ia: along, e2_ia, e3_ia: along.cross(&e2_ia) }
    }

    /// Rejects a rod that is parallel to axis 1 in the position in which frame_a and frame_ia coincide.
    pub fn check(n1_a: &Vector3<T>, rod_ia: &Vector3<T>) -> Result<(), Singular> {
        perpendicular(&unit(n1_a), &unit(rod_ia)).map(|_| ())
    }

    /// Returns the motion of the joint, with the spherical joint at `rho` relative to frame_a.
    #[inline(always)]
    pub fn pose(&self, a: &Motion<T>, rho: &RelativePosition<T>) -> Result<UniversalPose<T>, Singular> {
        compact!(T, Self::posed, (self, a, rho))
    }

    #[inline(always)]
    #[allow(non_snake_case)]
    fn posed((this, a, rho): (&Self, &Motion<T>, &RelativePosition<T>)) -> Result<UniversalPose<T>, Singular> {
        let n1 = &this.n1_a;
        let length = rho.r.norm();
        let eR = rho.r / length;
        let (n2, n2_length) = perpendicular(n1, &eR)?;
        let e2 = n2 / n2_length;
        let e3 = eR.cross(&e2);

        let l_1 = eR.dot(&rho.v);
        let g = rho.v / length;
        let n1_g = n1.cross(&g);
        let w = Vector3::new(e3.dot(&n1_g) / n2_length, -e3.dot(&g), e2.dot(&g));
        let l_2 = (rho.v.dot(&rho.v) + rho.r.dot(&rho.a) - l_1 * l_1) / length;

        let g_1 = (rho.a - g * l_1) / length;
        let eR_1 = e2 * w.z - e3 * w.y;
        let e2_1 = e3 * w.x - eR * w.z;
        let e3_1 = eR * w.y - e2 * w.x;
        let n2_1 = e2.dot(&n1.cross(&eR_1));
        let z = Vector3::new(
            (e3_1.dot(&n1_g) + e3.dot(&n1.cross(&g_1)) - w.x * n2_1) / n2_length,
            -e3_1.dot(&g) - e3.dot(&g_1),
            e2_1.dot(&g) + e2.dot(&g_1),
        );

        let to_ia = Matrix3::from_columns(&[this.eR_ia, this.e2_ia, this.e3_ia]);
        let rotation = to_ia * Matrix3::from_columns(&[eR, e2, e3]).transpose();
        let turn = RelativeRotation { T: rotation, w: to_ia * w, z: to_ia * z };
        Ok(UniversalPose { ia: a.turned(&turn), T: rotation, rho: rho.r, length: [length, l_1, l_2], eR, e2, e3 })
    }
}

/// Returns the vector along axis 2 with its length; both arguments are unit vectors.
fn perpendicular<T: Scalar>(n1: &Vector3<T>, along: &Vector3<T>) -> Result<(Vector3<T>, T), Singular> {
    let n2 = n1.cross(along);
    let square = n2.dot(&n2);
    if square > constant(PARALLEL) {
        return Ok((n2, square.sqrt()));
    }
    let angle = value(square).sqrt().atan2(value(n1.dot(along)));
    Err(Singular::Parallel { angle })
}

impl<T: Scalar> UniversalPose<T> {
    /// Returns the force across the rod at the spherical joint that balances the torque `t` on the rod, resolved in
    /// frame_a: the universal joint takes torques about axis 1 x axis 2 only.
    pub fn force_against(&self, n1: &Vector3<T>, t: &Vector3<T>) -> Vector3<T> {
        let length = self.length[0];
        self.e3 * (self.e2.dot(t) / length) - self.e2 * (n1.dot(t) / (length * n1.dot(&self.e3)))
    }
}
