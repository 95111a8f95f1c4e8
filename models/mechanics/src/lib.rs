//! The mathematics of the mechanical components.
//!
//! Notation, the same everywhere: a frame F has a position `r_0`, a velocity `v_0` (both resolved in
//! the world frame), a rotation matrix `T` from the world frame to F (`x_F = T x_world`, Modelica's
//! `R.T`) and an angular velocity `w` relative to the world, resolved in F (Modelica's `R.w`).
//! Forces `f` and torques `t` at a frame act on the component and are resolved in that frame.
//!
//! Everything is generic over the scalar type, so that the same lines give values and exact
//! derivatives, and allocates nothing.

pub mod assembly;
pub mod compliance;
pub mod euler;
pub mod frame;
pub mod friction;
pub mod motion;
pub mod rotation;
pub mod spline;
pub mod table;

use nalgebra::RealField;

/// The number type of the equations.
pub trait Scalar: RealField + Copy {}
impl<T: RealField + Copy> Scalar for T {}

/// A constant in the scalar type.
pub fn constant<T: Scalar>(value: f64) -> T {
    nalgebra::convert(value)
}

/// The value of a number without its derivative.
pub fn value<T: Scalar>(number: T) -> f64 {
    nalgebra::try_convert(number).unwrap_or(f64::NAN)
}

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
