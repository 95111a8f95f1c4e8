//! The first time at which a polynomial falls below zero.
//!
//! The coefficients in the Bernstein basis of an interval have at least as many changes of sign as
//! the polynomial has zeros inside, and as many up to an even number (Descartes, Vincent). Halving
//! the interval until there is no change or one cannot miss a zero.

/// Largest number of coefficients.
pub const MAX_ROOTS: usize = 32;

/// Finds the smallest x in [0, 1] from which on `sum of c_j x^j` is negative for a while.
///
/// It starts at or above zero. Dips that are not deeper than rounding may be missed.
pub fn first_below_zero(c: &[f64]) -> Option<f64> {
    debug_assert!(c.len() <= MAX_ROOTS);
    let lowest = c[0] + c[1..].iter().map(|c| c.min(0.0)).sum::<f64>();
    if lowest >= 0.0 {
        return None;
    }
    let mut b = [0.0; MAX_ROOTS];
    bernstein(c, &mut b);
    search(c, &b[..c.len()], 0.0, 1.0)
}

/// Computes Bernstein coefficients, `b_i = sum over j of (i over j) / (n over j) c_j`, by repeated sums.
fn bernstein(c: &[f64], b: &mut [f64; MAX_ROOTS]) {
    let n = c.len() - 1;
    let mut binomial = 1.0;
    for (j, c) in c.iter().enumerate() {
        b[j] = c / binomial;
        binomial *= (n - j) as f64 / (j + 1) as f64;
    }
    for level in 1..=n {
        for i in (level..=n).rev() {
            b[i] += b[i - 1];
        }
    }
}

fn search(c: &[f64], b: &[f64], lo: f64, hi: f64) -> Option<f64> {
    let mut signs = b.iter().filter(|b| **b != 0.0).map(|b| *b > 0.0);
    let first = signs.next()?;
    if !first {
        return Some(lo);
    }
    let changes = signs.scan(first, |last, sign| Some(std::mem::replace(last, sign) != sign));
    match changes.filter(|changes| *changes).count() {
        0 => return None,
        1 => return Some(locate(c, lo, hi)),
        _ => {}
    }
    let middle = 0.5 * (lo + hi);
    let is_smallest = hi - lo <= f64::EPSILON;
    if is_smallest {
        return (b[b.len() - 1] < 0.0).then_some(hi);
    }
    let (left, right) = halves(b);
    search(c, &left[..b.len()], lo, middle).or_else(|| search(c, &right[..b.len()], middle, hi))
}

/// Halves the interval by De Casteljau's subdivision.
fn halves(b: &[f64]) -> ([f64; MAX_ROOTS], [f64; MAX_ROOTS]) {
    let n = b.len() - 1;
    let (mut left, mut right) = ([0.0; MAX_ROOTS], [0.0; MAX_ROOTS]);
    right[..=n].copy_from_slice(b);
    for (level, left) in left[..=n].iter_mut().enumerate() {
        *left = right[0];
        for i in 0..n - level {
            right[i] = 0.5 * (right[i] + right[i + 1]);
        }
    }
    (left, right)
}

/// Finds the only zero between two numbers, to rounding: Newton's method, safeguarded by the bracket.
fn locate(c: &[f64], mut lo: f64, mut hi: f64) -> f64 {
    let mut x = 0.5 * (lo + hi);
    for _ in 0..200 {
        let (mut p, mut slope) = (0.0, 0.0);
        for c in c.iter().rev() {
            slope = slope * x + p;
            p = p * x + c;
        }
        if p < 0.0 {
            hi = x;
        } else {
            lo = x;
        }
        let newton = x - p / slope;
        let next = if newton >= lo && newton <= hi { newton } else { 0.5 * (lo + hi) };
        if (next - x).abs() <= f64::EPSILON * x.abs() || hi - lo <= f64::EPSILON * hi {
            return next;
        }
        x = next;
    }
    hi
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the coefficients of the product of `(x - zero)`, times a factor.
    fn product(factor: f64, zeros: &[f64]) -> Vec<f64> {
        let mut c = vec![factor];
        for zero in zeros {
            c.insert(0, 0.0);
            for j in 0..c.len() - 1 {
                c[j] -= zero * c[j + 1];
            }
        }
        c
    }

    #[test]
    fn the_first_of_several_zeros_is_found() {
        let c = product(-1.0, &[0.3, 0.5, 0.9]);
        assert!((first_below_zero(&c).unwrap() - 0.3).abs() < 1e-15);
        assert!((first_below_zero(&product(1.0, &[0.2, 0.2001])).unwrap() - 0.2).abs() < 1e-11);
        assert_eq!(first_below_zero(&product(1.0, &[1.2, 1.5])), None);
        assert_eq!(first_below_zero(&[1.0]), None);
    }

    #[test]
    fn a_start_at_zero_counts_only_if_it_falls() {
        assert_eq!(first_below_zero(&[0.0, 1.0, -4.0]), Some(0.25));
        assert_eq!(first_below_zero(&[0.0, -1.0, 4.0]), Some(0.0));
        assert_eq!(first_below_zero(&[0.0, 0.0, 1.0]), None);
    }

    #[test]
    fn touching_zero_is_not_falling_below() {
        assert_eq!(first_below_zero(&[0.25, -1.0, 1.0]), None);
    }

    proptest! {
        #[test]
        fn the_first_crossing_is_never_missed(zeros in prop::collection::vec(0.001..1.0, 1..6), outside in prop::collection::vec(1.1..3.0, 0..4)) {
            let mut zeros = zeros;
            zeros.sort_by(f64::total_cmp);
            prop_assume!(zeros.windows(2).all(|pair| pair[1] - pair[0] > 1e-3));
            let all: Vec<f64> = zeros.iter().chain(&outside).copied().collect();
            let sign = if all.len().is_multiple_of(2) { 1.0 } else { -1.0 };
            let found = first_below_zero(&product(sign, &all));
            prop_assert!((found.unwrap() - zeros[0]).abs() < 1e-7, "{:?} {:?}", found, zeros);
        }
    }
}
