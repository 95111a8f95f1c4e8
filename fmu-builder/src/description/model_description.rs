//! `modelDescription.xml` of FMI 2.0, written from the description.

use fmu_exchange::{Item, Standard};

use crate::date::Date;
use crate::description::real_attributes::{write_integer, write_real};
use crate::description::xml::{Element, Xml};
use crate::description::{Description, Unknown, Variable, VariableType};
use crate::error::Error;
use crate::text::GENERATOR;

/// Writes `modelDescription.xml`; the licence is an SPDX expression.
pub fn model_description(description: &Description, license: Option<&str>) -> Result<String, Error> {
    write(description, license, Date::from_environment()?)
}

fn write(description: &Description, license: Option<&str>, date: Option<Date>) -> Result<String, Error> {
    let mut xml = Xml::new()?;
    let mut root = Element::new("fmiModelDescription")
        .attribute("fmiVersion", "2.0")
        .attribute("modelName", &description.name)
        .attribute("guid", &description.guid)
        .attribute("description", &description.description);
    // The runtime comes first, then the component's own package.
    if let Some((_, version)) = description.versions.get(1) {
        root = root.attribute("version", version);
    }
    if let Some(license) = license {
        root = root.attribute("license", license);
    }
    root = root.attribute("generationTool", GENERATOR);
    if let Some(date) = date {
        root = root.attribute("generationDateAndTime", date.to_string());
    }
    root = root
        .attribute("variableNamingConvention", "structured")
        .attribute("numberOfEventIndicators", description.event_indicators.to_string());
    xml.open(root)?;
    interfaces(&mut xml, description)?;
    units(&mut xml, description)?;
    types(&mut xml, description)?;
    log_categories(&mut xml, description, Standard::Fmi2)?;
    experiment(&mut xml, description)?;
    xml.open(Element::new("ModelVariables"))?;
    for variable in &description.variables {
        scalar_variable(&mut xml, variable)?;
    }
    xml.close("ModelVariables")?;
    model_structure(&mut xml, description)?;
    xml.close("fmiModelDescription")?;
    Ok(xml.into_text())
}

fn interfaces(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    let flags = description.capabilities;
    let common = |name| {
        Element::new(name)
            .attribute("modelIdentifier", &description.name)
            .attribute("canNotUseMemoryManagementFunctions", "true")
            .flag("canGetAndSetFMUstate", flags.can_get_and_set_fmu_state)
            .flag("canSerializeFMUstate", flags.can_serialize_fmu_state)
            .flag("providesDirectionalDerivative", flags.provides_directional_derivative)
    };
    if description.input_with_derivatives().is_none() {
        let not_needed = flags.completed_integrator_step_not_needed;
        xml.empty(common("ModelExchange").flag("completedIntegratorStepNotNeeded", not_needed))?;
    }
    let mut co_simulation = common("CoSimulation")
        .attribute("canHandleVariableCommunicationStepSize", "true")
        .flag("canInterpolateInputs", flags.can_interpolate_inputs);
    if flags.max_output_derivative_order > 0 {
        co_simulation =
            co_simulation.attribute("maxOutputDerivativeOrder", flags.max_output_derivative_order.to_string());
    }
    xml.empty(co_simulation)
}

pub(super) fn units(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    if description.units.is_empty() {
        return Ok(());
    }
    xml.open(Element::new("UnitDefinitions"))?;
    for unit in &description.units {
        let owner = || format!("unit \"{}\"", unit.name);
        xml.open(Element::new("Unit").attribute("name", &unit.name))?;
        let mut base = Element::new("BaseUnit");
        for (name, exponent) in unit.powers() {
            base = base.attribute(name, exponent.to_string());
        }
        if unit.factor != 1.0 {
            base = base.real("factor", unit.factor, owner)?;
        }
        xml.empty(base)?;
        for display in unit.display.iter() {
            let mut element = Element::new("DisplayUnit").attribute("name", &display.name);
            if display.factor != 1.0 {
                element = element.real("factor", display.factor, owner)?;
            }
            if display.offset != 0.0 {
                element = element.real("offset", display.offset, owner)?;
            }
            xml.empty(element)?;
        }
        xml.close("Unit")?;
    }
    xml.close("UnitDefinitions")
}

fn types(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    if description.enumerations.is_empty() {
        return Ok(());
    }
    xml.open(Element::new("TypeDefinitions"))?;
    for enumeration in &description.enumerations {
        xml.open(
            Element::new("SimpleType")
                .attribute("name", &enumeration.name)
                .text("description", &enumeration.description),
        )?;
        xml.open(Element::new("Enumeration"))?;
        for (index, Item { name, description: text, .. }) in enumeration.items.iter().enumerate() {
            let item = Element::new("Item").attribute("name", name).attribute("value", (index + 1).to_string());
            xml.empty(item.text("description", text))?;
        }
        xml.close("Enumeration")?;
        xml.close("SimpleType")?;
    }
    xml.close("TypeDefinitions")
}

pub(super) fn log_categories(xml: &mut Xml, description: &Description, standard: Standard) -> Result<(), Error> {
    if description.log_categories.is_empty() {
        return Ok(());
    }
    xml.open(Element::new("LogCategories"))?;
    for category in &description.log_categories {
        // Descriptions of categories name statuses.
        let text = match standard {
            Standard::Fmi2 => category.description.clone(),
            Standard::Fmi3 => category.description.replace("fmi2", "fmi3"),
        };
        xml.empty(Element::new("Category").attribute("name", &category.name).text("description", &text))?;
    }
    xml.close("LogCategories")
}

