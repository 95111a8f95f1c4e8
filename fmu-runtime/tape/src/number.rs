//! The recorded number.

use std::cmp::Ordering;
use std::fmt;

use scalar::Scalar;

use crate::operations::{constant, depending, function, function_of, value};

/// The position of a number in the record of this thread, compared by its value.
#[derive(Clone, Copy, Debug)]
pub struct Recorded(pub(crate) u32);

impl Recorded {
    /// Records a constant.
    #[inline(always)]
    pub(crate) fn constant(value: f64) -> Self {
        Self(constant(value))
    }

    /// Records a function of one number, which returns its value and its derivative.
    #[inline(always)]
    pub(crate) fn function(self, of: impl FnOnce(f64) -> (f64, f64)) -> Self {
        Self(function(self.0, of))
    }

    /// Records a function of two numbers, which returns its value and its derivatives.
    #[inline(always)]
    pub(crate) fn function_of(self, other: Self, of: impl FnOnce([f64; 2]) -> (f64, [f64; 2])) -> Self {
        Self(function_of([self.0, other.0], of))
    }
}

impl Scalar for Recorded {
    const IS_DUAL: bool = true;

    #[inline(always)]
    fn value(self) -> f64 {
        value(self.0)
    }

    #[inline(always)]
    fn tangent(self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn with_tangent(value: f64, _tangent: f64) -> Self {
        Self::constant(value)
    }

    #[inline(always)]
    fn depending<const N: usize>(value: f64, arguments: [Self; N], slopes: [f64; N]) -> Self {
        Self(depending(value, &arguments.map(|Self(position)| position), &slopes))
    }
}

impl PartialEq for Recorded {
    #[inline(never)]
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl PartialOrd for Recorded {
    #[inline(never)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.value().partial_cmp(&other.value())
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value().fmt(f)
    }
}
