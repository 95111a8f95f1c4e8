//! Bounds of numbers: the only check for configured values, start values and values that are set.

use crate::number::Number;

/// A number that can have bounds.
pub trait Bounded: PartialOrd + Copy {
    /// Bounds that contain every value.
    const NONE: (Self, Self);
    /// Returns the number as text for a message.
    fn text(self) -> String;
}

impl Bounded for f64 {
    const NONE: (Self, Self) = (f64::NEG_INFINITY, f64::INFINITY);
    fn text(self) -> String {
        Number(self).to_string()
    }
}

macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Bounded for $integer {
            const NONE: (Self, Self) = (<$integer>::MIN, <$integer>::MAX);
            fn text(self) -> String {
                self.to_string()
            }
        }
    )*};
}

integers! { i32 i128 }

/// Returns the condition that a number outside its bounds, both included, violates, such as `at least 0.0`.
#[inline]
pub fn out_of_bounds<V: Bounded>(value: V, bounds: (V, V)) -> Option<String> {
    if bounds.0 <= value && value <= bounds.1 { None } else { Some(text(bounds)) }
}

#[cold]
fn text<V: Bounded>((min, max): (V, V)) -> String {
    let (least, most) = V::NONE;
    match (min == least, max == most) {
        (false, true) => format!("at least {}", min.text()),
        (true, false) => format!("at most {}", max.text()),
        _ => format!("from {} to {}", min.text(), max.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_bounds_are_included() {
        assert_eq!(out_of_bounds(0.0, (0.0, f64::INFINITY)), None);
        assert_eq!(out_of_bounds(-1.0, (0.0, f64::INFINITY)).as_deref(), Some("at least 0.0"));
        assert_eq!(out_of_bounds(f64::NAN, (f64::NEG_INFINITY, 0.5)).as_deref(), Some("at most 0.5"));
        assert_eq!(out_of_bounds(8, (1, 8)), None);
        assert_eq!(out_of_bounds(9, (1, 8)).as_deref(), Some("from 1 to 8"));
    }
}
