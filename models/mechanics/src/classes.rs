//! Classes of numbers that something ties together.

/// The numbers below a count, each in a class of its own until two are joined.
pub struct Classes {
    parent: Vec<usize>,
}

impl Classes {
    /// `count` classes of one number each.
    pub fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// The least number of the class that a number is in.
    pub fn of(&mut self, mut number: usize) -> usize {
        while self.parent[number] != number {
            self.parent[number] = self.parent[self.parent[number]];
            number = self.parent[number];
        }
        number
    }

    /// Joins the classes of two numbers.
    pub fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.parent[one.max(other)] = one.min(other);
    }
}
