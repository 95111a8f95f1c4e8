//! Locations of the resources in all forms that importers on Windows use.

use std::fmt::Write;
use std::path::Path;

use fmu_builder::Platform;
use xtask::paths::root;

use crate::fixture::{Fmu, components, sample};
use crate::machine::Machine;

const FOLDERS: [&str; 8] = ["plain", "a b", "50%", "%41", "a+b", "a#b", "ä", "日本"];

fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Instantiates with each location; returns the mass of each instance, or the log.
fn masses(fmu: &Fmu, machine: &Machine, library: &Path, locations: &[Vec<u8>]) -> Vec<Result<f64, String>> {
    let mass = fmu.model.variables.iter().find(|variable| variable.name == "m").unwrap().value_reference;
    let mut calls = Vec::new();
    for location in locations {
        calls.extend(format!("instantiate 1 {} ", fmu.model.guid).bytes());
        calls.extend(location);
        calls.extend(format!("\nget {mass}\nfree\n").bytes());
    }
    let lines = machine.run(library, calls);
    let mut results = Vec::new();
    let mut logged = String::new();
    for line in lines {
        if line.starts_with("log") {
            write!(logged, "{line}").unwrap();
        } else if let Some(value) = line.strip_prefix("values ") {
            let value = value.parse().unwrap();
            results.push(if logged.is_empty() { Ok(value) } else { Err(std::mem::take(&mut logged)) });
        }
    }
    assert_eq!(results.len(), locations.len());
    results
}

/// Copies a library to a folder without resources next to it.
fn lonely(fmu: &Fmu, folder: &Path) -> std::path::PathBuf {
    fs_err::create_dir_all(folder).unwrap();
    let library = folder.join("Sample.dll");
    fs_err::copy(fmu.library(Platform::Win64), &library).unwrap();
    library
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn rule_5_4_all_forms_and_folders() {
    let Some((fmu, machine)) = sample().first().zip(Machine::of(Platform::Win64)) else { return };
    let base = tempfile::tempdir_in(root().join("target/platforms")).unwrap();
    let library = lonely(fmu, &base.path().join("library"));
    let mut locations = Vec::new();
    for name in FOLDERS {
        let folder = base.path().join(name).join("resources");
        fs_err::create_dir_all(&folder).unwrap();
        fs_err::copy(fmu.folder.join("resources/configuration.txt"), folder.join("configuration.txt")).unwrap();
        let path = folder.to_str().unwrap();
        let (native, uri) = (machine.path(&folder), encoded(path));
        locations.extend([
            format!("file:///Z:{uri}"),
            format!("file:///z:{uri}/"),
            format!("file:///Z%3A{uri}"),
            format!("file:///Z|{uri}"),
            format!("file:/Z:{uri}"),
            format!("file:Z:{uri}"),
            format!("file://Z:{uri}"),
            format!("file://localhost/Z:{uri}"),
            format!("FILE:///Z:{path}"),
            format!("file:///{native}"),
            format!("file://{native}"),
            format!("file:///Z:{}", encoded(&uri)),
            format!("Z:{path}"),
            format!("{native}\\"),
            native.strip_suffix("\\resources").unwrap().to_owned(),
            format!("file:///Z:{}", encoded(base.path().join(name).to_str().unwrap())),
            native,
        ]);
    }
    let bytes: Vec<_> = locations.iter().map(|location| location.clone().into_bytes()).collect();
    let results = masses(fmu, &machine, &library, &bytes);
    for (location, result) in locations.iter().zip(results) {
        assert_eq!(result, Ok(3.0), "{location}");
    }
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn rule_5_4_what_leads_nowhere_is_told() {
    let Some((fmu, machine)) = sample().first().zip(Machine::of(Platform::Win64)) else { return };
    let base = tempfile::tempdir_in(root().join("target/platforms")).unwrap();
    let library = lonely(fmu, base.path());
    let nowhere = ["", "file:///C:/nowhere", "file://server/share/resources", "\\\\server\\share", "/nowhere", "%%%"];
    let locations: Vec<_> = nowhere.iter().map(|location| location.as_bytes().to_vec()).collect();
    for (location, result) in nowhere.iter().zip(masses(fmu, &machine, &library, &locations)) {
        let message = result.unwrap_err();
        assert!(
            message.contains("of the default configuration, since no resources folder was found"),
            "{location}: {message}"
        );
    }
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn a_small_library_needs_its_resources() {
    let Some((fmu, machine)) = components().first().zip(Machine::of(Platform::Win64)) else { return };
    let base = tempfile::tempdir_in(root().join("target/platforms")).unwrap();
    let said = machine.run(&lonely(fmu, base.path()), format!("instantiate 1 {} \n", fmu.model.guid)).concat();
    let expected = "fmi2Instantiate: no folder with configuration.txt was found at fmuResourceLocation or near the library, \
                    which has no default configuration, since it was made with --small or for WebAssembly";
    assert!(said.contains(expected), "{said}");
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn rule_5_4_6_resources_beside_the_library_are_found() {
    let Some((fmu, machine)) = sample().first().zip(Machine::of(Platform::Win64)) else { return };
    // The last one is in the Western European code page, as passed by an importer without UTF-8 support.
    let locations = [b"".to_vec(), b"file:///C:/nowhere".to_vec(), b"file:///Z:/M\xFCller/resources".to_vec()];
    for result in masses(fmu, &machine, &fmu.library(Platform::Win64), &locations) {
        assert_eq!(result, Ok(3.0));
    }
    // A folder whose name is independent of the harness's code page: only the library's own path contains it.
    let base = tempfile::tempdir_in(root().join("target/platforms")).unwrap();
    let library = lonely(fmu, &base.path().join("a b/binaries/win64"));
    let resources = base.path().join("a b/resources");
    fs_err::create_dir_all(&resources).unwrap();
    fs_err::copy(fmu.folder.join("resources/configuration.txt"), resources.join("configuration.txt")).unwrap();
    assert_eq!(masses(fmu, &machine, &library, &locations[..1]), [Ok(3.0)]);
}
