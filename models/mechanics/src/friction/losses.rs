//! Losses of a gear: efficiency of its mesh by the direction of power, and friction of its bearings, over the speed.
//!
//! ```text
//! u = sigma tau_a,   L = sigma l(u),   sigma: direction of the motion
//! l(u) = max((1 - eta1) u + tau1, (1 - 1/eta2) u + tau2)     a drives for u > beta, b for u < beta
//! beta = eta2 (tau2 - tau1) / (1 - eta1 eta2)
//! ```

use crate::{Scalar, constant, value};

/// Efficiencies and friction torques of a gear at one speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses<T> {
    /// Efficiency where a drives, and where b does.
    pub eta: [T; 2],
    /// Torque of bearing friction at flange_a where a drives, and where b does, in N.m.
    pub tau: [T; 2],
}

impl<T: Scalar> Losses<T> {
    /// Returns the torque, in the direction of the motion, above which a drives.
    pub fn corner(&self) -> T {
        // Without losses of the mesh the larger torque counts, whichever side drives.
        let denominator = (T::one() - self.eta[0] * self.eta[1]).max(constant(1e-12));
        self.eta[1] * (self.tau[1] - self.tau[0]) / denominator
    }

    /// Returns the lost torque at a torque in the direction of the motion, infinite where the gear locks itself.
    pub fn loss(&self, u: T) -> T {
        if u >= self.corner() {
            (T::one() - self.eta[0]) * u + self.tau[0]
        } else if value(self.eta[1]) > 0.0 {
            // Kept from zero: the compiler may divide before the comparison, which traps.
            u - u / self.eta[1].max(constant(1e-12)) + self.tau[1]
        } else {
            constant(f64::INFINITY)
        }
    }
}

/// Reason why a table gives no losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LossTableError {
    /// The table has no rows.
    Empty,
    /// An element is invalid; rows and columns count from 1.
    Element {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
        /// The element.
        value: f64,
        /// The rule that it violates, for a message.
        needed: &'static str,
    },
}

/// Losses over the speed: linear between the rows of a table and beyond them, but efficiencies from 0 to 1, and no torque
/// below 0.
#[derive(Clone, Debug, PartialEq)]
pub struct LossTable {
    /// The first node at speed 0, then one wherever a slope changes.
    nodes: Vec<Node>,
    clamped_from: Option<f64>,
}

/// A speed from which on all four values are straight lines.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    speed: f64,
    values: [f64; 4],
    slopes: [f64; 4],
}

/// Bounds of the four values.
const BOUNDS: [[f64; 2]; 4] = [[0.0, 1.0], [0.0, 1.0], [0.0, f64::INFINITY], [0.0, f64::INFINITY]];

/// Checks the elements of rows of speed, both efficiencies and both torques.
fn check(rows: &[[f64; 5]]) -> Result<(), LossTableError> {
    let mut previous = f64::NEG_INFINITY;
    for (i, row) in rows.iter().enumerate() {
        let wrong =
            |column: usize, needed| LossTableError::Element { row: i + 1, column, value: row[column - 1], needed };
        if !(row[0].is_finite() && row[0] >= 0.0) {
            return Err(wrong(1, "must be a finite number of at least 0"));
        }
        if row[0] <= previous {
            return Err(wrong(1, "must be greater than the one before"));
        }
        if let Some(column) = [2, 3].into_iter().find(|column| !(0.0..=1.0).contains(&row[column - 1])) {
            return Err(wrong(column, "an efficiency must be from 0 to 1"));
        }
        if let Some(column) = [4, 5].into_iter().find(|column| !(row[column - 1].is_finite() && row[column - 1] >= 0.0))
        {
            return Err(wrong(column, "must be a finite number of at least 0"));
        }
        if row[1] == 1.0 && row[2] == 1.0 && row[3] != row[4] {
            return Err(wrong(
                5,
                "must be the same as tau1, since with both efficiencies 1 it cannot depend on which side drives",
            ));
        }
        previous = row[0];
    }
    Ok(())
}

