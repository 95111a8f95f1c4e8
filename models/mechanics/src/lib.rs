//! The mathematics of the mechanical components.
//!
//! Notation, the same everywhere: a frame F has a position `r_0`, a velocity `v_0` (both resolved in
//! the world frame), a rotation matrix `T` from the world frame to F (`x_F = T x_world`, Modelica's
//! `R.T`) and an angular velocity `w` relative to the world, resolved in F (Modelica's `R.w`).
//! Forces `f` and torques `t` at a frame act on the component and are resolved in that frame.
//!
//! Everything is generic over the scalar type, so that the same code computes values and exact
//! derivatives, and no evaluation allocates.

mod angle;
pub mod assembly;
pub mod compliance;
pub mod direction;
pub mod disjoint_sets;
pub mod drivetrain;
pub mod eigenvalues;
pub mod euler;
mod factor;
pub mod frame;
pub mod friction;
pub mod least_squares;
pub mod lookup_table;
pub mod motion;
pub mod null_space;
pub mod points;
pub mod precompiled;
pub mod rotation;
pub mod tree;
pub mod viscoelastic;

pub use scalar::{Dual64, Scalar, constant, value, vanishes};

/// The result of a function that is always inlined: in values, for speed. In dual numbers, which take several times the code, it
/// is compiled once.
macro_rules! compact {
    ($scalar:ty, $work:expr, $on:expr) => {
        if <$scalar as crate::Scalar>::IS_DUAL { crate::apart($work, $on) } else { $work($on) }
    };
}
pub(crate) use compact;

/// Applies a function that is not inlined.
#[inline(never)]
fn apart<A, V>(work: impl FnOnce(A) -> V, on: A) -> V {
    work(on)
}

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
