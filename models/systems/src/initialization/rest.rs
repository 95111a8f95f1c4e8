//! The search for a start at rest: by steps along which the energy falls, as long as it is not convex, then by Newton's method.
//! Coordinates that start at rest have velocity zero, and acceleration zero after the search.

use fmu_runtime::{InitialValue, ModelError, Number, Scalar};
use mechanics::least_squares::Condition;
use mechanics::{constant, value};

use super::coordinates::{CLOSE, MAX_STEPS_AT_RANDOM, MIN_PART, NamedCondition};
use super::steady::{Acceleration, PointAtRest};
use crate::equations::{Buffers, System};
use crate::part::{Arrays, InitialCondition, View};
use crate::topology::drivetrain::PartScalar;

/// Smallest fraction of a step along which the energy falls.
const MIN_PART_DOWNHILL: f64 = 1e-6;

/// Fraction of their terms below which accelerations are zero.
const AT_REST: f64 = 1e-9;

/// Largest number of steps, since the start may be a long way downhill.
const MAX_STEPS: usize = 200;

/// Largest number of small steps by Newton's method: positions may be far smaller than 1, and are at rest after further
/// ones, unless rounding keeps them from it.
const MAX_SMALL_STEPS: usize = 10;

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

/// A search, and where it has come to.
struct RestSearch<T: Scalar> {
    conditions: EquilibriumConditions<T>,
    /// True if it may follow the energy downhill.
    descends: bool,
    /// True if a point without equilibrium is accepted.
    at_random: bool,
    velocities: Vec<T>,
    positions: Vec<T>,
    /// Sizes of the found parameters, the last unknowns, which conditions count in these.
    scales: Vec<f64>,
    found: PointAtRest<T>,
    /// The reason why Newton's method fails where the search began.
    problem: Option<ModelError>,
}

impl<T: PartScalar> RestSearch<T> {
    fn is_at_rest(&self) -> bool {
        // A guess does not pull at elements that friction holds.
        self.found.accelerations.iter().all(|a| value(a.sum).abs() <= AT_REST * a.size)
    }

    fn is_small(&self, change: &[T]) -> bool {
        let mut pairs = self.positions.iter().zip(change);
        pairs.all(|(x, change)| value(*change).abs() <= CLOSE * value(*x).abs().max(1.0))
    }

    /// Returns a step along which the energy falls, and whether the energy is convex; none at rest or where it would not move.
    fn descent(&self) -> Option<(bool, Vec<T>)> {
        // The search also ends in an equilibrium that is not stable.
        let statics = self.found.statics.as_ref().filter(|_| !self.is_at_rest())?;
        let mut all = vec![T::zero(); self.positions.len()];
        let descent = statics.descent();
        self.conditions.coordinates.iter().zip(&descent).for_each(|(k, d)| all[*k] = constant(*d));
        Some((statics.is_convex(), all)).filter(|(_, descent)| !self.is_small(descent))
    }

    /// Adds the conditions of rest to the enforced ones.
    fn extend(&self, enforced: &mut Vec<NamedCondition<T>>, independent: &[usize]) {
        let EquilibriumConditions { names, sums, .. } = &self.conditions;
        let rests = names.iter().zip(&self.found.accelerations).enumerate();
        let rests = rests.filter(|(i, _)| *i >= sums.len() || independent.contains(i));
        enforced.extend(rests.map(|(_, ((name, nominal), Acceleration { sum, by, size }))| {
            let terms = by.iter().map(|(k, change)| (*k, constant(*change * self.scale(*k)))).collect();
            let condition = Condition { terms, change: -*sum, size: *size, nominal: *nominal };
            NamedCondition { name: name.clone(), start: 0.0, is_of_rest: true, condition }
        }));
    }

    /// Returns the size of an unknown.
    fn scale(&self, k: usize) -> f64 {
        k.checked_sub(self.positions.len() - self.scales.len()).map_or(1.0, |i| self.scales[i])
    }

    /// True if a part of a step leads to a better point.
    fn is_better(&self, change: &[T], part: f64, there: &PointAtRest<T>) -> bool {
        match (&self.found.statics, &there.statics) {
            (Some(here), Some(there)) => {
                let coordinates = self.conditions.coordinates.iter();
                here.falls(&coordinates.map(|k| value(change[*k]) * part).collect::<Vec<_>>().into(), there)
            }
            _ => square(&there.accelerations) < square(&self.found.accelerations),
        }
    }

    /// Says why there is no start at rest.
    fn failure(&mut self) -> ModelError {
        self.problem.take().unwrap_or_else(|| no_steady_state(&self.conditions.names, &self.found.accelerations))
    }
}

/// A step of a search for a start at rest.
struct RestStep<T: Scalar> {
    /// Changes of the unknowns.
    change: Vec<T>,
    /// True if it is one of Newton's method.
    is_newton: bool,
    /// Conditions that it was to fulfil.
    enforced: Vec<NamedCondition<T>>,
}

