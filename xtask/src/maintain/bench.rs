//! `cargo xtask bench`: cost of calls, archives and exact events, compared with other tools.
//!
//! `tests/bench` has the measuring programs, in C; `tests/peers` the component to compare, in our tool and in others,
//! which are fetched into `target/peers`.

mod arrays;
mod harness;
mod machine;
mod mechanisms;
mod page;
mod peers;
mod plain;
mod trains;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use fmu_builder::console::{note, say};
use fmu_builder::{Archive, Destination, Platform};

use crate::compile::cargo::cargo;
use crate::compile::components::{compile, find, own_components};
use crate::compile::programs::program;
use crate::compile::toolchain::Toolchain;
use crate::environment::Environment;
use crate::maintain::checks::{Check, conclude};
use crate::venv;
use arrays::Arrays;
use harness::{Harness, Unit};
use peers::{Built, Peer};
use plain::Pair;
use trains::Train;

const PAGE: &str = "docs/measurements.md";
const PICTURE: &str = "clutch-accuracy.svg";
/// The systems whose sizes with `--small` are targets.
const TRAIN: &str = "GearShift";
const MECHANISM: &str = "EngineV6";

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Also write docs/measurements.md and its plot
    #[arg(long)]
    save: bool,
    /// Only check that everything can be measured, with our FMUs and the peer that is fastest to install
    #[arg(long, conflicts_with = "save")]
    smoke: bool,
}

/// Measures and prints.
pub fn bench(arguments: &Arguments) -> Result<()> {
    if !cfg!(unix) {
        bail!("cargo xtask bench measures on Linux and macOS only");
    }
    xtask_build(&[])?;
    conclude(measure(&Environment::prepare(crate::paths::root())?, arguments)?)
}

/// Tries whether everything can be measured.
pub fn smoke(environment: &Environment) -> Result<Vec<Check>> {
    if !cfg!(unix) {
        return Ok(vec![Check::skipped("benchmarks", "they measure on Linux and macOS only")]);
    }
    measure(environment, &Arguments { save: false, smoke: true })
}

