//! Points without mass in space, where springs and dampers meet.
//!
//! ```text
//! 0 = sum e f,   f = c (s - s_0) + d s'            e: from the point to the other end, at the distance s
//! D v = sum D_other v_other + e c (s - s_0)        of points with dampers, whose positions are states
//! D = sum d e e^T
//! K v = sum K_other v_other                        of points with springs alone
//! K = sum c e e^T + c (s - s_0)/s (1 - e e^T)
//! ```
//!
//! A point with one or two dampers, whose lengths are states, has distances that these give: see `guide.rs`.
//!
//! Points with springs alone are where the energy of these has a minimum, near those with which the search begins.

mod guide;
mod line;

use nalgebra::{DMatrix, Matrix3, Vector3};

use crate::factor::{Factor, SINGULAR};
use crate::{Scalar, constant, value};
use guide::Guide;
use line::SAME_PLACE;
pub use line::{End, PointError, PointLine};

/// Largest number of steps.
const MAX_STEPS: usize = 200;

/// Fraction of the size below which a step is the last one.
const CLOSE: f64 = 1e-11;

/// Smallest fraction of a step.
const MIN_PART: f64 = 1e-12;

/// Fraction of the stiffness that is added where it is not positive definite.
const SHIFT: f64 = 1e-3;

/// Positions and velocities of points, with the buffers to find them.
#[derive(Clone, Debug)]
pub struct Points<T: Scalar> {
    /// Positions in m, resolved in the world frame.
    pub r: Vec<Vector3<T>>,
    /// Velocities in m/s.
    pub v: Vec<Vector3<T>>,
    /// The springs and dampers.
    pub lines: Vec<PointLine<T>>,
    /// For each point, true if its position is given, since dampers act on it in all directions.
    is_damped: Vec<bool>,
    guides: Vec<Guide<T>>,
    /// For each point, true if the equations are not solved for it.
    is_known: Vec<bool>,
    tried: Vec<Vector3<T>>,
    matrix: DMatrix<T>,
    factor: Factor<T>,
    right: Vec<T>,
    loads: Vec<T>,
}

impl<T: Scalar> Points<T> {
    /// Allocates points, of each of which is said whether dampers act on it in all directions, and that many lines. Guided
    /// points have one or two lines of given length.
    pub fn new(is_damped: Vec<bool>, guided: &[(usize, [Option<usize>; 2])], lines: usize) -> Self {
        let points = is_damped.len();
        let zeros = vec![Vector3::zeros(); points];
        let matrix = DMatrix::zeros(3 * points, 3 * points);
        let line = PointLine { ends: [End::Point(0); 2], c: T::zero(), relaxed: T::zero(), d: T::zero(), length: None };
        Self {
            r: zeros.clone(),
            v: zeros.clone(),
            lines: vec![line; lines],
            is_known: is_damped.clone(),
            is_damped,
            guides: guided.iter().map(|(point, lines)| Guide::new(*point, *lines)).collect(),
            tried: zeros,
            factor: Factor::unfactored(matrix.clone()),
            matrix,
            right: vec![T::zero(); 3 * points],
            loads: vec![T::zero(); 3 * points],
        }
    }

    /// Finds positions, where they are not given, and velocities; at the start all positions and lengths.
    ///
    /// # Errors
    ///
    /// Names a point that springs or dampers do not hold, or a line without a direction.
    pub fn find(&mut self, is_start: bool) -> Result<(), PointError> {
        if is_start {
            self.find_start()?;
        } else if self.solves_for(false) {
            self.balance()?;
        }
        self.find_velocities()
    }

    /// Finds the positions at the start, where springs balance, with the lengths that are given from then on; where springs leave
    /// points open, dampers first do as if they were springs.
    fn find_start(&mut self) -> Result<(), PointError> {
        self.is_known.fill(false);
        self.balance().or_else(|_| self.balance_with_dampers())?;
        for i in 0..self.guides.len() {
            for line in self.guides[i].lines() {
                self.lines[line].length = Some(self.direction(line)?.1);
            }
        }
        Ok(())
    }

    fn balance_with_dampers(&mut self) -> Result<(), PointError> {
        let lines = self.lines.clone();
        for line in self.lines.iter_mut().filter(|line| value(line.d) > 0.0) {
            let c = line.c + line.d;
            line.relaxed *= line.c / c;
            line.c = c;
        }
        let found = self.balance();
        self.lines = lines;
        found?;
        let r = self.r.clone();
        if self.approach(false).is_err() {
            self.r = r;
        }
        Ok(())
    }

    /// Finds the velocities, where positions are known.
    fn find_velocities(&mut self) -> Result<(), PointError> {
        self.find_damped_velocities()?;
        if !self.solves_for(false) {
            return Ok(());
        }
        self.assemble(false)?;
        let Self { r, v, lines, guides, .. } = self;
        guides.iter().for_each(|guide| guide.set_velocity_across(lines, r, &mut *v));
        self.right.fill(T::zero());
        for i in 0..self.lines.len() {
            let (_, stiffness) = self.line(i, false)?;
            self.add_load(i, &(stiffness * self.known_difference(i, 1)));
        }
        let Self { r, v, lines, guides, right, .. } = self;
        guides.iter().for_each(|guide| guide.restrict_rates(lines, [&*r, &*v], right));
        self.factor.replace(&self.matrix).map_err(|row| PointError::Loose(row / 3))?;
        self.solve_velocities();
        Ok(())
    }

