//! Components as parts: their rows and equations, with frames that move with the mechanism.

use fmu_runtime::{Attributes, ElementVisitor, Reader, Scalar, Size, Structure, Variable, Variables, Writer};

use crate::part::row_overrides::RowOverrides;

/// A component as a part: its rows are the first ones of the part.
#[derive(Clone)]
pub struct ComponentPart<C>(pub C);

impl<T: Scalar, C: Variables<T>> Variable<T> for ComponentPart<C>
where
    C::Structure: Structure,
{
    type Start = C::Structure;
    const SIZE: Size = C::SIZE;

    fn declare(attributes: &Attributes<'_>, start: Option<C::Structure>, visitor: &mut dyn ElementVisitor) {
        let change = |row: &Attributes<'_>, _, pass: &mut dyn FnMut(&Attributes<'_>)| row.in_part(attributes, pass);
        let mut changed = RowOverrides { change: &change, groups: true, visitor };
        C::declare(&start.unwrap_or_default(), &mut changed);
    }

    // This and the following functions are not inlined: each of many functions would have a copy.
    #[inline(never)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        let own = C::read(reader.clone());
        reader.skip(C::SIZE);
        Self(own)
    }

    #[inline(never)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.write(writer.borrowed());
        writer.skip(C::SIZE);
    }
}
