//! `cargo xtask ssp`: error messages.

use std::process::Command;

use xtask_compile::paths::root;

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

/// The indented commands of the page, in order.
#[test]
fn the_commands_of_the_page_work() {
    let page = fs_err::read_to_string(root().join("docs/omsimulator.md")).unwrap().replace("\\\n", "");
    let commands: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("    cargo xtask ")).collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = xtask.args(command.split_whitespace()).current_dir(root()).output().unwrap();
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let archive = fmu_builder::Archive::open(&root().join("target/Arm.ssp")).unwrap();
    let names: Vec<_> = archive.entries().iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["SystemStructure.ssd", "resources/front.fmu", "resources/rear.fmu"]);
}
