//! Memory of the passages of rings through singular positions.

use crate::real::Real;
use fmu_runtime::{Attributes, ElementVisitor, Prefix, Size, Variable, group};
use mechanics::tree::Element;

group! {
    /// Known part of the way of a ring through its singular positions.
    struct Passing<T>(_o: ()) {
        memory side: T, ONE, "Sign of the ring's minor times one more than the number of passages that are not logged yet; 0 before it is known";
        memory passed: T, S, "Time at the last passage";
    }
}

/// Number of Reals in that memory of one ring.
pub const PASSING: usize = 2;

/// The memory of rings, and where it is.
#[derive(Clone, Debug, Default)]
pub struct RingMemory {
    /// For each ring, the part that closes it.
    pub parts: Vec<usize>,
    /// Index of the first value among the Reals.
    pub place: usize,
}

impl RingMemory {
    /// Finds the rings of these elements; their memory begins at `end`, which is moved behind it.
    pub fn new(elements: &[(usize, Element<Real>)], end: &mut Size) -> Self {
        let closing = elements.iter().filter(|(_, element)| matches!(element, Element::Ring { .. }));
        let parts: Vec<_> = closing.map(|(part, _)| *part).collect();
        let place = end.reals;
        parts.iter().for_each(|_| *end = end.plus(<Passing<f64> as Variable<f64>>::SIZE));
        Self { parts, place }
    }

    /// Passes the rows of the memory to a visitor, with the names of parts.
    pub fn declare<'a>(&self, name: impl Fn(usize) -> &'a str, visitor: &mut dyn ElementVisitor) {
        for part in &self.parts {
            let prefix = Prefix::new(name(*part), "", None);
            <Passing<f64> as Variable<f64>>::declare(&Attributes::part(&prefix), None, visitor);
        }
    }
}
