//! Dependencies, found by evaluating the equations in dual numbers at random points.
//!
//! A Real depends on another one if its derivative at one of the points exceeds rounding errors, which
//! differ between platforms. It also depends on a parameter if another value of the parameter changes
//! it. Points where the equations have no solution are skipped. If none is left, or if elements of
//! tables would count, the dependencies are unknown, which in FMI means that everything depends on
//! everything.
//!
//! Known variables without a common effect are moved together, so that a long chain takes as many evaluations as a
//! short one.

use std::any::{Any, TypeId};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use fmu_exchange::configuration::Configuration;
use fmu_exchange::{Base, DECLARES, Dependencies};

use crate::component::component_model::{ComponentModel, Data};
use crate::component::layout::{Layout, Rule};
use crate::component::random_point::{Random, Region, has_few, random_point};
use crate::component::sparsity::Sparsity;
use crate::component::unassigned;
use crate::rows::scalar::Dual64;
use crate::rows::values::Values;

/// Number of points at which the equations are compared, and number of points without a new dependency that end the
/// search.
const POINTS: usize = 12;
const MIN_POINTS: usize = 2;
const MAX_QUIET_POINTS: usize = 4 * POINTS;
const MIN_QUIET_POINTS: usize = 2;
/// Evaluations times Reals that all points may take where fewer points would be enough.
const WORK: usize = 3_000_000;
/// Reals at all points together that are compared as a whole, where fewer points are enough.
const COMPARED: usize = 100_000;
/// Largest number of dependencies, in all and for each Real. Beyond them the search would take seconds.
const MAX_DEPENDENCIES: usize = 10_000_000;
const MAX_DEPENDENCIES_EACH: usize = 20_000;
/// Largest number of dependencies that are assumed without a search, because the search would take too long.
const MAX_ASSUMED_DEPENDENCIES: usize = 500_000;
/// Evaluations for each known parameter: derivatives, and two other values.
const EVALUATIONS: usize = 3;
const ATTEMPTS: usize = 1200;
const ATTEMPTS_IN_VAIN: usize = 400;
/// Where after so many attempts fewer than one point of so many had a solution, some parameters keep their start values.
const FIRST_ATTEMPTS: usize = 40;
const FEW: usize = 8;
/// The part of the parameters that is moved then, fewer after each attempt in vain, and in the end none.
const MOVED: [f64; 4] = [0.5, 0.2, 0.1, 0.05];
/// One point of so many lies near the start values, at this fraction of the usual distance.
const NEAR_EVERY: usize = 4;
const NEAR: f64 = 1e-2;
/// Larger values count as this large at every other point, so that no effect is lost compared to them.
const MAX_MODERATE_VALUE: f64 = 10.0;
/// Relative change of a parameter to find branches that it selects: large enough for degrees to reach another branch.
const FAR_FACTOR: f64 = 100.0;
/// Time at the points in s.
const TIME: f64 = 0.5;
/// Times in s that are compared, multiples of no likely period.
const TIMES: [f64; 6] = [0.0, TIME, 0.813, 1.71, 13.3, 1003.7];
/// An effect on a Real below this fraction of the largest effect on it is rounding.
const ROUNDING: f64 = 1e-10;
/// Any effect below this fraction of the largest effect of all is rounding: a value that is always zero has no other
/// effects.
const NEGLIGIBLE: f64 = 1e-13;
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// Dependencies that evaluations at random points show.
#[derive(Clone)]
pub struct DependencyAnalysis {
    /// The dependencies after initialisation, and during it.
    pub dependencies: [Dependencies; 2],
    /// True if results change with time alone.
    pub follows_time: bool,
}

/// A component, its structure, and for each of its tables whether it has rows, and more than one: one row is one
/// number, on whose argument nothing depends.
type Key = (TypeId, String, Vec<usize>);

/// Results of the search around the defaults: a hundred configurations of a structure take one search.
static KNOWN: Mutex<Vec<(Key, DependencyAnalysis)>> = Mutex::new(Vec::new());

