//! Causality, variability, initial and start; bounds, units, and value references.

use std::collections::HashMap;

use super::report::Report;
use crate::description::{Causality, Initial, RowAttributes, Variability, Variable, VariableType};
use crate::read::ModelDescription;

/// Returns default and allowed values of `initial`, if the combination is allowed at all.
///
/// No allowed values means that the attribute is forbidden.
fn initial_of(causality: Causality, variability: Variability) -> Option<(Option<Initial>, &'static [Initial])> {
    use Initial::{Approx, Calculated, Exact};
    Some(match (variability, causality) {
        (Variability::Constant, Causality::Output | Causality::Local)
        | (Variability::Fixed | Variability::Tunable, Causality::Parameter | Causality::StructuralParameter) => {
            (Some(Exact), &[Exact])
        }
        (Variability::Fixed | Variability::Tunable, Causality::CalculatedParameter | Causality::Local) => {
            (Some(Calculated), &[Calculated, Approx])
        }
        (Variability::Discrete | Variability::Continuous, Causality::Output | Causality::Local) => {
            (Some(Calculated), &[Exact, Approx, Calculated])
        }
        (Variability::Discrete | Variability::Continuous, Causality::Input)
        | (Variability::Continuous, Causality::Independent) => (None, &[]),
        _ => return None,
    })
}

/// Returns `initial` as written, or its default.
pub(super) fn effective_initial(variable: &Variable) -> Option<Initial> {
    variable.initial.or_else(|| initial_of(variable.causality, variable.variability)?.0)
}

pub(super) fn check(model: &ModelDescription, report: &mut Report) {
    let mut references: HashMap<(u8, u32), &str> = HashMap::new();
    for variable in &model.variables {
        attributes(variable, report);
        start(variable, model, report);
        units(variable, model, report);
        let name = &variable.name;
        report.prefer(!variable.description.contains(['"', '\\']), "9", || {
            format!("variable \"{name}\": the description contains a quotation mark or a backslash")
        });
        let other = references.insert((base_type(&variable.kind), variable.value_reference), name);
        report.house_rule(other.is_none(), "3.4", || {
            format!(
                "variables \"{}\" and \"{name}\" share the value reference {}",
                other.unwrap_or_default(),
                variable.value_reference
            )
        });
    }
    let independent = model.variables.iter().filter(|variable| variable.causality == Causality::Independent).count();
    report.expect(independent <= 1, "V-5", || format!("there are {independent} independent variables"));
}

/// Returns the number of the space of value references of a type.
fn base_type(kind: &VariableType) -> u8 {
    match kind {
        VariableType::Real { .. } => 0,
        VariableType::Integer { .. } | VariableType::Enumeration { .. } => 1,
        VariableType::Boolean { .. } => 2,
        VariableType::String { .. } => 3,
    }
}

pub(super) fn attributes(variable: &Variable, report: &mut Report) {
    let Variable { name, causality, variability, initial, .. } = variable;
    let allowed = initial_of(*causality, *variability);
    report.expect(allowed.is_some(), "3.1", || {
        format!("variable \"{name}\": causality {causality:?} does not go with variability {variability:?}")
    });
    if let (Some((_, allowed)), Some(initial)) = (allowed, initial) {
        report.expect(allowed.contains(initial), "3.1", || {
            format!("variable \"{name}\": initial {initial:?} does not go with {causality:?} and {variability:?}")
        });
    }
    let real = variable.is_real();
    report.expect(real || *variability != Variability::Continuous, "V-2", || {
        format!("variable \"{name}\" is continuous but not Real")
    });
    report.expect(real || *causality != Causality::Independent, "V-5", || {
        format!("variable \"{name}\" is independent but not Real")
    });
}

pub(super) fn start(variable: &Variable, model: &ModelDescription, report: &mut Report) {
    let Variable { name, causality, variability, .. } = variable;
    let initial = effective_initial(variable);
    let wanted = matches!(initial, Some(Initial::Exact | Initial::Approx))
        || matches!(causality, Causality::Input | Causality::Parameter | Causality::StructuralParameter)
        || *variability == Variability::Constant;
    let forbidden = initial == Some(Initial::Calculated) || *causality == Causality::Independent;
    let RowAttributes { min, max, nominal, .. } = &*variable.attributes;
    let present = match &variable.kind {
        VariableType::Real { start, .. } => {
            for (attribute, value) in [("start", start), ("min", min), ("max", max), ("nominal", nominal)] {
                report.expect(value.is_none_or(f64::is_finite), "X-2", || {
                    format!("variable \"{name}\": {attribute} is {}", value.unwrap_or_default())
                });
            }
            report.expect(nominal.is_none_or(|nominal| nominal > 0.0), "V-9", || {
                format!("variable \"{name}\": nominal {} is not positive", nominal.unwrap_or_default())
            });
            bounds(name, *start, *min, *max, report);
            start.is_some()
        }
        VariableType::Integer { start, .. } => {
            let [min, max] = variable.attributes.integer_bounds();
            bounds(name, *start, min, max, report);
            start.is_some()
        }
        VariableType::Boolean { start } => start.is_some(),
        VariableType::String { start } => start.is_some(),
        VariableType::Enumeration { declared_type, start } => {
            let declared = model.enumerations.iter().find(|enumeration| enumeration.name == *declared_type);
            if let (Some(start), Some(declared)) = (start, declared) {
                report.expect(declared.item(*start).is_some(), "V-9", || {
                    format!("variable \"{name}\": start {start} is not the value of an item of \"{declared_type}\"")
                });
            }
            start.is_some()
        }
    };
    report.expect(present || !wanted, "V-4", || format!("variable \"{name}\" lacks a start value"));
    report.expect(!present || !forbidden, "V-4", || format!("variable \"{name}\" must not have a start value"));
}

fn bounds<T: PartialOrd + std::fmt::Debug>(
    name: &str,
    start: Option<T>,
    min: Option<T>,
    max: Option<T>,
    report: &mut Report,
) {
    if let (Some(min), Some(max)) = (&min, &max) {
        report.expect(min <= max, "V-9", || format!("variable \"{name}\": min {min:?} is greater than max {max:?}"));
    }
    if let Some(start) = start {
        report.expect(min.as_ref().is_none_or(|min| start >= *min), "V-9", || {
            format!(
                "variable \"{name}\": start {start:?} is less than min {min:?}",
                min = min.as_ref().expect("violated")
            )
        });
        report.expect(max.as_ref().is_none_or(|max| start <= *max), "V-9", || {
            format!(
                "variable \"{name}\": start {start:?} is greater than max {max:?}",
                max = max.as_ref().expect("violated")
            )
        });
    }
}

pub(super) fn units(variable: &Variable, model: &ModelDescription, report: &mut Report) {
    let VariableType::Real { unit, .. } = &variable.kind else {
        return;
    };
    let name = &variable.name;
    let found = unit.as_ref().and_then(|unit| model.units.iter().find(|other| other.name == *unit));
    if let Some(unit) = unit {
        report.expect(found.is_some(), "U-1", || format!("variable \"{name}\": unit \"{unit}\" is not defined"));
    }
    if let Some(display) = &variable.attributes.display {
        report.expect(unit.is_some(), "U-4", || format!("variable \"{name}\" has a displayUnit but no unit"));
        let known = found.is_none_or(|unit| unit.display.iter().any(|other| other.name == *display));
        report.expect(known, "U-4", || format!("variable \"{name}\": displayUnit \"{display}\" is not defined"));
    }
}
