//! The command `convert`.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use fmu_builder::Destination;
use fmu_builder::console::{note, say};
use fmu_commands::import::Convert;
use fmu_runtime::{LARGEST_DATA, read_limited};

use crate::convert::{Block, Bushing, blocks, bus, gbs};

/// Writes the configuration.
pub fn run(options: &Convert) -> anyhow::Result<()> {
    let Convert { file, output, force } = options;
    let shown = file.display();
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let read: fn(&[Block]) -> Result<Bushing, String> = match extension.as_deref() {
        Some("gbs") => gbs,
        Some("bus") => bus,
        _ => bail!("{shown}: unknown type of file; property files of bushings end with .gbs or .bus"),
    };
    if output.extension().is_none_or(|extension| extension != "toml") {
        bail!("{}: a configuration is a .toml file", output.display());
    }
    let destination = Destination::create(output, *force)?
        .apart_from("the configuration", [("the property file", Some(file.as_path()))])?;
    let content = read_limited(file, LARGEST_DATA).map_err(anyhow::Error::msg)?;
    // Comments may have another encoding; names and numbers are ASCII.
    let text = String::from_utf8_lossy(&content);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let converted = blocks(&text).and_then(|blocks| read(&blocks));
    let bushing = converted.map_err(|what| anyhow::anyhow!("{shown}{what}"))?;
    for what in bushing.left_out.iter().chain(&bushing.notes()) {
        note(format_args!("{shown}: {what}"));
    }
    destination.write(|writer| writer.write_all(bushing.configuration(&name).as_bytes()))?;
    Ok(say(Path::new(output).display())?)
}