fn known() -> MutexGuard<'static, Vec<(Key, DependencyAnalysis)>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees the cache for further configurations, before the library is unloaded.
pub fn forget() {
    *known() = Vec::new();
}

/// Returns the dependencies of a model in its structure, with its layout; fails if no equation assigns some variables.
pub fn dependency_analysis(
    model: &dyn ComponentModel,
    layout: &Layout,
    configuration: &Configuration<'_>,
) -> Result<DependencyAnalysis, String> {
    let has_rows = layout.tables.iter().any(|table| table.rows > 0);
    if model.influences().around_start {
        if DECLARES {
            unassigned::check(model, layout)?;
        }
        return Ok(DependencyAnalysis::of(model, layout, has_rows));
    }
    let component: &dyn Any = model;
    let rows = layout.tables.iter().map(|table| table.rows.min(2)).collect();
    let mut kind = (component.type_id(), String::new(), rows);
    for word in configuration.structure.iter().flat_map(|(option, word)| [option, word]) {
        kind.1 += word;
        kind.1.push('\n');
    }
    if let Some((_, found)) = known().iter().find(|(other, _)| *other == kind) {
        return Ok(found.clone());
    }
    let tables = Configuration { tables: configuration.tables.clone(), ..Configuration::default() };
    let defaults = Layout::new(&|visitor| model.declare(visitor), &tables)?;
    if DECLARES {
        unassigned::check(model, &defaults)?;
    }
    let found = DependencyAnalysis::of(model, &defaults, has_rows);
    known().push((kind, found.clone()));
    Ok(found)
}

impl DependencyAnalysis {
    /// Analyses a model around the start values of a layout; with rows of tables, nothing is found for the
    /// initialisation.
    pub fn of(model: &dyn ComponentModel, layout: &Layout, has_rows: bool) -> Self {
        let influences = model.influences();
        let initial = if has_rows { None } else { dependencies(model, layout, &influences, true) };
        let running = dependencies(model, layout, &influences, false);
        let follows_time = model.has_sources() || follows_time(model, layout);
        Self { dependencies: [running, initial], follows_time }
    }
}

/// A known variable, and the Reals that depend on it.
struct Probe<'a> {
    base: Base,
    slot: usize,
    /// The Reals that the variable can affect, and for each of them whether it does, and its effect at a point.
    reals: &'a [usize],
    found: Vec<bool>,
    effects: Vec<f64>,
}

