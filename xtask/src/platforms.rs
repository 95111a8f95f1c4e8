//! The libraries of components for several platforms.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use fmu_builder::console::note;
use fmu_builder::{Compression, Origin, Platform};
use fmu_commands::source::Libraries;

use crate::components::{Component, compile};
use crate::origin::origins;
use crate::programs::compiled;
use crate::targets::Target;
use crate::toolchain::Toolchain;
use crate::venv;

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
            parts.push(if toolchain.is_webassembly() { encoded(&libraries)? } else { libraries });
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
    let compression = if small { Compression::Smallest } else { Compression::Usual };
    let of_component = |(index, (host, origin)): (usize, (PathBuf, Origin))| {
        let platforms = platforms.iter().map(|(platform, paths)| (*platform, paths[index].clone())).collect();
        Libraries { host, platforms, origin, compression }
    };
    let origins = origins(components, &makers)?;
    Ok(host.into_iter().zip(origins).enumerate().map(of_component).collect())
}

/// Encodes modules of WebAssembly as components; returns their paths.
fn encoded(modules: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let folder = crate::paths::root().join("target").join("webassembly");
    fs_err::create_dir_all(&folder)?;
    let of_module = |module: &PathBuf| {
        let path = folder.join(module.file_name().context("a file")?);
        venv::run(compiled("xtask-webassembly", None)?.arg(module).arg(&path))?;
        Ok(path)
    };
    modules.iter().map(of_module).collect()
}

/// Merges the libraries for several processors to one library for each component.
fn joined(mut parts: Vec<Vec<PathBuf>>) -> Result<Vec<PathBuf>> {
    if parts.len() == 1 {
        return Ok(parts.remove(0));
    }
    let folder = crate::paths::root().join("target").join("universal");
    fs_err::create_dir_all(&folder)?;
    let of_component = |index: usize| -> Result<PathBuf> {
        let libraries = parts.iter().map(|part| Ok(fs_err::read(&part[index])?)).collect::<Result<Vec<_>>>()?;
        let path = folder.join(parts[0][index].file_name().context("a file")?);
        fs_err::write(&path, universal(&libraries)?)?;
        Ok(path)
    };
    (0..parts[0].len()).map(of_component).collect()
}

/// Makes a universal library of macOS: the processors in a table, then the library for each, on pages of its own.
fn universal(libraries: &[Vec<u8>]) -> Result<Vec<u8>> {
    const PAGE_BITS: u32 = 14;
    const PAGE: usize = 1 << PAGE_BITS;
    let mut numbers = vec![0xcafe_babe, u32::try_from(libraries.len())?];
    let mut offset = PAGE;
    for library in libraries {
        let word = |at: usize| Some(u32::from_le_bytes(library.get(at..at + 4)?.try_into().ok()?));
        let (Some(0xfeed_facf), Some(processor), Some(model)) = (word(0), word(4), word(8)) else {
            bail!("this is not a 64-bit macOS library");
        };
        numbers.extend([processor, model, u32::try_from(offset)?, u32::try_from(library.len())?, PAGE_BITS]);
        offset = (offset + library.len()).next_multiple_of(PAGE);
    }
    let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_be_bytes).collect();
    for library in libraries {
        bytes.resize(bytes.len().next_multiple_of(PAGE), 0);
        bytes.extend(library);
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use object::read::macho::{FatArch, MachOFatFile32};

    use super::universal;

    #[test]
    fn a_universal_library_has_those_of_all_processors() {
        let library = |processor: u32, length: usize| {
            let head = [0xfeed_facf, processor, 3].into_iter().flat_map(u32::to_le_bytes);
            head.chain(std::iter::repeat_n(7, length)).collect::<Vec<u8>>()
        };
        let libraries = [library(0x0100_0007, 20_000), library(0x0100_000c, 5)];
        let universal = universal(&libraries).unwrap();
        let found = MachOFatFile32::parse(universal.as_slice()).unwrap();
        let parts: Vec<_> = found.arches().iter().map(|arch| arch.data(universal.as_slice()).unwrap()).collect();
        assert_eq!(parts, libraries);
        assert_eq!(found.arches()[1].offset() % (1 << 14), 0);
        assert!(super::universal(&[b"\x7fELF".to_vec()]).is_err());
    }
}
