//! The computers that an FMU has libraries for.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use fmu_builder::{Archive, ModelDescription, Platform};

/// Fails with the platforms that an archive serves if this one is not among them.
pub fn require_own(archive: &Archive, model: &ModelDescription) -> Result<()> {
    let interface = model.co_simulation.as_ref().or(model.model_exchange.as_ref());
    let (Ok(platform), Some(interface)) = (Platform::host(), interface) else {
        return Ok(());
    };
    let wanted = platform.entry(&interface.model_identifier);
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
