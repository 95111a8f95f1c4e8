//! Tables of several columns over one argument, as polynomials between rows.

use fmu_runtime::{ModelError, Number, enumeration};
use mechanics::lookup_table::spline::akima_spline;

use super::axis::{Axis, Extrapolation, Place};

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

impl Smoothness {
    /// True if neither the value nor the slope jumps at a row.
    pub fn is_smooth(self) -> bool {
        !matches!(self, Self::LinearSegments | Self::ConstantSegments)
    }
}

/// A table as polynomials between its rows.
#[derive(Debug, Default)]
pub struct Pieces {
    /// The arguments of the rows.
    pub axis: Axis,
    /// Coefficients of 1, t, t^2 and t^3 of each column in each piece, with t from the piece's origin.
    polynomials: Vec<Vec<[f64; 4]>>,
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
        let is_periodic = extrapolation == Extrapolation::Periodic;
        if is_periodic && x[0] == x[x.len() - 1] {
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
            // A jump at an end has no slope. Beyond constant values there is the line through the last two rows.
            let is_constant = smoothness == Smoothness::ConstantSegments;
            let slope_at = |i: usize, t: f64| {
                let piece = inner.get(i).filter(|_| x[i + 1] > x[i])?;
                Some(if is_constant { (y[i + 1] - y[i]) / (x[i + 1] - x[i]) } else { slope(piece, t) })
            };
            let end = x.len().checked_sub(2).and_then(|i| slope_at(i, x[i + 1] - x[i]));
            let mut all = vec![outer(y[0], slope_at(0, 0.0))];
            all.extend(inner.iter().zip(x.windows(2)).filter(|(_, x)| x[1] > x[0]).map(|(piece, _)| *piece));
            all.push(outer(y[y.len() - 1], end));
            all
        };
        Ok(Self { axis: Axis::new(&x, is_periodic), polynomials: (1..columns).map(column).collect() })
    }

    /// The coefficients of a column at a place, and the origin from which the argument counts.
    pub fn polynomial(&self, column: usize, place: Place) -> ([f64; 4], f64) {
        let (piece, origin) = self.axis.piece(place);
        (self.polynomials[column][piece], origin)
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
