//! The origin of a component: cargo's metadata of the packages in its library.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use cargo_metadata::MetadataCommand;
use fmu_builder::{Origin, Package};

use crate::cargo::{cargo, metadata};
use crate::components::{Component, compiled_at_once};
use crate::toolchain::Toolchain;

/// Beginning of an address that is none.
pub const PLACEHOLDER: &str = "https://example.org/";

/// Returns the origins of components' libraries made by these toolchains, in the order of the components.
pub fn origins(components: &[&Component], toolchains: &[&Toolchain]) -> Result<Vec<Origin>> {
    let standard: Vec<_> =
        toolchains.iter().map(|toolchain| Ok(standard_library(toolchain.release()?))).collect::<Result<_>>()?;
    let (mut workspaces, mut origins) = (BTreeMap::new(), BTreeMap::new());
    let key = |component: &&Component| (component.manifest().to_owned(), component.name.clone());
    for (manifest, members) in compiled_at_once(components) {
        let names: Vec<_> = members.iter().map(|component| component.package.as_str()).collect();
        let mut ids: BTreeMap<String, BTreeSet<Id>> = BTreeMap::new();
        for toolchain in toolchains {
            for (package, linked) in linked(&manifest, &names, toolchain.triple())? {
                ids.entry(package).or_default().extend(linked);
            }
        }
        let workspace = match workspaces.entry(manifest) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let workspace = Workspace::read(new.key())?;
                new.insert(workspace)
            }
        };
        for component in members {
            let linked = workspace.packages(&ids[&component.package])?;
            let own = linked.iter().find(|package| package.name == component.package);
            let license = own.and_then(|own| own.license.clone());
            let packages: BTreeSet<_> = linked.into_iter().chain(standard.iter().cloned()).collect();
            origins.insert(key(&component), Origin { license, packages: packages.into_iter().collect() });
        }
    }
    Ok(components.iter().map(|component| origins[&key(component)].clone()).collect())
}

/// Returns the packages in a program of this workspace.
pub fn linked_into(package: &str) -> Result<Vec<Package>> {
    let manifest = crate::paths::root().join("Cargo.toml");
    let mut packages = Workspace::read(&manifest)?.packages(&linked(&manifest, &[package], None)?[package])?;
    packages.push(standard_library(Toolchain::host().release()?));
    Ok(packages)
}

/// Returns the package of the standard library, which is part of every library.
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

/// Returns the packages that are linked into the libraries or programs of packages, which are compiled together.
fn linked(manifest: &Path, packages: &[&str], triple: Option<&str>) -> Result<BTreeMap<String, BTreeSet<Id>>> {
    let mut command = cargo();
    command.args(["tree", "--edges=normal,no-proc-macro", "--prefix=none", "--no-dedupe", "--format={p}"]);
    command.arg("--manifest-path").arg(manifest).args(packages.iter().flat_map(|package| ["--package", package]));
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
    // Each package begins the tree of what it depends on; there is an empty line between trees.
    let tree = |tree: &str| Some((id(tree.lines().next()?)?.0, tree.lines().filter_map(id).collect()));
    Ok(String::from_utf8(output.stdout)?.split("\n\n").filter_map(tree).collect())
}

/// Name and version of a package.
type Id = (String, String);

type Sums = BTreeMap<Id, String>;

/// Cargo's metadata of a workspace.
struct Workspace {
    root: PathBuf,
    packages: BTreeMap<Id, cargo_metadata::Package>,
    sums: Sums,
}

impl Workspace {
    fn read(manifest: &Path) -> Result<Self> {
        let metadata = metadata(&mut MetadataCommand::new(), manifest)?;
        let root = metadata.workspace_root.into_std_path_buf();
        let sums = checksums(&root.join("Cargo.lock"))?;
        let packages = metadata.packages.into_iter();
        let packages =
            packages.map(|package| ((package.name.to_string(), package.version.to_string()), package)).collect();
        Ok(Self { root, packages, sums })
    }

    fn packages(&self, ids: &BTreeSet<Id>) -> Result<Vec<Package>> {
        let package = |id: &Id| {
            let known =
                self.packages.get(id).with_context(|| format!("cargo metadata does not list {} {}", id.0, id.1))?;
            described(known, &self.root, self.sums.get(id).cloned())
        };
        ids.iter().map(package).collect()
    }
}

