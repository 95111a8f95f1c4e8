//! Polynomials in time inside a step.

use super::crossing;

/// Highest order of an input derivative.
pub const MAX_ORDER: usize = 8;

/// Largest number of coefficients: those of an input integrated twice.
const MAX_COEFFICIENTS: usize = MAX_ORDER + 3;

/// A polynomial `sum of c_j s^j` of the time s since the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polynomial {
    c: [f64; MAX_COEFFICIENTS],
    degree: usize,
}

impl Polynomial {
    /// Makes a polynomial of degree 0.
    pub fn constant(value: f64) -> Self {
        let mut c = [0.0; MAX_COEFFICIENTS];
        c[0] = value;
        Self { c, degree: 0 }
    }

    /// Sets the coefficient of `s^power`, at most [`MAX_ORDER`] + 2.
    pub fn set(&mut self, power: usize, value: f64) {
        self.c[power] = value;
        if value != 0.0 {
            self.degree = self.degree.max(power);
        }
    }

    /// Returns the coefficients up to the degree.
    pub fn coefficients(&self) -> &[f64] {
        &self.c[..=self.degree]
    }

    /// Returns the power of the last coefficient.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the value at `s = 0`.
    pub fn start(&self) -> f64 {
        self.c[0]
    }

    /// Replaces the value at `s = 0`.
    pub fn set_start(&mut self, value: f64) {
        self.c[0] = value;
    }

    /// Evaluates the polynomial at `s`.
    pub fn at(&self, s: f64) -> f64 {
        self.coefficients().iter().rev().fold(0.0, |sum, c| sum * s + c)
    }

    /// Integrates the polynomial, with a given value at `s = 0`.
    pub fn integral(&self, start: f64) -> Self {
        let mut integral = Self::constant(start);
        for (j, c) in self.coefficients().iter().enumerate() {
            integral.set(j + 1, c / (j + 1) as f64);
        }
        integral
    }

    /// Returns the derivative.
    pub fn rate(&self) -> Self {
        let mut rate = Self::constant(0.0);
        for (j, c) in self.coefficients().iter().enumerate().skip(1) {
            rate.set(j - 1, c * j as f64);
        }
        rate
    }

    /// Returns the polynomial as a function of the time since `s`.
    pub fn shifted(&self, s: f64) -> Self {
        let mut shifted = *self;
        // Horner's scheme, once for each coefficient.
        for i in 0..self.degree {
            for j in (i..self.degree).rev() {
                shifted.c[j] += shifted.c[j + 1] * s;
            }
        }
        shifted
    }

    /// Returns the linear combination `x self + y other`.
    pub fn combined(&self, x: f64, other: &Self, y: f64) -> Self {
        let degree = self.degree.max(other.degree);
        let mut sum = Self { c: [0.0; MAX_COEFFICIENTS], degree };
        for j in 0..=degree {
            sum.c[j] = x * self.c[j] + y * other.c[j];
        }
        sum
    }

    /// Returns the sign right after `s = 0`: that of the first coefficient that is not zero.
    pub fn sign_after(&self) -> f64 {
        self.coefficients().iter().find(|c| **c != 0.0).map_or(0.0, |c| c.signum())
    }

    /// Finds the first `s` from 0 to `h` from which on the polynomial is negative for a while; a negative start counts
    /// as zero.
    pub fn first_below_zero(&self, h: f64) -> Option<f64> {
        let mut scaled = self.scaled(h);
        scaled.set_start(scaled.start().max(0.0));
        crossing::first_below_zero(scaled.coefficients()).map(|x| x * h)
    }

    /// Returns the polynomial as a function of `x = s / h`.
    pub fn scaled(&self, h: f64) -> Self {
        let mut scaled = *self;
        let mut power = 1.0;
        for c in &mut scaled.c[..=self.degree] {
            *c *= power;
            power *= h;
        }
        scaled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_integrals_and_shifts_belong_together() {
        let mut cubic = Polynomial::constant(1.0);
        for (power, value) in [(1, -2.0), (2, 0.5), (3, 3.0)] {
            cubic.set(power, value);
        }
        assert_eq!(cubic.at(2.0), 1.0 - 4.0 + 2.0 + 24.0);
        assert!((cubic.shifted(0.5).at(1.5) - cubic.at(2.0)).abs() < 1e-14);
        assert!((cubic.scaled(2.0).at(1.0) - cubic.at(2.0)).abs() < 1e-14);
        assert!((cubic.integral(7.0).at(2.0) - (17.0 + 4.0 / 3.0)).abs() < 1e-14);
        assert_eq!(cubic.combined(2.0, &Polynomial::constant(1.0), -1.0).at(2.0), 45.0);
    }

    #[test]
    fn the_sign_after_zero_is_that_of_the_first_derivative_that_counts() {
        let mut falling = Polynomial::constant(0.0);
        assert_eq!(falling.sign_after(), 0.0);
        falling.set(3, -1.0);
        assert_eq!(falling.sign_after(), -1.0);
    }
}
