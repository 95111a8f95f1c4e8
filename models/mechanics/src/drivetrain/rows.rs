//! A sparse matrix, row after row.

use crate::Scalar;

/// A sparse matrix whose rows lie one behind the other.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// End of each row in `terms`.
    ends: Vec<usize>,
    /// Columns with their numbers.
    terms: Vec<(usize, T)>,
    /// Rows, columns and numbers of the rows that have one number only: most have.
    single: Vec<(usize, usize, T)>,
    /// Numbers of the rows without any: positions at rest.
    empty: Vec<usize>,
    /// Numbers of the other rows.
    other: Vec<usize>,
}

impl<T: Scalar> Rows<T> {
    /// From the terms of each row, whose columns it sorts.
    pub fn new(rows: impl ExactSizeIterator<Item = impl Iterator<Item = (usize, T)>>) -> Self {
        let (ends, single) = (Vec::with_capacity(rows.len()), Vec::with_capacity(rows.len()));
        let mut all =
            Self { ends, terms: Vec::with_capacity(rows.len()), single, empty: Vec::new(), other: Vec::new() };
        for (i, row) in rows.enumerate() {
            let begin = all.terms.len();
            all.terms.extend(row);
            match &mut all.terms[begin..] {
                [] => all.empty.push(i),
                [(column, number)] => all.single.push((i, *column, *number)),
                terms => {
                    terms.sort_unstable_by_key(|(column, _)| *column);
                    all.other.push(i);
                }
            }
            all.ends.push(all.terms.len());
        }
        all
    }

    /// Converts the matrix to another type, number by number.
    pub fn map<U>(&self, to: impl Fn(T) -> U) -> Rows<U> {
        Rows {
            ends: self.ends.clone(),
            terms: self.terms.iter().map(|(column, number)| (*column, to(*number))).collect(),
            single: self.single.iter().map(|(row, column, number)| (*row, *column, to(*number))).collect(),
            empty: self.empty.clone(),
            other: self.other.clone(),
        }
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the terms of one row.
    pub fn row(&self, row: usize) -> &[(usize, T)] {
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[begin..self.ends[row]]
    }

    /// Iterates over the terms of each row.
    pub fn iter(&self) -> impl Iterator<Item = &[(usize, T)]> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// Sets `x` to the product with `q`.
    #[inline]
    pub fn multiply(&self, q: &[T], x: &mut [T]) {
        for (row, column, number) in &self.single {
            x[*row] = *number * q[*column];
        }
        self.empty.iter().for_each(|row| x[*row] = T::zero());
        for row in &self.other {
            x[*row] = self.row(*row).iter().fold(T::zero(), |sum, (column, number)| sum + *number * q[*column]);
        }
    }

    /// Adds the product of the transposed matrix with `x` to `q`, which may have fewer numbers than there are columns.
    #[inline]
    pub fn add_transposed(&self, x: &[T], q: &mut [T]) {
        for (row, column, number) in &self.single {
            if let Some(q) = q.get_mut(*column) {
                *q += *number * x[*row];
            }
        }
        for row in &self.other {
            self.add_row(*row, x[*row], q);
        }
    }

    /// Adds the product of the transposed matrix to `q` where `x` has one number only, in this row.
    pub fn add_row(&self, row: usize, x: T, q: &mut [T]) {
        for (column, number) in self.row(row) {
            if let Some(q) = q.get_mut(*column) {
                *q += *number * x;
            }
        }
    }
}
