//! `cargo xtask wheel`: the Python package, with the libraries of all components inside.

use std::path::{Path, PathBuf};

use anyhow::Result;
use fmu_builder::Origin;
use fmu_builder::console::{note, say};

use crate::libraries;
use xtask::components::own_components;
use xtask::origin::linked_into;
use xtask::paths::files;
use xtask::targets;
use xtask::toolchain::Toolchain;
use xtask::venv;

/// Arguments of `cargo xtask wheel`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Platform whose libraries the FMUs can have: linux64, aarch64-linux, win64, darwin64, or all; may be repeated
    /// [default: where the package runs]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
    /// Platform that the package runs on: linux64, aarch64-linux, win64 or darwin64, including old versions of these
    /// systems, or all; may be repeated [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    on: Vec<String>,
    /// Do not optimise the builder and the importer, which saves minutes: for tests
    #[arg(long)]
    debug: bool,
    /// Also compile the standard library, without backtraces, as `build --small` does
    #[arg(long)]
    small: bool,
}

/// Makes the wheels and prints their paths.
pub fn wheel(arguments: &Arguments) -> Result<()> {
    for made in make(&arguments.target, &arguments.on, arguments.debug, arguments.small)? {
        say(format_args!("{}: {} bytes", made.display(), fs_err::metadata(&made)?.len()))?;
    }
    Ok(())
}

/// Makes the wheels with the libraries of these platforms, for each platform in `on`.
pub fn make(targets: &[String], on: &[String], debug: bool, small: bool) -> Result<Vec<PathBuf>> {
    // By default, FMUs are built for the platform on which the package runs.
    let targets = targets::choose(if targets.is_empty() { on } else { targets })?;
    let runners = match on {
        [] => vec![Toolchain::host()],
        _ => runners(on)?,
    };
    libraries::write(&libraries(), &targets, small)?;
    ship_documentation()?;
    let folder = xtask::paths::root().join("target").join("wheel");
    fs_err::create_dir_all(&folder)?;
    for old in files(&folder, "whl")? {
        fs_err::remove_file(old)?;
    }
    pack(&runners, debug, &folder)?;
    files(&folder, "whl")
}

/// Compiles the builder and the importer of wheels, so that `make` finds them compiled: the wheels that this makes may have
/// other libraries or none.
pub fn compile(runners: &[Toolchain]) -> Result<()> {
    ship_documentation()?;
    let folder = xtask::paths::root().join("target").join("wheel").join("unfinished");
    pack(runners, false, &folder)?;
    Ok(fs_err::remove_dir_all(folder)?)
}

/// Compiles the builder and the importer for each platform, and packs the package with them into a folder.
fn pack(runners: &[Toolchain], debug: bool, folder: &Path) -> Result<()> {
    let python = maturin()?;
    let profile = if debug { "dev" } else { "wheel" };
    for toolchain in runners {
        note("compiling the builder");
        let mut maturin = std::process::Command::new(&python);
        maturin.args(["-m", "maturin", "build", "--quiet", &format!("--profile={profile}"), "--manifest-path"]);
        maturin.arg(source().join("Cargo.toml")).arg("--out").arg(folder);
        maturin.args(debug.then_some("--features=tests"));
        if toolchain.runs_here() {
            maturin.arg("--interpreter").arg(&python);
        }
        toolchain.prepare_maturin(&mut maturin)?;
        venv::run(&mut maturin)?;
    }
    Ok(())
}

/// Installs maturin; returns the Python that has it.
fn maturin() -> Result<PathBuf> {
    let folder = xtask::paths::root().join("target").join("wheel").join("maturin");
    venv::prepare(&folder, &source().join("requirements.txt"), "the wheel")
}

/// Copies the licences, the documentation and the examples into the package.
fn ship_documentation() -> Result<()> {
    let packages = linked_into("mechanical-fmus")?;
    let origin = Origin { license: Some("MIT OR Apache-2.0".to_owned()), packages };
    fs_err::write(package().join("licenses.txt"), origin.licenses("package"))?;
    let root = xtask::paths::root();
    let [docs, examples] = ["docs", "examples"].map(|folder| package().join(folder));
    for folder in [&docs, &examples] {
        if folder.exists() {
            fs_err::remove_dir_all(folder)?;
        }
        fs_err::create_dir_all(folder)?;
    }
    let copy = |file: &Path, folder: &Path, name: String| fs_err::copy(file, folder.join(name)).map(drop);
    let name_of = |file: &Path| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root.join(licence), &source(), licence.to_owned())?;
    }
    for page in files(&root.join("docs"), "md")? {
        copy(&page, &docs, name_of(&page))?;
    }
    let components = docs.join("components");
    fs_err::create_dir_all(&components)?;
    for component in own_components()? {
        copy(&component.manifest().with_file_name("README.md"), &components, format!("{}.md", component.name))?;
    }
    for extension in ["toml", "csv", "py"] {
        for folder in ["examples", "python/examples"] {
            for file in files(&root.join(folder), extension)? {
                copy(&file, &examples, name_of(&file))?;
            }
        }
    }
    let parts = examples.join("parts");
    fs_err::create_dir_all(&parts)?;
    for file in files(&root.join("examples/parts"), "toml")? {
        copy(&file, &parts, name_of(&file))?;
    }
    let measured = root.join("models/bushing/reference/measured_forces.csv");
    copy(&measured, &examples, name_of(&measured))?;
    Ok(())
}

fn source() -> PathBuf {
    xtask::paths::root().join("python")
}

fn package() -> PathBuf {
    source().join("mechanical_fmus")
}

/// Returns the folder with the libraries of the package that was made last.
pub fn libraries() -> PathBuf {
    package().join("libraries")
}

/// Returns the toolchains for these platforms.
pub fn runners(on: &[String]) -> Result<Vec<Toolchain>> {
    let platforms = targets::choose_for("--on", on)?;
    Ok(Toolchain::find(&platforms, false)?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_platforms_are_refused() {
        let message = runners(&["win46".to_owned()]).unwrap_err().to_string();
        assert!(message.starts_with("--on win46: unknown platform; did you mean \"win64\"?"));
    }
}
