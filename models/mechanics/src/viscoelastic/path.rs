//! A motion over a step as polynomials, exact where it is polynomial, otherwise as exact as rounding allows.

/// Number of deflections: three of translation, three of rotation.
pub const COORDINATES: usize = 6;

/// Highest degree of a path: that of an input with derivatives of order 8, and two more for curved motion.
const MAX_DEGREE: usize = 10;
/// Number of coefficients of a path.
pub const COEFFICIENTS: usize = MAX_DEGREE + 1;

/// Points at which a motion is sampled, in an order in which any number of them is a good choice (Leja). The last two
/// that are used only confirm what the others say.
const PLACES: [f64; COEFFICIENTS + CONFIRMATIONS] =
    [0.0, 1.0, 0.5, 0.7887, 0.1706, 0.9196, 0.065, 0.3472, 0.6609, 0.9715, 0.0237, 0.2603, 0.8563];
const CONFIRMATIONS: usize = 2;

/// Error admitted, relative to the largest deflection.
const TOLERANCE: f64 = 1e-12;

/// Fraction of a step below which its parts are not made shorter.
const MIN_SEGMENT: f64 = 1.0 / 256.0;

/// The path of a deflection, `sum of c_j u^j`, where u goes from 0 to 1 in a part of a step.
#[derive(Clone, Copy, Debug)]
pub struct Path {
    c: [f64; COEFFICIENTS],
    count: usize,
}

impl Path {
    /// Makes the path with these coefficients; their number is limited.
    pub fn new(coefficients: &[f64]) -> Self {
        let mut c = [0.0; COEFFICIENTS];
        c[..coefficients.len()].copy_from_slice(coefficients);
        Self { c, count: coefficients.len() }
    }

    /// Returns the coefficients.
    pub fn coefficients(&self) -> &[f64] {
        &self.c[..self.count]
    }

    /// Evaluates the deflection at `u`.
    pub fn at(&self, u: f64) -> f64 {
        value(self.coefficients(), u)
    }

    /// Finds the points at which the path may change its direction, in ascending order.
    ///
    /// Between two zeros of a derivative the one of the next lower order is monotonic, so that no zero is missed.
    pub fn turns(&self) -> Turns {
        let mut turns = Turns { places: [0.0; MAX_DEGREE], count: 0 };
        for order in (1..self.count.saturating_sub(1)).rev() {
            let derivative = self.derivative(order);
            let between = std::mem::replace(&mut turns, Turns { places: [0.0; MAX_DEGREE], count: 0 });
            let mut low = 0.0;
            for high in between.iter().copied().chain([1.0]) {
                if let Some(zero) = zero(&derivative.c[..derivative.count], low, high) {
                    turns.places[turns.count] = zero;
                    turns.count += 1;
                }
                low = high;
            }
        }
        turns
    }

    /// Returns a derivative with respect to u.
    fn derivative(&self, order: usize) -> Self {
        let mut derivative = Self { c: [0.0; COEFFICIENTS], count: self.count - order };
        for (j, c) in derivative.c[..self.count - order].iter_mut().enumerate() {
            *c = (j + 1..=j + order).fold(self.c[j + order], |product, factor| product * factor as f64);
        }
        derivative
    }

    /// Returns Newton's polynomial with these divided differences at the first [`PLACES`].
    fn of_differences(differences: &[f64]) -> Self {
        let mut c = [0.0; COEFFICIENTS];
        let mut count = 0;
        for (place, difference) in PLACES.iter().zip(differences).rev() {
            // Times (u - place), plus the difference.
            for j in (1..=count).rev() {
                c[j] = c[j - 1] - place * c[j];
            }
            c[0] = difference - place * c[0];
            count = (count + 1).min(MAX_DEGREE);
        }
        Self { c, count: differences.len() }
    }
}

/// Points at which a path may change its direction.
#[derive(Clone, Copy, Debug)]
pub struct Turns {
    places: [f64; MAX_DEGREE],
    count: usize,
}

impl std::ops::Deref for Turns {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.places[..self.count]
    }
}

fn value(c: &[f64], u: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * u + c)
}

/// Finds the zero of a polynomial that is monotonic between two points and changes its sign there, to rounding.
fn zero(c: &[f64], mut low: f64, mut high: f64) -> Option<f64> {
    let rises = value(c, high) > 0.0;
    if (value(c, low) > 0.0) == rises {
        return None;
    }
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return Some(middle);
        }
        if (value(c, middle) > 0.0) == rises {
            high = middle;
        } else {
            low = middle;
        }
    }
}

/// Divided differences of one coordinate, those that end at the last point as well.
#[derive(Clone, Copy)]
struct Differences {
    first: [f64; PLACES.len()],
    last: [f64; PLACES.len()],
    largest: f64,
}

impl Differences {
    const NONE: Self = Self { first: [0.0; PLACES.len()], last: [0.0; PLACES.len()], largest: 0.0 };

    /// Adds the deflection at another point; returns true if it is as expected.
    fn add(&mut self, number: usize, x: f64, rounding: f64) -> bool {
        let here = PLACES[number];
        let expected = (0..number).rev().fold(0.0, |sum, j| sum * (here - PLACES[j]) + self.first[j]);
        let mut difference = x;
        for j in 0..number {
            let next = (difference - self.last[j]) / (here - PLACES[number - 1 - j]);
            self.last[j] = difference;
            difference = next;
        }
        self.last[number] = difference;
        self.first[number] = difference;
        self.largest = self.largest.max(x.abs());
        (x - expected).abs() <= TOLERANCE * self.largest + rounding
    }
}

