//! The page around the module, which esbuild bundles on Node.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fmu_builder::console::note;
use xtask::paths::{files_below, root};
use xtask::venv::run;

/// Folder of the sources.
const SOURCES: &str = "playground/page";

/// Says why the page cannot be made here, if it cannot.
pub fn missing() -> Option<&'static str> {
    let found = |name: &str| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    (!found("node") || !found(NPM)).then_some("Node and npm are not installed (Debian: apt-get install nodejs npm)")
}

/// Program that installs packages of Node.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Place of the page.
#[derive(Clone, Copy)]
pub enum Place {
    /// Nothing is around it.
    Alone,
    /// In a folder of the site, to whose first page it has a link.
    InSite,
}

/// Bundles the page into a folder that has the module and the examples already.
pub fn add(folder: &Path, place: Place) -> Result<()> {
    let mut bundle = Command::new("node");
    bundle.arg("build.mjs").arg(folder).current_dir(prepare()?);
    if let Place::InSite = place {
        bundle.arg("--in-site");
    }
    run(&mut bundle).context("esbuild cannot bundle the page").map(drop)
}

/// Copies the sources below `target`, with the packages that they need; returns that folder.
pub fn prepare() -> Result<PathBuf> {
    const LOCK: &str = "package-lock.json";
    let (from, to) = (root().join(SOURCES), root().join("target").join("page"));
    let stamp = to.join("installed.json");
    for name in ["src", "test"] {
        if to.join(name).exists() {
            fs_err::remove_dir_all(to.join(name))?;
        }
    }
    let installed = from.join("node_modules");
    for file in files_below(&from)?.iter().filter(|file| !file.starts_with(&installed)) {
        let place = to.join(file.strip_prefix(&from)?);
        fs_err::create_dir_all(place.parent().context("in a folder")?)?;
        fs_err::copy(file, place)?;
    }
    let wanted = fs_err::read(from.join(LOCK))?;
    if fs_err::read(&stamp).is_ok_and(|present| present == wanted) {
        return Ok(to);
    }
    note(format_args!("installing what the page needs in {}", to.display()));
    run(Command::new(NPM).args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(&to))
        .with_context(|| format!("npm cannot install the packages of {SOURCES}/{LOCK}"))?;
    // Written last, so that a broken installation is repeated.
    fs_err::write(stamp, wanted)?;
    Ok(to)
}
