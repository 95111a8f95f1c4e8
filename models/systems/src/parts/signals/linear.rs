//! Linear blocks of any order: transfer functions and filters.

use std::f64::consts::TAU;

use fmu_runtime::structure::{self, Setting};
use fmu_runtime::{ModelError, Number, Scalar, Source, Structure, enumeration, group};
use mechanics::constant;

use super::band::sections;
use super::continuous::{INITIAL_OUTPUT, InitType, STEADY_STATE};
use super::elements::{Count, Elements};
use super::poles::{AnalogFilter, Pole, poles};
use super::signal::{InputSignal, Jet, OutputSignal, SignalRow};
use crate::part::{AnyPart, Block, EventPoint, Part, PartData, PartType, Typed};

/// The largest order, and the number of coefficients that it takes.
const MAX_ORDER: usize = 8;
const MAX_COEFFICIENTS: usize = MAX_ORDER + 1;

enumeration! {
    /// Frequencies that a filter lets pass.
    pub enum FilterType {
        LowPass = "low frequencies",
        HighPass = "high frequencies",
        BandPass = "frequencies between f_min and f_cut",
        BandStop = "frequencies below f_min and above f_cut",
    }
}

enumeration! {
    /// How the states of a filter begin.
    pub enum FilterInit {
        SteadyState = "where they do not change",
        NoInit = "at their start values",
        InitialState = "at their start values",
    }
}

/// The options of such a block.
#[allow(non_snake_case, reason = "Modelica's names")]
#[derive(Clone, Copy, Debug)]
pub struct LinearStructure {
    is_filter: bool,
    nb: structure::Count<{ MAX_COEFFICIENTS as i32 }>,
    na: structure::Count<{ MAX_COEFFICIENTS as i32 }>,
    initType: InitType,
    analogFilter: AnalogFilter,
    filterType: FilterType,
    order: structure::Count<{ MAX_ORDER as i32 }>,
    normalized: bool,
    init: FilterInit,
}

impl Default for LinearStructure {
    fn default() -> Self {
        Self {
            is_filter: false,
            nb: structure::Count(1),
            na: structure::Count(2),
            initType: InitType::NoInit,
            analogFilter: AnalogFilter::CriticalDamping,
            filterType: FilterType::LowPass,
            order: structure::Count(2),
            normalized: true,
            init: FilterInit::SteadyState,
        }
    }
}

impl Structure for LinearStructure {
    fn visit(&mut self, visit: &mut dyn FnMut(&'static str, &'static str, &mut dyn Setting)) {
        if self.is_filter {
            visit("analogFilter", "Characteristic of the filter", &mut self.analogFilter);
            visit("filterType", "What it lets pass", &mut self.filterType);
            visit("order", "Order of the filter, from 1 on", &mut self.order);
            visit("normalized", "Whether the amplitude at f_cut is -3 dB", &mut self.normalized);
            visit("init", "How its states begin", &mut self.init);
        } else {
            visit("nb", "Number of coefficients of the numerator", &mut self.nb);
            visit("na", "Number of coefficients of the denominator", &mut self.na);
            visit("initType", "How its states begin", &mut self.initType);
        }
    }
}

impl LinearStructure {
    /// The number of states.
    fn states(&self) -> usize {
        if self.is_filter {
            self.order.0 as usize * if self.is_band() { 2 } else { 1 }
        } else {
            (self.na.0 as usize).saturating_sub(1)
        }
    }

    /// True if the filter has a band.
    fn is_band(&self) -> bool {
        self.is_filter && matches!(self.filterType, FilterType::BandPass | FilterType::BandStop)
    }

    fn coefficients(&self, count: i32) -> Count {
        if self.is_filter { Count::of(0) } else { Count::ones(count as usize) }
    }
}

/// A filter, or a transfer function.
pub struct LinearType;

