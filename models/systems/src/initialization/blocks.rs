//! States of blocks at a start of the whole system at rest, and parameters that the start determines: unknowns like the
//! coordinates, behind which they are numbered.

use fmu_runtime::ModelError;

use crate::equations::{Buffers, System};
use crate::part::Arrays;
use crate::topology::drivetrain::PartScalar;

impl<T: PartScalar> System<'_, T> {
    /// The number of free coordinates, of the states of blocks that a start at rest decides, and of found parameters.
    pub fn unknowns(&self) -> usize {
        self.wiring.free + self.wiring.signals.resting.len() + self.wiring.found.len()
    }

    /// Sets the free coordinates, the states of blocks behind them, and the found parameters behind these.
    pub fn set_unknowns(&self, arrays: &mut Arrays<'_, T>, unknowns: &[T], velocities: &[T]) -> Result<(), ModelError> {
        let (positions, states) = unknowns.split_at(self.wiring.free);
        self.set_free(arrays, [positions, velocities]);
        let (states, parameters) = states.split_at(self.wiring.signals.resting.len());
        self.wiring.found.iter().zip(parameters).for_each(|(found, value)| arrays.reals[found.place] = *value);
        self.set_resting_blocks(arrays, states)
    }

    /// Returns where the search for the states of blocks begins: at their start values, or where their inputs let them rest.
    pub fn begin_resting_blocks(
        &self,
        arrays: &mut Arrays<'_, T>,
        buffers: &mut Buffers<T>,
    ) -> Result<Vec<T>, ModelError> {
        let resting = &self.wiring.signals.resting;
        if resting.is_empty() {
            return Ok(Vec::new());
        }
        self.begin(arrays, buffers, true)?;
        self.move_to(arrays.view(), buffers)?;
        self.begin_blocks(arrays, Some(buffers), false)?;
        Ok(resting.iter().map(|state| arrays.reals[state.places[0]]).collect())
    }
}
