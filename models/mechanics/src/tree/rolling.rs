//! Wheels that roll on the plane z = 0 of the frame before them: velocities of joints that are no rates of positions.
//!
//! ```text
//! wheel:      c = n.y,   delta = R (c y - n) / sqrt(1 - c^2)      from the center to the contact; y: its axis, n: the normal
//!             v = delta x w,   v' = delta' x w + delta x w'        the point of contact is at rest
//! wheel set:  v = R/2 (w_1 + w_2) e_x,   w = R/track (w_2 - w_1) n
//! ```

use nalgebra::{Matrix3, Vector3};

use super::pose::Pose;
use crate::Scalar;
use crate::motion::{RelativePosition, RelativeRotation};

/// Returns the vector from the center of a wheel to its contact, with its rate; both resolved in the frame of the plane.
/// `axis` is the wheel's axis times its radius, `T` the rotation to the wheel, `w` its angular velocity, both resolved in
/// the wheel.
#[allow(non_snake_case)]
pub fn wheel_contact<T: Scalar>(axis: &Vector3<T>, T: &Matrix3<T>, w: &Vector3<T>) -> [Vector3<T>; 2] {
    let radius = axis.norm();
    let y = T.tr_mul(axis) / radius;
    let y_1 = T.tr_mul(w).cross(&y);
    let (c, c_1) = (y.z, y_1.z);
    let n = Vector3::z_axis().into_inner();
    let s = (T::one() - c * c).sqrt();
    let along = y * c - n;
    let delta = along * (radius / s);
    let rate = (y * c_1 + y_1 * c + along * (c * c_1 / (s * s))) * (radius / s);
    [delta, rate]
}

/// Returns the motion of the center of a wheel, with the angular velocity and acceleration resolved in the wheel.
pub(super) fn wheel<T: Scalar>(
    axis: &Vector3<T>,
    pose: &Pose<T>,
    w: &Vector3<T>,
    z: &Vector3<T>,
) -> RelativePosition<T> {
    let [delta, rate] = wheel_contact(axis, &pose.T, w);
    let w = pose.T.tr_mul(w);
    RelativePosition { r: pose.r, v: delta.cross(&w), a: rate.cross(&w) + delta.cross(&pose.T.tr_mul(z)) }
}

/// Returns the acceleration of the center of a wheel at rest, resolved in the wheel, if its angular one is this one.
pub(super) fn wheel_unit<T: Scalar>(axis: &Vector3<T>, pose: &Pose<T>, z: &Vector3<T>) -> Vector3<T> {
    let [delta, _] = wheel_contact(axis, &pose.T, &Vector3::zeros());
    (pose.T * delta).cross(z)
}

/// Returns the motion of the middle of a wheel set; `e` has half the radius of the wheels, and the radius divided by the
/// track.
pub(super) fn wheel_set<T: Scalar>(
    e: &Vector3<T>,
    pose: &Pose<T>,
    v: &[T],
    a: &[T],
) -> (RelativePosition<T>, RelativeRotation<T>) {
    let along = |both: &[T]| (both[0] + both[1]) * e.x;
    let about = |both: &[T]| Vector3::new(T::zero(), T::zero(), (both[1] - both[0]) * e.y);
    let (e_x, e_y) = (pose.T.row(0).transpose(), pose.T.row(1).transpose());
    let (speed, turning) = (along(v), about(v));
    let by = RelativePosition { r: pose.r, v: e_x * speed, a: e_x * along(a) + e_y * (speed * turning.z) };
    (by, RelativeRotation { T: pose.T, w: turning, z: about(a) })
}

/// Returns the accelerations of a wheel set at rest, resolved in it, if only wheel `i` turns.
pub(super) fn wheel_set_unit<T: Scalar>(e: &Vector3<T>, i: usize) -> [Vector3<T>; 2] {
    let turn = if i == 0 { -e.y } else { e.y };
    [Vector3::new(e.x, T::zero(), T::zero()), Vector3::new(T::zero(), T::zero(), turn)]
}
