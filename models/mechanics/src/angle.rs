//! The angle of a vector in a plane.

use crate::{Scalar, value};

/// Returns `atan2` with its derivative everywhere except at the origin; the crate for dual numbers divides by `x`.
#[inline(never)]
pub(crate) fn angle<T: Scalar>(y: T, x: T) -> T {
    let (y_0, x_0) = (value(y), value(x));
    let square = y_0 * y_0 + x_0 * x_0;
    // The compiler may divide in both cases.
    let inverse = if square > 0.0 { 1.0 / square.max(f64::MIN_POSITIVE) } else { 0.0 };
    T::depending(y_0.atan2(x_0), [y, x], [x_0 * inverse, -y_0 * inverse])
}
