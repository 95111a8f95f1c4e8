//! `cargo xtask build`: components and configurations become FMUs.

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use comfy_table::presets;
use comfy_table::{CellAlignment, Table};
use fmu_builder::console::{note, say};
use fmu_builder::{Description, Library, Origin, Platform, Settings, modelica_package, pack, place};

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

    // Nothing is written unless everything can be.
    let mut packages = Vec::new();
    for Libraries { host, platforms, origin } in libraries {
        let description = settings.resolve(&Library::load(&host)?)?;
        let file = place(&description, &out);
        if let Some(other) = packages.iter().find(|other: &&Package| other.file == file) {
            bail!("{} and {} would both become {}", other.description.component, description.component, shown(&file));
        }
        packages.push(Package { libraries: platforms, origin, description, file });
    }
    let table = pack_all(&packages)?;
    say(table.trim_fmt())?;
    Ok(say(format_args!("compiled in {:.1} s", compiled.as_secs_f64()))?)
}

/// An FMU to be packed.
struct Package {
    libraries: Vec<(Platform, PathBuf)>,
    origin: Origin,
    description: Description,
    /// The finished FMU.
    file: PathBuf,
}

/// Packs the FMUs; gives the table of them.
fn pack_all(packages: &[Package]) -> anyhow::Result<Table> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["file", "bytes", "variables", "platforms", "seconds"]);
    let progress = Progress::new(packages.len());
    for Package { libraries, origin, description, file } in packages {
        progress.doing(&description.name);
        let start = Instant::now();
        progress.suspend(|| print_warnings(description));
        pack(description, origin, libraries, file)?;
        modelica_package(description, file.parent().unwrap_or(Path::new(".")))?;
        let platforms: Vec<_> = libraries.iter().map(|(platform, _)| platform.folder()).collect();
        table.add_row([
            shown(file),
            fs_err::metadata(file)?.len().to_string(),
            description.variables.len().to_string(),
            platforms.join(", "),
            format!("{:.2}", start.elapsed().as_secs_f64()),
        ]);
        progress.done();
    }
    for column in [1, 2, 4] {
        table.column_mut(column).expect("a column").set_cell_alignment(CellAlignment::Right);
    }
    Ok(table)
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
        note(format_args!("warning: {}: {warning}", description.name));
    }
}

fn choose(arguments: &Arguments, settings: &Settings) -> anyhow::Result<Vec<Component>> {
    let own = own_components()?;
    let named = |name: &str| if is_path(name) { at(Path::new(name)) } else { find(&own, name).cloned() };
    let mut chosen: Vec<Component> = Vec::new();
    for name in &arguments.components {
        let component = named(name)?;
        if !chosen.iter().any(|other| other.is_at(component.manifest())) {
            chosen.push(component);
        }
    }
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    if let Some((name, place)) = settings.component() {
        return Ok(vec![named(name).with_context(|| place.clone())?]);
    }
    if arguments.config.is_some() || !arguments.set.is_empty() {
        bail!("which component? Name it on the command line, or with component = \"…\" in the configuration");
    }
    Ok(own)
}

fn is_path(name: &str) -> bool {
    name.contains(['/', '\\', '.'])
}

/// The component whose package lies in a folder.
fn at(folder: &Path) -> anyhow::Result<Component> {
    if folder.extension().is_some_and(|extension| extension == "toml") {
        bail!("{0} is no folder of a package; a configuration is given with --config {0}", folder.display());
    }
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
