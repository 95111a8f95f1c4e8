//! Several FMUs as one system: a package of the standard System Structure and Parameterization.
//!
//! Ports are connected one by one or by connector: `front.flange_b` stands for all variables of that connector. A flow
//! out of one component is a flow into the other, so a connection of two flows into components changes the sign.

mod package;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fmu_exchange::structure::is_identifier;

use crate::description::{Causality, Variable, VariableType};
use crate::error::Error;
use crate::read::element::{self, Element};
use crate::read::{Archive, ModelDescription};

/// A system of FMUs under construction.
#[derive(Debug)]
pub struct System {
    name: String,
    components: Vec<Component>,
    /// Inputs of the system itself, each with the variable whose type it has.
    inputs: Vec<(String, Variable)>,
    connections: Vec<Connection>,
}

/// An FMU in a system.
#[derive(Debug)]
struct Component {
    name: String,
    archive: Archive,
    model: ModelDescription,
    /// Names of the flow variables, with true for flows out of the component.
    flows: BTreeMap<String, bool>,
}

/// A connection from an output, or an input of the system, to an input.
#[derive(Debug)]
struct Connection {
    from: (Option<String>, String),
    to: (String, String),
    /// True if the value changes its sign.
    negated: bool,
}

/// A connector or variable of a component, with its ports: the rest of the name, and the variable.
struct Ports<'a> {
    text: &'a str,
    component: &'a Component,
    ports: Vec<(&'a str, &'a Variable)>,
}

impl System {
    /// Makes a system without components.
    ///
    /// # Errors
    ///
    /// When the name is not an identifier.
    pub fn new(name: &str) -> Result<Self, Error> {
        check_name(name)?;
        Ok(Self { name: name.to_owned(), components: Vec::new(), inputs: Vec::new(), connections: Vec::new() })
    }

    /// Adds an FMU.
    ///
    /// # Errors
    ///
    /// When the FMU cannot be read, or the name is in use or not an identifier.
    pub fn add(&mut self, name: &str, path: &Path) -> Result<(), Error> {
        check_name(name)?;
        if self.components.iter().any(|other| other.name == name) {
            return Err(Error::System(format!("there are two components \"{name}\"")));
        }
        let archive = Archive::open(path)?;
        let component = Component { name: name.to_owned(), model: archive.model()?, flows: flows(&archive)?, archive };
        self.components.push(component);
        Ok(())
    }

    /// Adds inputs of the system that are connected to ports such as `front.frame_a`. They are named after the members of
    /// the port: `arm_r_0_1` for `r_0[1]`.
    ///
    /// # Errors
    ///
    /// When the name is not an identifier, there is no such port, two inputs of the system would have one name, or an input is connected
    /// already.
    pub fn input(&mut self, name: &str, ports: &[&str]) -> Result<(), Error> {
        check_name(name)?;
        // Each with the member after which it is named.
        let mut inputs: Vec<(String, &str, Variable)> = Vec::new();
        let mut connections = Vec::new();
        for text in ports {
            let found = self.ports(text)?;
            for (member, variable) in found.ports {
                if variable.causality != Causality::Input {
                    continue;
                }
                let words = member.split(['.', '[', ',', ']']).filter(|word| !word.is_empty());
                let input = std::iter::once(name).chain(words).collect::<Vec<_>>().join("_");
                let namesake = inputs.iter().find(|(known, ..)| *known == input);
                let is_other = namesake.is_some_and(|(_, known, _)| *known != member);
                if is_other || self.inputs.iter().any(|(known, _)| *known == input) {
                    return Err(Error::System(format!("there are two inputs \"{input}\" of the system")));
                }
                if namesake.is_none() {
                    inputs.push((input.clone(), member, variable.clone()));
                }
                let to = (found.component.name.clone(), variable.name.clone());
                connections.push(Connection { from: (None, input), to, negated: false });
            }
        }
        if inputs.is_empty() {
            return Err(Error::System(format!("{} does not accept values", ports.join(", "))));
        }
        let inputs: Vec<_> = inputs.into_iter().map(|(input, _, variable)| (input, variable)).collect();
        self.inputs.extend(inputs);
        self.connect_all(connections)
    }

    /// Connects two ports, or all variables of two connectors, in both directions.
    ///
    /// # Errors
    ///
    /// When there is no such port, when one port needs a value that the other does not have, when types or units differ,
    /// or when an input is already connected.
    pub fn connect(&mut self, one: &str, other: &str) -> Result<(), Error> {
        let [a, b] = [self.ports(one)?, self.ports(other)?];
        let connections = [directed(&a, &b)?, directed(&b, &a)?].concat();
        if connections.is_empty() {
            return Err(Error::System(format!("neither \"{one}\" nor \"{other}\" accepts a value")));
        }
        let connections =
            connections.into_iter().map(|(from, to, negated)| Connection { from: (Some(from.0), from.1), to, negated });
        let connections = connections.collect();
        self.connect_all(connections)
    }

    /// Returns the components with outputs whose connections change the sign. Some masters do not apply that factor.
    pub fn reversed(&self) -> BTreeSet<&str> {
        let negated = self.connections.iter().filter(|connection| connection.negated);
        negated.filter_map(|connection| connection.from.0.as_deref()).collect()
    }

    fn connect_all(&mut self, connections: Vec<Connection>) -> Result<(), Error> {
        for connection in connections {
            if self.connections.iter().any(|known| known.to == connection.to) {
                let (component, input) = connection.to;
                return Err(Error::System(format!("\"{component}.{input}\" is connected twice")));
            }
            self.connections.push(connection);
        }
        Ok(())
    }

