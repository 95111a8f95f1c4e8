//! The number type of the equations.

pub use scalar::Dual64;

/// A number in which a component's equations can be evaluated: `f64` for values, a dual number for exact derivatives.
///
/// A trait of this crate, so that these numbers and other types can be variables.
pub trait Scalar: scalar::Scalar {}

impl Scalar for f64 {}

impl Scalar for Dual64 {}
