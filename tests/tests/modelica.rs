//! What Modelica tools get of the finished FMUs: connectors, icons, and a package with a model for each.

use std::path::{Path, PathBuf};
use std::process::Command;

use fmu_builder::Archive;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The archives that `cargo xtask build` makes.
fn archives() -> Vec<PathBuf> {
    let entries = fs_err::read_dir(root().join("target/fmu")).expect("run cargo xtask build first");
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = paths.filter(|path| path.extension().is_some_and(|extension| extension == "fmu")).collect();
    assert!(!found.is_empty(), "target/fmu is empty: run cargo xtask build first");
    found.sort();
    found
}

/// What a Python script prints; nothing, with a reason, where Python is not set up.
fn python(arguments: &[&str], files: &[PathBuf]) -> Option<String> {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let python = root().join("target/python").join(folder).join("python");
    if !python.exists() {
        assert!(std::env::var_os("CI").is_none(), "CI must have the Python environment");
        println!("skipped: Python is not set up; cargo xtask test does that");
        return None;
    }
    let output = Command::new(python).args(arguments).args(files).current_dir(root()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(said)
}

#[test]
fn terminals_and_icons_are_valid_by_fmi_3() {
    let script = "import os, sys, zipfile, fmpy\n\
        from lxml import etree\n\
        folder = os.path.join(os.path.dirname(fmpy.__file__), 'schema', 'fmi3')\n\
        schema = etree.XMLSchema(file=os.path.join(folder, 'fmi3TerminalsAndIcons.xsd'))\n\
        for path in sys.argv[1:]:\n\
        \x20   text = zipfile.ZipFile(path).read('terminalsAndIcons/terminalsAndIcons.xml')\n\
        \x20   schema.assertValid(etree.fromstring(text))\n\
        \x20   print('valid')";
    let archives = archives();
    let Some(said) = python(&["-c", script], &archives) else { return };
    assert_eq!(said.matches("valid").count(), archives.len(), "{said}");
}

#[test]
fn the_icon_lies_beside_its_description() {
    for path in archives() {
        let archive = Archive::open(&path).unwrap();
        let read = |name: &str| archive.read(name).unwrap();
        assert_eq!(read("terminalsAndIcons/icon.png"), read("model.png"));
        assert!(read("terminalsAndIcons/icon.svg").starts_with(b"<svg"), "{}", path.display());
    }
}

/// A stand-in takes the place of the imported block; see `tests/modelica/check.py`.
#[test]
fn a_compiler_takes_the_models_of_all_fmus() {
    let archives = archives();
    let package = "target/fmu/MechanicalFMUs";
    let Some(said) = python(&["tests/modelica/check.py", package], &archives) else { return };
    assert_eq!(said.matches(" values, 0 wrong").count(), archives.len(), "{said}");
}
