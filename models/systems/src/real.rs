//! Values of the runtime as numbers of the type in which equations are evaluated.

use fmu_runtime::{Dual64, Scalar};

/// Numbers whose equations give values. With `--small` they are dual numbers without derivatives, so that a library has the
/// equations once.
#[cfg(not(fmu_duals_only))]
pub type Real = f64;
#[cfg(fmu_duals_only)]
pub type Real = Dual64;

/// A type of numbers that values can become.
pub trait FromValues: Scalar {
    /// Numbers in place of values; nothing where they are the values.
    type Copied: Default + Send;

    /// Returns values as numbers of the type.
    fn read<'a>(values: &'a [f64], copied: &'a mut Self::Copied) -> &'a [Self];

    /// Returns values as numbers of the type, which can be changed until they are [put back](Self::put_back).
    fn take<'a>(values: &'a mut [f64], copied: &'a mut Self::Copied) -> &'a mut [Self];

    /// Sets the values to the numbers that were taken of them.
    fn put_back(copied: &Self::Copied, values: &mut [f64]);
}

/// Where numbers are the values, there are no copies.
#[derive(Default)]
pub struct NotCopied;

impl FromValues for f64 {
    type Copied = NotCopied;

    fn read<'a>(values: &'a [f64], _: &'a mut NotCopied) -> &'a [Self] {
        values
    }

    fn take<'a>(values: &'a mut [f64], _: &'a mut NotCopied) -> &'a mut [Self] {
        values
    }

    fn put_back(_: &NotCopied, _: &mut [f64]) {}
}

impl FromValues for Dual64 {
    type Copied = Vec<Dual64>;

    fn read<'a>(values: &'a [f64], copied: &'a mut Vec<Dual64>) -> &'a [Self] {
        copied.clear();
        copied.extend(values.iter().copied().map(Dual64::from_re));
        copied
    }

    fn take<'a>(values: &'a mut [f64], copied: &'a mut Vec<Dual64>) -> &'a mut [Self] {
        Self::read(values, copied);
        copied
    }

    fn put_back(copied: &Vec<Dual64>, values: &mut [f64]) {
        values.iter_mut().zip(copied).for_each(|(value, number)| *value = number.re);
    }
}
