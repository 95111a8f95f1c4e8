//! The package of a system: `SystemStructure.ssd` and the FMUs.

use std::collections::BTreeSet;
use std::path::Path;

use super::{Component, System};
use crate::archive::file_kind::FileKind;
use crate::archive::writer::ArchiveWriter;
use crate::date::Date;
use crate::description::xml::{Element, Xml};
use crate::description::{Causality, Unit, Variable, VariableType};
use crate::error::Error;
use crate::text::GENERATOR;

impl System {
    /// Writes the package, which contains the FMUs, in one step.
    ///
    /// # Errors
    ///
    /// When the package cannot be written, or is one of the FMUs.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let mut archive = ArchiveWriter::new(Date::from_environment()?);
        archive.add("SystemStructure.ssd", description(self)?)?;
        for component in &self.components {
            archive.add(component.source(), component.archive.content().into_inner().as_ref())?;
        }
        archive.write(path, FileKind::Ssp, self.components.iter().map(|component| component.archive.path()))
    }
}

/// Writes `SystemStructure.ssd`.
pub(super) fn description(system: &System) -> Result<String, Error> {
    let mut xml = Xml::new()?;
    let namespace = |part: &str| format!("http://ssp-standard.org/SSP1/SystemStructure{part}");
    xml.open(
        Element::new("ssd:SystemStructureDescription")
            .attribute("xmlns:ssd", namespace("Description"))
            .attribute("xmlns:ssc", namespace("Common"))
            .attribute("xmlns:oms", "https://raw.githubusercontent.com/OpenModelica/OMSimulator/master/schema/oms.xsd")
            .attribute("version", "1.0")
            .attribute("name", &system.name)
            .attribute("generationTool", GENERATOR),
    )?;
    xml.open(Element::new("ssd:System").attribute("name", &system.name))?;
    let inputs = system.inputs.iter().map(|(name, variable)| (name.as_str(), variable));
    connectors(&mut xml, inputs)?;
    xml.open(Element::new("ssd:Elements"))?;
    for of_system in &system.components {
        component(&mut xml, system, of_system)?;
    }
    xml.close("ssd:Elements")?;
    connections(&mut xml, system)?;
    master(&mut xml, system)?;
    xml.close("ssd:System")?;
    units(&mut xml, system)?;
    experiment(&mut xml, system)?;
    xml.close("ssd:SystemStructureDescription")?;
    Ok(xml.into_text())
}

/// Writes a component: all outputs are listed, but only the connected inputs, since a master that sets all inputs would
/// overwrite the start values of the others.
fn component(xml: &mut Xml, system: &System, component: &Component) -> Result<(), Error> {
    xml.open(
        Element::new("ssd:Component")
            .attribute("name", &component.name)
            .attribute("type", "application/x-fmu-sharedlibrary")
            .attribute("source", component.source())
            .attribute("implementation", "CoSimulation"),
    )?;
    let connected = |variable: &&Variable| {
        let is_end = |end: &(String, String)| end.0 == component.name && end.1 == variable.name;
        variable.causality == Causality::Output || system.connections.iter().any(|connection| is_end(&connection.to))
    };
    connectors(xml, component.ports().filter(connected).map(|variable| (variable.name.as_str(), variable)))?;
    xml.close("ssd:Component")
}

fn connectors<'a>(xml: &mut Xml, connectors: impl Iterator<Item = (&'a str, &'a Variable)>) -> Result<(), Error> {
    let mut connectors = connectors.peekable();
    if connectors.peek().is_none() {
        return Ok(());
    }
    xml.open(Element::new("ssd:Connectors"))?;
    for (name, variable) in connectors {
        let kind = if variable.causality == Causality::Input { "input" } else { "output" };
        xml.open(Element::new("ssd:Connector").attribute("name", name).attribute("kind", kind))?;
        xml.empty(match &variable.kind {
            VariableType::Real { unit, .. } => Element::new("ssc:Real").optional("unit", unit.as_deref()),
            VariableType::Boolean { .. } => Element::new("ssc:Boolean"),
            _ => Element::new("ssc:Integer"),
        })?;
        xml.close("ssd:Connector")?;
    }
    xml.close("ssd:Connectors")
}

