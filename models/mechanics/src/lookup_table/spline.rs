//! Cubic splines: natural ones, and those of Akima.

use crate::{Scalar, constant, value};

/// Computes the coefficients of 1, t, t^2, t^3 between neighbouring points `x`, `y` of a natural spline, with t from
/// the first of the two. `x` must increase. Two points give a straight line, one gives no interval.
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

/// Computes the coefficients, as those of [`natural_spline`], of Akima's spline, whose first derivative is continuous.
/// It depends on the nearest points only and overshoots less. Two points give a straight line, one gives no interval.
///
/// The slope at a point is the mean of those of the two intervals beside it, each weighted by the change of slope on
/// the other side; at a corner between straight parts, where both are 0, the mean of the two. On each side two further
/// slopes continue the last two linearly. Source: H. Akima, Journal of the ACM 17 (1970), 589-602.
pub fn akima_spline<T: Scalar>(x: &[T], y: &[T]) -> Vec<[T; 4]> {
    let [two, three] = [2.0, 3.0].map(constant::<T>);
    let h: Vec<T> = x.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let inner: Vec<T> = y.windows(2).zip(&h).map(|(pair, h)| (pair[1] - pair[0]) / *h).collect();
    let [Some(first), Some(last)] = [inner.first(), inner.last()].map(|slope| slope.copied()) else {
        return Vec::new();
    };
    let [second, before] = match inner[..] {
        [_, second, .., before, _] => [second, before],
        [_, last] => [last, first],
        [_, middle, _] => [middle, middle],
        _ => [first, last],
    };
    let further = |last: T, before: T| [two * last - before, three * last - two * before];
    let ([a, b], [c, d]) = (further(first, second), further(last, before));
    let s: Vec<T> = [b, a].into_iter().chain(inner).chain([c, d]).collect();
    let change = |one: T, other: T| if value(one) < value(other) { other - one } else { one - other };
    let slope = |i: usize| {
        let (left, right) = (s[i + 1], s[i + 2]);
        let weights = [change(s[i + 3], right), change(left, s[i])];
        let sum = weights[0] + weights[1];
        // Rounding in straight parts is not a change. The compiler may divide in both cases, and hosts may trap on 0/0.
        let is_straight = value(sum) <= 1e-9 * (value(left).abs() + value(right).abs());
        let ([one, other], sum) = if is_straight { ([T::one(); 2], two) } else { (weights, sum) };
        (one * left + other * right) / sum
    };
    let piece = |i: usize| {
        let (h, s, begin, end) = (h[i], s[i + 2], slope(i), slope(i + 1));
        [y[i], begin, (three * s - two * begin - end) / h, (begin + end - two * s) / (h * h)]
    };
    (0..h.len()).map(piece).collect()
}
