//! The root element, interfaces, units, types, log categories and experiment.

use std::collections::{HashMap, HashSet};

use super::report::Report;
use crate::read::ModelDescription;
use crate::read::element::Element;

pub(super) fn check(model: &ModelDescription, root: &Element, report: &mut Report) {
    report
        .expect(model.fmi_version == "2.0", "4.2", || format!("fmiVersion is \"{}\", not \"2.0\"", model.fmi_version));
    report.house_rule(is_guid(&model.guid), "4.2", || {
        format!("guid \"{}\" is not of the form {{8-4-4-4-12 hexadecimal digits}}", model.guid)
    });
    root_attributes(model, report);
    interfaces(model, report);
    units(model, report);
    types(root.list("TypeDefinitions").iter().map(|simple| (simple, simple.child("Enumeration"))), model, report);
    log_categories(model, report);
    experiment(model, report);
}

/// Checks the attributes of the root element that both standards have.
pub(super) fn root_attributes(model: &ModelDescription, report: &mut Report) {
    report.expect(!model.model_name.is_empty(), "4.2", || "modelName is empty".to_owned());
    let text = model.description.as_deref().unwrap_or_default();
    report.prefer(!text.contains(['"', '\\']), "9", || {
        "the description of the model contains a quotation mark or a backslash".to_owned()
    });
    if let Some(date) = &model.generation_date_and_time {
        // The schema allows fractions of seconds and other time zones as well.
        let form = || format!("generationDateAndTime \"{date}\" is not of the form YYYY-MM-DDThh:mm:ssZ");
        if begins_as_date(date) {
            report.prefer(date.len() == DATE.len() && date.ends_with('Z'), "4.2", form);
        } else {
            report.expect(false, "4.2", form);
        }
    }
    let convention = model.variable_naming_convention.as_str();
    report.expect(matches!(convention, "flat" | "structured"), "4.2", || {
        format!("variableNamingConvention is \"{convention}\"")
    });
}

/// Returns true for `{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}` with hexadecimal digits.
fn is_guid(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) else {
        return false;
    };
    let parts: Vec<&str> = inner.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The form that the standard recommends, with 0 for digits.
const DATE: &str = "0000-00-00T00:00:00Z";

/// Returns true if a text has the form up to the seconds.
fn begins_as_date(text: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() >= DATE.len() - 1 && text.bytes().zip(DATE.bytes()).take(DATE.len() - 1).all(fits)
}

fn interfaces(model: &ModelDescription, report: &mut Report) {
    let interfaces = [("ModelExchange", &model.model_exchange), ("CoSimulation", &model.co_simulation)];
    report.expect(interfaces.iter().any(|(_, interface)| interface.is_some()), "X-4", || {
        "there is neither ModelExchange nor CoSimulation".to_owned()
    });
    for (name, interface) in interfaces {
        let Some(interface) = interface else { continue };
        let identifier = &interface.model_identifier;
        model_identifier(name, identifier, report);
        report.house_rule(identifier.starts_with(|first: char| first.is_ascii_uppercase()), "9", || {
            format!("{name}: modelIdentifier \"{identifier}\" does not begin with an upper-case letter")
        });
        let flag = |flag: &str| interface.flags.iter().any(|other| other == flag);
        report.expect(flag("canGetAndSetFMUstate") || !flag("canSerializeFMUstate"), "4.3", || {
            format!("{name}: canSerializeFMUstate needs canGetAndSetFMUstate")
        });
        report.house_rule(flag("canNotUseMemoryManagementFunctions"), "6.1", || {
            format!("{name}: canNotUseMemoryManagementFunctions is not true")
        });
    }
}

/// Checks the name of the library of an interface.
pub(super) fn model_identifier(interface: &str, identifier: &str, report: &mut Report) {
    report.expect(is_c_identifier(identifier), "4.3", || {
        format!("{interface}: modelIdentifier \"{identifier}\" is not a C identifier")
    });
    report.prefer(identifier.len() <= 55, "N-5", || {
        format!("{interface}: modelIdentifier \"{identifier}\" has more than 55 characters")
    });
}

/// Returns true for a letter or underscore, followed by letters, digits and underscores.
fn is_c_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

