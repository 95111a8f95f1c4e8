//! `cargo xtask wheel`: the Python package, with the libraries of all components inside.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fmu_builder::console::{note, say};
use fmu_builder::{Origin, Platform};

use crate::libraries;
use xtask::origin::linked_into;
use xtask::paths::files;
use xtask::targets;
use xtask::toolchain::Toolchain;
use xtask::venv;

use crate::users::{self, SETTINGS, Shipped};

/// Arguments of `cargo xtask wheel`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Platform whose libraries the FMUs can have: linux64, aarch64-linux, win64, darwin64, or all; may be repeated
    /// [default: where the package runs]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
    /// Platform that the package runs on: linux64, aarch64-linux, win64 or darwin64, including old versions of these
    /// systems, or all; may be repeated [default: this computer; old versions of Linux, too, where pip can install Zig]
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
    let own = if on.is_empty() && !debug && cfg!(target_os = "linux") { like_this_computer()? } else { Vec::new() };
    let on: &[String] = if on.is_empty() { &own } else { on };
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

/// Returns the platform of this computer, if packages can be made for old versions of it, too; says why not.
fn like_this_computer() -> Result<Vec<String>> {
    let platform = vec![Platform::host()?.folder().to_owned()];
    Ok(match runners(&platform) {
        Ok(_) => platform,
        Err(error) => {
            note(only_as_new(&error));
            Vec::new()
        }
    })
}

fn only_as_new(error: &anyhow::Error) -> String {
    format!("the package will need a Linux as new as this one: {error:#}")
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

/// Copies the licences, the pages for users and the examples into the package.
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
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs_err::copy(root.join(licence), source().join(licence))?;
    }
    let shipped = Shipped::new()?;
    shipped.write(&package())?;
    let settings = fs_err::read_to_string(root.join(SETTINGS))?;
    for page in users::pages(&settings) {
        if let Some(place) = place_of(page).map(|place| docs.join(place)) {
            fs_err::create_dir_all(place.parent().context("in a folder")?)?;
            fs_err::write(place, users::translate(page, &fs_err::read_to_string(root.join(page))?, &shipped)?)?;
        }
    }
    Ok(())
}

/// Returns where the package has a page, if it has it: those of models have the names of components.
fn place_of(page: &str) -> Option<String> {
    if let Some(name) = page.strip_prefix("docs/") {
        return Some(name.to_owned());
    }
    let (name, file) = page.strip_prefix("models/")?.split_once('/')?;
    Some(format!("components/{name}{}.md", if file == "README.md" { "" } else { "-data" }))
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
    fn pages_of_models_have_the_names_of_components() {
        let places = ["docs/fit.md", "models/clutch/README.md", "models/clutch/reference/README.md"].map(place_of);
        let expected = ["fit.md", "components/clutch.md", "components/clutch-data.md"];
        assert_eq!(places, expected.map(|place| Some(place.to_owned())));
        assert_eq!(place_of("README.md"), None);
    }

    #[test]
    #[ignore = "expensive: installs Zig"]
    fn packages_for_linux_run_on_old_versions_unless_there_is_no_linker() {
        let platform = like_this_computer().unwrap();
        assert!(!cfg!(target_os = "linux") || runners(&platform).unwrap().iter().all(|toolchain| !toolchain.is_host()));
        let message = only_as_new(&anyhow::anyhow!("pip has no network").context("Zig cannot be installed"));
        let expected = "the package will need a Linux as new as this one: Zig cannot be installed: pip has no network";
        assert_eq!(message, expected);
    }

    #[test]
    fn unknown_platforms_are_refused() {
        let message = runners(&["win46".to_owned()]).unwrap_err().to_string();
        assert!(message.starts_with("--on win46: unknown platform; did you mean \"win64\"?"));
    }
}
