//! A revolute joint whose angle follows from a distance.

use std::f64::consts::TAU;

use nalgebra::Vector3;

use crate::angle::angle;
use crate::assembly::singular::DEAD_CENTRE;
use crate::assembly::{Branch, DrivenJoint, Singular};
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativePosition, RelativeRotation};
use crate::{Scalar, constant, value};

/// A revolute joint at frame_b that carries rod 2.
///
/// ```text
/// |p - R(e,th)^T q| = L   as   A cos th + B sin th + C = 0
/// A = -2 (q.p - (e.q)(e.p)),   B = 2 q.(e x p),   C = p.p + q.q - L^2 - 2 (e.q)(e.p)
/// k = sqrt(A^2 + B^2 - C^2),   th = atan2(-B C - s A k, -A C + s B k),   s = +1 or -1
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Revolute<T: Scalar> {
    /// Unit vector along the axis, resolved in frame_b and frame_ib.
    pub e: Vector3<T>,
    /// Vector of rod 2, resolved in frame_ib, in m.
    pub q: Vector3<T>,
}

/// Coefficients A, B and C of the loop condition, or their rates.
struct Condition<T> {
    a: T,
    b: T,
    c: T,
}

impl<T: Scalar> Revolute<T> {
    /// Returns the coefficients for `p` or a rate of it, from the part of `C` without `e`.
    fn condition(&self, p: &Vector3<T>, c: T) -> Condition<T> {
        let two = constant::<T>(2.0);
        let axial = self.e.dot(&self.q) * self.e.dot(p);
        let exp = self.e.cross(p);
        Condition { a: -two * (self.q.dot(p) - axial), b: two * self.q.dot(&exp), c: c - two * axial }
    }

    fn position(&self, p: &Vector3<T>, length: T) -> Condition<T> {
        self.condition(p, p.dot(p) + self.q.dot(&self.q) - length * length)
    }
}

impl<T: Scalar> Condition<T> {
    /// Returns the root `k`, and `A^2 + B^2`.
    fn root(&self, length: T) -> Result<(T, T), Singular> {
        let square = self.a * self.a + self.b * self.b;
        let k1a = square - self.c * self.c;
        if k1a > constant::<T>(DEAD_CENTRE) * square {
            return Ok((k1a.sqrt(), square));
        }
        Err(self.reach(length))
    }

    #[cold]
    fn reach(&self, length: T) -> Singular {
        let radius = value(self.a * self.a + self.b * self.b).sqrt();
        let middle = value(self.c + length * length);
        Singular::reach(length, constant::<T>(middle - radius), middle + radius)
    }

    /// Returns sine and cosine of the angle, each times `A^2 + B^2`; no negative zero, which would be a turn of -pi.
    fn direction(&self, k: T) -> [T; 2] {
        [T::zero() - self.b * self.c - self.a * k, -self.a * self.c + self.b * k]
    }
}

/// Adds to an angle the turns that make it nearest to the last one, in rad.
pub fn unwrapped<T: Scalar>(angle: T, last: T) -> T {
    let turns = value(last - angle) / TAU;
    // Rounded, with halves towards zero: an angle of pi stays one.
    let whole = (turns.abs() - 0.5).ceil().max(0.0).copysign(turns);
    angle + constant(whole * TAU)
}

impl<T: Scalar> DrivenJoint<T> for Revolute<T> {
    fn rod2(&self) -> &Vector3<T> {
        &self.q
    }

    fn candidates(&self, p: &Vector3<T>, length: T) -> Result<[T; 2], Singular> {
        let condition = self.position(p, length);
        let (k, _) = condition.root(length)?;
        Ok([k, -k].map(|k| {
            let [sin, cos] = condition.direction(k);
            angle(sin, cos)
        }))
    }

    fn reach(&self, p: &Vector3<T>, length: T) -> Singular {
        self.position(p, length).reach(length)
    }

    // Inlined so that a caller computes only what it needs.
    #[inline(always)]
    fn clearance_square(&self, p: &RelativePosition<T>, length: T) -> [T; 3] {
        let two = constant::<T>(2.0);
        let Condition { a, b, c } = self.position(&p.r, length);
        let Condition { a: a_1, b: b_1, c: c_1 } = self.condition(&p.v, two * p.r.dot(&p.v));
        let Condition { a: a_2, b: b_2, c: c_2 } = self.condition(&p.a, two * (p.v.dot(&p.v) + p.r.dot(&p.a)));
        let square = a * a + b * b;
        if value(square) == 0.0 {
            return [T::zero(); 3];
        }
        let [square_1, square_2] =
            [two * (a * a_1 + b * b_1), two * (a_1 * a_1 + b_1 * b_1 + a * a_2 + b * b_2)].map(|rate| rate / square);
        // The part of C, C^2/(A^2 + B^2).
        let part = c * c / square;
        let part_1 = two * c * c_1 / square - part * square_1;
        let part_2 = two * (c_1 * c_1 + c * c_2) / square - two * part_1 * square_1 - part * square_2;
        [(square - c * c) / square, -part_1, -part_2]
    }

    #[inline(always)]
    fn close(
        &self,
        b: &Motion<T>,
        p: &RelativePosition<T>,
        length: T,
        branch: Branch,
    ) -> Result<(Coordinate<T>, Motion<T>), Singular> {
        let two = constant::<T>(2.0);
        let position = self.position(&p.r, length);
        let (k, square) = position.root(length)?;
        let k = branch.signed(k);
        let [sin, cos] = position.direction(k);
        let x = angle(sin, cos);
        let (sin, cos) = (sin / square, cos / square);
        let first = self.condition(&p.v, two * p.r.dot(&p.v));
        let second = self.condition(&p.a, two * (p.v.dot(&p.v) + p.r.dot(&p.a)));
        // The derivative of the condition with respect to the angle is k.
        let v = -(first.a * cos + first.b * sin + first.c) / k;
        let turning = two * (first.b * cos - first.a * sin) * v + position.c * v * v;
        let a = -(second.a * cos + second.b * sin + second.c + turning) / k;
        Ok((Coordinate { x, v, a }, b.turned(&RelativeRotation::about(&self.e, [sin, cos], v, a))))
    }

    fn along(&self, load: &Load<T>) -> T {
        self.e.dot(&load.t)
    }

    fn cut_load(&self, b: &Motion<T>, ib: &Motion<T>, _x: T, load: &Load<T>) -> Load<T> {
        let back = |vector: &Vector3<T>| -(b.T * ib.T.tr_mul(vector));
        Load { f: back(&load.f), t: back(&load.t) }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    #[test]
    fn an_angle_goes_on_where_the_last_step_ended() {
        assert_eq!(unwrapped(PI, 0.0), PI);
        assert_eq!(unwrapped(-3.1, 3.1), -3.1 + TAU);
        assert_eq!(unwrapped(3.1, -3.1), 3.1 - TAU);
        assert_eq!(unwrapped(2.0, 40.0), 2.0 + 6.0 * TAU);
    }
}