/// All measurements.
struct Results {
    machine: Vec<(&'static str, String)>,
    /// The components, by the names of their files.
    components: BTreeMap<String, Unit>,
    /// Some of them beside plain C.
    pairs: Vec<Pair>,
    trains: Vec<Train>,
    /// The components in FMI 3.0.
    arrays: Vec<Arrays>,
    /// Sizes of the components' libraries that export FMI 2.0 only, in bytes.
    without_fmi3: BTreeMap<String, u64>,
    /// Archives with a compiled standard library, or why there are none.
    small: Result<BTreeMap<String, Small>>,
    /// Ours first.
    peers: Vec<(&'static Peer, Result<(Built, Unit)>)>,
    /// The table and the text below the picture.
    engagement: String,
}

/// The sizes of an archive made by `cargo xtask build --small` and of its library, in bytes.
struct Small {
    archive: u64,
    library: u64,
}

/// Measures; gives the peers that are left out of a smoke run.
fn measure(environment: &Environment, arguments: &Arguments) -> Result<Vec<Check>> {
    let folder = folder();
    fs_err::create_dir_all(&folder)?;
    let machine = machine::describe(environment)?;
    let (budget, rounds) = if arguments.smoke { (1e-4, 1) } else { (0.03, 3) };

    let built: Vec<_> = peers::PEERS
        .iter()
        .filter(|peer| !arguments.smoke || peer.in_smoke)
        .map(|peer| (peer, peer.build(environment, arguments.smoke)))
        .collect();
    let mut checks = vec![Check::passed("benchmarks")];
    for (peer, result) in &built {
        if let Err(error) = result {
            match arguments {
                Arguments { smoke: true, .. } => checks.push(Check::skipped(peer.title, format_args!("{error:#}"))),
                Arguments { save: true, .. } => bail!("{} cannot be compared: {error:#}", peer.title),
                _ => note(format_args!("{} is left out: {error:#}", peer.title)),
            }
        }
    }
    let components = archives(&crate::paths::root().join("target/fmu"))?;
    let small = if arguments.smoke { Err(anyhow!("not in a smoke run")) } else { small() };
    if let (Err(error), true) = (&small, arguments.save) {
        bail!("the archives of --small cannot be made: {error:#}");
    }

    // Round by round, so that a temporary disturbance does not affect only one of them.
    let harness = Harness::compile(&folder)?;
    let files: Vec<_> =
        components.values().chain(built.iter().flat_map(|(_, built)| built).map(|built| &built.file)).collect();
    let mut units = harness.describe(environment, &files, &folder)?;
    let nothing = Vec::new();
    let variables = components
        .iter()
        .map(|_| &nothing)
        .chain(built.iter().flat_map(|(_, built)| built).map(|built| &built.variables));
    let variables: Vec<_> = variables.collect();
    for _ in 0..rounds {
        for (at, unit) in units.iter_mut().enumerate() {
            // The inputs of components may have to be consistent, such as the elements of a rotation matrix.
            let delta = if at < components.len() { 0.0 } else { 1e-3 };
            harness.measure(unit, budget, delta, variables[at])?;
        }
    }
    let mut units = units.into_iter();
    let components: BTreeMap<_, _> = components.into_keys().zip(units.by_ref()).collect();
    let mut with_unit = |built: Built| Ok((built, units.next().context("a unit for each file")?));
    let peers: Vec<_> = built.into_iter().map(|(peer, built)| (peer, built.and_then(&mut with_unit))).collect();
    agree(&peers)?;
    let pairs = plain::pairs(&harness, |name| components.get(name), &folder, budget, rounds)?;

    let trains = trains::trains(environment, &folder, budget, rounds)?;
    let out = folder.join("all");
    xtask_build(&["--fmi", "3", "--out", &format!("{}/", out.display())])?;
    let arrays = arrays::arrays(environment, &archives(&out.join("fmi3"))?, &folder, budget, rounds)?;
    // Each takes its time to compile.
    let names = components.keys().map(String::as_str).take(if arguments.smoke { 1 } else { usize::MAX });
    let without_fmi3 = without_fmi3(names.collect())?;

    let picture = if arguments.save { crate::paths::root().join("docs").join(PICTURE) } else { folder.join(PICTURE) };
    let engagement = engagement(&folder, &picture, budget)?;
    let results = Results { machine, components, pairs, trains, arrays, without_fmi3, small, peers, engagement };
    let page = page::page(&results, arguments.smoke)?;
    if arguments.save {
        Destination::new(&crate::paths::root().join(PAGE))?.write(|writer| writer.write_all(page.as_bytes()))?;
        say(PAGE)?;
    } else if !arguments.smoke {
        say(page.trim_end())?;
    }
    Ok(checks)
}

/// The folder of the programs and the unpacked FMUs.
fn folder() -> PathBuf {
    crate::paths::root().join("target").join("bench")
}

/// `cargo xtask build` with arguments.
fn xtask_build(arguments: &[&str]) -> Result<()> {
    venv::run(xtask().args(arguments)).context("cargo xtask build failed")?;
    Ok(())
}

/// `cargo xtask build`, as a separate process: cargo may have replaced this program's file.
fn xtask() -> Command {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package=xtask", "--", "build"]).current_dir(crate::paths::root());
    command
}

/// The FMUs of the components with their defaults in a folder, by name.
pub fn archives(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = crate::paths::files(folder, "fmu")?;
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let own = own_components()?;
    files.retain(|file| find(&own, &name(file)).is_ok());
    Ok(files.into_iter().map(|file| (name(&file), file)).collect())
}

/// The archives made by `cargo xtask build --small`, if possible: of the components, and of two systems.
fn small() -> Result<BTreeMap<String, Small>> {
    let folder = folder().join("small");
    let out = folder.display().to_string();
    xtask_build(&["--small", "--out", &out])?;
    let mut files = archives(&folder)?;
    for (name, example) in [(TRAIN, "gear-shift"), (MECHANISM, "engine-v6")] {
        xtask_build(&["--small", "--config", &format!("examples/{example}.toml"), "--out", &out])?;
        files.insert(name.to_owned(), folder.join(name).with_extension("fmu"));
    }
    let sizes = files.into_iter().map(|(name, file)| {
        let library = Archive::open(&file)?.read(&Platform::host()?.entry(&name))?.len() as u64;
        Ok((name, Small { archive: fs_err::metadata(file)?.len(), library }))
    });
    sizes.collect()
}

/// The sizes of libraries that export FMI 2.0 only, in bytes.
fn without_fmi3(names: Vec<&str>) -> Result<BTreeMap<String, u64>> {
    let own = own_components()?;
    let components = names.iter().map(|name| find(&own, name)).collect::<Result<Vec<_>>>()?;
    let libraries = compile(&components, &Toolchain::without_fmi3())?;
    let size = |(name, library): (&str, PathBuf)| Ok((name.to_owned(), fs_err::metadata(library)?.len()));
    names.into_iter().zip(libraries).map(size).collect()
}

/// Fails unless the results of all peers agree.
fn agree(peers: &[(&Peer, Result<(Built, Unit)>)]) -> Result<()> {
    let results: Vec<_> =
        peers.iter().filter_map(|(peer, built)| Some((peer.title, &built.as_ref().ok()?.1.result))).collect();
    let Some((_, expected)) = results.first() else { return Ok(()) };
    for (title, found) in &results {
        let same = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs();
        if found.len() != expected.len() || !expected.iter().zip(found.iter()).all(same) {
            bail!("{title} computes {found:?} instead of {expected:?}: the components are not the same");
        }
    }
    Ok(())
}

/// Compares the exact clutch with fixed steps, and plots the errors; returns the table.
fn engagement(folder: &Path, picture: &Path, budget: f64) -> Result<String> {
    let fixed = harness::compile("engagement", folder)?;
    let mut command = Command::new(program("example", "engagement", None)?);
    let output = venv::run(command.args([&fixed, picture]).arg(budget.to_string()).current_dir(crate::paths::root()))?;
    Ok(String::from_utf8(output.stdout)?)
}

/// The first line of a command's output.
fn first_line(command: &mut Command) -> Result<String> {
    let output = venv::run(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned())
}
