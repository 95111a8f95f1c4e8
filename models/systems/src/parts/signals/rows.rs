//! Tables whose number of columns depends on options.

use fmu_runtime::{Attributes, ElementVisitor, Reader, Scalar, Size, Table, Variable, Writer};

/// The rows of a table, whose number of columns depends on the options.
#[derive(Clone, Copy, Debug)]
pub struct Rows(pub Table<1>);

/// Number of columns of a table, and the rows that there are without others.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    /// Their number.
    pub count: usize,
    /// The elements, row by row.
    pub start: &'static [f64],
}

impl Default for Columns {
    fn default() -> Self {
        Self { count: 2, start: &[0.0, 0.0, 1.0, 1.0] }
    }
}

impl<T: Scalar> Variable<T> for Rows {
    type Start = Columns;
    const SIZE: Size = Size::NONE;

    fn declare(attributes: &Attributes<'_>, columns: Option<Columns>, visitor: &mut dyn ElementVisitor) {
        let Columns { count, start } = columns.unwrap_or_default();
        visitor.table(attributes, count, start);
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(<Table<1> as Variable<T>>::read(reader))
    }

    #[inline(always)]
    fn write(&self, _: &mut Writer<'_, T>) {}
}
