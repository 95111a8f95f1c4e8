//! Blocks with continuous states.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Scalar, Structure, enumeration, group};
use mechanics::constant;

use super::signal::{InputSignal, Jet, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Part, PartType, Typed, kinds};

enumeration! {
    /// How the states of a block begin.
    pub enum InitType {
        NoInit = "at their start values",
        SteadyState = "where they do not change",
        InitialState = "at their start values",
        InitialOutput = "where the output has its start value",
    }
}

enumeration! {
    /// How the state of an integrator begins: it only rests where its input is 0.
    pub enum IntegratorInitType {
        InitialState = "at its start value",
        NoInit = "at its start value",
        InitialOutput = "where the output has its start value",
    }
}

/// Options by which states follow from the inputs at the start, for messages.
pub(super) const STEADY_STATE: &str = "initType = \"SteadyState\"";
pub(super) const INITIAL_OUTPUT: &str = "initType = \"InitialOutput\"";

kinds! {
    /// The blocks, with their rows in common.
    pub enum Kind {
        FirstOrder = "FirstOrder", "A signal that follows another one with a delay of first order";
        SecondOrder = "SecondOrder", "A signal that follows another one with a delay of second order";
        Integrator = "Integrator", "The integral of a signal";
        Derivative = "Derivative", "The approximated derivative of a signal";
        PI = "PI", "A proportional and integral controller";
    }
}

impl Kind {
    /// Returns true if the output is a state.
    const fn has_state_y(self) -> bool {
        !self.has_state_x()
    }

    /// Returns true if the block has a state besides its output.
    const fn has_state_x(self) -> bool {
        matches!(self, Self::Derivative | Self::PI)
    }

    const fn integrates(self) -> bool {
        matches!(self, Self::Integrator | Self::PI)
    }
}

/// The options of such a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContinuousStructure {
    kind: Kind,
    init: InitType,
    integrator_init: IntegratorInitType,
}

impl Structure for ContinuousStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        let init: &mut dyn Setting = if self.kind.integrates() { &mut self.integrator_init } else { &mut self.init };
        visit("initType", "How its states begin", init);
    }
}

impl ContinuousStructure {
    fn begins_with_output(&self) -> bool {
        if self.kind.integrates() {
            self.integrator_init == IntegratorInitType::InitialOutput
        } else {
            self.init == InitType::InitialOutput
        }
    }
}

/// Such a block: its structure says which one it is.
pub struct ContinuousType;

pub(super) fn types() -> impl Iterator<Item = Box<dyn AnyPart>> {
    let make = |kind: &Kind| {
        let integrator_init =
            if *kind == Kind::PI { IntegratorInitType::NoInit } else { IntegratorInitType::InitialState };
        Typed::<ContinuousType>::named(
            kind.names(),
            ContinuousStructure { kind: *kind, integrator_init, ..ContinuousStructure::default() },
        )
    };
    Kind::ALL.iter().map(make)
}

impl PartType for ContinuousType {
    const NAME: &'static str = "Continuous";
    const TEXT: &'static str = "A block with states";
    type Structure = ContinuousStructure;
    type In<T: Scalar> = Continuous<T>;

    fn options(structure: &ContinuousStructure, _: bool) -> Kind {
        structure.kind
    }

    fn integrations(structure: &ContinuousStructure) -> usize {
        match structure.kind {
            Kind::FirstOrder | Kind::Integrator => 1,
            Kind::SecondOrder => 2,
            Kind::Derivative | Kind::PI => 0,
        }
    }

    fn starts_steady(structure: &ContinuousStructure) -> Option<&'static str> {
        if !structure.kind.integrates() && structure.init == InitType::SteadyState {
            return Some(STEADY_STATE);
        }
        (structure.kind.has_state_x() && structure.begins_with_output()).then_some(INITIAL_OUTPUT)
    }

    fn starts_anywhere(structure: &ContinuousStructure) -> bool {
        if structure.kind.integrates() {
            structure.integrator_init == IntegratorInitType::NoInit
        } else {
            matches!(structure.init, InitType::NoInit | InitType::SteadyState)
        }
    }
}

