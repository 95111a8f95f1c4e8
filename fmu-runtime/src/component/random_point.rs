//! Random points at which equations are evaluated to analyse them.

use fmu_declaration::{Enumeration, Index};

use crate::component::component_model::ComponentModel;
use crate::component::layout::{Layout, Rule};
use crate::declaration::row::{Attributes, ElementVisitor};
use crate::declaration::values::Values;

/// Returns true if there are few integers between two.
pub fn has_few(min: i32, max: i32) -> bool {
    i64::from(max) - i64::from(min) < 100
}

/// Returns start values of at most this size, randomly moved within their bounds, or away from these if `is_inside`;
/// variables that do not exist keep theirs.
#[inline(never)]
pub fn random_point(
    model: &dyn ComponentModel,
    layout: &Layout,
    random: &mut Random,
    largest: f64,
    is_inside: bool,
) -> Values {
    let mut values = layout.start.clone();
    let is_there = |rule: &Rule| !rule.has(Rule::ABSENT);
    let reals = values.reals[..values.before_tables].iter_mut().zip(&layout.real_bounds).zip(&layout.reals);
    for ((value, (min, max)), _) in reals.filter(|(_, rule)| is_there(rule)) {
        *value = value.max(-largest).min(largest);
        let reach = 0.5 * value.abs().max(1.0);
        let (mut low, mut high) = (-reach, reach);
        if is_inside {
            (low, high) = (low.max(*min - *value), high.min(*max - *value));
        }
        *value = (*value + random.between(low, high)).max(*min).min(*max);
    }
    let integers = values.integers.iter_mut().zip(&layout.integer_bounds).zip(&layout.integers);
    for ((value, (min, max)), _) in integers.filter(|(_, rule)| is_there(rule)) {
        if has_few(*min, *max) {
            *value = random.between(f64::from(*min), f64::from(*max) + 1.0).floor() as i32;
        }
    }
    for (value, _) in values.booleans.iter_mut().zip(&layout.booleans).filter(|(_, rule)| is_there(rule)) {
        *value = random.between(0.0, 1.0) < 0.5;
    }
    model.declare(&mut Repair { reals: &mut values.reals, count: 0 });
    values
}

/// Repairs values that are valid only together.
struct Repair<'a> {
    reals: &'a mut [f64],
    count: usize,
}

impl ElementVisitor for Repair<'_> {
    fn real(&mut self, _: &Attributes<'_>, _: Index, _: f64) {
        self.count += 1;
    }
    fn integer(&mut self, _: &Attributes<'_>, _: Index, _: i32) {}
    fn enumeration(&mut self, _: &Attributes<'_>, _: &'static Enumeration, _: i32) {}
    fn boolean(&mut self, _: &Attributes<'_>, _: bool) {}
    fn string(&mut self, _: &Attributes<'_>, _: &'static str) {}
    fn table(&mut self, _: &Attributes<'_>, _: usize, _: &'static [f64]) {}
    fn constrained(&mut self, count: usize, repair: fn(&mut [f64])) {
        repair(&mut self.reals[self.count - count..self.count]);
    }
}

/// A generator of random numbers, Marsaglia's xorshift: the points must be the same in every build.
pub struct Random(pub u64);

impl Random {
    /// Returns a random number between two.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
