//! `cargo xtask bench`: cost of calls, archives and exact events, compared with other tools.
//!
//! `tests/bench` has the measuring programs, in C, one in C++; `tests/peers` the component to compare, in our tool and in
//! others, which are fetched into `target/peers`.

mod archives;
mod arrays;
mod harness;
pub mod machine;
mod mechanisms;
mod multibody;
mod page;
mod peers;
mod plain;
mod results;
mod robots;
mod steps;
mod trains;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use fmu_builder::Destination;
use fmu_builder::console::{note, say};

use crate::checks::{Check, conclude};
use archives::{folder, small, xtask_build};
use harness::{Harness, Measured};
use page::PICTURE;
use peers::{Built, Peer};
use results::Results;
use xtask::environment::Environment;
use xtask::programs::program;
use xtask::venv;

pub use archives::archives;

const PAGE: &str = "docs/measurements.md";

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Also write docs/measurements.md and its plot
    #[arg(long)]
    save: bool,
    /// Only check that everything can be measured, with our FMUs and the peer that is fastest to install
    #[arg(long, conflicts_with = "save")]
    smoke: bool,
    /// Only measure the multibody benchmark; with --save, write its section
    #[arg(long, conflicts_with_all = ["smoke", "robots"])]
    multibody: bool,
    /// Only compare the accelerations of robots with those of Pinocchio in C++
    #[arg(long, conflicts_with_all = ["save", "smoke"])]
    robots: bool,
}

/// Seconds for a row, and number of rounds.
const USUAL: (f64, usize) = (0.03, 3);

/// Measures and prints.
pub fn bench(arguments: &Arguments) -> Result<()> {
    if !cfg!(unix) {
        bail!("cargo xtask bench measures on Linux and macOS only");
    }
    if arguments.multibody {
        return multibody(arguments.save);
    }
    if arguments.robots {
        return robots::robots();
    }
    xtask_build(&[])?;
    conclude(measure(&Environment::prepare(xtask::paths::root())?, arguments)?)
}

/// Checks that everything can be measured.
pub fn smoke(environment: &Environment) -> Result<Vec<Check>> {
    if !cfg!(unix) {
        return Ok(vec![Check::skipped("benchmarks", "they measure on Linux and macOS only")]);
    }
    measure(environment, &Arguments { save: false, smoke: true, multibody: false, robots: false })
}

/// Measures and prints the multibody benchmark alone.
fn multibody(save: bool) -> Result<()> {
    let environment = Environment::prepare(xtask::paths::root())?;
    let machine = machine::describe(&environment)?;
    let (budget, rounds) = USUAL;
    let section = page::multibody(&multibody::solve(&environment, &folder(), budget, rounds)?, &machine);
    if !save {
        return Ok(say(section.trim())?);
    }
    let path = xtask::paths::root().join(PAGE);
    let page = page::with_multibody(&fs_err::read_to_string(&path)?, &section)?;
    Destination::new(&path)?.write(|writer| writer.write_all(page.as_bytes()))?;
    Ok(say(PAGE)?)
}

/// Measures; returns the peers that are left out of a smoke run.
fn measure(environment: &Environment, arguments: &Arguments) -> Result<Vec<Check>> {
    let folder = folder();
    fs_err::create_dir_all(&folder)?;
    let machine = machine::describe(environment)?;
    let (budget, rounds) = if arguments.smoke { (1e-4, 1) } else { USUAL };

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
    let components = archives(&xtask::paths::root().join("target/fmu"))?;
    let small = if arguments.smoke { Err(anyhow!("not in a smoke run")) } else { small() };
    if let (Err(error), true) = (&small, arguments.save) {
        bail!("the archives of --small cannot be made: {error:#}");
    }

    // Measured round by round, so that a temporary disturbance does not affect only one FMU.
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
    let steps = steps::costs(environment, &folder, budget, rounds)?;
    let multibody = multibody::solve(environment, &folder, budget, rounds)?;
    let out = folder.join("all");
    xtask_build(&["--fmi", "3", "--out", &format!("{}/", out.display())])?;
    let arrays = arrays::arrays(environment, &archives(&out.join("fmi3"))?, &folder, budget, rounds)?;

    let picture = if arguments.save { xtask::paths::root().join("docs").join(PICTURE) } else { folder.join(PICTURE) };
    let engagement = engagement(&folder, &picture, budget)?;
    let results = Results { machine, components, pairs, trains, steps, multibody, arrays, small, peers, engagement };
    let page = page::page(&results, arguments.smoke)?;
    if arguments.save {
        Destination::new(&xtask::paths::root().join(PAGE))?.write(|writer| writer.write_all(page.as_bytes()))?;
        say(PAGE)?;
    } else if !arguments.smoke {
        say(page.trim_end())?;
    }
    Ok(checks)
}

/// Fails unless the results of all peers agree.
fn agree(peers: &[(&Peer, Result<(Built, Measured)>)]) -> Result<()> {
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
    let output = venv::run(command.args([&fixed, picture]).arg(budget.to_string()).current_dir(xtask::paths::root()))?;
    Ok(String::from_utf8(output.stdout)?)
}