    fn ports<'a>(&'a self, text: &'a str) -> Result<Ports<'a>, Error> {
        let (name, port) = text.split_once('.').unwrap_or((text, ""));
        let component = self.components.iter().find(|component| component.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.components.iter().map(|component| component.name.as_str()).collect();
            Error::System(format!("\"{text}\": there is no component \"{name}\"; available: {}", names.join(", ")))
        })?;
        let member = |variable: &'a Variable| {
            let rest = variable.name.strip_prefix(port)?;
            let rest = if rest.is_empty() || rest.starts_with('[') { Some(rest) } else { rest.strip_prefix('.') };
            rest.map(|rest| (rest, variable))
        };
        let ports: Vec<_> = component.ports().filter_map(member).collect();
        if ports.is_empty() {
            let mut names: Vec<&str> = Vec::new();
            for variable in component.ports() {
                let top = variable.name.split(['.', '[']).next().unwrap_or_default();
                if !names.contains(&top) {
                    names.push(top);
                }
            }
            let names = names.join(", ");
            return Err(Error::System(format!("\"{text}\": {name} has no port \"{port}\"; available: {names}")));
        }
        Ok(Ports { text, component, ports })
    }
}

impl Component {
    /// Returns the path of the FMU in the package. Equal FMUs under two names are two files.
    fn source(&self) -> String {
        format!("resources/{}.fmu", self.name)
    }

    /// Returns inputs and outputs of types that can be connected.
    fn ports(&self) -> impl Iterator<Item = &Variable> {
        self.model.variables.iter().filter(|variable| {
            matches!(variable.causality, Causality::Input | Causality::Output)
                && !matches!(variable.kind, VariableType::String { .. } | VariableType::Enumeration { .. })
        })
    }
}

/// Refuses names that OMSimulator refuses.
fn check_name(name: &str) -> Result<(), Error> {
    if is_identifier(name) {
        return Ok(());
    }
    Err(Error::System(format!("\"{name}\" is not a name: use letters, digits and \"_\", beginning with a letter")))
}

type End = (String, String);

/// Returns the connections from outputs of one to inputs of the other, with true for those that change the sign.
fn directed(from: &Ports<'_>, to: &Ports<'_>) -> Result<Vec<(End, End, bool)>, Error> {
    let mut connections = Vec::new();
    for (member, input) in to.ports.iter().filter(|(_, variable)| variable.causality == Causality::Input) {
        let output = from.ports.iter().find(|(other, _)| other == member).map(|(_, variable)| variable);
        let output = output.filter(|variable| variable.causality == Causality::Output).ok_or_else(|| {
            let name = format!("{}.{}", to.component.name, input.name);
            Error::System(format!("\"{name}\" needs a value that \"{}\" does not have", from.text))
        })?;
        if !fit((from.component, output), (to.component, input)) {
            let end = |of: &Ports<'_>, variable: &Variable| {
                format!("\"{}.{}\" ({})", of.component.name, variable.name, quantity(variable))
            };
            return Err(Error::System(format!("{} does not fit {}", end(from, output), end(to, input))));
        }
        let is_outflow = |component: &Component, variable: &Variable| component.flows.get(&variable.name).copied();
        let sign = is_outflow(from.component, output);
        let negated = sign.is_some() && sign == is_outflow(to.component, input);
        let end = |component: &Component, variable: &Variable| (component.name.clone(), variable.name.clone());
        connections.push((end(from.component, output), end(to.component, input), negated));
    }
    Ok(connections)
}

/// Returns true if two variables have the same type, and Reals the same unit as far as both have one.
fn fit((one, a): (&Component, &Variable), (other, b): (&Component, &Variable)) -> bool {
    let unit = |of: &Component, name: &str| {
        let unit = of.model.units.iter().find(|unit| unit.name == name);
        unit.map(|unit| (unit.exponents, unit.factor))
    };
    match (&a.kind, &b.kind) {
        (VariableType::Real { unit: Some(a), .. }, VariableType::Real { unit: Some(b), .. }) => {
            a == b || unit(one, a).zip(unit(other, b)).is_some_and(|(a, b)| a == b)
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

/// Returns the unit of a Real, or the type.
fn quantity(variable: &Variable) -> &str {
    match &variable.kind {
        VariableType::Real { unit, .. } => unit.as_deref().unwrap_or("Real"),
        VariableType::Integer { .. } => "Integer",
        VariableType::Boolean { .. } => "Boolean",
        VariableType::String { .. } => "String",
        VariableType::Enumeration { .. } => "Enumeration",
    }
}

/// Returns the flow variables that an FMU declares in its terminals, if it has any, with true for flows out of it.
fn flows(archive: &Archive) -> Result<BTreeMap<String, bool>, Error> {
    const NAME: &str = "terminalsAndIcons/terminalsAndIcons.xml";
    if !archive.entries().iter().any(|entry| entry.name == NAME) {
        return Ok(BTreeMap::new());
    }
    let text = String::from_utf8_lossy(&archive.read(NAME)?).into_owned();
    let root = element::parse(&text).map_err(|reason| Error::System(format!("{NAME}: {reason}")))?;
    let members = root.list("Terminals").iter().flat_map(|terminal| &terminal.children);
    let flow = |member: &Element| {
        let is_outflow = match member.attribute("variableKind")? {
            "inflow" => false,
            "outflow" => true,
            _ => return None,
        };
        Some((member.attribute("variableName")?.to_owned(), is_outflow))
    };
    Ok(members.filter_map(flow).collect())
}

#[cfg(test)]
mod tests;
