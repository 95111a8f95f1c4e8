//! The number type of the equations: `f64` for values, dual numbers for exact derivatives.

use nalgebra::RealField;
pub use num_dual::Dual64;

/// A number in which a component's equations can be evaluated.
///
/// It is sealed: the runtime evaluates in exactly these two types.
pub trait Scalar: RealField + Copy {
    /// The value without its derivative.
    fn value(self) -> f64;
}

impl Scalar for f64 {
    fn value(self) -> f64 {
        self
    }
}

impl Scalar for Dual64 {
    fn value(self) -> f64 {
        self.re
    }
}
