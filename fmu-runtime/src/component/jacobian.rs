//! The matrix of a linear form, whose entries a component sets.

use crate::rows::scalar::Scalar;

/// Derivatives of outputs by inputs: a row for each output, all entries 0 at first.
pub struct Jacobian<'a> {
    entries: &'a mut [f64],
    columns: usize,
}

/// The index of variables that are neither outputs nor inputs of the matrix.
pub(crate) const NO_INDEX: f64 = -1.0;

/// The row or column of a variable.
#[derive(Clone, Copy, PartialEq)]
pub struct JacobianIndex(usize);

impl JacobianIndex {
    /// Of a variable that is neither an output nor an input of the matrix.
    const NONE: Self = Self(usize::MAX);

    /// That of a variable which holds its index in place of its value.
    #[inline(always)]
    pub fn of<T: Scalar>(variable: T) -> Self {
        usize::try_from(variable.value() as i32).map_or(Self::NONE, Self)
    }

    /// Those of the elements of a vector.
    #[inline(always)]
    pub fn of_vector<T: Scalar>(variables: &[T; 3]) -> [Self; 3] {
        variables.map(Self::of)
    }

    /// Returns true if the matrix has this row or column.
    #[inline(always)]
    pub fn exists(self) -> bool {
        self != Self::NONE
    }
}

impl<'a> Jacobian<'a> {
    /// A matrix by rows, with this number of columns.
    pub(crate) fn new(entries: &'a mut [f64], columns: usize) -> Self {
        Self { entries, columns }
    }

    /// Sets the derivative of an output by an input; nothing if one of them has no index.
    #[inline(always)]
    pub fn set<T: Scalar>(&mut self, output: JacobianIndex, input: JacobianIndex, derivative: T) {
        if output.exists() && input.0 < self.columns {
            self.entries[output.0 * self.columns + input.0] = derivative.value();
        }
    }

    /// Sets a block of derivatives of three outputs by three inputs; nothing where one has no index.
    #[inline(always)]
    pub fn set_block<T: Scalar>(
        &mut self,
        outputs: [JacobianIndex; 3],
        inputs: [JacobianIndex; 3],
        block: &[[T; 3]; 3],
    ) {
        let [first, second, third] = inputs.map(|input| input.0);
        // The elements of a vector follow each other.
        let are_neighbours = third < self.columns && second == first.wrapping_add(1) && third == second + 1;
        for (output, derivatives) in outputs.into_iter().zip(block) {
            if !are_neighbours {
                inputs.into_iter().zip(derivatives).for_each(|(input, value)| self.set(output, input, *value));
            } else if output.exists() {
                let begin = output.0 * self.columns + first;
                self.entries[begin..begin + 3].copy_from_slice(&derivatives.map(|derivative| derivative.value()));
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
