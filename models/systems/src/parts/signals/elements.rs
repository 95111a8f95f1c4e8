//! Arrays of Reals whose number of elements depends on the options of a block.

use std::ops::{Index, IndexMut};

use fmu_runtime::{Attributes, ElementVisitor, Index as Place, Reader, Scalar, Size, Variable, Writer};

/// An array with room for `N` elements, of which the first ones exist.
#[derive(Clone, Debug)]
pub struct Elements<T, const N: usize>(pub [T; N]);

/// How many elements of an array exist, and their start values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Number of elements.
    pub count: usize,
    /// Start value of the first one.
    pub first: f64,
    /// Start value of the others.
    pub others: f64,
}

impl Count {
    /// Elements that begin with 0.
    pub const fn of(count: usize) -> Self {
        Self { count, first: 0.0, others: 0.0 }
    }

    /// Elements that begin with 1.
    pub const fn ones(count: usize) -> Self {
        Self { count, first: 1.0, others: 1.0 }
    }
}

impl<T: Scalar, const N: usize> Variable<T> for Elements<T, N> {
    type Start = Count;
    const SIZE: Size = Size { reals: N, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<Count>, visitor: &mut dyn ElementVisitor) {
        declare(attributes, N, start.unwrap_or_default(), visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(reader.reals::<N>())
    }

    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.reals(self.0);
    }
}

/// Declares the elements, of which those behind the last one do not exist.
fn declare(attributes: &Attributes<'_>, room: usize, of: Count, visitor: &mut dyn ElementVisitor) {
    for i in 0..room {
        let start = if i == 0 { of.first } else { of.others };
        visitor.real(&attributes.element(i < of.count), Place::One(i + 1), start);
    }
}

impl<T, const N: usize> Index<usize> for Elements<T, N> {
    type Output = T;

    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T, const N: usize> IndexMut<usize> for Elements<T, N> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}
