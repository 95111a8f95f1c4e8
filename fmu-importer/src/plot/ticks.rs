//! Round numbers along an axis.

use plotive::des::axis::ticks::{DecimalFormatter, Formatter};
use plotive::des::axis::{LogScale, Range, Scale, Ticks};

/// Returns a scale around all values, and ticks with labels as short as they can be.
///
/// There are at most `intervals` of `least` or more, and a margin as a part of the range.
pub fn axis(values: impl Iterator<Item = f64>, (intervals, least): (f64, f64), margin: f64) -> (Scale, Ticks) {
    let finite = values.filter(|value| is_drawable(*value));
    let (min, max) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| (min.min(value), max.max(value)));
    let (min, max) = widened(min, max);
    let space = margin * (max - min);
    let (low, high) = (min - space, max + space);
    let step = round((high - low) / intervals).max(least);
    let places: Vec<_> =
        ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|count| count as f64 * step).collect();
    let size = min.abs().max(max.abs());
    ((low, high).into(), Ticks::from(places).with_formatter(Some(formatter(step, size))))
}

/// Returns a logarithmic scale from one positive value to another, and ticks at 1, 2 and 5 times the powers of ten; for
/// many powers, at these alone.
pub fn logarithmic(low: f64, high: f64) -> (Scale, Ticks) {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let factors = if high / low > 1e4 { &[1.0][..] } else { &[1.0, 2.0, 5.0] };
    let places = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)));
    let places: Vec<_> = places.filter(|place| (low..=high).contains(place)).collect();
    let formatter = formatter(places.first().copied().unwrap_or(low), high);
    let scale = LogScale::new(10.0, Range(Some(low), Some(high)));
    (scale.into(), Ticks::from(places).with_formatter(Some(formatter)))
}

/// Returns labels as short as multiples of a step can have, up to a size.
fn formatter(step: f64, size: f64) -> Formatter {
    match decimals(step) {
        places @ 0..=6 if size < 1e7 => DecimalFormatter::from(places as usize).into(),
        _ => Formatter::Auto,
    }
}

/// Returns true if a value has a place on an axis: differences of larger ones overflow.
pub fn is_drawable(value: f64) -> bool {
    value.abs() < 1e307
}

/// Widens the range of a constant to one of its own size; rounding noise around it is not blown up.
pub fn widened(min: f64, max: f64) -> (f64, f64) {
    if min > max {
        return (0.0, 1.0);
    }
    let size = min.abs().max(max.abs());
    if max - min > 1e-9 * size {
        (min, max)
    } else if size == 0.0 {
        (-1.0, 1.0)
    } else {
        (min - 0.1 * size, max + 0.1 * size)
    }
}

/// Returns the next of 1, 2, 2.5 and 5 times a power of ten.
fn round(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let factors = [1.0, 2.0, 2.5, 5.0];
    let factor = factors.into_iter().find(|factor| factor * power >= step);
    factor.unwrap_or(10.0) * power
}

/// Returns the number of decimals that multiples of a round step need.
fn decimals(step: f64) -> i32 {
    (0..15)
        .find(|places| {
            let scaled = step * 10_f64.powi(*places);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        })
        .unwrap_or(15)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!([0.7, 1.3, 2.2, 3.0, 7.0, 430.0].map(round), [1.0, 2.0, 2.5, 5.0, 10.0, 500.0]);
    }

    #[test]
    fn what_overflows_has_no_place() {
        assert!(is_drawable(-1e306) && !is_drawable(1.7e308) && !is_drawable(f64::NAN));
    }

    #[test]
    fn labels_are_short() {
        assert_eq!([1000.0, 2.5, 0.25, 0.1, 2e-5].map(decimals), [0, 1, 2, 1, 5]);
    }

    #[test]
    fn constants_get_a_range() {
        assert_eq!(widened(0.0, 0.0), (-1.0, 1.0));
        assert_eq!(widened(300.0, 300.0), (270.0, 330.0));
        assert_eq!(widened(1.0, 2.0), (1.0, 2.0));
    }
}