/// Follows a motion over a step of `h` in s, part by part: `sample` gives the deflections at a time after its beginning,
/// `visit` takes the duration of a part and the paths in it. If the motion is polynomial, `order` is the highest power
/// of time, at most 8. Differences up to `rounding` are none.
///
/// # Errors
///
/// Returns those of `sample`.
pub fn follow<E>(
    h: f64,
    order: usize,
    rounding: f64,
    sample: &mut dyn FnMut(f64) -> Result<[f64; COORDINATES], E>,
    visit: &mut dyn FnMut(f64, &[Path; COORDINATES]),
) -> Result<(), E> {
    let (mut begin, mut length) = (0.0, h);
    while begin < h {
        length = length.min(h - begin);
        let mut differences = [Differences::NONE; COORDINATES];
        let (mut confirmed, mut number) = (0, 0);
        while number < PLACES.len() && confirmed < CONFIRMATIONS {
            let deflections = sample(begin + PLACES[number] * length)?;
            let mut is_expected = number > order;
            for (differences, x) in differences.iter_mut().zip(deflections) {
                is_expected &= differences.add(number, x, rounding);
            }
            confirmed = if is_expected { confirmed + 1 } else { 0 };
            number += 1;
        }
        if confirmed < CONFIRMATIONS && length > MIN_SEGMENT * h {
            length *= 0.5;
            continue;
        }
        let count = number - CONFIRMATIONS;
        visit(length, &differences.map(|differences| Path::of_differences(&differences.first[..count])));
        // The last part must not leave a rest of rounding.
        begin = if length >= h - begin { h } else { begin + length };
        length *= 2.0;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    /// Returns the parts of a motion of the first coordinate, the others at rest.
    fn parts(h: f64, order: usize, x: &dyn Fn(f64) -> f64) -> Vec<(f64, Path)> {
        let mut parts = Vec::new();
        let mut sample = |s: f64| Ok::<_, Infallible>([x(s), 0.0, 0.0, 0.0, 0.0, 0.0]);
        follow(h, order, 1e-15, &mut sample, &mut |length, paths| parts.push((length, paths[0]))).unwrap();
        parts
    }

    proptest! {
        #[test]
        fn polynomials_are_met_in_one_part(c in prop::collection::vec(-2.0..2.0_f64, 1..10)) {
            let parts = parts(0.1, c.len() - 1, &|s| value(&c, s / 0.1));
            prop_assert_eq!(parts.len(), 1);
            for k in 0..50 {
                let u = f64::from(k) / 49.0;
                prop_assert!((parts[0].1.at(u) - value(&c, u)).abs() < 3e-13, "{:?}", parts[0].1);
            }
        }

        #[test]
        fn turns_are_where_the_direction_changes(zeros in prop::collection::vec(0.01..0.99_f64, 0..7)) {
            let mut zeros = zeros;
            zeros.sort_by(f64::total_cmp);
            prop_assume!(zeros.windows(2).all(|pair| pair[1] - pair[0] > 0.02));
            // The integral of the product of (u - zero).
            let mut slope = vec![1.0];
            for zero in &zeros {
                slope.insert(0, 0.0);
                for j in 0..slope.len() - 1 {
                    slope[j] -= zero * slope[j + 1];
                }
            }
            let c: Vec<f64> = [0.5].into_iter().chain(slope.iter().enumerate().map(|(j, c)| c / (j + 1) as f64)).collect();
            let turns = Path::new(&c).turns();
            prop_assert_eq!(turns.len(), zeros.len());
            for (turn, zero) in turns.iter().zip(&zeros) {
                prop_assert!((turn - zero).abs() < 1e-8, "{turn} {zero}");
            }
        }
    }

    #[test]
    fn what_is_no_polynomial_is_met_in_parts() {
        let x = |s: f64| (40.0 * s).sin() + (3.0 * s).exp();
        let parts = parts(1.0, 1, &x);
        assert!(parts.len() > 4 && parts.len() < 40, "{}", parts.len());
        let mut begin = 0.0;
        for (length, path) in &parts {
            for k in 0..20 {
                let u = f64::from(k) / 19.0;
                assert!((path.at(u) - x(begin + u * length)).abs() < 1e-10);
            }
            begin += length;
        }
        assert!((begin - 1.0).abs() < 1e-15);
    }

    /// A jump has no polynomial: the parts around it are as short as they may be.
    #[test]
    fn a_jump_ends_the_search() {
        let parts = parts(1.0, 1, &|s| if s < 0.3 { 0.0 } else { 1.0 });
        assert!(parts.len() < 60, "{}", parts.len());
        assert!((parts.iter().map(|(length, _)| length).sum::<f64>() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_straight_path_has_no_turns() {
        assert_eq!(Path::new(&[1.0, -2.0]).turns().len(), 0);
        assert_eq!(Path::new(&[1.0]).turns().len(), 0);
        assert_eq!(Path::new(&[0.0, -1.0, 1.0]).turns()[..], [0.5]);
    }
}
