//! The number type of the equations.

use std::ops::{Add, Div, Mul, Sub};

pub use scalar::Dual64;
pub use tape::Recorded;

/// A number in which a component's equations can be evaluated: `f64` for values, a dual number or a recorded one for exact
/// derivatives.
///
/// Constants stand behind an operator: `self.x + 1.0`, `self.x * 0.5`. Elsewhere `nalgebra::convert` makes them.
// A trait of this crate, so that these numbers and other types can be variables.
pub trait Scalar:
    scalar::Scalar + Add<f64, Output = Self> + Sub<f64, Output = Self> + Mul<f64, Output = Self> + Div<f64, Output = Self>
{
}

impl Scalar for f64 {}

impl Scalar for Dual64 {}

impl Scalar for Recorded {}
