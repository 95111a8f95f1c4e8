//! The parameters of an FMU as parameters of the model, passed on to the instance.

use super::names::{array, elements, identifier, list_of, real, sizes, text};
use super::visualizers;
use crate::description::arrays::group_arrays;
use crate::description::{Causality, Description, Variable, VariableType};
use crate::shapes::Shape;

/// The parameters of a model.
#[derive(Default)]
pub(super) struct Parameters {
    /// Identifiers of the parameters.
    pub names: Vec<String>,
    /// Declarations of types and parameters, without semicolon.
    pub declarations: Vec<String>,
    /// Initial equations of parameters that follow from the frames, without semicolon.
    pub equations: Vec<String>,
    /// String parameters, which keep the values with which the FMU was built.
    pub fixed: Vec<String>,
    /// Value references with values: Reals, Integers with enumerations, Booleans as numbers.
    values: [(Vec<String>, Vec<String>); 3],
}

/// Returns the parameters of an FMU except some; those of shapes have their own tab.
pub(super) fn parameters(description: &Description, without: &[String], shapes: &[Shape]) -> Parameters {
    let mut parameters = Parameters::default();
    for group in group_arrays(&description.variables) {
        let members = &description.variables[group.members.clone()];
        match (members[0].causality, description.formulas.get(group.name)) {
            (Causality::Parameter, formula) if !without.iter().any(|name| name == group.name) => {
                let formula = formula.map(String::as_str);
                parameters.add(description, shapes, (group.name, &group.dimensions), members, formula);
            }
            (Causality::CalculatedParameter, Some(formula)) => {
                parameters.calculate(description, group.name, &group.dimensions, &members[0], formula);
            }
            _ => {}
        }
    }
    parameters
}

impl Parameters {
    /// Returns the arguments of the constructor: references and values of each type.
    pub fn arguments(&self) -> Vec<String> {
        let of_type = |(zero, (references, values)): (&str, &(Vec<String>, Vec<String>))| {
            [list_of("0", references), list_of(zero, values)]
        };
        ["0.0", "0", "0"].into_iter().zip(&self.values).flat_map(of_type).collect()
    }

    fn add(
        &mut self,
        description: &Description,
        shapes: &[Shape],
        (group, dimensions): (&str, &[usize]),
        members: &[Variable],
        formula: Option<&str>,
    ) {
        let name = identifier(group);
        let (kind, convert): (usize, fn(String) -> String) = match &members[0].kind {
            VariableType::Real { .. } => (0, |value| value),
            VariableType::Integer { .. } => (1, |value| value),
            VariableType::Enumeration { declared_type, .. } => {
                self.declare_type(description, declared_type);
                (1, |value| format!("Integer({value})"))
            }
            VariableType::Boolean { .. } => (2, |value| format!("(if {value} then 1 else 0)")),
            VariableType::String { .. } => return self.fixed.push(group.to_owned()),
        };
        let dialog = dialog(description, shapes, group, &members[0].kind);
        self.declarations.push(declaration(description, (&name, dimensions), members, &dialog, formula));
        self.names.push(name.clone());
        let (references, values) = &mut self.values[kind];
        references.extend(members.iter().map(|member| member.value_reference.to_string()));
        values.extend(elements(&name, dimensions).into_iter().map(convert));
    }

    /// Adds a parameter that follows from others, or from the frames at the start.
    fn calculate(
        &mut self,
        description: &Description,
        group: &str,
        dimensions: &[usize],
        member: &Variable,
        formula: &str,
    ) {
        let name = identifier(group);
        let text = text(&member.description);
        let (kind, mut attributes) = attributes(member);
        let of_frames = description.terminals.iter().any(|terminal| formula.contains(&format!("{}.", terminal.name)));
        if of_frames {
            attributes.push("fixed = false".to_owned());
            self.equations.push(format!("{name} = {formula}"));
        }
        let head = format!("parameter {kind} {name}{}{}", sizes(dimensions), modifications(dimensions, attributes));
        self.declarations.push(match of_frames {
            true => format!("{head} {text}\n    annotation (Dialog(enable = false))"),
            false => format!("final {head} = {formula} {text}"),
        });
        self.names.push(name);
    }

    fn declare_type(&mut self, description: &Description, name: &str) {
        let Some(enumeration) = description.enumerations.iter().find(|enumeration| enumeration.name == name) else {
            return;
        };
        let items = enumeration.items.iter().map(|item| format!("{} {}", item.name, text(&item.description)));
        let declaration = format!("type {} = enumeration({})", choice(name), items.collect::<Vec<_>>().join(", "));
        if !self.declarations.contains(&declaration) {
            self.declarations.push(declaration);
        }
    }
}