impl LossTable {
    /// Makes the losses from rows of speed, both efficiencies and both torques.
    ///
    /// # Errors
    ///
    /// Names an element that is not possible.
    pub fn new(rows: &[[f64; 5]]) -> Result<Self, LossTableError> {
        let Some(last) = rows.last() else { return Err(LossTableError::Empty) };
        check(rows)?;
        // Zero where there is one row only.
        let slope = |one: &[f64; 5], other: &[f64; 5], c: usize| {
            (other[c] - one[c]) / f64::max(other[0] - one[0], f64::MIN_POSITIVE)
        };
        let line = |one: &[f64; 5], other: &[f64; 5], speed: f64| {
            let at = |c: usize| one[c] + slope(one, other, c) * (speed - one[0]);
            [speed, at(1), at(2), at(3), at(4)]
        };
        let (first, second, before) = (&rows[0], &rows[1.min(rows.len() - 1)], &rows[rows.len().saturating_sub(2)]);
        // Bounds are reached beyond the rows only.
        let crossings = |one: &[f64; 5], other: &[f64; 5], within: &dyn Fn(f64) -> bool| {
            let mut speeds = Vec::new();
            for (c, bounds) in BOUNDS.iter().enumerate() {
                let slope = slope(one, other, c + 1);
                if slope == 0.0 {
                    continue;
                }
                speeds
                    .extend(bounds.iter().map(|bound| one[0] + (bound - one[c + 1]) / slope).filter(|at| within(*at)));
            }
            speeds.sort_by(f64::total_cmp);
            speeds
        };
        let mut points = Vec::new();
        if first[0] > 0.0 {
            points.push(line(first, second, 0.0));
            points.extend(
                crossings(first, second, &|at| at > 0.0 && at < first[0]).iter().map(|at| line(first, second, *at)),
            );
        }
        points.extend_from_slice(rows);
        let beyond = crossings(before, last, &|at| at.is_finite() && at > last[0]);
        points.extend(beyond.iter().map(|at| line(before, last, *at)));
        points.push(line(before, last, 2.0 * points[points.len() - 1][0] + 1.0));
        let bounded = |point: &[f64; 5]| std::array::from_fn(|c| point[c + 1].clamp(BOUNDS[c][0], BOUNDS[c][1]));
        let mut nodes: Vec<Node> = Vec::new();
        for pair in points.windows(2).filter(|pair| pair[1][0] - pair[0][0] > 1e-12 * (1.0 + last[0])) {
            let [values, next]: [[f64; 4]; 2] = [bounded(&pair[0]), bounded(&pair[1])];
            let slopes = std::array::from_fn(|c| (next[c] - values[c]) / (pair[1][0] - pair[0][0]));
            let is_kink = |last: &Node| {
                (0..4).any(|c| f64::abs(last.slopes[c] - slopes[c]) > 1e-12 * (1.0 + f64::abs(slopes[c])))
            };
            if nodes.last().is_none_or(is_kink) {
                nodes.push(Node { speed: pair[0][0], values, slopes });
            }
        }
        let clamped_from = beyond.first().copied().filter(|_| {
            BOUNDS.iter().zip(&last[1..]).zip(&before[1..]).any(
                // What is at its bound already may stay there.
                |((_, last), before)| last != before,
            )
        });
        Ok(Self { nodes, clamped_from })
    }

    /// Returns the speed from which on an extrapolated value is held at its bound, if there is one.
    pub fn clamped_from(&self) -> Option<f64> {
        self.clamped_from
    }

    /// True if nothing is ever lost.
    pub fn is_ideal(&self) -> bool {
        self.nodes.iter().all(|node| node.values == [1.0, 1.0, 0.0, 0.0])
    }

    fn position(&self, speed: f64) -> usize {
        self.nodes.partition_point(|node| node.speed <= speed).saturating_sub(1)
    }

    /// Evaluates the losses at a speed.
    pub fn at<T: Scalar>(&self, speed: T) -> Losses<T> {
        let Node { speed: from, values, slopes } = self.nodes[self.position(value(speed))];
        let [eta1, eta2, tau1, tau2] =
            std::array::from_fn(|c| constant::<T>(values[c]) + (speed - constant(from)) * constant(slopes[c]));
        Losses { eta: [eta1, eta2], tau: [tau1, tau2] }
    }

    /// Evaluates an event indicator that changes its sign wherever a slope changes, continuously.
    pub fn kinks<T: Scalar>(&self, speed: T) -> T {
        let position = self.position(value(speed));
        let above = self.nodes.get(position + 1).map(|node| constant::<T>(node.speed) - speed);
        let below = (position > 0).then(|| speed - constant(self.nodes[position].speed));
        let distance = [above, below].into_iter().flatten().fold(T::one(), |least, distance| least.min(distance));
        if position.is_multiple_of(2) { distance } else { -distance }
    }
}