pub(super) fn types() -> [Box<dyn AnyPart>; 2] {
    [
        (("TransferFunction", "A linear transfer function"), false),
        (("Filter", "A filter that lets low or high frequencies, or a band, pass"), true),
    ]
    .map(|(names, is_filter)| {
        Typed::<LinearType>::named(names, LinearStructure { is_filter, ..LinearStructure::default() })
    })
}

impl PartType for LinearType {
    const NAME: &'static str = "Linear";
    const TEXT: &'static str = "A linear transfer function";
    type Structure = LinearStructure;
    type In<T: Scalar> = Linear<T>;

    fn options(structure: &LinearStructure, _: bool) -> LinearStructure {
        *structure
    }

    fn integrations(structure: &LinearStructure) -> usize {
        match structure.is_filter {
            true if matches!(structure.filterType, FilterType::HighPass | FilterType::BandStop) => 0,
            true => structure.order.0 as usize,
            false => (structure.na.0 - structure.nb.0).max(0) as usize,
        }
    }

    fn starts_steady(structure: &LinearStructure) -> Option<&'static str> {
        match (structure.is_filter, structure.init, structure.initType) {
            (true, FilterInit::SteadyState, _) => Some("init = \"SteadyState\""),
            (false, _, InitType::SteadyState) => Some(STEADY_STATE),
            (false, _, InitType::InitialOutput) => Some(INITIAL_OUTPUT),
            _ => None,
        }
    }

    fn starts_anywhere(structure: &LinearStructure) -> bool {
        if structure.is_filter {
            structure.init != FilterInit::InitialState
        } else {
            matches!(structure.initType, InitType::NoInit | InitType::SteadyState)
        }
    }
}

group! {
    /// ```text
    /// TransferFunction   y = (b[1] s^(nb-1) + ... + b[nb]) / (a[1] s^(na-1) + ... + a[na]) u
    ///                    x[1]' = (e u - a[2] x[1] - ... ) / a[1],   x[i]' = x[i-1],   e = a[na], or 1 if that is 0
    /// Filter             each pole r:        x' = r (x - u),   y = x, or u - x of a high pass
    ///                    each pair p +- jq:  x1' = p x1 - q x2 + ku u,   x2' = q x1 + p x2,   ku = (p^2 + q^2) / q
    ///                                        y = x2, or u + (2 p x1 + (p^2 - q^2) / q x2) / ku of a high pass
    /// ```
    ///
    /// A filter's poles follow each other: the output of one is the input of the next. Those of a band are in `band.rs`. Source: Modelica.Blocks.Continuous.
    pub struct Linear<T>(o: LinearStructure) {
        parameter b: Elements<T, MAX_COEFFICIENTS> = o.coefficients(o.nb.0), ONE, "Coefficients of the numerator";
        parameter a: Elements<T, MAX_COEFFICIENTS> = o.coefficients(o.na.0), ONE, "Coefficients of the denominator";
        parameter f_cut: T = 1.0, HZ, "Cut-off frequency", min = 1e-12, when = o.is_filter;
        parameter f_min: T = 0.5, HZ, "Lower limit of the band, of which f_cut is the upper one", min = 1e-12, when = o.is_band();
        parameter gain: T = 1.0, ONE, "Gain in the pass band", when = o.is_filter;
        parameter A_ripple: T = 0.5, ONE, "Ripple in the pass band, in dB", min = 1e-6, max = 3.0,
            when = o.is_filter && o.analogFilter == AnalogFilter::ChebyshevI;
        parameter x_start: Elements<T, MAX_ORDER> = Count::of(o.states()), ONE, "Start values of the states";
        parameter y_start: T = 0.0, ONE, "Start value of the output", when = !o.is_filter;
        group u: InputSignal<T> = SignalRow::input("u"), "", name = "";
        group y: OutputSignal<T> = SignalRow::output("y"), "", name = "";
        output x: Elements<T, MAX_ORDER> = Count::of(o.states()), ONE, "State of the block", der = der_x;
        local der_x: Elements<T, MAX_ORDER> = Count::of(o.states()), PER_S, "Derivative of the state";
    }
}

