//! The ports of an FMU as arrays, with the names that they have in the imported block.

use super::names::{array, of_block};
use crate::description::arrays::group_arrays;
use crate::description::{Causality, Description, Terminal, Variability, Variable};

/// A scalar port, or an array of them.
pub(super) struct Port<'a> {
    /// Name without indices; within its connector if it belongs to one.
    pub name: &'a str,
    /// Sizes; none for a scalar.
    pub dimensions: Vec<usize>,
    /// The variables.
    pub variables: &'a [Variable],
    /// Whether it is a flow out of the component.
    is_outflow: bool,
}

impl Port<'_> {
    /// Whether the FMU computes it.
    pub fn is_output(&self) -> bool {
        self.variables[0].causality == Causality::Output
    }

    /// Whether it changes between events.
    pub fn is_continuous(&self) -> bool {
        self.variables[0].variability == Variability::Continuous
    }

    /// Its elements in the imported block.
    pub fn elements(&self) -> Vec<String> {
        self.variables.iter().map(|variable| format!("fmu.{}", of_block(&variable.name))).collect()
    }

    /// The cut load or heat flow into the component.
    pub fn inflow(&self) -> String {
        format!("{}{}", if self.is_outflow { "-" } else { "" }, self.whole())
    }

    /// The array in the imported block.
    pub fn whole(&self) -> String {
        array(&self.elements(), &self.dimensions)
    }
}

/// The ports of a connector.
pub(super) fn of_terminal<'a>(description: &'a Description, terminal: &'a Terminal) -> Vec<Port<'a>> {
    let prefix = terminal.name.len() + 1;
    let mut ports = all(description);
    ports.retain(|port| belongs(port, terminal));
    for port in &mut ports {
        port.name = &port.name[prefix..];
        port.is_outflow = description.outflow && port.is_output() && terminal.is_flow(port.name);
    }
    ports
}

/// The ports that belong to no connector.
pub(super) fn signals(description: &Description) -> Vec<Port<'_>> {
    let mut ports = all(description);
    ports.retain(|port| !description.terminals.iter().any(|terminal| belongs(port, terminal)));
    ports
}

fn belongs(port: &Port<'_>, terminal: &Terminal) -> bool {
    port.name.strip_prefix(&terminal.name).is_some_and(|rest| rest.starts_with('.'))
}

fn all(description: &Description) -> Vec<Port<'_>> {
    let groups = group_arrays(&description.variables).into_iter();
    let ports = groups.map(|group| Port {
        name: group.name,
        dimensions: group.dimensions,
        variables: &description.variables[group.members],
        is_outflow: false,
    });
    ports.filter(|port| matches!(port.variables[0].causality, Causality::Input | Causality::Output)).collect()
}
