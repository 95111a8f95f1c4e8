//! Drive trains: cost of an evaluation, of a run, and of building them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use fmu_builder::{Cached, Library, Packer, Settings, Standard, output_path};

use super::harness::{compile, unpack};
use super::mechanisms::{self, ENGINE};
use fmu_commands::source::Libraries;
use fmu_commands::systems::smallest;

use xtask::components::systems;
use xtask::environment::Environment;
use xtask::platforms::compile_for;
use xtask::targets;
use xtask::venv;

/// Name of a train with three clutches between four inertias: Modelica.Mechanics.Rotational.Examples.CoupledClutches.
pub const CLUTCHES: &str = "CoupledClutches";

/// Inputs of that train, in the order of the measuring program.
const INPUTS: [&str; 4] = ["torque.tau", "clutch1.f_normalized", "clutch2.f_normalized", "clutch3.f_normalized"];

/// Outputs that the measuring program reads.
pub const OUTPUTS: [&str; 8] = ["J1.phi", "J1.w", "J2.w", "J3.w", "J4.w", "clutch1.tau", "clutch2.tau", "clutch3.tau"];

/// Numbers of inertias in the chains, and numbers of them after which a clutch replaces a spring.
const CHAINS: [(usize, Option<usize>); 7] =
    [(10, None), (30, None), (100, None), (300, None), (1000, None), (100, Some(10)), (1000, Some(100))];

/// Numbers of inertias with a gear between each two of them: all depend on all ratios.
const GEARS: [usize; 2] = [100, 300];

/// A drive train and its figures.
pub struct Train {
    /// Name of the FMU.
    pub name: String,
    /// Description of the parts.
    pub what: String,
    /// Number of parts.
    pub parts: usize,
    /// Number of states.
    pub states: usize,
    /// Size of the archive in bytes.
    pub archive: u64,
    /// Nanoseconds from the configuration to the archive, with a library that is there.
    pub build: f64,
    /// Nanoseconds of `evaluation` and `run`.
    pub rows: BTreeMap<String, f64>,
}

/// Builds and measures the trains; keeps the least of all rounds.
pub fn trains(environment: &Environment, folder: &Path, budget: f64, rounds: usize) -> Result<Vec<Train>> {
    let folder = folder.join("trains");
    fs_err::create_dir_all(&folder)?;
    let systems = systems()?;
    let mut libraries = compile_for(&systems.iter().collect::<Vec<_>>(), &targets::choose(&[])?, false)?;
    // In a smoke run, some trains are enough.
    let is_smoke = rounds == 1;
    let mut texts = vec![(CLUTCHES.to_owned(), "4 inertias, 3 clutches".to_owned(), coupled_clutches())];
    for (inertias, every) in CHAINS.into_iter().filter(|(inertias, _)| !is_smoke || *inertias <= 10) {
        let (name, what) = match every {
            None => (format!("Springs{inertias}"), format!("{inertias} inertias, springs between")),
            Some(every) => (
                format!("Clutches{inertias}"),
                format!("{inertias} inertias, springs between, {} clutches", (inertias - 1) / every),
            ),
        };
        texts.push((name, what, chain(inertias, every)));
    }
    for count in GEARS.into_iter().filter(|_| !is_smoke) {
        texts.push((format!("Gears{count}"), format!("{count} inertias, gears between"), gears(count)));
    }
    texts.push((ENGINE.to_owned(), "6 JointRRP with piston, rod and gas".to_owned(), mechanisms::engine()));
    for joints in mechanisms::CHAINS.into_iter().filter(|joints| !is_smoke || *joints <= 4) {
        let what = format!("{joints} revolute joints, one behind the other");
        texts.push((format!("Joints{joints}"), what, mechanisms::chain(joints)));
    }
    let program = compile("train", &folder)?;
    // Each library is compressed once.
    for libraries in &libraries {
        Packer::read(&libraries.platforms, libraries.origin.clone(), libraries.compression)?;
    }
    let mut trains = Vec::new();
    for (name, what, text) in texts {
        let (mut train, file) = build(&mut libraries, &folder, &name, what, &text)?;
        let arguments = arguments(environment, &train, &file, &folder.join(&name))?;
        for _ in 0..rounds {
            let output =
                venv::run(Command::new(&program).args(&arguments[..4]).arg(budget.to_string()).args(&arguments[4..]))?;
            for line in String::from_utf8(output.stdout)?.lines() {
                let (key, value) = line.split_once(' ').context("a row")?;
                let least = train.rows.entry(key.to_owned()).or_insert(f64::INFINITY);
                *least = least.min(value.parse()?);
            }
        }
        trains.push(train);
    }
    Ok(trains)
}

