//! Several outputs of a block, each a signal of its own.

use fmu_runtime::{Attributes, ElementVisitor, Reader, Scalar, Size, Variable, Writer};

use super::signal::{OutputSignal, SignalRow};

/// The largest number of outputs.
pub const MAX_OUTPUTS: usize = 8;

const NAMES: [&str; MAX_OUTPUTS] = ["y[1]", "y[2]", "y[3]", "y[4]", "y[5]", "y[6]", "y[7]", "y[8]"];

/// The outputs, of which the first ones exist.
#[derive(Clone)]
pub struct OutputVector<T>(pub [OutputSignal<T>; MAX_OUTPUTS]);

impl<T: Scalar> Variable<T> for OutputVector<T> {
    /// How many there are.
    type Start = usize;
    const SIZE: Size = Size { reals: MAX_OUTPUTS * <OutputSignal<T> as Variable<T>>::SIZE.reals, ..Size::NONE };

    fn declare(attributes: &Attributes<'_>, count: Option<usize>, visitor: &mut dyn ElementVisitor) {
        for (i, name) in NAMES.into_iter().enumerate() {
            let row = SignalRow::output(name).when(count.is_some_and(|count| i < count));
            OutputSignal::<T>::declare(attributes, Some(row), visitor);
        }
    }

    #[inline(always)]
    fn read(reader: &mut Reader<'_, T>) -> Self {
        Self(std::array::from_fn(|_| OutputSignal::read(reader)))
    }

    #[inline(always)]
    fn write(&self, writer: &mut Writer<'_, T>) {
        self.0.iter().for_each(|output| output.write(writer));
    }
}
