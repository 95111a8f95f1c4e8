//! Variables of FMI 3.0: value references, causality, variability, initial, start and units; clocks.

use std::collections::{HashMap, HashSet};

use crate::check::report::Report;
use crate::check::variables as common;
use crate::description::{Causality, DataType, Initial, Variable, VariableType};
use crate::read::ModelDescription;
use crate::read::element::Element;

const INTERVALS: [&str; 6] = ["constant", "fixed", "tunable", "changing", "countdown", "triggered"];

/// Checks the variables; `whole` has one variable for each of FMI 3.0.
pub(super) fn check(root: &Element, model: &ModelDescription, whole: &ModelDescription, report: &mut Report) {
    let variables = root.list("ModelVariables");
    references(variables, report);
    names(variables, whole, report);
    whole_numbers(variables, report);
    clocks(variables, report);
    for variable in &whole.variables {
        // Inputs start with their start values, which may be written.
        let is_exact_input = variable.causality == Causality::Input && variable.initial == Some(Initial::Exact);
        let initial = variable.initial.filter(|_| !is_exact_input);
        common::attributes(&Variable { initial, ..variable.clone() }, report);
        common::units(variable, model, report);
    }
    let is_written = |variable: &&Element| !variable.attribute("start").unwrap_or_default().trim().is_empty();
    let written: HashSet<Option<&str>> = variables.iter().filter(is_written).map(|it| it.attribute("name")).collect();
    for array in &model.arrays {
        for element in &model.variables[array.elements.clone()] {
            // A start value that is written, but cannot be read, is found there.
            if is_read(&element.kind) || !written.contains(&Some(array.name.as_str())) {
                common::start(element, model, report);
            }
        }
    }
    let count = whole.variables.iter().filter(|variable| variable.causality == Causality::Independent).count();
    report.expect(count == 1, "V-5", || format!("there are {count} independent variables, not one"));
}

/// Returns true if there is a start value.
fn is_read(kind: &VariableType) -> bool {
    match kind {
        VariableType::Real { start, .. } => start.is_some(),
        VariableType::Integer { start, .. } => start.is_some(),
        VariableType::Enumeration { start, .. } => start.is_some(),
        VariableType::Boolean { start } => start.is_some(),
        VariableType::String { start } => start.is_some(),
    }
}

/// Checks that value references are unique among all types.
fn references(variables: &[Element], report: &mut Report) {
    let mut known: HashMap<&str, &str> = HashMap::new();
    for variable in variables {
        let name = variable.attribute("name").unwrap_or_default();
        let reference = variable.attribute("valueReference").unwrap_or_default().trim();
        let other = known.insert(reference, name);
        report.expect(other.is_none(), "T-18", || {
            format!("variables \"{}\" and \"{name}\" share the value reference {reference}", other.unwrap_or_default())
        });
    }
}

/// Checks that aliases, and variables of the types that are not used, have names of their own.
fn names(variables: &[Element], whole: &ModelDescription, report: &mut Report) {
    let mut known: HashSet<&str> = whole.variables.iter().map(|variable| variable.name.as_str()).collect();
    for variable in variables {
        let own = Some(variable).filter(|variable| DataType::parse(&variable.name).is_none());
        for named in own.into_iter().chain(variable.children.iter().filter(|child| child.name == "Alias")) {
            let name = named.attribute("name").unwrap_or_default();
            report.expect(known.insert(name), "4.6", || format!("variable \"{name}\" exists twice"));
        }
    }
}

/// Checks that whole numbers are those of their type.
fn whole_numbers(variables: &[Element], report: &mut Report) {
    for variable in variables {
        let is_whole = |kind: &DataType| kind.is_whole() || *kind == DataType::Enumeration;
        let Some(kind) = DataType::parse(&variable.name).filter(is_whole) else { continue };
        let (least, most) = kind.limits();
        for attribute in ["start", "min", "max"] {
            for text in variable.attribute(attribute).unwrap_or_default().split_whitespace() {
                // What is not a number is found where it is read.
                let Ok(value) = text.parse::<i128>() else { continue };
                report.expect((least..=most).contains(&value), "T-17", || {
                    let (name, kind) = (variable.attribute("name").unwrap_or_default(), kind.name());
                    format!(
                        "variable \"{name}\": {attribute} {text} is not a number of the type {kind}, {least} to {most}"
                    )
                });
            }
        }
    }
}

fn clocks(variables: &[Element], report: &mut Report) {
    let is_clock = |reference: &str| {
        let mut clocks = variables.iter().filter(|variable| variable.name == "Clock");
        clocks.any(|clock| clock.attribute("valueReference") == Some(reference))
    };
    for variable in variables {
        let name = variable.attribute("name").unwrap_or_default();
        for reference in variable.attribute("clocks").unwrap_or_default().split_whitespace() {
            report.expect(is_clock(reference), "T-20", || {
                format!("variable \"{name}\" belongs to the clock {reference}, which does not exist")
            });
        }
        if let Some(reference) = variable.attribute("previous") {
            clocked_state(variable, reference, variables, report);
        }
        if variable.name == "Clock" {
            let interval = variable.attribute("intervalVariability").unwrap_or_default();
            report.expect(INTERVALS.contains(&interval), "T-20", || {
                format!("clock \"{name}\": intervalVariability \"{interval}\" is not one of {}", INTERVALS.join(", "))
            });
        }
    }
}

/// Checks a clocked state: it belongs to a clock, changes at events, and another variable of its type has its value before.
fn clocked_state(variable: &Element, reference: &str, variables: &[Element], report: &mut Report) {
    let name = variable.attribute("name").unwrap_or_default();
    report.expect(variable.attribute("clocks").is_some(), "T-20", || {
        format!("variable \"{name}\" has a previous value, but belongs to no clock")
    });
    let is_number = matches!(variable.name.as_str(), "Float32" | "Float64");
    let variability = variable.attribute("variability").unwrap_or(if is_number { "continuous" } else { "discrete" });
    report.expect(variability == "discrete", "T-20", || {
        format!("variable \"{name}\" has a previous value, but its variability is {variability}, not discrete")
    });
    let mut others = variables.iter();
    let previous = others.find(|other| other.attribute("valueReference").map(str::trim) == Some(reference.trim()));
    let fits = previous.is_some_and(|previous| previous.name == variable.name && !std::ptr::eq(previous, variable));
    report.expect(fits, "T-20", || {
        format!(
            "variable \"{name}\": its previous value {reference} is not another variable of the type {}",
            variable.name
        )
    });
}