    /// Finds the velocities of points with dampers in all directions.
    fn find_damped_velocities(&mut self) -> Result<(), PointError> {
        // No damper leads to other points.
        self.v.fill(Vector3::zeros());
        if !self.solves_for(true) {
            return Ok(());
        }
        self.clear();
        for i in 0..self.lines.len() {
            let (load, _) = self.line(i, false)?;
            let (e, _) = self.direction(i)?;
            let damping = e * e.transpose() * self.lines[i].d;
            self.add(i, &(load + damping * self.known_difference(i, 1)), &damping);
        }
        self.factor_damping()?;
        self.solve_velocities();
        Ok(())
    }

    /// Chooses the points for which equations are solved: those with dampers, or those without. Returns false if there are none.
    fn solves_for(&mut self, damped: bool) -> bool {
        for (is_known, is_damped) in self.is_known.iter_mut().zip(&self.is_damped) {
            *is_known = *is_damped != damped;
        }
        self.is_known.contains(&false)
    }

    /// Finds the positions where springs balance; not from the last ones, since the motion must follow from the states alone.
    fn balance(&mut self) -> Result<(), PointError> {
        self.begin()?;
        self.approach(true)
    }

    /// Sets the points to where springs without a length of their own would hold them.
    fn begin(&mut self) -> Result<(), PointError> {
        self.clear();
        for i in 0..self.lines.len() {
            let c = self.lines[i].c;
            self.add(i, &(self.known_difference(i, 0) * c), &Matrix3::from_diagonal_element(c));
        }
        self.factor.replace(&self.matrix).map_err(|row| PointError::Loose(row / 3))?;
        self.factor.solve(&mut self.right);
        for ((r, found), is_known) in self.r.iter_mut().zip(self.right.chunks_exact(3)).zip(&self.is_known) {
            if !is_known {
                *r = Vector3::from_column_slice(found);
            }
        }
        let Self { guides, lines, r, .. } = self;
        guides.iter().try_for_each(|guide| guide.keep_length(lines, r))
    }

