//! The libraries of components for several platforms.

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result, bail};
use fmu_builder::console::note;
use fmu_builder::{Compression, Origin, Platform};
use fmu_commands::source::Libraries;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::components::{Component, compile, compile_once};
use crate::origin::origins;
use crate::programs::compiled;
use crate::targets::Target;
use crate::toolchain::Toolchain;
use crate::venv;

/// Compiles components for platforms, or for this computer if none is named, with the standard library if they must be
/// `small`; keeps the order of the components.
pub fn compile_for(components: &[&Component], targets: &[&Target], small: bool) -> Result<Vec<Libraries>> {
    compile_with(components, targets, small, |toolchain| toolchain)
}

/// Compiles components likewise for the Python package, whose libraries make FMUs elsewhere.
pub fn compile_for_package(components: &[&Component], targets: &[&Target], small: bool) -> Result<Vec<Libraries>> {
    compile_with(components, targets, small, Toolchain::declaring)
}

/// Compiles a component for one of these platforms that is this computer's, else for this computer; returns a library that
/// declares the component here.
pub fn compile_here(component: &Component, targets: &[&Target], small: bool) -> Result<PathBuf> {
    let host = Platform::host()?;
    let own: Vec<_> = targets.iter().copied().filter(|target| target.platform == host).collect();
    let toolchains = Toolchain::find(&own, small)?.into_iter().flatten();
    match toolchains.into_iter().find(|toolchain| toolchain.runs_here() && toolchain.declares()) {
        Some(toolchain) => Ok(compile(&[component], &toolchain)?.remove(0)),
        None => Ok(compile_once(&[component])?.remove(0)),
    }
}

fn compile_with(
    components: &[&Component],
    targets: &[&Target],
    small: bool,
    adapted: fn(Toolchain) -> Toolchain,
) -> Result<Vec<Libraries>> {
    let toolchains = Toolchain::find(targets, small)?.into_iter();
    let toolchains: Vec<Vec<_>> = toolchains.map(|of_target| of_target.into_iter().map(adapted).collect()).collect();
    let own = adapted(if small && targets.is_empty() { Toolchain::small_host()? } else { Toolchain::host() });
    let makers: Vec<_> = if targets.is_empty() { vec![&own] } else { toolchains.iter().flatten().collect() };
    // Cargo is asked for them meanwhile.
    let (libraries, origins) = thread::scope(|scope| {
        let origins = scope.spawn(|| origins(components, &makers));
        (compile_all(components, targets, &toolchains, &own), origins.join())
    });
    let (host, platforms) = libraries?;
    let origins = origins.unwrap_or_else(|panic| resume_unwind(panic))?;
    let compression = if small { Compression::Smallest } else { Compression::Usual };
    let of_component = |(index, (host, origin)): (usize, (PathBuf, Origin))| {
        let platforms = platforms.iter().map(|(platform, paths)| (*platform, paths[index].clone())).collect();
        Libraries { host, platforms, origin, compression }
    };
    Ok(host.into_iter().zip(origins).enumerate().map(of_component).collect())
}

/// Number of Rust targets for which libraries are compiled at once: those of systems are one crate each, which keeps one processor
/// busy for minutes.
const AT_ONCE: usize = 2;

/// The libraries of components for a platform, in the order of the components.
type OfPlatform = (Platform, Vec<PathBuf>);

/// Compiles components for each target by its toolchains; returns the libraries that can be loaded here, and those of each
/// platform.
fn compile_all(
    components: &[&Component],
    targets: &[&Target],
    toolchains: &[Vec<Toolchain>],
    own: &Toolchain,
) -> Result<(Vec<PathBuf>, Vec<OfPlatform>)> {
    let of_toolchain = |toolchain: &&Toolchain| {
        note(format_args!("compiling for {}", toolchain.triple().unwrap_or_default()));
        let libraries = compile(components, toolchain)?;
        let parts = if toolchain.is_webassembly() { encoded(&libraries)? } else { libraries.clone() };
        let declares_here = toolchain.runs_here() && toolchain.declares();
        Ok((parts, declares_here.then_some(libraries)))
    };
    let all: Vec<_> = toolchains.iter().flatten().collect();
    let threads = ThreadPoolBuilder::new().num_threads(AT_ONCE).build()?;
    let compiled = threads.install(|| all.par_iter().with_max_len(1).map(of_toolchain).collect::<Result<Vec<_>>>())?;
    let (parts, here): (Vec<_>, Vec<_>) = compiled.into_iter().unzip();
    let mut parts = parts.into_iter();
    let of_target = |(target, toolchains): (&&Target, &Vec<Toolchain>)| {
        Ok((target.platform, joined(parts.by_ref().take(toolchains.len()).collect())?))
    };
    let mut platforms = targets.iter().zip(toolchains).map(of_target).collect::<Result<Vec<OfPlatform>>>()?;
    let host = match here.into_iter().flatten().next() {
        Some(libraries) => libraries,
        None if own.is_host() || !own.declares() => compile_once(components)?,
        None => compile(components, own)?,
    };
    if platforms.is_empty() {
        let libraries = if own.declares() { host.clone() } else { compile(components, own)? };
        platforms.push((Platform::host()?, libraries));
    }
    Ok((host, platforms))
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
