//! A prismatic joint whose displacement follows from a distance.

use nalgebra::Vector3;

use crate::assembly::singular::DEAD_CENTRE;
use crate::assembly::{Branch, DrivenJoint, Singular};
use crate::frame::Load;
use crate::motion::{Coordinate, Motion, RelativePosition};
use crate::{Scalar, constant};

/// A prismatic joint at frame_b that carries rod 2.
///
/// ```text
/// |u + e d| = L with u = q - p   as   d^2 + B d + C = 0
/// B = 2 e.u,   C = u.u - L^2,   k = sqrt(B^2/4 - C),   d = -B/2 + s k,   s = +1 or -1
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prismatic<T: Scalar> {
    /// Unit vector along the axis, resolved in frame_b and frame_ib.
    pub e: Vector3<T>,
    /// Vector of rod 2, resolved in frame_ib, in m.
    pub q: Vector3<T>,
}

impl<T: Scalar> Prismatic<T> {
    /// Returns `B/2` and the root `k`, or an error if rod 1 cannot reach.
    fn root(&self, p: &Vector3<T>, length: T) -> Result<(T, T), Singular> {
        let (along, across) = self.split(p);
        let square = length * length;
        // B^2/4 - C without the cancellation of large distances along the axis.
        let k1a = square - across;
        if k1a > constant::<T>(DEAD_CENTRE) * square {
            return Ok((along, k1a.sqrt()));
        }
        Err(self.reach(p, length))
    }

    /// Splits `u`: its part along the axis, and the square of that across it.
    fn split(&self, p: &Vector3<T>) -> (T, T) {
        let u = self.q - p;
        let along = self.e.dot(&u);
        let across = u - self.e * along;
        (along, across.dot(&across))
    }
}

impl<T: Scalar> DrivenJoint<T> for Prismatic<T> {
    fn rod2(&self) -> &Vector3<T> {
        &self.q
    }

    fn candidates(&self, p: &Vector3<T>, length: T) -> Result<[T; 2], Singular> {
        let (along, k) = self.root(p, length)?;
        Ok([k - along, -k - along])
    }

    #[cold]
    fn reach(&self, p: &Vector3<T>, length: T) -> Singular {
        Singular::reach(length, self.split(p).1, f64::INFINITY)
    }

    // Inlined so that a caller computes only what it needs.
    #[inline(always)]
    fn clearance_square(&self, p: &RelativePosition<T>, length: T) -> [T; 3] {
        let two = constant::<T>(2.0);
        let across = |vector: &Vector3<T>| vector - self.e * self.e.dot(vector);
        let [u, v, a] = [across(&(p.r - self.q)), across(&p.v), across(&p.a)];
        let square = length * length;
        [(square - u.dot(&u)) / square, -two * u.dot(&v) / square, -two * (v.dot(&v) + u.dot(&a)) / square]
    }

    fn close(
        &self,
        b: &Motion<T>,
        p: &RelativePosition<T>,
        length: T,
        branch: Branch,
    ) -> Result<(Coordinate<T>, Motion<T>), Singular> {
        let two = constant::<T>(2.0);
        let (along, k) = self.root(&p.r, length)?;
        let k = branch.signed(k);
        let u = self.q - p.r;
        let x = k - along;
        let b_1 = -two * self.e.dot(&p.v);
        let c_1 = -two * u.dot(&p.v);
        let b_2 = -two * self.e.dot(&p.a);
        let c_2 = two * (p.v.dot(&p.v) - u.dot(&p.a));
        // The derivative of the condition with respect to the displacement is 2 k.
        let v = -(b_1 * x + c_1) / (two * k);
        let a = -(two * v * v + two * b_1 * v + b_2 * x + c_2) / (two * k);
        let coordinate = Coordinate { x, v, a };
        Ok((coordinate, b.slid(&self.e, &coordinate)))
    }

    fn along(&self, load: &Load<T>) -> T {
        self.e.dot(&load.f)
    }

    fn cut_load(&self, _b: &Motion<T>, _ib: &Motion<T>, x: T, load: &Load<T>) -> Load<T> {
        Load { f: -load.f, t: -(load.t + (self.e * x).cross(&load.f)) }
    }
}
