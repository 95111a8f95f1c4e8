//! What `validate` says of a component whose interfaces differ.

use std::path::PathBuf;
use std::sync::OnceLock;

use fmu_builder::{Library, Origin, Platform, Settings, pack};
use fmu_importer::validate;

use crate::fixture::compile;

/// The findings about the rotors with a mistake, or why they are not built.
fn findings(mistake: &str) -> Result<Vec<String>, String> {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    let path = LIBRARY.get_or_init(|| compile("faulty-component"));
    let mut settings = Settings::default();
    settings.set(&format!("mistake={mistake}")).unwrap();
    let resolved = settings.resolve(&Library::load(path).unwrap());
    let description = resolved.map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().unwrap();
    let libraries = [(Platform::host().unwrap(), path.clone())];
    let file = pack(&description, &Origin::default(), &libraries, folder.path()).unwrap();
    let mut findings = Vec::new();
    let checked = validate::file(&file, |finding| findings.push(finding.to_string()));
    assert_eq!(checked.interfaces, ["Co-Simulation", "Model Exchange"]);
    Ok(findings)
}

#[test]
fn interfaces_that_agree_are_left_alone() {
    assert_eq!(findings("none"), Ok(Vec::new()));
}

#[test]
fn a_wrong_sign_and_a_wrong_constant_are_named() {
    for (mistake, variable, with) in [("sign", "w_a", ""), ("constant", "w_b", "with other parameters")] {
        let [finding] = findings(mistake).unwrap().try_into().unwrap();
        let expected = format!("the interfaces differ: `{variable}` is ");
        assert!(finding.starts_with(&expected), "{mistake}: {finding}");
        for part in [" in Co-Simulation and ", " in Model Exchange at ", "; the largest difference is ", with] {
            assert!(finding.contains(part), "{mistake}: {finding}");
        }
    }
}

#[test]
fn a_start_value_without_a_derivative_is_refused() {
    let expected =
        "\"phi_b\" has a start value, but no derivative: add der = \"…\" to its row, or remove the start value";
    assert_eq!(findings("start"), Err(expected.to_owned()));
}

#[test]
fn a_derivative_that_is_not_assigned_is_refused() {
    for (mistake, expected) in [
        ("derivative", "\"w_b\", the derivative of \"phi_b\", is never assigned: set it in `evaluate`"),
        ("unassigned", "\"a_b\", the derivative of \"w_b\", is never assigned: set it in `evaluate`"),
        (
            "branch",
            "\"a_b\" is not always assigned, and keeps the value of an earlier call: set it in each branch of `evaluate`",
        ),
        (
            "order",
            "\"a_a\" depends on values of an earlier call: `evaluate` must not read what it computes before it has set it",
        ),
    ] {
        assert_eq!(findings(mistake), Err(expected.to_owned()), "{mistake}");
    }
}

#[test]
fn a_derivative_in_a_wrong_unit_is_refused() {
    let expected =
        "\"a_b\" [m/s2] is declared as the derivative of \"w_b\" [rad/s], but its unit is not rad/s per second";
    assert_eq!(findings("unit"), Err(expected.to_owned()));
}
