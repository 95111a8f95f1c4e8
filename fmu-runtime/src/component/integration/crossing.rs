//! Events located by sign changes of event indicators, between positive and not positive.

use crate::component::integration::dense::Dense;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

/// Bound of an indicator that has just caused an event, as a fraction of its value at the end of a step. An indicator
/// that the component keeps away from zero by more than its rounding is above.
const NEAR: f64 = 1e-14;

/// Rounding of the slope of an indicator, as a fraction of its values.
const ROUNDING: f64 = 1e-9;
/// Factor by which a way between known values may differ from a polynomial more than its next term says.
const MARGIN: f64 = 4.0;
/// The term of order 4 of an indicator that changes its sign once in a step, relative to its values, from which on it may do so
/// more often.
const MANY: f64 = 2.0;
/// Parts of a step after which the values inside it are computed: where the explicit method has stages.
const STAGES: [f64; 2] = [3.0 / 10.0, 4.0 / 5.0];

/// A step in which events are looked for.
pub struct Span<'a> {
    /// Time at the beginning of the step.
    pub t: f64,
    /// Length of the step.
    pub h: f64,
    /// States at the beginning of the step.
    pub begin: &'a [f64],
    /// States inside the step.
    pub dense: &'a Dense,
    /// Derivatives of the states at the beginning and at the end of the step.
    pub slopes: [&'a [f64]; 2],
}

/// The event indicators at both ends of a step or of a part of it, and buffers for a look between.
#[derive(Clone, Debug)]
pub struct Indicators {
    /// The values at the beginning; once a step is accepted those at its end, or before the event inside.
    pub first: Vec<f64>,
    last: Vec<f64>,
    middle: Vec<f64>,
    pub first_rates: Vec<f64>,
    last_rates: Vec<f64>,
    /// Values at the [`STAGES`] of a step.
    inside: [Vec<f64>; 2],
    states: Vec<f64>,
    /// True if `last_rates` are those of the last values.
    has_last_rates: bool,
    /// True if `first_rates` are those of the first values: they are computed when they are needed.
    pub has_first_rates: bool,
    /// True if the first values are those after an event.
    pub is_after_event: bool,
    /// Number of lasting indicators, the last ones, whose turns are not looked for inside a step.
    pub lasting: usize,
    /// Number of those among them, the last ones, beyond whose events no step goes.
    pub bounding: usize,
}

/// Returns true if an indicator has changed between positive and not positive.
#[inline]
fn changes(one: f64, other: f64) -> bool {
    (one > 0.0) != (other > 0.0)
}

/// Returns the error of events that follow one another ever faster.
pub fn too_frequent(t: f64) -> ModelError {
    ModelError::singular(format!("the events at {t} s become infinitely frequent"))
}

#[inline]
fn any_changes(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).any(|(one, other)| changes(*one, *other))
}

/// Returns the uncertainty of a value between its values at 0, the [`STAGES`] and 1, and the derivative at 1.
fn uncertainty(values: [f64; 4], rate: f64) -> f64 {
    let nodes = [0.0, STAGES[0], STAGES[1], 1.0];
    // Newton's divided differences, from the end to the beginning.
    let mut differences = values;
    for order in 1..4 {
        for i in 0..4 - order {
            differences[i] = (differences[i + 1] - differences[i]) / (nodes[i + order] - nodes[i]);
        }
    }
    let [d3, d2, d1, d0] = differences;
    let [c, b, a] = [nodes[1], nodes[2], nodes[3]];
    let cubic = |s: f64| d0 + (s - a) * (d1 + (s - b) * (d2 + (s - c) * d3));
    // The term of order 4 gives the slope at the end that the cubic does not have.
    let slope = d1 + (a - b) * (d2 + (a - c) * d3);
    let doubt = ((rate - slope) / ((a - b) * (a - c))).abs();
    let size = values.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    if doubt <= ROUNDING * size || doubt <= 0.0 {
        return 0.0;
    }
    if changes(values[0], values[3]) {
        let is_single = values.windows(2).filter(|pair| changes(pair[0], pair[1])).count() == 1;
        return if is_single { doubt / (MANY * size) } else { f64::INFINITY };
    }
    if values.iter().any(|value| changes(values[0], *value)) {
        return f64::INFINITY;
    }
    let side = if values[0] > 0.0 { 1.0 } else { -1.0 };
    let at = |s: f64| {
        let (error, distance) = (MARGIN * doubt * (s * (s - c) * (s - b) * (s - a)).abs(), side * cubic(s));
        if distance > f64::EPSILON * error { error / distance } else { f64::INFINITY }
    };
    // So many points show the turns of a cubic well enough.
    (1..8).map(|i| at(0.125 * f64::from(i))).fold(0.0, f64::max)
}