pub(super) fn experiment(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    let experiment = description.default_experiment;
    let owner = || "DefaultExperiment".to_owned();
    xml.empty(
        Element::new("DefaultExperiment")
            .real("startTime", experiment.start_time, owner)?
            .real("stopTime", experiment.stop_time, owner)?
            .real("tolerance", experiment.tolerance, owner)?
            .real("stepSize", experiment.step_size, owner)?,
    )
}

fn scalar_variable(xml: &mut Xml, variable: &Variable) -> Result<(), Error> {
    let mut element = Element::new("ScalarVariable")
        .attribute("name", &variable.name)
        .attribute("valueReference", variable.value_reference.to_string())
        .text("description", &variable.description)
        .attribute("causality", variable.causality.as_str())
        .attribute("variability", variable.variability.as_str());
    if let Some(value) = variable.initial {
        element = element.attribute("initial", value.as_str());
    }
    xml.open(element)?;
    xml.empty(type_element(variable)?)?;
    xml.close("ScalarVariable")
}

/// The fewest bytes that a Real variable takes, whatever its start value is.
pub(crate) fn smallest_size(variable: &Variable) -> usize {
    let Variable { name, description, causality, variability, initial, .. } = variable;
    let unit = variable.unit().unwrap_or_default();
    let optional =
        [("description", description.as_str()), ("initial", initial.map_or("", |it| it.as_str())), ("unit", unit)];
    let optional = optional.iter().filter(|(_, text)| !text.is_empty());
    MARKUP.len()
        + [name, causality.as_str(), variability.as_str()].map(str::len).iter().sum::<usize>()
        + optional.map(|(key, text)| key.len() + text.len() + " =\"\"".len()).sum::<usize>()
}

/// Markup of the shortest possible Real variable, for the estimate of the size.
const MARKUP: &str = "    <ScalarVariable name=\"\" valueReference=\"0\" causality=\"\" variability=\"\">\n      <Real start=\"0.0\"/>\n    \
    </ScalarVariable>\n";

fn type_element(variable: &Variable) -> Result<Element, Error> {
    let owner = || variable.name.clone();
    Ok(match &variable.kind {
        VariableType::Real { unit, start, derivative } => {
            let element = Element::new("Real").optional("unit", unit.as_deref());
            write_real(element, &variable.attributes, &owner)?
                .optional_real("start", *start, owner)?
                .optional("derivative", derivative.map(|index| (index + 1).to_string()))
        }
        VariableType::Integer { start, .. } => write_integer(Element::new("Integer"), &variable.attributes)
            .optional("start", start.map(|value| value.to_string())),
        VariableType::Boolean { start } => {
            Element::new("Boolean").optional("start", start.map(|value| value.to_string()))
        }
        VariableType::String { start } => Element::new("String").optional("start", start.as_deref()),
        VariableType::Enumeration { declared_type, start } => Element::new("Enumeration")
            .attribute("declaredType", declared_type)
            .optional("start", start.map(|value| value.to_string())),
    })
}

fn model_structure(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    let structure = &description.model_structure;
    let lists = [
        ("Outputs", &structure.outputs),
        ("Derivatives", &structure.derivatives),
        ("InitialUnknowns", &structure.initial_unknowns),
    ];
    if lists.iter().all(|(_, unknowns)| unknowns.is_empty()) {
        return xml.empty(Element::new("ModelStructure"));
    }
    xml.open(Element::new("ModelStructure"))?;
    for (name, unknowns) in lists {
        if unknowns.is_empty() {
            continue;
        }
        xml.open(Element::new(name))?;
        for Unknown { index, dependencies } in unknowns {
            let dependencies = dependencies
                .as_ref()
                .map(|indices| indices.iter().map(|index| (index + 1).to_string()).collect::<Vec<_>>().join(" "));
            xml.empty(
                Element::new("Unknown")
                    .attribute("index", (index + 1).to_string())
                    .optional("dependencies", dependencies),
            )?;
        }
        xml.close(name)?;
    }
    xml.close("ModelStructure")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example::description;

    #[test]
    fn the_text_is_indented_xml() {
        let text = write(&description(), None, None).unwrap();
        assert!(
            text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"2.0\"")
        );
        assert!(
            text.contains("\n    <Unit name=\"rad\">\n      <BaseUnit rad=\"1\"/>\n      <DisplayUnit name=\"deg\" ")
        );
        assert!(text.contains("\n      <Unknown index=\"6\" dependencies=\"4 5\"/>\n"), "{text}");
        assert!(text.ends_with("</fmiModelDescription>\n"));
        assert!(!text.contains("generationDateAndTime"));
        assert!(!text.contains("  <Derivatives/>"));
    }

    #[test]
    fn the_date_is_the_given_one() {
        let text = write(&description(), Some("MIT OR Apache-2.0"), Some(Date::parse("0").unwrap())).unwrap();
        assert!(text.contains(" generationDateAndTime=\"1970-01-01T00:00:00Z\""));
    }

    #[test]
    fn a_number_that_is_none_names_the_variable() {
        let mut broken = description();
        let VariableType::Real { start, .. } = &mut broken.variables[1].kind else { panic!() };
        *start = Some(f64::NAN);
        assert_eq!(
            write(&broken, None, None).unwrap_err().to_string(),
            "variable \"c[1]\": start is NaN, which XML cannot carry"
        );
    }
}
