//! The libraries of components for several platforms.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use fat_macho::FatWriter;
use fmu_builder::console::note;
use fmu_builder::{Origin, Platform};

use crate::components::{Component, compile};
use crate::origin::origins;
use crate::targets::Target;
use crate::toolchain::Toolchain;

/// The libraries of one component.
pub struct Libraries {
    /// One that can be loaded here.
    pub host: PathBuf,
    /// One for each platform.
    pub platforms: Vec<(Platform, PathBuf)>,
    /// What is in them.
    pub origin: Origin,
}

/// Compiles components for platforms, or for this computer if none is named, with the standard library if they must be
/// `small`; keeps the order of the components.
pub fn compile_for(components: &[&Component], targets: &[&Target], small: bool) -> Result<Vec<Libraries>> {
    let toolchains = Toolchain::find(targets, small)?;
    let own = if small && targets.is_empty() { Toolchain::small_host()? } else { Toolchain::host() };
    let mut host = None;
    let mut platforms: Vec<(Platform, Vec<PathBuf>)> = Vec::new();
    for (target, toolchains) in targets.iter().zip(&toolchains) {
        note(format_args!("compiling for {}", target.platform.folder()));
        let mut parts = Vec::new();
        for toolchain in toolchains {
            let libraries = compile(components, toolchain)?;
            if toolchain.runs_here() {
                host = Some(libraries.clone());
            }
            parts.push(libraries);
        }
        platforms.push((target.platform, joined(parts)?));
    }
    let host = match host {
        Some(libraries) => libraries,
        None => compile(components, &own)?,
    };
    let mut makers: Vec<_> = toolchains.iter().flatten().collect();
    if platforms.is_empty() {
        makers.push(&own);
        platforms.push((Platform::host()?, host.clone()));
    }
    let of_component = |(index, (host, origin)): (usize, (PathBuf, Origin))| {
        let platforms = platforms.iter().map(|(platform, paths)| (*platform, paths[index].clone())).collect();
        Libraries { host, platforms, origin }
    };
    let origins = origins(components, &makers)?;
    Ok(host.into_iter().zip(origins).enumerate().map(of_component).collect())
}

/// One library for each component out of those for several processors.
fn joined(mut parts: Vec<Vec<PathBuf>>) -> Result<Vec<PathBuf>> {
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let folder = crate::root().join("target").join("universal");
    fs_err::create_dir_all(&folder)?;
    let of_component = |index: usize| -> Result<PathBuf> {
        let mut writer = FatWriter::new();
        for part in &parts {
            let added = writer.add(fs_err::read(&part[index])?);
            added.map_err(|error| anyhow!("{}: {error}", part[index].display()))?;
        }
        let path = folder.join(parts[0][index].file_name().context("a file")?);
        writer.write_to_file(&path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        Ok(path)
    };
    (0..parts[0].len()).map(of_component).collect()
}
