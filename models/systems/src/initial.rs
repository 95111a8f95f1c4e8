//! The initial state: the coordinates that fulfil enforced start values, come close to guessed ones, and otherwise move
//! least from where they start. Of what starts at rest velocities are zero, and accelerations by Newton's method.

use std::fmt::Write;

use fmu_runtime::{InitialValue, ModelError, Number, Scalar};
use mechanics::nearest::{Condition, Nearest};
use mechanics::{constant, value};

use crate::equations::{Buffers, System};
use crate::part::{Arrays, InitialCondition, View};
use crate::steady::Acceleration;
use crate::train::PartScalar;
use crate::wiring::Owner;

/// The most steps of Newton's method, and at a random point.
pub const STEPS: usize = 50;
pub const STEPS_AT_RANDOM: usize = 3;

/// The smallest part of a step.
pub const LEAST_PART: f64 = 1e-3;

/// Changes below this fraction of a position, or of 1, are the last but one.
pub const CLOSE: f64 = 1e-9;

/// Accelerations below this fraction of their terms are zero.
const AT_REST: f64 = 1e-9;

/// The variable of a start value that is wanted, with its condition.
#[derive(Clone)]
pub struct NamedCondition<T> {
    /// The part with the variable.
    pub name: String,
    /// The value.
    pub start: f64,
    /// Whether `steady` asks for it.
    pub is_of_rest: bool,
    /// The condition.
    pub condition: Condition<T>,
}

