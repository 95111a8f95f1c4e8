//! The mathematics of the mechanical components.
//!
//! Notation, the same everywhere: a frame F has a position `r_0`, a velocity `v_0` (both resolved in
//! the world frame), a rotation matrix `T` from the world frame to F (`x_F = T x_world`, Modelica's
//! `R.T`) and an angular velocity `w` relative to the world, resolved in F (Modelica's `R.w`).
//! Forces `f` and torques `t` at a frame act on the component and are resolved in that frame.
//!
//! Everything is generic over the scalar type, so that the same code computes values and exact
//! derivatives, and nothing allocates.

pub mod assembly;
pub mod classes;
pub mod compliance;
pub mod direction;
pub mod euler;
pub mod frame;
pub mod friction;
pub mod motion;
pub mod nearest;
pub mod once;
pub mod rotation;
pub mod rubber;
pub mod spline;
pub mod table;
pub mod train;
pub mod tree;

pub use scalar::{Dual64, Scalar};

/// A constant in the scalar type.
pub fn constant<T: Scalar>(value: f64) -> T {
    nalgebra::convert(value)
}

/// The result of a function that is always inlined: in values, for speed. In dual numbers, which take several times the code, it
/// is compiled once.
macro_rules! compact {
    ($scalar:ty, $work:expr, $on:expr) => {
        if <$scalar as crate::Scalar>::IS_DUAL { crate::apart($work, $on) } else { $work($on) }
    };
}
pub(crate) use compact;

/// The result of work that is not inlined.
#[inline(never)]
fn apart<A, V>(work: impl FnOnce(A) -> V, on: A) -> V {
    work(on)
}

/// Rows that move in a direction.
pub(crate) fn moved_rows<const N: usize>(rows: &[[f64; N]], direction: &[[f64; N]]) -> Vec<[Dual64; N]> {
    let row = |(row, direction): (&[f64; N], &[f64; N])| {
        std::array::from_fn(|column| Dual64::new(row[column], direction[column]))
    };
    rows.iter().zip(direction).map(row).collect()
}

/// Whether a number rises with time. `time_derivative` is 0 with the derivative of time.
pub(crate) fn rises<T: Scalar>(number: T, time_derivative: T) -> bool {
    number.tangent() * time_derivative.tangent() > 0.0
}

/// The value of a number without its derivative.
pub fn value<T: Scalar>(number: T) -> f64 {
    number.value()
}

/// Name and version of this package.
pub const PACKAGE: (&str, &str) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
