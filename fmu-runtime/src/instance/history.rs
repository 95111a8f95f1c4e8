//! The memory before the last completed steps, so that a step that is tried again begins with the same memory.
//!
//! FMI lets time go back to the last completed step only. OpenModelica calls `fmi2CompletedIntegratorStep` at each
//! evaluation, also at those of steps that its solver rejects and of iterations at one instant.

use crate::component::layout::{Layout, Rule};
use crate::declaration::values::Values;

/// How many steps can be taken back: more than any common solver tries before it knows whether a step is good.
const MOST: usize = 8;

/// Completed steps, in the order of time.
#[derive(Default)]
pub struct History(Vec<Completed>);

struct Completed {
    time: f64,
    before: Values,
}

impl History {
    /// What was completed is final.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// Whether the last completed step ended at this time.
    pub fn ends_at(&self, time: f64) -> bool {
        self.0.last().is_some_and(|last| last.time == time)
    }

    /// Takes the steps back that ended after this time.
    pub fn go_back(&mut self, time: f64, values: &mut Values, layout: &Layout) {
        while let Some(last) = self.0.pop_if(|last| last.time > time) {
            last.restore(values, layout);
        }
    }

    /// Begins to complete a step at a time: with the memory before another that ended there.
    pub fn complete(&mut self, time: f64, values: &mut Values, layout: &Layout) {
        self.go_back(time, values, layout);
        if self.ends_at(time) {
            return self.restore(values, layout);
        }
        let oldest = (self.0.len() == MOST).then(|| self.0.remove(0));
        let mut before = oldest.map_or_else(|| values.clone(), |oldest| oldest.before);
        before.copy_from(values);
        self.0.push(Completed { time, before });
    }

    /// Restores the memory before the last completed step.
    pub fn restore(&self, values: &mut Values, layout: &Layout) {
        if let Some(last) = self.0.last() {
            last.restore(values, layout);
        }
    }
}

impl Completed {
    fn restore(&self, values: &mut Values, layout: &Layout) {
        copy_memory(&mut values.reals, &self.before.reals, &layout.reals);
        copy_memory(&mut values.integers, &self.before.integers, &layout.integers);
        copy_memory(&mut values.booleans, &self.before.booleans, &layout.booleans);
    }
}

/// Copies what no importer sees.
fn copy_memory<V: Copy>(values: &mut [V], before: &[V], rules: &[Rule]) {
    for ((value, before), rule) in values.iter_mut().zip(before).zip(rules) {
        if !rule.has(Rule::EXISTS) {
            *value = *before;
        }
    }
}
