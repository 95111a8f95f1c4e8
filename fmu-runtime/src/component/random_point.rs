//! Random points at which equations are evaluated to analyse them.

use crate::component::layout::{Layout, Rule};
use crate::rows::values::Values;

/// Returns true if there are few integers between two.
pub fn has_few(min: i32, max: i32) -> bool {
    i64::from(max) - i64::from(min) < 100
}

/// Where random points lie.
#[derive(Clone, Copy)]
pub struct Region {
    /// Start values count as at most this large.
    pub largest: f64,
    /// True if values stay away from where their bounds would be the nearest valid ones.
    pub is_inside: bool,
    /// The part of the parameters that is moved; the others keep their start values.
    pub moved: f64,
    /// How far Reals are moved, as a fraction of half their size, or of 0.5 if that is more.
    pub reach: f64,
}

impl Default for Region {
    fn default() -> Self {
        Self { largest: f64::MAX, is_inside: false, moved: 1.0, reach: 1.0 }
    }
}

/// Start values, randomly moved within their bounds; variables that do not exist keep theirs.
#[inline(never)]
pub fn random_point(layout: &Layout, random: &mut Random, region: Region) -> Values {
    let Region { largest, is_inside, moved, reach } = region;
    let mut values = layout.start.clone();
    let is_moved = |rule: &Rule, random: &mut Random| {
        let mut is_kept = || rule.has(Rule::PARAMETER) && moved < 1.0 && random.between(0.0, 1.0) >= moved;
        !rule.has(Rule::ABSENT) && !is_kept()
    };
    let reals = values.reals[..values.before_tables].iter_mut().zip(&layout.real_bounds).zip(&layout.reals);
    for ((value, (min, max)), rule) in reals {
        if !is_moved(rule, random) {
            continue;
        }
        *value = value.max(-largest).min(largest);
        let reach = 0.5 * reach * value.abs().max(1.0);
        let (mut low, mut high) = (-reach, reach);
        if is_inside {
            (low, high) = (low.max(*min - *value), high.min(*max - *value));
        }
        *value = (*value + random.between(low, high)).max(*min).min(*max);
    }
    let integers = values.integers.iter_mut().zip(&layout.integer_bounds).zip(&layout.integers);
    for ((value, (min, max)), rule) in integers {
        if is_moved(rule, random) && has_few(*min, *max) {
            *value = random.between(f64::from(*min), f64::from(*max) + 1.0).floor() as i32;
        }
    }
    for (value, rule) in values.booleans.iter_mut().zip(&layout.booleans) {
        if is_moved(rule, random) {
            *value = random.between(0.0, 1.0) < 0.5;
        }
    }
    layout.constraints.iter().for_each(|(reals, repair)| repair(&mut values.reals[reals.clone()]));
    values
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
