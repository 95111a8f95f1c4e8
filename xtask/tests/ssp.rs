//! `cargo xtask ssp`: what it says where something is wrong.

use std::process::Command;

fn refused(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).arg("ssp").args(arguments).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn an_fmu_needs_a_name() {
    let expected = "\"Front.fmu\" is not of the form NAME=FILE.fmu";
    assert_eq!(refused(&["Arm.ssp", "Front.fmu"]), expected);
}

#[test]
fn a_missing_fmu_is_named() {
    let message = refused(&["Arm.ssp", "front=nowhere.fmu"]);
    assert!(message.starts_with("failed to open file `nowhere.fmu`"), "{message}");
}
