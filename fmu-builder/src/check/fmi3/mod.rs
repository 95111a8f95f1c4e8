//! The rules of FMI 3.0 where they are not those of FMI 2.0.

mod archive;
mod arrays;
mod model_structure;
mod schema;
mod variables;

use crate::check::header::{experiment, log_categories, model_identifier, root_attributes, types, units};
use crate::check::names::check as check_names;
use crate::check::report::Report;
use crate::description::Variable;
use crate::read::ModelDescription;
use crate::read::element::Element;

pub(super) use archive::check_files;

/// Checks the document.
pub(super) fn check(root: &Element, model: &ModelDescription, report: &mut Report) {
    schema::check(root, report);
    report.expect(is_version(&model.fmi_version), "4.2", || {
        format!("fmiVersion is \"{}\", not \"3.0\" or a later one such as \"3.1\"", model.fmi_version)
    });
    root_attributes(model, report);
    report.expect(!model.guid.is_empty(), "T-17", || "instantiationToken is empty".to_owned());
    interfaces(model, report);
    units(model, report);
    log_categories(model, report);
    experiment(model, report);
    let whole = whole_variables(model);
    let definitions = root.list("TypeDefinitions").iter();
    types(definitions.map(|kind| (kind, Some(kind).filter(|kind| kind.name == "EnumerationType"))), &whole, report);
    check_names(&whole, report);
    variables::check(root, model, &whole, report);
    arrays::check(root, report);
    model_structure::check(root, report);
}

/// Returns true for 3.0 and later minor versions, with a patch or the name of a draft: `3.0-beta.2`.
fn is_version(text: &str) -> bool {
    let is_number = |part: &str| part.parse::<u32>().is_ok_and(|number| number.to_string() == part);
    let (numbers, draft) = text.split_once('-').map_or((text, None), |(numbers, draft)| (numbers, Some(draft)));
    let mut parts = numbers.split('.');
    parts.next() == Some("3")
        && parts.next().is_some_and(is_number)
        && parts.next().is_none_or(is_number)
        && parts.next().is_none()
        && draft != Some("")
}

/// Returns the description with one variable for each of FMI 3.0, that of its first element with the name of the array.
pub(super) fn whole_variables(model: &ModelDescription) -> ModelDescription {
    let whole = model.arrays.iter().filter_map(|array| {
        let first = model.variables.get(array.elements.start).filter(|_| !array.elements.is_empty())?;
        Some(Variable { name: array.name.clone(), value_reference: array.value_reference, ..first.clone() })
    });
    ModelDescription { variables: whole.collect(), ..model.clone() }
}

fn interfaces(model: &ModelDescription, report: &mut Report) {
    let interfaces = [("ModelExchange", &model.model_exchange), ("CoSimulation", &model.co_simulation)];
    for (name, interface) in interfaces {
        let Some(interface) = interface else { continue };
        model_identifier(name, &interface.model_identifier, report);
        for (flag, needed) in [
            ("canSerializeFMUState", "canGetAndSetFMUState"),
            ("canReturnEarlyAfterIntermediateUpdate", "providesIntermediateUpdate"),
        ] {
            let has = |flag: &str| interface.flags.iter().any(|other| other == flag);
            report.expect(has(needed) || !has(flag), "4.3", || format!("{name}: {flag} needs {needed}"));
        }
    }
}

#[cfg(test)]
mod tests;
