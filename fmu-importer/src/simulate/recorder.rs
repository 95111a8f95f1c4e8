//! Reading variables during a run.

use fmu_builder::description::{Variable, VariableType};

use super::trajectory::Trajectory;
use crate::load::{Failure, Instance};

/// The variables to read, by type, and their recorded values.
pub struct Recorder {
    pub trajectory: Trajectory,
    reals: Group,
    integers: Group,
    booleans: Group,
}

/// Variables that are read in one call.
#[derive(Default)]
struct Group {
    references: Vec<u32>,
    columns: Vec<usize>,
}

impl Recorder {
    /// Prepares to read the variables at these positions this number of times; Strings are left out.
    pub fn new(positions: &[usize], variables: &[Variable], times: usize) -> Self {
        let mut recorder = Self {
            trajectory: Trajectory::default(),
            reals: Group::default(),
            integers: Group::default(),
            booleans: Group::default(),
        };
        for variable in positions.iter().map(|position| &variables[*position]) {
            let (group, unit) = match &variable.kind {
                VariableType::Real { unit, .. } => (&mut recorder.reals, unit.clone()),
                VariableType::Integer { .. } | VariableType::Enumeration { .. } => (&mut recorder.integers, None),
                VariableType::Boolean { .. } => (&mut recorder.booleans, None),
                VariableType::String { .. } => continue,
            };
            group.references.push(variable.value_reference);
            group.columns.push(recorder.trajectory.names.len());
            let real = variable.is_real();
            recorder.trajectory.add(&variable.name, unit, !real);
        }
        let trajectory = &mut recorder.trajectory;
        for column in std::iter::once(&mut trajectory.time).chain(&mut trajectory.columns) {
            column.reserve_exact(times);
        }
        recorder
    }

    /// Reads all variables.
    pub fn record(&mut self, instance: &Instance, time: f64) -> Result<(), Failure> {
        let reals = instance.get_reals(&self.reals.references)?;
        let integers = instance.get_integers(&self.integers.references)?;
        let booleans = instance.get_booleans(&self.booleans.references)?;
        self.trajectory.time.push(time);
        let columns = &mut self.trajectory.columns;
        for (column, value) in self.reals.columns.iter().zip(reals) {
            columns[*column].push(value);
        }
        for (column, value) in self.integers.columns.iter().zip(integers) {
            columns[*column].push(value);
        }
        for (column, value) in self.booleans.columns.iter().zip(booleans) {
            columns[*column].push(value);
        }
        Ok(())
    }
}
