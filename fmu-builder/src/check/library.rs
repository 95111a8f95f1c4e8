//! Compares the XML with the FMU's own library.

use std::path::Path;

use fmu_runtime::DescribeRequest;

use super::report::Report;
use crate::archive::platform::Platform;
use crate::description::library::{Describe, Library};
use crate::description::{Description, Variable, VariableType};
use crate::error::Error;
use crate::read::{Archive, ModelDescription};

/// Loads the binary for this computer, if there is one, and compares.
pub(super) fn check(archive: &Archive, model: &ModelDescription, report: &mut Report) -> Result<(), Error> {
    let configuration = archive.read("resources/configuration.txt").ok();
    let ours = model.generation_tool.as_deref().is_some_and(|tool| tool.starts_with("mechanical-fmus "));
    report.expect(configuration.is_some() || !ours, "V-7", || "resources/configuration.txt is missing".to_owned());
    let interface = model.co_simulation.as_ref().or(model.model_exchange.as_ref());
    let (Some(configuration), Some(interface), Ok(platform)) = (configuration, interface, Platform::host()) else {
        return Ok(());
    };
    let entry = platform.entry(&interface.model_identifier);
    let Ok(binary) = archive.read(&entry) else {
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let path = folder.path().join(format!("library.{}", platform.extension()));
    fs_err::write(&path, binary)?;
    let resources = folder.path().join("resources");
    unpack_resources(archive, &resources)?;
    let configuration = String::from_utf8_lossy(&configuration);
    let request = DescribeRequest { resources: resources.to_str(), ..DescribeRequest::new(&configuration) };
    // The library is unloaded before its folder is removed, as Windows requires.
    let described = Library::load(&path).and_then(|library| library.describe(request));
    report.expect(described.is_ok(), "V-7", || match &described {
        Err(error) => format!("{entry}: {error}"),
        Ok(_) => String::new(),
    });
    if let Ok(description) = described {
        compare(model, &description, report);
    }
    Ok(())
}

/// Attached files are among the resources.
fn unpack_resources(archive: &Archive, folder: &Path) -> Result<(), Error> {
    for entry in archive.entries() {
        // The names were checked when the archive was opened.
        if let Some(name) =
            entry.name.strip_prefix("resources/").filter(|name| !name.is_empty() && !name.ends_with('/'))
        {
            let file = folder.join(name);
            fs_err::create_dir_all(file.parent().unwrap_or(folder))?;
            fs_err::write(file, archive.read(&entry.name)?)?;
        }
    }
    Ok(())
}

/// Compares the XML with the declaration of the library.
pub(super) fn compare(model: &ModelDescription, library: &Description, report: &mut Report) {
    report.expect(model.guid == library.guid, "8.5", || {
        format!("guid is {} in the XML, but {} in the library", model.guid, library.guid)
    });
    report.expect(model.number_of_event_indicators == library.event_indicators, "M-1", || {
        format!(
            "numberOfEventIndicators is {} in the XML, but {} in the library",
            model.number_of_event_indicators, library.event_indicators
        )
    });
    report.expect(model.model_structure == library.model_structure, "MS-4", || {
        "ModelStructure differs from the library's".to_owned()
    });
    report.expect(model.variables.len() == library.variables.len(), "8.5", || {
        format!("the XML has {} variables, but the library {}", model.variables.len(), library.variables.len())
    });
    capabilities(model, library, report);
    report.expect(model.units == library.units, "8.5", || "UnitDefinitions differ from the library's".to_owned());
    report.expect(model.enumerations == library.enumerations, "8.5", || {
        "TypeDefinitions differ from the library's".to_owned()
    });
    for (written, compiled) in model.variables.iter().zip(&library.variables) {
        let name = &written.name;
        if written.name != compiled.name {
            report.expect(false, "8.5", || format!("variable \"{name}\" is \"{}\" in the library", compiled.name));
            return;
        }
        report.expect(start(written) == start(compiled), "V-7", || {
            format!(
                "variable \"{name}\" starts with {} in the XML, but with {} in the library",
                start(written),
                start(compiled)
            )
        });
        report.expect(written.value_reference == compiled.value_reference, "8.5", || {
            format!(
                "variable \"{name}\" has the value reference {} in the XML, but {} in the library",
                written.value_reference, compiled.value_reference
            )
        });
        let same = (written.causality, written.variability, written.initial)
            == (compiled.causality, compiled.variability, compiled.initial)
            && std::mem::discriminant(&written.kind) == std::mem::discriminant(&compiled.kind);
        report.expect(same, "8.5", || {
            format!("variable \"{name}\" has another type, causality, variability or initial in the library")
        });
        report.expect(!same || unstarted(written) == unstarted(compiled), "8.5", || {
            format!("variable \"{name}\" has another unit, bound, nominal value or derivative in the library")
        });
    }
}

/// The flags of both interfaces.
fn capabilities(model: &ModelDescription, library: &Description, report: &mut Report) {
    let has = library.capabilities;
    let common = [
        ("canGetAndSetFMUstate", has.can_get_and_set_fmu_state),
        ("canSerializeFMUstate", has.can_serialize_fmu_state),
        ("providesDirectionalDerivative", has.provides_directional_derivative),
    ];
    let exchange = ("completedIntegratorStepNotNeeded", has.completed_integrator_step_not_needed);
    let interpolates = ("canInterpolateInputs", has.can_interpolate_inputs);
    let interfaces =
        [("ModelExchange", &model.model_exchange, exchange), ("CoSimulation", &model.co_simulation, interpolates)];
    for (interface, written, own) in interfaces {
        let Some(written) = written else { continue };
        for (flag, has) in common.into_iter().chain([own]) {
            let says = written.flags.iter().any(|other| other == flag);
            report.expect(says == has, "4.3", || format!("{interface}: {flag} is {says}, but {has} in the library"));
        }
    }
    if let Some(written) = &model.co_simulation {
        let (says, has) = (written.max_output_derivative_order, has.max_output_derivative_order);
        report.expect(says == has, "4.3", || {
            format!("CoSimulation: maxOutputDerivativeOrder is {says}, but {has} in the library")
        });
    }
}

/// The type of a variable without its start value, which is compared apart.
fn unstarted(variable: &Variable) -> VariableType {
    let mut kind = variable.kind.clone();
    match &mut kind {
        VariableType::Real { start, .. } => *start = None,
        VariableType::Integer { start, .. } | VariableType::Enumeration { start, .. } => *start = None,
        VariableType::Boolean { start } => *start = None,
        VariableType::String { start } => *start = None,
    }
    kind
}

fn start(variable: &Variable) -> String {
    let text = match &variable.kind {
        VariableType::Real { start, .. } => start.map(|value| format!("{value:?}")),
        VariableType::Integer { start, .. } | VariableType::Enumeration { start, .. } => {
            start.map(|value| value.to_string())
        }
        VariableType::Boolean { start } => start.map(|value| value.to_string()),
        VariableType::String { start } => start.as_ref().map(|value| format!("{value:?}")),
    };
    text.unwrap_or_else(|| "nothing".to_owned())
}
