//! FMUs for WebAssembly, in wasmtime and in Node, against those for this computer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use xtask::paths::{files, root};
use xtask::venv;

use crate::fixture::{print, skip};

/// Component with events, states, a table and a file.
const COMPONENT: &str = "tests/components/sample";

/// The largest component, with orientations that stay valid when each input moves by itself.
const BUSHING: &str = "component = \"Bushing\"
[structure]
orientation = \"cardan\"
nonlinear_TS = true
maxwell_T = 1
friction_R = true
";

/// A drive train and a mechanism, which have different libraries.
const SYSTEMS: [&str; 2] = ["--config=examples/coupled-clutches.toml", "--config=examples/four-bar.toml"];

/// The sizes that are accepted of these two as components in the sense of WebAssembly, in bytes of the archive.
const MAX_BYTES: [u64; 2] = [137_000, 150_000];

/// The largest one of systems.
const MAX_BYTES_OF_SYSTEMS: u64 = 900_000;

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn components_in_webassembly_have_150_kb_and_the_values_of_linux() {
    let largest = root().join("target").join("platforms").join("bushing.toml");
    fs_err::create_dir_all(largest.parent().unwrap()).unwrap();
    fs_err::write(&largest, BUSHING).unwrap();
    let all = [
        compared("webassembly", &[COMPONENT]),
        compared("webassembly-largest", &[&format!("--config={}", largest.display())]),
    ]
    .concat();
    assert!(all.is_empty() || all.len() == 2, "{all:?}");
    for (said, max) in all.iter().zip(MAX_BYTES) {
        assert!(bytes(said) <= max, "{said}");
    }
    // Sine and cosine of the bushing's angles are those of another library.
    assert!(
        all.first().is_none_or(|said| said.contains(" values, 0 with other bits, largest deviation 0, ")),
        "{all:?}"
    );
}

#[test]
#[ignore = "expensive: compiles for other platforms"]
fn systems_in_webassembly_have_900_kb_and_the_values_of_linux_to_1e_12() {
    let all = compared("webassembly-systems", &SYSTEMS);
    assert!(all.is_empty() || all.len() == SYSTEMS.len(), "{all:?}");
    for said in all {
        assert!(bytes(&said) <= MAX_BYTES_OF_SYSTEMS, "{said}");
    }
}

/// Returns the size of the component that a comparison tells.
fn bytes(said: &str) -> u64 {
    said.rsplit_once(' ').unwrap().1.parse().unwrap()
}

/// Builds FMUs of FMI 3.0 for WebAssembly and for this computer; returns a line for each of them, or none if tools are missing.
fn compared(name: &str, what: &[&str]) -> Vec<String> {
    let folder = root().join("target").join("platforms");
    let (wasm, here) = (folder.join(name), folder.join(format!("{name}-here")));
    if let Some(missing) = build(&[what, &["--target", "wasm32", "--small"]].concat(), &wasm) {
        skip(name, &missing);
        return Vec::new();
    }
    assert_eq!(build(what, &here), None);
    let fmus = [wasm, here].map(|folder| files(&folder.join("fmi3"), "fmu").unwrap());
    let [wasm, here] = &fmus;
    let pairs = wasm.iter().zip(here).flat_map(|(wasm, here)| [wasm, here]);
    let mut compare = Command::new(python(&folder));
    let output = venv::run(compare.arg(root().join("tests/webassembly/compare.py")).args(pairs)).unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    print(&said);
    said.lines().filter(|line| line.contains(" values, ")).map(str::to_owned).collect()
}

/// Returns a Python with wasmtime.
fn python(folder: &Path) -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    let requirements = root().join("tests/webassembly/requirements.txt");
    PYTHON.get_or_init(|| venv::prepare(&folder.join("wasmtime"), &requirements, "WebAssembly").unwrap())
}

/// Builds FMUs of FMI 3.0; returns what is missing for that.
fn build(arguments: &[&str], out: &Path) -> Option<String> {
    if out.exists() {
        fs_err::remove_dir_all(out).unwrap();
    }
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    xtask.args(["build", "--fmi", "3"]).args(arguments).arg("--out").arg(out).current_dir(root());
    let output = xtask.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let missing = said.split_once("tools for these platforms are missing:").map(|(_, missing)| missing.to_owned());
    assert!(missing.is_some() || output.status.success(), "{said}");
    missing
}
