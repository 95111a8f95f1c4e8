//! The record of an evaluation, and the sweep back.

use crate::number::Recorded;
use crate::operations::{DEPENDS, Node, Recording, ZERO, append, index};

/// The record of an evaluation, whose memory serves the next one.
#[derive(Default)]
pub struct Tape {
    /// The constants 0 and 1, the values before the evaluation, and the numbers that it computes.
    nodes: Vec<Node>,
    /// Position of the first number that the evaluation computes.
    first: usize,
    /// The numbers before the evaluation, then after it.
    numbers: Vec<Recorded>,
    /// Positions of the arguments.
    arguments: Vec<usize>,
    /// The derivatives of the weighted sum of the results by each number.
    weights: Vec<f64>,
}

impl Tape {
    /// Makes numbers with these values, those at the indices `arguments` as arguments.
    pub fn begin(&mut self, values: &[f64], arguments: &[u32]) {
        let Self { nodes, numbers, .. } = self;
        nodes.clear();
        numbers.clear();
        for value in [0.0, 1.0] {
            append(nodes, value, [ZERO; 2], [0.0; 2]);
        }
        numbers.extend(values.iter().map(|value| Recorded(append(nodes, *value, [ZERO; 2], [0.0; 2]))));
        arguments.iter().for_each(|argument| numbers[*argument as usize].0 |= DEPENDS);
        self.first = nodes.len();
        self.arguments.clear();
        self.arguments.extend(arguments.iter().map(|argument| index(numbers[*argument as usize].0)));
    }

    /// Runs an evaluation that replaces numbers by results, and records its operations.
    pub fn record<R>(&mut self, evaluation: impl FnOnce(&mut [Recorded]) -> R) -> R {
        let _recording = Recording::new(&mut self.nodes);
        evaluation(&mut self.numbers)
    }

    /// Returns the derivatives by the arguments of the sum of the results at these indices, each times its seed.
    pub fn sweep(&mut self, results: &[u32], seeds: &[f64]) -> Vec<f64> {
        let Self { nodes, first, numbers, arguments, weights } = self;
        weights.clear();
        weights.resize(nodes.len(), 0.0);
        for (result, seed) in results.iter().zip(seeds) {
            let position = numbers[*result as usize].0;
            if position & DEPENDS != 0 {
                weights[index(position)] += seed;
            }
        }
        for (position, Node { operands, slopes, .. }) in nodes.iter().enumerate().skip(*first).rev() {
            let weight = weights[position];
            if weight != 0.0 {
                weights[operands[0] as usize] += weight * slopes[0];
                weights[operands[1] as usize] += weight * slopes[1];
            }
        }
        arguments.iter().map(|argument| weights[*argument]).collect()
    }
}
