//! Points without mass in space, where springs meet.
//!
//! ```text
//! 0 = sum e f,   f = c (s - s_0)                   e: from the point to the other end, at the distance s
//! K = sum c e e^T + f/s (1 - e e^T)                stiffness of the point
//! K v = sum K_other v_other
//! ```
//!
//! The points are where the energy of the springs has a minimum, near those with which the search begins.

use nalgebra::{DMatrix, Matrix3, Vector3};

use crate::factor::Factor;
use crate::{Scalar, constant, value};

/// Largest number of steps.
const MAX_STEPS: usize = 200;

/// Fraction of the size below which a step is the last one.
const CLOSE: f64 = 1e-11;

/// Smallest fraction of a step.
const MIN_PART: f64 = 1e-12;

/// Fraction of the stiffness that is added where it is not positive definite.
const SHIFT: f64 = 1e-3;

/// Distance in m below which ends are at the same place.
const SAME_PLACE: f64 = 1e-10;

/// One end of a spring: a point, by its number, or another place.
#[derive(Clone, Copy, Debug)]
pub enum End<T: Scalar> {
    /// A point.
    Point(usize),
    /// Position and velocity of what moves by itself, resolved in the world frame.
    Other([Vector3<T>; 2]),
}

/// A spring along the line between both ends.
#[derive(Clone, Copy, Debug)]
pub struct PointSpring<T: Scalar> {
    /// Both ends.
    pub ends: [End<T>; 2],
    /// Stiffness in N/m.
    pub c: T,
    /// Length in m of the relaxed spring.
    pub relaxed: T,
}

/// Reasons why points do not follow from springs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointError {
    /// The springs do not hold this point.
    Loose(usize),
    /// Both ends of this spring are at the same place.
    SamePlace(usize),
}

/// Positions and velocities of points, with the buffers to find them.
#[derive(Clone, Debug)]
pub struct Points<T: Scalar> {
    /// Positions in m, resolved in the world frame.
    pub r: Vec<Vector3<T>>,
    /// Velocities in m/s.
    pub v: Vec<Vector3<T>>,
    /// The springs.
    pub springs: Vec<PointSpring<T>>,
    tried: Vec<Vector3<T>>,
    matrix: DMatrix<T>,
    factor: Factor<T>,
    right: Vec<T>,
    loads: Vec<T>,
}

impl<T: Scalar> Points<T> {
    /// Allocates that many points and springs.
    pub fn new(points: usize, springs: usize) -> Self {
        let zeros = vec![Vector3::zeros(); points];
        let matrix = DMatrix::zeros(3 * points, 3 * points);
        let spring = PointSpring { ends: [End::Point(0); 2], c: T::zero(), relaxed: T::zero() };
        Self {
            r: zeros.clone(),
            v: zeros.clone(),
            springs: vec![spring; springs],
            tried: zeros,
            factor: Factor::unfactored(matrix.clone()),
            matrix,
            right: vec![T::zero(); 3 * points],
            loads: vec![T::zero(); 3 * points],
        }
    }

    /// Sets the points to where springs without a length of their own would hold them.
    ///
    /// # Errors
    ///
    /// Names a point that no spring holds.
    pub fn begin(&mut self) -> Result<(), PointError> {
        self.clear();
        for i in 0..self.springs.len() {
            let PointSpring { ends, c, .. } = self.springs[i];
            let stiffness = Matrix3::from_diagonal_element(c);
            let [first, second] = ends.map(|end| match end {
                End::Point(_) => Vector3::zeros(),
                End::Other([r, _]) => r,
            });
            self.add(&ends, &((second - first) * c), &stiffness);
        }
        self.factor.replace(&self.matrix).map_err(|row| PointError::Loose(row / 3))?;
        self.factor.solve(&mut self.right);
        for (r, found) in self.r.iter_mut().zip(self.right.chunks_exact(3)) {
            *r = Vector3::from_column_slice(found);
        }
        Ok(())
    }

    /// Finds the positions, from those near by.
    ///
    /// # Errors
    ///
    /// Names a point that springs do not hold, or a spring without a direction.
    pub fn find_positions(&mut self) -> Result<(), PointError> {
        for _ in 0..MAX_STEPS {
            let size = self.assemble(false)?;
            let held = self.factor.replace(&self.matrix);
            if held.is_err() {
                // Not near a minimum: a step downhill.
                self.assemble(true)?;
                self.factor.replace(&self.matrix).map_err(|row| PointError::Loose(row / 3))?;
            }
            self.loads.copy_from_slice(&self.right);
            self.factor.solve(&mut self.right);
            let largest = self.right.iter().map(|step| value(*step).abs()).fold(0.0, f64::max);
            let is_last = largest <= CLOSE * size;
            let work: f64 = self.loads.iter().zip(&self.right).map(|(load, step)| value(*load * *step)).sum();
            let part = if is_last { 1.0 } else { self.step_length(work, size) };
            self.try_part(part);
            std::mem::swap(&mut self.r, &mut self.tried);
            if is_last {
                return held.map_err(|row| PointError::Loose(row / 3));
            }
        }
        Err(PointError::Loose(0))
    }

