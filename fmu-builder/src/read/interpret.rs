//! Reads a document of FMI 2.0 as a [`ModelDescription`]; errors are listed, not fatal.
//!
//! Elements that differ in FMI 3.0 are read by [`interpret_3`](super::interpret_3).

use std::collections::HashMap;
use std::str::FromStr;
use std::sync::Arc;

use fmu_exchange::Item;
use fmu_exchange::unit::BASE_UNITS;

use super::element::Element;
use super::model::{Experiment, Interface, ModelDescription};
use crate::description::real_attributes::{Source, read_real};
use crate::description::{
    Causality, DataType, DisplayUnit, Enumeration, Initial, LogCategory, ModelStructure, RowAttributes, Unit, Unknown,
    Variability, Variable, VariableType,
};

/// The attributes of an interface that are not Booleans.
const NO_FLAGS: [&str; 4] =
    ["modelIdentifier", "maxOutputDerivativeOrder", "fixedInternalStepSize", "recommendedIntermediateInputSmoothness"];

/// Returns the content of the document, and the errors in it.
pub(crate) fn interpret(root: &Element) -> (ModelDescription, Vec<String>) {
    let mut problems = Vec::new();
    let mut reader = Reader { problems: &mut problems };
    let model = if is_of_fmi_3(root) { reader.model_3(root) } else { reader.model(root) };
    (model, problems)
}

/// Returns true if the document is of FMI 3.0.
pub(crate) fn is_of_fmi_3(root: &Element) -> bool {
    root.attribute("fmiVersion").is_some_and(|version| version.starts_with("3."))
}

pub(super) struct Reader<'p> {
    pub problems: &'p mut Vec<String>,
}

