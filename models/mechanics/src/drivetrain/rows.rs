//! A sparse matrix, row after row.

use crate::Scalar;

/// Rows of few numbers each, which lie one behind the other.
#[derive(Clone, Debug)]
pub struct Rows<T> {
    /// Where each row ends.
    ends: Vec<usize>,
    /// Columns with their numbers.
    terms: Vec<(usize, T)>,
    /// Rows, columns and numbers of the rows that have one number only: most have.
    single: Vec<(usize, usize, T)>,
    /// The other rows.
    other: Vec<usize>,
}

impl<T: Scalar> Rows<T> {
    /// From the terms of each row.
    pub fn new(rows: Vec<Vec<(usize, T)>>) -> Self {
        let mut all = Self { ends: Vec::new(), terms: Vec::new(), single: Vec::new(), other: Vec::new() };
        for (i, row) in rows.into_iter().enumerate() {
            match &row[..] {
                [(column, number)] => all.single.push((i, *column, *number)),
                _ => all.other.push(i),
            }
            all.terms.extend(row);
            all.ends.push(all.terms.len());
        }
        all
    }

    /// The same in another type, number by number.
    pub fn map<U>(&self, to: impl Fn(T) -> U) -> Rows<U> {
        Rows {
            ends: self.ends.clone(),
            terms: self.terms.iter().map(|(column, number)| (*column, to(*number))).collect(),
            single: self.single.iter().map(|(row, column, number)| (*row, *column, to(*number))).collect(),
            other: self.other.clone(),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The terms of one row.
    pub fn row(&self, row: usize) -> &[(usize, T)] {
        let begin = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.terms[begin..self.ends[row]]
    }

    /// The terms of each row.
    pub fn iter(&self) -> impl Iterator<Item = &[(usize, T)]> {
        (0..self.len()).map(|row| self.row(row))
    }

    /// Sets `x` to the product with `q`.
    #[inline]
    pub fn multiply(&self, q: &[T], x: &mut [T]) {
        for (row, column, number) in &self.single {
            x[*row] = *number * q[*column];
        }
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

    /// The same where `x` has one number only, in this row.
    pub fn add_row(&self, row: usize, x: T, q: &mut [T]) {
        for (column, number) in self.row(row) {
            if let Some(q) = q.get_mut(*column) {
                *q += *number * x;
            }
        }
    }
}
