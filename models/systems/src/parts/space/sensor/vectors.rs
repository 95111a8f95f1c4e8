//! Vectors of signals.

use fmu_runtime::{Attributes, ElementVisitor, Reader, Scalar, Size, Variable, Writer};
use nalgebra::Vector3;

use super::kind::{Quantity, SensorStructure};
use crate::parts::signals::{Jet, OutputSignal, SignalRow};

/// The vectors that a sensor measures, of which those exist that its structure chooses.
#[derive(Clone)]
pub struct Vectors<T>([[OutputSignal<T>; 3]; Quantity::ALL.len()]);

impl<T: Scalar> Variable<T> for Vectors<T> {
    type Start = SensorStructure;
    const SIZE: Size =
        Size { reals: Quantity::ALL.len() * 3 * <OutputSignal<T> as Variable<T>>::SIZE.reals, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, structure: Option<SensorStructure>, visitor: &mut dyn ElementVisitor) {
        let structure = structure.unwrap_or_default();
        for quantity in Quantity::ALL {
            let (names, text, unit) = quantity.row(structure.family);
            for name in names {
                let row = SignalRow { name, text, unit, exists: structure.has(quantity) };
                OutputSignal::<T>::declare(attributes, Some(row), visitor);
            }
        }
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(std::array::from_fn(|_| std::array::from_fn(|_| OutputSignal::read(reader))))
    }

    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.iter().flatten().for_each(|output| output.write(writer));
    }
}

impl<T: Scalar> Vectors<T> {
    /// Sets a vector.
    pub fn set(&mut self, quantity: Quantity, vector: &Vector3<T>) {
        for (output, value) in self.0[quantity as usize].iter_mut().zip(vector) {
            output.set(Jet::constant(*value));
        }
    }
}
