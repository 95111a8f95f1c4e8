//! FMUs for WebAssembly, in wasmtime and in Node, against those for this computer.

use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::paths::root;
use xtask::venv;

use crate::fixture::{print, skip};

/// What is built, and the most that its component may have in the archive, in bytes: components, one of them with events and
/// states, one with tables, a drive train and a mechanism.
const BUILT: [(&[&str], &str, u64); 5] = [
    (&["clutch"], "Clutch", 150_000),
    (&["joint-usr"], "JointUSR", 150_000),
    (&["tests/components/sample"], "Sample", 150_000),
    (&["--config", "examples/coupled-clutches.toml"], "CoupledClutches", 900_000),
    (&["--config", "examples/four-bar.toml"], "FourBar", 900_000),
];

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn webassembly_gives_the_values_of_linux() {
    let folder = root().join("target").join("platforms");
    let (wasm, here) = (folder.join("webassembly"), folder.join("webassembly-here"));
    for (arguments, ..) in BUILT {
        if let Some(missing) = build(arguments, &["--target", "wasm32", "--small"], &wasm) {
            skip("WebAssembly", &missing);
            return;
        }
        assert_eq!(build(arguments, &[], &here), None);
    }
    let source = root().join("tests").join("webassembly");
    let python = venv::prepare(&folder.join("wasmtime"), &source.join("requirements.txt"), "WebAssembly").unwrap();
    for (_, name, largest) in BUILT {
        let fmu = |folder: &Path| folder.join("fmi3").join(name).with_extension("fmu");
        let mut compare = Command::new(&python);
        let output = venv::run(compare.arg(source.join("compare.py")).args([fmu(&wasm), fmu(&here)])).unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        print(&said);
        let (_, size) = said.trim_end().rsplit_once(' ').unwrap();
        assert!(size.parse::<u64>().unwrap() <= largest, "{said}");
    }
}

/// Builds an FMU of FMI 3.0; returns what is missing for that.
fn build(arguments: &[&str], more: &[&str], out: &PathBuf) -> Option<String> {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["build", "--fmi", "3"]).args(arguments).args(more).arg("--out").arg(out).current_dir(root());
    let output = xtask.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let missing = said.split_once("tools for these platforms are missing:").map(|(_, missing)| missing.to_owned());
    assert!(missing.is_some() || output.status.success(), "{said}");
    missing
}
