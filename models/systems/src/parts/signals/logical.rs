//! Comparisons and what follows from them: signals that change at events only.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Event, ModelError, Number, Scalar, Structure, group};

use super::signal::{InputSignal, Jet, OutputSignal, SignalRow, margin};
use crate::part::{AnyPart, Block, EventPoint, Events, Part, PartType, Typed, kinds};

kinds! {
    /// The blocks, with their rows in common.
    pub enum Kind {
        Hysteresis = "Hysteresis", "True from uHigh on until the signal is below uLow";
        GreaterThreshold = "GreaterThreshold", "Whether a signal is above a threshold";
        LessThreshold = "LessThreshold", "Whether a signal is below a threshold";
        GreaterEqualThreshold = "GreaterEqualThreshold", "Whether a signal is not below a threshold";
        LessEqualThreshold = "LessEqualThreshold", "Whether a signal is not above a threshold";
        Greater = "Greater", "Whether a signal is above another one";
        Less = "Less", "Whether a signal is below another one";
        GreaterEqual = "GreaterEqual", "Whether a signal is not below another one";
        LessEqual = "LessEqual", "Whether a signal is not above another one";
        And = "And", "Whether two signals are true";
        Or = "Or", "Whether one of two signals is true";
        Not = "Not", "Whether a signal is false";
        Switch = "Switch", "One of two signals, by a third one";
        BooleanToReal = "BooleanToReal", "A number for true, another one for false";
    }
}

impl Kind {
    /// Returns true if the block compares numbers.
    const fn compares(self) -> bool {
        matches!(self, Self::Hysteresis | Self::Greater | Self::Less | Self::GreaterEqual | Self::LessEqual)
            || self.has_threshold()
    }

    const fn has_threshold(self) -> bool {
        matches!(self, Self::GreaterThreshold | Self::LessThreshold)
            || matches!(self, Self::GreaterEqualThreshold | Self::LessEqualThreshold)
    }

    /// Returns true if equal numbers are enough.
    const fn takes_equal(self) -> bool {
        matches!(self, Self::GreaterEqual | Self::LessEqual)
            || matches!(self, Self::GreaterEqualThreshold | Self::LessEqualThreshold)
    }

    const fn has_truth(self) -> bool {
        !matches!(self, Self::Switch | Self::BooleanToReal)
    }

    /// The names of its inputs, empty without: two numbers, then two truth values.
    const fn inputs(self) -> [&'static str; 4] {
        match self {
            Self::And | Self::Or => ["", "", "u1", "u2"],
            Self::Not | Self::BooleanToReal => ["", "", "u", ""],
            Self::Switch => ["u1", "u3", "u2", ""],
            _ if self.has_threshold() || matches!(self, Self::Hysteresis) => ["u", "", "", ""],
            _ => ["u1", "u2", "", ""],
        }
    }
}

/// The structure of such a block: its type says which one it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogicalStructure {
    kind: Kind,
}

impl Structure for LogicalStructure {
    fn visit(&mut self, _: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {}
}

/// Such a block: its structure says which one it is.
pub struct LogicalType;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    let make = |kind: &Kind| Typed::<LogicalType>::named(kind.names(), LogicalStructure { kind: *kind });
    Kind::ALL.iter().map(make)
}

impl PartType for LogicalType {
    const NAME: &'static str = "Logical";
    const TEXT: &'static str = "A comparison, or what follows from one";
    type Structure = LogicalStructure;
    type In<T: Scalar> = Logical<T>;

    fn options(structure: &LogicalStructure, _: bool) -> Kind {
        structure.kind
    }

    fn is_discrete(structure: &LogicalStructure) -> bool {
        structure.kind.compares()
    }
}