group! {
    /// A state that is the output of a block. The rows must follow each other, as those of an output.
    pub struct StateSignal<T>(o: SignalRow) {
        output y: T, "Output signal", name = o.name, der = if o.exists { "der_y" } else { "" };
        local first: T, PER_S, "Derivative of the output", name = "der_y", when = o.exists;
        internal second: T, ONE, "Its second derivative in time";
    }
}

group! {
    /// ```text
    /// FirstOrder     T y' = k u - y
    /// SecondOrder    y' = yd,   yd' = w (w (k u - y) - 2 D yd)
    /// Integrator     y' = k u
    /// Derivative     T x' = u - x,   y = k (u - x) / T
    /// PI             T x' = u,       y = k (x + u)
    /// ```
    ///
    /// Source: Modelica.Blocks.Continuous.
    pub struct Continuous<T>(o: Kind) {
        parameter k: T = 1.0, ONE, "Gain";
        parameter T: T = if o == Kind::Derivative { 0.01 } else { 1.0 }, S, "Time constant", min = 1e-12,
            when = matches!(o, Kind::FirstOrder | Kind::Derivative | Kind::PI);
        parameter w: T = 1.0, RAD_PER_S, "Angular frequency", min = 1e-12, when = o == Kind::SecondOrder;
        parameter D: T = 1.0, ONE, "Damping", when = o == Kind::SecondOrder;
        parameter x_start: T = 0.0, ONE, "Start value of the state", when = o.has_state_x();
        parameter y_start: T = 0.0, ONE, "Start value of the output";
        parameter yd_start: T = 0.0, PER_S, "Start value of the derivative of the output", when = o == Kind::SecondOrder;
        group u: InputSignal<T> = SignalRow::input("u"), "", name = "";
        group y: StateSignal<T> = SignalRow::output("y").when(o.has_state_y()), "", name = "";
        output x: T, ONE, "State of the block", der = if o.has_state_x() { "der_x" } else { "" }, when = o.has_state_x();
        local der_x: T, PER_S, "Derivative of the state", when = o.has_state_x();
        output yd: T, PER_S, "Derivative of the output", der = if o == Kind::SecondOrder { "der_yd" } else { "" },
            when = o == Kind::SecondOrder;
        local der_yd: T, PER_S2, "Second derivative of the output", when = o == Kind::SecondOrder;
    }
}

crate::capabilities!(Continuous: Block);

impl<T: Scalar> Part<T> for Continuous<T> {
    type Structure = ContinuousStructure;
}

impl<T: Scalar> Block<T> for Continuous<T> {
    fn begin_block(&mut self, structure: &ContinuousStructure, _: &EventPoint<'_, T>) {
        let u = self.u.u;
        let rests = !structure.kind.integrates() && structure.init == InitType::SteadyState;
        self.y.y = if rests { self.k * u } else { self.y_start };
        self.yd = if rests { T::zero() } else { self.yd_start };
        self.x = match structure.kind {
            Kind::Derivative if rests => u,
            // Without a gain the output is 0 anyway.
            Kind::Derivative if structure.begins_with_output() && self.k.value() != 0.0 => {
                u - self.y_start * self.T / self.k
            }
            Kind::PI if structure.begins_with_output() && self.k.value() != 0.0 => self.y_start / self.k - u,
            _ => self.x_start,
        };
    }

    fn update(&mut self, structure: &ContinuousStructure, _: &EventPoint<'_, T>) {
        let (k, Jet([u, du, ddu])) = (self.k, self.u.jet());
        let y = self.y.y;
        let signal = match structure.kind {
            Kind::FirstOrder => {
                let first = (k * u - y) / self.T;
                [y, first, (k * du - first) / self.T]
            }
            Kind::SecondOrder => {
                self.der_yd = self.w * (self.w * (k * u - y) - constant::<T>(2.0) * self.D * self.yd);
                [y, self.yd, self.der_yd]
            }
            Kind::Integrator => [y, k * u, k * du],
            Kind::Derivative => {
                self.der_x = (u - self.x) / self.T;
                let second = (du - self.der_x) / self.T;
                [k * self.der_x, k * second, k * (ddu - second) / self.T]
            }
            Kind::PI => {
                self.der_x = u / self.T;
                [k * (self.x + u), k * (self.der_x + du), k * (du / self.T + ddu)]
            }
        };
        [self.y.y, self.y.first, self.y.second] = signal;
    }
}