pub(super) fn units(model: &ModelDescription, report: &mut Report) {
    let mut names = HashSet::new();
    for unit in &model.units {
        let name = &unit.name;
        report.expect(names.insert(name), "U-1", || format!("unit \"{name}\" is defined twice"));
        report.expect(!name.contains(['\r', '\n', '\t']), "X-3", || format!("unit {name:?} has control characters"));
        report.expect(unit.factor != 0.0 && unit.factor.is_finite(), "U-2", || {
            format!("unit \"{name}\" has the factor {}", unit.factor)
        });
        let mut displays = HashSet::new();
        for display in unit.display.iter() {
            report.expect(displays.insert(&display.name), "U-3", || {
                format!("unit \"{name}\" has two display units \"{}\"", display.name)
            });
            let usable = display.factor != 0.0 && display.factor.is_finite() && display.offset.is_finite();
            report.expect(usable, "U-3", || {
                format!(
                    "display unit \"{}\" has the factor {} and the offset {}",
                    display.name, display.factor, display.offset
                )
            });
        }
    }
}

/// Checks the types, each with the element that has its items if it is an enumeration.
pub(super) fn types<'e>(
    types: impl Iterator<Item = (&'e Element, Option<&'e Element>)>,
    model: &ModelDescription,
    report: &mut Report,
) {
    let variables: HashSet<&str> = model.variables.iter().map(|variable| variable.name.as_str()).collect();
    let mut names = HashSet::new();
    for (definition, enumeration) in types {
        let name = definition.attribute("name").unwrap_or_default();
        report.expect(names.insert(name), "4.5", || format!("type \"{name}\" is defined twice"));
        report.expect(!variables.contains(name), "4.5", || format!("type \"{name}\" has the name of a variable"));
        let Some(enumeration) = enumeration else { continue };
        let mut items = HashSet::new();
        let mut values = HashMap::new();
        for item in enumeration.children.iter().filter(|child| child.name == "Item") {
            let (item, value) =
                (item.attribute("name").unwrap_or_default(), item.attribute("value").unwrap_or_default());
            report.expect(items.insert(item), "4.5", || format!("type \"{name}\" has two items \"{item}\""));
            report.prefer(is_c_identifier(item), "4.5", || {
                format!("type \"{name}\": item \"{item}\" is not an identifier")
            });
            let other = values.insert(value, item);
            report.expect(other.is_none(), "4.5", || {
                format!(
                    "type \"{name}\": items \"{}\" and \"{item}\" have the same value {value}",
                    other.unwrap_or_default()
                )
            });
        }
    }
}

pub(super) fn log_categories(model: &ModelDescription, report: &mut Report) {
    report.house_rule(!model.log_categories.is_empty(), "L-5", || "there are no LogCategories".to_owned());
    let mut names = HashSet::new();
    for category in &model.log_categories {
        report.expect(names.insert(&category.name), "4.9", || {
            format!("log category \"{}\" is defined twice", category.name)
        });
    }
}

pub(super) fn experiment(model: &ModelDescription, report: &mut Report) {
    let experiment = model.default_experiment;
    let start = experiment.start_time.unwrap_or(0.0);
    let span = experiment.stop_time.map(|stop| stop - start);
    report.expect(start.is_finite() && span.is_none_or(|span| span > 0.0 && span.is_finite()), "4.9", || {
        let stop = experiment.stop_time.map_or_else(|| "(absent)".to_owned(), |stop| stop.to_string());
        format!("DefaultExperiment: stopTime {stop} is not after startTime {start}")
    });
    if let Some(step) = experiment.step_size {
        report.expect(step > 0.0 && step.is_finite(), "4.9", || {
            format!("DefaultExperiment: stepSize {step} is not positive")
        });
        report.prefer(span.is_none_or(|span| step <= span), "4.9", || {
            format!("DefaultExperiment: stepSize {step} is longer than the experiment")
        });
    }
    if let Some(tolerance) = experiment.tolerance {
        report.expect(tolerance > 0.0 && tolerance.is_finite(), "4.9", || {
            format!("DefaultExperiment: tolerance {tolerance} is not positive")
        });
    }
}
