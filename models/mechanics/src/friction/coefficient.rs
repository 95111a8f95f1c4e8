//! The coefficient of sliding friction over the speed.

use scalar::{moved_rows, rises};

use crate::{Dual64, Scalar, constant, value};

/// Extrapolation of the coefficient beyond the rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extrapolation {
    /// The line through the nearest two rows, but never negative.
    #[default]
    Linear,
    /// The coefficient of the nearest row.
    Hold,
}

/// The coefficient of sliding friction mu(u), u >= 0: linear between the rows of a table. One row is a constant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coefficient {
    /// The first node at u = 0, then one wherever the slope changes.
    nodes: Vec<Node<f64>>,
    /// For each node, the derivatives of mu and of the slope with respect to the motion of the table's
    /// elements; empty unless they move.
    tangents: Vec<[f64; 2]>,
    clamped_from: Option<f64>,
    extrapolation: Extrapolation,
}

/// A node of the table, from which on the coefficient is `mu + slope (speed - u)`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node<T> {
    u: T,
    mu: T,
    slope: T,
}

/// Reason why a table gives no coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoefficientError {
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

/// An interval of speeds in which the slope is constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Lowest speed.
    pub lo: f64,
    /// Highest speed, possibly infinite.
    pub hi: f64,
    /// Slope of mu.
    pub slope: f64,
}

impl Coefficient {
    /// Makes the coefficient from rows of speed and coefficient.
    pub fn new(rows: &[[f64; 2]], extrapolation: Extrapolation) -> Result<Self, CoefficientError> {
        if rows.is_empty() {
            return Err(CoefficientError::Empty);
        }
        let mut previous = f64::NEG_INFINITY;
        for (i, [u, mu]) in rows.iter().enumerate() {
            let wrong = |column, value, needed| CoefficientError::Element { row: i + 1, column, value, needed };
            if !(u.is_finite() && *u >= 0.0) {
                return Err(wrong(1, *u, "must be a finite number of at least 0"));
            }
            if *u <= previous {
                return Err(wrong(1, *u, "must be greater than the one before"));
            }
            if !(mu.is_finite() && *mu >= 0.0) {
                return Err(wrong(2, *mu, "must be a finite number of at least 0"));
            }
            previous = *u;
        }
        let (mut nodes, clamped_from) = nodes(rows, extrapolation);
        nodes.dedup_by(|next, node| next.slope == node.slope);
        Ok(Self { nodes, tangents: Vec::new(), clamped_from, extrapolation })
    }

    /// Lets the elements of `rows` move along `direction`: mu in dual numbers then has the derivative with respect to
    /// that motion, in addition to that with respect to the speed.
    pub fn along(self, rows: &[[f64; 2]], direction: &[[f64; 2]]) -> Self {
        // No node is left out, since equal slopes may become different.
        let (moved, _) = nodes(&moved_rows(rows, direction), self.extrapolation);
        let value = |Node { u, mu, slope }: &Node<Dual64>| Node { u: u.re, mu: mu.re, slope: slope.re };
        let tangent = |Node { u, mu, slope }: &Node<Dual64>| [mu.eps - slope.re * u.eps, slope.eps];
        Self { nodes: moved.iter().map(value).collect(), tangents: moved.iter().map(tangent).collect(), ..self }
    }

    /// Returns the coefficient at rest.
    #[inline]
    pub fn at_rest(&self) -> f64 {
        self.nodes.first().map_or(0.0, |node| node.mu)
    }

    /// Returns the speed from which on the extrapolated coefficient would be negative, if there is one.
    pub fn clamped_from(&self) -> Option<f64> {
        self.clamped_from
    }

