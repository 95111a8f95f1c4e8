//! Points at given distances from other places: on a sphere around one of these, or on a circle around two.
//!
//! ```text
//! s = |r_other - r|                                given, since the damper there has it as a state
//! F + sum e f = 0                                  F: load of the springs, f: loads of the dampers
//! s' = (f - c (s - s_0))/d                         c: stiffness beside the damper
//! ```
//!
//! The springs balance along the tangents only. There, f/s (1 - e e^T) adds to their stiffness.

use nalgebra::{DMatrix, Matrix3, Vector3};

use super::line::{End, PointError, PointLine, SAME_PLACE};
use crate::factor::SINGULAR;
use crate::{Scalar, constant, value};

/// A point at given distances from one or two other places.
#[derive(Clone, Debug)]
pub(super) struct Guide<T: Scalar> {
    point: usize,
    lines: [Option<usize>; 2],
    /// Loads of the lines.
    loads: [T; 2],
    /// The projection onto the tangents.
    tangent: Matrix3<T>,
}

/// A line from a point.
struct Ray<T: Scalar> {
    /// Direction to the other end; 0 if there is no such line.
    e: Vector3<T>,
    s: T,
    /// Velocity of the other end.
    v: Vector3<T>,
    line: Option<PointLine<T>>,
}

impl<T: Scalar> Guide<T> {
    /// Of a point and the numbers of its lines.
    pub fn new(point: usize, lines: [Option<usize>; 2]) -> Self {
        Self { point, lines, loads: [T::zero(); 2], tangent: Matrix3::identity() }
    }

    /// Iterates over the numbers of the lines.
    pub fn lines(&self) -> impl Iterator<Item = usize> + use<T> {
        self.lines.into_iter().flatten()
    }

    /// Returns a line, if there is one, with the motion of its other end and its length; none while lengths are looked for.
    fn other(&self, i: usize, lines: &[PointLine<T>]) -> Option<(PointLine<T>, [Vector3<T>; 2], T)> {
        let line = lines[self.lines[i]?];
        let motion = line.ends.iter().find_map(|end| if let End::Other(motion) = end { Some(*motion) } else { None });
        Some((line, motion?, line.length?))
    }

    /// Returns the place near another one at the given distances, if there is one.
    fn nearest(&self, lines: &[PointLine<T>], r: Vector3<T>) -> Option<Vector3<T>> {
        let (_, [place, _], radius) = self.other(0, lines)?;
        let (center, square, across) = match self.other(1, lines) {
            None => (place, radius * radius, r - place),
            Some((_, [second, _], length)) => {
                let axis = second - place;
                let between = axis.norm_squared();
                let part = ((radius * radius - length * length) / between + T::one()) * constant::<T>(0.5);
                let from = r - place;
                let across = from - axis * (axis.dot(&from) / between);
                (place + axis * part, radius * radius - between * part * part, across)
            }
        };
        let distance = across.norm();
        let is_there = value(radius) > SAME_PLACE
            && value(distance) > SAME_PLACE
            && value(square) > SINGULAR * value(radius).powi(2);
        is_there.then(|| center + across * (square.sqrt() / distance))
    }

    /// Returns the lines, unless their lengths are looked for.
    fn rays(&self, lines: &[PointLine<T>], r: &[Vector3<T>]) -> Option<[Ray<T>; 2]> {
        self.other(0, lines)?;
        Some([0, 1].map(|i| match self.other(i, lines) {
            None => Ray { e: Vector3::zeros(), s: T::one(), v: Vector3::zeros(), line: None },
            Some((line, [place, v], _)) => {
                let between = place - r[self.point];
                let s = between.norm();
                Ray { e: between / s, s, v, line: Some(line) }
            }
        }))
    }

    fn rows(&self) -> std::ops::Range<usize> {
        3 * self.point..3 * self.point + 3
    }

    /// Moves the point to the given distances.
    pub fn keep_length(&self, lines: &[PointLine<T>], r: &mut [Vector3<T>]) -> Result<(), PointError> {
        if self.other(0, lines).is_some() {
            r[self.point] = self.nearest(lines, r[self.point]).ok_or(PointError::Loose(self.point))?;
        }
        Ok(())
    }