impl Indicators {
    pub fn new(indicators: usize, states: usize) -> Self {
        let [first, last, middle, first_rates, last_rates] = std::array::from_fn(|_| vec![0.0; indicators]);
        Self {
            first,
            last,
            middle,
            first_rates,
            last_rates,
            inside: std::array::from_fn(|_| vec![0.0; indicators]),
            states: vec![0.0; states],
            has_last_rates: false,
            has_first_rates: false,
            is_after_event: false,
            lasting: 0,
            bounding: 0,
        }
    }

    /// Takes the values where the integration restarts, and computes the derivatives of the states there.
    #[inline]
    pub fn begin(&mut self, system: &mut dyn System, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.is_after_event = true;
        self.has_first_rates = false;
        system.derivatives_and_indicators(t, x, dx, &mut self.first)
    }

    /// Restarts as [`begin`](Self::begin) where inputs have changed; returns true if that has changed an indicator.
    #[inline]
    pub fn begin_again(
        &mut self,
        system: &mut dyn System,
        t: f64,
        x: &[f64],
        dx: &mut [f64],
    ) -> Result<bool, ModelError> {
        std::mem::swap(&mut self.first, &mut self.last);
        self.begin(system, t, x, dx)?;
        Ok(any_changes(&self.first, &self.last))
    }

    /// Returns true if all indicators that are set [at the end](Self::at_end) are so far from zero that they cannot have
    /// changed in a short step; these are then the first values.
    #[inline]
    pub fn are_far(&mut self) -> bool {
        let is_far = |(one, other): (&f64, &f64)| one == other || other.abs() >= 2.0 * (other - one).abs();
        let are_far = self.first.iter().zip(&self.last).all(is_far);
        if are_far {
            std::mem::swap(&mut self.first, &mut self.last);
            (self.has_first_rates, self.is_after_event) = (false, false);
        }
        are_far
    }

    /// Returns the values at the end of a step, to be set before [`first_change`](Self::first_change).
    pub fn at_end(&mut self) -> &mut [f64] {
        self.has_last_rates = false;
        &mut self.last
    }

    /// Returns the values at stages inside a step, then those at its end.
    pub fn of_step(&mut self) -> ([&mut [f64]; 2], &mut [f64]) {
        self.has_last_rates = false;
        let [one, other] = &mut self.inside;
        ([one, other], &mut self.last)
    }

    /// Returns the number of indicators whose turns are looked for.
    fn turning(&self) -> usize {
        self.first.len() - self.lasting
    }

    /// Returns true if there are indicators whose turns are looked for.
    pub fn has_turning(&self) -> bool {
        self.turning() > 0
    }

    /// Computes the values inside a step, for a method that does not do that.
    pub fn look_inside(&mut self, system: &mut dyn System, span: &Span<'_>) -> Result<(), ModelError> {
        for (i, part) in STAGES.into_iter().enumerate() {
            self.evaluate_inside(system, span, part)?;
            std::mem::swap(&mut self.inside[i], &mut self.middle);
        }
        Ok(())
    }

    /// Returns how badly the values at both ends of a step and [inside](Self::of_step) tell the way of an indicator between:
    /// above 1, it may change twice. The derivatives of states do not tell that, since an indicator may follow signals that do
    /// not act.
    pub fn uncertainty(&mut self, system: &mut dyn System, span: &Span<'_>) -> Result<f64, ModelError> {
        if !self.has_turning() {
            return Ok(0.0);
        }
        let end = span.t + span.h;
        system.indicator_rates(end, &span.dense.end, span.slopes[1], &mut self.last_rates)?;
        self.has_last_rates = true;
        let of_one = |i: usize| {
            let values = [self.first[i], self.inside[0][i], self.inside[1][i], self.last[i]];
            uncertainty(values, span.h * self.last_rates[i])
        };
        Ok((0..self.turning()).map(of_one).fold(0.0, f64::max))
    }