/// The size below which the last coefficient of a denominator is 0, compared with the others.
const ZERO: f64 = 100.0 * f64::EPSILON;

crate::capabilities!(Linear: Block);

impl<T: Scalar> Part<T> for Linear<T> {
    type Structure = LinearStructure;

    fn prepare(&self, source: &Source<'_, LinearStructure>) -> Result<Box<PartData>, ModelError> {
        let structure = source.structure;
        let refuse = |reason: String| Err(ModelError::invalid(reason));
        if structure.is_filter {
            if structure.order.0 == 0 {
                return refuse(format!("order is 0, but must be from 1 to {MAX_ORDER}"));
            }
            if structure.states() > MAX_ORDER {
                let (order, most) = (structure.order.0, MAX_ORDER / 2);
                return refuse(format!("order is {order}, but that of a band must be from 1 to {most}"));
            }
            let [low, high] = [self.f_min, self.f_cut].map(|f| f.value());
            if structure.is_band() && low >= high {
                return refuse(format!(
                    "f_min is {}, but must be below f_cut = {}, the upper limit of the band",
                    Number(low),
                    Number(high)
                ));
            }
            let ripple = self.A_ripple.value();
            return Ok(Box::new(poles(
                structure.analogFilter, structure.order.0 as usize, ripple, structure.normalized,
            )));
        }
        let (nb, na) = (structure.nb.0, structure.na.0);
        if nb == 0 || na == 0 {
            return refuse(format!("{} is 0, but there must be a coefficient", if nb == 0 { "nb" } else { "na" }));
        }
        if nb > na {
            return refuse(format!(
                "nb is {nb}, but must not be above na = {na}: the numerator cannot have the higher order"
            ));
        }
        if self.a[0].value() == 0.0 {
            return refuse("a[1] is 0, but the highest power of the denominator must be there".to_owned());
        }
        Ok(Box::new(()))
    }
}

impl<T: Scalar> Linear<T> {
    /// The factor of the input, and the output's factors of the states and of the input.
    fn output(&self, structure: &LinearStructure) -> (T, [T; MAX_ORDER], T) {
        let (nb, na) = (structure.nb.0 as usize, structure.na.0 as usize);
        let numerator = |i: usize| if i + nb < na { T::zero() } else { self.b[i + nb - na] };
        let direct = numerator(0) / self.a[0];
        let size = self.a.0[..na].iter().fold(0.0, |sum, a| sum + a.value() * a.value()).sqrt();
        let last = self.a[na - 1];
        let scale = if last.value().abs() > ZERO * size { last } else { T::one() };
        let factor = |i: usize| {
            if i + 1 < na { (numerator(i + 1) - direct * self.a[i + 1]) / scale } else { T::zero() }
        };
        (scale, std::array::from_fn(factor), direct)
    }

    /// The derivative of the first state, or the derivative of that, from the input and the states, or their derivatives.
    fn highest(&self, states: usize, scale: T, u: T, x: &[T; MAX_ORDER]) -> T {
        (0..states).fold(scale * u, |sum, i| sum - self.a[i + 1] * x[i]) / self.a[0]
    }

    fn transfer(&mut self, structure: &LinearStructure) {
        let (states, Jet(u)) = (structure.states(), self.u.jet());
        let (scale, factors, direct) = self.output(structure);
        let mut x = [self.x.0, [T::zero(); MAX_ORDER], [T::zero(); MAX_ORDER]];
        for order in 0..2 {
            let (known, next) = x.split_at_mut(order + 1);
            if states > 0 {
                next[0][0] = self.highest(states, scale, u[order], &known[order]);
                next[0][1..states].copy_from_slice(&known[order][..states - 1]);
            }
        }
        self.der_x.0 = x[1];
        let sum = |order: usize| (0..states).fold(direct * u[order], |sum, i| sum + factors[i] * x[order][i]);
        self.y.set(Jet([sum(0), sum(1), sum(2)]));
    }

