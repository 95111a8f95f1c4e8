//! `cargo xtask build`: components and configurations become FMUs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use comfy_table::presets;
use comfy_table::{CellAlignment, Table};
use fmu_builder::{Description, Library, Settings, pack};

use crate::components::{Component, components, find, own_components};
use crate::platforms::{Libraries, compile_for};
use crate::progress::Progress;
use crate::targets;

/// Arguments of `cargo xtask build`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Components by name, or folders of packages; all components if none is given
    #[arg(value_name = "COMPONENT|PATH")]
    components: Vec<String>,
    /// Configuration in TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Value of a structure option, parameter, name or description; goes before the configuration
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Folder or file for the FMU [default: target/fmu]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Platform that the FMU gets a library for: linux64, aarch64-linux, win64, darwin64, Rust's names of them, or
    /// all; may be repeated [default: this computer]
    #[arg(long, value_name = "PLATFORM")]
    target: Vec<String>,
}

/// Builds the FMUs and prints a table of them.
pub fn build(arguments: &Arguments) -> anyhow::Result<()> {
    let start = Instant::now();
    let settings = settings(arguments.config.as_deref(), &arguments.set)?;
    let chosen = choose(arguments, &settings)?;
    let out = arguments.out.clone().unwrap_or_else(|| crate::root().join("target/fmu"));
    let targets = targets::choose(&arguments.target)?;
    let libraries = compile_for(&chosen.iter().collect::<Vec<_>>(), &targets)?;
    let compiled = start.elapsed();

    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["file", "bytes", "variables", "platforms", "seconds"]);
    let progress = Progress::new(libraries.len());
    for (Libraries { host, platforms }, component) in libraries.into_iter().zip(&chosen) {
        progress.doing(&component.package);
        let start = Instant::now();
        let library = Library::load(&host)?;
        let description = settings.resolve(&library)?;
        progress.suspend(|| print_warnings(&description));
        let fmu = pack(&description, &platforms, &out)?;
        let platforms: Vec<_> = platforms.iter().map(|(platform, _)| platform.folder()).collect();
        table.add_row([
            shown(&fmu),
            fs_err::metadata(&fmu)?.len().to_string(),
            description.variables.len().to_string(),
            platforms.join(", "),
            format!("{:.2}", start.elapsed().as_secs_f64()),
        ]);
        progress.done();
    }
    drop(progress);
    for column in [1, 2, 4] {
        table.column_mut(column).expect("a column").set_cell_alignment(CellAlignment::Right);
    }
    println!("{}", table.trim_fmt());
    println!("compiled in {:.1} s", compiled.as_secs_f64());
    Ok(())
}

/// The settings of a configuration file and the command line.
pub fn settings(config: Option<&Path>, set: &[String]) -> anyhow::Result<Settings> {
    let mut settings = config.map_or_else(|| Ok(Settings::default()), Settings::from_toml)?;
    set.iter().try_for_each(|assignment| settings.set(assignment))?;
    Ok(settings)
}

/// Prints what is questionable in a configuration.
pub fn print_warnings(description: &Description) {
    for warning in &description.warnings {
        eprintln!("warning: {}: {warning}", description.name);
    }
}

fn choose(arguments: &Arguments, settings: &Settings) -> anyhow::Result<Vec<Component>> {
    let own = own_components()?;
    let mut names = arguments.components.clone();
    if names.is_empty() {
        names.extend(settings.component().map(str::to_owned));
    }
    let configured = arguments.config.is_some() || !arguments.set.is_empty();
    if names.is_empty() && configured {
        bail!("which component? Name it on the command line, or with component = \"…\" in the configuration");
    }
    if names.is_empty() {
        return Ok(own);
    }
    let chosen = names.iter().map(|name| if is_path(name) { at(Path::new(name)) } else { find(&own, name).cloned() });
    chosen.collect()
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\', '.'])
}

/// The component whose package lies in a folder.
fn at(folder: &Path) -> anyhow::Result<Component> {
    let manifest = folder.join("Cargo.toml");
    fs_err::metadata(&manifest).context("a path must lead to the folder of a package")?;
    // Not the canonical path, whose form on Windows cargo does not take.
    let manifest = std::path::absolute(manifest)?;
    let all = components(&manifest)?;
    let found = all.into_iter().find(|component| component.is_at(&manifest));
    found.with_context(|| format!("{} has no example target with crate-type = [\"cdylib\"]", manifest.display()))
}

/// The path as the user would write it here.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let relative = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    relative.unwrap_or(path).display().to_string()
}
