//! FMUs for WebAssembly, in wasmtime and in Node, against those for this computer.

use std::path::Path;
use std::process::Command;

use xtask::paths::root;
use xtask::venv;

use crate::fixture::{print, skip};

/// Component with events, states, a table and a file.
const COMPONENT: &str = "tests/components/sample";

/// The largest component in the sense of WebAssembly that is accepted, in bytes of the archive: the clutch has 8 kB more, and
/// thus 150 kB.
const MAX_BYTES: u64 = 142_100;

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn webassembly_gives_the_values_of_linux() {
    let folder = root().join("target").join("platforms");
    let (wasm, here) = (folder.join("webassembly"), folder.join("webassembly-here"));
    if let Some(missing) = build(&["--target", "wasm32", "--small"], &wasm) {
        skip("WebAssembly", &missing);
        return;
    }
    assert_eq!(build(&[], &here), None);
    let source = root().join("tests").join("webassembly");
    let python = venv::prepare(&folder.join("wasmtime"), &source.join("requirements.txt"), "WebAssembly").unwrap();
    let fmu = |folder: &Path| folder.join("fmi3/Sample.fmu");
    let mut compare = Command::new(&python);
    let output = venv::run(compare.arg(source.join("compare.py")).args([fmu(&wasm), fmu(&here)])).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    print(&said);
    let (_, size) = said.trim_end().rsplit_once(' ').unwrap();
    assert!(size.parse::<u64>().unwrap() <= MAX_BYTES, "{said}");
}

/// Builds the FMU of FMI 3.0; returns what is missing for that.
fn build(arguments: &[&str], out: &Path) -> Option<String> {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["build", COMPONENT, "--fmi", "3"]).args(arguments).arg("--out").arg(out).current_dir(root());
    let output = xtask.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let missing = said.split_once("tools for these platforms are missing:").map(|(_, missing)| missing.to_owned());
    assert!(missing.is_some() || output.status.success(), "{said}");
    missing
}