    /// Returns the part of a step after which the first indicator has changed; if none does, the next step may begin at
    /// its end.
    pub fn first_change(&mut self, system: &mut dyn System, span: &Span<'_>) -> Result<Option<f64>, ModelError> {
        if self.first.is_empty() {
            return Ok(None);
        }
        let end = span.t + span.h;
        if any_changes(&self.first, &self.last) {
            return self.locate(system, span, 1.0).map(Some);
        }
        let turning = self.turning();
        if turning == 0 {
            self.is_after_event = false;
            std::mem::swap(&mut self.first, &mut self.last);
            return Ok(None);
        }
        let [begin_slopes, end_slopes] = span.slopes;
        if !std::mem::take(&mut self.has_last_rates) {
            system.indicator_rates(end, &span.dense.end, end_slopes, &mut self.last_rates)?;
        }
        // Only an indicator that leaves zero at the end can have turned back.
        let leaves = |(value, rate): (&f64, &f64)| if *value > 0.0 { *rate > 0.0 } else { *rate < 0.0 };
        if !self.has_first_rates && self.first[..turning].iter().zip(&self.last_rates).any(leaves) {
            system.indicator_rates(span.t, span.begin, begin_slopes, &mut self.first_rates)?;
            self.has_first_rates = true;
        }
        let candidates = if self.has_first_rates { turning } else { 0 };
        for i in 0..candidates {
            let Some(theta) = self.turning_point(i, span.h) else { continue };
            self.evaluate_inside(system, span, theta)?;
            if any_changes(&self.first, &self.middle) {
                std::mem::swap(&mut self.last, &mut self.middle);
                return self.locate(system, span, theta).map(Some);
            }
            // It turned back before it came to zero again, which the event would have had it do. Others, far from zero, turn
            // at once where rounding gives them a slope.
            let distance = self.first[i].abs();
            let is_near = self.middle[i].abs() < 0.5 * distance || distance <= NEAR * self.last[i].abs();
            if self.is_after_event && is_near && theta * span.h <= 8.0 * f64::EPSILON * end.abs() {
                return Err(too_frequent(span.t));
            }
        }
        self.is_after_event = false;
        std::mem::swap(&mut self.first, &mut self.last);
        std::mem::swap(&mut self.first_rates, &mut self.last_rates);
        self.has_first_rates = true;
        Ok(None)
    }

    /// Returns true if an indicator beyond whose events no step goes is among those that have [changed](Self::first_change).
    pub fn is_bounding_change(&self) -> bool {
        let others = self.first.len() - self.bounding;
        any_changes(&self.first[others..], &self.last[others..])
    }

    /// Returns where in a step an indicator comes nearest to zero between two values on the same side, by the cubic
    /// through values and derivatives at both ends.
    fn turning_point(&self, i: usize, h: f64) -> Option<f64> {
        let side = if self.first[i] > 0.0 { 1.0 } else { -1.0 };
        let [z0, z1, a, b] =
            [self.first[i], self.last[i], h * self.first_rates[i], h * self.last_rates[i]].map(|value| side * value);
        if !(a < 0.0 && b > 0.0) {
            return None;
        }
        // The derivative a + 2 p theta + 3 q theta^2 has its root with rising slope inside.
        let [p, q] = [3.0 * (z1 - z0) - 2.0 * a - b, a + b - 2.0 * (z1 - z0)];
        let root = (p * p - 3.0 * q * a).max(0.0).sqrt();
        let (above, below) = if p > 0.0 { (-a, p + root) } else { (root - p, 3.0 * q) };
        if below == 0.0 {
            return None;
        }
        let theta = above / below;
        (theta > 0.0 && theta < 1.0).then_some(theta)
    }

    /// Computes the indicators inside a step.
    fn evaluate_inside(&mut self, system: &mut dyn System, span: &Span<'_>, theta: f64) -> Result<(), ModelError> {
        span.dense.states(span.begin, theta, &mut self.states);
        system.indicators(span.t + theta * span.h, &self.states, &mut self.middle)
    }

    /// Locates the first change up to `high`, where there was one, to rounding of the time: by the method "Illinois",
    /// after which nothing has changed at the lower end and something at the upper one, which is returned.
    fn locate(&mut self, system: &mut dyn System, span: &Span<'_>, mut high: f64) -> Result<f64, ModelError> {
        let width = 2.0 * f64::EPSILON * span.t.abs().max((span.t + span.h).abs()) / span.h;
        let mut low = 0.0;
        // Factors that reduce the weight of the value at an end of the interval that has stayed.
        let [mut low_weight, mut high_weight] = [1.0, 1.0];
        let mut moved_up = None;
        for _ in 0..200 {
            if high - low <= width {
                break;
            }
            let part = |(low, high): (&f64, &f64)| {
                let [low, high] = [low_weight * low.abs(), high_weight * high.abs()];
                // The compiler may divide in both cases.
                if low + high > 0.0 { low / (low + high).max(f64::MIN_POSITIVE) } else { 0.5 }
            };
            let ends = self.first.iter().zip(&self.last).filter(|(low, high)| changes(**low, **high));
            let part = ends.map(part).fold(1.0, f64::min);
            let margin = 0.5 * width.min(0.5 * (high - low));
            let theta = (low + part * (high - low)).clamp(low + margin, high - margin);
            self.evaluate_inside(system, span, theta)?;
            let is_high = any_changes(&self.first, &self.middle);
            if is_high {
                high = theta;
                std::mem::swap(&mut self.last, &mut self.middle);
                [low_weight, high_weight] = [if moved_up == Some(false) { 0.5 * low_weight } else { 1.0 }, 1.0];
            } else {
                low = theta;
                std::mem::swap(&mut self.first, &mut self.middle);
                [low_weight, high_weight] = [1.0, if moved_up == Some(true) { 0.5 * high_weight } else { 1.0 }];
            }
            moved_up = Some(!is_high);
        }
        Ok(high)
    }
}