    /// Iterates over the speeds at which the slope changes.
    pub(super) fn kink_speeds(&self) -> impl Iterator<Item = f64> + '_ {
        self.nodes.iter().skip(1).map(|node| node.u)
    }

    /// Evaluates mu(u). Below zero, where only a solver evaluates it, the first slope continues.
    #[inline]
    pub fn mu<T: Scalar>(&self, u: T) -> T {
        self.mu_directional(u, T::zero())
    }

    /// Evaluates mu(u), at a kink with the slope on the side from which u approaches. `time_derivative` is 0 and has
    /// the derivative of the time.
    #[inline]
    pub fn mu_directional<T: Scalar>(&self, u: T, time_derivative: T) -> T {
        let position = self.position(value(u));
        let has_risen = rises(u, time_derivative) && position > 0 && self.nodes[position].u == value(u);
        self.mu_at(position - usize::from(has_risen), u)
    }

    /// Evaluates mu(u) with the [position](Self::position) of u.
    #[inline]
    pub(super) fn mu_at<T: Scalar>(&self, position: usize, u: T) -> T {
        let Some(node) = self.nodes.get(position) else { return T::zero() };
        let mu = constant::<T>(node.mu) + (u - constant(node.u)) * constant(node.slope);
        if value(mu) < 0.0 {
            return T::zero();
        }
        match self.tangents.get(position) {
            Some([at_node, slope]) if T::IS_DUAL => mu + T::with_tangent(0.0, at_node + (value(u) - node.u) * slope),
            _ => mu,
        }
    }

    /// Returns the segment around a speed; at its border, the one that the speed enters when it rises or falls.
    #[inline]
    pub fn segment(&self, u: f64, rises: bool) -> Segment {
        self.segment_at(self.position(u), u, rises)
    }

    /// Returns the segment with the [position](Self::position) of u.
    #[inline]
    pub(super) fn segment_at(&self, mut position: usize, u: f64, rises: bool) -> Segment {
        if !rises && position > 0 && self.nodes[position].u == u {
            position -= 1;
        }
        let hi = self.nodes.get(position + 1).map_or(f64::INFINITY, |node| node.u);
        let (lo, slope) = self.nodes.get(position).map_or((0.0, 0.0), |node| (node.u, node.slope));
        Segment { lo, hi, slope }
    }

    /// Evaluates an event indicator that changes its sign wherever the slope changes, continuously.
    pub fn kinks<T: Scalar>(&self, u: T) -> T {
        let position = self.position(u.value());
        let above = self.nodes.get(position + 1).map(|node| constant::<T>(node.u) - u);
        let below = self.nodes[..=position].last().filter(|_| position > 0).map(|node| u - constant(node.u));
        let distance = [above, below].into_iter().flatten().fold(T::one(), |least, distance| least.min(distance));
        if position.is_multiple_of(2) { distance } else { -distance }
    }

    /// Returns the index of the last node not above a speed.
    #[inline]
    pub(super) fn position(&self, u: f64) -> usize {
        if self.nodes.len() < 8 {
            return self.nodes.iter().skip(1).take_while(|node| node.u <= u).count();
        }
        self.nodes.partition_point(|node| node.u <= u).saturating_sub(1)
    }
}