group! {
    /// ```text
    /// Hysteresis         y = true from u > uHigh on, until u < uLow
    /// GreaterThreshold   y = u > threshold;   LessThreshold   y = u < threshold
    /// Greater            y = u1 > u2;         Less            y = u1 < u2
    /// GreaterEqualThreshold, GreaterEqual, LessEqualThreshold, LessEqual: the same, also for equal numbers
    /// And, Or, Not       y = u1 and u2, u1 or u2, not u
    /// Switch             y = u1 if u2, otherwise u3
    /// BooleanToReal      y = realTrue if u, otherwise realFalse
    /// ```
    ///
    /// Source: Modelica.Blocks.Logical and Modelica.Blocks.Math.
    pub struct Logical<T>(o: Kind) {
        parameter uLow: T = 0.0, ONE, "Below this value y becomes false", when = o == Kind::Hysteresis;
        parameter uHigh: T = 1.0, ONE, "Above this value y becomes true", when = o == Kind::Hysteresis;
        parameter pre_y_start: bool = false, "Whether y was true before the start", when = o == Kind::Hysteresis;
        parameter threshold: T = 0.0, ONE, "What the signal is compared with", when = o.has_threshold();
        parameter realTrue: T = 1.0, ONE, "Output for true", when = o == Kind::BooleanToReal;
        parameter realFalse: T = 0.0, ONE, "Output for false", when = o == Kind::BooleanToReal;
        group one: InputSignal<T> = SignalRow::input(o.inputs()[0]).when(!o.inputs()[0].is_empty()), "", name = "";
        group other: InputSignal<T> = SignalRow::input(o.inputs()[1]).when(!o.inputs()[1].is_empty()), "", name = "";
        input is: bool = false, "Whether it is so", name = o.inputs()[2], when = !o.inputs()[2].is_empty();
        input and: bool = false, "Whether the other one is so", name = o.inputs()[3], when = !o.inputs()[3].is_empty();
        group real: OutputSignal<T> = SignalRow::output("y").when(!o.has_truth()), "", name = "";
        output truth: bool, "Whether it is so", name = "y", when = o.has_truth();
        memory was: bool, "Whether it was so at the last event";
    }
}

impl<T: Scalar> Logical<T> {
    /// Returns the difference that is above 0 where the answer changes to true, and the margin around 0.
    fn difference(&self, kind: Kind) -> [T; 2] {
        let u = self.one.u;
        let [more, less] = match kind {
            Kind::Hysteresis => [u, if self.was { self.uLow } else { self.uHigh }],
            Kind::GreaterThreshold | Kind::GreaterEqualThreshold => [u, self.threshold],
            Kind::LessThreshold | Kind::LessEqualThreshold => [self.threshold, u],
            Kind::Less | Kind::LessEqual => [self.other.u, u],
            _ => [u, self.other.u],
        };
        [more - less, margin(more, less)]
    }
}

crate::capabilities!(Logical: Block + Events);

impl<T: Scalar> Part<T> for Logical<T> {
    type Structure = LogicalStructure;
}

impl<T: Scalar> Block<T> for Logical<T> {
    fn begin_block(&mut self, _: &LogicalStructure, _: &EventPoint<'_, T>) {
        self.was = self.pre_y_start;
    }

    fn update(&mut self, structure: &LogicalStructure, _: &EventPoint<'_, T>) {
        self.truth = match structure.kind {
            Kind::And => self.is && self.and,
            Kind::Or => self.is || self.and,
            Kind::Not => !self.is,
            _ => self.was,
        };
        self.real.set(match structure.kind {
            Kind::Switch if self.is => self.one.jet(),
            Kind::Switch => self.other.jet(),
            _ => Jet::constant(if self.is { self.realTrue } else { self.realFalse }),
        });
    }
}

impl<T: Scalar> Events<T> for Logical<T> {
    fn indicator_count(structure: &LogicalStructure) -> usize {
        usize::from(structure.kind.compares())
    }

    fn indicators(&self, structure: &LogicalStructure, _: &EventPoint<'_, T>, indicators: &mut [T]) {
        if structure.kind.compares() {
            let [difference, margin] = self.difference(structure.kind);
            indicators[0] = if self.was { difference } else { -difference } + margin;
        }
    }

    fn event(&mut self, structure: &LogicalStructure, _: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        let kind = structure.kind;
        if kind == Kind::Hysteresis {
            if self.uLow.value() >= self.uHigh.value() {
                return Err(ModelError::invalid(format!(
                    "uLow = {} must be below uHigh = {}",
                    Number(self.uLow.value()),
                    Number(self.uHigh.value())
                )));
            }
            let u = self.one.u.value();
            self.was = u > self.uHigh.value() || self.was && u >= self.uLow.value();
        } else if kind.compares() {
            let difference = self.difference(kind)[0].value();
            self.was = difference > 0.0 || difference == 0.0 && kind.takes_equal();
        }
        Ok(())
    }
}
