//! Measured data: columns of ordinates over one argument, interpolated.

pub mod spline;

use scalar::{Dual64, Scalar, constant, moved_rows, rises, value};
use spline::{akima_spline, natural_spline};

/// Interpolation of a table between its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Smoothness {
    /// Straight lines.
    Linear,
    /// A natural cubic spline, whose second derivative is continuous and vanishes at both ends.
    Spline,
    /// The cubic spline of Akima, whose first derivative is continuous.
    Akima,
}

/// Extrapolation of a table before its first and after its last row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extrapolation {
    /// The ordinate of the nearest row.
    Hold,
    /// A line with the slope at the nearest row.
    Linear,
}

/// Reason why rows do not make a table; rows and columns count from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TableError {
    /// There are no rows.
    Empty,
    /// An argument does not exceed that of the row before.
    NotIncreasing {
        /// The row.
        row: usize,
    },
    /// The ordinates of a column change too steeply for double precision after a row.
    TooSteep {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}

/// Interpolation in columns of ordinates over one argument, prepared from the rows of a table parameter.
///
/// If the first argument is not negative, apart from rounding, the table is even: it is looked up by magnitude.
///
/// Piece k is the polynomial between the arguments k - 1 and k, the first and the last piece lie
/// outside. A look-up finds its piece by the bucket that it falls into: as many as there are rows,
/// equally wide, each with the arguments that lie in it.
#[derive(Clone, Debug)]
pub struct LookupTable {
    arguments: Vec<f64>,
    /// Buckets per unit of the argument.
    scale: f64,
    /// Number of arguments before each bucket, and of all arguments.
    before: Vec<u32>,
    /// Coefficients of 1, t, t^2, t^3 with t from the piece's origin, column by column.
    pieces: Vec<[f64; 4]>,
    /// Derivatives of these polynomials with respect to the motion of the table's elements; empty unless they move.
    tangents: Vec<[f64; 4]>,
    even: bool,
}

/// Fraction of the last argument below which a negative first one is a spreadsheet's zero.
const ROUNDING: f64 = 1e-12;

