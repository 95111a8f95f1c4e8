//! The rules of FMI 3.0 where they are not those of FMI 2.0.

mod archive;
mod arrays;
mod model_structure;
mod schema;
mod variables;

use crate::check::header::{experiment, is_c_identifier, log_categories, units};
use crate::check::names::check as check_names;
use crate::check::report::Report;
use crate::description::Variable;
use crate::read::ModelDescription;
use crate::read::element::Element;

pub(super) use archive::check_files;

/// Checks the document.
pub(super) fn check(root: &Element, model: &ModelDescription, report: &mut Report) {
    schema::check(root, report);
    report.expect(!model.model_name.is_empty(), "4.2", || "modelName is empty".to_owned());
    report.expect(!model.guid.is_empty(), "T-17", || "instantiationToken is empty".to_owned());
    interfaces(model, report);
    units(model, report);
    log_categories(model, report);
    experiment(model, report);
    let whole = whole_variables(model);
    check_names(&whole, report);
    variables::check(root, model, &whole, report);
    arrays::check(root, report);
    model_structure::check(root, report);
}

/// The description with one variable for each of FMI 3.0, that of its first element with the name of the array.
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
        let identifier = &interface.model_identifier;
        report.expect(is_c_identifier(identifier), "4.3", || {
            format!("{name}: modelIdentifier \"{identifier}\" is not a C identifier")
        });
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
