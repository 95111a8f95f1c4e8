//! Natural cubic splines.

use crate::{Scalar, constant};

/// The coefficients of 1, t, t^2, t^3 between neighbouring points `x`, `y`, with t from the first of
/// the two. `x` must increase. Two points give a straight line, one gives no interval.
///
/// The second derivatives M solve `h[i-1] M[i-1] + 2 (h[i-1] + h[i]) M[i] + h[i] M[i+1] =
/// 6 (s[i] - s[i-1])` with the widths h and slopes s of the intervals and M = 0 at both ends: a
/// diagonally dominant system, solved by Thomas' algorithm.
pub fn natural_spline<T: Scalar>(x: &[T], y: &[T]) -> Vec<[T; 4]> {
    let [two, six] = [2.0, 6.0].map(constant::<T>);
    let h: Vec<T> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let s: Vec<T> = y.windows(2).zip(&h).map(|(pair, h)| (pair[1] - pair[0]) / *h).collect();
    let mut m = vec![T::zero(); x.len()];
    let mut above = vec![T::zero(); x.len()];
    for i in 1..h.len() {
        let pivot = two * (h[i - 1] + h[i]) - h[i - 1] * above[i - 1];
        above[i] = h[i] / pivot;
        m[i] = (six * (s[i] - s[i - 1]) - h[i - 1] * m[i - 1]) / pivot;
    }
    for i in (1..h.len()).rev() {
        let next = m[i + 1];
        m[i] -= above[i] * next;
    }
    let piece = |i: usize| {
        let (first, second) = (m[i], m[i + 1]);
        [y[i], s[i] - h[i] * (two * first + second) / six, first / two, (second - first) / (six * h[i])]
    };
    (0..h.len()).map(piece).collect()
}
