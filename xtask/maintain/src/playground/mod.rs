//! `cargo xtask playground`: the folder of a page that builds, runs and packs FMUs in a browser.

mod downloads;
mod examples;
mod module;
mod page;
mod test;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use fmu_builder::console::{note, say};
use xtask::paths::{files_below, root};
use xtask::targets;

use crate::checks::{Check, conclude};
use crate::libraries;
use page::Place;

/// Folder of `target` in which the module compiles.
pub use module::FOLDER as MODULE;

/// Arguments of `cargo xtask playground`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Platform whose libraries the FMUs can have: linux64, aarch64-linux, win64, darwin64, or all; may be repeated
    /// [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
    /// Check the page in Chromium, against FMUs of the command line
    #[arg(long)]
    check: bool,
}

/// Makes the folder and prints its path.
pub fn playground(arguments: &Arguments) -> Result<()> {
    if let Some(why) = page::missing() {
        bail!("{why}");
    }
    let targets = targets::choose(&arguments.target)?;
    let folder = make(|folder| libraries::write(folder, &targets, false), Place::Alone)?;
    if arguments.check {
        return conclude(check(&folder)?);
    }
    Ok(say(folder.display())?)
}

/// Makes the folder for the site, with libraries from a folder, or else for all platforms, unless the page cannot be made here.
pub fn for_site(from: Option<&Path>) -> Result<Option<PathBuf>> {
    if let Some(why) = page::missing() {
        note(format_args!("the site has no playground: {why}"));
        return Ok(None);
    }
    let with_libraries = |folder: &Path| match from {
        Some(from) => copy(from, folder),
        None => libraries::write(folder, &libraries::possible(), false),
    };
    make(with_libraries, Place::InSite).map(Some)
}

/// Compiles the module, so that `for_site` finds it compiled, unless the page cannot be made here.
pub fn compile() -> Result<()> {
    if page::missing().is_some() {
        return Ok(());
    }
    module::compile()
}

/// Makes the folder as tests need it; returns it with the checks in a browser, or says why it cannot be made here.
pub fn tested() -> Result<Result<(PathBuf, Vec<Check>), &'static str>> {
    if let Some(why) = page::missing() {
        return Ok(Err(why));
    }
    let folder = make(|folder| libraries::write(folder, &[], false), Place::Alone)?;
    let checks = check(&folder)?;
    Ok(Ok((folder, checks)))
}

/// Checks the page in a browser.
fn check(folder: &Path) -> Result<Vec<Check>> {
    match test::skipped() {
        Some(why) => Ok(vec![Check::skipped("page", why)]),
        None => test::check(folder),
    }
}

/// Makes the folder, to which `with_libraries` adds the libraries of platforms; returns it.
fn make(with_libraries: impl FnOnce(&Path) -> Result<()>, place: Place) -> Result<PathBuf> {
    let folder = root().join("target").join("playground");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    fs_err::create_dir_all(&folder)?;
    module::compile()?;
    module::link(&folder.join("mechanical_fmus.wasm"))?;
    examples::copy(&folder.join("examples"))?;
    with_libraries(&folder.join("libraries"))?;
    page::add(&folder, place)?;
    Ok(folder)
}

/// Copies the files of a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    fs_err::create_dir_all(to)?;
    for file in files_below(from)? {
        fs_err::copy(&file, to.join(file.file_name().context("a file has a name")?))?;
    }
    Ok(())
}