impl LookupTable {
    /// Makes a table of `rows`: the argument, which must increase, and at least one ordinate. All must be finite.
    pub fn new<const N: usize>(
        rows: &[[f64; N]],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Self, TableError> {
        let (arguments, ordinates) = columns(rows);
        Self::of_columns(arguments, &ordinates, smoothness, extrapolation)
    }

    /// Makes a table of columns: not generic, so that it is compiled once, and for size.
    fn of_columns(
        arguments: Vec<f64>,
        ordinates: &[Vec<f64>],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Result<Self, TableError> {
        let count = arguments.len();
        let [first, last] = [arguments.first(), arguments.last()].map(|argument| argument.copied());
        let (first, last) = first.zip(last).ok_or(TableError::Empty)?;
        if let Some(row) = arguments.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(TableError::NotIncreasing { row: row + 1 });
        }
        let pieces = pieces(&arguments, ordinates, smoothness, extrapolation);
        let is_finite = |piece: &[f64; 4]| piece.iter().all(|coefficient| coefficient.is_finite());
        if let Some(steep) = pieces.iter().position(|piece| !is_finite(piece)) {
            // The extrapolations have the slopes of the neighbouring pieces.
            let (column, piece) = (steep / (count + 1), steep % (count + 1));
            let row = piece.saturating_sub(1).min(count.saturating_sub(2));
            return Err(TableError::TooSteep { row, column: column + 1 });
        }
        // One row needs one bucket. Hosts may trap on divisions by zero.
        let width = if last > first { last - first } else { f64::INFINITY };
        let before = vec![0; count + 1];
        let mut table = Self {
            scale: count as f64 / width,
            pieces,
            tangents: Vec::new(),
            even: first >= -ROUNDING * last,
            arguments,
            before,
        };
        for row in 0..count {
            let bucket = table.bucket(table.arguments[row]);
            table.before[bucket + 1] += 1;
        }
        for bucket in 1..=count {
            table.before[bucket] += table.before[bucket - 1];
        }
        Ok(table)
    }

    /// Lets the elements of `rows` move along `direction`: look-ups in dual numbers then have the derivative with
    /// respect to that motion, in addition to that with respect to the argument.
    pub fn along<const N: usize>(
        self,
        rows: &[[f64; N]],
        direction: &[[f64; N]],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Self {
        let (arguments, ordinates) = columns(&moved_rows(rows, direction));
        self.along_columns(&arguments, &ordinates, smoothness, extrapolation)
    }

    fn along_columns(
        self,
        arguments: &[Dual64],
        ordinates: &[Vec<Dual64>],
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Self {
        let pieces = pieces(arguments, ordinates, smoothness, extrapolation);
        let tangent = |(index, piece): (usize, &[Dual64; 4])| {
            // The polynomial begins at the argument before it, which moves, too.
            let origin = (index % (arguments.len() + 1)).saturating_sub(1);
            let [a, b, c, d] = piece.map(|coefficient| coefficient.eps);
            let [_, slope, curvature, third] = piece.map(|coefficient| coefficient.re * arguments[origin].eps);
            [a - slope, b - 2.0 * curvature, c - 3.0 * third, d]
        };
        Self { tangents: pieces.iter().enumerate().map(tangent).collect(), ..self }
    }

    /// Iterates over the rows of a column, from 0, as argument and ordinate.
    pub fn points(&self, column: usize) -> impl Iterator<Item = [f64; 2]> {
        let ordinates = &self.pieces[column * (self.arguments.len() + 1) + 1..];
        self.arguments.iter().zip(ordinates).map(|(argument, piece)| [*argument, piece[0]])
    }

    /// True if the table is looked up by magnitude.
    pub fn is_even(&self) -> bool {
        self.even
    }

    /// Returns the ordinate of a column, from 0, at an argument; it has the derivative on the right of a kink.
    #[inline]
    pub fn value<T: Scalar>(&self, column: usize, argument: T) -> T {
        self.lookup_directional(column, argument, T::zero())
    }

    /// Returns the ordinate of a column with the one-sided derivative at a kink: that on the side from which the
    /// argument approaches. `time_derivative` is 0 and has the derivative of the time.
    #[inline]
    pub fn lookup_directional<T: Scalar>(&self, column: usize, argument: T, time_derivative: T) -> T {
        let was_negative = value(argument) < 0.0 || (value(argument) == 0.0 && rises(argument, time_derivative));
        let argument = if self.even && was_negative { -argument } else { argument };
        let mut piece = self.piece(value(argument));
        if rises(argument, time_derivative) && piece > 0 && self.arguments[piece - 1] == value(argument) {
            piece -= 1;
        }
        let index = column * (self.arguments.len() + 1) + piece;
        let [a, b, c, d] = self.pieces[index].map(constant::<T>);
        let t = argument - constant(self.arguments[piece.saturating_sub(1)]);
        let ordinate = a + t * (b + t * (c + t * d));
        match self.tangents.get(index) {
            Some(tangent) if T::IS_DUAL => ordinate + T::with_tangent(0.0, at(tangent, value(t))),
            _ => ordinate,
        }
    }

    /// Finds the smallest ordinate between two rows that is below both of them by more than rounding, with the row
    /// before it and its column, both from 0; a spline may overshoot like that.
    pub fn undershoot(&self) -> Option<(usize, usize, f64)> {
        let inside = self.arguments.len() - 1;
        let lowest = |index: usize| {
            let (column, row) = (index / inside, index % inside);
            let piece = &self.pieces[column * (inside + 2) + row + 1];
            let width = self.arguments[row + 1] - self.arguments[row];
            let end = at(piece, width);
            let margin = 1e-9 * piece[0].abs().max(end.abs());
            let lowest = turns(piece, width).map(|t| at(piece, t)).fold(f64::INFINITY, f64::min);
            (lowest < piece[0].min(end) - margin).then_some((row, column, lowest))
        };
        let columns = self.pieces.len() / (inside + 2);
        let found = (0..inside * columns).filter_map(lowest);
        found.min_by(|one, other| one.2.total_cmp(&other.2))
    }

    /// Finds the point at which the first column less `base` lies furthest on the other side of 0 than the argument, by
    /// more than rounding: the row at or before it, from 0, the argument and the ordinate. Only points between the rows
    /// count.
    pub fn opposite_sign_point(&self, base: f64) -> Option<(usize, f64, f64)> {
        let (first, last) = (self.arguments[0], self.arguments[self.arguments.len() - 1]);
        let rows = (0..self.arguments.len()).map(|row| (row, self.arguments[row], self.pieces[row + 1][0]));
        let between = (1..self.arguments.len()).flat_map(|index| {
            let (piece, origin) = (&self.pieces[index], self.arguments[index - 1]);
            let width = self.arguments[index] - origin;
            let zero = Some(-origin).filter(|zero| *zero > 0.0 && *zero < width);
            turns(piece, width).chain(zero).map(move |t| (index - 1, origin + t, at(piece, t)))
        });
        let excess = |(_, argument, ordinate): &(usize, f64, f64)| {
            let above = if *argument >= 0.0 && last > 0.0 { ordinate - base } else { f64::INFINITY };
            let below = if *argument <= 0.0 && first < 0.0 { base - ordinate } else { f64::INFINITY };
            above.min(below)
        };
        let size = rows.clone().fold(0.0_f64, |size, (.., ordinate)| size.max(ordinate.abs()));
        let worst = rows.chain(between).min_by(|one, other| excess(one).total_cmp(&excess(other)))?;
        (excess(&worst) < -1e-12 * size).then_some(worst)
    }

    /// True if the first column, continued linearly on both sides, ends up on the other side of 0 than the argument.
    pub fn turns_back(&self) -> bool {
        let [first, .., last] = &self.pieces[..=self.arguments.len()] else { return false };
        last[1] < 0.0 || !self.even && first[1] < 0.0
    }

    /// Returns the bucket of an argument: the larger the argument, the later the bucket, also with rounding.
    #[inline]
    fn bucket(&self, argument: f64) -> usize {
        let last = (self.arguments.len() - 1) as f64;
        // Within bounds before it becomes whole: hosts may trap on conversions of larger numbers.
        // Fewer instructions than a conversion to 64 bits.
        ((argument - self.arguments[0]) * self.scale).max(0.0).min(last) as u32 as usize
    }

    /// Returns the number of arguments up to this one, which is that of its piece.
    #[inline]
    fn piece(&self, argument: f64) -> usize {
        let bucket = self.bucket(argument);
        let [from, to] = [self.before[bucket], self.before[bucket + 1]].map(|before| before as usize);
        from + self.arguments[from..to].partition_point(|other| *other <= argument)
    }
}

/// Returns the arguments and the columns of ordinates.
fn columns<T: Copy, const N: usize>(rows: &[[T; N]]) -> (Vec<T>, Vec<Vec<T>>) {
    let column = |column: usize| rows.iter().map(|row| row[column]).collect();
    (column(0), (1..N).map(column).collect())
}

/// Computes the pieces of all columns of a table.
fn pieces<T: Scalar>(
    arguments: &[T],
    columns: &[Vec<T>],
    smoothness: Smoothness,
    extrapolation: Extrapolation,
) -> Vec<[T; 4]> {
    let (zero, count) = (T::zero(), arguments.len());
    let mut pieces = Vec::with_capacity(columns.len() * (count + 1));
    for ordinates in columns {
        let begin = pieces.len();
        pieces.push([ordinates[0], zero, zero, zero]);
        match smoothness {
            Smoothness::Linear => pieces.extend(lines(arguments, ordinates)),
            Smoothness::Spline => pieces.extend(natural_spline(arguments, ordinates)),
            Smoothness::Akima => pieces.extend(akima_spline(arguments, ordinates)),
        }
        let end = pieces.len();
        pieces.push([ordinates[count - 1], zero, zero, zero]);
        if extrapolation == Extrapolation::Linear && end > begin + 1 {
            let width = arguments[count - 1] - arguments[count - 2];
            pieces[begin][1] = pieces[begin + 1][1];
            pieces[end][1] = slope(&pieces[end - 1], width);
        }
    }
    pieces
}

/// Computes the straight lines between the points.
fn lines<T: Scalar>(x: &[T], y: &[T]) -> Vec<[T; 4]> {
    let points = x.windows(2).zip(y.windows(2));
    points.map(|(x, y)| [y[0], (y[1] - y[0]) / (x[1] - x[0]), T::zero(), T::zero()]).collect()
}

fn at([a, b, c, d]: &[f64; 4], t: f64) -> f64 {
    a + t * (b + t * (c + t * d))
}

fn slope<T: Scalar>([_, b, c, d]: &[T; 4], t: T) -> T {
    *b + t * (constant::<T>(2.0) * *c + t * constant(3.0) * *d)
}

/// Returns the zeros of the slope of a polynomial between 0 and `width`.
fn turns([_, b, c, d]: &[f64; 4], width: f64) -> impl Iterator<Item = f64> {
    // The stable form of the quadratic formula for 3 d t^2 + 2 c t + b = 0. Hosts may trap on roots of negative numbers
    // and on divisions by zero.
    let discriminant = c * c - 3.0 * b * d;
    let q = -(c + discriminant.max(0.0).sqrt().copysign(*c));
    let is_inside = move |(n, d): &(f64, f64)| n * d.signum() > 0.0 && n.abs() < d.abs() * width;
    let zeros = [(q, 3.0 * d), (*b, q)].into_iter().filter(is_inside);
    zeros.filter(move |_| discriminant >= 0.0).map(|(n, d)| n / d)
}
