//! Inputs, start values and start time of a run, from the arguments.

use anyhow::Result;
use fmu_commands::import::{Driven, Table};

use super::table::{input_table, unquoted};
use crate::Simulation;

/// Sets start values.
pub fn set(driven: &Driven, simulation: &mut Simulation) -> Result<()> {
    driven.assignments.iter().try_for_each(|assignment| simulation.set(assignment))
}

/// Reads the input signals, and takes over the start time.
pub fn drive(driven: &Driven, simulation: &mut Simulation) -> Result<()> {
    if let Some(input) = &driven.input {
        let table = Table { columns: unquoted(&driven.table.columns)?, ..driven.table.clone() };
        simulation.drive_by(input, &input_table(&table, &driven.skip_column)?)?;
    }
    simulation.start = driven.start.unwrap_or(simulation.start);
    Ok(())
}
