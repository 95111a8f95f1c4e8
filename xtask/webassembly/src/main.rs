//! `xtask-webassembly MODULE COMPONENT` encodes a module of WebAssembly as a component, by the interface that
//! `wit-bindgen` has put into the module. `cargo xtask build --target wasm32` runs it.

use std::path::PathBuf;

use anyhow::{Context, Result};
use wasmparser::BinaryReader;
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
    Ok(fs_err::write(component, without_names(&encoded)?)?)
}

/// Returns a component without the names of its parts, which only debuggers read.
fn without_names(component: &[u8]) -> Result<Vec<u8>> {
    const PREAMBLE: usize = 8;
    let mut sections = BinaryReader::new(component, 0);
    let mut kept = sections.read_bytes(PREAMBLE)?.to_owned();
    while !sections.eof() {
        let rest = &component[component.len() - sections.bytes_remaining()..];
        let is_custom = sections.read_u8()? == 0;
        let mut content = sections.read_reader()?;
        if !is_custom || content.read_string()? != "component-name" {
            kept.extend(&rest[..rest.len() - sections.bytes_remaining()]);
        }
    }
    Ok(kept)
}
