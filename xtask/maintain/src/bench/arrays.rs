//! Calls of FMI 3.0 that FMI 2.0 does not have, measured by `tests/bench/arrays.c`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::harness::{compile, unpack};
use xtask::environment::Environment;
use xtask::venv;

/// A component as an FMU of FMI 3.0.
pub struct Arrays {
    /// Name of the component.
    pub name: String,
    /// Number of Reals of its continuous inputs.
    pub inputs: u64,
    /// Number of Reals of its outputs.
    pub outputs: u64,
    /// True if some inputs or outputs are arrays.
    pub has_arrays: bool,
    /// Nanoseconds of a call, by row; the least of the medians of all rounds.
    pub rows: BTreeMap<String, f64>,
}

impl Arrays {
    /// Returns the cost of an adjoint derivative, in evaluations.
    pub fn adjoint(&self) -> Option<f64> {
        Some(self.rows.get("adjoint")? / self.rows.get("evaluation")?)
    }
}

/// Measures FMUs, given by their names.
pub fn arrays(
    environment: &Environment,
    files: &BTreeMap<String, PathBuf>,
    folder: &Path,
    budget: f64,
    rounds: usize,
) -> Result<Vec<Arrays>> {
    let program = compile("arrays", folder)?;
    let paths: Vec<&PathBuf> = files.values().collect();
    let descriptions = unpack(environment, &paths, &folder.join("unpacked-fmi3"))?;
    files.keys().zip(&descriptions).map(|(name, fmu)| measure(name, fmu, &program, budget, rounds)).collect()
}

fn measure(name: &str, fmu: &Value, program: &Path, budget: f64, rounds: usize) -> Result<Arrays> {
    let lists = fmu["arrays"].as_array().context("the variables")?;
    let numbers = |at: usize| lists.get(at).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let sizes = |at| numbers(at).iter().filter_map(Value::as_u64);
    let mut rows = BTreeMap::new();
    for _ in 0..rounds {
        let mut command = Command::new(program);
        command.args(["library", "token", "resources"].map(|key| fmu[key].as_str().unwrap_or_default()));
        command.arg(budget.to_string());
        command.args((0..5).map(|at| numbers(at).iter().map(Value::to_string).collect::<Vec<_>>().join(",")));
        for line in String::from_utf8_lossy(&venv::run(&mut command)?.stdout).lines() {
            let (row, time) = line.split_once(' ').context("a row")?;
            let time: f64 = time.parse()?;
            rows.entry(row.to_owned()).and_modify(|least: &mut f64| *least = least.min(time)).or_insert(time);
        }
    }
    let has_arrays = sizes(1).chain(sizes(4)).any(|size| size > 1);
    Ok(Arrays { name: name.to_owned(), inputs: sizes(1).sum(), outputs: sizes(4).sum(), has_arrays, rows })
}
