//! Disjoint sets of numbers.

/// Disjoint sets of the numbers below a count, each in a set of its own until sets are joined.
#[derive(Clone, Debug)]
pub struct DisjointSets {
    parent: Vec<usize>,
}

impl DisjointSets {
    /// Makes `count` sets of one number each.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// Separates all sets again.
    pub fn separate(&mut self) {
        self.parent.iter_mut().enumerate().for_each(|(number, parent)| *parent = number);
    }

    /// Finds the least number of the set that contains `number`.
    pub fn of(&mut self, mut number: usize) -> usize {
        while self.parent[number] != number {
            self.parent[number] = self.parent[self.parent[number]];
            number = self.parent[number];
        }
        number
    }

    /// Joins the sets of two numbers.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.parent[one.max(other)] = one.min(other);
    }
}
