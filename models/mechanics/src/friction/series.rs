//! Motion with coefficients that are polynomials in time: `y' = a(s) + b(s) y`, `y(0) = 0`.

use super::crossing::MAX_ROOTS;
use super::polynomial::Polynomial;

/// Largest number of terms: one more than is needed fits into [`MAX_ROOTS`].
const MAX_TERMS: usize = 26;
const _: () = assert!(MAX_TERMS <= MAX_ROOTS);

/// The Taylor series of y over `x = s / length`, which is exact to rounding for x in [0, 1].
#[derive(Clone, Copy, Debug)]
pub struct Series {
    c: [f64; MAX_TERMS],
    count: usize,
    /// The time over which it is valid.
    pub length: f64,
}

impl Series {
    /// Computes the series over a time `h`, or over a part of it if it would need more terms. A y below `nothing`
    /// counts as zero.
    pub fn new(a: &Polynomial, b: &Polynomial, h: f64, nothing: f64) -> Self {
        if let Some(settled) = Self::settled(a, b, h, nothing) {
            return settled;
        }
        let mut series = Self::over(a, b, h);
        // Values that are not finite never converge.
        while !series.is_exact(b) && series.length > f64::EPSILON * h {
            series = Self::over(a, b, 0.5 * series.length);
        }
        series.trimmed()
    }

    /// Returns the polynomial part of y if b is a constant rate of decay and the transient `y_0 exp(b s)` is below
    /// `nothing`.
    fn settled(a: &Polynomial, b: &Polynomial, h: f64, nothing: f64) -> Option<Self> {
        let (a, rate) = (a.coefficients(), b.start());
        if b.degree() > 0 || rate * h > -1.0 {
            return None;
        }
        let mut c = [0.0; MAX_TERMS];
        for (j, a) in a.iter().enumerate().rev() {
            c[j] = ((j + 1) as f64 * c[j + 1] - a) / rate;
        }
        let rest = std::mem::take(&mut c[0]);
        let mut power = 1.0;
        for c in &mut c {
            *c *= power;
            power *= h;
        }
        let count = a.len();
        (rest.abs() <= nothing).then(|| Self { c, count, length: h }.trimmed())
    }

    fn over(a: &Polynomial, b: &Polynomial, length: f64) -> Self {
        let (a, b) = (a.scaled(length), b.scaled(length));
        let (a, b) = (a.coefficients(), b.coefficients());
        let mut c = [0.0; MAX_TERMS];
        for j in 0..MAX_TERMS - 1 {
            let own: f64 = b.iter().zip(c[..=j].iter().rev()).map(|(b, c)| b * c).sum();
            c[j + 1] = length * (a.get(j).copied().unwrap_or_default() + own) / (j + 1) as f64;
        }
        Self { c, count: MAX_TERMS, length }
    }

    /// True if the truncation error is below rounding: from the last terms of the recurrence on, the magnitudes of the
    /// terms fall at least by the factor `sum of |b_j| / MAX_TERMS`.
    fn is_exact(&self, b: &Polynomial) -> bool {
        let scaled = b.scaled(self.length);
        let strength = self.length * scaled.coefficients().iter().map(|b| b.abs()).sum::<f64>();
        let largest = self.c.iter().fold(0.0_f64, |largest, c| largest.max(c.abs()));
        let last = self.c[MAX_TERMS - 1 - b.degree()..].iter().fold(0.0_f64, |last, c| last.max(c.abs()));
        strength <= 1.0 && last <= 0.25 * f64::EPSILON * largest
    }

    /// Removes trailing terms below rounding.
    fn trimmed(mut self) -> Self {
        let size: f64 = self.c.iter().map(|c| c.abs()).sum();
        while self.count > 1 && self.c[self.count - 1].abs() <= 1e-3 * f64::EPSILON * size {
            self.count -= 1;
        }
        self
    }

    /// Returns the coefficients of `start + sign y`.
    pub fn offset(&self, start: f64, sign: f64) -> Offset {
        let mut c = self.c.map(|c| sign * c);
        c[0] += start;
        Offset { c, count: self.count }
    }

    /// Evaluates y and its integral over s at `x`.
    pub fn at(&self, x: f64) -> (f64, f64) {
        let (mut value, mut integral) = (0.0, 0.0);
        for (j, c) in self.c[..self.count].iter().enumerate().rev() {
            value = value * x + c;
            integral = integral * x + c / (j + 1) as f64;
        }
        (value, integral * x * self.length)
    }
}

/// A series plus a constant, or its opposite plus a constant.
pub struct Offset {
    c: [f64; MAX_TERMS],
    count: usize,
}

impl Offset {
    /// Returns the coefficients of the powers of x.
    pub fn coefficients(&self) -> &[f64] {
        &self.c[..self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_coefficients_give_the_exponential() {
        let series = Series::new(&Polynomial::constant(2.0), &Polynomial::constant(-1.5), 0.4, 0.0);
        assert_eq!(series.length, 0.4);
        let (y, integral) = series.at(0.5);
        let exact = 2.0 * (-0.3_f64).exp_m1() / -1.5;
        assert!((y - exact).abs() < 1e-16 && (integral - (exact - 0.4) / -1.5).abs() < 1e-16);
    }

    /// Solves `y' = 2 s y + 1 - 2 s^2`, whose solution is y = s.
    #[test]
    fn a_series_solves_an_equation_with_varying_coefficients() {
        let (mut a, mut b) = (Polynomial::constant(1.0), Polynomial::constant(0.0));
        a.set(2, -2.0);
        b.set(1, 2.0);
        let series = Series::new(&a, &b, 0.5, 0.0);
        assert!((series.at(1.0).0 - series.length).abs() < 1e-16);
    }

    #[test]
    fn a_stiff_one_reaches_less_far() {
        let series = Series::new(&Polynomial::constant(1.0), &Polynomial::constant(-1e4), 1.0, 0.0);
        assert!(series.length <= 1e-4 && series.length > 1e-5);
        let (y, _) = series.at(1.0);
        assert!((y / ((-1e4 * series.length).exp_m1() / -1e4) - 1.0).abs() < 1e-15);
    }
}
