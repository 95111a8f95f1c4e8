//! The memory before the last completed steps, so that a step that is tried again begins with the same memory.
//!
//! FMI lets time go back to the last completed step only. OpenModelica calls `fmi2CompletedIntegratorStep` at each
//! evaluation, also at those of steps that its solver rejects and of iterations at one instant.

use serde::{Deserialize, Serialize};

use crate::component::layout::{Layout, Rule};
use crate::rows::values::Values;

/// The number of steps that can be taken back: more than any common solver tries before it accepts a step.
const MAX_ORDER_COUNT: usize = 8;

/// Completed steps, in the order of time.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct History(Vec<Completed>);

#[derive(Clone, Serialize, Deserialize)]
struct Completed {
    time: f64,
    before: Values,
}

impl History {
    /// Makes the completed steps final: none can be taken back.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Copies another history, of values of the same shape.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        // In Co-Simulation both are empty.
        if !(self.0.is_empty() && other.0.is_empty()) {
            self.copy_steps_from(other);
        }
    }

    #[cold]
    fn copy_steps_from(&mut self, other: &Self) {
        self.0.truncate(other.0.len());
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own.time = other.time;
            own.before.copy_from(&other.before);
        }
        self.0.extend_from_slice(&other.0[self.0.len()..]);
    }

    /// Returns true if the history can be that of an instance with such values.
    pub fn fits(&self, values: &Values) -> bool {
        self.0.len() <= MAX_ORDER_COUNT
            && self.0.iter().all(|step| step.time.is_finite() && step.before.has_shape_of(values))
            && self.0.is_sorted_by(|one, next| one.time < next.time)
    }

    /// Takes the steps back that ended after this time.
    pub fn roll_back(&mut self, time: f64, values: &mut Values, layout: &Layout) {
        while let Some(last) = self.0.pop_if(|last| last.time > time) {
            last.restore(values, layout);
        }
    }

    /// Begins to complete a step at a time: with the memory before another that ended there.
    pub fn complete(&mut self, time: f64, values: &mut Values, layout: &Layout) {
        self.roll_back(time, values, layout);
        if let Some(last) = self.0.last().filter(|last| last.time == time) {
            return last.restore(values, layout);
        }
        let oldest = (self.0.len() == MAX_ORDER_COUNT).then(|| self.0.remove(0));
        let mut before = oldest.map_or_else(|| values.clone(), |oldest| oldest.before);
        before.copy_from(values);
        self.0.push(Completed { time, before });
    }
}

impl Completed {
    fn restore(&self, values: &mut Values, layout: &Layout) {
        copy_memory(&mut values.reals, &self.before.reals, &layout.reals);
        copy_memory(&mut values.integers, &self.before.integers, &layout.integers);
        copy_memory(&mut values.booleans, &self.before.booleans, &layout.booleans);
    }
}

/// Copies the values that are not FMI variables.
fn copy_memory<V: Copy>(values: &mut [V], before: &[V], rules: &[Rule]) {
    for ((value, before), rule) in values.iter_mut().zip(before).zip(rules) {
        if !rule.has(Rule::EXISTS) {
            *value = *before;
        }
    }
}
