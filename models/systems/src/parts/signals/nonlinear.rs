//! Blocks whose characteristic has kinks, each of which is an event.

use fmu_runtime::structure::Setting;
use fmu_runtime::{Event, ModelError, Number, Scalar, Structure, group};

use super::signal::{InputSignal, Jet, OutputSignal, SignalRow, margin};
use crate::part::{AnyPart, Block, EventPoint, Events, Part, PartType, Typed};

pub(super) fn types() -> [Box<dyn AnyPart>; 2] {
    [
        (("Limiter", "A signal that is kept between two values"), false),
        (("DeadZone", "What a signal has beyond a region"), true),
    ]
    .map(|(names, is_dead_zone)| {
        Typed::<LimiterType>::named(names, LimiterStructure { is_dead_zone, ..LimiterStructure::default() })
    })
}

/// The options of limits.
#[derive(Clone, Copy, Debug)]
pub struct LimiterStructure {
    is_dead_zone: bool,
    symmetric: bool,
}

impl Default for LimiterStructure {
    fn default() -> Self {
        Self { is_dead_zone: false, symmetric: true }
    }
}

impl Structure for LimiterStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        visit("symmetric", "Whether uMin is -uMax; otherwise it is a parameter of its own", &mut self.symmetric);
    }
}

/// Limits of a signal, or a region in which nothing passes.
pub struct LimiterType;

impl PartType for LimiterType {
    const NAME: &'static str = "Limits";
    const TEXT: &'static str = "A signal with kinks at limits";
    type Structure = LimiterStructure;
    type In<T: Scalar> = Limiter<T>;

    fn options(structure: &LimiterStructure, _: bool) -> LimiterStructure {
        *structure
    }
}

group! {
    /// ```text
    /// Limiter     y = uMax for u > uMax, uMin for u < uMin, otherwise u
    /// DeadZone    y = u - uMax for u > uMax, u - uMin for u < uMin, otherwise 0
    /// ```
    ///
    /// Source: Modelica.Blocks.Nonlinear.
    pub struct Limiter<T>(o: LimiterStructure) {
        parameter uMax: T = 1.0, ONE, "Upper limit of the input";
        parameter uMin: T = -1.0, ONE, "Lower limit of the input", when = !o.symmetric;
        group u: InputSignal<T> = SignalRow::input("u"), "", name = "";
        group y: OutputSignal<T> = SignalRow::output("y"), "", name = "";
        memory side: i32, "1 above the upper limit, -1 below the lower one, 0 between them";
    }
}

impl<T: Scalar> Limiter<T> {
    fn limits(&self, structure: &LimiterStructure) -> [T; 2] {
        [if structure.symmetric { -self.uMax } else { self.uMin }, self.uMax]
    }
}

crate::capabilities!(Limiter: Block + Events);

impl<T: Scalar> Part<T> for Limiter<T> {
    type Structure = LimiterStructure;
}

impl<T: Scalar> Block<T> for Limiter<T> {
    fn update(&mut self, structure: &LimiterStructure, _: &EventPoint<'_, T>) {
        let ([low, high], u) = (self.limits(structure), self.u.jet());
        let limit = match self.side {
            0 => None,
            ..0 => Some(Jet::constant(low)),
            _ => Some(Jet::constant(high)),
        };
        self.y.set(match (limit, structure.is_dead_zone) {
            (Some(limit), false) => limit,
            (Some(limit), true) => u - limit,
            (None, false) => u,
            (None, true) => Jet::constant(T::zero()),
        });
    }
}

impl<T: Scalar> Events<T> for Limiter<T> {
    fn indicator_count(_: &LimiterStructure) -> usize {
        2
    }

    fn indicators(&self, structure: &LimiterStructure, _: &EventPoint<'_, T>, indicators: &mut [T]) {
        let ([low, high], u) = (self.limits(structure), self.u.u);
        let [below, above] = [u - low, high - u];
        indicators[0] = if self.side < 0 { -below } else { below } + margin(u, low);
        indicators[1] = if self.side > 0 { -above } else { above } + margin(u, high);
    }

    fn event(&mut self, structure: &LimiterStructure, _: &EventPoint<'_, T>, _: &mut Event) -> Result<(), ModelError> {
        let [low, high] = self.limits(structure).map(|limit| limit.value());
        if low > high {
            return Err(ModelError::invalid(format!(
                "uMin = {} is above uMax = {}: the lower limit must not be above the upper one",
                Number(low),
                Number(high)
            )));
        }
        let u = self.u.u.value();
        self.side = if u > high { 1 } else { -i32::from(u < low) };
        Ok(())
    }
}