    /// Finds the velocities, where positions are known.
    ///
    /// # Errors
    ///
    /// Names a point that springs do not hold.
    pub fn find_velocities(&mut self) -> Result<(), PointError> {
        self.clear();
        for i in 0..self.springs.len() {
            let (ends, _, stiffness) = self.line(i, &self.r, false)?;
            let [first, second] = ends.map(|end| match end {
                End::Point(_) => Vector3::zeros(),
                End::Other([_, v]) => v,
            });
            self.add(&ends, &(stiffness * (second - first)), &stiffness);
        }
        self.factor.replace(&self.matrix).map_err(|row| PointError::Loose(row / 3))?;
        self.factor.solve(&mut self.right);
        for (v, found) in self.v.iter_mut().zip(self.right.chunks_exact(3)) {
            *v = Vector3::from_column_slice(found);
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.matrix.fill(T::zero());
        self.right.fill(T::zero());
    }

    /// Adds a load that pulls the first end towards the second one, and the stiffness between both.
    fn add(&mut self, ends: &[End<T>; 2], load: &Vector3<T>, stiffness: &Matrix3<T>) {
        for (i, end) in ends.iter().enumerate() {
            let End::Point(own) = end else { continue };
            for row in 0..3 {
                let load = if i == 0 { load[row] } else { -load[row] };
                self.right[3 * own + row] += load;
            }
            for (j, other) in ends.iter().enumerate() {
                let End::Point(other) = other else { continue };
                for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
                    let entry = stiffness[(row, column)];
                    self.matrix[(3 * own + row, 3 * other + column)] += if i == j { entry } else { -entry };
                }
            }
        }
    }

    /// Returns the ends of a spring, its load on the first one and its stiffness, for points at `r`; if it `only_holds`, without
    /// what pushes points away.
    #[allow(clippy::type_complexity, reason = "used here only")]
    fn line(
        &self,
        i: usize,
        r: &[Vector3<T>],
        only_holds: bool,
    ) -> Result<([End<T>; 2], Vector3<T>, Matrix3<T>), PointError> {
        let PointSpring { ends, c, relaxed } = self.springs[i];
        let [first, second] = ends.map(|end| match end {
            End::Point(point) => r[point],
            End::Other([r, _]) => r,
        });
        let between = second - first;
        let s = between.norm();
        if value(s) <= SAME_PLACE {
            return Err(PointError::SamePlace(i));
        }
        let e = between / s;
        let f = c * (s - relaxed);
        let along = e * e.transpose();
        let across = if only_holds && value(f) < 0.0 { T::zero() } else { f / s };
        let mut stiffness = along * (c - across);
        let least = if only_holds { c * constant::<T>(SHIFT) } else { T::zero() };
        (0..3).for_each(|k| stiffness[(k, k)] += across + least);
        Ok((ends, e * f, stiffness))
    }

    /// Sets loads and stiffness of all points; returns the size of the springs.
    fn assemble(&mut self, only_holds: bool) -> Result<f64, PointError> {
        self.clear();
        let mut size = 0.0_f64;
        for i in 0..self.springs.len() {
            let (ends, load, stiffness) = self.line(i, &self.r, only_holds)?;
            let s = value(load.norm() / self.springs[i].c) + value(self.springs[i].relaxed);
            size = size.max(s);
            self.add(&ends, &load, &stiffness);
        }
        Ok(size)
    }

    /// Sets the points on trial to a part of the step from the present ones.
    fn try_part(&mut self, part: f64) {
        let steps = self.right.chunks_exact(3);
        for ((tried, r), step) in self.tried.iter_mut().zip(&self.r).zip(steps) {
            *tried = r + Vector3::from_column_slice(step) * constant::<T>(part);
        }
    }

    /// Returns the fraction of a step that does this work at its beginning, at which energy has fallen.
    fn step_length(&mut self, work: f64, size: f64) -> f64 {
        let energy = |points: &Self, r: &[Vector3<T>]| {
            let of = |spring: &PointSpring<T>| {
                let [first, second] = spring.ends.map(|end| match end {
                    End::Point(point) => r[point],
                    End::Other([r, _]) => r,
                });
                let stretch = value((second - first).norm() - spring.relaxed);
                0.5 * value(spring.c) * stretch * stretch
            };
            points.springs.iter().map(of).sum::<f64>()
        };
        let begin = energy(self, &self.r);
        let rounding = CLOSE * begin.max(f64::MIN_POSITIVE);
        let largest = self.right.iter().map(|step| value(*step).abs()).fold(0.0, f64::max);
        let mut part = if largest > size { size / largest } else { 1.0 };
        while part > MIN_PART {
            self.try_part(part);
            if energy(self, &self.tried) <= begin - 1e-4 * part * work + rounding {
                return part;
            }
            part /= 2.0;
        }
        part
    }
}
