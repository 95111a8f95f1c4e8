//! The number type of the equations: `f64` for values, dual numbers for exact derivatives.

use nalgebra::RealField;
pub use num_dual::Dual64;

/// A number in which equations can be evaluated: one of these two types.
pub trait Scalar: RealField + Copy {
    /// Whether it carries a derivative.
    const IS_DUAL: bool;

    /// The value without its derivative.
    fn value(self) -> f64;

    /// The derivative; 0 where the type has none.
    fn tangent(self) -> f64;

    /// The number with this derivative; where the type has none, only the value.
    fn with_tangent(value: f64, tangent: f64) -> Self;
}

impl Scalar for f64 {
    const IS_DUAL: bool = false;

    #[inline]
    fn value(self) -> f64 {
        self
    }

    #[inline]
    fn tangent(self) -> f64 {
        0.0
    }

    #[inline]
    fn with_tangent(value: f64, _tangent: f64) -> Self {
        value
    }
}

impl Scalar for Dual64 {
    const IS_DUAL: bool = true;

    #[inline]
    fn value(self) -> f64 {
        self.re
    }

    #[inline]
    fn tangent(self) -> f64 {
        self.eps
    }

    #[inline]
    fn with_tangent(value: f64, tangent: f64) -> Self {
        Self::new(value, tangent)
    }
}