impl<T: PartScalar> System<'_, T> {
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

    /// Computes accelerations at a point of a search.
    fn point_at_rest(
        &self,
        arrays: &Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        conditions: &EquilibriumConditions<T>,
        descends: bool,
    ) -> Result<PointAtRest<T>, ModelError> {
        let coordinates = descends.then_some(&*conditions.coordinates);
        self.accelerations_of(arrays.view(), buffers, &conditions.sums, coordinates)
    }

    /// Finds an equilibrium near the start that fulfils the other conditions for positions. One step more than needed gives the
    /// derivatives. `at_random` is for the analysis of dependencies, where a point without equilibrium is accepted.
    pub fn come_to_rest(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        wanted: &[Vec<InitialCondition<T>>],
        [mut positions, velocities]: [Vec<T>; 2],
        at_random: bool,
    ) -> Result<(), ModelError> {
        let mut conditions = self.rests(wanted);
        let resting = &self.wiring.signals.resting;
        conditions.names.extend(resting.iter().map(|state| (state.name.clone(), 1.0)));
        self.set_free(arrays, [&positions, &velocities]);
        positions.extend(self.begin_resting_blocks(arrays, buffers)?);
        positions.extend(self.wiring.found.iter().map(|found| arrays.reals[found.place]));
        let guesses = self.wiring.found.iter().map(|found| arrays.reals[found.place].value().abs());
        let scales = guesses.map(|guess| if guess > 0.0 { guess } else { 1.0 }).collect();
        let others = self.conditions_of_positions(wanted, arrays, buffers, at_random)?;
        // Where positions are enforced, they decide where the equilibrium is.
        let descends = !at_random
            && !self.has_rings()
            && others[0].is_empty()
            && self.wiring.found.is_empty()
            && conditions.coordinates.len() <= MAX_DENSE
            && !self.wiring.signals.rests_act;
        if others.iter().any(|others| !others.is_empty()) {
            let change = self.nearest(others, at_random)?;
            positions.iter_mut().zip(change).for_each(|(x, change)| *x += change);
            self.set_unknowns(arrays, &positions, &velocities)?;
        }
        let found = self.point_at_rest(arrays, buffers, &conditions, descends)?;
        let mut search =
            RestSearch { conditions, descends, at_random, velocities, positions, scales, found, problem: None };
        let (mut is_close, mut small_steps, mut last) = (false, 0, Vec::new());
        for _ in 0..if at_random { MAX_STEPS_AT_RANDOM } else { MAX_STEPS } {
            // The step from there gives the derivatives.
            let was_at_rest = search.is_at_rest();
            let RestStep { change, is_newton, enforced } = match self.step_to_rest(&mut search, wanted, arrays, buffers)
            {
                Err(_) if small_steps > 0 => break,
                step => step?,
            };
            let is_last = is_close && is_newton;
            is_close = search.is_small(&change);
            let is_taken = self.take_step(&mut search, &change, is_close, arrays, buffers)?;
            small_steps += usize::from(is_close && is_last);
            let is_found = is_close && is_last && (at_random || was_at_rest || small_steps > MAX_SMALL_STEPS);
            if !is_taken || is_found {
                return if at_random { Ok(()) } else { self.check_found(arrays, &enforced) };
            }
            last = enforced;
        }
        match small_steps {
            _ if at_random => Ok(()),
            0 => Err(search.failure()),
            _ => self.check_found(arrays, &last),
        }
    }

    /// Returns the next step.
    fn step_to_rest(
        &self,
        search: &mut RestSearch<T>,
        wanted: &[Vec<InitialCondition<T>>],
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<RestStep<T>, ModelError> {
        let descent = search.descent();
        let independent = self.independent_rests(buffers, &search.conditions.sums);
        let [mut enforced, guessed] = self.conditions_of_positions(wanted, arrays, buffers, search.at_random)?;
        if let Some((false, descent)) = descent {
            return Ok(RestStep { change: descent, is_newton: false, enforced });
        }
        search.extend(&mut enforced, &independent);
        match (self.nearest([enforced.clone(), guessed], search.at_random), descent) {
            (Ok(mut change), _) => {
                change.iter_mut().enumerate().for_each(|(k, change)| *change *= constant::<T>(search.scale(k)));
                Ok(RestStep { change, is_newton: true, enforced })
            }
            (Err(error), Some((_, descent))) => {
                search.problem.get_or_insert(error);
                Ok(RestStep { change: descent, is_newton: false, enforced })
            }
            (Err(error), None) => Err(self.not_found(search.problem.take().unwrap_or(error), &enforced)),
        }
    }

    /// Goes the largest part of a step that leads to a better point; returns false at rest, where there may be none.
    fn take_step(
        &self,
        search: &mut RestSearch<T>,
        change: &[T],
        is_close: bool,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<bool, ModelError> {
        let min_part = if search.descends { MIN_PART_DOWNHILL } else { MIN_PART };
        let mut part = 1.0;
        loop {
            let next: Vec<_> =
                search.positions.iter().zip(change).map(|(x, d)| *x + *d * constant::<T>(part)).collect();
            self.set_unknowns(arrays, &next, &search.velocities)?;
            // A step to a position that the mechanism cannot take is refused.
            let obstacle = match self.point_at_rest(arrays, buffers, &search.conditions, search.descends) {
                Ok(there) if is_close || search.is_better(change, part, &there) => {
                    (search.positions, search.found) = (next, there);
                    return Ok(true);
                }
                there => there.err(),
            };
            part /= 2.0;
            if part < min_part {
                self.set_unknowns(arrays, &search.positions, &search.velocities)?;
                let is_found = search.at_random || search.is_at_rest();
                return if is_found { Ok(false) } else { Err(obstacle.unwrap_or_else(|| search.failure())) };
            }
        }
    }
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
