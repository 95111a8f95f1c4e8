//! A document of FMI 3.0 as a [`ModelDescription`]: the elements of arrays become scalar variables, named as in FMI 2.0.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::element::Element;
use super::interpret::{Reader, boolean, plain, with_attribute};
use super::model::{ArrayVariable, ModelDescription};
use crate::description::{Causality, DataType, Initial, ModelStructure, Unknown, Variability, Variable, VariableType};

/// Largest number of elements that are read; each takes memory for its name and attributes.
const MAX_ELEMENTS: usize = 1_000_000;

/// An element of `ModelVariables` with its type and sizes.
struct Declared<'e> {
    element: &'e Element,
    kind: DataType,
    sizes: Vec<usize>,
    count: usize,
    simple: Option<&'e Element>,
}

impl Reader<'_> {
    pub fn model_3(&mut self, root: &Element) -> ModelDescription {
        let general = self.general(root);
        let mut left_out = Vec::new();
        if root.child("ScheduledExecution").is_some() {
            left_out.push("Scheduled Execution is not used".to_owned());
        }
        let declared = self.declared(root, &mut left_out);
        let mut model = ModelDescription {
            guid: plain(root, "instantiationToken"),
            enumerations: (root.list("TypeDefinitions").iter())
                .filter(|simple| simple.name == "EnumerationType")
                .map(|simple| self.enumeration_of(simple, simple))
                .collect(),
            left_out,
            ..general
        };
        for declared in &declared {
            self.array(declared, &mut model);
        }
        let by_reference: HashMap<u32, usize> =
            model.arrays.iter().enumerate().map(|(number, array)| (array.value_reference, number)).collect();
        self.states(&declared, &by_reference, &mut model);
        self.aliases(&declared, &mut model);
        self.structure(root, &by_reference, &mut model);
        model
    }

    /// Returns the variables that have numbers or texts as values.
    fn declared<'e>(&mut self, root: &'e Element, left_out: &mut Vec<String>) -> Vec<Declared<'e>> {
        let types: HashMap<&str, &Element> = root
            .list("TypeDefinitions")
            .iter()
            .filter_map(|simple| Some((simple.attribute("name")?, simple)))
            .collect();
        let variables = root.list("ModelVariables");
        let starts: HashMap<&str, &Element> = variables
            .iter()
            .filter(|variable| variable.name.starts_with("UInt") || variable.name.starts_with("Int"))
            .filter_map(|variable| Some((variable.attribute("valueReference")?, variable)))
            .collect();
        let mut declared = Vec::new();
        let mut total = 0_usize;
        for element in variables {
            let name = plain(element, "name");
            let Some(kind) = DataType::parse(&element.name) else {
                match element.name.as_str() {
                    "Binary" | "Clock" => left_out.push(format!("`{name}` is a {}, which is not used", element.name)),
                    other => {
                        self.problems.push(format!("line {}: \"{name}\" has the unknown type <{other}>", element.line))
                    }
                }
                continue;
            };
            let sizes: Vec<usize> = (element.children.iter())
                .filter(|child| child.name == "Dimension")
                .filter_map(|dimension| self.size(dimension, &name, &starts))
                .collect();
            let count = sizes.iter().try_fold(1_usize, |count, size| count.checked_mul(*size)).unwrap_or(usize::MAX);
            total = total.saturating_add(count);
            if total > MAX_ELEMENTS {
                self.problems.push(format!(
                    "line {}: with \"{name}\" there are more than {MAX_ELEMENTS} elements of arrays",
                    element.line
                ));
                break;
            }
            let simple = element.attribute("declaredType").and_then(|declared| {
                let simple =
                    types.get(declared).copied().filter(|simple| simple.name == format!("{}Type", kind.name()));
                if simple.is_none() {
                    self.complain(element, "declaredType", declared, "is not a type of this kind");
                }
                simple
            });
            declared.push(Declared { element, kind, sizes, count, simple });
        }
        declared
    }

    /// Returns the size of a dimension, which may be the start value of a structural parameter.
    fn size(&mut self, dimension: &Element, name: &str, starts: &HashMap<&str, &Element>) -> Option<usize> {
        if dimension.attribute("start").is_some() {
            return self.number(dimension, "start");
        }
        let reference = plain(dimension, "valueReference");
        let Some(parameter) = starts.get(reference.as_str()) else {
            let line = dimension.line;
            self.problems.push(format!(
                "line {line}: a dimension of \"{name}\" is of the value reference \"{reference}\", which no structural \
                 parameter has"
            ));
            return None;
        };
        self.number(parameter, "start")
    }

    /// Appends the elements of a variable to the scalar variables.
    fn array(&mut self, declared: &Declared<'_>, model: &mut ModelDescription) {
        let Declared { element, kind, sizes, count, simple } = declared;
        let name = plain(element, "name");
        let start = self.starts(declared);
        let first = model.variables.len();
        let causality = self.word(element, "causality", Causality::parse).unwrap_or(Causality::Local);
        let is_fixed =
            matches!(causality, Causality::Parameter | Causality::CalculatedParameter | Causality::StructuralParameter);
        let default = match kind {
            _ if is_fixed => Variability::Fixed,
            DataType::Float32 | DataType::Float64 => Variability::Continuous,
            _ => Variability::Discrete,
        };
        let kind_3 = kind_3(element, *kind, *simple);
        let scalar = Variable {
            name: name.clone(),
            value_reference: 0,
            description: plain(element, "description"),
            causality,
            variability: self.word(element, "variability", Variability::parse).unwrap_or(default),
            initial: self.word(element, "initial", Initial::parse),
            attributes: Arc::new(self.attributes(element, *simple, &kind_3, Self::bound)),
            kind: kind_3,
        };
        for (number, indices) in indices(sizes).take(*count).enumerate() {
            let mut one = scalar.clone();
            one.name += &indices;
            one.value_reference = (first + number) as u32;
            if let Some(text) = start.get(number) {
                one.kind = self.started(element, one.kind, text);
            }
            model.variables.push(one);
        }
        model.arrays.push(ArrayVariable {
            name,
            value_reference: self.number(element, "valueReference").unwrap_or(u32::MAX),
            data_type: *kind,
            sizes: sizes.clone(),
            elements: first..first + count,
            start,
            intermediate_update: element.attribute("intermediateUpdate").and_then(boolean) == Some(true),
        });
    }

    /// Returns the start values of the elements; a single one is that of all.
    fn starts(&mut self, declared: &Declared<'_>) -> Vec<String> {
        let Declared { element, kind, count, .. } = declared;
        let written: Vec<String> = match kind {
            DataType::String => {
                let children = element.children.iter().filter(|child| child.name == "Start");
                children.map(|child| plain(child, "value")).collect()
            }
            _ => element.attribute("start").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        };
        match written.len() {
            0 => written,
            given if given == *count => written,
            1 => vec![written[0].clone(); *count],
            given => {
                let reason = format!("has {given} values, but the variable has {count}");
                self.complain(element, "start", &written.join(" "), &reason);
                Vec::new()
            }
        }
    }

    /// A bound of a whole number, if bounds can have this value exactly.
    fn bound(&mut self, element: &Element, name: &str) -> Option<f64> {
        let bound = self.number::<i128>(element, name)?;
        Some(bound as f64).filter(|near| *near as i128 == bound)
    }

    /// Returns a type with a start value.
    fn started(&mut self, element: &Element, kind: VariableType, text: &str) -> VariableType {
        let wrong = |reader: &mut Self, reason: &str| reader.complain(element, "start", text, reason);
        match kind {
            VariableType::Real { unit, derivative, .. } => {
                let start = text.parse().ok();
                if start.is_none() {
                    wrong(self, "is not a valid number");
                }
                VariableType::Real { unit, start, derivative }
            }
            VariableType::Integer { data_type, .. } => {
                let start = text.parse().ok();
                if start.is_none() {
                    wrong(self, "is not a whole number");
                }
                VariableType::Integer { data_type, start }
            }
            VariableType::Boolean { .. } => {
                let start = boolean(text);
                if start.is_none() {
                    wrong(self, "is neither true nor false");
                }
                VariableType::Boolean { start }
            }
            VariableType::String { .. } => VariableType::String { start: Some(text.to_owned()) },
            VariableType::Enumeration { declared_type, .. } => {
                let start = text.parse().ok();
                if start.is_none() {
                    wrong(self, "is not a whole number");
                }
                VariableType::Enumeration { declared_type, start }
            }
        }
    }

    /// Assigns each element of a derivative to the element of its state.
    fn states(&mut self, declared: &[Declared<'_>], by_reference: &HashMap<u32, usize>, model: &mut ModelDescription) {
        for (number, Declared { element, .. }) in declared.iter().enumerate() {
            let Some(text) = element.attribute("derivative") else { continue };
            let state = text.trim().parse().ok().and_then(|reference: u32| by_reference.get(&reference));
            let Some(state) = state else {
                self.complain(element, "derivative", text, "is not the value reference of a variable");
                continue;
            };
            let (states, derivatives) = (model.arrays[*state].elements.clone(), model.arrays[number].elements.clone());
            if states.len() != derivatives.len() {
                self.complain(element, "derivative", text, "is of a variable with another number of elements");
                continue;
            }
            for (state, derivative) in states.zip(derivatives) {
                if let VariableType::Real { derivative, .. } = &mut model.variables[derivative].kind {
                    *derivative = Some(state);
                }
            }
        }
    }

    /// Adds other names of variables as local variables with the value references of their elements.
    fn aliases(&mut self, declared: &[Declared<'_>], model: &mut ModelDescription) {
        for (number, Declared { element, sizes, .. }) in declared.iter().enumerate() {
            for alias in element.children.iter().filter(|child| child.name == "Alias") {
                let elements = model.arrays[number].elements.clone();
                for (position, indices) in elements.zip(indices(sizes)) {
                    let mut other = model.variables[position].clone();
                    other.name = plain(alias, "name") + &indices;
                    if let Some(text) = alias.attribute("description") {
                        other.description = text.to_owned();
                    }
                    // It is no other parameter, input or output, nor another state.
                    (other.causality, other.initial) = (Causality::Local, None);
                    if let VariableType::Real { derivative, start, .. } = &mut other.kind {
                        (*derivative, *start) = (None, None);
                        let display = &mut Arc::make_mut(&mut other.attributes).display;
                        *display = alias.attribute("displayUnit").map(str::to_owned).or(display.take());
                    }
                    model.variables.push(other);
                }
            }
        }
    }

    /// The lists of unknowns by their elements, each with all elements of what the array depends on. Mistakes in the
    /// dependencies are left to the checks, which read the document.
    fn structure(&mut self, root: &Element, by_reference: &HashMap<u32, usize>, model: &mut ModelDescription) {
        let mut structure = ModelStructure::default();
        // The variables that are left out may be outputs, and others may depend on them.
        let not_used: HashSet<u32> = (root.list("ModelVariables").iter())
            .filter(|variable| matches!(variable.name.as_str(), "Binary" | "Clock"))
            .filter_map(|variable| variable.attribute("valueReference")?.trim().parse().ok())
            .collect();
        for element in root.list("ModelStructure") {
            let text = plain(element, "valueReference");
            let reference: Option<u32> = text.trim().parse().ok();
            let array = reference.and_then(|reference| by_reference.get(&reference));
            let Some(array) = array else {
                let is_left_out = reference.is_some_and(|reference| not_used.contains(&reference));
                if element.name != "ClockedState" && !is_left_out {
                    self.complain(element, "valueReference", &text, "is not that of a variable");
                }
                continue;
            };
            let elements = model.arrays[*array].elements.clone();
            let list = match element.name.as_str() {
                "Output" => &mut structure.outputs,
                "ContinuousStateDerivative" => &mut structure.derivatives,
                "InitialUnknown" => &mut structure.initial_unknowns,
                "EventIndicator" => {
                    model.number_of_event_indicators += elements.len();
                    continue;
                }
                _ => continue,
            };
            let dependencies = element.attribute("dependencies").and_then(|references| {
                let references: Option<Vec<u32>> =
                    references.split_ascii_whitespace().map(|reference| reference.parse().ok()).collect();
                let used = references?.into_iter().filter(|reference| !not_used.contains(reference));
                let arrays: Option<Vec<&usize>> = used.map(|reference| by_reference.get(&reference)).collect();
                let mut positions: Vec<usize> =
                    arrays?.into_iter().flat_map(|array| model.arrays[*array].elements.clone()).collect();
                positions.sort_unstable();
                Some(positions)
            });
            list.extend(elements.map(|index| Unknown { index, dependencies: dependencies.clone() }));
        }
        model.model_structure = structure;
    }
}

/// The type of a variable, without a start value.
fn kind_3(element: &Element, kind: DataType, simple: Option<&Element>) -> VariableType {
    match kind {
        DataType::Float32 | DataType::Float64 => VariableType::Real {
            unit: with_attribute(element, simple, "unit").attribute("unit").map(str::to_owned),
            start: None,
            derivative: None,
        },
        DataType::Boolean => VariableType::Boolean { start: None },
        DataType::String => VariableType::String { start: None },
        DataType::Enumeration => {
            VariableType::Enumeration { declared_type: plain(element, "declaredType"), start: None }
        }
        data_type => VariableType::Integer { data_type, start: None },
    }
}

/// The indices of all elements as they follow a name, the last one fastest; nothing of a scalar.
fn indices(sizes: &[usize]) -> impl Iterator<Item = String> {
    let count = sizes.iter().product::<usize>();
    (0..count).map(|number| {
        let mut rest = number;
        let mut parts: Vec<String> = Vec::new();
        for size in sizes.iter().rev() {
            parts.push((rest % size + 1).to_string());
            rest /= size;
        }
        parts.reverse();
        if parts.is_empty() { String::new() } else { format!("[{}]", parts.join(",")) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::description::model_description_3::model_description_3;
    use crate::example::description_3;
    use crate::read::element::parse;
    use crate::read::interpret::interpret;

    fn read(text: &str) -> ModelDescription {
        let (model, problems) = interpret(&parse(text).unwrap());
        assert_eq!(problems, Vec::<String>::new());
        model
    }

    /// Returns the type without the position of the state: positions differ, since time is a variable of its own.
    fn without_derivative(variable: &Variable) -> VariableType {
        let mut kind = variable.kind.clone();
        if let VariableType::Real { derivative, .. } = &mut kind {
            *derivative = None;
        }
        kind
    }

    #[test]
    fn arrays_become_the_scalar_variables_of_fmi_2() {
        let written = description_3();
        let model = read(&model_description_3(&written, None).unwrap());
        for expected in &written.variables {
            let found = model.variables.iter().find(|variable| variable.name == expected.name).expect(&expected.name);
            assert_eq!((found.causality, found.initial), (expected.causality, expected.initial), "{}", expected.name);
            assert_eq!(without_derivative(found), without_derivative(expected), "{}", expected.name);
        }
        let names = |unknowns: &[Unknown], of: &[Variable]| -> Vec<String> {
            unknowns.iter().map(|unknown| of[unknown.index].name.clone()).collect()
        };
        for (found, expected) in [
            (&model.model_structure.outputs, &written.model_structure.outputs),
            (&model.model_structure.derivatives, &written.model_structure.derivatives),
        ] {
            assert_eq!(names(found, &model.variables), names(expected, &written.variables));
        }
        assert_eq!(model.number_of_event_indicators, written.event_indicators);
        let array = model.arrays.iter().find(|array| array.name == "table").unwrap();
        assert_eq!((array.value_reference, &array.sizes[..]), (2_000_000_000, &[2, 2][..]));
        assert_eq!(model.variables[array.elements.clone()][3].name, "table[2,2]");
    }

    /// A Binary or a Clock may be an output, and others may depend on it, as in the Feedthrough of the Reference FMUs.
    #[test]
    fn outputs_that_are_not_used_are_left_out_of_the_structure() {
        let variable = |kind: &str, reference: u32, causality: &str| {
            format!("<{kind} name=\"v{reference}\" valueReference=\"{reference}\" causality=\"{causality}\"/>")
        };
        let text = format!(
            "<fmiModelDescription fmiVersion=\"3.0\"><ModelVariables>{}{}{}{}</ModelVariables><ModelStructure>\
             <Output valueReference=\"1\" dependencies=\"4 3\"/><Output valueReference=\"2\" dependencies=\"3\"/>\
             <InitialUnknown valueReference=\"2\"/></ModelStructure></fmiModelDescription>",
            variable("Float64", 1, "output"),
            variable("Clock", 2, "output"),
            variable("Binary", 3, "input"),
            variable("Float64", 4, "input"),
        );
        let model = read(&text);
        let name = |index: &usize| model.variables[*index].name.as_str();
        let outputs = &model.model_structure.outputs;
        assert_eq!(outputs.iter().map(|output| name(&output.index)).collect::<Vec<_>>(), ["v1"]);
        assert_eq!(outputs[0].dependencies.iter().flatten().map(name).collect::<Vec<_>>(), ["v4"]);
        assert!(model.model_structure.initial_unknowns.is_empty());
        // Another reference is still a mistake.
        let wrong = text.replace("<Output valueReference=\"2\"", "<Output valueReference=\"9\"");
        let (_, problems) = interpret(&parse(&wrong).unwrap());
        assert_eq!(problems, ["line 1: valueReference=\"9\" is not that of a variable"]);
    }

    #[test]
    fn what_is_not_used_is_said() {
        let text = "<fmiModelDescription fmiVersion=\"3.0\"><ScheduledExecution modelIdentifier=\"m\"/><ModelVariables>\
                    <Clock name=\"k\" valueReference=\"1\"/><Binary name=\"b\" valueReference=\"2\"/>\
                    <Int64 name=\"i\" valueReference=\"3\" start=\"5000000000\"><Alias name=\"j\"/></Int64></ModelVariables>\
                    <ModelStructure/></fmiModelDescription>";
        let model = read(text);
        assert_eq!(
            model.left_out,
            [
                "Scheduled Execution is not used", "`k` is a Clock, which is not used",
                "`b` is a Binary, which is not used"
            ]
        );
        assert_eq!(model.arrays[0].start, ["5000000000"]);
        let names: Vec<_> = model.variables.iter().map(|it| (it.name.as_str(), it.value_reference)).collect();
        assert_eq!(names, [("i", 0), ("j", 0)]);
    }
}