/// Returns the name of the type of an enumeration. A parameter may have the enumeration's own name.
fn choice(enumeration: &str) -> String {
    format!("{enumeration}Choice")
}

/// Returns attributes in parentheses, for each element of an array.
fn modifications(dimensions: &[usize], attributes: Vec<String>) -> String {
    let each = if dimensions.is_empty() { "" } else { "each " };
    let attributes: Vec<String> = attributes.into_iter().map(|attribute| format!("{each}{attribute}")).collect();
    if attributes.is_empty() { String::new() } else { format!("({})", attributes.join(", ")) }
}

/// Returns the place of a parameter in the dialog: those of shapes and tables have tabs, and rows that belong together
/// a group, as do those of a part of a system.
fn dialog(description: &Description, shapes: &[Shape], name: &str, kind: &VariableType) -> String {
    let drawn = shapes.iter().flat_map(visualizers::parameters).find(|(drawn, _)| *drawn == name);
    let mut place = Vec::new();
    if drawn.is_some() {
        place.push("tab = \"Animation\"".to_owned());
    } else if description.tables.iter().any(|table| table.name == name) {
        place.push("tab = \"Tables\"".to_owned());
    }
    let group = match (description.headings.get(name), kind) {
        (Some(heading), _) => Some(capitalised(heading)),
        _ if name.contains('.') => name.rsplit_once('.').map(|(part, _)| part.to_owned()),
        _ if !place.is_empty() => None,
        (None, VariableType::Real { .. }) => Some("Parameters".to_owned()),
        _ => Some("Options".to_owned()),
    };
    place.extend(group.map(|group| format!("group = {}", text(&group))));
    if let Some((_, is_color)) = drawn {
        place.push("enable = animation".to_owned());
        place.extend(is_color.then(|| "colorSelector = true".to_owned()));
    }
    let choices = if matches!(kind, VariableType::Boolean { .. }) { ", choices(checkBox = true)" } else { "" };
    format!("Dialog({}){choices}", place.join(", "))
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

fn declaration(
    description: &Description,
    (name, dimensions): (&str, &[usize]),
    members: &[Variable],
    dialog: &str,
    formula: Option<&str>,
) -> String {
    let value = || {
        let values: Vec<String> = members.iter().map(|variable| start(description, &variable.kind)).collect();
        array(&values, dimensions)
    };
    let (kind, attributes) = attributes(&members[0]);
    format!(
        "parameter {kind} {name}{}{} = {} {}\n    annotation ({dialog})",
        sizes(dimensions),
        modifications(dimensions, attributes),
        formula.map_or_else(value, str::to_owned),
        text(&members[0].description),
    )
}

/// Name of the type, and its attributes.
fn attributes(variable: &Variable) -> (String, Vec<String>) {
    let quoted = |name: &str, value: &Option<String>| value.as_ref().map(|value| format!("{name} = {}", text(value)));
    let bound = |name: &str, value: Option<String>| value.map(|value| format!("{name} = {value}"));
    let attributes = &variable.attributes;
    match &variable.kind {
        VariableType::Real { unit, .. } => {
            let units = [quoted("unit", unit), quoted("displayUnit", &attributes.display)];
            let bounds = [bound("min", attributes.min.map(real)), bound("max", attributes.max.map(real))];
            ("Real".to_owned(), units.into_iter().chain(bounds).flatten().collect())
        }
        VariableType::Integer { .. } => {
            let bounds = ["min", "max"].into_iter().zip(attributes.integer_bounds());
            let bounds = bounds.filter_map(|(name, value)| bound(name, value.map(|value| value.to_string())));
            ("Integer".to_owned(), bounds.collect())
        }
        VariableType::Boolean { .. } => ("Boolean".to_owned(), Vec::new()),
        VariableType::Enumeration { declared_type, .. } => (choice(declared_type), Vec::new()),
        VariableType::String { .. } => ("String".to_owned(), Vec::new()),
    }
}

fn start(description: &Description, kind: &VariableType) -> String {
    match kind {
        VariableType::Real { start, .. } => real(start.unwrap_or_default()),
        VariableType::Integer { start, .. } => start.unwrap_or_default().to_string(),
        VariableType::Enumeration { declared_type, start } => {
            let number = start.unwrap_or(1);
            let enumeration = description.enumerations.iter().find(|enumeration| enumeration.name == *declared_type);
            let item = enumeration.and_then(|enumeration| enumeration.items.get(usize::try_from(number - 1).ok()?));
            item.map_or_else(|| number.to_string(), |item| format!("{}.{}", choice(declared_type), item.name))
        }
        VariableType::Boolean { start } => start.unwrap_or_default().to_string(),
        VariableType::String { start } => text(start.as_deref().unwrap_or_default()),
    }
}