/// Finds the dependencies during initialisation or after it.
#[inline(never)]
fn dependencies(model: &dyn ComponentModel, layout: &Layout, influences: &Sparsity, initial: bool) -> Dependencies {
    let needed = if initial { Rule::SET_INITIALIZATION } else { Rule::INPUT | Rule::STATE };
    let fixed = layout.start.before_tables;
    if initial && model.starts_together() {
        return None;
    }
    let effort = fixed + if initial { EVALUATIONS * influences.start_effort } else { influences.effort };
    let mut knowns = Vec::new();
    let mut add = |base: Base, rules: &[Rule], needed: u16| {
        let known = |(slot, rule): (usize, &Rule)| rule.has(needed).then(|| (base, slot, influences.part(base, slot)));
        knowns.extend(rules.iter().enumerate().filter_map(known));
    };
    add(Base::Real, &layout.reals[..fixed], needed);
    if initial {
        add(Base::Integer, &layout.integers, Rule::PARAMETER);
        add(Base::Boolean, &layout.booleans, Rule::PARAMETER);
    }
    let apart = influences.coloring();
    let mut groups = groups(&knowns, &apart);
    let most = MAX_DEPENDENCIES.max(MAX_DEPENDENCIES_EACH.saturating_mul(fixed)) / (MIN_QUIET_POINTS + 1);
    let is_too_much = |groups: &[Vec<usize>]| groups.len().saturating_mul(effort) > most;
    let mut assumed = Vec::new();
    if initial && is_too_much(&groups) {
        let is_input =
            |(base, slot, _): &(Base, usize, usize)| *base == Base::Real && layout.reals[*slot].has(Rule::INPUT);
        (knowns, assumed) = knowns.into_iter().partition(is_input);
        groups = self::groups(&knowns, &apart);
    }
    let count =
        |(_, _, part): &(Base, usize, usize)| influences.reals(*part, fixed).iter().map(Range::len).sum::<usize>();
    let is_pointless = knowns.is_empty() && !assumed.is_empty();
    if is_pointless || is_too_much(&groups) || assumed.iter().map(count).sum::<usize>() > MAX_ASSUMED_DEPENDENCIES {
        return None;
    }
    // Loops, since code for size calls each step of an iterator.
    let mut reals = vec![Vec::new(); apart.len()];
    for (part, reals) in reals.iter_mut().enumerate() {
        for range in influences.reals(part, fixed) {
            reals.extend(range);
        }
    }
    let enough = (WORK / (groups.len() * effort).max(1)).clamp(MIN_QUIET_POINTS, MAX_QUIET_POINTS);
    let probe_of = |(base, slot, part): (Base, usize, usize)| {
        let reals = &reals[part];
        Probe { base, slot, reals, found: vec![false; reals.len()], effects: vec![0.0; reals.len()] }
    };
    let mut probes: Vec<_> = knowns.into_iter().map(probe_of).collect();
    let mut random = Random(SEED);
    let (mut quiet, mut is_inside, mut has_few_solutions, mut solved, mut failures) = (None, false, false, 0, 0);
    for attempt in 0..ATTEMPTS {
        if quiet == Some(enough) || (quiet.is_none() && attempt >= ATTEMPTS_IN_VAIN) {
            break;
        }
        has_few_solutions |= attempt >= FIRST_ATTEMPTS && solved * FEW < attempt;
        // A solution near the start values does not show that there are others.
        let is_near = quiet.is_some() && attempt % NEAR_EVERY == NEAR_EVERY - 1;
        let region = Region {
            largest: if attempt % 2 == 0 { f64::MAX } else { MAX_MODERATE_VALUE },
            // Of many parameters one is always at its bound, where there may be no solution, such as without inertia.
            is_inside: is_inside || (quiet.is_none() && attempt >= points(layout)),
            // Others are valid only together, such as the size of a hole and that of the body.
            moved: if !has_few_solutions { 1.0 } else { *MOVED.get(failures).unwrap_or(&0.0) },
            // A law may act near the start values only.
            reach: if is_near { NEAR } else { 1.0 },
        };
        let values = random_point(layout, &mut random, region);
        let Some(new) = probe(model, layout, &values, initial, &groups, &mut probes) else {
            if !is_near {
                failures = if failures < MOVED.len() { failures + 1 } else { 0 };
            }
            continue;
        };
        if !is_near {
            (is_inside, failures) = (region.is_inside, 0);
            solved += 1;
        }
        quiet = Some(if new { 0 } else { quiet.unwrap_or(0) + usize::from(!is_near) });
    }
    // Without enough points some dependencies may not have been seen.
    if quiet != Some(enough) {
        return None;
    }
    let mut all = Vec::with_capacity(probes.len() + assumed.len());
    for Probe { base, slot, reals, found, .. } in &probes {
        let mut dependents = Vec::new();
        for (real, found) in reals.iter().zip(found) {
            if *found {
                dependents.push(*real as u32);
            }
        }
        all.push(((*base, base.reference(*slot)), dependents));
    }
    for (base, slot, part) in &assumed {
        let dependents = reals[*part].iter().map(|real| *real as u32).collect();
        all.push(((*base, base.reference(*slot)), dependents));
    }
    Some(all)
}

