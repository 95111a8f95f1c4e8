//! Tables of several columns over one argument, as polynomials between rows.

use fmu_runtime::{ModelError, Number, enumeration};
use mechanics::lookup_table::spline::akima_spline;

enumeration! {
    /// How the rows of a table are joined.
    pub enum Smoothness {
        LinearSegments = "by straight lines",
        ContinuousDerivative = "by Akima's cubic spline",
        ConstantSegments = "each value holds until the next row",
        MonotoneContinuousDerivative1 = "by the cubic spline of Fritsch and Butland, which is monotone where the rows are",
        MonotoneContinuousDerivative2 = "by the cubic spline of Steffen, which is monotone where the rows are",
        ModifiedContinuousDerivative = "by the modified cubic spline of Akima",
    }
}

enumeration! {
    /// How a table continues beyond its rows.
    pub enum Extrapolation {
        LastTwoPoints = "on the line through the last two rows, or with the last slope of a spline",
        HoldLastPoint = "with the value of the last row",
        Periodic = "by repetition",
        NoExtrapolation = "not at all: that is an error",
    }
}

impl Smoothness {
    /// True if neither the value nor the slope jumps at a row.
    pub fn is_smooth(self) -> bool {
        !matches!(self, Self::LinearSegments | Self::ConstantSegments)
    }
}

/// A table as polynomials between its rows.
#[derive(Debug, Default)]
pub struct Pieces {
    /// Where each piece begins; the first one is before the rows, the last one behind them.
    begins: Vec<f64>,
    /// Coefficients of 1, t, t^2 and t^3 of each column in each piece, with t from the piece's origin.
    polynomials: Vec<Vec<[f64; 4]>>,
    /// The first and the last argument.
    ends: [f64; 2],
    is_periodic: bool,
}

/// A piece in a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the piece.
    pub piece: i32,
    /// The number of the period, 0 in that of the rows.
    pub period: i32,
}

impl Pieces {
    /// Prepares the rows of a table, each with its argument first. Two rows of one argument may be a jump.
    ///
    /// # Errors
    ///
    /// Describes arguments that do not rise, as `table[2,1] is …`.
    pub fn new(
        elements: &[f64],
        columns: usize,
        smoothness: Smoothness,
        extrapolation: Extrapolation,
        may_jump: bool,
    ) -> Result<Self, ModelError> {
        let rows: Vec<&[f64]> = elements.chunks_exact(columns).collect();
        let x: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        let may_jump = may_jump && !smoothness.is_smooth();
        if let Some(i) = x.windows(2).position(|pair| pair[1] < pair[0] || pair[1] == pair[0] && !may_jump) {
            let right = if may_jump { "must not fall" } else { "must rise" };
            return Err(ModelError::invalid(format!(
                "table[{},1] is {}, but the first column {right}, and the one before is {}",
                i + 2,
                Number(x[i + 1]),
                Number(x[i])
            )));
        }
        let (first, last) = (x[0], x[x.len() - 1]);
        let is_periodic = extrapolation == Extrapolation::Periodic;
        if is_periodic && first == last {
            return Err(ModelError::invalid(
                "table has rows at one argument only, which cannot be repeated: give a second one, or another extrapolation",
            ));
        }
        let column = |c: usize| {
            let y: Vec<f64> = rows.iter().map(|row| row[c]).collect();
            let inner = between(&x, &y, smoothness);
            let continues = extrapolation == Extrapolation::LastTwoPoints;
            let outer =
                |value: f64, slope: Option<f64>| [value, slope.filter(|_| continues).unwrap_or_default(), 0.0, 0.0];
            // A jump at an end has no slope.
            let own = |i: usize| inner.get(i).filter(|_| x[i + 1] > x[i]);
            let end = x.len().checked_sub(2).and_then(|i| Some(slope(own(i)?, x[i + 1] - x[i])));
            let mut all = vec![outer(y[0], own(0).map(|piece| piece[1]))];
            all.extend(inner.iter().zip(x.windows(2)).filter(|(_, x)| x[1] > x[0]).map(|(piece, _)| *piece));
            all.push(outer(y[y.len() - 1], end));
            all
        };
        let begins = x.windows(2).filter(|pair| pair[1] > pair[0]).map(|pair| pair[0]);
        let begins = std::iter::once(f64::NEG_INFINITY).chain(begins).chain([last]).collect();
        Ok(Self { begins, polynomials: (1..columns).map(column).collect(), ends: [first, last], is_periodic })
    }

