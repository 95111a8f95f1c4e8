//! Orientations as variables.

use fmu_runtime::{Facts, Index, Reader, Scalar, Sink, Size, Variable, Writer};
use mechanics::rotation::from_cardan;
use nalgebra::{Matrix3, Vector3, Vector4};

/// A rotation matrix `name[3,3]`, at the start the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationMatrix<T>(pub Matrix3<T>);

impl<T: Scalar> Variable<T> for RotationMatrix<T> {
    type Start = [[f64; 3]; 3];
    type Options = ();
    const SIZE: Size = <Matrix3<T> as Variable<T>>::SIZE;

    fn declare(facts: &Facts<'_>, start: Option<Self::Start>, (): (), sink: &mut dyn Sink) {
        let start = start.unwrap_or([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
        <Matrix3<T> as Variable<T>>::declare(facts, Some(start), (), sink);
    }
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(Variable::read(reader))
    }
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.write(writer);
    }
    fn regularise(&mut self) {
        let any = Vector3::new(self.0[(0, 1)], self.0[(1, 2)], self.0[(2, 0)]);
        self.0 = from_cardan(&any);
    }
}

/// A quaternion `name[4]` in Modelica's order, at the start the identity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<T>(pub Vector4<T>);

impl<T: Scalar> Variable<T> for Quaternion<T> {
    type Start = [f64; 4];
    type Options = ();
    const SIZE: Size = Size { reals: 4, ..Size::NONE };

    fn declare(facts: &Facts<'_>, start: Option<[f64; 4]>, (): (), sink: &mut dyn Sink) {
        for (i, start) in start.unwrap_or([0.0, 0.0, 0.0, 1.0]).into_iter().enumerate() {
            sink.real(facts, Index::One(i + 1), start);
        }
    }
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(reader.reals::<4>().into())
    }
    fn write(&self, writer: &mut Writer<'_, T>) {
        writer.reals::<4>(self.0.into());
    }
    fn regularise(&mut self) {
        self.0 /= self.0.norm();
    }
}
