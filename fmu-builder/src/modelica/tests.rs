//! Compiles the models with a Modelica compiler.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use super::{modelica_model, modelica_package};
use crate::archive::origin::Origin;
use crate::archive::package::pack;
use crate::archive::platform::Platform;
use crate::archive::platform::tests::binary;
use crate::example::assembly;

/// Every port is connected, with the derivatives that the FMU needs.
#[test]
fn a_compiler_takes_every_connector() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let python = root.join("target/python").join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let _ = writeln!(std::io::stderr(), "skipped: Python is not set up; cargo xtask test does that");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("library");
    fs_err::write(&library, binary(Platform::Linux64)).unwrap();
    let description = assembly();
    let fmu = pack(&description, &Origin::default(), &[(Platform::Linux64, library)], folder.path()).unwrap();
    modelica_model(&description, folder.path()).unwrap();
    let package = modelica_package(folder.path()).unwrap();
    let output = Command::new(python).arg(root.join("tests/modelica/check.py")).arg(package).arg(fmu).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    println!("{said}");
    assert!(output.status.success(), "{said}");
    assert!(said.starts_with("TestAssembly: ") && said.contains(" values, 0 wrong"), "{said}");
}
