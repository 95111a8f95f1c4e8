//! Blocks that combine signals.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Scalar, Structure, group};

use super::signal::{InputSignal, OutputSignal, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Part, PartType, Typed, kinds};

kinds! {
    /// The blocks, with their rows in common.
    pub enum Kind {
        Gain = "Gain", "A signal times a constant";
        Add = "Add", "The sum of two signals, each times a constant";
        Add3 = "Add3", "The sum of three signals, each times a constant";
        Product = "Product", "The product of two signals";
        Feedback = "Feedback", "The difference of two signals";
    }
}

impl Kind {
    const fn is_sum(self) -> bool {
        matches!(self, Self::Add | Self::Add3)
    }
}

/// The structure of such a block: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct MathStructure {
    kind: Kind,
}

impl Structure for MathStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// Such a block: its structure says which one it is.
pub struct MathType;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    let make = |kind: &Kind| Typed::<MathType>::named(kind.names(), MathStructure { kind: *kind });
    Kind::ALL.iter().map(make)
}

impl PartType for MathType {
    const NAME: &'static str = "Math";
    const TEXT: &'static str = "A block that combines signals";
    type Structure = MathStructure;
    type In<T: Scalar> = Math<T>;

    fn options(structure: &MathStructure, _: bool) -> Kind {
        structure.kind
    }
}

group! {
    /// ```text
    /// Gain       y = k u
    /// Add        y = k1 u1 + k2 u2
    /// Add3       y = k1 u1 + k2 u2 + k3 u3
    /// Product    y = u1 u2
    /// Feedback   y = u1 - u2
    /// ```
    ///
    /// Source: Modelica.Blocks.Math.
    pub struct Math<T>(o: Kind) {
        parameter k: T = 1.0, ONE, "Factor", when = o == Kind::Gain;
        parameter k1: T = 1.0, ONE, "Factor of u1", when = o.is_sum();
        parameter k2: T = 1.0, ONE, "Factor of u2", when = o.is_sum();
        parameter k3: T = 1.0, ONE, "Factor of u3", when = o == Kind::Add3;
        group u1: InputSignal<T> = SignalRow::input(if o == Kind::Gain { "u" } else { "u1" }), "", name = "";
        group u2: InputSignal<T> = SignalRow::input("u2").when(o != Kind::Gain), "", name = "";
        group u3: InputSignal<T> = SignalRow::input("u3").when(o == Kind::Add3), "", name = "";
        group y: OutputSignal<T> = SignalRow::output("y"), "", name = "";
    }
}

crate::capabilities!(Math: Block);

impl<T: Scalar> Part<T> for Math<T> {
    type Structure = MathStructure;
}

impl<T: Scalar> Block<T> for Math<T> {
    fn update(&mut self, structure: &MathStructure, _: &EventPoint<'_, T>) {
        let [u1, u2, u3] = [&self.u1, &self.u2, &self.u3].map(InputSignal::jet);
        self.y.set(match structure.kind {
            Kind::Gain => u1.scaled(self.k),
            Kind::Add => u1.scaled(self.k1) + u2.scaled(self.k2),
            Kind::Add3 => u1.scaled(self.k1) + u2.scaled(self.k2) + u3.scaled(self.k3),
            Kind::Product => u1 * u2,
            Kind::Feedback => u1 - u2,
        });
    }
}
