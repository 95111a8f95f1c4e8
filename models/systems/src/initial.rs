//! The initial state: the coordinates that fulfil enforced start values, come close to guessed ones, and otherwise move
//! least from where they start.

use std::fmt::Write;

use fmu_runtime::{InitialValue, ModelError, Number};
use mechanics::nearest::{Condition, Nearest};

use crate::equations::{Buffers, System};
use crate::part::{Arrays, View, Wanted};
use crate::train::PartScalar;

/// The variable of a start value that is wanted, with its condition.
struct Named<T> {
    name: String,
    start: f64,
    condition: Condition<T>,
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
        let free = &self.wiring.coordinates[..self.wiring.free];
        // What is wanted is among the variables of the parts, which the coordinates overwrite.
        let wanted: Vec<_> = self
            .parts
            .iter()
            .zip(&self.wiring.places)
            .map(|(named, place)| T::of(&*named.part).wanted(arrays.view(), *place))
            .collect();
        for i in &self.wiring.moving {
            let part = T::of(&*self.parts[*i].part);
            let start = part.start(arrays.view(), self.wiring.places[*i]);
            part.set_own(arrays, self.wiring.places[*i], start);
        }
        let start = |i: &usize| {
            let [x, v, _] = T::of(&*self.parts[*i].part).own(arrays.view(), self.wiring.places[*i]);
            [x, v]
        };
        let mut starts: Vec<_> = free.iter().map(start).collect();
        for order in 0..2 {
            let [enforced, guessed] = [InitialValue::enforce, InitialValue::guess]
                .map(|initial| self.conditions(&wanted, order, initial, arrays.view(), buffers));
            let conditions = |of: &[Named<T>]| of.iter().map(|named| named.condition.clone()).collect::<Vec<_>>();
            let Nearest { change, missed } = T::nearest(free.len(), &conditions(&enforced), &conditions(&guessed));
            if !at_random && missed.iter().any(|missed| *missed != 0.0) {
                return Err(contradiction(&enforced, &missed));
            }
            starts.iter_mut().zip(change).for_each(|(start, change)| start[order] += change);
        }
        for (i, start) in free.iter().zip(starts) {
            T::of(&*self.parts[*i].part).set_own(arrays, self.wiring.places[*i], start);
        }
        Ok(())
    }

    /// The conditions of one kind for the changes of the free coordinates.
    fn conditions(
        &self,
        wanted: &[Vec<Wanted<T>>],
        order: usize,
        initial: InitialValue,
        view: View<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Vec<Named<T>> {
        let mut conditions = Vec::new();
        if !wanted.iter().flatten().any(|wanted| wanted.order == order && wanted.initial == initial) {
            return conditions;
        }
        self.move_to(view, buffers);
        for ((named, positions), wanted) in self.parts.iter().zip(&self.prepared.positions).zip(wanted) {
            for wanted in wanted.iter().filter(|wanted| wanted.order == order && wanted.initial == initial) {
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
                conditions.push(Named { name, start: wanted.start.value(), condition });
            }
        }
        conditions
    }
}

/// Which start values contradict each other, and what comes closest to them.
fn contradiction<T>(enforced: &[Named<T>], missed: &[f64]) -> ModelError {
    let involved = || enforced.iter().zip(missed).filter(|(_, missed)| **missed != 0.0);
    let residual = involved().map(|(named, missed)| (missed / named.condition.nominal).powi(2)).sum::<f64>().sqrt();
    let mut text = "enforced start values contradict each other or what is given: ".to_owned();
    for (i, (Named { name, start, .. }, missed)) in involved().enumerate() {
        let and = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{and}{name} = {} (nearest: {})", Number(*start), Number(start + missed));
    }
    let _ = write!(text, "; the smallest residual is {}; make one of them a guess", Number(residual));
    ModelError::invalid(text)
}
