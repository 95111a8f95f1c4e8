//! `cargo xtask playground`: the folder of a page that builds, runs and packs FMUs in a browser.

mod examples;
mod module;
mod page;
mod test;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use fmu_builder::console::{note, say};
use prebuilt::Prebuilt;
use xtask::components::{own_components, systems};
use xtask::paths::root;
use xtask::platforms::compile_for;
use xtask::targets;

use crate::checks::{Check, conclude};

/// Folder of `target` in which the module compiles.
pub use module::FOLDER as MODULE;

/// Arguments of `cargo xtask playground`.
#[derive(clap::Args, Default)]
pub struct Arguments {
    /// Platform whose libraries the FMUs can have: linux64, aarch64-linux, win64, darwin64, or all; may be repeated
    /// [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
    /// Check the page in Chromium, against FMUs of the examples in target/fmu/systems
    #[arg(long)]
    check: bool,
}

/// Makes the folder and prints its path.
pub fn playground(arguments: &Arguments) -> Result<()> {
    if let Some(why) = page::missing() {
        bail!("{why}");
    }
    let folder = make(arguments)?;
    if arguments.check {
        return conclude(check(&folder)?);
    }
    Ok(say(folder.display())?)
}

/// Makes the folder for the site, unless the page cannot be made here.
pub fn for_site() -> Result<Option<PathBuf>> {
    if let Some(why) = page::missing() {
        note(format_args!("the site has no playground: {why}"));
        return Ok(None);
    }
    make(&Arguments::default()).map(Some)
}

/// Makes the folder as tests need it; returns it with the checks in a browser, or says why it cannot be made here.
pub fn tested() -> Result<Result<(PathBuf, Vec<Check>), &'static str>> {
    if let Some(why) = page::missing() {
        return Ok(Err(why));
    }
    let folder = make(&Arguments::default())?;
    let checks = check(&folder)?;
    Ok(Ok((folder, checks)))
}

/// Checks the page in a browser.
fn check(folder: &Path) -> Result<Vec<Check>> {
    match test::skipped() {
        Some(why) => Ok(vec![Check::skipped("page", why)]),
        None => test::check(folder, &root().join("target").join("fmu").join("systems")),
    }
}

/// Makes the folder and returns it.
pub fn make(arguments: &Arguments) -> Result<PathBuf> {
    let folder = root().join("target").join("playground");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    fs_err::create_dir_all(&folder)?;
    module::compile(&folder.join("mechanical_fmus.wasm"))?;
    examples::copy(&folder.join("examples"))?;
    let targets = targets::choose(&arguments.target)?;
    let mut compiled = Vec::new();
    // Each list is compiled as by `cargo xtask build`, for the same bytes.
    for components in [own_components()?, systems()?] {
        let libraries = compile_for(&components.iter().collect::<Vec<_>>(), &targets, false)?;
        compiled.extend(components.into_iter().zip(libraries));
    }
    Prebuilt::write(&folder.join("libraries"), &compiled)?;
    page::add(&folder)?;
    Ok(folder)
}
