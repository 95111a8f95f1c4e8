//! `xtask-webassembly MODULE COMPONENT` encodes a module of WebAssembly as a component, by the interface that
//! `wit-bindgen` has put into the module. `cargo xtask build --target wasm32` runs it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use wit_component::ComponentEncoder;

fn main() -> Result<()> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let [module, component] = [paths.next(), paths.next()].map(|path| path.context("usage: MODULE COMPONENT"));
    let (module, component) = (module?, component?);
    let content = fs_err::read(&module)?;
    let mut encoder = ComponentEncoder::default();
    encoder.module(&content).with_context(|| format!("{} is not a module with an interface", module.display()))?;
    encoder.validate(true);
    let encoded = encoder.encode().with_context(|| format!("{} cannot be a component", module.display()))?;
    Ok(fs_err::write(component, encoded)?)
}