/// Returns groups of known variables without a common effect: at most one of each part.
fn groups(knowns: &[(Base, usize, usize)], apart: &[usize]) -> Vec<Vec<usize>> {
    let mut counts = vec![0; apart.len()];
    let mut positions = Vec::with_capacity(knowns.len());
    for (_, _, part) in knowns {
        positions.push(counts[*part]);
        counts[*part] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(0);
    let mut groups = vec![Vec::new(); most * (apart.iter().copied().max().unwrap_or(0) + 1)];
    for (i, (position, (_, _, part))) in positions.iter().zip(knowns).enumerate() {
        groups[most * apart[*part] + position].push(i);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the number of points at which all results are compared, and of attempts at which values may be at their bounds.
fn points(layout: &Layout) -> usize {
    (COMPARED / layout.start.before_tables.max(1)).clamp(MIN_POINTS, POINTS)
}

/// Returns a hash over the results of the equations at some random points, if they have a solution at one of them, and
/// over whether they start together: structures with the same variables and the same hash have the same equations.
pub fn signature(model: &dyn ComponentModel, layout: &Layout) -> Option<u64> {
    let mut random = Random(SEED);
    let mut hash = None;
    for _ in 0..points(layout) {
        let values = random_point(layout, &mut random, Region::default());
        let Ok(data) = model.prepare(&values, layout, None, &[]) else { continue };
        let Some(results) = results(model, layout, &values, &data, TIME) else { continue };
        let bits = hash.get_or_insert(SEED);
        for result in results {
            *bits = (*bits ^ result.to_bits()).rotate_left(9);
        }
    }
    hash.map(|bits: u64| bits ^ u64::from(model.starts_together()))
}

/// Returns true if results change with time alone: between some times, or by their derivatives at one. Changes only at
/// other times, at events or far from start values are not seen.
fn follows_time(model: &dyn ComponentModel, layout: &Layout) -> bool {
    let mut random = Random(SEED);
    (0..points(layout)).any(|_| {
        let values = random_point(layout, &mut random, Region::default());
        let Ok(data) = model.prepare(&values, layout, None, &[]) else { return false };
        let bits = |time: f64| -> Option<Vec<u64>> {
            Some(results(model, layout, &values, &data, time)?.map(f64::to_bits).collect())
        };
        let first = bits(TIMES[0]);
        TIMES[1..].iter().any(|time| bits(*time) != first) || rises(model, layout, &values, &data)
    })
}

/// Returns the computed Reals at a point and time, if there is a solution.
fn results(
    model: &dyn ComponentModel,
    layout: &Layout,
    values: &Values,
    data: &Data,
    time: f64,
) -> Option<impl Iterator<Item = f64>> {
    let mut values = values.clone();
    model.evaluate(&mut values, data, time).ok()?;
    let computed = values.reals.into_iter().zip(&layout.reals).filter(|(_, rule)| rule.has(Rule::COMPUTED));
    Some(computed.map(|(value, _)| value))
}

/// Returns true if a computed Real has a derivative by time.
fn rises(model: &dyn ComponentModel, layout: &Layout, values: &Values, data: &Data) -> bool {
    let mut duals: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
    let time = Dual64::new(TIME, 1.0);
    let is_computed = model.differentiate(&mut duals, &mut values.clone(), data, time, false).is_ok();
    is_computed && duals.iter().zip(&layout.reals).any(|(dual, rule)| rule.has(Rule::COMPUTED) && dual.eps.abs() > 0.0)
}

/// Adds the dependencies at one point, and returns true if one of them was new; `None` if the equations have no
/// solution there.
fn probe(
    model: &dyn ComponentModel,
    layout: &Layout,
    values: &Values,
    initial: bool,
    groups: &[Vec<usize>],
    probes: &mut [Probe<'_>],
) -> Option<bool> {
    let fixed = values.before_tables;
    let computed = |values: &Values, data: &Data, seeds: &mut dyn Iterator<Item = usize>| {
        let mut duals: Vec<_> = values.reals.iter().map(|value| Dual64::from_re(*value)).collect();
        for slot in seeds {
            for dual in &mut duals[slot..=slot + model.derivatives_behind(slot)] {
                dual.eps = dual.re.abs().max(1.0);
            }
        }
        model.differentiate(&mut duals, &mut values.clone(), data, Dual64::from_re(TIME), initial).ok()?;
        Some(duals)
    };
    let data = model.prepare(values, layout, None, &[]).ok()?;
    let here = computed(values, &data, &mut [].into_iter())?;
    let mut largest = vec![0.0_f64; fixed];
    for group in groups {
        let slots = |i: &usize| (probes[*i].base == Base::Real).then_some(probes[*i].slot);
        let duals = computed(values, &data, &mut group.iter().filter_map(slots))?;
        for i in group {
            let Probe { base, slot, reals, ref mut effects, .. } = probes[*i];
            for (real, effect) in reals.iter().zip(effects) {
                *effect = 0.0;
                if base == Base::Real && slot != *real {
                    raise(effect, duals[*real].eps.abs());
                    raise(&mut largest[*real], *effect);
                }
            }
        }
    }
    let nothing = NEGLIGIBLE * largest.iter().copied().fold(0.0, f64::max);
    for group in groups {
        // A choice between branches has no derivative.
        let candidates: Vec<_> =
            group.iter().map(|i| others(values, layout, probes[*i].base, probes[*i].slot)).collect();
        for k in 0..candidates.iter().map(Vec::len).max().unwrap_or(0) {
            let moved = |at: &usize| Some((group[*at], *candidates[*at].get(k)?));
            let mut compare = |moved: &[(usize, f64)], part: f64| -> Option<()> {
                let mut other = values.clone();
                for (i, value) in moved {
                    let Probe { base, slot, .. } = probes[*i];
                    match base {
                        Base::Real => other.reals[slot] = part * value + (1.0 - part) * values.reals[slot],
                        Base::Boolean => other.booleans[slot] = *value != 0.0,
                        _ => other.integers[slot] = *value as i32,
                    }
                }
                let data = model.prepare(&other, layout, None, &[]).ok()?;
                let there = computed(&other, &data, &mut [].into_iter())?;
                for (i, _) in moved {
                    let Probe { reals, ref mut effects, .. } = probes[*i];
                    for (real, effect) in reals.iter().zip(effects) {
                        raise(effect, (there[*real].re - here[*real].re).abs());
                    }
                }
                Some(())
            };
            let moved: Vec<_> = (0..group.len()).filter_map(|at| moved(&at)).collect();
            if compare(&moved, 1.0).is_some() || moved.len() < 2 {
                continue;
            }
            // Many inertias have no solution at their bound 0, and take long one by one.
            if compare(&moved, 0.5).is_none() {
                moved.iter().for_each(|one| _ = compare(&[*one], 1.0));
            }
        }
    }
    let mut new = false;
    for Probe { base, slot, reals, found, effects } in probes {
        for ((real, found), effect) in reals.iter().zip(found).zip(effects) {
            let is_own = *base == Base::Real && *slot == *real;
            if *effect > nothing && *effect > ROUNDING * largest[*real] && !is_own && !*found {
                *found = true;
                new = true;
            }
        }
    }
    Some(new)
}

/// Makes a number the larger one of both, if the other one is a number: as `f64::max`, which code for size calls.
fn raise(number: &mut f64, other: f64) {
    if other > *number {
        *number = other;
    }
}

/// Returns other values of one parameter: for a Boolean or an Integer its neighbours, bounds, or all possible values;
/// for a Real some distant ones.
fn others(values: &Values, layout: &Layout, base: Base, slot: usize) -> Vec<f64> {
    if base == Base::Boolean {
        return vec![f64::from(!values.booleans[slot])];
    }
    if base == Base::Real {
        let (present, (min, max)) = (values.reals[slot], layout.real_bounds[slot]);
        let reach = FAR_FACTOR * present.abs().max(1.0);
        let is_parameter = layout.reals[slot].has(Rule::PARAMETER);
        return if is_parameter { vec![(present - reach).max(min), (present + reach).min(max)] } else { Vec::new() };
    }
    let (present, (min, max)) = (values.integers[slot], layout.integer_bounds[slot]);
    let candidates = if has_few(min, max) {
        (min..=max).collect()
    } else {
        vec![present.saturating_sub(1), present.saturating_add(1), min, max]
    };
    // Default bounds may be too large to compute with.
    let is_other = |value: &i32| *value != present && (min..=max).contains(value) && value.unsigned_abs() < 1 << 30;
    candidates.into_iter().filter(is_other).map(f64::from).collect()
}
