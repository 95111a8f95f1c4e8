//! Inputs, start values and start time of a run, from the arguments.

use anyhow::{Result, anyhow};
use fmu_commands::import::{Driven, Table};

use super::table::{form, texts};
use crate::Simulation;
use crate::input::InputTable;

/// Sets start values.
pub fn set(driven: &Driven, simulation: &mut Simulation) -> Result<()> {
    driven.assignments.iter().try_for_each(|assignment| simulation.set(assignment))
}

/// Reads the input signals, and takes over the start time.
pub fn drive(driven: &Driven, simulation: &mut Simulation) -> Result<()> {
    if let Some(input) = &driven.input {
        let mut table = InputTable { skip: driven.skip_column.clone(), ..InputTable::default() };
        // The columns of an input have names.
        table.name_columns(&texts(&driven.table.columns)).map_err(|what| anyhow!("--columns: {what}"))?;
        table.options = form(&Table { columns: Vec::new(), ..driven.table.clone() })?;
        simulation.drive_by(input, &table)?;
    }
    simulation.start = driven.start.unwrap_or(simulation.start);
    Ok(())
}