    fn period(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    /// Finds the place of an argument.
    pub fn find(&self, argument: f64) -> Place {
        let mut period = 0;
        if self.is_periodic {
            period = ((argument - self.ends[0]) / self.period()).floor() as i32;
            // Rounding may have made it one too few or one too many.
            if argument < self.ends[0] + f64::from(period) * self.period() {
                period -= 1;
            } else if argument >= self.ends[0] + f64::from(period.saturating_add(1)) * self.period() {
                period += 1;
            }
        }
        let own = argument - f64::from(period) * self.period();
        let piece = self.begins.partition_point(|begin| *begin <= own) - 1;
        // Rounding at the end of a period.
        let most = self.begins.len() - if self.is_periodic { 2 } else { 1 };
        Place { piece: piece.clamp(usize::from(self.is_periodic), most) as i32, period }
    }

    /// The place behind another one.
    pub fn next(&self, Place { piece, period }: Place) -> Place {
        let is_last = self.is_periodic && piece as usize + 3 > self.begins.len();
        if is_last { Place { piece: 1, period: period + 1 } } else { Place { piece: piece + 1, period } }
    }

    /// The arguments from which to which a place goes.
    pub fn bounds(&self, Place { piece, period }: Place) -> [f64; 2] {
        let at = |i: i32| self.begins.get(i as usize).copied().unwrap_or(f64::INFINITY);
        let shift = f64::from(period) * self.period();
        [at(piece) + shift, at(piece + 1) + shift]
    }

    /// The coefficients of a column at a place, and the origin from which the argument counts.
    pub fn polynomial(&self, column: usize, Place { piece, period }: Place) -> ([f64; 4], f64) {
        let piece = usize::try_from(piece).unwrap_or_default().min(self.begins.len() - 1);
        let origin = if piece == 0 { self.ends[0] } else { self.begins[piece] };
        (self.polynomials[column][piece], origin + f64::from(period) * self.period())
    }

    /// The first and the last argument, if there is nothing beyond them.
    pub fn ends(&self) -> [f64; 2] {
        self.ends
    }
}

fn slope([_, b, c, d]: &[f64; 4], t: f64) -> f64 {
    b + t * (2.0 * c + t * 3.0 * d)
}

/// Returns the polynomials between neighbouring rows; those between rows of one argument have no meaning.
fn between(x: &[f64], y: &[f64], smoothness: Smoothness) -> Vec<[f64; 4]> {
    let widths: Vec<f64> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let slopes: Vec<f64> =
        y.windows(2).zip(&widths).map(|(y, h)| if *h > 0.0 { (y[1] - y[0]) / h } else { 0.0 }).collect();
    let own: fn(&[f64], &[f64], usize) -> f64 = match smoothness {
        Smoothness::LinearSegments => return y.iter().zip(&slopes).map(|(y, slope)| [*y, *slope, 0.0, 0.0]).collect(),
        Smoothness::ConstantSegments => return y.iter().zip(&slopes).map(|(y, _)| [*y, 0.0, 0.0, 0.0]).collect(),
        Smoothness::ContinuousDerivative => return akima_spline(x, y),
        Smoothness::MonotoneContinuousDerivative1 => fritsch_butland,
        Smoothness::MonotoneContinuousDerivative2 => steffen,
        Smoothness::ModifiedContinuousDerivative => modified_akima,
    };
    let at_row: Vec<f64> = (0..x.len())
        .map(|i| if slopes.len() < 2 { slopes.first().copied().unwrap_or_default() } else { own(&slopes, &widths, i) })
        .collect();
    let piece = |i: usize| {
        let (h, s, begin, end) = (widths[i], slopes[i], at_row[i], at_row[i + 1]);
        [y[i], begin, (3.0 * s - 2.0 * begin - end) / h, (begin + end - 2.0 * s) / (h * h)]
    };
    (0..widths.len()).map(piece).collect()
}

/// The slopes before and behind an inner row, with the widths; or the slope at the end.
fn sides<'a>(slopes: &'a [f64], widths: &'a [f64], row: usize) -> Result<[f64; 4], f64> {
    match row {
        0 => Err(slopes[0]),
        _ if row == slopes.len() => Err(slopes[row - 1]),
        _ => Ok([slopes[row - 1], slopes[row], widths[row - 1], widths[row]]),
    }
}

fn fritsch_butland(slopes: &[f64], widths: &[f64], row: usize) -> f64 {
    sides(slopes, widths, row).map_or_else(
        |end| end,
        |[left, right, before, behind]| {
            if left * right <= 0.0 {
                return 0.0;
            }
            let sum = before + behind;
            3.0 * sum / ((sum + behind) / left + (sum + before) / right)
        },
    )
}

fn steffen(slopes: &[f64], widths: &[f64], row: usize) -> f64 {
    sides(slopes, widths, row).map_or_else(
        |end| end,
        |[left, right, before, behind]| {
            if left * right <= 0.0 {
                return 0.0;
            }
            let parabola = (left * behind + right * before) / (before + behind);
            2.0 * left.signum() * left.abs().min(right.abs()).min(0.5 * parabola.abs())
        },
    )
}

fn modified_akima(slopes: &[f64], _: &[f64], row: usize) -> f64 {
    let count = slopes.len() as isize;
    // Two further slopes on each side continue the last two linearly.
    let at = |i: isize| {
        let index = |i: isize| slopes[i as usize];
        match i {
            ..0 => index(0) + (index(1) - index(0)) * i as f64,
            _ if i >= count => index(count - 1) + (index(count - 1) - index(count - 2)) * (i - count + 1) as f64,
            _ => index(i),
        }
    };
    let row = row as isize;
    let [a, left, right, b] = [row - 2, row - 1, row, row + 1].map(at);
    let weight = |one: f64, other: f64| (one - other).abs() + 0.5 * (one + other).abs();
    let [of_left, of_right] = [weight(b, right), weight(left, a)];
    let sum = of_left + of_right;
    if sum > 0.0 { (of_left * left + of_right * right) / sum } else { 0.0 }
}
