//! Inertia of a link with all behind it, which gives way in its joints.

#![allow(non_snake_case)]

use nalgebra::{Matrix3, Vector3};

use super::link::Inertia;
use crate::frame::Load;
use crate::{Scalar, value};

/// Inertia about a point that may differ between directions.
#[derive(Clone, Copy, Debug)]
pub struct ArticulatedInertia<T: Scalar> {
    I: Symmetric<T>,
    /// Rows of H.
    H: [Vector3<T>; 3],
    M: Symmetric<T>,
}

/// Which of its accelerations a link has from a velocity.
#[derive(Clone, Copy, Debug)]
pub enum Moves {
    /// None: a rotor turns.
    Nothing,
    /// The angular one.
    Turn,
    /// The linear one.
    Slide,
    /// Both.
    Both,
}

impl<T: Scalar> ArticulatedInertia<T> {
    /// Makes the inertia of something rigid.
    #[inline]
    pub fn rigid(Inertia { m, c, I: inertia }: &Inertia<T>) -> Self {
        let zero = T::zero();
        let H = [Vector3::new(zero, -c.z, c.y), Vector3::new(c.z, zero, -c.x), Vector3::new(-c.y, c.x, zero)];
        Self { I: Symmetric::of(inertia), H, M: Symmetric::diagonal(*m) }
    }

    /// Returns the load that leads to the acceleration.
    #[inline]
    pub fn load(&self, [s, z]: &[Vector3<T>; 2], moves: Moves) -> Load<T> {
        let Self { I: inertia, H: [x, y, w], M: mass } = self;
        let turn = || Load { t: inertia.times(z), f: x * z.x + y * z.y + w * z.z };
        let slide = || Load { t: Vector3::new(x.dot(s), y.dot(s), w.dot(s)), f: mass.times(s) };
        match moves {
            Moves::Nothing => Load::none(),
            Moves::Turn => turn(),
            Moves::Slide => slide(),
            Moves::Both => {
                let (turn, slide) = (turn(), slide());
                Load { t: turn.t + slide.t, f: turn.f + slide.f }
            }
        }
    }

    /// Subtracts U U^T / D, what a joint does not pass on, from its load U and 1 / D.
    #[inline]
    pub fn eliminate_joint(&mut self, Load { f, t }: &Load<T>, inverse: T) {
        let [by_f, by_t] = [f * inverse, t * inverse];
        self.I.subtract(t, &by_t);
        self.M.subtract(f, &by_f);
        self.H[0] -= by_f * t.x;
        self.H[1] -= by_f * t.y;
        self.H[2] -= by_f * t.z;
    }

    /// Adds another inertia, given about a point at `r`.
    #[inline]
    pub fn add_moved(&mut self, Self { I: inertia, H: h, M: mass }: &Self, r: &Vector3<T>) {
        let [x, y, w] = mass.rows().map(|row| r.cross(&row));
        let moved = [
            h[0] + Vector3::new(x.x, y.x, w.x),
            h[1] + Vector3::new(x.y, y.y, w.y),
            h[2] + Vector3::new(x.z, y.z, w.z),
        ];
        let [both_x, both_y, both_z] = [0, 1, 2].map(|i| h[i] + moved[i]);
        self.I.add(&Symmetric {
            xx: inertia.xx + r.y * both_x.z - r.z * both_x.y,
            yy: inertia.yy + r.z * both_y.x - r.x * both_y.z,
            zz: inertia.zz + r.x * both_z.y - r.y * both_z.x,
            xy: inertia.xy + r.y * moved[1].z - r.z * moved[1].y + r.z * h[0].x - r.x * h[0].z,
            yz: inertia.yz + r.z * moved[2].x - r.x * moved[2].z + r.x * h[1].y - r.y * h[1].x,
            zx: inertia.zx + r.x * moved[0].y - r.y * moved[0].x + r.y * h[2].z - r.z * h[2].y,
        });
        self.M.add(mass);
        for (sum, moved) in self.H.iter_mut().zip(&moved) {
            *sum += moved;
        }
    }
}

/// Upper bounds of an inertia's mass, of mass times distance of its center, and of its moments about all axes.
#[derive(Clone, Copy, Debug)]
pub struct InertiaSize {
    m: f64,
    c: f64,
    I: f64,
}

impl InertiaSize {
    /// Returns the size of an inertia.
    pub fn of<T: Scalar>(Inertia { m, c, I: inertia }: &Inertia<T>) -> Self {
        Self { m: value(*m).abs(), c: c.map(value).norm(), I: inertia.map(value).norm() }
    }

    /// Adds another inertia, given about a point at `r`.
    #[inline]
    pub fn add_moved(&mut self, Self { m, c, I: inertia }: &Self, r: &Vector3<f64>) {
        let r = r.x.abs() + r.y.abs() + r.z.abs();
        self.m += m;
        self.c += c + m * r;
        self.I += inertia + (c + c + m * r) * r;
    }

    /// Returns an upper bound of the inertia along the accelerations.
    #[inline]
    pub fn most(&self, s: &Vector3<f64>, z: &Vector3<f64>, moves: Moves) -> f64 {
        let (slide, turn) = (self.m * s.norm_squared(), self.I * z.norm_squared());
        match moves {
            Moves::Nothing => 0.0,
            Moves::Turn => turn,
            Moves::Slide => slide,
            Moves::Both => slide + turn + 2.0 * self.c * s.norm() * z.norm(),
        }
    }
}

/// A symmetric matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Symmetric<T: Scalar> {
    xx: T,
    yy: T,
    zz: T,
    xy: T,
    yz: T,
    zx: T,
}

impl<T: Scalar> Symmetric<T> {
    /// Takes the lower half of a matrix.
    #[inline]
    fn of(matrix: &Matrix3<T>) -> Self {
        let at = |row, column| matrix[(row, column)];
        Self { xx: at(0, 0), yy: at(1, 1), zz: at(2, 2), xy: at(1, 0), yz: at(2, 1), zx: at(2, 0) }
    }

    /// Makes a multiple of the identity.
    #[inline]
    fn diagonal(m: T) -> Self {
        let zero = T::zero();
        Self { xx: m, yy: m, zz: m, xy: zero, yz: zero, zx: zero }
    }

    /// Returns the rows, which are also the columns.
    #[inline]
    fn rows(&self) -> [Vector3<T>; 3] {
        let Self { xx, yy, zz, xy, yz, zx } = *self;
        [Vector3::new(xx, xy, zx), Vector3::new(xy, yy, yz), Vector3::new(zx, yz, zz)]
    }

    /// Returns the product with a vector.
    #[inline]
    fn times(&self, v: &Vector3<T>) -> Vector3<T> {
        let [x, y, z] = self.rows();
        x * v.x + y * v.y + z * v.z
    }

    /// Adds another matrix.
    #[inline]
    fn add(&mut self, other: &Self) {
        self.xx += other.xx;
        self.yy += other.yy;
        self.zz += other.zz;
        self.xy += other.xy;
        self.yz += other.yz;
        self.zx += other.zx;
    }

    /// Subtracts the product of a column with a row that is a multiple of it.
    #[inline]
    fn subtract(&mut self, column: &Vector3<T>, row: &Vector3<T>) {
        self.xx -= column.x * row.x;
        self.yy -= column.y * row.y;
        self.zz -= column.z * row.z;
        self.xy -= column.x * row.y;
        self.yz -= column.y * row.z;
        self.zx -= column.z * row.x;
    }
}
