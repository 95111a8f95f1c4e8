//! Information in the archives about their packages: licences, and a software bill of materials.

use std::collections::{BTreeMap, BTreeSet};

use fmu_builder::{Archive, Platform};
use fmu_tests::finished::{archives, printed, python};
use serde_json::Value;

const BILL: &str = "documentation/sbom.cdx.json";

/// Returns the packages of a bill, `name-version`, with their checksums.
fn packages(archive: &Archive) -> BTreeMap<String, Option<String>> {
    let bill: Value = serde_json::from_slice(&archive.read(BILL).unwrap()).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let package = |component: &Value| {
        let name = format!("{}-{}", text(&component["name"]).unwrap(), text(&component["version"]).unwrap());
        (name, text(&component["hashes"][0]["content"]))
    };
    bill["components"].as_array().unwrap().iter().map(package).collect()
}

/// Returns the sources that messages of panics name: `cargo/registry/src/…/name-1.2.3/src/…`.
fn named_in(library: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(library);
    let paths = text.match_indices("cargo/registry/src/").map(|(start, _)| &text[start..]);
    paths.filter_map(|path| path.split('/').nth(4).map(str::to_owned)).collect()
}

#[test]
fn the_bill_has_every_package_that_the_library_names() {
    let mut count = 0;
    for path in archives() {
        let archive = Archive::open(&path).unwrap();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let library = archive.read(&Platform::host().unwrap().entry(stem)).unwrap();
        let packages = packages(&archive);
        for name in named_in(&library) {
            assert!(packages.contains_key(&name), "{}: {name} is missing in {packages:?}", path.display());
            count += 1;
        }
    }
    assert!(count > 20, "the libraries name {count} packages only");
}

#[test]
fn only_the_bushing_has_readers_of_spreadsheets() {
    for path in archives() {
        let packages = packages(&Archive::open(&path).unwrap());
        let reads = packages.keys().any(|name| name.starts_with("calamine-"));
        assert_eq!(reads, path.ends_with("Bushing.fmu"), "{}", path.display());
    }
}

#[test]
fn packages_of_the_registry_have_their_checksums() {
    for path in archives() {
        let packages = packages(&Archive::open(&path).unwrap());
        let without: Vec<_> = packages.iter().filter(|(_, sum)| sum.is_none()).map(|(name, _)| name.as_str()).collect();
        let own = |name: &&str| name.starts_with("std-") || name.ends_with(concat!("-", env!("CARGO_PKG_VERSION")));
        assert!(without.iter().all(own), "{without:?}");
        assert!(packages.len() > without.len() + 20, "{packages:?}");
    }
}

#[test]
fn each_package_has_a_licence_and_its_text() {
    for path in archives() {
        let archive = Archive::open(&path).unwrap();
        let text = String::from_utf8(archive.read("documentation/licenses/license.txt").unwrap()).unwrap();
        assert!(!text.contains("not stated"), "{text}");
        let (_, texts) = text.split_once("------").unwrap();
        for name in packages(&archive).keys() {
            let (name, version) = name.rsplit_once('-').unwrap();
            assert!(texts.contains(&format!("{name} {version}")), "{}: {name} has no text", path.display());
        }
    }
}

#[test]
fn the_bill_is_valid_cyclonedx() {
    let Some(mut python) = python() else { return };
    let script = "import importlib.util, json, pathlib, sys, zipfile\n\
        from jsonschema import Draft7Validator\n\
        from referencing import Registry, Resource\n\
        folder = pathlib.Path(importlib.util.find_spec('cyclonedx').origin).parent / 'schema' / '_res'\n\
        load = lambda name: json.loads((folder / name).read_text(encoding='utf-8'))\n\
        schemas = {name: Resource.from_contents(load(name.replace('.schema', '.SNAPSHOT.schema')))\n\
        \x20          for name in ['bom-1.6.schema.json', 'spdx.schema.json', 'jsf-0.82.schema.json']}\n\
        registry = Registry().with_resources([('http://cyclonedx.org/schema/' + name, schema)\n\
        \x20                                     for name, schema in schemas.items()])\n\
        validator = Draft7Validator({'$ref': 'http://cyclonedx.org/schema/bom-1.6.schema.json'}, registry=registry)\n\
        assert not validator.is_valid({'bomFormat': 'CycloneDX'})\n\
        for path in sys.argv[1:]:\n\
        \x20   validator.validate(json.loads(zipfile.ZipFile(path).read('documentation/sbom.cdx.json')))\n\
        \x20   print('valid')";
    let archives = archives();
    let said = printed(python.args(["-c", script]).args(&archives));
    assert_eq!(said.matches("valid\n").count(), archives.len(), "{said}");
}
