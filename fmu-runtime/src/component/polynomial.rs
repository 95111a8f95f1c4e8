//! Inputs as polynomials of time over one Co-Simulation step.

use serde::{Deserialize, Serialize};

use crate::rows::scalar::Dual64;

/// The highest order of `fmi2SetRealInputDerivatives`.
pub const MAX_INPUT_DERIVATIVE_ORDER: i32 = 8;
/// The highest order that an input can have: the speed of a given motion has one more than its acceleration, the
/// angle two.
const MAX_ORDER: u32 = MAX_INPUT_DERIVATIVE_ORDER.unsigned_abs() + 2;

/// Derivatives of inputs at the start of the next step: `u(t + s) = sum of u_j s^j / j!`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Polynomials {
    /// Derivatives for the next step: index of the input, order from 1, value.
    given: Vec<(usize, u32, f64)>,
    /// Derivatives at the end of the last step: index of the input and its first derivative.
    rates: Vec<(usize, f64)>,
}

impl Polynomials {
    /// Sets a derivative for the next step; an earlier one of the same order is replaced.
    pub fn set(&mut self, input: usize, order: u32, value: f64) {
        match self.given.iter_mut().find(|(i, j, _)| (*i, *j) == (input, order)) {
            Some(entry) => entry.2 = value,
            None => self.given.push((input, order, value)),
        }
    }

    /// Sets a derivative that an importer gives: with 0, as without it, nothing varies.
    pub fn give(&mut self, input: usize, order: u32, value: f64) {
        if value != 0.0 || self.given.iter().any(|(i, j, _)| (*i, *j) == (input, order)) {
            self.set(input, order, value);
        }
    }

    /// Makes an input follow its derivative, which is another input with this value.
    pub fn follow(&mut self, input: usize, derivative: usize, value: f64) {
        self.set(input, 1, value);
        for i in 0..self.given.len() {
            let (other, order, value) = self.given[i];
            if other == derivative {
                self.set(input, order + 1, value);
            }
        }
    }

    /// Makes this number of values behind an input its first derivatives: those that are given, otherwise 0. The further ones given
    /// are derivatives of these.
    pub fn derive(&mut self, reals: &mut [f64], input: usize, count: usize) {
        for (rate, behind) in (input + 1..).zip(1..).take(count) {
            reals[rate] = 0.0;
            for i in 0..self.given.len() {
                match self.given[i] {
                    (other, order, value) if other == input && order == behind => reals[rate] = value,
                    (other, order, value) if other == input && order > behind => self.set(rate, order - behind, value),
                    _ => {}
                }
            }
        }
    }

    /// Returns the highest order given for the next step, 0 if there is none.
    #[inline]
    pub fn order(&self) -> u32 {
        self.given.iter().map(|(_, order, _)| *order).max().unwrap_or(0)
    }

    /// Adds the change of the inputs at `s` after the start of the step.
    pub fn add(&self, reals: &mut [f64], s: f64) {
        for (input, order, value) in &self.given {
            reals[*input] += term(*value, *order, s);
        }
    }

    /// Restores the inputs that vary to their values at the beginning of a step.
    pub fn restore(&self, reals: &mut [f64], beginning: &[f64]) {
        for (input, ..) in &self.given {
            reals[*input] = beginning[*input];
        }
    }

    /// Adds the derivatives of the inputs `s` after the beginning of the step, times `along`.
    pub fn differentiate(&self, duals: &mut [Dual64], s: f64, along: f64) {
        for (input, order, value) in &self.given {
            duals[*input].eps += along * term(*value, order - 1, s);
        }
    }

    /// Adds the coefficients of `s^power` to the inputs.
    pub fn add_coefficients(&self, reals: &mut [f64], power: u32) {
        for (input, _, value) in self.given.iter().filter(|(_, order, _)| *order == power) {
            reals[*input] += term(*value, power, 1.0);
        }
    }

    /// Moves the inputs to the end of a step `h`. The derivatives hold for this step only.
    pub fn advance(&mut self, reals: &mut [f64], h: f64) {
        self.rates.clear();
        for (input, order, value) in self.given.drain(..) {
            let before = term(value, order - 1, h);
            reals[input] += before * h / f64::from(order);
            match self.rates.iter_mut().find(|(i, _)| *i == input) {
                Some((_, rate)) => *rate += before,
                None => self.rates.push((input, before)),
            }
        }
    }

    /// Ends a step in which no input varies.
    #[inline]
    pub fn hold(&mut self) {
        self.rates.clear();
    }

    /// Sets the derivative of an input before the end of the first step.
    pub fn run_on(&mut self, input: usize, rate: f64) {
        self.rates.push((input, rate));
    }

    /// Returns the first derivatives of the inputs at the end of the last step, from the left.
    pub fn rates(&self) -> &[(usize, f64)] {
        &self.rates
    }

    /// Copies other polynomials.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        if !(self.is_empty() && other.is_empty()) {
            self.clone_from(other);
        }
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.given.is_empty() && self.rates.is_empty()
    }

    /// Returns true if [`set`](Self::set) accepts the indices and orders.
    pub fn fits(&self, reals: usize) -> bool {
        self.given.iter().all(|(input, order, _)| *input < reals && (1..=MAX_ORDER).contains(order))
            && self.rates.iter().all(|(input, _)| *input < reals)
    }

    /// Clears all derivatives.
    pub fn clear(&mut self) {
        self.given.clear();
        self.rates.clear();
    }
}

/// Computes `value h^order / order!`.
fn term(value: f64, order: u32, h: f64) -> f64 {
    (1..=order).fold(value, |product, j| product * h / f64::from(j))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_inside_reach_from_an_acceleration_to_its_angle() {
        let [phi, w, a] = [0, 1, 2];
        let mut polynomials = Polynomials::default();
        polynomials.set(a, MAX_INPUT_DERIVATIVE_ORDER.unsigned_abs(), 1.0);
        polynomials.follow(w, a, 0.5);
        polynomials.follow(phi, w, 0.25);
        assert_eq!(polynomials.order(), MAX_ORDER);
        assert!(polynomials.fits(3) && !polynomials.fits(2));
        polynomials.set(phi, MAX_ORDER + 1, 1.0);
        assert!(!polynomials.fits(3));
    }
}
