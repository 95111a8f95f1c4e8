//! A line between two frames with point masses on it: LineForceWithMass, LineForceWithTwoMasses.
//!
//! ```text
//! l = |r_b - r_a|,   e = (r_b - r_a) / l,   P = 1 - e e^T,   e' = P (v_b - v_a) / l
//! e'' = (P (a_b - a_a) - 2 l' e') / l - e |e'|^2
//! mass k:   a_k = (1 - h) a_a + h a_b + L e'',   F_k = m (a_k - g)
//! f_a = sum ((1 - h) F_k - L P F_k / l),   f_b = sum (h F_k + L P F_k / l)
//! ```
//!
//! A mass is at the fraction h of the line, and L further along it; all vectors are resolved in the world frame.

use nalgebra::Vector3;

use crate::assembly::{CutLoads, Singular};
use crate::frame::Load;
use crate::motion::{Coordinate, Motion};
use crate::{Scalar, constant, value};

/// Distance below which the line has no direction, in m.
const COINCIDENT: f64 = 1e-10;

/// A point mass on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassOnLine<T> {
    /// Mass, in kg.
    pub m: T,
    /// Fraction of the line at which it is, or at which its distance begins.
    pub h: T,
    /// Distance from there along the line, in m.
    pub along: T,
}

/// A line with two masses, of which each may be 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<T> {
    /// The masses.
    pub masses: [MassOnLine<T>; 2],
}

/// Motion of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinePose<T: Scalar> {
    /// Length.
    pub x: Coordinate<T>,
    /// Direction from frame_a to frame_b, with its first two rates; resolved in the world frame.
    pub e: [Vector3<T>; 3],
    /// Motion of frame_b.
    pub b: Motion<T>,
}

impl<T: Scalar> Line<T> {
    /// Returns the motion of the line.
    ///
    /// # Errors
    ///
    /// Says that both ends are at the same place.
    pub fn pose(&self, a: &Motion<T>, b: &Motion<T>) -> Result<LinePose<T>, Singular> {
        let r = b.r_0 - a.r_0;
        let l = r.norm();
        #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "so it also rejects NaN")]
        if !(l > constant(COINCIDENT)) {
            return Err(Singular::Coincident { distance: value(l) });
        }
        let e = r / l;
        let (v, acceleration) = (b.v_0 - a.v_0, b.a_0 - a.a_0);
        let l_1 = e.dot(&v);
        let e_1 = (v - e * l_1) / l;
        let l_2 = e.dot(&acceleration) + v.dot(&e_1);
        let across = acceleration - e * e.dot(&acceleration);
        let e_2 = (across - e_1 * (l_1 + l_1)) / l - e * e_1.norm_squared();
        Ok(LinePose { x: Coordinate { x: l, v: l_1, a: l_2 }, e: [e, e_1, e_2], b: *b })
    }

    /// Returns the loads at the ends, with the force `drive` that pushes them apart, and the gravity at a place.
    pub fn loads(
        &self,
        [a, b]: [&Motion<T>; 2],
        pose: &LinePose<T>,
        drive: T,
        gravity: impl Fn(&Vector3<T>) -> Vector3<T>,
    ) -> CutLoads<T> {
        let [e, ..] = &pose.e;
        let (mut f_a, mut f_b) = (e * drive, e * -drive);
        for mass in &self.masses {
            let MassOnLine { m, h, along } = mass;
            let [place, acceleration] = pose.point([a, b], mass);
            let f = (acceleration - gravity(&place)) * *m;
            let turning = (f - e * e.dot(&f)) * (*along / pose.x.x);
            f_a += f * (T::one() - *h) - turning;
            f_b += f * *h + turning;
        }
        let at = |motion: &Motion<T>, f: Vector3<T>| Load { f: motion.T * f, t: Vector3::zeros() };
        CutLoads { a: at(a, f_a), b: at(b, f_b), f_rod: -drive, aux: T::one() }
    }
}

impl<T: Scalar> LinePose<T> {
    /// Returns place and acceleration of a mass.
    pub fn point(&self, [a, b]: [&Motion<T>; 2], MassOnLine { h, along, .. }: &MassOnLine<T>) -> [Vector3<T>; 2] {
        let [e, _, e_2] = &self.e;
        let between = |a: &Vector3<T>, b: &Vector3<T>| a * (T::one() - *h) + b * *h;
        [between(&a.r_0, &b.r_0) + e * *along, between(&a.a_0, &b.a_0) + e_2 * *along]
    }
}
