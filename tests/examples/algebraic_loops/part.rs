//! An FMU in the hands of a master: its variables by name.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use fmi::fmi2::binding::Fmi2Binding;
use fmi::fmi2::import::Fmi2Import;
use fmu_builder::Archive;
use fmu_importer::value::Value;
use fmu_importer::{Saved, Slave, load};

/// An unpacked FMU.
pub struct Unpacked {
    import: Fmi2Import,
    binding: Fmi2Binding,
    references: BTreeMap<String, u32>,
}

impl Unpacked {
    pub fn new(path: &Path) -> Result<Self> {
        let archive = Archive::open(path)?;
        let model = archive.model()?;
        let import =
            fmi::import::new(archive.content()).with_context(|| format!("{} cannot be imported", path.display()))?;
        let binding = load(&import)?;
        let references =
            model.variables.into_iter().map(|variable| (variable.name, variable.value_reference)).collect();
        Ok(Self { import, binding, references })
    }

    /// The value references of names; an array stands for its three elements.
    pub fn references(&self, names: &[&str]) -> Vec<u32> {
        let elements = |name: &&str| match self.references.get(*name) {
            Some(reference) => vec![*reference],
            None => [1, 2, 3].map(|i| self.references[&format!("{name}[{i}]")]).to_vec(),
        };
        names.iter().flat_map(elements).collect()
    }

    /// An instance with these parameters and inputs, initialised at time 0.
    pub fn start(&self, values: &[(&str, f64)]) -> Result<Slave<'_>> {
        let slave = Slave::instantiate(&self.import, &self.binding)?;
        let starts: Vec<_> = values.iter().map(|(name, value)| (self.references[*name], Value::Real(*value))).collect();
        slave.initialise((0.0, 1.0), None, starts.iter().map(|(reference, value)| (*reference, value)))?;
        slave.exit_initialisation()?;
        Ok(slave)
    }
}

/// An instance with the FMU state of its last communication point.
pub struct Part<'s, 'a> {
    pub slave: &'s Slave<'a>,
    saved: Saved<'s, 'a>,
}

impl<'s, 'a> Part<'s, 'a> {
    pub fn new(slave: &'s Slave<'a>) -> Result<Self> {
        Ok(Self { slave, saved: slave.save()? })
    }

    /// Goes back to the last communication point.
    pub fn back(&self) -> Result<()> {
        self.saved.restore()
    }

    /// Makes the present point the last communication point.
    pub fn keep(&mut self) -> Result<()> {
        self.saved.update()
    }

    pub fn get<const N: usize>(&self, references: &[u32]) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        self.slave.get_reals(references, &mut values)?;
        Ok(values)
    }

    pub fn derivative<const N: usize>(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        self.slave.directional_derivative(unknowns, (knowns, seeds), &mut values)?;
        Ok(values)
    }
}
