//! Events located by sign changes of event indicators, between positive and not positive.

use crate::component::integration::dense::Dense;
use crate::component::integration::system::System;
use crate::component::model_error::ModelError;

/// Bound of an indicator that has just caused an event, as a fraction of its value at the end of a step. An indicator
/// that the component keeps away from zero by more than its rounding is above.
const NEAR: f64 = 1e-14;

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
    first: Vec<f64>,
    last: Vec<f64>,
    middle: Vec<f64>,
    first_rates: Vec<f64>,
    last_rates: Vec<f64>,
    states: Vec<f64>,
    /// True if `first_rates` are those of the first values: they are computed when they are needed.
    has_first_rates: bool,
    /// True if the first values are those after an event.
    is_after_event: bool,
    /// Number of lasting indicators, the last ones, whose turns are not looked for inside a step.
    pub lasting: usize,
}

/// Returns true if an indicator has changed between positive and not positive.
fn changes(one: f64, other: f64) -> bool {
    (one > 0.0) != (other > 0.0)
}

/// Returns the error of events that follow one another ever faster.
pub fn too_frequent(t: f64) -> ModelError {
    ModelError::singular(format!("the events at {t} s become infinitely frequent"))
}

fn any_changes(one: &[f64], other: &[f64]) -> bool {
    one.iter().zip(other).any(|(one, other)| changes(*one, *other))
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
            states: vec![0.0; states],
            has_first_rates: false,
            is_after_event: false,
            lasting: 0,
        }
    }

    /// Takes the values where the integration restarts, and computes the derivatives of the states there.
    pub fn begin(&mut self, system: &mut dyn System, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ModelError> {
        self.is_after_event = true;
        self.has_first_rates = false;
        system.derivatives_and_indicators(t, x, dx, &mut self.first)
    }

    /// Continues where the last step ended, as if the integration restarted there.
    pub fn go_on(&mut self) {
        self.is_after_event = true;
    }

    /// Returns the values at the end of a step, to be set before [`first_change`](Self::first_change).
    pub fn at_end(&mut self) -> &mut [f64] {
        &mut self.last
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
        let turning = self.first.len() - self.lasting;
        if turning == 0 {
            self.is_after_event = false;
            std::mem::swap(&mut self.first, &mut self.last);
            return Ok(None);
        }
        let [begin_slopes, end_slopes] = span.slopes;
        system.indicator_rates(end, &span.dense.end, end_slopes, &mut self.last_rates)?;
        // Only an indicator that leaves zero at the end can have turned back.
        let leaves = |(value, rate): (&f64, &f64)| if *value > 0.0 { *rate > 0.0 } else { *rate < 0.0 };
        if !self.has_first_rates && self.first[..turning].iter().zip(&self.last_rates).any(leaves) {
            system.indicator_rates(span.t, span.begin, begin_slopes, &mut self.first_rates)?;
            self.has_first_rates = true;
        }
        let candidates = if self.has_first_rates { turning } else { 0 };
        for i in 0..candidates {
            let Some(theta) = self.turning_point(i, span.h) else { continue };
            self.look(system, span, theta)?;
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

    /// Returns true if a lasting indicator is among those that have [changed](Self::first_change).
    pub fn is_lasting_change(&self) -> bool {
        let turning = self.first.len() - self.lasting;
        any_changes(&self.first[turning..], &self.last[turning..])
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
    fn look(&mut self, system: &mut dyn System, span: &Span<'_>, theta: f64) -> Result<(), ModelError> {
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
            self.look(system, span, theta)?;
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
