//! `modelDescription.xml` of FMI 3.0, written from the description: an array is one variable.

use std::collections::BTreeSet;
use std::ops::Range;

use fmu_exchange::{Item, MAX_ROWS, Standard, reference};

use crate::date::Date;
use crate::description::arrays::{Group, group_arrays};
use crate::description::model_description::{experiment, log_categories, units};
use crate::description::real_attributes::{write_integer, write_real};
use crate::description::xml::{Element, Xml};
use crate::description::{
    Causality, Description, Initial, TableParameter, Unknown, Variability, Variable, VariableType,
};
use crate::error::Error;
use crate::text::GENERATOR;

/// Names of the variables that are not rows of a component.
const TIME: &str = "time";
const INDICATORS: &str = "eventIndicators";

/// Writes `modelDescription.xml`; the licence is an SPDX expression.
pub fn model_description_3(description: &Description, license: Option<&str>) -> Result<String, Error> {
    let date = Date::from_environment()?;
    let names: Vec<_> = sized_tables(description).map(rows_of).chain([TIME, INDICATORS].map(str::to_owned)).collect();
    if let Some(taken) = description.variables.iter().find(|variable| names.contains(&variable.name)) {
        let reason = "FMI 3.0 has another variable of this name".to_owned();
        return Err(Error::Variable { variable: taken.name.clone(), reason });
    }
    let arrays = variables_3(description);
    let mut xml = Xml::new()?;
    let mut root = Element::new("fmiModelDescription")
        .attribute("fmiVersion", "3.0")
        .attribute("modelName", &description.name)
        .attribute("instantiationToken", &description.guid)
        .attribute("description", &description.description);
    // The runtime comes first, then the component's own package.
    if let Some((_, version)) = description.versions.get(1) {
        root = root.attribute("version", version);
    }
    root = root.optional("license", license).attribute("generationTool", GENERATOR);
    root = root.optional("generationDateAndTime", date.map(|date| date.to_string()));
    xml.open(root.attribute("variableNamingConvention", "structured"))?;
    interfaces(&mut xml, description)?;
    units(&mut xml, description)?;
    types(&mut xml, description)?;
    log_categories(&mut xml, description, Standard::Fmi3)?;
    experiment(&mut xml, description)?;
    xml.open(Element::new("ModelVariables"))?;
    let time = own(TIME, reference::TIME, "Independent variable", "independent");
    let seconds = description.units.iter().find(|unit| unit.name == "s");
    xml.empty(match seconds {
        Some(unit) => time.attribute("unit", &unit.name).text("quantity", &unit.quantity),
        None => time,
    })?;
    for table in sized_tables(description) {
        let element = Element::new("UInt64")
            .attribute("name", rows_of(table))
            .attribute("valueReference", (reference::ROWS + table.number).to_string())
            .attribute("description", format!("Number of rows of {}", table.name))
            .attribute("causality", "structuralParameter")
            .attribute("variability", "tunable")
            .attribute("min", "1")
            .attribute("max", MAX_ROWS.to_string());
        xml.empty(element.attribute("start", table.rows.to_string()))?;
    }
    for array in &arrays {
        variable(&mut xml, description, array)?;
    }
    if description.event_indicators > 0 {
        xml.open(own(INDICATORS, reference::EVENT_INDICATORS, "All event indicators", "local"))?;
        dimension(&mut xml, description.event_indicators)?;
        xml.close("Float64")?;
    }
    xml.close("ModelVariables")?;
    model_structure(&mut xml, description, &arrays)?;
    xml.close("fmiModelDescription")?;
    Ok(xml.into_text())
}

impl Description {
    /// Returns the variables of FMI 3.0 that are rows of the component: value references, and elements as positions
    /// among the variables.
    pub fn arrays(&self) -> Vec<(u32, Range<usize>)> {
        variables_3(self).iter().map(|array| (value_reference(self, array), array.members.clone())).collect()
    }

    /// Returns the number of variables in `modelDescription.xml`.
    pub fn variable_count(&self, standard: Standard) -> usize {
        match standard {
            Standard::Fmi2 => self.variables.len(),
            Standard::Fmi3 => {
                variables_3(self).len() + sized_tables(self).count() + 1 + usize::from(self.event_indicators > 0)
            }
        }
    }
}

