//! The types that a row can have.

use fmu_exchange::Index;
use nalgebra::{Matrix3, Vector3};

use crate::rows::row::{Attributes, ElementVisitor};
use crate::rows::scalar::Scalar;
use crate::rows::values::{Reader, Size, Writer};

/// A type of variable whose Reals are in the scalar type `T`: a scalar, an array or a group.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of a row",
    label = "a row is `T`, `Vector3<T>`, `Matrix3<T>`, `i32`, `[i32; 3]`, `bool`, `Text`, `Table<COLUMNS>`, `Attachment`, \
             or a type of `enumeration!` or `group!`"
)]
pub trait Variable<T>: Sized {
    /// The type of its start value in the declaration; for a group its options.
    type Start;
    /// Number of values of the variable, by type.
    const SIZE: Size;

    /// Hands its elements to `visitor`.
    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor);
    /// Reads its values from the reader.
    fn read(reader: &mut Reader<'_, T>) -> Self;
    /// Reads the values that stand behind the `begin` Reals of all rows; only an [`Option`] has them.
    #[inline(always)]
    fn read_rest(&mut self, _reader: &Reader<'_, T>, _begin: usize) {}
    /// Writes its values to the writer.
    fn write(&self, writer: &mut Writer<'_, T>);
}

/// Declares a Real. It is not inlined, so that each row is a short call.
#[inline(never)]
fn declare_real(attributes: &Attributes<'_>, start: f64, visitor: &mut dyn ElementVisitor) {
    visitor.real(attributes, Index::None, start);
}

/// Declares the elements of a vector. It is not inlined, since it is not used during a simulation.
#[inline(never)]
pub fn declare_vector(attributes: &Attributes<'_>, start: &[f64], visitor: &mut dyn ElementVisitor) {
    for (i, start) in start.iter().enumerate() {
        visitor.real(attributes, Index::One(i + 1), *start);
    }
}

/// Declares the elements of a matrix with three columns, row by row.
#[inline(never)]
pub fn declare_matrix(attributes: &Attributes<'_>, start: &[f64], visitor: &mut dyn ElementVisitor) {
    for (i, start) in start.iter().enumerate() {
        visitor.real(attributes, Index::Two(i / 3 + 1, i % 3 + 1), *start);
    }
}

const REAL: Size = Size { reals: 1, ..Size::NONE };

impl<T: Scalar> Variable<T> for T {
    type Start = f64;
    const SIZE: Size = REAL;

    fn declare(attributes: &Attributes<'_>, start: Option<f64>, visitor: &mut dyn ElementVisitor) {
        declare_real(attributes, start.unwrap_or_default(), visitor);
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        reader.reals::<1>()[0]
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.reals([*self]);
    }
}

impl<T: Scalar> Variable<T> for Vector3<T> {
    type Start = [f64; 3];
    const SIZE: Size = Size { reals: 3, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<[f64; 3]>, visitor: &mut dyn ElementVisitor) {
        declare_vector(attributes, &start.unwrap_or_default(), visitor);
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        reader.reals::<3>().into()
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.reals::<3>((*self).into());
    }
}

impl<T: Scalar> Variable<T> for Matrix3<T> {
    type Start = [[f64; 3]; 3];
    const SIZE: Size = Size { reals: 9, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor) {
        declare_matrix(attributes, start.unwrap_or_default().as_flattened(), visitor);
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Matrix3::from_row_slice(&reader.reals::<9>())
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        let [a, b, c] = self.transpose().data.0;
        writer.reals(a);
        writer.reals(b);
        writer.reals(c);
    }
}

impl<T> Variable<T> for i32
where
    T: Scalar,
{
    type Start = i32;
    const SIZE: Size = Size { integers: 1, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<i32>, visitor: &mut dyn ElementVisitor) {
        visitor.integer(attributes, Index::None, start.unwrap_or_default());
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        reader.integer()
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.integer(*self);
    }
}

impl<T: Scalar> Variable<T> for [i32; 3] {
    type Start = [i32; 3];
    const SIZE: Size = Size { integers: 3, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<[i32; 3]>, visitor: &mut dyn ElementVisitor) {
        for (i, start) in start.unwrap_or_default().into_iter().enumerate() {
            visitor.integer(attributes, Index::One(i + 1), start);
        }
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        std::array::from_fn(|_| reader.integer())
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.iter().for_each(|value| writer.integer(*value));
    }
}

impl<T: Scalar> Variable<T> for bool {
    type Start = bool;
    const SIZE: Size = Size { booleans: 1, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<bool>, visitor: &mut dyn ElementVisitor) {
        visitor.boolean(attributes, start.unwrap_or_default());
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        reader.boolean()
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.boolean(*self);
    }
}

/// A String, read through [`Source::text`](crate::Source::text) when parameters are prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(pub(crate) usize);

impl<T: Scalar> Variable<T> for Text {
    type Start = &'static str;
    const SIZE: Size = Size::NONE;

    fn declare(attributes: &Attributes<'_>, start: Option<&'static str>, visitor: &mut dyn ElementVisitor) {
        visitor.string(attributes, start.unwrap_or_default());
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(reader.string())
    }
    #[inline(always)]
    fn write(&self, _: &mut Writer<'_, T>) {}
}

/// A file that is copied into the FMU's resources when it is built, read through
/// [`Source::attachment`](crate::Source::attachment) when parameters are prepared. It is named in the
/// configuration like a parameter, but is no FMI variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment(pub(crate) usize);

impl<T: Scalar> Variable<T> for Attachment {
    type Start = ();
    const SIZE: Size = Size::NONE;

    fn declare(attributes: &Attributes<'_>, _: Option<()>, visitor: &mut dyn ElementVisitor) {
        visitor.attachment(attributes);
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(reader.attachment())
    }
    #[inline(always)]
    fn write(&self, _: &mut Writer<'_, T>) {}
}

/// A parameter that is a table of `COLUMNS` columns, with as many rows as the configuration gives. The rows are read
/// through [`Source::table`](crate::Source::table) when parameters are prepared; interpolation between them is left to
/// the component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table<const COLUMNS: usize>(pub(crate) usize);

impl<T: Scalar, const COLUMNS: usize> Variable<T> for Table<COLUMNS> {
    type Start = &'static [[f64; COLUMNS]];
    const SIZE: Size = Size::NONE;

    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor) {
        visitor.table(attributes, COLUMNS, start.unwrap_or(const { &[[0.0; COLUMNS]] }).as_flattened());
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(reader.table())
    }
    #[inline(always)]
    fn write(&self, _: &mut Writer<'_, T>) {}
}

/// A group of Reals that takes no room where it does not exist. It must be the last row of a component, so that the
/// references of all others but tables are the same in every structure.
impl<T: Scalar, G: Variable<T>> Variable<T> for Option<G> {
    /// The options of the group, if it exists.
    type Start = Option<G::Start>;
    const SIZE: Size = Size::NONE;

    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor) {
        const { assert!(G::SIZE.integers == 0 && G::SIZE.booleans == 0, "only Reals") };
        if let Some(options) = start.flatten() {
            G::declare(attributes, Some(options), visitor);
        }
    }
    #[inline(always)]
    fn read(_: &mut Reader<'_, T>) -> Self {
        None
    }
    #[inline(always)]
    fn read_rest(&mut self, reader: &Reader<'_, T>, begin: usize) {
        if let Some(rest) = reader.rest(begin, G::SIZE) {
            read_group(self, rest);
        }
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        if let Some(group) = self {
            write_group(group, writer);
        }
    }
}

// Not inlined, so that structures without the group stay fast.
#[inline(never)]
fn read_group<T, G: Variable<T>>(group: &mut Option<G>, mut reader: Reader<'_, T>) {
    *group = Some(G::read(&mut reader));
}

#[inline(never)]
fn write_group<T: Scalar, G: Variable<T>>(group: &G, writer: &mut Writer<'_, T>) {
    writer.write_rest(G::SIZE, |rest| group.write(rest));
}
