//! Reading variables during a run.

use anyhow::Result;
use fmu_builder::description::{Kind, Variable};

use crate::load::slave::Slave;
use crate::simulate::trajectory::Trajectory;

/// The variables to read, by type, and what has been read.
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
    /// Prepares to read the variables at these positions so many times; texts are left out.
    pub fn new(positions: &[usize], variables: &[Variable], times: usize) -> Self {
        let mut recorder = Self {
            trajectory: Trajectory::default(),
            reals: Group::default(),
            integers: Group::default(),
            booleans: Group::default(),
        };
        for variable in positions.iter().map(|position| &variables[*position]) {
            let (group, unit) = match &variable.kind {
                Kind::Real { unit, .. } => (&mut recorder.reals, unit.clone()),
                Kind::Integer { .. } | Kind::Enumeration { .. } => (&mut recorder.integers, None),
                Kind::Boolean { .. } => (&mut recorder.booleans, None),
                Kind::String { .. } => continue,
            };
            group.references.push(variable.value_reference);
            group.columns.push(recorder.trajectory.names.len());
            let real = matches!(variable.kind, Kind::Real { .. });
            recorder.trajectory.add(&variable.name, unit, !real);
        }
        let trajectory = &mut recorder.trajectory;
        for column in std::iter::once(&mut trajectory.time).chain(&mut trajectory.columns) {
            column.reserve_exact(times);
        }
        recorder
    }

    /// Reads all of them.
    pub fn record(&mut self, slave: &Slave, time: f64) -> Result<()> {
        let mut reals = vec![0.0; self.reals.references.len()];
        if !reals.is_empty() {
            slave.get_reals(&self.reals.references, &mut reals)?;
        }
        let mut integers = vec![0; self.integers.references.len()];
        if !integers.is_empty() {
            slave.get_integers(&self.integers.references, &mut integers)?;
        }
        let mut booleans = vec![0; self.booleans.references.len()];
        if !booleans.is_empty() {
            slave.get_booleans(&self.booleans.references, &mut booleans)?;
        }
        self.trajectory.time.push(time);
        let columns = &mut self.trajectory.columns;
        for (column, value) in self.reals.columns.iter().zip(reals) {
            columns[*column].push(value);
        }
        for (column, value) in self.integers.columns.iter().zip(integers) {
            columns[*column].push(f64::from(value));
        }
        for (column, value) in self.booleans.columns.iter().zip(booleans) {
            columns[*column].push(f64::from(value));
        }
        Ok(())
    }
}
