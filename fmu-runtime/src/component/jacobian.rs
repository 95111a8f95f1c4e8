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

    /// Sets the derivative of an output by an input, each given by its index; does nothing if one of them has none.
    #[inline(always)]
    pub fn set<T: Scalar>(&mut self, output: T, input: T, derivative: T) {
        let (row, column) = (output.value() as i32, input.value() as i32);
        if let (Ok(row), Ok(column)) = (usize::try_from(row), usize::try_from(column)) {
            self.entries[row * self.columns + column] = derivative.value();
        }
    }

    /// Sets a block of derivatives of three outputs by three inputs, each given by its index; does nothing where one
    /// has none.
    #[inline(always)]
    pub fn set_block<T: Scalar>(&mut self, outputs: &[T; 3], inputs: &[T; 3], block: &[[T; 3]; 3]) {
        // A missing index lies behind all entries.
        let index =
            |variable: T| u32::try_from(variable.value() as i32).map_or(u32::MAX as usize, |index| index as usize);
        let [first, second, third] = inputs.map(index);
        // The elements of a vector follow each other.
        let are_neighbours = first < self.columns && second == first + 1 && third == first + 2;
        for (output, derivatives) in outputs.iter().zip(block) {
            let begin = index(*output) * self.columns;
            let Some(row) = self.entries.get_mut(begin..begin + self.columns) else { continue };
            let values = derivatives.map(|derivative| derivative.value());
            if are_neighbours && let Some(entries) = row.get_mut(first..first + 3) {
                entries.copy_from_slice(&values);
                continue;
            }
            for (column, value) in [first, second, third].into_iter().zip(values) {
                if let Some(entry) = row.get_mut(column) {
                    *entry = value;
                }
            }
        }
    }

    /// Changes the sign of the row with this index; does nothing if there is none.
    pub(crate) fn reverse(&mut self, index: f64) {
        if index >= 0.0 {
            let begin = index as usize * self.columns;
            self.entries[begin..begin + self.columns].iter_mut().for_each(|entry| *entry = -*entry);
        }
    }
}
