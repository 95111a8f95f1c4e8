//! Runs in Co-Simulation, and errors over costs of communication steps: a drive train with its sources inside.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::archives::xtask_build;
use super::harness::{compile, unpack};
use super::trains::OUTPUTS;

use xtask::environment::Environment;
use xtask::venv;

/// The end of the simulation, in s.
const END: f64 = 1.5;

/// Name of the output whose error is measured.
pub const WITH_ERROR: &str = "J2.w";

/// Lengths of communication steps, in s, and tolerances.
pub const LENGTHS: [f64; 3] = [1e-2, 1e-3, 1e-4];
const TOLERANCES: [f64; 6] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-10];

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

/// A system that is run by `tests/bench/steps.c`.
pub struct System {
    program: PathBuf,
    unit: Value,
    /// Value references of the outputs that are read, and how many of them are shown.
    outputs: (String, usize),
}

impl System {
    /// Builds an example with parameters; all outputs are read, and the first ones shown.
    pub fn of<'a>(
        environment: &Environment,
        folder: &Path,
        (example, parameters): (&str, &[&str]),
        outputs: impl IntoIterator<Item = &'a str>,
        shown: usize,
    ) -> Result<Self> {
        fs_err::create_dir_all(folder)?;
        let example = xtask::paths::root().join("examples").join(example);
        let file = folder.join("system.fmu");
        let (example, out) = (example.display().to_string(), file.display().to_string());
        let parameters = parameters.iter().flat_map(|parameter| ["--set", parameter]);
        xtask_build(&["--config", &example, "--out", &out].into_iter().chain(parameters).collect::<Vec<_>>())?;
        let unit = unpack(environment, &[&file], &folder.join("unpacked"))?.into_iter().next();
        let unit = unit.context("a description")?;
        let reference =
            |name: &str| Ok(unit["references"].get(name).with_context(|| format!("no {name}"))?.to_string());
        let outputs = outputs.into_iter().map(reference).collect::<Result<Vec<_>>>()?.join(",");
        Ok(Self { program: compile("steps", folder)?, unit, outputs: (outputs, shown) })
    }

    /// Runs for a time, in s, once at least; returns the nanoseconds of a run, and the outputs shown at each communication point.
    pub fn run(&self, budget: f64, tolerance: f64, [step, end]: [f64; 2]) -> Result<(f64, Vec<Vec<f64>>)> {
        let mut command = Command::new(&self.program);
        for key in ["library", "token", "resources"] {
            command.arg(self.unit[key].as_str().context("a description")?);
        }
        command.args([budget, tolerance, step, end].map(|number| number.to_string()));
        let (outputs, shown) = &self.outputs;
        let output = String::from_utf8(venv::run(command.arg(shown.to_string()).arg(outputs))?.stdout)?;
        let mut lines = output.lines();
        let time = lines.next().context("a time")?.parse()?;
        let row = |line: &str| Ok(line.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>()?);
        Ok((time, lines.map(row).collect::<Result<_>>()?))
    }
}

/// Measures the runs.
pub fn costs(environment: &Environment, folder: &Path, budget: f64, rounds: usize) -> Result<Vec<Cost>> {
    let names = std::iter::once(WITH_ERROR).chain(OUTPUTS.into_iter().filter(|name| *name != WITH_ERROR));
    let system = System::of(environment, &folder.join("steps"), ("coupled-clutches.toml", &[]), names, 1)?;
    let mut costs = Vec::new();
    for step in LENGTHS {
        let (_, exact) = system.run(0.0, 1e-12, [step, END])?;
        for tolerance in TOLERANCES {
            let mut cost = Cost { step, tolerance, time: f64::INFINITY, error: 0.0 };
            for _ in 0..rounds {
                let (time, found) = system.run(budget, tolerance, [step, END])?;
                cost.time = cost.time.min(time);
                let errors =
                    found.iter().flatten().zip(exact.iter().flatten()).map(|(found, exact)| (found - exact).abs());
                cost.error = errors.fold(0.0, f64::max);
            }
            costs.push(cost);
        }
    }
    Ok(costs)
}
