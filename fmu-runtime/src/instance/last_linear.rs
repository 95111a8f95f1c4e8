//! The variables of the last linear form.

use crate::component::jacobian::NO_INDEX;
use crate::instance::lifecycle::State;

/// The outputs and inputs of the last linear form, which importers repeat at each evaluation of their equations.
#[derive(Default)]
pub struct LinearFormCache {
    outputs: Vec<u32>,
    inputs: Vec<u32>,
    state: Option<State>,
    /// True if a variable is listed several times.
    pub(super) has_repetitions: bool,
    /// The row or column of each Real; the last one, if it is listed several times.
    pub(super) indices: Vec<f64>,
}

impl LinearFormCache {
    /// Returns true if these were the last variables, in this state, with this number of Reals.
    pub(super) fn has(&self, outputs: &[u32], inputs: &[u32], state: State, size: usize) -> bool {
        self.state == Some(state) && self.indices.len() == size && self.outputs == outputs && self.inputs == inputs
    }

    /// Remembers variables that exist and can be used in a linear form.
    pub(super) fn remember(&mut self, outputs: &[u32], inputs: &[u32], state: State, size: usize) {
        self.indices.clear();
        self.indices.resize(size, NO_INDEX);
        self.has_repetitions = false;
        for references in [outputs, inputs] {
            for (index, reference) in references.iter().enumerate() {
                let last = std::mem::replace(&mut self.indices[*reference as usize], index as f64);
                self.has_repetitions |= last != NO_INDEX;
            }
        }
        (self.outputs, self.inputs, self.state) = (outputs.to_vec(), inputs.to_vec(), Some(state));
    }
}
