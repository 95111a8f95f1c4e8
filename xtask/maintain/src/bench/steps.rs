//! Errors over costs of communication steps: a drive train with its sources inside.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::archives::xtask_build;
use super::harness::{compile, unpack};
use super::trains::{CLUTCHES, OUTPUTS};

use xtask::environment::Environment;
use xtask::venv;

/// The end of the simulation, in s.
const END: &str = "1.5";

/// Name of the output whose error is measured.
pub const WITH_ERROR: &str = "J2.w";

/// A run at a communication step and a tolerance.
pub struct Cost {
    /// The communication step in s.
    pub step: f64,
    /// The relative tolerance.
    pub tolerance: f64,
    /// Nanoseconds of the run; the least of all rounds.
    pub time: f64,
    /// The largest error of [`WITH_ERROR`] at a communication point.
    pub error: f64,
}

/// Measures the runs.
pub fn costs(environment: &Environment, folder: &Path, budget: f64, rounds: usize) -> Result<Vec<Cost>> {
    let folder = folder.join("steps");
    fs_err::create_dir_all(&folder)?;
    let example = xtask::paths::root().join("examples/coupled-clutches.toml");
    let file = folder.join(CLUTCHES).with_extension("fmu");
    xtask_build(&["--config", &example.display().to_string(), "--out", &file.display().to_string()])?;
    let unit = unpack(environment, &[&file], &folder.join(CLUTCHES))?.into_iter().next().context("a description")?;
    let text = |key: &str| unit[key].as_str().map(str::to_owned).context("a description");
    let names = std::iter::once(WITH_ERROR).chain(OUTPUTS.into_iter().filter(|name| *name != WITH_ERROR));
    let outputs: Vec<_> = names.map(|name| unit["references"][name].to_string()).collect();
    let program = compile("steps", &folder)?;
    let mut costs: BTreeMap<String, Cost> = BTreeMap::new();
    for _ in 0..rounds {
        let mut command = Command::new(&program);
        command.args([&text("library")?, &text("token")?, &text("resources")?, &budget.to_string(), END]);
        let output = venv::run(command.arg(outputs.join(",")))?;
        for line in String::from_utf8(output.stdout)?.lines() {
            let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
            let [step, tolerance, time, error] = numbers[..] else { anyhow::bail!("\"{line}\" is no row") };
            let cost = Cost { step, tolerance, time, error };
            let known = costs.entry(format!("{step:e} {tolerance:e}")).or_insert(cost);
            known.time = known.time.min(time);
        }
    }
    Ok(costs.into_values().collect())
}
