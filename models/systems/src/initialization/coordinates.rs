//! The initial state: the coordinates that fulfil enforced start values, come close to guessed ones, and otherwise move
//! least from where they start. Coordinates that start at rest have velocity zero, and acceleration zero after a search
//! downhill.

use std::fmt::Write;

use fmu_runtime::{InitialValue, ModelError, Number, Scalar};
use mechanics::least_squares::{Condition, LeastSquares};
use mechanics::{constant, value};
use nalgebra::DVector;

use crate::equations::{Buffers, System};
use crate::initialization::steady::{Acceleration, PointAtRest};
use crate::part::{Arrays, InitialCondition, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::wiring::Owner;

/// Largest number of steps of Newton's method, and at a random point.
pub const MAX_STEPS: usize = 50;
pub const MAX_STEPS_AT_RANDOM: usize = 3;

/// Smallest fraction of a step.
pub const MIN_PART: f64 = 1e-3;

/// Smallest fraction of a step along which the energy falls.
const MIN_PART_DOWNHILL: f64 = 1e-6;

/// Fraction of a position, or of 1, below which a change is the last but one.
pub const CLOSE: f64 = 1e-9;

/// Fraction of their terms below which accelerations are zero.
const AT_REST: f64 = 1e-9;

/// Largest number of steps of the search for a start at rest, which may have to go a long way downhill.
const MAX_STEPS_TO_REST: usize = 200;

/// Number of coordinates at rest beyond which Newton's method takes their start values as they are, since the stiffness
/// between each two of them would take too much time.
const MAX_DENSE: usize = 300;

/// Conditions of a start at rest: accelerations that must be zero, with their coordinates.
struct EquilibriumConditions<T> {
    /// Names and nominal values of the accelerations.
    names: Vec<(String, f64)>,
    /// The accelerations, as sums of those of positions with coefficients.
    sums: Vec<Vec<(usize, T)>>,
    /// The free coordinates among these, in rising order.
    coordinates: Vec<usize>,
}

/// A condition for a start value, with the name of its variable for messages.
#[derive(Clone)]
pub struct NamedCondition<T> {
    /// Names of the part and of its variable.
    pub name: String,
    /// The start value.
    pub start: f64,
    /// True if the option `steady` asks for it.
    pub is_of_rest: bool,
    /// The condition.
    pub condition: Condition<T>,
}

impl<T: PartScalar> System<'_, T> {
    /// Sets the free coordinates. Start values that contradict each other are an error unless anything is possible, as
    /// for an analysis at random points.
    pub fn set_coordinates(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        at_random: bool,
    ) -> Result<(), ModelError> {
        // The start values are among the variables of the parts, which the coordinates overwrite.
        let wanted = self.initial_conditions(arrays.view());
        let (free, given) = self.wiring.coordinates.split_at(self.wiring.free);
        let integrated = given.iter().filter(|owner| self.parts[owner.part].part.is_integrated());
        for Owner { part: i, own } in free.iter().chain(integrated) {
            let part = T::of(&*self.parts[*i].part);
            let start = part.start(arrays.view(), self.wiring.offsets[*i], *own);
            part.set_own(arrays, self.wiring.offsets[*i], *own, start);
        }
        let start = |Owner { part: i, own }: &Owner| {
            let [x, v, _] = T::of(&*self.parts[*i].part).own(arrays.view(), self.wiring.offsets[*i], *own);
            [x, v]
        };
        let starts: Vec<_> = free.iter().map(start).collect();
        let [positions, velocities] = [0, 1].map(|order| {
            let conditions = self.conditions(&wanted, order, arrays.view(), buffers);
            self.nearest(conditions, at_random)
        });
        let velocities: Vec<_> = starts.iter().zip(velocities?).map(|([_, v], change)| *v + change).collect();
        let rests = |wanted: &InitialCondition<T>| wanted.order == 2 && wanted.initial == InitialValue::enforce;
        let rests = wanted.iter().flatten().any(rests) || !self.wiring.signals.resting.is_empty();
        let closes = self.has_rings() && !at_random;
        if closes || wanted.iter().flatten().any(|wanted| wanted.relative.is_some()) {
            let starts = [0, 1].map(|order| starts.iter().map(|start| start[order]).collect::<Vec<_>>());
            let mut begin = starts.clone();
            if closes {
                begin[0].iter_mut().zip(positions?).for_each(|(x, change)| *x += change);
                self.set_free(arrays, [&begin[0], &velocities]);
                let [kept, _] = self.conditions(&wanted, 0, arrays.view(), buffers);
                let closed = self.closed_start(arrays, &kept)?;
                begin[0] =
                    starts[0].iter().zip(closed).map(|(x, closed)| *x + constant::<T>(closed - value(*x))).collect();
            }
            return self.approach(arrays, buffers, &wanted, (starts, begin), at_random, |arrays, buffers, found| {
                if rests { self.come_to_rest(arrays, buffers, &wanted, found, at_random) } else { Ok(()) }
            });
        }
        if rests {
            let positions = starts.iter().map(|[x, _]| *x).collect();
            return self.come_to_rest(arrays, buffers, &wanted, [positions, velocities], at_random);
        }
        let positions: Vec<_> = starts.iter().zip(positions?).map(|([x, _], change)| *x + change).collect();
        self.set_free(arrays, [&positions, &velocities]);
        Ok(())
    }

    /// Returns the conditions of each part, from its start values and from `steady` of the system.
    fn initial_conditions(&self, view: View<'_, T>) -> Vec<Vec<InitialCondition<T>>> {
        let mut rests = vec![false; self.parts.len()];
        self.wiring.coordinates[..self.wiring.free].iter().for_each(|owner| rests[owner.part] = self.wiring.steady);
        let parts = self.parts.iter().zip(&self.wiring.offsets).zip(rests);
        parts.map(|((named, offsets), rests)| T::of(&*named.part).initial_conditions(view, *offsets, rests)).collect()
    }

    /// Sets positions and velocities of the free coordinates.
    pub fn set_free(&self, arrays: &mut Arrays<'_, T>, [positions, velocities]: [&[T]; 2]) {
        for ((Owner { part: i, own }, x), v) in self.wiring.coordinates.iter().zip(positions).zip(velocities) {
            T::of(&*self.parts[*i].part).set_own(arrays, self.wiring.offsets[*i], *own, [*x, *v]);
        }
    }

    /// Solves for the changes of the free coordinates that fulfil enforced conditions, and come close to guessed ones.
    pub fn nearest(
        &self,
        [enforced, guessed]: [Vec<NamedCondition<T>>; 2],
        at_random: bool,
    ) -> Result<Vec<T>, ModelError> {
        let conditions = |of: &[NamedCondition<T>]| of.iter().map(|named| named.condition.clone()).collect::<Vec<_>>();
        let LeastSquares { change, residual } =
            T::constrained_least_squares(self.unknowns(), &conditions(&enforced), &conditions(&guessed));
        if !at_random && residual.iter().any(|residual| *residual != 0.0) {
            return Err(contradiction(&enforced, &residual));
        }
        Ok(change)
    }

    /// Returns the motions that start at rest: names and nominal values of their accelerations, and these as sums of
    /// positions.
    fn rests(&self, wanted: &[Vec<InitialCondition<T>>]) -> EquilibriumConditions<T> {
        let mut rests = EquilibriumConditions { names: Vec::new(), sums: Vec::new(), coordinates: Vec::new() };
        for ((named, positions), wanted) in self.parts.iter().zip(&self.prepared.positions).zip(wanted) {
            for wanted in wanted.iter().filter(|wanted| wanted.order == 2 && wanted.initial == InitialValue::enforce) {
                rests.names.push((format!("{}.{}", named.name, wanted.name), wanted.nominal));
                let sum: Vec<_> = wanted.terms.iter().map(|(local, n)| (positions[*local], *n)).collect();
                let terms = sum.iter().flat_map(|(position, _)| self.prepared.train.position(*position));
                rests.coordinates.extend(terms.map(|(k, _)| *k).filter(|k| *k < self.wiring.free));
                rests.sums.push(sum);
            }
        }
        rests.coordinates.sort_unstable();
        rests.coordinates.dedup();
        rests
    }

    /// Returns the coordinates that start at rest.
    pub fn resting_coordinates(&self, view: View<'_, T>) -> Vec<usize> {
        self.rests(&self.initial_conditions(view)).coordinates
    }

    /// Finds an equilibrium near the start that fulfils the other conditions for positions: by steps along which the energy
    /// falls, as long as it is not convex, then by Newton's method. One step more than needed gives the derivatives.
    /// `at_random` is for the analysis of dependencies, where a point without equilibrium is accepted.
    fn come_to_rest(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        wanted: &[Vec<InitialCondition<T>>],
        [mut positions, velocities]: [Vec<T>; 2],
        at_random: bool,
    ) -> Result<(), ModelError> {
        let EquilibriumConditions { mut names, sums, coordinates } = self.rests(wanted);
        let resting = &self.wiring.signals.resting;
        names.extend(resting.iter().map(|state| (state.name.clone(), 1.0)));
        self.set_free(arrays, [&positions, &velocities]);
        positions.extend(self.begin_resting_blocks(arrays, buffers)?);
        let others = self.conditions_of_positions(wanted, arrays, buffers, at_random)?;
        // Where positions are enforced, they decide where the equilibrium is.
        let descends = !at_random
            && !self.has_rings()
            && others[0].is_empty()
            && coordinates.len() <= MAX_DENSE
            && !self.wiring.signals.rests_act;
        let coordinates = descends.then_some(&*coordinates);
        if others.iter().any(|others| !others.is_empty()) {
            let change = self.nearest(others, at_random)?;
            positions.iter_mut().zip(change).for_each(|(x, change)| *x += change);
            self.set_unknowns(arrays, &positions, &velocities)?;
        }
        let at_rest = |found: &PointAtRest<T>| {
            // A guess does not pull at elements that friction holds.
            found.accelerations.iter().all(|a| value(a.sum).abs() <= AT_REST * a.size)
        };
        let all = |change: &DVector<f64>| {
            let mut all = vec![T::zero(); self.unknowns()];
            coordinates.into_iter().flatten().zip(change).for_each(|(k, d)| all[*k] = constant(*d));
            all
        };
        let is_small = |positions: &[T], change: &[T]| {
            let mut pairs = positions.iter().zip(change);
            pairs.all(|(x, change)| value(*change).abs() <= CLOSE * value(*x).abs().max(1.0))
        };
        // The reason why Newton's method fails where the search began.
        let mut problem = None;
        let mut is_close = false;
        let mut found = self.accelerations_of(arrays.view(), buffers, &sums, coordinates)?;
        for _ in 0..if at_random { MAX_STEPS_AT_RANDOM } else { MAX_STEPS_TO_REST } {
            let statics = found.statics.as_ref().filter(|_| !at_rest(&found));
            // The search also ends in an equilibrium that is not stable.
            let descent = statics.map(|statics| (statics.is_convex(), all(&statics.descent())));
            let downhill = descent.as_ref().filter(|(is_convex, descent)| !is_convex && !is_small(&positions, descent));
            let independent = self.independent_rests(buffers, &sums);
            let others = self.conditions_of_positions(wanted, arrays, buffers, at_random)?;
            let newton = |[mut enforced, guessed]: [Vec<NamedCondition<T>>; 2]| {
                let rests = names.iter().zip(&found.accelerations).enumerate();
                let is_needed = |i: usize| i >= sums.len() || independent.contains(&i);
                let rests = rests.filter(|(i, _)| is_needed(*i)).map(|(_, rest)| rest);
                enforced.extend(rests.map(|((name, nominal), Acceleration { sum, by, size })| {
                    let terms = by.iter().map(|(k, change)| (*k, constant(*change))).collect();
                    let condition = Condition { terms, change: -*sum, size: *size, nominal: *nominal };
                    NamedCondition { name: name.clone(), start: 0.0, is_of_rest: true, condition }
                }));
                self.nearest([enforced, guessed], at_random)
            };
            let (change, is_newton) = match (downhill, descent.as_ref()) {
                (Some((_, descent)), _) => (descent.clone(), false),
                (None, descent) => match newton(others) {
                    Ok(change) => (change, true),
                    Err(error) => match descent.filter(|(_, descent)| !is_small(&positions, descent)) {
                        Some((_, descent)) => {
                            problem.get_or_insert(error);
                            (descent.clone(), false)
                        }
                        None => return Err(problem.unwrap_or(error)),
                    },
                },
            };
            let is_last = is_close && is_newton;
            is_close = is_small(&positions, &change);
            let mut part = 1.0;
            loop {
                let next: Vec<_> = positions.iter().zip(&change).map(|(x, d)| *x + *d * constant::<T>(part)).collect();
                self.set_unknowns(arrays, &next, &velocities)?;
                let is_better = |there: &PointAtRest<T>| match (&found.statics, &there.statics, coordinates) {
                    (Some(here), Some(there), Some(coordinates)) => {
                        let change = coordinates.iter().map(|k| value(change[*k]) * part).collect::<Vec<_>>().into();
                        here.falls(&change, there)
                    }
                    _ => square(&there.accelerations) < square(&found.accelerations),
                };
                // A step to a position that the mechanism cannot take is refused.
                let obstacle = match self.accelerations_of(arrays.view(), buffers, &sums, coordinates) {
                    Ok(there) if is_close || is_better(&there) => {
                        (positions, found) = (next, there);
                        break;
                    }
                    there => there.err(),
                };
                part /= 2.0;
                if part < if coordinates.is_some() { MIN_PART_DOWNHILL } else { MIN_PART } {
                    self.set_unknowns(arrays, &positions, &velocities)?;
                    return if at_random || at_rest(&found) {
                        Ok(())
                    } else {
                        Err(obstacle.or(problem).unwrap_or_else(|| no_steady_state(&names, &found.accelerations)))
                    };
                }
            }
            if is_close && is_last {
                return Ok(());
            }
        }
        if at_random {
            return Ok(());
        }
        Err(problem.unwrap_or_else(|| no_steady_state(&names, &found.accelerations)))
    }

    /// Returns the enforced and the guessed conditions for positions, also those that rings close.
    fn conditions_of_positions(
        &self,
        wanted: &[Vec<InitialCondition<T>>],
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        at_random: bool,
    ) -> Result<[Vec<NamedCondition<T>>; 2], ModelError> {
        let [mut enforced, guessed] = self.conditions(wanted, 0, arrays.view(), buffers);
        if !at_random {
            enforced.extend(self.ring_conditions(arrays, buffers, 0)?);
        }
        Ok([enforced, guessed])
    }

    /// Returns the enforced and the guessed conditions for the changes of the free coordinates.
    pub fn conditions(
        &self,
        wanted: &[Vec<InitialCondition<T>>],
        order: usize,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> [Vec<NamedCondition<T>>; 2] {
        [InitialValue::enforce, InitialValue::guess]
            .map(|initial| self.conditions_of(wanted, order, initial, view, buffers))
    }

    fn conditions_of(
        &self,
        wanted: &[Vec<InitialCondition<T>>],
        order: usize,
        initial: InitialValue,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Vec<NamedCondition<T>> {
        let mut conditions = Vec::new();
        if !wanted.iter().flatten().any(|wanted| wanted.order == order && wanted.initial == initial) {
            return conditions;
        }
        // Where a flange without inertia is follows from the coordinates that are looked for.
        let _ = self.read_motion(view, buffers);
        for ((named, positions), wanted) in self.parts.iter().zip(&self.prepared.positions).zip(wanted) {
            let is_sum = |wanted: &&InitialCondition<T>| {
                wanted.order == order && wanted.initial == initial && wanted.relative.is_none()
            };
            for wanted in wanted.iter().filter(is_sum) {
                let mut coefficients = std::collections::BTreeMap::new();
                let (mut change, mut size) = (wanted.start, wanted.start.value().abs());
                for (local, factor) in &wanted.terms {
                    let present = *factor * buffers.motion(order)[positions[*local]];
                    change -= present;
                    size += present.value().abs();
                    for (k, n) in self.prepared.train.position(positions[*local]) {
                        if *k < self.wiring.free {
                            *coefficients.entry(*k).or_insert(T::zero()) += *factor * *n;
                        }
                    }
                }
                let terms = coefficients.into_iter().collect();
                let condition = Condition { terms, change, size, nominal: wanted.nominal };
                let name = format!("{}.{}", named.name, wanted.name);
                conditions.push(NamedCondition {
                    name,
                    start: wanted.start.value(),
                    is_of_rest: wanted.is_of_rest,
                    condition,
                });
            }
        }
        conditions
    }
}

/// Describes start values that contradict each other, and the values that come closest to them.
pub fn contradiction<T>(enforced: &[NamedCondition<T>], residual: &[f64]) -> ModelError {
    let involved = || enforced.iter().zip(residual).filter(|(_, residual)| **residual != 0.0);
    if involved().all(|(named, _)| named.is_of_rest) {
        let best = involved().map(|(named, residual)| format!("{} = {}", named.name, Number(*residual)));
        let is_of_block = involved().any(|(named, _)| named.name.contains(".der_"));
        return ModelError::invalid(format!(
            "no steady state was found near the start values of positions: {} at best; give other start values, or {}leave \
             \"steady\" out where nothing balances a load or a motion",
            best.collect::<Vec<_>>().join(", "),
            if is_of_block { "give the block initType = \"InitialState\", or " } else { "" }
        ));
    }
    let residual = involved().map(|(named, residual)| (residual / named.condition.nominal).powi(2)).sum::<f64>().sqrt();
    let mut text = "enforced start values contradict each other or what is given: ".to_owned();
    for (i, (NamedCondition { name, start, .. }, residual)) in involved().enumerate() {
        let and = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{and}{name} = {} (nearest: {})", Number(*start), Number(start + residual));
    }
    let _ = write!(text, "; the smallest residual is {}; make one of them a guess", Number(residual));
    if involved().any(|(named, _)| named.is_of_rest) {
        text += ", or leave \"steady\" out where nothing balances a load or a motion";
    }
    ModelError::invalid(text)
}

/// Describes that Newton's method has found no start at rest.
fn no_steady_state<T: Scalar>(names: &[(String, f64)], found: &[Acceleration<T>]) -> ModelError {
    let size = |a: &Acceleration<T>| value(a.sum).abs();
    let most = names.iter().zip(found).max_by(|(_, one), (_, other)| size(one).total_cmp(&size(other)));
    let (name, a) = most.map_or(("", 0.0), |((name, _), a)| (name.as_str(), value(a.sum)));
    ModelError::invalid(format!(
        "no steady state was found: {name} is still {} where the search ended; give start values of positions closer to it, \
         or leave \"steady\" out",
        Number(a)
    ))
}

/// Returns the sum of the squares of the accelerations.
fn square<T: Scalar>(accelerations: &[Acceleration<T>]) -> f64 {
    accelerations.iter().map(|a| value(a.sum).powi(2)).sum()
}