impl Reader<'_> {
    fn model(&mut self, root: &Element) -> ModelDescription {
        if root.name != "fmiModelDescription" {
            self.problems.push(format!("the root element is <{}>, not <fmiModelDescription>", root.name));
        }
        let general = self.general(root);
        let types: HashMap<&str, &Element> = root
            .list("TypeDefinitions")
            .iter()
            .filter_map(|simple| Some((simple.attribute("name")?, simple)))
            .collect();
        let variables: Vec<Variable> =
            root.list("ModelVariables").iter().map(|element| self.variable(element, &types)).collect();
        let count = variables.len();
        for (variable, element) in variables.iter().zip(root.list("ModelVariables")) {
            if let VariableType::Real { derivative: Some(index), .. } = variable.kind
                && index >= count
            {
                self.complain(element, "derivative", &(index + 1).to_string(), "is not the position of a variable");
            }
        }
        let structure = root.child("ModelStructure");
        let mut unknowns = |name: &str| -> Vec<Unknown> {
            let list = structure.map_or(&[][..], |structure| structure.list(name));
            list.iter().filter_map(|element| self.unknown(element, count)).collect()
        };
        let model_structure = ModelStructure {
            outputs: unknowns("Outputs"),
            derivatives: unknowns("Derivatives"),
            initial_unknowns: unknowns("InitialUnknowns"),
        };
        ModelDescription {
            guid: plain(root, "guid"),
            enumerations: root.list("TypeDefinitions").iter().filter_map(|simple| self.enumeration(simple)).collect(),
            variables,
            model_structure,
            number_of_event_indicators: self.event_indicators(root),
            ..general
        }
    }

    /// Reads the elements and attributes that both versions of FMI have.
    pub fn general(&mut self, root: &Element) -> ModelDescription {
        let text = |name: &str| root.attribute(name).map(str::to_owned);
        let experiment = root.child("DefaultExperiment");
        let mut time = |name: &str| experiment.and_then(|experiment| self.number(experiment, name));
        let default_experiment = Experiment {
            start_time: time("startTime"),
            stop_time: time("stopTime"),
            step_size: time("stepSize"),
            tolerance: time("tolerance"),
        };
        ModelDescription {
            fmi_version: plain(root, "fmiVersion"),
            model_name: plain(root, "modelName"),
            description: text("description"),
            version: text("version"),
            license: text("license"),
            generation_tool: text("generationTool"),
            generation_date_and_time: text("generationDateAndTime"),
            variable_naming_convention: text("variableNamingConvention").unwrap_or_else(|| "flat".to_owned()),
            model_exchange: root.child("ModelExchange").map(|element| self.interface(element)),
            co_simulation: root.child("CoSimulation").map(|element| self.interface(element)),
            units: root.list("UnitDefinitions").iter().map(|element| self.unit(element)).collect(),
            log_categories: root
                .list("LogCategories")
                .iter()
                .map(|element| LogCategory { name: plain(element, "name"), description: plain(element, "description") })
                .collect(),
            default_experiment,
            ..ModelDescription::default()
        }
    }

    /// Reads the number of event indicators, with a limit: memory for them is reserved before the library is asked.
    fn event_indicators(&mut self, root: &Element) -> usize {
        const MAX_COUNT: usize = 1_000_000;
        const NAME: &str = "numberOfEventIndicators";
        let count = self.number(root, NAME).unwrap_or(0);
        if count <= MAX_COUNT {
            return count;
        }
        self.complain(root, NAME, &count.to_string(), &format!("is more than {MAX_COUNT}"));
        0
    }

    fn interface(&mut self, element: &Element) -> Interface {
        let mut flags = Vec::new();
        for (name, value) in &element.attributes {
            match value.as_str() {
                _ if NO_FLAGS.contains(&name.as_str()) || name.contains(':') => {}
                "true" | "1" => flags.push(name.clone()),
                "false" | "0" => {}
                _ => self.complain(element, name, value, "is neither true nor false"),
            }
        }
        let is = |name| element.attribute(name).and_then(boolean);
        Interface {
            model_identifier: plain(element, "modelIdentifier"),
            flags,
            completed_integrator_step_not_needed: is("completedIntegratorStepNotNeeded")
                .or(is("needsCompletedIntegratorStep").map(|needs| !needs))
                .unwrap_or(false),
            max_output_derivative_order: self.number(element, "maxOutputDerivativeOrder").unwrap_or(0),
        }
    }

    fn unit(&mut self, element: &Element) -> Unit {
        let mut exponents = [0; 8];
        let mut factor = 1.0;
        if let Some(base) = element.child("BaseUnit") {
            for (exponent, name) in exponents.iter_mut().zip(BASE_UNITS) {
                *exponent = self.number(base, name).unwrap_or(0);
            }
            factor = self.number(base, "factor").unwrap_or(1.0);
        }
        let display = element
            .children
            .iter()
            .filter(|child| child.name == "DisplayUnit")
            .map(|child| DisplayUnit {
                name: plain(child, "name").into(),
                factor: self.number(child, "factor").unwrap_or(1.0),
                offset: self.number(child, "offset").unwrap_or(0.0),
            })
            .collect();
        Unit { name: plain(element, "name").into(), exponents, factor, quantity: "".into(), display }
    }

    fn variable(&mut self, element: &Element, types: &HashMap<&str, &Element>) -> Variable {
        let mut variable = Variable {
            name: plain(element, "name"),
            value_reference: self.number(element, "valueReference").unwrap_or(u32::MAX),
            description: plain(element, "description"),
            causality: self.word(element, "causality", causality).unwrap_or(Causality::Local),
            variability: self.word(element, "variability", Variability::parse).unwrap_or(Variability::Continuous),
            initial: self.word(element, "initial", Initial::parse),
            attributes: Arc::default(),
            kind: VariableType::Boolean { start: None },
        };
        let Some(kind) = element.children.iter().find(|child| child.name != "Annotations") else {
            self.problems.push(format!("line {}: variable \"{}\" has no type", element.line, variable.name));
            return variable;
        };
        let declared = kind.attribute("declaredType");
        let simple = declared.and_then(|name| types.get(name)).and_then(|simple| simple.child(&kind.name));
        if let (Some(name), None) = (declared, simple) {
            self.complain(kind, "declaredType", name, "is not a type of this kind");
        }
        variable.kind = self.kind(kind, simple, &variable.name);
        let bound = |reader: &mut Self, of: &Element, name: &str| reader.number::<i32>(of, name).map(f64::from);
        variable.attributes = Arc::new(self.attributes(kind, simple, &variable.kind, bound));
        variable
    }

    fn kind(&mut self, element: &Element, simple: Option<&Element>, name: &str) -> VariableType {
        match element.name.as_str() {
            "Real" => VariableType::Real {
                unit: with_attribute(element, simple, "unit").attribute("unit").map(str::to_owned),
                start: self.number(element, "start"),
                derivative: self.position(element, "derivative"),
            },
            "Integer" => VariableType::Integer {
                data_type: DataType::Int32,
                start: self.number::<i32>(element, "start").map(i128::from),
            },
            "Boolean" => VariableType::Boolean { start: self.word(element, "start", boolean) },
            "String" => VariableType::String { start: element.attribute("start").map(str::to_owned) },
            "Enumeration" => VariableType::Enumeration {
                declared_type: plain(element, "declaredType"),
                start: self.number(element, "start"),
            },
            other => {
                self.problems
                    .push(format!("line {}: variable \"{name}\" has the unknown type <{other}>", element.line));
                VariableType::Boolean { start: None }
            }
        }
    }

    /// The attributes that a variable of this kind has, or its type; `bound` reads that of a whole number.
    pub fn attributes(
        &mut self,
        element: &Element,
        simple: Option<&Element>,
        kind: &VariableType,
        bound: fn(&mut Self, &Element, &str) -> Option<f64>,
    ) -> RowAttributes<String> {
        let of = |name: &str| with_attribute(element, simple, name);
        match kind {
            VariableType::Real { .. } => read_real(Source {
                text: &|name| of(name).attribute(name).map(str::to_owned),
                number: &mut |name| self.number(of(name), name),
            }),
            VariableType::Integer { .. } => {
                let [min, max] = ["min", "max"].map(|name| bound(self, of(name), name));
                RowAttributes { min, max, ..RowAttributes::default() }
            }
            _ => RowAttributes::default(),
        }
    }

    fn enumeration(&mut self, simple: &Element) -> Option<Enumeration> {
        Some(self.enumeration_of(simple, simple.child("Enumeration")?))
    }

    /// Returns the type that an element declares, with the items among the children of another one.
    pub fn enumeration_of(&mut self, simple: &Element, items: &Element) -> Enumeration {
        let items = items.children.iter().filter(|child| child.name == "Item").zip(1..);
        Enumeration {
            name: plain(simple, "name").into(),
            description: plain(simple, "description").into(),
            aliases: Vec::new().into(),
            items: items
                .map(|(item, position)| Item {
                    name: plain(item, "name").into(),
                    description: plain(item, "description").into(),
                    value: self.number(item, "value").filter(|value| *value != position),
                })
                .collect(),
        }
    }

    fn unknown(&mut self, element: &Element, count: usize) -> Option<Unknown> {
        let index = self.position(element, "index");
        let mut positions = Vec::new();
        // An empty list means no dependencies, and every blank separates two entries.
        for word in element
            .attribute("dependencies")
            .filter(|list| !list.is_empty())
            .into_iter()
            .flat_map(|list| list.split(' '))
        {
            match word.parse::<usize>() {
                Ok(position) if (1..=count).contains(&position) => positions.push(position - 1),
                _ => self.complain(element, "dependencies", word, "is not the position of a variable"),
            }
        }
        match index {
            Some(index) if index < count => {
                let dependencies = element.attribute("dependencies").map(|_| positions);
                Some(Unknown { index, dependencies })
            }
            Some(index) => {
                self.complain(element, "index", &(index + 1).to_string(), "is not the position of a variable");
                None
            }
            None => None,
        }
    }

    /// Returns a position that XML counts from 1.
    fn position(&mut self, element: &Element, name: &str) -> Option<usize> {
        let position: usize = self.number(element, name)?;
        if position == 0 {
            self.complain(element, name, "0", "is not the position of a variable");
        }
        position.checked_sub(1)
    }

    pub fn number<T: FromStr>(&mut self, element: &Element, name: &str) -> Option<T> {
        let text = element.attribute(name)?;
        let number = text.trim().parse().ok();
        if number.is_none() {
            self.complain(element, name, text, "is not a valid number");
        }
        number
    }

    pub fn word<T>(&mut self, element: &Element, name: &str, meaning: fn(&str) -> Option<T>) -> Option<T> {
        let text = element.attribute(name)?;
        let value = meaning(text);
        if value.is_none() {
            self.complain(element, name, text, "is unknown");
        }
        value
    }

    pub fn complain(&mut self, element: &Element, name: &str, value: &str, reason: &str) {
        let of = element.attribute("name").map(|of| format!(" of \"{of}\"")).unwrap_or_default();
        self.problems.push(format!("line {}: {name}=\"{value}\"{of} {reason}", element.line));
    }
}

/// The element with an attribute: that of a variable, or else that of its type.
pub(super) fn with_attribute<'e>(variable: &'e Element, simple: Option<&'e Element>, name: &str) -> &'e Element {
    simple.filter(|_| variable.attribute(name).is_none()).unwrap_or(variable)
}

fn causality(text: &str) -> Option<Causality> {
    Causality::parse(text).filter(|causality| *causality != Causality::StructuralParameter)
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

pub(super) fn plain(element: &Element, name: &str) -> String {
    element.attribute(name).unwrap_or_default().to_owned()
}