    /// Finds the positions where springs balance, from those near by; they need not hold there unless they `must_hold`.
    fn approach(&mut self, must_hold: bool) -> Result<(), PointError> {
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
            self.try_part(part)?;
            std::mem::swap(&mut self.r, &mut self.tried);
            if is_last {
                return held.or_else(|row| if must_hold { Err(PointError::Loose(row / 3)) } else { Ok(()) });
            }
        }
        let steps = self.right.iter().map(|step| value(*step).abs()).enumerate();
        let (row, _) = steps.max_by(|(_, one), (_, other)| one.total_cmp(other)).unwrap_or_default();
        Err(PointError::Loose(row / 3))
    }

    /// Factors the damping of all points with dampers.
    fn factor_damping(&mut self) -> Result<(), PointError> {
        let is_flat = |point: &usize| {
            // In a plane along axes of the world rounding errors are all that is left of one direction.
            let entries = [0, 1, 2].map(|k| value(self.matrix[(3 * point + k, 3 * point + k)]));
            let sum: f64 = entries.iter().sum();
            entries.iter().any(|entry| *entry <= SINGULAR * sum)
        };
        match (0..self.r.len()).find(is_flat) {
            Some(point) => Err(PointError::Undamped(point)),
            None => self.factor.replace(&self.matrix).map_err(|row| PointError::Undamped(row / 3)),
        }
    }

    fn solve_velocities(&mut self) {
        self.factor.solve(&mut self.right);
        for ((v, found), is_known) in self.v.iter_mut().zip(self.right.chunks_exact(3)).zip(&self.is_known) {
            if !is_known {
                *v += Vector3::from_column_slice(found);
            }
        }
    }

    /// Clears the equations; those of known points say that they do not change.
    fn clear(&mut self) {
        self.matrix.fill(T::zero());
        self.right.fill(T::zero());
        for point in (0..self.r.len()).filter(|point| self.is_known[*point]) {
            (3 * point..3 * point + 3).for_each(|k| self.matrix[(k, k)] = T::one());
        }
    }

    /// Returns the difference of positions (order 0) or velocities (1) between both ends of a line, as far as they are known yet.
    fn known_difference(&self, line: usize, order: usize) -> Vector3<T> {
        let points = [&self.r, &self.v][order];
        let [first, second] = self.lines[line].ends.map(|end| match end {
            End::Point(point) if order == 1 || self.is_known[point] => points[point],
            End::Point(_) => Vector3::zeros(),
            End::Other(motion) => motion[order],
        });
        second - first
    }

    /// Returns the points at the ends of a line for which equations are solved, with their ends; none where its length is given.
    fn unknown(&self, line: usize) -> impl Iterator<Item = (usize, usize)> + use<T> {
        let PointLine { ends, length, .. } = self.lines[line];
        let points = ends.map(|end| match end {
            End::Point(point) if length.is_none() && !self.is_known[point] => Some(point),
            _ => None,
        });
        (0..2).zip(points).filter_map(|(end, point)| Some((end, point?)))
    }

    /// Adds a load of a line that pulls its first end towards the second one.
    fn add_load(&mut self, line: usize, load: &Vector3<T>) {
        for (end, point) in self.unknown(line) {
            for row in 0..3 {
                self.right[3 * point + row] += if end == 0 { load[row] } else { -load[row] };
            }
        }
    }

    /// Adds such a load and the stiffness between both ends.
    fn add(&mut self, line: usize, load: &Vector3<T>, stiffness: &Matrix3<T>) {
        self.add_load(line, load);
        for (i, own) in self.unknown(line) {
            for (j, other) in self.unknown(line) {
                for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
                    let entry = stiffness[(row, column)];
                    self.matrix[(3 * own + row, 3 * other + column)] += if i == j { entry } else { -entry };
                }
            }
        }
    }

    /// Returns the direction of a line from its first end to the second one, and its length.
    fn direction(&self, i: usize) -> Result<(Vector3<T>, T), PointError> {
        let [first, second] = self.lines[i].ends.map(|end| match end {
            End::Point(point) => self.r[point],
            End::Other([r, _]) => r,
        });
        let between = second - first;
        let s = between.norm();
        if value(s) <= SAME_PLACE { Err(PointError::SamePlace(i)) } else { Ok((between / s, s)) }
    }

    /// Returns the load of the spring of a line on its first end, and its stiffness; if it `only_holds`, without what pushes points
    /// away.
    fn line(&self, i: usize, only_holds: bool) -> Result<(Vector3<T>, Matrix3<T>), PointError> {
        let PointLine { c, relaxed, .. } = self.lines[i];
        let (e, s) = self.direction(i)?;
        let f = c * (s - relaxed);
        let along = e * e.transpose();
        let across = if only_holds && value(f) < 0.0 { T::zero() } else { f / s };
        let mut stiffness = along * (c - across);
        let least = if only_holds { c * constant::<T>(SHIFT) } else { T::zero() };
        (0..3).for_each(|k| stiffness[(k, k)] += across + least);
        Ok((e * f, stiffness))
    }

    /// Sets loads and stiffness of all points; returns the size of the springs.
    fn assemble(&mut self, only_holds: bool) -> Result<f64, PointError> {
        self.clear();
        let mut size = 0.0_f64;
        for i in 0..self.lines.len() {
            let (load, stiffness) = self.line(i, only_holds)?;
            let [s, relaxed] = [self.direction(i)?.1, self.lines[i].relaxed].map(value);
            size = size.max((s - relaxed).abs() + relaxed);
            self.add(i, &load, &stiffness);
        }
        let Self { r, lines, guides, matrix, right, .. } = self;
        guides.iter_mut().try_for_each(|guide| guide.restrict(lines, r, (matrix, right), only_holds))?;
        Ok(size)
    }

    /// Sets the points on trial to a part of the step from the present ones.
    fn try_part(&mut self, part: f64) -> Result<(), PointError> {
        let steps = self.right.chunks_exact(3);
        for ((tried, r), step) in self.tried.iter_mut().zip(&self.r).zip(steps) {
            *tried = r + Vector3::from_column_slice(step) * constant::<T>(part);
        }
        let Self { guides, lines, tried, .. } = self;
        guides.iter().try_for_each(|guide| guide.keep_length(lines, tried))
    }

    /// Returns the fraction of a step that does this work at its beginning, at which energy has fallen.
    fn step_length(&mut self, work: f64, size: f64) -> f64 {
        let energy = |points: &Self, r: &[Vector3<T>]| {
            let of = |line: &PointLine<T>| {
                let [first, second] = line.ends.map(|end| match end {
                    End::Point(point) => r[point],
                    End::Other([r, _]) => r,
                });
                let stretch = value((second - first).norm() - line.relaxed);
                0.5 * value(line.c) * stretch * stretch
            };
            points.lines.iter().filter(|line| line.length.is_none()).map(of).sum::<f64>()
        };
        let begin = energy(self, &self.r);
        let rounding = CLOSE * begin.max(f64::MIN_POSITIVE);
        let largest = self.right.iter().map(|step| value(*step).abs()).fold(0.0, f64::max);
        let mut part = if largest > size { size / largest } else { 1.0 };
        while part > MIN_PART {
            let is_there = self.try_part(part).is_ok();
            if is_there && energy(self, &self.tried) <= begin - 1e-4 * part * work + rounding {
                return part;
            }
            part /= 2.0;
        }
        part
    }
}

impl Points<f64> {
    /// Returns a point at which dampers should act in all directions, but do not.
    #[inline(never)]
    pub fn undamped(&mut self) -> Option<usize> {
        match self.find_damped_velocities() {
            Err(PointError::Undamped(point)) => Some(point),
            _ => None,
        }
    }
}