/// Returns the variables of FMI 3.0 that are rows of the component. Elements of an array that are used in different
/// ways are variables of their own, and so are then those whose derivatives they are, and their derivatives.
pub fn variables_3(description: &Description) -> Vec<Group<'_>> {
    let variables = &description.variables;
    let kind = |index: usize| {
        let Variable { causality, variability, initial, .. } = &variables[index];
        (*causality, *variability, *initial)
    };
    let of_derivative = |(index, variable): (usize, &Variable)| variable.derivative_of().map(|state| [state, index]);
    let pairs: Vec<_> = variables.iter().enumerate().filter_map(of_derivative).collect();
    let mut arrays = group_arrays(variables);
    loop {
        let of_element = of_elements(&arrays);
        let is_one = |array: &Group<'_>| array.members.clone().all(|index| kind(index) == kind(array.members.start));
        let mut split: BTreeSet<usize> = (0..arrays.len()).filter(|number| !is_one(&arrays[*number])).collect();
        for pair in &pairs {
            let place = |index: usize| {
                let Group { members, .. } = &arrays[of_element[index]];
                (members.len(), index - members.start)
            };
            if place(pair[0]) != place(pair[1]) {
                split.extend(
                    pair.map(|index| of_element[index]).iter().filter(|number| arrays[**number].members.len() > 1),
                );
            }
        }
        if split.is_empty() {
            return arrays;
        }
        let mut next = Vec::with_capacity(variables.len());
        for (number, array) in arrays.into_iter().enumerate() {
            if split.contains(&number) {
                let alone = |index: usize| Group {
                    name: &variables[index].name,
                    dimensions: Vec::new(),
                    members: index..index + 1,
                };
                next.extend(array.members.map(alone));
            } else {
                next.push(array);
            }
        }
        arrays = next;
    }
}