/// Computes the nodes of a table at increasing speeds, and the speed from which on it is clamped.
fn nodes<T: Scalar>(rows: &[[T; 2]], extrapolation: Extrapolation) -> (Vec<Node<T>>, Option<f64>) {
    let zero = T::zero();
    let slopes: Vec<T> = rows.windows(2).map(|pair| (pair[1][1] - pair[0][1]) / (pair[1][0] - pair[0][0])).collect();
    let beyond = |slope: Option<&T>| slope.copied().filter(|_| extrapolation == Extrapolation::Linear).unwrap_or(zero);
    let (before, behind) = (beyond(slopes.first()), beyond(slopes.last()));

    let mut nodes = Vec::with_capacity(rows.len() + 3);
    let [u, mu] = rows[0];
    if value(u) > 0.0 {
        let at_rest = mu - before * u;
        if value(at_rest) < 0.0 {
            nodes.push(Node { u: zero, mu: zero, slope: zero });
            nodes.push(Node { u: u - mu / before, mu: zero, slope: before });
        } else {
            nodes.push(Node { u: zero, mu: at_rest, slope: before });
        }
    }
    let with_slope = rows.iter().zip(slopes.into_iter().chain([behind]));
    nodes.extend(with_slope.map(|([u, mu], slope)| Node { u: *u, mu: *mu, slope }));
    let [u, mu] = rows[rows.len() - 1];
    let clamped_from = (value(behind) < 0.0).then(|| u - mu / behind.min(constant(-1e-300)));
    nodes.extend(clamped_from.map(|u| Node { u, mu: zero, slope: zero }));
    nodes.dedup_by(|next, node| {
        let same = value(next.u) <= value(node.u);
        if same {
            *node = *next;
        }
        same
    });
    (nodes, clamped_from.map(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[[f64; 2]]) -> Coefficient {
        Coefficient::new(rows, Extrapolation::Linear).unwrap()
    }

    fn held(rows: &[[f64; 2]]) -> Coefficient {
        Coefficient::new(rows, Extrapolation::Hold).unwrap()
    }

    #[test]
    fn between_and_beyond_the_rows_it_is_linear() {
        let falling_and_rising = table(&[[1.0, 0.6], [3.0, 0.4], [5.0, 0.5]]);
        for (u, mu) in [(0.0, 0.7), (0.5, 0.65), (1.0, 0.6), (2.0, 0.5), (3.0, 0.4), (4.0, 0.45), (9.0, 0.7)] {
            assert!(f64::abs(falling_and_rising.mu(u) - mu) < 1e-15, "{u}");
        }
        assert_eq!(falling_and_rising.at_rest(), 0.7);
        assert_eq!(falling_and_rising.clamped_from(), None);
        assert_eq!(table(&[[2.0, 0.3]]).mu(7.0), 0.3);
        assert_eq!(table(&[[2.0, 0.3]]).at_rest(), 0.3);
    }

    #[test]
    fn it_is_never_negative() {
        let falling = table(&[[0.0, 0.5], [1.0, 0.25]]);
        assert_eq!((falling.mu(2.0), falling.mu(3.0)), (0.0, 0.0));
        assert_eq!(falling.clamped_from(), Some(2.0));
        assert_eq!(table(&[[0.0, 0.5], [1.0, 0.0], [2.0, 0.0]]).clamped_from(), None);
        assert_eq!(falling.segment(5.0, true), Segment { lo: 2.0, hi: f64::INFINITY, slope: 0.0 });
        let rising = table(&[[2.0, 0.1], [4.0, 0.5]]);
        assert_eq!((rising.at_rest(), rising.mu(1.0)), (0.0, 0.0));
        assert!(f64::abs(rising.mu(2.25) - 0.15) < 1e-15);
        assert_eq!(rising.mu(1.5), 0.0);
    }

    #[test]
    fn it_can_be_held_beyond_the_rows() {
        let falling = held(&[[1.0, 0.5], [2.0, 0.25]]);
        for (u, mu) in [(0.0, 0.5), (0.5, 0.5), (1.0, 0.5), (1.5, 0.375), (2.0, 0.25), (9.0, 0.25)] {
            assert_eq!(falling.mu(u), mu, "{u}");
        }
        assert_eq!((falling.at_rest(), falling.clamped_from()), (0.5, None));
        assert_eq!(falling.segment(5.0, true), Segment { lo: 2.0, hi: f64::INFINITY, slope: 0.0 });
        assert_eq!(held(&[[2.0, 0.3]]).mu(7.0), 0.3);
    }

    #[test]
    fn stretches_meet_at_the_rows() {
        let three = table(&[[0.0, 0.5], [1.0, 0.4], [2.0, 0.35], [3.0, 0.5]]);
        let [below, above] = [false, true].map(|rises| three.segment(1.0, rises));
        assert_eq!((below.lo, below.hi, above.lo, above.hi), (0.0, 1.0, 1.0, 2.0));
        assert!((below.slope + 0.1).abs() < 1e-15 && (above.slope + 0.05).abs() < 1e-15);
    }

    #[test]
    fn the_sign_of_kinks_changes_at_each_row() {
        let three = table(&[[0.0, 0.5], [1.0, 0.4], [2.0, 0.35], [3.0, 0.5]]);
        let signs = [0.0, 0.9, 1.1, 1.9, 2.1, 9.0].map(|u| three.kinks(u) > 0.0);
        assert_eq!(signs, [true, true, false, false, true, true]);
        assert_eq!(three.kinks(1.0), 0.0);
    }

    #[test]
    fn derivatives_by_the_elements_are_limits_of_differences() {
        let rows = [[1.0, 0.6], [3.0, 0.4], [5.0, 0.2], [6.0, 0.05]];
        let clamped = [[1.0, 0.1], [2.0, 0.5]];
        let direction = [[0.3, -0.7], [-0.2, 0.5], [0.9, 0.1], [-0.4, 0.8]];
        for rows in [&rows[..], &clamped, &clamped[..1]] {
            for make in [table, held] {
                let at = |by: f64| {
                    let moved = rows.iter().zip(&direction).map(|(row, d)| [row[0] + by * d[0], row[1] + by * d[1]]);
                    make(&moved.collect::<Vec<_>>())
                };
                let moving = at(0.0).along(rows, &direction[..rows.len()]);
                for u in [0.0, 0.5, 0.9, 1.7, 2.9, 3.1, 4.2, 5.5, 6.1, 9.0] {
                    let h = 1e-5;
                    let difference = (at(h).mu(u) - at(-h).mu(u)) / (2.0 * h);
                    let exact = moving.mu(Dual64::from_re(u));
                    assert!((exact.eps - difference).abs() < 1e-8, "{u}: {} {difference}", exact.eps);
                    assert!((exact.re - at(0.0).mu(u)).abs() < 1e-15 && moving.mu(u) == exact.re);
                }
            }
        }
    }

    #[test]
    fn wrong_tables_are_refused() {
        let wrong = |rows: &[[f64; 2]]| match Coefficient::new(rows, Extrapolation::Linear).unwrap_err() {
            CoefficientError::Element { row, column, needed, .. } => (row, column, needed),
            CoefficientError::Empty => (0, 0, ""),
        };
        let bound = "must be a finite number of at least 0";
        assert_eq!(wrong(&[]), (0, 0, ""));
        assert_eq!(wrong(&[[-1.0, 0.5]]), (1, 1, bound));
        assert_eq!(wrong(&[[0.0, 0.5], [1.0, -0.5]]), (2, 2, bound));
        assert_eq!(wrong(&[[0.0, f64::NAN]]), (1, 2, bound));
        assert_eq!(wrong(&[[0.0, 0.5], [1.0, 0.5], [1.0, 0.4]]), (3, 1, "must be greater than the one before"));
    }
}