fn described(package: &cargo_metadata::Package, root: &Path, sha256: Option<String>) -> Result<Package> {
    let folder = package.manifest_path.as_std_path().parent().context("a manifest lies in a folder")?;
    let named = package.license_file.as_ref().map(|file| folder.join(file));
    let mut texts = texts(folder, named.as_deref())
        .with_context(|| format!("{}: the texts of the licence cannot be read", folder.display()))?;
    // The packages of a workspace share the texts in its root.
    if texts.is_empty() && folder.starts_with(root) {
        texts = self::texts(root, None)?;
    }
    // Older packages separate alternatives by a slash.
    let license = package.license.as_ref();
    let license = license.map(|license| license.split('/').map(str::trim).collect::<Vec<_>>().join(" OR "));
    // A licence given by a file only, in SPDX notation.
    let license = license.or_else(|| named.map(|_| format!("LicenseRef-{}", package.name)));
    let (name, version) = (package.name.to_string(), package.version.to_string());
    let repository = package.repository.clone().filter(|address| !address.starts_with(PLACEHOLDER));
    Ok(Package { name, version, license, repository, sha256, texts })
}

/// Returns the licence texts in a package, including the file named by its manifest. If the MIT licence is one of
/// several, the others are omitted, as are overviews of them.
fn texts(folder: &Path, named: Option<&Path>) -> Result<Vec<String>> {
    const BEGINNINGS: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];
    const ALTERNATIVES: [&str; 5] = ["APACHE", "ZLIB", "0BSD", "UNLICENSE", "BOOST"];
    const OVERVIEWS: [&str; 3] = ["LICENSE", "LICENSE.MD", "COPYING"];
    let mut names = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let begins = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
        // Links refer to the texts of a whole repository.
        if begins && path.is_file() && named != Some(&path) {
            names.push((name, path));
        }
    }
    names.sort();
    if names.iter().any(|(name, _)| name.contains("MIT")) {
        names.retain(|(name, _)| {
            !OVERVIEWS.contains(&name.as_str()) && !ALTERNATIVES.iter().any(|other| name.contains(other))
        });
    }
    let others = names.iter().map(|(_, path)| path.as_path());
    named.into_iter().chain(others).map(|path| Ok(decoded(fs_err::read(path)?))).collect()
}

/// Decodes a text in UTF-8, or in Latin-1 as in old packages, with the line ends of Unix.
fn decoded(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes);
    let text = text.unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect());
    // Line ends are those of Unix, so that the same text of two packages compresses as one.
    text.trim_start_matches('\u{feff}').replace("\r\n", "\n")
}

/// Returns the SHA-256 of the packages from a registry, by name and version.
fn checksums(lock: &Path) -> Result<Sums> {
    let lock: toml::Table = fs_err::read_to_string(lock)?.parse()?;
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let sum = |package: &toml::Value| {
        let text = |key: &str| package.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        Some(((text("name")?, text("version")?), text("checksum")?))
    };
    Ok(packages.filter_map(sum).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| fs_err::write(folder.path().join(name), text).unwrap());
        folder
    }

    #[test]
    fn a_text_need_not_be_unicode() {
        let folder =
            written(&[("LICENSE", b"\xa9 J\xf6rg\r\n"), ("NOTICE", "\u{feff}© Jörg 2".as_bytes()), ("main.rs", b"")]);
        assert_eq!(texts(folder.path(), None).unwrap(), ["© Jörg\n", "© Jörg 2"]);
    }

    #[test]
    fn folders_and_links_to_nowhere_are_no_texts() {
        let folder = written(&[("COPYING", b"all")]);
        fs_err::create_dir(folder.path().join("LICENSES")).unwrap();
        #[cfg(unix)]
        {
            fs_err::os::unix::fs::symlink("nowhere", folder.path().join("LICENSE-MIT")).unwrap();
            fs_err::os::unix::fs::symlink("COPYING", folder.path().join("LICENSE")).unwrap();
            assert_eq!(texts(folder.path(), None).unwrap(), ["all", "all"]);
        }
    }

    #[test]
    fn the_file_that_a_manifest_names_is_a_text() {
        let folder = written(&[("terms.txt", b"terms"), ("LICENSE-MIT", b"mit"), ("LICENSE", b"either")]);
        let named = folder.path().join("terms.txt");
        assert_eq!(texts(folder.path(), Some(&named)).unwrap(), ["terms", "mit"]);
        assert_eq!(texts(folder.path(), Some(&folder.path().join("LICENSE"))).unwrap(), ["either", "mit"]);
        let package = |file: &str| {
            let manifest = folder.path().join("Cargo.toml");
            let package = serde_json::json!({
                "name": "spring", "version": "1.0.0", "manifest_path": manifest, "license_file": file,
                "id": "spring", "dependencies": [], "targets": [], "features": {},
            });
            described(&serde_json::from_value(package).unwrap(), folder.path(), None)
        };
        assert_eq!(package("terms.txt").unwrap().license.unwrap(), "LicenseRef-spring");
        let message = format!("{:#}", package("none.txt").unwrap_err());
        let begin = format!("{}: the texts of the licence cannot be read: ", folder.path().display());
        assert!(message.starts_with(&begin) && message.contains("none.txt"), "{message}");
    }
}
