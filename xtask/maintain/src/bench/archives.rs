//! Archives and libraries that are made for the measurements, and their sizes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fmu_builder::{Archive, Platform};

use xtask::components::{find, own_components};
use xtask::programs::build;
use xtask::venv;

/// Names of the systems whose sizes with `--small` are targets.
pub const TRAIN: &str = "GearShift";
pub const MECHANISM: &str = "EngineV6";

/// Sizes of an archive made by `cargo xtask build --small` and of its library, in bytes.
pub struct Small {
    pub archive: u64,
    pub library: u64,
}

/// Returns the folder of the programs and the unpacked FMUs.
pub fn folder() -> PathBuf {
    xtask::paths::root().join("target").join("bench")
}

/// Runs `cargo xtask build` with arguments.
pub fn xtask_build(arguments: &[&str]) -> Result<()> {
    venv::run(build().args(arguments)).context("cargo xtask build failed")?;
    Ok(())
}

/// Returns the FMUs of the components with their defaults in a folder, by name.
pub fn archives(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = xtask::paths::files(folder, "fmu")?;
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let own = own_components()?;
    files.retain(|file| find(&own, &name(file)).is_ok());
    Ok(files.into_iter().map(|file| (name(&file), file)).collect())
}

/// Makes archives by `cargo xtask build --small`, if possible: of the components, and of two systems.
pub fn small() -> Result<BTreeMap<String, Small>> {
    let folder = folder().join("small");
    let out = folder.display().to_string();
    xtask_build(&["--small", "--out", &out])?;
    let mut files = archives(&folder)?;
    for (name, example) in [(TRAIN, "gear-shift"), (MECHANISM, "engine-v6")] {
        xtask_build(&["--small", "--config", &format!("examples/{example}.toml"), "--out", &out])?;
        files.insert(name.to_owned(), folder.join(name).with_extension("fmu"));
    }
    let sizes = files.into_iter().map(|(name, file)| {
        let library = Archive::open(&file)?.read(&Platform::host()?.entry(&name))?.len() as u64;
        Ok((name, Small { archive: fs_err::metadata(file)?.len(), library }))
    });
    sizes.collect()
}
