//! Locations of the resources in all forms that importers use.

#![cfg(unix)]

use std::path::Path;

use fmu_builder::description::Description;
use fmu_builder::{Library, Settings};
use fmu_runtime::CONFIGURATION;
use fmu_tests::api::{Api, CInstance, CO_SIMULATION, Setup};

use crate::fixture::{fmu, library};

const FOLDERS: [&str; 9] = ["plain", "a b", "50%", "%41", "a+b", "a#b?c", "ä", "日本", "{braces}"];

/// A configuration whose GUID is not that of the defaults, so that only its resources can explain a success.
fn other() -> Description {
    let mut settings = Settings::default();
    settings.set("m=3").unwrap();
    settings.resolve(&Library::load(library("sample")).unwrap()).unwrap()
}

/// Percent-encodes what is neither unreserved nor in `also`.
fn encode(path: &str, also: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) || also.as_bytes().contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn instantiate(api: &Api, description: &Description, location: Option<&str>) -> Result<CInstance, String> {
    let setup = Setup { location: location.map(str::as_bytes), ..Setup::new(CO_SIMULATION, &description.guid) };
    api.instantiate(setup).map_err(|messages| messages.into_iter().map(|message| message.text).collect())
}

/// Mass of the instance with the other configuration.
fn mass(fmi: &CInstance) -> f64 {
    fmi.get_real(&[fmu("sample").vr("m")]).1[0]
}

fn write_resources(folder: &Path, description: &Description) {
    fs_err::create_dir_all(folder).unwrap();
    fs_err::write(folder.join(CONFIGURATION), &description.configuration).unwrap();
}

#[test]
fn rule_5_4_b9_all_forms_and_folders() {
    let description = other();
    let api = Api::load(library("sample")).unwrap();
    let base = tempfile::tempdir().unwrap();
    for name in FOLDERS {
        let root = base.path().join(name);
        write_resources(&root.join("resources"), &description);
        let root = root.to_str().unwrap();
        let path = format!("{root}/resources");
        let encoded = encode(&path, "");
        let locations = [
            format!("file://{}", encode(&path, "+{}")),
            format!("file:{encoded}"),
            format!("file://{encoded}"),
            format!("file://localhost{encoded}"),
            format!("FILE://{encoded}"),
            format!("file:///{path}"),
            format!("file://{path}"),
            format!("file:{path}"),
            path.clone(),
            format!("{path}/"),
            format!("file://{encoded}/"),
            format!("file://{}", encode(root, "")),
            root.to_owned(),
            format!("file://{}", encode(&encoded, "")),
            format!(" file://{encoded}\n"),
        ];
        for location in locations {
            let fmi = instantiate(&api, &description, Some(&location));
            let fmi = fmi.unwrap_or_else(|message| panic!("{location}: {message}"));
            assert_eq!(mass(&fmi), 3.0, "{location}");
        }
    }
}

#[test]
fn rule_5_4_rule_1_5_5_what_leads_nowhere_leaves_the_default_configuration() {
    let api = Api::load(library("sample")).unwrap();
    let nowhere = [
        None,
        Some(""),
        Some("  "),
        Some("http://example.org/resources"),
        Some("fmi2://resources"),
        Some("file:"),
        Some("file://"),
        Some("file:///"),
        Some("file:///nowhere/resources"),
        Some("C:\\nowhere\\resources"),
        Some("file:///C:/nowhere/resources"),
        Some("file://C:/nowhere/resources"),
        Some("file://server/share/resources"),
        Some("%%%zz%"),
        Some("\u{1}\u{7f}garbage"),
    ];
    for location in nowhere {
        let fmi = instantiate(&api, &fmu("sample").description, location);
        assert_eq!(mass(&fmi.unwrap_or_else(|message| panic!("{location:?}: {message}"))), 2.0);
        let message = instantiate(&api, &other(), location).err().unwrap();
        assert!(message.contains("default configuration"), "{location:?}: {message}");
    }
    let setup =
        Setup { location: Some(b"file:///\xff\xfe"), ..Setup::new(CO_SIMULATION, &fmu("sample").description.guid) };
    assert!(api.instantiate(setup).is_ok());
}

#[test]
fn rule_5_4_6_resources_beside_the_library_are_found() {
    let description = other();
    let base = tempfile::tempdir().unwrap();
    let binaries = base.path().join("binaries").join("some platform");
    fs_err::create_dir_all(&binaries).unwrap();
    let binary = binaries.join("Sample.so");
    fs_err::copy(library("sample"), &binary).unwrap();
    write_resources(&base.path().join("resources"), &description);
    let api = Api::load(&binary).unwrap();
    for location in [None, Some(""), Some("file:///nowhere")] {
        assert_eq!(mass(&instantiate(&api, &description, location).unwrap()), 3.0);
    }
    let elsewhere = base.path().join("elsewhere");
    write_resources(&elsewhere, &fmu("sample").description);
    let location = elsewhere.to_str().unwrap();
    assert_eq!(mass(&instantiate(&api, &fmu("sample").description, Some(location)).unwrap()), 2.0, "the location wins");
}

#[test]
fn rule_5_4_a_configuration_that_cannot_be_read_is_named() {
    let api = Api::load(library("sample")).unwrap();
    let base = tempfile::tempdir().unwrap();
    let location = base.path().to_str().unwrap();
    for content in [b"".as_slice(), b"nonsense", b"\xff\xfe", b"component Bushing\n"] {
        fs_err::write(base.path().join(CONFIGURATION), content).unwrap();
        let message = instantiate(&api, &fmu("sample").description, Some(location)).err().unwrap();
        assert!(message.contains(CONFIGURATION), "{message}");
    }
}
