//! The platforms for which an FMU has libraries.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use c_interface::Standard;
use fmu_builder::{Archive, ModelDescription, Platform};

/// Returns the standard of a version of FMI that can be imported.
pub fn standard(version: &str) -> Option<Standard> {
    match version.get(..2) {
        Some("2.") => Some(Standard::Fmi2),
        Some("3.") => Some(Standard::Fmi3),
        _ => None,
    }
}

/// Returns the path of a binary inside an archive.
pub fn entry(platform: Platform, standard: Standard, identifier: &str) -> String {
    let standard = match standard {
        Standard::Fmi2 => fmu_builder::Standard::Fmi2,
        Standard::Fmi3 => fmu_builder::Standard::Fmi3,
    };
    platform.entry_of(standard, identifier)
}

/// Fails with the platforms of an archive if this one is not among them.
pub fn require_own(archive: &Archive, model: &ModelDescription) -> Result<()> {
    let interface = model.co_simulation.as_ref().or(model.model_exchange.as_ref());
    let (Ok(platform), Some(interface)) = (Platform::host(), interface) else {
        return Ok(());
    };
    let of_model = standard(&model.fmi_version).unwrap_or(Standard::Fmi2);
    let wanted = entry(platform, of_model, &interface.model_identifier);
    let names = || archive.entries().iter().map(|entry| entry.name.as_str());
    if names().any(|name| name == wanted) {
        return Ok(());
    }
    let folders: BTreeSet<_> =
        names().filter_map(|name| name.strip_prefix("binaries/")?.split_once('/')).map(|(folder, _)| folder).collect();
    if folders.is_empty() {
        bail!("it has no library {wanted}, and none for another platform");
    }
    let folders: Vec<_> = folders.into_iter().collect();
    bail!("it has no library {wanted}, but binaries for {}", folders.join(", "))
}
