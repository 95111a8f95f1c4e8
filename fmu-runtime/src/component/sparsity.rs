//! Influences between the parts of a component, as far as they are known without evaluating any equations.

use std::ops::Range;

use fmu_exchange::Base;

use crate::rows::values::Offsets;

/// The parts of a component: each has values of its own, and affects values of some of them only.
#[derive(Clone, Debug)]
pub struct Sparsity {
    /// Offsets at which the values of each part begin.
    pub offsets: Vec<Offsets>,
    /// Numbers of the parts whose values may depend on those of a part, for each part.
    pub reaches: Vec<Vec<usize>>,
    /// The work of an evaluation besides that for each Real, as a number of Reals.
    pub effort: usize,
    /// Work of an evaluation where the initial values are found before, besides that for each Real, as a number of
    /// Reals.
    pub start_effort: usize,
    /// True if effects are looked for around the configured start values, without which the parts may not fit together;
    /// otherwise around the defaults, so that all configurations of a structure have the same.
    pub around_start: bool,
}

impl Sparsity {
    /// Returns the influences of a component in which anything may affect anything.
    pub fn whole() -> Self {
        Self {
            offsets: vec![Offsets::default()],
            reaches: vec![vec![0]],
            effort: 0,
            start_effort: 0,
            around_start: false,
        }
    }

    /// Returns the part that a value belongs to.
    pub fn part(&self, base: Base, slot: usize) -> usize {
        let begin = |offsets: &Offsets| match base {
            Base::Real => offsets.passed.reals,
            Base::Boolean => offsets.passed.booleans,
            _ => offsets.passed.integers,
        };
        self.offsets.partition_point(|offsets| begin(offsets) <= slot).max(1) - 1
    }

    /// Returns the Reals, `count` in all, that a part can affect.
    pub fn reals(&self, part: usize, count: usize) -> Vec<Range<usize>> {
        let range = |part: &usize| {
            let end = self.offsets.get(part + 1).map_or(count, |next| next.passed.reals);
            self.offsets[*part].passed.reals..end
        };
        self.reaches[part].iter().map(range).collect()
    }

    /// Returns for each part the number of its group, in which no two parts affect the same part.
    pub fn coloring(&self) -> Vec<usize> {
        // The parts that each group affects.
        let mut taken: Vec<Vec<bool>> = Vec::new();
        let number = |reach: &Vec<usize>| {
            let is_free = |taken: &Vec<bool>| reach.iter().all(|part| !taken[*part]);
            let number = taken.iter().position(is_free).unwrap_or_else(|| {
                taken.push(vec![false; self.offsets.len()]);
                taken.len() - 1
            });
            reach.iter().for_each(|part| taken[number][*part] = true);
            number
        };
        self.reaches.iter().map(number).collect()
    }
}