    /// Goes through the poles of a filter. At a steady start, states follow from the input.
    fn filter(&mut self, structure: &LinearStructure, normalized: &[Pole], is_steady: bool) {
        let is_high = structure.filterType == FilterType::HighPass;
        let w = constant::<T>(TAU) * self.f_cut;
        let mut signal = self.u.jet();
        if structure.is_band() {
            let stops = structure.filterType == FilterType::BandStop;
            let limits = [constant::<T>(TAU) * self.f_min, w];
            for (k, section) in sections(normalized, limits, stops).iter().enumerate() {
                let i = 2 * k;
                if is_steady {
                    [self.x[i], self.x[i + 1]] = section.steady(signal.0[0]);
                }
                let (output, rates) = section.pass(signal, [self.x[i], self.x[i + 1]]);
                [self.der_x[i], self.der_x[i + 1]] = rates;
                signal = output;
            }
            self.y.set(signal.scaled(self.gain));
            return;
        }
        let mut i = 0;
        for pole in normalized {
            // The high pass has the reciprocal poles.
            let pole = if is_high { pole.inv().conj() } else { *pole };
            let [p, q] = [pole.re, pole.im].map(|part| w * constant::<T>(part));
            let Jet([u, du, _]) = signal;
            if pole.im == 0.0 {
                if is_steady {
                    self.x[i] = u;
                }
                let x = self.x[i];
                let first = p * (x - u);
                self.der_x[i] = first;
                let state = Jet([x, first, p * (first - du)]);
                signal = if is_high { signal - state } else { state };
                i += 1;
                continue;
            }
            if is_steady {
                (self.x[i], self.x[i + 1]) = (-p / q * u, u);
            }
            let (x1, x2, gain) = (self.x[i], self.x[i + 1], (p * p + q * q) / q);
            let first = [p * x1 - q * x2 + gain * u, q * x1 + p * x2];
            let second = [p * first[0] - q * first[1] + gain * du, q * first[0] + p * first[1]];
            [self.der_x[i], self.der_x[i + 1]] = first;
            let [one, other] = [Jet([x1, first[0], second[0]]), Jet([x2, first[1], second[1]])];
            signal = if is_high {
                let factor = constant::<T>(2.0) * p / gain;
                signal + one.scaled(factor) + other.scaled((p * p - q * q) / (q * gain))
            } else {
                other
            };
            i += 2;
        }
        self.y.set(signal.scaled(self.gain));
    }
}

fn poles_of(data: &PartData) -> &[Pole] {
    data.downcast_ref::<Vec<Pole>>().map_or(&[], Vec::as_slice)
}

impl<T: Scalar> Block<T> for Linear<T> {
    fn begin_block(&mut self, structure: &LinearStructure, at: &EventPoint<'_, T>) {
        self.x.0 = self.x_start.0;
        if structure.is_filter {
            if structure.init == FilterInit::SteadyState {
                self.filter(structure, poles_of(at.data), true);
            }
            return;
        }
        let (scale, factors, direct) = self.output(structure);
        let Some(last) = structure.states().checked_sub(1) else { return };
        let (above, below) = match structure.initType {
            InitType::NoInit | InitType::InitialState => return,
            InitType::SteadyState => (scale * self.u.u, self.a[last + 1]),
            InitType::InitialOutput => (self.y_start - direct * self.u.u, factors[last]),
        };
        self.x.0 = [T::zero(); MAX_ORDER];
        if below.value() != 0.0 {
            self.x[last] = above / below;
        }
    }

    fn update(&mut self, structure: &LinearStructure, at: &EventPoint<'_, T>) {
        if structure.is_filter {
            self.filter(structure, poles_of(at.data), false);
        } else {
            self.transfer(structure);
        }
    }
}
