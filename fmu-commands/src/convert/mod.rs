//! `convert`: a property file of a multibody program becomes a configuration.

mod bus;
mod bushing;
mod gbs;
mod teim_orbit;
mod units;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::bail;
use fmu_builder::Destination;
use fmu_builder::console::{note, say};

use bushing::Bushing;
use teim_orbit::Block;

/// Larger files, in bytes, are no property files.
const LARGEST: u64 = 16 << 20;

/// Arguments of `convert`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The property file of a bushing
    #[arg(value_name = "FILE.gbs|.bus")]
    file: PathBuf,
    /// The configuration to write
    #[arg(value_name = "FILE.toml")]
    output: PathBuf,
    /// Replace an existing file
    #[arg(long)]
    force: bool,
}

/// Writes the configuration.
pub fn convert(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { file, output, force } = arguments;
    let shown = file.display();
    let extension = file.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let read: fn(&[Block]) -> Result<Bushing, String> = match extension.as_deref() {
        Some("gbs") => gbs::bushing,
        Some("bus") => bus::bushing,
        _ => bail!("{shown}: is no property file that is read; there are .gbs and .bus files of bushings"),
    };
    if output.extension().is_none_or(|extension| extension != "toml") {
        bail!("{}: a configuration is a .toml file", output.display());
    }
    let destination = Destination::create(output, *force)?
        .apart_from("the configuration", [("the property file", Some(file.as_path()))])?;
    let content = fmu_runtime::read_limited(file, LARGEST).map_err(anyhow::Error::msg)?;
    // Comments may have another encoding; names and numbers are ASCII.
    let text = String::from_utf8_lossy(&content);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let converted = teim_orbit::blocks(&text).and_then(|blocks| read(&blocks));
    let bushing = converted.map_err(|what| anyhow::anyhow!("{shown}{what}"))?;
    for what in bushing.left_out.iter().chain(&bushing.notes()) {
        note(format_args!("{shown}: {what}"));
    }
    destination.write(|writer| writer.write_all(bushing.configuration(&name).as_bytes()))?;
    Ok(say(Path::new(output).display())?)
}