impl<T: PartScalar> System<'_, T> {
    /// Sets the free coordinates. Start values that contradict each other are an error unless anything is possible, as for
    /// an analysis at random points.
    pub fn set_coordinates(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        at_random: bool,
    ) -> Result<(), ModelError> {
        // What is wanted is among the variables of the parts, which the coordinates overwrite.
        let wanted = self.initial_conditions(arrays.view());
        let (free, given) = self.wiring.coordinates.split_at(self.wiring.free);
        let integrated = given.iter().filter(|owner| self.parts[owner.part].part.properties().is_integrated);
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
        let rests = wanted.iter().flatten().any(rests);
        if wanted.iter().flatten().any(|wanted| wanted.relative.is_some()) {
            let starts = [0, 1].map(|order| starts.iter().map(|start| start[order]).collect::<Vec<_>>());
            return self.approach(arrays, buffers, &wanted, starts, at_random, |arrays, buffers, found| {
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

    /// The conditions of each part, from its start values and from `steady` of the system.
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

    /// The changes of the free coordinates that fulfil enforced conditions, and come close to guessed ones.
    pub fn nearest(
        &self,
        [enforced, guessed]: [Vec<NamedCondition<T>>; 2],
        at_random: bool,
    ) -> Result<Vec<T>, ModelError> {
        let conditions = |of: &[NamedCondition<T>]| of.iter().map(|named| named.condition.clone()).collect::<Vec<_>>();
        let Nearest { change, missed } = T::nearest(self.wiring.free, &conditions(&enforced), &conditions(&guessed));
        if !at_random && missed.iter().any(|missed| *missed != 0.0) {
            return Err(contradiction(&enforced, &missed));
        }
        Ok(change)
    }

    /// Sets the free coordinates where accelerations are zero, besides the other conditions for positions. One step more
    /// than needed gives the derivatives.
    fn come_to_rest(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
        wanted: &[Vec<InitialCondition<T>>],
        [mut positions, velocities]: [Vec<T>; 2],
        at_random: bool,
    ) -> Result<(), ModelError> {
        let (mut names, mut sums) = (Vec::new(), Vec::new());
        for ((named, positions), wanted) in self.parts.iter().zip(&self.prepared.positions).zip(wanted) {
            for wanted in wanted.iter().filter(|wanted| wanted.order == 2 && wanted.initial == InitialValue::enforce) {
                names.push((format!("{}.{}", named.name, wanted.name), wanted.nominal));
                sums.push(wanted.terms.iter().map(|(local, factor)| (positions[*local], *factor)).collect::<Vec<_>>());
            }
        }
        let mut is_close = false;
        self.set_free(arrays, [&positions, &velocities]);
        let mut found = self.accelerations_of(arrays.view(), buffers, &sums)?;
        for step in 0..if at_random { STEPS_AT_RANDOM } else { STEPS } {
            let [mut enforced, guessed] = self.conditions(wanted, 0, arrays.view(), buffers);
            let has_others = !enforced.is_empty() || !guessed.is_empty();
            enforced.extend(names.iter().zip(&found).map(|((name, nominal), Acceleration { sum, by, size })| {
                let terms = by.iter().map(|(k, change)| (*k, constant(*change))).collect();
                let condition = Condition { terms, change: -*sum, size: *size, nominal: *nominal };
                NamedCondition { name: name.clone(), start: 0.0, is_of_rest: true, condition }
            }));
            let change = self.nearest([enforced, guessed], at_random)?;
            let is_small = |(x, change): (&T, &T)| value(*change).abs() <= CLOSE * value(*x).abs().max(1.0);
            let is_last = is_close;
            is_close = positions.iter().zip(&change).all(is_small);
            let mut part = 1.0;
            loop {
                let next: Vec<_> = positions.iter().zip(&change).map(|(x, d)| *x + *d * constant(part)).collect();
                self.set_free(arrays, [&next, &velocities]);
                let there = self.accelerations_of(arrays.view(), buffers, &sums);
                // The first step fulfils the other conditions. A position that the mechanism cannot take is not a step.
                let problem = match there {
                    Ok(there) if step == 0 && has_others || is_close || square(&there) < square(&found) => {
                        (positions, found) = (next, there);
                        break;
                    }
                    there => there.err(),
                };
                part /= 2.0;
                if part < LEAST_PART {
                    self.set_free(arrays, [&positions, &velocities]);
                    // A guess does not pull at what friction holds.
                    let is_at_rest = |a: &Acceleration<T>| value(a.sum).abs() <= AT_REST * a.size;
                    return if at_random || found.iter().all(is_at_rest) {
                        Ok(())
                    } else {
                        Err(problem.unwrap_or_else(|| no_steady_state(&names, &found)))
                    };
                }
            }
            if is_close && is_last {
                return Ok(());
            }
        }
        if at_random { Ok(()) } else { Err(no_steady_state(&names, &found)) }
    }

    /// The enforced and the guessed conditions for the changes of the free coordinates.
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
        self.read_motion(view, buffers);
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

/// Which start values contradict each other, and what comes closest to them.
pub fn contradiction<T>(enforced: &[NamedCondition<T>], missed: &[f64]) -> ModelError {
    let involved = || enforced.iter().zip(missed).filter(|(_, missed)| **missed != 0.0);
    if involved().all(|(named, _)| named.is_of_rest) {
        let best = involved().map(|(named, missed)| format!("{} = {}", named.name, Number(*missed)));
        return ModelError::invalid(format!(
            "no steady state was found near the start values of positions: {} at best; give other start values, or leave \
             \"steady\" out where nothing balances a load or a motion",
            best.collect::<Vec<_>>().join(", ")
        ));
    }
    let residual = involved().map(|(named, missed)| (missed / named.condition.nominal).powi(2)).sum::<f64>().sqrt();
    let mut text = "enforced start values contradict each other or what is given: ".to_owned();
    for (i, (NamedCondition { name, start, .. }, missed)) in involved().enumerate() {
        let and = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{and}{name} = {} (nearest: {})", Number(*start), Number(start + missed));
    }
    let _ = write!(text, "; the smallest residual is {}; make one of them a guess", Number(residual));
    if involved().any(|(named, _)| named.is_of_rest) {
        text += ", or leave \"steady\" out where nothing balances a load or a motion";
    }
    ModelError::invalid(text)
}

/// Newton's method has found no rest.
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

/// The sum of squares.
fn square<T: Scalar>(accelerations: &[Acceleration<T>]) -> f64 {
    accelerations.iter().map(|a| value(a.sum).powi(2)).sum()
}