/// Builds the FMU of a train, from the configuration on.
fn build(libraries: &mut [Libraries], folder: &Path, name: &str, what: String, text: &str) -> Result<(Train, PathBuf)> {
    let configuration = folder.join(name).with_extension("toml");
    fs_err::write(&configuration, text)?;
    let start = Instant::now();
    let settings = Settings::from_toml(&configuration)?;
    let has_types = |libraries: &mut Libraries| Ok(settings.has_parts_of(&Library::load(&libraries.host)?)?);
    let libraries = smallest(libraries, has_types)?;
    let library = Cached::new(Library::load(&libraries.host)?);
    let packer = Packer::read(&libraries.platforms, libraries.origin.clone(), libraries.compression)?;
    let description = settings.resolve(&library)?;
    let file = output_path(&description, Standard::Fmi2, folder);
    packer.pack(&description, Standard::Fmi2, &file)?;
    let build = 1e9 * start.elapsed().as_secs_f64();
    let train = Train {
        name: name.to_owned(),
        what,
        parts: text.matches("[parts.").count(),
        states: description.model_structure.derivatives.len(),
        archive: fs_err::metadata(&file)?.len(),
        build,
        rows: BTreeMap::new(),
    };
    Ok((train, file))
}

/// Returns the arguments of the measuring program, but for the budget.
fn arguments(environment: &Environment, train: &Train, file: &PathBuf, folder: &Path) -> Result<Vec<String>> {
    let unit = unpack(environment, &[file], folder)?.into_iter().next().context("a description")?;
    let text = |key: &str| unit[key].as_str().map(str::to_owned).context("a description");
    let mut arguments = vec![text("library")?, text("token")?, text("resources")?, train.states.to_string()];
    if train.name == CLUTCHES {
        let reference = |name: &&str| unit["references"][*name].to_string();
        arguments.extend(INPUTS.iter().map(reference));
        arguments.push(OUTPUTS.iter().map(reference).collect::<Vec<_>>().join(","));
    }
    if train.name == ENGINE {
        arguments.push("coast".to_owned());
    }
    Ok(arguments)
}

fn coupled_clutches() -> String {
    let mut text = format!("name = \"{CLUTCHES}\"\n[parts.torque]\ntype = \"Torque\"\nflange = \"J1.flange_a\"\n");
    for i in 1..=4 {
        text += &format!("[parts.J{i}]\ntype = \"Inertia\"\nw_start = {}\n", if i == 1 { 10.0 } else { 0.0 });
        if i > 1 {
            let before = i - 1;
            text += &format!(
                "[parts.clutch{before}]\ntype = \"Clutch\"\npeak = 1.1\nfn_max = 20.0\nflange_a = \"J{before}.flange_b\"\n\
                 flange_b = \"J{i}.flange_a\"\n"
            );
        }
    }
    text
}

/// Returns the configuration of inertias with a part between each two of them, which the function gives for the second
/// one.
fn row_of(name: &str, count: usize, between: impl Fn(usize) -> &'static str) -> String {
    let mut text = format!("name = \"{name}\"\n[parts.torque]\ntype = \"Torque\"\nflange = \"i0.flange_a\"\n");
    for i in 0..count {
        text += &format!("[parts.i{i}]\ntype = \"Inertia\"\nJ = 0.1\n");
        if i > 0 {
            let (before, part) = (i - 1, between(i));
            text += &format!("[parts.p{i}]\n{part}flange_a = \"i{before}.flange_b\"\nflange_b = \"i{i}.flange_a\"\n");
        }
    }
    text
}

fn chain(inertias: usize, every: Option<usize>) -> String {
    let name = if every.is_some() { "Clutches" } else { "Springs" };
    row_of(&format!("{name}{inertias}"), inertias, |i| match every {
        Some(every) if i % every == 0 => "type = \"Clutch\"\nfn_max = 10.0\nf_normalized = 1.0\n",
        _ => "type = \"SpringDamper\"\nc = 1000.0\nd = 1.0\n",
    })
}

fn gears(count: usize) -> String {
    row_of(&format!("Gears{count}"), count, |_| "type = \"IdealGear\"\nratio = 1.01\n")
}
