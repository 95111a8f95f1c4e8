//! Variables of FMI 3.0: value references, causality, variability, initial, start and units; clocks.

use std::collections::HashMap;

use crate::check::report::Report;
use crate::check::variables as common;
use crate::description::{Causality, Initial, Variable, VariableType};
use crate::read::ModelDescription;
use crate::read::element::Element;

const INTERVALS: [&str; 6] = ["constant", "fixed", "tunable", "changing", "countdown", "triggered"];

/// Checks the variables; `whole` has one variable for each of FMI 3.0.
pub(super) fn check(root: &Element, model: &ModelDescription, whole: &ModelDescription, report: &mut Report) {
    let variables = root.list("ModelVariables");
    references(variables, report);
    clocks(variables, report);
    for variable in &whole.variables {
        // Inputs start with their start values, which may be written.
        let is_exact_input = variable.causality == Causality::Input && variable.initial == Some(Initial::Exact);
        let initial = variable.initial.filter(|_| !is_exact_input);
        common::attributes(&Variable { initial, ..variable.clone() }, report);
        common::units(variable, model, report);
    }
    for array in &model.arrays {
        for (position, element) in model.variables[array.elements.clone()].iter().enumerate() {
            let mut element = element.clone();
            if let VariableType::Integer { start, .. } = &mut element.kind {
                // A start value beyond 32 bits is read as none.
                let written = array.start.get(position).and_then(|text| text.parse::<i128>().ok());
                *start = written.map(|value| value.clamp(i32::MIN.into(), i32::MAX.into()) as i32);
            }
            common::start(&element, model, report);
        }
    }
    let count = whole.variables.iter().filter(|variable| variable.causality == Causality::Independent).count();
    report.expect(count == 1, "V-5", || format!("there are {count} independent variables, not one"));
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
        if variable.name == "Clock" {
            let interval = variable.attribute("intervalVariability").unwrap_or_default();
            report.expect(INTERVALS.contains(&interval), "T-20", || {
                format!("clock \"{name}\": intervalVariability \"{interval}\" is not one of {}", INTERVALS.join(", "))
            });
        }
    }
}
