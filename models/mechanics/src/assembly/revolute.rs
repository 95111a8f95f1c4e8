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
        let (e, along) = (&self.e, self.e.dot(&self.q));
        let [x, x_1, x_2] = [e.dot(&p.r) - along, e.dot(&p.v), e.dot(&p.a)];
        // The squares of the rods across the axis, and twice their scalar product.
        let rod2 = self.q.dot(&self.q) - along * along;
        let rod1 = length * length - x * x;
        let product = rod1 + rod2 - (p.r.dot(&p.r) - (x + along) * (x + along));
        let product_1 = two * (along * x_1 - p.r.dot(&p.v));
        let product_2 = two * (along * x_2 - p.v.dot(&p.v) - p.r.dot(&p.a));
        let scale = constant::<T>(4.0) * rod1 * rod2;
        if value(scale) <= 0.0 {
            return [T::zero(); 3];
        }
        let [scale_1, scale_2] = [x * x_1, x_1 * x_1 + x * x_2].map(|rate| constant::<T>(-8.0) * rod2 * rate / scale);
        // The square of the cosine.
        let part = product * product / scale;
        let part_1 = two * product * product_1 / scale - part * scale_1;
        let part_2 =
            two * (product_1 * product_1 + product * product_2) / scale - two * part_1 * scale_1 - part * scale_2;
        [T::one() - part, -part_1, -part_2]
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

    /// Against central differences along a path in space, and against the sine of the angle between the rods.
    #[test]
    fn the_clearance_is_the_sine_of_the_angle_between_the_rods_across_the_axis() {
        let joint = Revolute { e: Vector3::z(), q: Vector3::new(0.3, 0.1, 0.2) };
        let point = |t: f64| RelativePosition {
            r: Vector3::new(0.4 * t.cos(), 0.3 + 0.2 * t.sin(), 0.1 + 0.05 * t * t),
            v: Vector3::new(-0.4 * t.sin(), 0.2 * t.cos(), 0.1 * t),
            a: Vector3::new(-0.4 * t.cos(), -0.2 * t.sin(), 0.1),
        };
        let (length, step) = (0.5, 1e-5);
        for t in [-1.0, 0.0, 0.3, 2.0] {
            let [square, rate, acceleration] = joint.clearance_square(&point(t), length);
            let [after, before] = [step, -step].map(|by| joint.clearance_square(&point(t + by), length));
            assert!(((after[0] - before[0]) / (2.0 * step) - rate).abs() < 1e-8, "{t}");
            assert!(((after[1] - before[1]) / (2.0 * step) - acceleration).abs() < 1e-8, "{t}");
            for angle in joint.candidates(&point(t).r, length).unwrap() {
                let (sin, cos) = angle.sin_cos();
                let rod2 = Vector3::new(0.3 * cos - 0.1 * sin, 0.1 * cos + 0.3 * sin, 0.0);
                let rod1 = rod2 - point(t).r.xy().push(0.0);
                let sine = rod1.cross(&rod2).z / (rod1.norm() * rod2.norm());
                assert!((sine * sine - square).abs() < 1e-12, "{t}");
            }
        }
    }
}
