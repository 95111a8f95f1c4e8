//! Cargo itself.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Error, Metadata, MetadataCommand};

/// The cargo that runs this program.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Cargo's metadata of the workspace that `manifest` belongs to.
pub fn metadata(command: &mut MetadataCommand, manifest: &Path) -> Result<Metadata> {
    match command.manifest_path(manifest).exec() {
        Err(Error::Io(error)) if error.kind() == ErrorKind::NotFound => {
            bail!("cannot run cargo: it must be in the PATH (https://rustup.rs installs it)")
        }
        known => known.with_context(|| format!("cargo cannot read {}", manifest.display())),
    }
}
