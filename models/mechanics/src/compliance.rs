//! Stiffness and damping between two frames: the laws of the bushing and the gripper.

use nalgebra::{Matrix3, Vector3};

use crate::euler::{Angles, Sequence, wrap};
use crate::frame::Relative;
use crate::{Scalar, constant};

/// Rule by which the moments of the three angles act on the frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentRule {
    /// The moment of angle i acts about axis `sequence[i]` of frame_a.
    Literal,
    /// The moment of angle i acts about the axis of its turn: `J^T M = m`.
    Gimbal,
}

/// Returns the force on the body at frame_b, `F = -c (r - r0) - d v` componentwise, resolved in frame_a.
pub fn force<T: Scalar>(
    relative: &Relative<T>,
    stiffness: &Vector3<T>,
    damping: &Vector3<T>,
    r0: &Vector3<T>,
) -> Vector3<T> {
    -stiffness.component_mul(&(relative.r - r0)) - damping.component_mul(&relative.v)
}

/// Returns the angular deflections `theta - theta0`, each in (-pi, pi].
pub fn deflection<T: Scalar>(angles: &Angles<T>, theta0: &Vector3<T>) -> Vector3<T> {
    (angles.theta - theta0).map(wrap)
}

/// Returns the moment on the body at frame_b about its origin, resolved in frame_a: that of the springs,
/// `m = -c (theta - theta0)` by `law`, and `-d omega` about the axes of frame_a.
pub fn moment<T: Scalar>(
    relative: &Relative<T>,
    sequence: Sequence,
    angles: &Angles<T>,
    law: MomentRule,
    stiffness: &Vector3<T>,
    damping: &Vector3<T>,
    theta0: &Vector3<T>,
) -> Vector3<T> {
    let m = -stiffness.component_mul(&deflection(angles, theta0));
    about_axes(sequence, angles, law, &m) - damping.component_mul(&relative.omega)
}

/// Returns the moment about the axes of frame_a that the moments `m` of the three angles make up by `law`.
pub fn about_axes<T: Scalar>(sequence: Sequence, angles: &Angles<T>, law: MomentRule, m: &Vector3<T>) -> Vector3<T> {
    match law {
        MomentRule::Literal => {
            let mut sum = Vector3::zeros();
            for (axis, moment) in sequence.axes().into_iter().zip(m.iter()) {
                sum[axis] += *moment;
            }
            sum
        }
        MomentRule::Gimbal => gimbal(&sequence.jacobian(&angles.theta), m, angles.singular),
    }
}

/// Solves `J^T M = m` for the moment `M`; at a singularity returns the regularised `(J J^T + 1e-6)^-1 J m`.
fn gimbal<T: Scalar>(jacobian: &Matrix3<T>, m: &Vector3<T>, singular: bool) -> Vector3<T> {
    if !singular {
        return solve(&jacobian.transpose(), m);
    }
    let regularised = jacobian * jacobian.transpose() + Matrix3::identity() * constant::<T>(1e-6);
    solve(&regularised, &(jacobian * m))
}

/// Returns the rates of the Euler angles at an angular velocity relative to frame_a, resolved in it; regularised at a
/// singularity.
pub fn rates_of_angles<T: Scalar>(sequence: Sequence, angles: &Angles<T>, omega: &Vector3<T>) -> Vector3<T> {
    let jacobian = sequence.jacobian(&angles.theta);
    if !angles.singular {
        return solve(&jacobian, omega);
    }
    let transpose = jacobian.transpose();
    solve(&(transpose * jacobian + Matrix3::identity() * constant::<T>(1e-6)), &(transpose * omega))
}

/// Solves a regular system of three equations by Cramer's rule, with cross products.
#[inline(never)]
fn solve<T: Scalar>(matrix: &Matrix3<T>, right: &Vector3<T>) -> Vector3<T> {
    let [a, b, c] = [0, 1, 2].map(|row| matrix.row(row).transpose());
    let (bc, ca, ab) = (b.cross(&c), c.cross(&a), a.cross(&b));
    (bc * right.x + ca * right.y + ab * right.z) / a.dot(&bc)
}

/// Returns the power that the dampers turn into heat, in W.
pub fn loss_power<T: Scalar>(relative: &Relative<T>, translational: &Vector3<T>, rotational: &Vector3<T>) -> T {
    relative.v.dot(&translational.component_mul(&relative.v))
        + relative.omega.dot(&rotational.component_mul(&relative.omega))
}
