//! The matrix of a linear form, whose entries a component sets.

use crate::declaration::scalar::Scalar;

/// Derivatives of outputs by inputs: a row for each output, all entries 0 at first.
pub struct Jacobian<'a> {
    entries: &'a mut [f64],
    columns: usize,
}

/// The index of variables that are neither outputs nor inputs of the matrix.
pub(crate) const NO_INDEX: f64 = -1.0;

impl<'a> Jacobian<'a> {
    /// A matrix by rows, with this number of columns.
    pub(crate) fn new(entries: &'a mut [f64], columns: usize) -> Self {
        Self { entries, columns }
    }

    /// Sets the derivative of an output by an input, each given by its index; nothing if one of them has none.
    #[inline(always)]
    pub fn set<T: Scalar>(&mut self, output: T, input: T, derivative: T) {
        let (row, column) = (output.value() as i32, input.value() as i32);
        if let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) {
            self.entries[row * self.columns + column] = derivative.value();
        }
    }

    /// Changes the sign of the row with this index; nothing if there is none.
    pub(crate) fn reverse(&mut self, index: f64) {
        if index >= 0.0 {
            let begin = index as usize * self.columns;
            self.entries[begin..begin + self.columns].iter_mut().for_each(|entry| *entry = -*entry);
        }
    }
}
