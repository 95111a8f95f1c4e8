//! The initial state: the coordinates that fulfil enforced start values, come close to guessed ones, and otherwise move
//! least from where they start.

use std::fmt::Write;

use fmu_runtime::{InitialValue, ModelError, Number};
use mechanics::least_squares::{Condition, LeastSquares};
use mechanics::{constant, value};

use crate::MULTIBODY;
use crate::equations::{Buffers, System};
use crate::part::{Arrays, InitialCondition, View};
use crate::topology::drivetrain::PartScalar;
use crate::topology::found::found_in_motion;
use crate::topology::wiring::Owner;

/// Largest number of steps of Newton's method, and at a random point.
pub const MAX_STEPS: usize = 50;
pub const MAX_STEPS_AT_RANDOM: usize = 3;

/// Smallest fraction of a step.
pub const MIN_PART: f64 = 1e-3;

/// Fraction of a position, or of 1, below which a change is the last but one.
pub const CLOSE: f64 = 1e-9;

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
        if let Some(error) = found_in_motion(&self.wiring.found).filter(|_| !rests && !at_random) {
            return Err(error);
        }
        let closes = self.has_rings() && !at_random;
        if MULTIBODY && (closes || wanted.iter().flatten().any(|wanted| wanted.relative.is_some())) {
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
    pub fn initial_conditions(&self, view: View<'_, T>) -> Vec<Vec<InitialCondition<T>>> {
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

    /// Returns the enforced and the guessed conditions for positions, also those that rings close.
    pub fn conditions_of_positions(
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