/// Returns the positions of the arrays, by those of their elements.
fn of_elements(arrays: &[Group<'_>]) -> Vec<usize> {
    arrays.iter().enumerate().flat_map(|(number, array)| array.members.clone().map(move |_| number)).collect()
}

/// Returns the tables that have rows: their numbers are structural parameters.
fn sized_tables(description: &Description) -> impl Iterator<Item = &TableParameter> {
    description.tables.iter().filter(|table| table.rows > 0)
}

/// Returns the name of the structural parameter for the number of rows.
fn rows_of(table: &TableParameter) -> String {
    format!("{}_rows", table.name)
}

/// Returns the table that an array is.
fn table_of<'d>(description: &'d Description, array: &Group<'_>) -> Option<&'d TableParameter> {
    sized_tables(description).find(|table| table.name == array.name && array.dimensions.len() == 2)
}

/// Returns the value reference of an array: that of its first element, or of its own for a table.
fn value_reference(description: &Description, array: &Group<'_>) -> u32 {
    let first = description.variables[array.members.start].value_reference;
    table_of(description, array).map_or(first, |table| reference::TABLES + table.number)
}

fn interfaces(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    let flags = description.capabilities;
    let common = |name| {
        Element::new(name)
            .attribute("modelIdentifier", &description.name)
            .flag("canGetAndSetFMUState", flags.can_get_and_set_fmu_state)
            .flag("canSerializeFMUState", flags.can_serialize_fmu_state)
            .flag("providesDirectionalDerivatives", flags.provides_directional_derivative)
            .flag("providesAdjointDerivatives", flags.provides_directional_derivative)
            .attribute("providesPerElementDependencies", "true")
    };
    xml.empty(
        common("ModelExchange").flag("needsCompletedIntegratorStep", !flags.completed_integrator_step_not_needed),
    )?;
    let mut co_simulation = common("CoSimulation")
        .attribute("canHandleVariableCommunicationStepSize", "true")
        .attribute("providesIntermediateUpdate", "true")
        .attribute("canReturnEarlyAfterIntermediateUpdate", "true")
        .flag("mightReturnEarlyFromDoStep", flags.might_return_early_from_do_step)
        .attribute("hasEventMode", "true");
    if flags.max_output_derivative_order > 0 {
        let order = flags.max_output_derivative_order.to_string();
        co_simulation = co_simulation.attribute("maxOutputDerivativeOrder", order);
    }
    xml.empty(co_simulation)
}

fn types(xml: &mut Xml, description: &Description) -> Result<(), Error> {
    if description.enumerations.is_empty() {
        return Ok(());
    }
    xml.open(Element::new("TypeDefinitions"))?;
    for enumeration in &description.enumerations {
        let element = Element::new("EnumerationType").attribute("name", &enumeration.name);
        xml.open(element.text("description", &enumeration.description))?;
        for (index, Item { name, description: text, .. }) in enumeration.items.iter().enumerate() {
            let item = Element::new("Item").attribute("name", name).attribute("value", (index + 1).to_string());
            xml.empty(item.text("description", text))?;
        }
        xml.close("EnumerationType")?;
    }
    xml.close("TypeDefinitions")
}

/// Makes a continuous variable that is not a row of the component.
fn own(name: &str, reference: u32, text: &str, causality: &str) -> Element {
    Element::new("Float64")
        .attribute("name", name)
        .attribute("valueReference", reference.to_string())
        .attribute("description", text)
        .attribute("causality", causality)
        .attribute("variability", "continuous")
}

fn dimension(xml: &mut Xml, size: usize) -> Result<(), Error> {
    xml.empty(Element::new("Dimension").attribute("start", size.to_string()))
}

fn variable(xml: &mut Xml, description: &Description, array: &Group<'_>) -> Result<(), Error> {
    let members = &description.variables[array.members.clone()];
    let first = &members[0];
    let tag = match first.kind {
        VariableType::Real { .. } => "Float64",
        VariableType::Integer { data_type, .. } => data_type.name(),
        VariableType::Boolean { .. } => "Boolean",
        VariableType::String { .. } => "String",
        VariableType::Enumeration { .. } => "Enumeration",
    };
    // A table can have other rows during the simulation.
    let variability = if table_of(description, array).is_some() { Variability::Tunable } else { first.variability };
    let mut element = Element::new(tag)
        .attribute("name", array.name)
        .attribute("valueReference", value_reference(description, array).to_string())
        .text("description", &first.description)
        .attribute("causality", first.causality.as_str())
        .attribute("variability", variability.as_str())
        .optional("initial", first.initial.map(|initial| initial.as_str()));
    let owner = || array.name.to_owned();
    match &first.kind {
        VariableType::Real { unit, derivative, .. } => {
            let state = derivative.map(|index| description.variables[index].value_reference.to_string());
            element = write_real(element.optional("unit", unit.as_deref()), &first.attributes, &owner)?
                .optional("derivative", state)
                .flag("intermediateUpdate", is_known_inside_steps(first));
        }
        VariableType::Integer { .. } => element = write_integer(element, &first.attributes),
        VariableType::Enumeration { declared_type, .. } => element = element.attribute("declaredType", declared_type),
        VariableType::Boolean { .. } | VariableType::String { .. } => {}
    }
    let starts = members.iter().map(start).collect::<Result<Option<Vec<_>>, _>>()?;
    let text = matches!(first.kind, VariableType::String { .. });
    element = element.optional("start", starts.as_ref().filter(|_| !text).map(|starts| starts.join(" ")));
    let texts = starts.filter(|_| text).unwrap_or_default();
    if array.dimensions.is_empty() && texts.is_empty() {
        return xml.empty(element);
    }
    xml.open(element)?;
    let mut dimensions = array.dimensions.iter();
    if let Some(table) = table_of(description, array) {
        let rows = (reference::ROWS + table.number).to_string();
        xml.empty(Element::new("Dimension").attribute("valueReference", rows))?;
        dimensions.next();
    }
    dimensions.try_for_each(|size| dimension(xml, *size))?;
    for start in texts {
        xml.empty(Element::new("Start").attribute("value", start))?;
    }
    xml.close(tag)
}

/// Returns true if an importer may get or set a Real while it is called inside a step.
fn is_known_inside_steps(variable: &Variable) -> bool {
    let is_exchanged = matches!(variable.causality, Causality::Input | Causality::Output);
    is_exchanged && variable.variability == Variability::Continuous
}

/// Returns the start value as text, if there is one.
fn start(variable: &Variable) -> Result<Option<String>, Error> {
    Ok(match &variable.kind {
        VariableType::Real { start: Some(start), .. } if !start.is_finite() => {
            let reason = format!("start is {start}, which XML cannot carry");
            return Err(Error::Variable { variable: variable.name.clone(), reason });
        }
        VariableType::Real { start, .. } => start.map(|value| format!("{value:?}")),
        VariableType::Integer { start, .. } => start.map(|value| value.to_string()),
        VariableType::Enumeration { start, .. } => start.map(|value| value.to_string()),
        VariableType::Boolean { start } => start.map(|value| value.to_string()),
        VariableType::String { start } => start.clone(),
    })
}

fn model_structure(xml: &mut Xml, description: &Description, arrays: &[Group<'_>]) -> Result<(), Error> {
    let structure = &description.model_structure;
    let references: Vec<_> = arrays.iter().map(|array| value_reference(description, array)).collect();
    let of_element = of_elements(arrays);
    let lists = [
        ("Output", &structure.outputs),
        ("ContinuousStateDerivative", &structure.derivatives),
        ("InitialUnknown", &structure.initial_unknowns),
    ];
    if lists.iter().all(|(_, unknowns)| unknowns.is_empty()) && description.event_indicators == 0 {
        return xml.empty(Element::new("ModelStructure"));
    }
    xml.open(Element::new("ModelStructure"))?;
    for (name, unknowns) in lists {
        let knowns = || knowns(description, name).map(|index| references[of_element[index]]);
        for elements in unknowns.chunk_by(|one, next| of_element[one.index] == of_element[next.index]) {
            // The array depends on all dependencies of its elements; for a table, they are unknown.
            let of_one = |Unknown { dependencies, .. }: &Unknown| {
                let dependencies = dependencies.as_ref()?;
                Some(dependencies.iter().map(|index| references[of_element[*index]]).collect::<BTreeSet<_>>())
            };
            let all: Option<Vec<_>> = elements.iter().map(of_one).collect();
            // CasADi needs the list even where it is that of all knowns.
            let mut all: BTreeSet<u32> =
                all.map_or_else(|| knowns().collect(), |all| all.into_iter().flatten().collect());
            if description.follows_time {
                all.insert(reference::TIME);
            }
            let text = all.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
            let reference = references[of_element[elements[0].index]].to_string();
            xml.empty(Element::new(name).attribute("valueReference", reference).attribute("dependencies", text))?;
        }
    }
    if description.event_indicators > 0 {
        let reference = reference::EVENT_INDICATORS.to_string();
        xml.empty(Element::new("EventIndicator").attribute("valueReference", reference))?;
    }
    xml.close("ModelStructure")
}

/// Returns the variables that the unknowns of a list may depend on.
fn knowns<'d>(description: &'d Description, list: &str) -> impl Iterator<Item = usize> + use<'d> {
    let states: BTreeSet<usize> = (description.model_structure.derivatives.iter())
        .filter_map(|unknown| description.variables[unknown.index].derivative_of())
        .collect();
    let is_initial = list == "InitialUnknown";
    let variables = description.variables.iter().enumerate();
    variables
        .map(move |(index, variable)| {
            let is_known = match variable.initial {
                Some(Initial::Exact) if is_initial => true,
                _ => variable.causality == Causality::Input || (!is_initial && states.contains(&index)),
            };
            (index, is_known)
        })
        .filter_map(|(index, is_known)| is_known.then_some(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::ModelStructure;
    use crate::example::description;

    /// Returns the example without its variable for time.
    fn example() -> Description {
        let mut description = description();
        description.variables.remove(0);
        description.model_structure = ModelStructure::default();
        description
    }

    #[test]
    fn t5_arrays_are_one_variable() {
        let text = model_description_3(&example(), None).unwrap();
        let dimension = "      <Dimension start=\"2\"/>\n";
        let begin = text.find("<Float64 name=\"c\" valueReference=").expect("the array");
        let element = &text[begin..begin + text[begin..].find("</Float64>").unwrap()];
        assert!(element.contains(" start=\"1000.0 2000.0\"") && element.matches(dimension).count() == 1, "{text}");
        let begin = text.find("<Float64 name=\"table\" valueReference=\"2000000000\"").expect("the table");
        let element = &text[begin..begin + text[begin..].find("</Float64>").unwrap()];
        assert!(element.contains(" start=\"0.0 0.0 1.0 10.0\"") && element.matches(dimension).count() == 1, "{text}");
        assert!(element.contains("<Dimension valueReference=\"2500000000\"/>"), "{text}");
        assert!(text.contains("<UInt64 name=\"table_rows\" valueReference=\"2500000000\""), "{text}");
        assert!(text.contains("<EnumerationType name=\"TransDir\""), "{text}");
    }

    #[test]
    fn t26_dependencies_on_all_knowns_are_written() {
        let mut unknown = example();
        let position = |name: &str| unknown.variables.iter().position(|variable| variable.name == name).unwrap();
        let outputs = vec![Unknown { index: position("f"), dependencies: None }];
        unknown.model_structure = ModelStructure { outputs, ..ModelStructure::default() };
        unknown.follows_time = false;
        let text = model_description_3(&unknown, None).unwrap();
        let line = text.lines().find(|line| line.contains("<Output ")).unwrap();
        let known = unknown.variables.iter().find(|variable| variable.causality == Causality::Input).unwrap();
        assert!(line.contains(&format!("dependencies=\"{}", known.value_reference)), "{line}");
    }

    #[test]
    fn t5_elements_that_differ_are_variables_of_their_own() {
        let mut mixed = example();
        let position = mixed.variables.iter().position(|variable| variable.name == "c[2]").unwrap();
        mixed.variables[position].causality = Causality::Local;
        let text = model_description_3(&mixed, None).unwrap();
        assert!(text.contains("name=\"c[1]\"") && text.contains("name=\"c[2]\""), "{text}");
        assert_eq!(mixed.variable_count(Standard::Fmi3), example().variable_count(Standard::Fmi3) + 1);
    }

    #[test]
    fn t5_the_names_of_its_own_variables_are_taken() {
        let mut doubled = example();
        doubled.variables[0].name = "table_rows".to_owned();
        assert_eq!(
            model_description_3(&doubled, None).unwrap_err().to_string(),
            "variable \"table_rows\": FMI 3.0 has another variable of this name"
        );
        assert_eq!(
            model_description_3(&description(), None).unwrap_err().to_string(),
            "variable \"time\": FMI 3.0 has another variable of this name"
        );
    }
}
