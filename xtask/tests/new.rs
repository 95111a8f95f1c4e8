//! New components: `cargo xtask new`, and the tutorial.

use std::path::Path;
use std::process::{Command, Output};

use xtask::paths::root;

#[cfg(unix)]
#[allow(dead_code)]
mod support;

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).current_dir(folder).output().unwrap()
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = xtask(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said.trim_end().strip_prefix("error: ").unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn what_is_there_stays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs_err::create_dir(folder.join("spring")).unwrap();
    fs_err::write(folder.join("damper"), "mine").unwrap();
    assert_eq!(refused(folder, &["new", "./spring"]), "./spring: already exists");
    assert_eq!(refused(folder, &["new", "./damper"]), "./damper: already exists");
    assert_eq!(fs_err::read(folder.join("damper")).unwrap(), b"mine");
    let message = refused(folder, &["new", "./no/spring"]);
    assert!(message.starts_with("./no/spring: its parent folder is missing: "), "{message}");
    let bushing = root().join("models").join("bushing");
    assert_eq!(refused(folder, &["new", "bushing"]), format!("{}: already exists", bushing.display()));
}

#[test]
fn a_component_needs_a_name_and_a_place() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let message = refused(folder, &["new", "./My_Spring"]);
    assert!(
        message.starts_with("\"My_Spring\" cannot be the name of a component: use lower-case letters"),
        "{message}"
    );
    let message = refused(folder, &["new", "scalar"]);
    assert_eq!(message, "\"scalar\" cannot be the name of a component: it is reserved in Rust or in the runtime");
    // Cargo could not distinguish them; elsewhere, only packages linked into a component count.
    for name in ["xtask", "serde", "./serde", "./simba"] {
        let called = name.trim_start_matches("./");
        let message = refused(folder, &["new", name]);
        let expected =
            format!("\"{called}\" cannot be the name of a component: another package in Cargo.lock has this name");
        assert_eq!(message, expected);
    }
    let message = refused(root(), &["new", "./docs/spring"]);
    let right = "is in this workspace, whose components are in models/: cargo xtask new spring";
    assert_eq!(message, format!("./docs/spring {right}"));
    let message = refused(folder, &["new", "--part", "wheel"]);
    assert_eq!(message, "a part is a package outside this workspace: cargo xtask new --part ../wheel");
    let message = refused(folder, &["new", "--part", "./motion"]);
    assert_eq!(message, "\"motion\" cannot be the name of a component: it is reserved in Rust or in the runtime");
    assert!(fs_err::read_dir(folder).unwrap().next().is_none());
}

/// The version is that of the packages which `cargo package` makes.
#[test]
fn the_runtime_can_come_from_the_registry() {
    let folder = tempfile::tempdir().unwrap();
    let message = refused(folder.path(), &["new", "--registry", "wheel"]);
    let right = "--registry is for components outside this workspace: cargo xtask new --registry ../wheel";
    assert_eq!(message, right);
    let output = xtask(folder.path(), &["new", "--registry", "./wheel"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let manifest = fs_err::read_to_string(folder.path().join("wheel/Cargo.toml")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!("[dependencies]\nfmu-runtime = \"{version}\"\nnalgebra = ");
    assert!(manifest.contains(&expected), "{manifest}");
    // With the workspace in the place of the registry the package is complete.
    let mut metadata = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    metadata.args(["metadata", "--offline", "--format-version=1", "--manifest-path"]);
    metadata.arg(folder.path().join("wheel/Cargo.toml"));
    let own = [
        ("fmu-runtime", "fmu-runtime"),
        ("fmu-exchange", "fmu-runtime/exchange"),
        ("fmu-scalar", "models/scalar"),
        ("fmu-tape", "fmu-runtime/tape"),
    ];
    for (package, path) in own {
        metadata.arg("--config").arg(format!("patch.crates-io.{package}.path='{}'", root().join(path).display()));
    }
    let output = metadata.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The folder of a package with parts, and what else a system may name.
#[test]
fn a_part_needs_a_system() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let output = xtask(folder, &["new", "--part", "./wheel"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let message = refused(folder, &["build", "./wheel"]);
    assert_eq!(message, "wheel needs a configuration with [parts]: --config FILE.toml");
    let system = |component: &str| {
        let text = fs_err::read_to_string(folder.join("wheel/train.toml")).unwrap();
        fs_err::write(folder.join("train.toml"), text.replace("\".\"", component)).unwrap();
        refused(folder, &["build", "--config", "train.toml"])
    };
    let message = system("\"./nowhere\"");
    assert!(message.starts_with("train.toml:2:13: a path must lead to the folder of a package: "), "{message}");
}

#[cfg(unix)]
#[test]
#[ignore = "expensive: compiles a package outside this workspace, with all that it depends on"]
fn the_tutorial_works() {
    let page = fs_err::read_to_string(root().join("docs/your-own-component.md")).unwrap();
    let [commands, changes, _] = support::Sandbox::new().carry_out(&page);
    assert!(commands >= 5 && changes >= 6, "{commands} {changes}");
}
