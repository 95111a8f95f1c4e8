//! The module of WebAssembly.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fmu_builder::console::note;
use xtask::components;
use xtask::paths::root;
use xtask::targets::WEBASSEMBLY;
use xtask::toolchain::{Toolchain, webassembly_linker};
use xtask::venv;

/// Folder of `target` in which it compiles, so that it waits for nothing else.
pub const FOLDER: &str = "playground-module";

/// File with the functions of the module.
const FUNCTIONS: &str = "playground/src/lib.rs";

/// Vectors make the module smaller; all browsers of today have them.
const FEATURES: &str = "-Ctarget-feature=+simd128";

/// Bytes of the stack: files and expressions are read by functions that call themselves.
const STACK: usize = 4 << 20;

/// Compiles the module, which is to be linked.
pub fn compile() -> Result<()> {
    let toolchains = Toolchain::find(&[&WEBASSEMBLY], true)?;
    let toolchain = toolchains.into_iter().flatten().next().context("a toolchain for WebAssembly")?.in_folder(FOLDER);
    note("compiling the module");
    let mut cargo = toolchain.build()?;
    cargo.args(["--quiet", "--package", "playground", "--profile", "playground"]);
    let flags = format!("{}\x1f{FEATURES}", components::flags(&toolchain));
    venv::run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags).current_dir(root())).map(drop)
}

/// Links the compiled module into a file, with the functions of the page only: compilers also export those with which other
/// packages would call JavaScript.
pub fn link(file: &Path) -> Result<()> {
    let folder = root().join("target").join(FOLDER).join("wasm32-unknown-unknown").join("playground");
    let mut linker = Command::new(webassembly_linker().context("the linker of WebAssembly is missing")?);
    linker.args(["-flavor", "wasm", "--no-entry", "--stack-first", "--strip-all", "-O2", "--compress-relocations"]);
    linker.arg("-z").arg(format!("stack-size={STACK}"));
    let source = fs_err::read_to_string(root().join(FUNCTIONS))?;
    linker.args(functions(&source).map(|name| format!("--export={name}")));
    venv::run(linker.arg(folder.join("libplayground.a")).arg("-o").arg(file)).map(drop)
}

/// Returns the names of the functions for the page in a source file.
fn functions(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| line.split_once("extern \"C\" fn ")?.1.split('(').next())
}