    /// Restricts the equations to motions along the tangents, and finds the loads of the dampers, which balance the rest.
    pub fn restrict(
        &mut self,
        lines: &[PointLine<T>],
        r: &[Vector3<T>],
        (matrix, right): (&mut DMatrix<T>, &mut [T]),
        only_holds: bool,
    ) -> Result<(), PointError> {
        let Some(rays) = self.rays(lines, r) else { return Ok(()) };
        if value(rays[0].e.dot(&rays[1].e)).powi(2) >= 1.0 - SINGULAR {
            return Err(PointError::InLine(self.point));
        }
        let rows = self.rows();
        let load = Vector3::from_column_slice(&right[rows.clone()]);
        self.loads = factors(&rays, rays.each_ref().map(|ray| -ray.e.dot(&load)));
        let across =
            Matrix3::from_columns(&[0, 1, 2].map(|i| with_components(&rays, rays.each_ref().map(|ray| ray.e[i]))));
        self.tangent = Matrix3::identity() - across;
        for (Ray { e, s, .. }, f) in rays.iter().zip(self.loads) {
            let turning = if only_holds && value(f) < 0.0 { T::zero() } else { f / *s };
            let stiffness = (Matrix3::identity() - e * e.transpose()) * turning;
            let mut block = matrix.fixed_view_mut::<3, 3>(rows.start, rows.start);
            block += stiffness;
        }
        // Of the size of the other numbers, so that no pivot counts as 0 beside them.
        let size: f64 = rows.clone().map(|k| value(matrix[(k, k)]).abs()).sum();
        for k in 0..matrix.nrows() {
            let column = Vector3::from_fn(|i, _| matrix[(rows.start + i, k)]);
            matrix.fixed_view_mut::<3, 1>(rows.start, k).copy_from(&(self.tangent * column));
        }
        for k in 0..matrix.nrows() {
            let row = Vector3::from_fn(|i, _| matrix[(k, rows.start + i)]);
            matrix.fixed_view_mut::<1, 3>(k, rows.start).copy_from(&(self.tangent * row).transpose());
        }
        let mut block = matrix.fixed_view_mut::<3, 3>(rows.start, rows.start);
        block += across * constant::<T>(size.max(f64::MIN_POSITIVE));
        right[rows].copy_from_slice((self.tangent * load).as_slice());
        Ok(())
    }

    /// Sets the velocity across the tangents, with which the dampers have their loads.
    pub fn set_velocity_across(&self, lines: &[PointLine<T>], r: &[Vector3<T>], v: &mut [Vector3<T>]) {
        let Some(rays) = self.rays(lines, r) else { return };
        let rate = |i: usize| {
            let ray: &Ray<T> = &rays[i];
            ray.line.map_or(T::zero(), |line| {
                ray.e.dot(&ray.v) - (self.loads[i] - line.c * (ray.s - line.relaxed)) / line.d
            })
        };
        v[self.point] = with_components(&rays, [rate(0), rate(1)]);
    }

    /// Adds the rates of the loads by which the dampers turn with their ends; then restricts all rates to the tangents.
    pub fn restrict_rates(&self, lines: &[PointLine<T>], [r, v]: [&[Vector3<T>]; 2], right: &mut [T]) {
        let Some(rays) = self.rays(lines, r) else { return };
        let mut rate = Vector3::from_column_slice(&right[self.rows()]);
        for (Ray { e, s, v: other, line }, f) in rays.iter().zip(self.loads) {
            if line.is_some() {
                let relative = other - v[self.point];
                rate += (relative - e * e.dot(&relative)) * (f / *s);
            }
        }
        right[self.rows()].copy_from_slice((self.tangent * rate).as_slice());
    }
}

/// Returns the factors by which directions are to be multiplied, so that their sum has these components along them.
fn factors<T: Scalar>([first, second]: &[Ray<T>; 2], [one, other]: [T; 2]) -> [T; 2] {
    let cosine = first.e.dot(&second.e);
    let square = T::one() - cosine * cosine;
    [(one - cosine * other) / square, (other - cosine * one) / square]
}

/// Returns the sum of both directions, multiplied by such factors.
fn with_components<T: Scalar>(rays: &[Ray<T>; 2], components: [T; 2]) -> Vector3<T> {
    let [one, other] = factors(rays, components);
    rays[0].e * one + rays[1].e * other
}
