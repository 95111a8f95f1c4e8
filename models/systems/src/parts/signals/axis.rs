//! The pieces between the arguments of a table.

#![allow(clippy::enum_variant_names, reason = "Modelica's names")]

use fmu_runtime::{ModelError, Number, Scalar, enumeration};
use mechanics::constant;

use super::signal::margin;

enumeration! {
    /// How a table continues beyond its rows.
    pub enum Extrapolation {
        LastTwoPoints = "on the line through the last two rows, or with the last slope of a spline",
        HoldLastPoint = "with the value of the last row",
        Periodic = "by repetition",
        NoExtrapolation = "not at all: that is an error",
    }
}

/// The arguments of a table, and the pieces between them.
#[derive(Debug, Default)]
pub struct Axis {
    /// Where each piece begins; the first one is before the arguments, the last one behind them.
    begins: Vec<f64>,
    /// The first and the last argument.
    ends: [f64; 2],
    is_periodic: bool,
}

/// A piece in a period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The number of the piece.
    pub piece: i32,
    /// The number of the period, 0 in that of the arguments.
    pub period: i32,
}

impl Axis {
    /// Makes the pieces between arguments that do not fall. Two that are equal have no piece between them.
    pub fn new(arguments: &[f64], is_periodic: bool) -> Self {
        let (first, last) = (arguments[0], arguments[arguments.len() - 1]);
        let begins = arguments.windows(2).filter(|pair| pair[1] > pair[0]).map(|pair| pair[0]);
        let begins = std::iter::once(f64::NEG_INFINITY).chain(begins).chain([last]).collect();
        Self { begins, ends: [first, last], is_periodic }
    }

    /// Returns the number of pieces.
    pub fn count(&self) -> usize {
        self.begins.len()
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

    /// Returns the place behind another one.
    pub fn next(&self, Place { piece, period }: Place) -> Place {
        let is_last = self.is_periodic && piece as usize + 3 > self.begins.len();
        if is_last { Place { piece: 1, period: period + 1 } } else { Place { piece: piece + 1, period } }
    }

    /// Returns the arguments from which to which a place goes.
    pub fn bounds(&self, Place { piece, period }: Place) -> [f64; 2] {
        let at = |i: i32| self.begins.get(i as usize).copied().unwrap_or(f64::INFINITY);
        let shift = f64::from(period) * self.period();
        [at(piece) + shift, at(piece + 1) + shift]
    }

    /// Computes the event indicators of an argument at both ends of a place; there is no event without a bound.
    pub fn indicators<T: Scalar>(&self, place: Place, x: T, indicators: &mut [T]) {
        for ((indicator, bound), direction) in indicators.iter_mut().zip(self.bounds(place)).zip([T::one(), -T::one()])
        {
            *indicator = if bound.is_finite() {
                let bound = constant::<T>(bound);
                direction * (x - bound) + margin(x, bound)
            } else {
                T::one()
            };
        }
    }

    /// Refuses an argument, which the message names so, outside of a table without extrapolation.
    pub fn check(&self, name: &str, x: f64, extrapolation: Extrapolation) -> Result<(), ModelError> {
        let [first, last] = self.ends;
        if extrapolation == Extrapolation::NoExtrapolation && !(first..=last).contains(&x) {
            return Err(ModelError::invalid(format!(
                "{name} is {}, but the table goes from {} to {}, without extrapolation",
                Number(x),
                Number(first),
                Number(last)
            )));
        }
        Ok(())
    }

    /// Returns the number of the piece of a place, and the origin from which its argument counts.
    pub fn piece(&self, Place { piece, period }: Place) -> (usize, f64) {
        let piece = usize::try_from(piece).unwrap_or_default().min(self.begins.len() - 1);
        let origin = if piece == 0 { self.ends[0] } else { self.begins[piece] };
        (piece, origin + f64::from(period) * self.period())
    }
}
