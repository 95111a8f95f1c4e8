//! What depends on what, found by evaluating the equations in dual numbers at random points.
//!
//! A Real depends on another one if at one of the points its derivative is more than rounding makes
//! of zero, which differs between platforms. Points where the equations have no solution are passed
//! over. Where none is left, or where the elements of tables would count, nothing is known, which in
//! FMI means that everything depends on everything.

use crate::enumeration::Enumeration;
use crate::layout::{Layout, Rule};
use crate::machine::Machine;
use crate::row::{Facts, Index, Sink};
use crate::scalar::Dual64;
use crate::values::Values;

/// Value references of the Real knowns, each with those of the Reals that depend on it; or nothing
/// if that is unknown.
pub type Dependencies = Option<Vec<(u32, Vec<u32>)>>;

/// Points at which the equations are compared, and at which no dependency may have been new.
const POINTS: usize = 12;
const QUIET: usize = 2 * POINTS;
const ATTEMPTS: usize = 400;
/// Time at the points in s.
const TIME: f64 = 0.5;
/// An effect on a Real below this share of the largest effect on it is rounding.
const ROUNDING: f64 = 1e-10;
/// So is any effect below this share of the largest effect at all: of what is always zero, there is
/// nothing but rounding.
const NOTHING: f64 = 1e-13;
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// The dependencies during the initialisation or after it.
pub fn dependencies(machine: &dyn Machine, layout: &Layout, initial: bool) -> Dependencies {
    let needed = if initial { Rule::SET_INITIALIZATION } else { Rule::INPUT | Rule::STATE };
    let known = |slot: &u32| layout.reals[*slot as usize].has(needed);
    let fixed = layout.tables.first().map_or(layout.reals.len(), |table| table.offset);
    if initial && fixed < layout.reals.len() {
        return None;
    }
    let mut found: Vec<_> = (0..fixed as u32).filter(known).map(|slot| (slot, Vec::new())).collect();
    let mut random = Random(SEED);
    let mut quiet = None;
    for _ in 0..ATTEMPTS {
        if quiet == Some(QUIET) {
            break;
        }
        let values = random_point(machine, layout, &mut random);
        if let Some(new) = probe(machine, layout, &values, initial, &mut found) {
            quiet = Some(if new { 0 } else { quiet.unwrap_or(0) + 1 });
        }
    }
    quiet.map(|_| found)
}

/// A hash over what the equations compute at some random points, if they have a solution at one of
/// them: where structures have the same variables, it tells whether they have the same equations.
pub fn signature(machine: &dyn Machine, layout: &Layout) -> Option<u64> {
    let mut random = Random(SEED);
    let mut hash = None;
    for _ in 0..POINTS {
        let mut values = random_point(machine, layout, &mut random);
        let Ok(data) = machine.prepare(&values, layout, None) else { continue };
        if machine.evaluate(&mut values, &data, TIME).is_ok() {
            let bits = hash.get_or_insert(SEED);
            for (value, rule) in values.reals.iter().zip(&layout.reals) {
                if rule.has(Rule::COMPUTED) {
                    *bits = (*bits ^ value.to_bits()).rotate_left(9);
                }
            }
        }
    }
    hash
}

/// Adds what depends on what at one point, and tells whether something was new; nothing if the
/// equations have no solution there.
fn probe(
    machine: &dyn Machine,
    layout: &Layout,
    values: &Values,
    initial: bool,
    found: &mut [(u32, Vec<u32>)],
) -> Option<bool> {
    let data = machine.prepare(values, layout, None).ok()?;
    let time = Dual64::from_re(TIME);
    let mut effects = Vec::with_capacity(found.len());
    let mut largest = vec![0.0_f64; values.before_tables];
    for (known, _) in &*found {
        let known = *known as usize;
        let mut duals: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
        duals[known].eps = values.reals[known].abs().max(1.0);
        machine.differentiate(&mut duals, values, &data, time, initial).ok()?;
        duals[known].eps = 0.0;
        let effect: Vec<f64> = duals[..values.before_tables].iter().map(|dual| dual.eps.abs()).collect();
        largest.iter_mut().zip(&effect).for_each(|(largest, effect)| *largest = largest.max(*effect));
        effects.push(effect);
    }
    let nothing = NOTHING * largest.iter().copied().fold(0.0, f64::max);
    let mut new = false;
    for ((_, dependents), effect) in found.iter_mut().zip(&effects) {
        for (slot, (effect, largest)) in (0..).zip(effect.iter().zip(&largest)) {
            if *effect > nothing.max(ROUNDING * largest) && !dependents.contains(&slot) {
                dependents.push(slot);
                new = true;
            }
        }
    }
    Some(new)
}

/// Start values, randomly moved within their bounds; what the structure leaves out stays.
#[inline(never)]
fn random_point(machine: &dyn Machine, layout: &Layout, random: &mut Random) -> Values {
    let mut values = layout.start.clone();
    let fixed = layout.tables.first().map_or(values.reals.len(), |table| table.offset);
    let is_there = |rule: &Rule| !rule.has(Rule::ABSENT);
    let reals = values.reals[..fixed].iter_mut().zip(&layout.real_bounds).zip(&layout.reals);
    for ((value, (min, max)), _) in reals.filter(|(_, rule)| is_there(rule)) {
        let reach = 0.5 * value.abs().max(1.0);
        *value = (*value + random.between(-reach, reach)).max(*min).min(*max);
    }
    let integers = values.integers.iter_mut().zip(&layout.integer_bounds).zip(&layout.integers);
    for ((value, (min, max)), _) in integers.filter(|(_, rule)| is_there(rule)) {
        if i64::from(*max) - i64::from(*min) < 100 {
            *value = random.between(f64::from(*min), f64::from(*max) + 1.0).floor() as i32;
        }
    }
    for (value, _) in values.booleans.iter_mut().zip(&layout.booleans).filter(|(_, rule)| is_there(rule)) {
        *value = random.between(0.0, 1.0) < 0.5;
    }
    machine.declare(&mut Repair { reals: &mut values.reals, count: 0 });
    values
}

/// Makes admissible what is so only together.
struct Repair<'a> {
    reals: &'a mut [f64],
    count: usize,
}

impl Sink for Repair<'_> {
    fn real(&mut self, _: &Facts<'_>, _: Index, _: f64) {
        self.count += 1;
    }
    fn integer(&mut self, _: &Facts<'_>, _: Index, _: i32) {}
    fn enumeration(&mut self, _: &Facts<'_>, _: &'static Enumeration, _: i32) {}
    fn boolean(&mut self, _: &Facts<'_>, _: bool) {}
    fn string(&mut self, _: &Facts<'_>, _: &'static str) {}
    fn table(&mut self, _: &Facts<'_>, _: usize, _: &'static [f64]) {}
    fn together(&mut self, count: usize, repair: fn(&mut [f64])) {
        repair(&mut self.reals[self.count - count..self.count]);
    }
}

/// Marsaglia's xorshift: the points must be the same in every build.
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
