//! Calls of cargo.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Error, Metadata, MetadataCommand};

/// Returns the cargo that runs this program, to which the caller adds arguments.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns cargo's metadata of the workspace that `manifest` belongs to.
pub fn metadata(command: &mut MetadataCommand, manifest: &Path) -> Result<Metadata> {
    match command.manifest_path(manifest).exec() {
        Err(Error::Io(error)) if error.kind() == ErrorKind::NotFound => {
            bail!("cannot run cargo: it must be in the PATH (https://rustup.rs installs it)")
        }
        known => known.with_context(|| format!("cargo cannot read {}", manifest.display())),
    }
}
