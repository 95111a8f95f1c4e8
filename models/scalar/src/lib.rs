//! The number type of the equations: `f64` for values, dual numbers for exact derivatives.

use nalgebra::RealField;
pub use num_dual::Dual64;

/// A number type in which equations can be evaluated: `f64`, [`Dual64`], or one that records the operations.
pub trait Scalar: RealField + Copy {
    /// True if numbers of the type carry a derivative.
    const IS_DUAL: bool;

    /// Returns the value without its derivative.
    fn value(self) -> f64;

    /// Returns the derivative; 0 where the type has none.
    fn tangent(self) -> f64;

    /// Makes a number with this derivative; where the type has none, only the value.
    fn with_tangent(value: f64, tangent: f64) -> Self;

    /// Makes a number with this value, whose derivative by each of the arguments is given.
    fn depending<const N: usize>(value: f64, arguments: [Self; N], slopes: [f64; N]) -> Self;
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

    #[inline(always)]
    fn depending<const N: usize>(value: f64, _arguments: [Self; N], _slopes: [f64; N]) -> Self {
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

    #[inline]
    fn depending<const N: usize>(value: f64, arguments: [Self; N], slopes: [f64; N]) -> Self {
        let terms = arguments.iter().zip(slopes).map(|(argument, slope)| argument.eps * slope);
        Self::new(value, terms.sum())
    }
}

/// Converts a constant to the scalar type.
pub fn constant<T: Scalar>(value: f64) -> T {
    nalgebra::convert(value)
}

/// True if a number is 0 and so is its derivative.
#[inline]
pub fn vanishes<T: Scalar>(number: T) -> bool {
    number.value() == 0.0 && number.tangent() == 0.0
}

/// Returns the value of a number without its derivative.
pub fn value<T: Scalar>(number: T) -> f64 {
    number.value()
}

/// True if a number rises with time. `time_derivative` is 0 with the derivative of time.
pub fn rises<T: Scalar>(number: T, time_derivative: T) -> bool {
    number.tangent() * time_derivative.tangent() > 0.0
}

/// Makes rows of dual numbers that move in a direction.
pub fn moved_rows<const N: usize>(rows: &[[f64; N]], direction: &[[f64; N]]) -> Vec<[Dual64; N]> {
    let row = |(row, direction): (&[f64; N], &[f64; N])| {
        std::array::from_fn(|column| Dual64::new(row[column], direction[column]))
    };
    rows.iter().zip(direction).map(row).collect()
}
