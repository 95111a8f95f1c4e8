//! Measured data: columns of ordinates over one argument, interpolated.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::spline::natural_spline;
use crate::{Scalar, constant, value};

/// How the rows of a table are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothness {
    /// By straight lines.
    Linear,
    /// By a natural cubic spline, whose second derivative is continuous and vanishes at both ends.
    Spline,
}

/// How a table goes on before its first and behind its last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extrapolation {
    /// With the ordinate of that row.
    Hold,
    /// With the slope at that row.
    Linear,
}

/// Why rows are no table; rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoTable {
    /// There are no rows.
    Empty,
    /// An argument does not exceed that of the row before.
    NotIncreasing {
        /// The row.
        row: usize,
    },
    /// The ordinates of a column change too steeply for double precision behind a row.
    TooSteep {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}

/// Columns of ordinates over one argument.
///
/// If the first argument is not negative, the table is even: it is looked up by magnitude.
///
/// Piece k is the polynomial between two arguments, the first and the last piece lie outside. A
/// look-up remembers its piece, since the next one is likely to fall there too. This changes how
/// long it takes, never what it gives, so that a table may be shared.
pub struct Table {
    /// Where each piece begins; minus infinity first, and infinity behind the last.
    bounds: Vec<f64>,
    /// Coefficients of 1, t, t^2, t^3 with t from the piece's origin, column by column.
    pieces: Vec<[f64; 4]>,
    even: bool,
    /// The last piece of each column.
    last: Vec<AtomicUsize>,
}

impl Table {
    /// A table of `rows`: the argument, which must increase, and at least one ordinate. All must be
    /// finite.
    pub fn new<const N: usize>(
        rows: &[[f64; N]],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Self, NoTable> {
        let arguments: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let first = *arguments.first().ok_or(NoTable::Empty)?;
        if let Some(row) = arguments.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(NoTable::NotIncreasing { row: row + 1 });
        }
        let mut pieces = Vec::with_capacity((N - 1) * (rows.len() + 1));
        for column in 1..N {
            let ordinates: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            let begin = pieces.len();
            pieces.push([ordinates[0], 0.0, 0.0, 0.0]);
            match smoothness {
                Smoothness::Linear => pieces.extend(lines(&arguments, &ordinates)),
                Smoothness::Spline => pieces.extend(natural_spline(&arguments, &ordinates)),
            }
            pieces.push([ordinates[rows.len() - 1], 0.0, 0.0, 0.0]);
            let inside = begin + 1..pieces.len() - 1;
            if let Some(row) = pieces[inside.clone()].iter().position(|piece| !piece.iter().all(|c| c.is_finite())) {
                return Err(NoTable::TooSteep { row, column });
            }
            if extrapolation == Extrapolation::Linear && !inside.is_empty() {
                let width = arguments[rows.len() - 1] - arguments[rows.len() - 2];
                pieces[begin][1] = pieces[inside.start][1];
                pieces[inside.end][1] = slope(&pieces[inside.end - 1], width);
            }
        }
        let mut bounds = vec![f64::NEG_INFINITY];
        bounds.extend(arguments);
        bounds.push(f64::INFINITY);
        let last = (1..N).map(|_| AtomicUsize::new(0)).collect();
        Ok(Self { bounds, pieces, even: first >= 0.0, last })
    }

    /// Whether the table is looked up by magnitude.
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// The ordinate of a column, from 0, at an argument; it has the derivative on the right of a kink.
    #[inline]
    pub fn value<T: Scalar>(&self, column: usize, argument: T) -> T {
        let argument = if self.even && value(argument) < 0.0 { -argument } else { argument };
        let piece = self.piece(column, value(argument));
        let [a, b, c, d] = self.pieces[column * (self.bounds.len() - 1) + piece].map(constant::<T>);
        let t = argument - constant(self.bounds[piece.max(1)]);
        a + t * (b + t * (c + t * d))
    }

    /// The smallest ordinate between two rows that lies below both of them by more than rounding,
    /// with the row before it and its column, both from 0; a spline may swing out like that.
    pub fn undershoot(&self) -> Option<(usize, usize, f64)> {
        let inside = self.bounds.len() - 3;
        let lowest = |index: usize| {
            let (column, row) = (index / inside, index % inside);
            let piece = &self.pieces[column * (inside + 2) + row + 1];
            let width = self.bounds[row + 2] - self.bounds[row + 1];
            let end = at(piece, width);
            let margin = 1e-9 * piece[0].abs().max(end.abs());
            let lowest = turns(piece).into_iter().filter(|t| (0.0..width).contains(t)).map(|t| at(piece, t));
            let lowest = lowest.fold(f64::INFINITY, f64::min);
            (lowest < piece[0].min(end) - margin).then_some((row, column, lowest))
        };
        let found = (0..inside * self.last.len()).filter_map(lowest);
        found.min_by(|one, other| one.2.total_cmp(&other.2))
    }

    #[inline]
    fn piece(&self, column: usize, argument: f64) -> usize {
        let last = self.last[column].load(Ordering::Relaxed);
        if self.bounds[last] <= argument && argument < self.bounds[last + 1] {
            return last;
        }
        let piece = self.bounds.partition_point(|bound| *bound <= argument).clamp(1, self.bounds.len() - 1) - 1;
        self.last[column].store(piece, Ordering::Relaxed);
        piece
    }
}

/// The straight lines between the points.
fn lines(x: &[f64], y: &[f64]) -> Vec<[f64; 4]> {
    let points = x.windows(2).zip(y.windows(2));
    points.map(|(x, y)| [y[0], (y[1] - y[0]) / (x[1] - x[0]), 0.0, 0.0]).collect()
}

fn at([a, b, c, d]: &[f64; 4], t: f64) -> f64 {
    a + t * (b + t * (c + t * d))
}

fn slope([_, b, c, d]: &[f64; 4], t: f64) -> f64 {
    b + t * (2.0 * c + t * 3.0 * d)
}

/// Where the slope of a polynomial vanishes; numbers that are not finite mean nowhere.
fn turns([_, b, c, d]: &[f64; 4]) -> [f64; 2] {
    // The stable form of the quadratic formula for 3 d t^2 + 2 c t + b = 0.
    let q = -(c + c.signum() * (c * c - 3.0 * b * d).sqrt());
    [q / (3.0 * d), b / q]
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table of {} rows and {} columns", self.bounds.len() - 2, self.last.len())
    }
}
