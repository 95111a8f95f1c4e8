//! Orientations as variables.

use fmu_runtime::{Attributes, ElementVisitor, Reader, Scalar, Size, Variable, Writer, declare_vector};
use mechanics::rotation::from_cardan;
use nalgebra::{Matrix3, Vector3, Vector4};

/// A rotation matrix `name[3,3]`, at the start the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationMatrix<T>(pub Matrix3<T>);

impl<T: Scalar> Variable<T> for RotationMatrix<T> {
    type Start = [[f64; 3]; 3];
    const SIZE: Size = <Matrix3<T> as Variable<T>>::SIZE;

    fn declare(attributes: &Attributes<'_>, start: Option<Self::Start>, visitor: &mut dyn ElementVisitor) {
        let start = start.unwrap_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        <Matrix3<T> as Variable<T>>::declare(attributes, Some(start), visitor);
        visitor.constrained(9, |reals| {
            let matrix = from_cardan(&Vector3::new(reals[1], reals[5], reals[6]));
            reals.copy_from_slice(matrix.as_slice());
        });
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(Variable::read(reader))
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.write(writer);
    }
}

/// A quaternion `name[4]` in Modelica's order, at the start the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<T>(pub Vector4<T>);

impl<T: Scalar> Variable<T> for Quaternion<T> {
    type Start = [f64; 4];
    const SIZE: Size = Size { reals: 4, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, start: Option<[f64; 4]>, visitor: &mut dyn ElementVisitor) {
        declare_vector(attributes, &start.unwrap_or([0.0, 0.0, 0.0, 1.0]), visitor);
        visitor.constrained(4, |reals| {
            let unit = Vector4::from_column_slice(reals).normalize();
            reals.copy_from_slice(unit.as_slice());
        });
    }
    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(reader.reals::<4>().into())
    }
    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.reals::<4>(self.0.into());
    }
}
