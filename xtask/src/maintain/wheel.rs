//! `cargo xtask wheel`: the Python package, with the libraries of all components inside.

use std::path::PathBuf;

use anyhow::{Context, Result};
use fmu_builder::console::{note, say};
use fmu_builder::{Origin, Packer};
use fmu_commands::prebuilt::Prebuilt;
use fmu_commands::source::Libraries;
use rayon::prelude::*;

use crate::compile::cargo::cargo;
use crate::compile::components::{own_components, system};
use crate::compile::origin::linked_into;
use crate::compile::platforms::compile_for;
use crate::compile::programs::{FOR_PROGRAMS, built};
use crate::compile::targets;
use crate::paths::files;
use crate::venv;

/// Arguments of `cargo xtask wheel`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Platform whose libraries the FMUs can have: linux64, aarch64-linux, win64, darwin64, or all; may be repeated
    /// [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
    /// Do not optimise the builder and the importer, which saves minutes: for tests
    #[arg(long)]
    debug: bool,
}

/// Makes the wheel and prints its path.
pub fn wheel(arguments: &Arguments) -> Result<()> {
    for made in make(&arguments.target, arguments.debug)? {
        say(format_args!("{}: {} bytes", made.display(), fs_err::metadata(&made)?.len()))?;
    }
    Ok(())
}

/// The wheel with the libraries of these platforms.
pub fn make(targets: &[String], debug: bool) -> Result<Vec<PathBuf>> {
    let targets = targets::choose(targets)?;
    let mut compiled = Vec::new();
    // Each compiled as by `cargo xtask build`: together, cargo would give them the features of all, and other bytes.
    for components in [own_components()?, vec![system()?]] {
        let libraries = compile_for(&components.iter().collect::<Vec<_>>(), &targets, false)?;
        compiled.extend(components.into_iter().zip(libraries));
    }
    // What this compresses is kept beside the libraries, from where it is copied into the wheel.
    let compress = |(_, libraries): &(_, Libraries)| Packer::read(&libraries.platforms, libraries.origin.clone());
    compiled.par_iter().map(compress).collect::<Result<Vec<_>, _>>()?;
    let source = crate::paths::root().join("python");
    let package = source.join("mechanical_fmus");
    Prebuilt::write(&package.join("libraries"), &compiled)?;

    let profile = if debug { "dev" } else { "wheel" };
    note("compiling the importer");
    let mut command = cargo();
    command.args(["build", "--package=fmu-importer", "--bin=fmu-importer", &format!("--profile={profile}")]);
    let programs = built(command.args(FOR_PROGRAMS))?;
    let importer = programs.into_iter().find(|(name, _)| name == "fmu-importer").context("cargo built no importer")?.1;
    let programs = package.join("bin");
    if programs.exists() {
        fs_err::remove_dir_all(&programs)?;
    }
    fs_err::create_dir_all(&programs)?;
    fs_err::copy(&importer, programs.join(importer.file_name().context("a program")?))?;

    let mut packages = linked_into("mechanical-fmus")?;
    packages.extend(linked_into("fmu-importer")?);
    packages.sort();
    packages.dedup();
    let origin = Origin { license: Some("MIT OR Apache-2.0".to_owned()), packages };
    fs_err::write(package.join("licenses.txt"), origin.licenses("package"))?;

    note("compiling the builder");
    let folder = crate::paths::root().join("target").join("wheel");
    let python = venv::prepare(&folder.join("maturin"), &source.join("requirements.txt"), "the wheel")?;
    for old in files(&folder, "whl")? {
        fs_err::remove_file(old)?;
    }
    let mut maturin = std::process::Command::new(&python);
    maturin.args(["-m", "maturin", "build", "--quiet", &format!("--profile={profile}"), "--manifest-path"]);
    maturin.arg(source.join("Cargo.toml")).arg("--interpreter").arg(&python).arg("--out").arg(&folder);
    venv::run(&mut maturin)?;
    files(&folder, "whl")
}
