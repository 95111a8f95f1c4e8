//! The components of this workspace, and those of packages elsewhere, for the commands that make FMUs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use fmu_builder::{Platform, Standard};
use fmu_commands::source::{Libraries, LibrarySource};

use crate::components::{self, Component, at, compile_time, own_components, systems};
use crate::platforms::{compile_for, compile_here};
use crate::targets;

/// The source of libraries that are compiled with cargo.
pub struct Compiled;

/// For what is compiled, and how.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Platform to build a library for: linux64, aarch64-linux, win64, darwin64, a Rust target, or all; wasm32, a draft, for
    /// FMI 3.0; may be repeated [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
    /// Build archives that are at least 180 kB smaller: also compile the standard library, without backtraces, and optimise
    /// and compress longer. Needs the sources of the standard library: rustup component add rust-src
    #[arg(long)]
    small: bool,
}

impl LibrarySource for Compiled {
    type Component = Component;
    type Options = Options;
    const PROGRAM: &'static str = components::PROGRAM;

    fn components(&self) -> Result<Vec<Component>> {
        own_components()
    }

    fn systems(&self) -> Result<Vec<Component>> {
        systems()
    }

    fn at(&self, folder: &Path) -> Result<Component> {
        at(folder)
    }

    fn out(&self) -> PathBuf {
        crate::paths::root().join("target/fmu")
    }

    fn host(&self, component: &Component, options: &Options) -> Result<PathBuf> {
        compile_here(component, &targets::choose_for_fmus(&options.target)?, options.small)
    }

    fn check(&self, options: &Options, standard: Standard) -> Result<()> {
        let mut targets = targets::choose_for_fmus(&options.target)?.into_iter();
        if standard == Standard::Fmi2 && targets.any(|target| target.platform == Platform::Wasm32) {
            bail!("--target wasm32: FMI 2.0 has no WebAssembly; build the FMU for FMI 3.0 (--fmi 3)");
        }
        Ok(())
    }

    fn libraries(&self, components: &[&Component], options: &Options) -> Result<Vec<Libraries>> {
        compile_for(components, &targets::choose_for_fmus(&options.target)?, options.small)
    }

    fn compile_time(&self) -> Option<Duration> {
        Some(compile_time())
    }
}
