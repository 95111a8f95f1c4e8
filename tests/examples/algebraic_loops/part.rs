//! An FMU as used by a master: its variables by name.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use fmu_importer::value::Value;
use fmu_importer::{Fmu, Instance, Interface, Loaded, Saved};

/// An unpacked FMU.
pub struct Unpacked {
    loaded: Loaded,
    references: BTreeMap<String, u32>,
}

impl Unpacked {
    pub fn new(path: &Path) -> Result<Self> {
        let loaded = Fmu::open(path)?.load(Interface::CoSimulation)?;
        let variables = loaded.model().variables.iter();
        let references = variables.map(|variable| (variable.name.clone(), variable.value_reference)).collect();
        Ok(Self { loaded, references })
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
    pub fn start(&self, values: &[(&str, f64)]) -> Result<Instance> {
        let instance = Instance::new(&self.loaded)?;
        instance.setup_experiment(None, (0.0, 1.0))?;
        for (name, value) in values {
            instance.set(self.references[*name], &Value::Real(*value))?;
        }
        instance.enter_initialization_mode()?;
        instance.exit_initialization_mode()?;
        Ok(instance)
    }
}

/// An instance with the FMU state of its last communication point.
pub struct Part<'i> {
    pub fmi: &'i Instance,
    saved: Saved<'i>,
}

impl<'i> Part<'i> {
    pub fn new(fmi: &'i Instance) -> Result<Self> {
        Ok(Self { fmi, saved: fmi.save()? })
    }

    /// Goes back to the last communication point.
    pub fn back(&self) -> Result<()> {
        Ok(self.saved.restore()?)
    }

    /// Makes the current point the last communication point.
    pub fn keep(&mut self) -> Result<()> {
        Ok(self.saved.update()?)
    }

    pub fn get<const N: usize>(&self, references: &[u32]) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        values.copy_from_slice(&self.fmi.get_reals(references)?);
        Ok(values)
    }

    pub fn derivative<const N: usize>(&self, unknowns: &[u32], knowns: &[u32], seeds: &[f64]) -> Result<[f64; N]> {
        let mut values = [0.0; N];
        values.copy_from_slice(&self.fmi.directional_derivative(unknowns, knowns, seeds)?);
        Ok(values)
    }
}
