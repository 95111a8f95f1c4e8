//! Whose work a component is: what cargo knows of the packages in its library.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::MetadataCommand;
use fmu_builder::{Origin, Package};

use crate::components::{Component, cargo, metadata};
use crate::toolchain::Toolchain;

/// The origin of a component's libraries that these toolchains make.
pub fn origin(component: &Component, toolchains: &[&Toolchain]) -> Result<Origin> {
    let known = known(component.manifest())?;
    let mut packages = BTreeSet::new();
    for toolchain in toolchains {
        packages.insert(standard_library(toolchain.release()?));
        for id in linked(component, toolchain.triple())? {
            let package = known.get(&id).with_context(|| format!("cargo does not know {} {} again", id.0, id.1))?;
            packages.insert(package.clone());
        }
    }
    let own = packages.iter().find(|package| package.name == component.package);
    let license = own.and_then(|own| own.license.clone());
    Ok(Origin { license, packages: packages.into_iter().collect() })
}

/// What is part of every library.
fn standard_library(version: String) -> Package {
    Package {
        name: "std".to_owned(),
        version,
        license: Some("MIT OR Apache-2.0".to_owned()),
        repository: Some("https://github.com/rust-lang/rust".to_owned()),
        sha256: None,
        texts: vec![include_str!("../../LICENSE-APACHE").to_owned()],
    }
}

/// Name and version of the packages that are linked into a component's library.
fn linked(component: &Component, triple: Option<&str>) -> Result<Vec<Id>> {
    let mut command = cargo();
    command.args(["tree", "--edges=normal,no-proc-macro", "--prefix=none", "--format={p}", "--manifest-path"]);
    command.arg(component.manifest()).args(["--package", &component.package]);
    command.args(triple.map(|triple| format!("--target={triple}")));
    let output = command.output().context("cannot run cargo")?;
    if !output.status.success() {
        bail!("cargo tree failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    // A line is `name v1.2.3 …`.
    let id = |line: &str| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split_whitespace().next()?.to_owned()))
    };
    Ok(String::from_utf8(output.stdout)?.lines().filter_map(id).collect())
}

/// All packages of a workspace, by name and version.
fn known(manifest: &Path) -> Result<BTreeMap<Id, Package>> {
    let metadata = metadata(&mut MetadataCommand::new(), manifest)?;
    let root = metadata.workspace_root.as_std_path();
    let sums = checksums(&root.join("Cargo.lock"))?;
    metadata.packages.into_iter().map(|package| known_package(package, root, &sums)).collect()
}

/// Name and version.
type Id = (String, String);

type Sums = BTreeMap<Id, String>;

fn known_package(package: cargo_metadata::Package, root: &Path, sums: &Sums) -> Result<(Id, Package)> {
    let id = (package.name.to_string(), package.version.to_string());
    let folder = package.manifest_path.as_std_path().parent().context("a manifest lies in a folder")?;
    let mut texts = texts(folder)?;
    // The packages of a workspace share the texts in its root.
    if texts.is_empty() && folder.starts_with(root) {
        texts = self::texts(root)?;
    }
    // Older packages separate alternatives by a stroke.
    let license = package.license.map(|license| license.split('/').map(str::trim).collect::<Vec<_>>().join(" OR "));
    let sha256 = sums.get(&id).cloned();
    let repository = package.repository;
    Ok((id.clone(), Package { name: id.0, version: id.1, license, repository, sha256, texts }))
}

/// The licence's texts in a package. Where the MIT licence is one of several, the others are left out, as are
/// overviews over them.
fn texts(folder: &Path) -> Result<Vec<String>> {
    const BEGINNINGS: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
    const ALTERNATIVES: [&str; 5] = ["APACHE", "ZLIB", "0BSD", "UNLICENSE", "BOOST"];
    const OVERVIEWS: [&str; 3] = ["LICENSE", "LICENSE.MD", "COPYING"];
    let mut names = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_uppercase();
        if entry.file_type()?.is_file() && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning)) {
            names.push((name, entry.path()));
        }
    }
    names.sort();
    if names.iter().any(|(name, _)| name.contains("MIT")) {
        names.retain(|(name, _)| {
            !OVERVIEWS.contains(&name.as_str()) && !ALTERNATIVES.iter().any(|other| name.contains(other))
        });
    }
    names.iter().map(|(_, path)| Ok(fs_err::read_to_string(path)?)).collect()
}

/// The SHA-256 of the packages from a registry, by name and version.
fn checksums(lock: &Path) -> Result<Sums> {
    let lock: toml::Table = fs_err::read_to_string(lock)?.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let sum = |package: &toml::Value| {
        let text = |key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        Some(((text("name")?, text("version")?), text("checksum")?))
    };
    Ok(packages.filter_map(sum).collect())
}
