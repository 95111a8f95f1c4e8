//! A Real signal: a value with its first two derivatives in time, which given motions need.

use std::ops::{Add, Mul, Sub};

use fmu_runtime::unit::{ONE, Unit};
use fmu_runtime::{Scalar, group};
use mechanics::constant;

/// The part of numbers, or of 1, by which [`margin`] is passed.
const MARGIN: f64 = 1e-12;

/// The name of a signal, and what it is.
#[derive(Clone, Copy, Debug)]
pub struct SignalRow {
    /// The name of the value.
    pub name: &'static str,
    /// One line.
    pub text: &'static str,
    /// Its unit.
    pub unit: &'static Unit,
    /// True if the row exists.
    pub exists: bool,
}

impl Default for SignalRow {
    fn default() -> Self {
        Self::output("y")
    }
}

impl SignalRow {
    /// A number that the block computes.
    pub const fn output(name: &'static str) -> Self {
        Self { name, text: "Output signal", unit: ONE, exists: true }
    }

    /// A number that the block takes.
    pub const fn input(name: &'static str) -> Self {
        Self { text: "Input signal", ..Self::output(name) }
    }

    /// Makes the row exist under a condition.
    pub const fn when(self, exists: bool) -> Self {
        Self { exists, ..self }
    }
}

group! {
    /// A Real output of a block. The rows must follow each other, since they are copied together.
    pub struct OutputSignal<T>(o: SignalRow) {
        output y: T, "Output signal", name = o.name, text = o.text, unit = o.unit, when = o.exists;
        internal first: T, ONE, "Its derivative in time";
        internal second: T, ONE, "Its second derivative in time";
    }
}

group! {
    /// A Real input of a block. The rows must follow each other, since they are copied together.
    pub struct InputSignal<T>(o: SignalRow) {
        input u: T = 0.0, "Input signal", name = o.name, text = o.text, unit = o.unit, when = o.exists;
        internal first: T, ONE, "Its derivative in time";
        internal second: T, ONE, "Its second derivative in time";
    }
}

impl<T: Scalar> OutputSignal<T> {
    /// Sets it.
    pub fn set(&mut self, Jet([y, first, second]): Jet<T>) {
        (self.y, self.first, self.second) = (y, first, second);
    }
}

impl<T: Scalar> InputSignal<T> {
    /// Its value with derivatives.
    pub fn jet(&self) -> Jet<T> {
        Jet([self.u, self.first, self.second])
    }
}

/// By how much one number must pass another one, so that both sides of an event are told apart.
pub(in crate::parts) fn margin<T: Scalar>(one: T, other: T) -> T {
    constant(MARGIN * (one.value().abs() + other.value().abs()).max(1.0))
}

/// A value with its first two derivatives in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<T>(pub [T; 3]);

impl<T: Scalar> Jet<T> {
    /// A value that does not change.
    pub fn constant(value: T) -> Self {
        Self([value, T::zero(), T::zero()])
    }

    /// Multiplied with a constant.
    pub fn scaled(self, factor: T) -> Self {
        Self(self.0.map(|one| one * factor))
    }
}

impl<T: Scalar> Add for Jet<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

impl<T: Scalar> Sub for Jet<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }
}

impl<T: Scalar> Mul for Jet<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let (Self([a, da, dda]), Self([b, db, ddb])) = (self, other);
        Self([a * b, da * b + a * db, dda * b + (da * db + da * db) + a * ddb])
    }
}