fn connections(xml: &mut Xml, system: &System) -> Result<(), Error> {
    if system.connections.is_empty() {
        return Ok(());
    }
    xml.open(Element::new("ssd:Connections"))?;
    for connection in &system.connections {
        let element = Element::new("ssd:Connection")
            .optional("startElement", connection.from.0.as_deref())
            .attribute("startConnector", &connection.from.1)
            .attribute("endElement", &connection.to.0)
            .attribute("endConnector", &connection.to.1);
        if connection.negated {
            xml.open(element)?;
            xml.empty(Element::new("ssc:LinearTransformation").attribute("factor", "-1.0").attribute("offset", "0.0"))?;
            xml.close("ssd:Connection")?;
        } else {
            xml.empty(element)?;
        }
    }
    xml.close("ssd:Connections")
}

/// Writes the units of all connectors, each once.
fn units(xml: &mut Xml, system: &System) -> Result<(), Error> {
    let named = |variable: &Variable| variable.unit().map(str::to_owned);
    let mut wanted: BTreeSet<String> = system.components.iter().flat_map(Component::ports).filter_map(named).collect();
    let known: Vec<&Unit> = system.components.iter().flat_map(|component| &component.model.units).collect();
    if wanted.is_empty() {
        return Ok(());
    }
    xml.open(Element::new("ssd:Units"))?;
    for unit in known {
        if !wanted.remove(unit.name.as_ref()) {
            continue;
        }
        let mut base = Element::new("ssc:BaseUnit");
        for (name, exponent) in unit.powers() {
            base = base.attribute(name, exponent.to_string());
        }
        xml.open(Element::new("ssc:Unit").attribute("name", &unit.name))?;
        xml.empty(base.real("factor", unit.factor, || format!("unit \"{}\"", unit.name))?)?;
        xml.close("ssc:Unit")?;
    }
    xml.close("ssd:Units")
}

/// Writes the master of OMSimulator, whose command line needs one: Co-Simulation with the smallest step of the FMUs'
/// default experiments.
fn master(xml: &mut Xml, system: &System) -> Result<(), Error> {
    let experiments = system.components.iter().map(|component| component.model.default_experiment);
    let step = experiments.filter_map(|experiment| experiment.step_size).reduce(f64::min);
    xml.open(Element::new("ssd:Annotations"))?;
    xml.open(Element::new("ssc:Annotation").attribute("type", "org.openmodelica"))?;
    xml.open(Element::new("oms:Annotations"))?;
    xml.open(Element::new("oms:SimulationInformation"))?;
    let master = Element::new("oms:FixedStepMaster").attribute("description", "oms-ma");
    let master = master.real("stepSize", step.unwrap_or(1e-3), || "the step size".to_owned())?;
    xml.empty(master.attribute("absoluteTolerance", "1e-4").attribute("relativeTolerance", "1e-4"))?;
    xml.close("oms:SimulationInformation")?;
    xml.close("oms:Annotations")?;
    xml.close("ssc:Annotation")?;
    xml.close("ssd:Annotations")
}

/// Writes an experiment from the earliest start to the latest stop of the FMUs' default experiments.
fn experiment(xml: &mut Xml, system: &System) -> Result<(), Error> {
    let experiments = || system.components.iter().map(|component| component.model.default_experiment);
    let start = experiments().filter_map(|experiment| experiment.start_time).reduce(f64::min);
    let stop = experiments().filter_map(|experiment| experiment.stop_time).reduce(f64::max);
    let owner = || "the experiment".to_owned();
    let element = Element::new("ssd:DefaultExperiment").optional_real("startTime", start, owner)?;
    xml.empty(element.optional_real("stopTime", stop, owner)?)
}
