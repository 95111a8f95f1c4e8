//! The module of WebAssembly.

use std::path::PathBuf;

use anyhow::{Context, Result};
use fmu_builder::console::note;
use xtask::components;
use xtask::paths::root;
use xtask::targets::WEBASSEMBLY;
use xtask::toolchain::Toolchain;
use xtask::venv;

/// Bytes of the stack: files and expressions are read by functions that call themselves.
const STACK: usize = 4 << 20;

/// Compiles the module and returns its path.
pub fn compile(debug: bool) -> Result<PathBuf> {
    let toolchains = Toolchain::find(&[&WEBASSEMBLY], true)?;
    let toolchain = toolchains.first().and_then(|all| all.first()).context("a toolchain for WebAssembly")?;
    note("compiling the module");
    let mut cargo = toolchain.build()?;
    cargo.args(["--quiet", "--package", "playground", "--profile", "playground"]);
    if debug {
        cargo.args(["--config", "profile.playground.lto=false"]);
    }
    let flags = format!("{}\x1f-Clink-arg=-zstack-size={STACK}", components::flags(toolchain));
    venv::run(cargo.env("CARGO_ENCODED_RUSTFLAGS", flags).current_dir(root()))?;
    Ok(root().join("target/cross/wasm32-unknown-unknown/playground/playground.wasm"))
}
