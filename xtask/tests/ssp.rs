//! `cargo xtask ssp`: error messages.

use std::process::Command;

use xtask::paths::root;

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
fn only_a_package_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [clutch, brake, package, disguised] = ["Clutch.fmu", "Brake.fmu", "Both.ssp", "Disguised.ssp"].map(path);
    fs_err::copy(fmu_tests::finished::archive("clutch"), &clutch).unwrap();
    for copy in [&brake, &disguised] {
        fs_err::copy(&clutch, copy).unwrap();
    }
    let before = fs_err::read(&clutch).unwrap();
    let other = format!("b={brake}");
    let expected = format!("{clutch}: a package of a system is an .ssp file, which comes before the FMUs");
    assert_eq!(refused(&[&clutch, &other]), expected);
    let reason = "the existing file is not an SSP package; delete it or choose another name";
    assert_eq!(refused(&[&disguised, &other]), format!("{disguised}: cannot be written: {reason}"));
    // Another name of the input.
    fs_err::hard_link(&brake, &package).unwrap();
    let expected = format!("the archive would overwrite an input of this command, {brake}");
    assert_eq!(refused(&[&package, &other]), expected);
    for file in [&clutch, &brake, &disguised] {
        assert_eq!(fs_err::read(file).unwrap(), before);
    }
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
